"""The report of a run: one HTML file with all that it needs, made from the audit tables' rows."""
