"""What a cause claims of what queries lose, and of what the layout of a table does."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from audit_jobs.findings.condition import Condition


class Lack(StrEnum):
    """What a layout lacks for a condition to rule out files: an order of rows by its column, or a
    partition field of it."""

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
    """That a cause, by its id, is why the layout makes the scans of a group read more than matches,
    and the condition and column that it concerns. `bytes_won` is the part of what planners keep
    that another layout may let them skip, None where nothing tells; `lacks` what the layout lacks,
    if it is one of these."""

    cause: str
    condition: Condition
    column: str
    bytes_won: int | None
    lacks: Lack | None = None
