"""What can be there and what a shot reveals: boards, fleets, rules, layouts, tables, positions."""
