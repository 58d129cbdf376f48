"""Findings as they are shown: on a terminal, as JSON, and as SARIF."""
