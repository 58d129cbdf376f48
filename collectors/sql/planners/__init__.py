"""Planner profiles: what each engine hands to Iceberg of a filter."""
