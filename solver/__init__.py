"""What to shoot: bounds, greedy rules, the exact searches, and the comparison of strategies."""
