"""Compiled loops of the searches: keys, transposition table, bounds, segments. Private."""
