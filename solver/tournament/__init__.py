"""Playing many games, and their statistics."""
