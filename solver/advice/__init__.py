"""The next shot in a real game."""
