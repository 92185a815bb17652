"""Every layout, one by one: the enumeration and the decision table."""
