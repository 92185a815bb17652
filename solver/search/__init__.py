"""Exact solving: the searches, their bounds and keys, greedy rules, and the trees they grow."""
