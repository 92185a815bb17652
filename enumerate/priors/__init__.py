"""Some layouts likelier than others: weights read from files."""
