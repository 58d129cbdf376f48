"""The states of Trino's queries."""

from __future__ import annotations

COMPLETED = frozenset({"FINISHED", "FAILED"})
"""Those in which a query has ended (QueryState of Trino 483)."""
