"""Findings: why scans prune badly, how sure that is, and what fixes it."""
