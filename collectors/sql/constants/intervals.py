"""Constant intervals: of one unit, of a range of units (`INTERVAL '1 12' DAY TO HOUR`), of several
units in one text, and of numbers (`make_dt_interval`), as Spark 4.1 and Trino 483 read them."""

from __future__ import annotations

import re
from decimal import Decimal

from sqlglot import exp

from prunescope.collectors.predicates.calendar import (
    NANOS_PER_DAY,
    Interval,
    Unit,
    interval_of,
    unit_named,
)
from prunescope.collectors.sql.constants.call import Call, Fold
from prunescope.collectors.sql.constants.session import Session
from prunescope.collectors.sql.constants.values import Folded, is_int, not_constant
from prunescope.collectors.sql.dialects import dialect_of

_UNITS = (Unit.DAY, Unit.HOUR, Unit.MINUTE, Unit.SECOND)
_FIRST, _LATER = "([0-9]{1,6})", {Unit.HOUR: "([01]?[0-9]|2[0-3])"}
_SIXTY, _MARKS = "([0-5]?[0-9])", {Unit.HOUR: " ", Unit.MINUTE: ":", Unit.SECOND: ":"}
_YEARS_AND_MONTHS = re.compile("([0-9]{1,4})-([0-9]|1[01])")
_SEVERAL = re.compile(r"\s*([+-]?[0-9]{1,9})\s+([a-z]+)(?=\s|$)", re.IGNORECASE)


def interval(expression: exp.Interval, fold: Fold, session: Session) -> Interval:
    """The value of an interval; raises CannotConvert or ValueError."""
    match expression.unit:
        case exp.Var(name=name):
            unit, count = unit_named(name), fold(expression.this)
            count = int(count) if isinstance(count, str) else count
            if unit is None or not is_int(count):
                raise not_constant()
            return interval_of(count, unit)
        case exp.IntervalSpan(this=first, expression=last):
            return _of_range(expression.this, first.name, last.name, session)
        case None if dialect_of(session.dialect).has_hive_functions:
            return _of_units(expression.this.name)
        case None if dialect_of(session.dialect).has_snowflake_patterns:
            return _of_list(expression.this.name)
    raise not_constant()


def _of_range(value: exp.Expr, first: str, last: str, session: Session) -> Interval:
    """An interval of several units, the largest first; a sign applies to all of them."""
    dialect = dialect_of(session.dialect)
    if not dialect.is_measured:
        raise not_constant()
    sign, text = 1, value
    if isinstance(text, exp.Neg):
        sign, text = -1, text.this.unnest()
    written = text.name
    if not (isinstance(text, exp.Literal) and text.is_string):
        raise not_constant()
    if dialect.has_hive_functions and written[:1] in ("+", "-"):
        sign, written = -sign if written[0] == "-" else sign, written[1:]
    if (first.upper(), last.upper()) == ("YEAR", "MONTH"):
        found = _YEARS_AND_MONTHS.fullmatch(written)
        if found is None:
            raise not_constant()
        return Interval(months=sign * (12 * int(found[1]) + int(found[2])))
    start, end = unit_named(first), unit_named(last)
    if start not in _UNITS or end not in _UNITS:
        raise not_constant()
    units = _UNITS[_UNITS.index(start) : _UNITS.index(end) + 1]
    digits = 3 if dialect.rounds_times else 6  # of a second
    later = "".join(_MARKS[unit] + _LATER.get(unit, _SIXTY) for unit in units[1:])
    fraction = rf"(?:\.([0-9]{{1,{digits}}}))?" if end is Unit.SECOND else ""
    found = re.fullmatch(_FIRST + later + fraction, written)
    if len(units) < 2 or found is None:
        raise not_constant()
    nanos = sum(
        interval_of(int(count), unit).nanos
        for count, unit in zip(found.groups(), units, strict=False)
        if unit is not Unit.DAY
    )
    if fraction:
        nanos += int((found.groups()[-1] or "").ljust(9, "0"))
    days = int(found[1]) if start is Unit.DAY else 0
    return _of_days(sign * (days * NANOS_PER_DAY + nanos))


def _of_days(nanos: int) -> Interval:
    """Spark's interval of days and time: whole days, and the time that is left."""
    days = abs(nanos) // NANOS_PER_DAY * (1 if nanos > 0 else -1)
    return Interval(days=days, nanos=nanos - days * NANOS_PER_DAY)


def _of_units(text: str) -> Interval:
    """Spark's `INTERVAL '1 day 12 hours'`, which is one of months, or of days and time."""
    whole = Interval()
    place = 0
    for found in _SEVERAL.finditer(text):
        unit = unit_named(found[2]) if found[2].isalpha() and len(found[2]) > 2 else None
        if found.start() != place or unit is None:
            raise not_constant()
        whole = whole.plus(interval_of(int(found[1]), unit))
        place = found.end()
    if not place or text[place:].strip() or (whole.months and (whole.days or whole.nanos)):
        raise not_constant()
    return Interval(whole.months) if whole.months else _in_days(whole)


def _of_list(text: str) -> Interval:
    """Snowflake's `INTERVAL '1 year, 3 days'`, whose parts are added in turn, the longest first."""
    whole, longest = Interval(), Unit.YEAR
    for part in text.split(","):
        found = _SEVERAL.fullmatch(part)
        unit = unit_named(found[2]) if found is not None else None
        if found is None or unit is None or unit > longest:
            raise not_constant()
        whole, longest = whole.plus(interval_of(int(found[1]), unit)), unit
    return whole


def _in_days(interval: Interval) -> Interval:
    return _of_days(interval.days * NANOS_PER_DAY + interval.nanos)


def make_interval(_: Call, *counts: Folded) -> Interval:
    """Spark's make_interval(years, months, weeks, days, hours, minutes, seconds): days stay
    calendar days, and hours do not become days."""
    years, months, weeks, days, *time = _whole(counts, 6)
    return Interval(12 * years + months, 7 * weeks + days, _nanos(time))


def make_day_time(_: Call, *counts: Folded) -> Interval:
    """Spark's make_dt_interval(days, hours, minutes, seconds)."""
    days, *time = _whole(counts, 3)
    return _of_days(days * NANOS_PER_DAY + _nanos(time))


def make_year_month(_: Call, *counts: Folded) -> Interval:
    """Spark's make_ym_interval(years, months)."""
    years, months, *_rest = _whole(counts, 2)
    return Interval(12 * years + months)


def _whole(counts: tuple[Folded, ...], seconds: int) -> list[int]:
    """The counts as whole numbers, 0 for missing ones, and the one at `seconds` in nanoseconds."""
    found = [0] * (seconds + 1)
    for place, count in enumerate(counts):
        factor = 10**9 if place == seconds else 1
        if isinstance(count, bool) or not isinstance(count, int | Decimal):
            raise not_constant()
        if count * factor != int(count * factor):
            raise not_constant()
        found[place] = int(count * factor)
    return found


def _nanos(time: list[int]) -> int:
    hours, minutes, seconds = time
    return (60 * hours + minutes) * 60 * 10**9 + seconds
