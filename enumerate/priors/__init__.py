"""Priors, which make some layouts likelier than others, and their files."""
