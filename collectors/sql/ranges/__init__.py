"""The ranges of a column that a condition on functions of it leaves, found by search."""
