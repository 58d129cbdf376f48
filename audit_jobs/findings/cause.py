"""Interface of a cause in the catalogue: its id and title, its claims, and the function that finds
it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import Enum, auto

from prunescope.audit_jobs.findings.claims import LayoutClaim
from prunescope.audit_jobs.findings.condition import Condition
from prunescope.audit_jobs.findings.model import Finding
from prunescope.audit_jobs.findings.usage import Group, TableUsage

Find = Callable[[TableUsage], Iterator[Finding]]
"""Yields what it finds in a table and its workload, whatever the thresholds: those are applied to
the findings of all causes together."""


ClaimOfCondition = Callable[[Group, Condition], bool]
"""True if a cause is why an engine's planner does not prune by a condition that a planner could
prune by."""

ClaimOfFilter = Callable[[TableUsage, Group], bool]
"""True if a cause is why the scans of a group read what the statistics rule out, by their filter as
a whole, where no cause claims any condition of it."""

ClaimOfLayout = Callable[[TableUsage, Group], LayoutClaim | None]
"""Claim of a cause on the bytes (more than 0) that the layout makes the scans of a group read: all
of them or none."""


class Asks(Enum):
    """Kind of change that a finding's gain depends on: a change of the query, of which values of
    its columns are in which files, or a rewrite of files."""

    QUERY = auto()
    VALUES = auto()
    FILES = auto()


def _no_condition(_group: Group, _condition: Condition) -> bool:
    return False


def _no_filter(_usage: TableUsage, _group: Group) -> bool:
    return False


def _no_layout(_usage: TableUsage, _group: Group) -> None:
    return None


@dataclass(frozen=True, slots=True)
class Cause:
    """One cause of bad pruning. `id` is stable: it is the anchor of the documentation, and what
    suppressions and alerts name. `title` is a few words for tables and headings.

    What it claims is its own, unless a cause before it in the catalogue claims it
    (`prunescope.audit_jobs.findings.attribution`): of what the query or the engine loses
    `of_condition`, or `of_filter`, of what the layout does `of_layout`. With `by_rewriting`, files
    that are written anew win that back, whatever the order of their rows. A cause that `repeats`
    counts bytes that others may count as well: sums leave it out."""

    id: str
    title: str
    find: Find
    of_condition: ClaimOfCondition = _no_condition
    of_filter: ClaimOfFilter = _no_filter
    of_layout: ClaimOfLayout = _no_layout
    by_rewriting: bool = False
    repeats: bool = False

    @property
    def asks(self) -> Asks | None:
        """Kind of change that the cause's gain depends on; None if the bytes of data files that
        scans keep do not show that gain."""
        if self.of_layout is not _no_layout:
            return Asks.FILES if self.by_rewriting else Asks.VALUES
        of_query = (self.of_condition, self.of_filter) != (_no_condition, _no_filter)
        return Asks.QUERY if of_query else None
