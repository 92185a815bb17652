"""Solved positions on disk: strategy files, looking them up and checking them."""
