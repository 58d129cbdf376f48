"""Which table, view or query a column belongs to, and where conditions hold."""
