"""What to shoot: exact searches and greedy rules, advice, players, tournaments, equilibria."""
