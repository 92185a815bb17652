"""Playing many games, and what came of them."""
