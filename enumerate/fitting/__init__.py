"""Priors fitted to what was seen: how often each cell was occupied, or whole layouts."""
