"""What a cause claims of what the layout of a table loses."""

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
class LayoutClaim:
    """That a cause, by its id, is why the layout makes the scans of a group read more than matches,
    and the condition and column that it concerns. `bytes_won` is the part of what planners keep
    that its fix lets them skip, None where nothing tells; `lacks` what the layout lacks, if it is
    one of these."""

    cause: str
    condition: Condition
    column: str
    bytes_won: int | None
    lacks: Lack | None = None
