"""Table health: what a table's layout allows any planner to skip."""
