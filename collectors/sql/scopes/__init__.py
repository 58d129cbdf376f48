"""Name resolution: the table, view or query of a column, and the reach of conditions."""
