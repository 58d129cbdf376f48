"""Queries from the event logs of Spark."""
