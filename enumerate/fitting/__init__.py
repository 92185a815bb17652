"""Priors fitted to observations: how often each cell was occupied, or whole layouts."""
