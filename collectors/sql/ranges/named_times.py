"""Times that the constants of a condition name, which are likely bounds of its ranges."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterable, Sequence

from prunescope.collectors.predicates.calendar import (
    NANOS_PER_DAY,
    NANOS_PER_SECOND,
    Unit,
    nanos_of,
    period_around,
)

_NAMED = re.compile(
    r"(\d{4})(?:[-/]?(\d\d)(?:[-/]?(\d\d)(?:[ T](\d\d)(?::(\d\d)(?::(\d\d))?)?)?)?)?"
)
_UNITS = (Unit.YEAR, Unit.MONTH, Unit.DAY, Unit.HOUR, Unit.MINUTE, Unit.SECOND)
_FIRSTS = (1, 1, 1, 0, 0, 0)
_AFTER_CALENDAR = nanos_of(dt.date.max) + NANOS_PER_DAY


def named_times(constants: Iterable[str], early: int) -> Sequence[int]:
    """Sorted bounds of the years, months, days and so on that constants name, and the end of
    calendars, in nanoseconds since 1970. Each comes also `early` nanoseconds before, for functions
    that round times."""
    ends = {_AFTER_CALENDAR, *(end for constant in constants for end in _ends(constant))}
    return sorted({end - before for end in ends for before in (0, early)})


def _ends(constant: str) -> Sequence[int]:
    found = _NAMED.match(constant)
    if found is None:
        return ()
    parts = [int(each) for each in found.groups() if each is not None]
    year, month, day, hour, minute, second = (*parts, *_FIRSTS[len(parts) :])
    seconds = (hour * 60 + minute) * 60 + second
    try:
        start = nanos_of(dt.date(year, month, day)) + seconds * NANOS_PER_SECOND
        return period_around(start, _UNITS[len(parts) - 1])
    except (ValueError, OverflowError):
        return ()
