"""Who shoots: the interface of a player, and the players there are."""
