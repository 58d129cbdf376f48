"""Sinks of results: Iceberg audit tables and Prometheus."""
