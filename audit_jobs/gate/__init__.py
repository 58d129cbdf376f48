"""The data quality gate: only rows that can be right are published."""
