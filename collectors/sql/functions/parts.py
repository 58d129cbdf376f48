"""The law of dates that are made of a year, a month and a day."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sqlglot import exp

from prunescope.collectors.predicates.calendar import NANOS_PER_DAY, nanos_of
from prunescope.collectors.predicates.literals import Timestamp
from prunescope.collectors.sql.constants.values import NULL, Folded, is_int
from prunescope.collectors.sql.functions.law import Asked, Name
from prunescope.collectors.sql.functions.spans import NOTHING, Span

_EARLY = Timestamp(nanos_of(dt.date.min) - NANOS_PER_DAY, zoned=False)
_LATE = Timestamp(nanos_of(dt.date.max) + NANOS_PER_DAY, zoned=False)
"""Times before and after the calendar, for dates of years beyond it."""
_IN_ALL_MONTHS = 28


@dataclass(frozen=True, slots=True)
class _Part:
    """A part of dates: its interval in the calendar, and whether dates exist outside of it."""

    least: int
    most: int
    is_open: bool = False


_YEAR, _MONTH, _DAY = _Part(dt.MINYEAR, dt.MAXYEAR, is_open=True), _Part(1, 12), _Part(1, 31)
_NAMES = ("year", "month", "day")
_PARTS: Mapping[Name, _Part] = {
    "year": _YEAR,
    "month": _MONTH,
    "day": _DAY,
    0: _YEAR,
    1: _MONTH,
    2: _DAY,
}


def _has_all_parts(expression: exp.Expr) -> bool:
    """True if a call has a year, a month and a day: with one argument, DuckDB's make_date() is a
    number of days since 1970."""
    if isinstance(expression, exp.Anonymous):
        return len(expression.expressions) == len(_NAMES)
    return all(expression.args.get(name) is not None for name in _NAMES)


def made_date(asked: Asked, spans: Sequence[Span]) -> Span | None:
    """The law of dates that are made of parts, which rises with each part. Parts outside the
    calendar are left out if a 13th month is no date, but an error or NULL."""
    if not _has_all_parts(asked.expression):
        return None
    ends: list[tuple[int, int]] = []
    null, beyond = any(span.null for span in spans), None
    for name, span in zip(asked.names, spans, strict=True):
        if not is_int(span.low) or not is_int(span.high):
            return None
        part, low, high = _PARTS[name], int(span.low), int(span.high)
        if part.is_open and (low > part.most or high < part.least):
            beyond = _LATE if low > part.most else _EARLY
        if (low < part.least or high > part.most) and not part.is_open:
            outside = [*(each.low for each in spans)]
            outside[[*asked.names].index(name)] = part.most + 1
            if asked.value(*outside) is not NULL:
                return _between(asked, [span.low for span in spans], [span.high for span in spans])
            if low > part.most or high < part.least:
                return NOTHING
            null = True
        ends.append((max(low, part.least), min(high, part.most)))
    if beyond is not None:
        return Span(beyond, beyond, null=null)
    lows, highs = ([pair[place] for pair in ends] for place in (0, 1))
    day = next((place for place, name in enumerate(asked.names) if _PARTS[name] is _DAY), None)
    if day is not None:
        null = null or highs[day] > _IN_ALL_MONTHS
        lows[day] = min(lows[day], _IN_ALL_MONTHS)
        while asked.value(*highs) is NULL and highs[day] > _IN_ALL_MONTHS:
            highs[day] -= 1
    found = _between(asked, lows, highs)
    return None if found is None else found.or_null(null)


def _between(asked: Asked, lows: Sequence[Folded], highs: Sequence[Folded]) -> Span | None:
    low, high = asked.value(*lows), asked.value(*highs)
    if low is None or high is None or NULL in (low, high):
        return None
    return Span(low, high)
