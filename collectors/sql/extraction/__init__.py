"""The scans of a query with their predicates, read once or filled into a template."""
