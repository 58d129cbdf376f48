"""A small warehouse and a day of queries, to try an audit on."""
