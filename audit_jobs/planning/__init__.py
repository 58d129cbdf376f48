"""Replaying scans: the same passes in-process and distributed over Spark."""
