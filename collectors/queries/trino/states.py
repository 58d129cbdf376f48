"""The states of Trino's queries."""

from __future__ import annotations

COMPLETED = frozenset({"FINISHED", "FAILED"})
"""States in which a query has ended (QueryState of Trino 483)."""
