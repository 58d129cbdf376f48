"""Usual numbers and times of a column: those like the values that the table has."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping

from prunescope.audit_jobs.health.model import ColumnHealth, TableHealth
from prunescope.collectors.predicates.calendar import nanos_of
from prunescope.collectors.predicates.domains import Domain, Range
from prunescope.collectors.predicates.model import Field, Predicate
from prunescope.collectors.predicates.walks import comparisons
from prunescope.collectors.types import NANOS_PER_UNIT

_FIRST, _LAST = nanos_of(dt.date(1000, 1, 1)), nanos_of(dt.date(9999, 12, 31))
"""Between which the texts of times sort as these do."""
Usual = Mapping[Field, Domain]


def usual_numbers(health: TableHealth | None, predicate: Predicate) -> Usual:
    """Domains of usual values of the columns that a predicate compares.

    For whole numbers, all numbers of as many digits as the table's have: years have four, months
    one or two, days as numbers eight; none if the column has negative numbers. For times, all of
    years with four digits, if the table's are of such years. None for columns without known bounds.
    """
    found = {}
    for leaf in comparisons(predicate):
        known = None if health is None else health.column(leaf.field.name)
        usual = None if known is None or leaf.field.transform else _usual(leaf.field.type, known)
        if usual is not None:
            found[leaf.field] = Domain((usual,), nulls=False)
    return found


def are_supposed(usual: Usual) -> list[str]:
    """Assumptions about columns, in words."""
    times = [field.name for field in usual if field.type in NANOS_PER_UNIT]
    numbers = [field.name for field in usual if field.type not in NANOS_PER_UNIT]
    found = []
    if numbers:
        found.append(
            f"numbers of {', '.join(numbers)} have no more digits than now, and are not negative"
        )
    if times:
        found.append(f"times of {', '.join(times)} have years of four digits, as they have now")
    return found


def _usual(type_name: str, known: ColumnHealth) -> Range | None:
    low, high = known.low, known.high
    if not isinstance(low, int) or not isinstance(high, int):
        return None
    if type_name in NANOS_PER_UNIT:
        first, last = (end // NANOS_PER_UNIT[type_name] for end in (_FIRST, _LAST))
        return Range(first, last, True, True) if first <= low and high <= last else None
    if type_name not in ("int", "long") or low < 0:
        return None
    least = 10 ** (len(str(low)) - 1) if low >= 10 else 0
    return Range(least, 10 ** len(str(high)) - 1, True, True)
