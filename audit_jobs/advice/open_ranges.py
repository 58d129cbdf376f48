"""Queries that ask for everything since some time, as a table without an end does not show them.

`ts >= yesterday` of a month ago wanted a day of rows, as no later ones were there. On the table as
it is now it keeps a month, which no query of today does. So it is replayed with the end of the day
on which it ran.
"""

from __future__ import annotations

import datetime as dt
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from audit_jobs.advice.workload import Asked, AskedScan
from collectors.predicates.calendar import EPOCH_DAY
from collectors.predicates.literals import PhysicalValue
from collectors.predicates.model import BoundComparison, Field, Predicate, all_of, conjuncts
from collectors.predicates.operators import Op
from collectors.statistics import ColumnKey
from collectors.types import NANOS_PER_UNIT

_SINCE = (Op.GT, Op.GT_EQ)
_ENDS = (Op.LT, Op.LT_EQ, Op.EQ, Op.IN)


def open_columns(asked: Asked) -> frozenset[Field]:
    """The columns of time of which scans ask for all since a time."""
    return frozenset(
        column for scan in asked.runs for column, _ in _open_ranges(conjuncts(scan.planned))
    )


def ended(asked: Asked, highest: Mapping[ColumnKey, PhysicalValue]) -> Asked:
    """The same, with the ends of days where scans ask for all since a time before; but for columns
    that have values of the future, as dates of payment do: of these there were some then, too."""
    days = [day for runs in asked.runs.values() for day in runs if day is not None]
    if not days:
        return asked
    last = max(days)
    growing = frozenset(
        column
        for column in open_columns(asked)
        if _is_before(highest.get((column.field_id, column.type)), column, last)
    )
    found = Asked()
    for scan, runs in asked.runs.items():
        for day, count in runs.items():
            own = scan if day is None else _with_end(scan, day, growing)
            found.runs.setdefault(own, Counter())[day] += count
    return found


def _is_before(high: PhysicalValue | None, column: Field, last: dt.date) -> bool:
    return isinstance(high, int) and high < _end_of(last + dt.timedelta(days=1), column)


def _with_end(scan: AskedScan, day: dt.date, growing: frozenset[Field]) -> AskedScan:
    ends = [
        BoundComparison(Op.LT, column, (_end_of(day, column),))
        for column, since in _open_ranges(conjuncts(scan.planned))
        if column in growing and since < _end_of(day, column)
    ]
    if not ends:
        return scan
    return replace(scan, planned=all_of(scan.planned, *ends), whole=all_of(scan.whole, *ends))


def _open_ranges(parts: Iterable[Predicate]) -> Iterator[tuple[Field, int]]:
    """The columns of time that are bounded from below alone, and from where on."""
    leaves = [leaf for leaf in parts if isinstance(leaf, BoundComparison)]
    with_end = {leaf.field for leaf in leaves if leaf.op in _ENDS}
    for leaf in leaves:
        is_open = leaf.op in _SINCE and leaf.field not in with_end
        if is_open and leaf.field.type in NANOS_PER_UNIT and leaf.field.transform is None:
            (since,) = leaf.values
            assert isinstance(since, int)
            yield leaf.field, since


def _end_of(day: dt.date, column: Field) -> int:
    """The first moment after a day."""
    days = (day - EPOCH_DAY).days + 1
    return days * (NANOS_PER_UNIT["date"] // NANOS_PER_UNIT[column.type])
