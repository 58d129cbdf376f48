"""Scans of tables as queries ask for them: read from a text, or from an engine's plan."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass, field

from prunescope.collectors.needed_rows import NeededRows
from prunescope.collectors.observed import (
    ALL_ROWS,
    Clause,
    ObservedScan,
    PlanText,
    RowFilter,
    TableName,
)
from prunescope.collectors.predicates.model import Predicate

ColumnPaths = Mapping[str, tuple[str, ...]]
"""Parts of a name by the lower-case dotted name of a column."""


@dataclass(frozen=True, slots=True)
class TextPlace:
    """The place of a table, and of conditions on it, in the text of a query."""

    joined: tuple[str, ...] = ()
    """The dotted names of columns that plain joins compare, as the text or the plan has them."""
    qualifiers: ColumnPaths = field(default_factory=dict)
    """The names before columns in conditions: `e` of `e.ts`."""
    outer_names: ColumnPaths = field(default_factory=dict)
    """The names of columns for conditions outside of the SELECT that reads the table; empty for
    columns without a name there."""
    clause: Clause | None = None
    """The clause to which a further condition on the table can be added; None if no text has it."""


UNPLACED = TextPlace()
"""No text is known."""


@dataclass(frozen=True, slots=True)
class TableScan:
    """One reference of a query to a table. At most one of `snapshot_id`, `ref` and `as_of` (UTC) is
    set: the version that the query names."""

    table: TableName
    predicate: Predicate
    """All that is known of the filter, not bound."""
    pushed: Predicate | None = None
    """The part of the filter that the engine gives to its planner; None if unknown, or shown."""
    snapshot_id: int | None = None
    ref: str | None = None
    as_of: dt.datetime | None = None
    alias: str = ""
    """The table's own name where the text gives none; empty without a text."""
    keys: tuple[ScanKey, ...] = ()
    """The columns of which other scans' values matter alone, if these were asked for."""
    needed: NeededRows | None = None
    """The rows that the query needs of those that pass the filter; None for all, or unknown."""
    text_place: TextPlace = UNPLACED
    time_zone: str | None = None
    """The time zone that the text sets; None if it is that of the query."""
    observed: ObservedScan | None = None
    """The engine's report on the scan."""
    shown: PlanText | None = None
    """The pushed part as the engine's plan shows it; None without such a plan."""
    checked: RowFilter = ALL_ROWS
    """The filter that the engine was seen to check on the rows, if no text has it."""


@dataclass(frozen=True, slots=True)
class ScanKey:
    """A column of which a query needs only the values that `other_column` has in the rows of some
    of `others`, all of one table: more than one scan if a common table expression is used more
    than once."""

    column: str
    others: tuple[TableScan, ...]
    other_column: str
