"""Laws of the parts and the texts of dates and times."""

from __future__ import annotations

import datetime as dt
import itertools
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal

from sqlglot import exp

from prunescope.collectors.predicates.calendar import (
    NANOS_PER_DAY,
    Unit,
    date_of,
    period_around,
)
from prunescope.collectors.predicates.literals import Timestamp
from prunescope.collectors.sql.constants.casts import implied_time
from prunescope.collectors.sql.constants.clocks import at_digits, in_zone, wall_of
from prunescope.collectors.sql.constants.day_parts import written
from prunescope.collectors.sql.constants.time_texts import parts_of
from prunescope.collectors.sql.constants.values import NULL, CannotConvert, Exact, Folded, Whole
from prunescope.collectors.sql.dialects import dialect_of
from prunescope.collectors.sql.functions.law import (
    Asked,
    Law,
    Name,
    monotone,
    of_one,
    over_clocks,
    texts_at_ends,
)
from prunescope.collectors.sql.functions.spans import LAST, Span, alike, is_number, point
from prunescope.collectors.sql.functions.texts import digits_between

FIELDS = "YmdHMS"
"""Parts of texts of times, each a part of the one before."""
_NAMED = {
    "short year": Unit.YEAR,
    "plain month": Unit.MONTH,
    "month name": Unit.MONTH,
    "short month name": Unit.MONTH,
    **dict.fromkeys(
        ("plain day", "day of year", "day name", "short day name", "week", "week year"), Unit.DAY
    ),
    "microseconds": Unit.MICROSECOND,
}
"""Other parts, and the periods in which they are constant."""
_SIZES = {"short year": 2, "short month name": 3, "short day name": 3, "day of year": 3, "week": 2}
"""Numbers of characters of the parts that have a fixed length."""
_LEAP_SECOND = 60
_UNITS = (Unit.YEAR, Unit.MONTH, Unit.DAY, Unit.HOUR, Unit.MINUTE, Unit.SECOND)


@dataclass(frozen=True, slots=True)
class Part:
    """A number that rises with the time within a period, from `least` to `most`. `of` maps a clock
    reading, in nanoseconds since 1970, to its period."""

    of: Callable[[int], Hashable]
    least: int
    most: int


def _within(unit: Unit, least: int, most: int, shift: int = 0) -> Part:
    return Part(lambda wall: period_around(wall + shift, unit)[0], least, most)


PARTS: Mapping[str, Part] = {
    "quarter": _within(Unit.YEAR, 1, 4),
    "month": _within(Unit.YEAR, 1, 12),
    "day of year": _within(Unit.YEAR, 1, 366),
    "week": Part(lambda wall: date_of(wall).isocalendar().year, 1, 53),
    **dict.fromkeys(("weeks from Sunday", "weeks from Monday"), _within(Unit.YEAR, 0, 53)),
    "day": _within(Unit.MONTH, 1, 31),
    "from Monday": _within(Unit.WEEK, 1, 7),
    "after Monday": _within(Unit.WEEK, 0, 6),
    "from Sunday": _within(Unit.WEEK, 1, 7, NANOS_PER_DAY),
    "after Sunday": _within(Unit.WEEK, 0, 6, NANOS_PER_DAY),
    "hour": _within(Unit.DAY, 0, 23),
    "minute": _within(Unit.HOUR, 0, 59),
    "second": _within(Unit.MINUTE, 0, 60),
    "seconds": _within(Unit.MINUTE, 0, 60),
    "millisecond": _within(Unit.SECOND, 0, 999),
    "microsecond": _within(Unit.SECOND, 0, 999_999),
    "milliseconds of the minute": _within(Unit.MINUTE, 0, 59_999),
}
"""Parts of times, by the names of `constants.days`."""
_ENDLESS = frozenset(
    (
        *("year", "year of week", "year and week", "decade", "century", "millennium", "date"),
        *("epoch_second", "epoch_millisecond", "epoch_microsecond", "epoch_nanosecond"),
    )
)
"""Parts that rise with the time and have no period."""


def part(name: str, zone: Name = "zone") -> Law:
    """The law of a part of time. `zone` is the argument that names the clock's zone, if there is
    one."""
    if name in _ENDLESS:
        return of_one(lambda asked, span: monotone(asked, [span], {asked.names[0]: 1}))
    return of_one(
        lambda asked, span: over_clocks(
            asked, [span], lambda pieces: _of_part(asked, pieces[0], PARTS[name], zone)
        )
    )


def _of_part(asked: Asked, span: Span, known: Part, zone: Name) -> Span | None:
    low, high = asked.value(span.low), asked.value(span.high)
    if low is None or high is None or low is NULL or high is NULL:
        return None
    if _are_in_one(asked, span, known.of, zone):
        return Span(low, high, null=span.null)
    if not is_number(low):
        return None
    ends = (_like(low, known.least), _like(low, known.most))
    if isinstance(ends[1], Exact) and known.most == _LEAP_SECOND:
        ends = (ends[0], Exact(Decimal("59.999999"), ends[1].precision))  # with their fraction
    return Span(*ends, null=span.null)


def _are_in_one(
    asked: Asked, span: Span, of: Callable[[int], Hashable], zone: Name = "zone"
) -> bool:
    """True if the ends of a span lie in one period."""
    try:
        low, high = (of(_reading(asked, end, zone)) for end in (span.low, span.high))
    except (CannotConvert, ValueError, OverflowError):
        return False
    return low == high


def _are_within(asked: Asked, span: Span, unit: Unit) -> bool:
    """True if the ends of a span lie in one year, or another unit."""
    return _are_in_one(asked, span, lambda wall: period_around(wall, unit)[0])


def _reading(asked: Asked, value: Folded, zone: Name = "zone") -> int:
    """The clock reading of a value, rounded as the call writes it, in nanoseconds since 1970.
    Raises CannotConvert."""
    session, digits = asked.session, dialect_of(asked.session.dialect).formatted_digits
    value = implied_time(value, session)
    named = asked.constant(zone)
    if isinstance(named, str):
        session = in_zone(named, session)
        value = replace(value, zone=None) if isinstance(value, Timestamp) else value
    is_written = isinstance(asked.expression, exp.TimeToStr | exp.ToChar | exp.Anonymous)
    if isinstance(value, Timestamp) and digits is not None and is_written:
        value = at_digits(value, digits)
    return wall_of(value, session)


def _like(value: Folded, number: int) -> Folded:
    """A number in the type of another value."""
    match value:
        case Whole():
            return Whole(number, value.bits)
        case Exact():
            return Exact(Decimal(number).quantize(value), value.precision)
        case Decimal():
            return Decimal(number)
        case float():
            return type(value)(number)
    return number


def formatted(asked: Asked, span: Span) -> Span | None:
    """The law of texts of times whose parts have all their digits: monotone within the period
    around the longest part, as far as parts follow in order of size."""
    if "parts" not in asked.notes:
        asked.notes["parts"] = _written_parts(asked)
    parts = asked.notes["parts"]
    if parts is None:
        return None
    return over_clocks(asked, [span], lambda pieces: _texts(asked, pieces[0], parts))


def _written_parts(asked: Asked) -> list[str] | None:
    pattern = asked.expression.args.get("format")
    if pattern is None and isinstance(asked.expression, exp.Anonymous):
        pattern = asked.expression.expressions[1]
    try:
        return parts_of(pattern, asked.session)
    except (CannotConvert, IndexError):
        return None


def _texts(asked: Asked, span: Span, parts: Sequence[str]) -> Span | None:
    ends = texts_at_ends(asked, span)
    if ends is None:
        return beyond_text(asked, span) if parts[0] == "Y" else None
    low, high = ends
    units = (_unit_of(part) for part in parts if part in FIELDS or part in _NAMED)
    finest = min(units, default=Unit.YEAR)
    if low == high and _are_within(asked, span, finest):
        return replace(point(low), null=span.null)
    pieces = [_of_pattern(asked, span, part) for part in parts]
    each, ending = _each(pieces), _ending(pieces)
    named = next((place for place, part in enumerate(parts) if part in _NAMED), None)
    if each is None or not len(low) == len(high) == len(each[0]):
        if named is None:
            return None
        risen = _rising_length(parts[:named], 0)
        return Span(low[:risen], high[:risen] + LAST, null=span.null, ending=ending)
    first = next((FIELDS.index(part) for part in parts if part in FIELDS), 0)
    risen = 0
    if first == 0 or _are_within(asked, span, _UNITS[first - 1]):
        risen = _rising_length(parts[:named], first)
    least, most = low[:risen] + each[0][risen:], high[:risen] + each[1][risen:]
    return Span(
        *(least, most, span.null, alike(least, most), each), of_times=named is None, ending=ending
    )


def _each(pieces: Sequence[tuple[str, str] | None]) -> tuple[str, str] | None:
    """The least and greatest character at each place; None if a piece varies in length."""
    least = most = ""
    for piece in pieces:
        if piece is None:
            return None
        between = digits_between(*piece) if piece[0].isdecimal() else piece
        least, most = least + between[0], most + between[1]
    return least, most


def _ending(pieces: Sequence[tuple[str, str] | None]) -> tuple[tuple[str, str], ...]:
    """The last pieces, back to the first that varies in length."""
    found = itertools.takewhile(lambda piece: piece is not None, reversed(pieces))
    return tuple(piece for piece in found if piece is not None)[::-1]


def _of_pattern(asked: Asked, span: Span, part: str) -> tuple[str, str] | None:
    """The least and greatest text of a pattern's part; None if the part varies in length."""
    if part not in FIELDS and part not in _NAMED:
        return part, part
    try:
        low, high = (written(part, _reading(asked, end)) for end in (span.low, span.high))
    except (CannotConvert, ValueError, OverflowError):
        return None
    if _are_within(asked, span, _unit_of(part)):
        return low, low
    if part in _RISING and len(low) == len(high) and _are_in_one(asked, span, _RISING[part]):
        return low, high
    if part in FIELDS:
        return "00", ("", "12", "31", "23", "59", "59")[FIELDS.index(part)]
    return ("\0" * _SIZES[part], LAST * _SIZES[part]) if part in _SIZES else None


_RISING: Mapping[str, Callable[[int], Hashable]] = {
    **dict.fromkeys(("Y", "week year"), lambda _wall: None),
    **{part: _within(unit, 0, 0).of for part, unit in zip(FIELDS[1:], _UNITS, strict=False)},
    "week": PARTS["week"].of,
    "day of year": PARTS["day of year"].of,
    "plain month": PARTS["month"].of,
    "plain day": PARTS["day"].of,
}
"""The periods within which parts rise."""


def beyond_text(asked: Asked, span: Span) -> Span | None:
    """The texts of times that begin with a year, if some years lie outside 1000 to 9999."""
    dialect = dialect_of(asked.session.dialect)
    low, high = asked.value(span.low), asked.value(span.high)
    if not dialect.is_measured or low is NULL or high is NULL:
        return None
    first, last = _year(asked, span.low), _year(asked, span.high)
    if first is None or last is None:
        return None
    is_late = high is None and last > _LAST_YEAR
    is_early = high is None and last < _FIRST_YEAR
    if (low is None and _FIRST_YEAR <= first <= _LAST_YEAR) or (
        high is None and not is_late and not is_early
    ):
        return None
    if first > _LAST_YEAR:
        sign = "+" if dialect.has_hive_functions else ""
        return Span(f"{sign}10000", f"{sign}99999{LAST}", even=len(sign) + 5, of_times=True)
    least = "0" if low is None else str(low)
    if dialect.has_hive_functions and (is_late or first < 1):
        least = "+" if is_late else "-"
    most = "9" if is_late else "0" if high is None else str(high)
    return Span(least, most + LAST, null=span.null, of_times=True)


_FIRST_YEAR, _LAST_YEAR = 1000, 9999


def _year(asked: Asked, value: Folded) -> int | None:
    """The year of a time on a clock: 10000 after all calendars, 0 before them; None if unknown."""
    try:
        return date_of(wall_of(value, asked.session)).year
    except (ValueError, OverflowError):
        is_late = isinstance(value, dt.date) or (isinstance(value, Timestamp) and value.nanos > 0)
        return _LAST_YEAR + 1 if is_late else 0
    except CannotConvert:
        return None


def digits_of(field: str) -> int:
    """The number of digits of a year, or of another field."""
    return 4 if field == "Y" else 2


def _unit_of(part: str) -> Unit:
    return _NAMED[part] if part in _NAMED else _UNITS[FIELDS.index(part)]


def _rising_length(parts: Sequence[str], expected: int) -> int:
    """The number of characters of the parts that are in order, from the `expected` field on."""
    length = 0
    for part in parts:
        if part in FIELDS:
            if FIELDS.index(part) != expected:
                return length
            expected += 1
            length += digits_of(part)
        else:
            length += len(part)
    return length
