"""What a game is and what is known of it: board, fleet, rules, shots and their answers."""
