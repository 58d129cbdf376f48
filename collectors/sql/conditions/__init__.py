"""From a condition of SQL to a predicate of one table."""
