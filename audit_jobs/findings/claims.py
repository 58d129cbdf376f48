"""Claims of causes on the losses of queries and of a table's layout."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from prunescope.audit_jobs.findings.condition import Condition


class Lack(StrEnum):
    """Property that a layout lacks for a condition to rule out files: an order of rows by its
    column, or a partition field on it."""

    ORDER = "order"
    FIELD = "field"


@dataclass(frozen=True, slots=True)
class QueryClaim:
    """The conditions by which an engine's planner does not prune for a cause; none where it claims
    the filter as a whole. `bytes_won` are read though the statistics rule them out, and are skipped
    once these conditions are used: none that another cause of the scans has."""

    conditions: tuple[Condition, ...]
    bytes_won: int


@dataclass(frozen=True, slots=True)
class LayoutClaim:
    """Claim of a cause, by its id, that the layout makes a group's scans read more than matches,
    with the condition and column concerned. `bytes_won` is the part of the bytes kept that another
    layout may let planners skip, None if unknown; `lacks` says what the layout lacks, if it is one
    of these."""

    cause: str
    condition: Condition
    column: str
    bytes_won: int | None
    lacks: Lack | None = None
