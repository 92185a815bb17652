"""The game against an opponent who knows the plan."""
