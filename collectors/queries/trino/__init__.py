"""Queries from the events of Trino."""
