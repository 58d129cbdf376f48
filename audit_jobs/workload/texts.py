"""Findings in the texts of queries: scans, or why there are none."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from prunescope.audit_jobs.isolation import Failed
from prunescope.collectors.needed import NeededRows
from prunescope.collectors.observed import (
    ALL_ROWS,
    Clause,
    ObservedScan,
    OuterNames,
    PlanText,
    Qualifiers,
    RowFilter,
    TableName,
)
from prunescope.collectors.outcomes import Outcome
from prunescope.collectors.predicates.model import Predicate

Columns = Mapping[TableName, Sequence[str] | Mapping[str, str]]
"""The top-level columns of every table that is audited, best with their types."""


@dataclass(frozen=True, slots=True)
class TableScan:
    """One reference of a query to a table.

    `predicate` (unbound) is all that is known of the filter on it, `pushed` the part that the
    engine gives to the planner, None if unknown. `checked` is the filter that the engine was seen
    to check on the rows, if no text has it. At most one of `snapshot_id`, `ref` and `as_of` is set:
    time travel that the SQL asks for. `joined` are the dotted names of the columns that plain joins
    compare. `observed` is the engine's report on the scan. `needed` limits the rows that the query
    needs, and so do `keys`, if a ScanFinder was asked for these. `qualifiers` are those of the
    query's conditions, `clause` is the clause to which conditions can be added; None if no text has
    it. `time_zone` is the one that the text sets, None if it is that of the query.
    """

    table: TableName
    predicate: Predicate
    pushed: PlanText | Predicate | None = None
    snapshot_id: int | None = None
    ref: str | None = None
    as_of: dt.datetime | None = None
    joined: tuple[str, ...] = ()
    observed: ObservedScan | None = None
    checked: RowFilter = ALL_ROWS
    keys: tuple[ScanKey, ...] = ()
    needed: NeededRows | None = None
    qualifiers: Qualifiers = field(default_factory=dict)
    outer_names: OuterNames = field(default_factory=dict)
    clause: Clause | None = None
    time_zone: str | None = None


@dataclass(frozen=True, slots=True)
class ScanKey:
    """A column of which a query needs only the values that `other_column` has in the rows of some
    of `others`, all of one table."""

    column: str
    others: tuple[TableScan, ...]
    other_column: str


@dataclass(frozen=True, slots=True)
class FoundScans:
    """The scans of a query; `failure` if its text, or one of its statements, cannot be read."""

    scans: tuple[TableScan, ...] = ()
    failure: Failed | None = None


def internal_error(error: Exception) -> Failed:
    """The failure of a query whose reading raises an unforeseen error."""
    message = f"{type(error).__name__} in prunescope; please report the query's shape"
    return Failed(Outcome.INTERNAL_ERROR, message)
