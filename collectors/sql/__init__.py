"""SQL of query logs, from text to the predicates of the scans in it."""
