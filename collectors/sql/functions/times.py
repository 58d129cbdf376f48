"""Laws of what is asked of dates and times: their parts, and their texts."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal

from sqlglot import exp

from collectors.predicates.calendar import (
    NANOS_PER_DAY,
    Unit,
    date_of,
    period_around,
)
from collectors.predicates.literals import Timestamp
from collectors.sql.constants.clocks import at_digits, in_zone, wall_of
from collectors.sql.constants.time_texts import parts_of
from collectors.sql.constants.values import NULL, CannotConvert, Exact, Folded, Whole
from collectors.sql.dialects import dialect_of
from collectors.sql.functions.law import Asked, Law, over_clocks
from collectors.sql.functions.spans import LAST, Span, point
from collectors.sql.functions.texts import digits_between

_ONE_DAY = NANOS_PER_DAY
_FIELDS = "YmdHMS"
"""Parts of texts of times, each within the one before."""
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
"""Other parts, and how long they stay what they are."""
_SIZES = {"short year": 2, "short month name": 3, "short day name": 3, "day of year": 3, "week": 2}
"""Characters of those that have always as many."""
_UNITS = (Unit.YEAR, Unit.MONTH, Unit.DAY, Unit.HOUR, Unit.MINUTE, Unit.SECOND)


@dataclass(frozen=True, slots=True)
class Part:
    """A number that rises with the time within a period, and lies between two others. `of` tells
    periods apart by readings of a clock, in nanoseconds since 1970."""

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
    "week of the year": _within(Unit.YEAR, 0, 53),
    "day": _within(Unit.MONTH, 1, 31),
    "from Monday": _within(Unit.WEEK, 1, 7),
    "after Monday": _within(Unit.WEEK, 0, 6),
    "from Sunday": _within(Unit.WEEK, 1, 7, _ONE_DAY),
    "after Sunday": _within(Unit.WEEK, 0, 6, _ONE_DAY),
    "hour": _within(Unit.DAY, 0, 23),
    "minute": _within(Unit.HOUR, 0, 59),
    "second": _within(Unit.MINUTE, 0, 60),
    "millisecond": _within(Unit.SECOND, 0, 999),
}
"""By the names of `constants.days`."""


def part(name: str) -> Law:
    """The law of one of the parts, or of one that always rises."""
    known = PARTS.get(name)

    def law(asked: Asked, spans: Sequence[Span]) -> Span | None:
        if len(spans) != 1:
            return None
        return over_clocks(asked, spans, lambda parts: _of_part(asked, parts[0], known))

    return law


def _of_part(asked: Asked, span: Span, known: Part | None) -> Span | None:
    low, high = asked.value(span.low), asked.value(span.high)
    if low is None or high is None or low is NULL or high is NULL:
        return None
    if known is None or _periods(asked, span, known.of):
        return Span(low, high, null=span.null)
    if not isinstance(low, int | Decimal | float) or isinstance(low, bool):
        return None
    ends = (_like(low, known.least), _like(low, known.most))
    return Span(*ends, null=span.null)


def _periods(asked: Asked, span: Span, of: Callable[[int], Hashable]) -> bool:
    """Whether the ends of a span are in one period."""
    try:
        low, high = (of(_reading(asked, end)) for end in (span.low, span.high))
    except (CannotConvert, ValueError, OverflowError):
        return False
    return low == high


def _reading(asked: Asked, value: Folded) -> int:
    """What the clock of a call reads, as it is rounded before it is written. Raises CannotConvert."""
    session, digits = asked.session, dialect_of(asked.session.dialect).formatted_digits
    if asked.expression.args.get("zone"):
        session = in_zone(asked.constant("zone"), session)
    is_written = isinstance(asked.expression, exp.TimeToStr | exp.ToChar | exp.Anonymous)
    if isinstance(value, Timestamp) and digits is not None and is_written:
        value = at_digits(value, digits)
    return wall_of(value, session)


def _like(value: Folded, number: int) -> Folded:
    """A number of the type of another one."""
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


def formatted(asked: Asked, spans: Sequence[Span]) -> Span | None:
    """The law of texts of times whose parts have all their digits: what begins with the longest
    part of time, and goes on with the next shorter ones, rises within the period around that."""
    if len(spans) != 1:
        return None
    if "parts" not in asked.notes:
        asked.notes["parts"] = _written_parts(asked)
    parts = asked.notes["parts"]
    if parts is None:
        return None
    return over_clocks(asked, spans, lambda found: _texts(asked, found[0], parts))


def _written_parts(asked: Asked) -> list[str] | None:
    pattern = asked.expression.args.get("format")
    if pattern is None and isinstance(asked.expression, exp.Anonymous):
        pattern = asked.expression.expressions[1]
    try:
        return parts_of(pattern, asked.session)
    except (CannotConvert, IndexError):
        return None


def _texts(asked: Asked, span: Span, parts: Sequence[str]) -> Span | None:
    low, high = asked.value(span.low), asked.value(span.high)
    if not isinstance(low, str) or not isinstance(high, str):
        return beyond_text(asked, span) if parts[0] == "Y" else None
    fields = [part for part in parts if part in _FIELDS or part in _NAMED]
    finest = min((_unit_of(part) for part in fields), default=Unit.YEAR)
    if low == high and _periods(asked, span, lambda wall: period_around(wall, finest)[0]):
        return replace(point(low), null=span.null)
    each = _each(asked, span, low, high, parts)
    if any(part in _NAMED for part in parts):
        return replace(_up_to_named(low, high, span, parts), each=each)
    if len(low) != len(high) or each is None:
        return None
    first = next((_FIELDS.index(part) for part in parts if part in _FIELDS), 0)
    risen = 0
    if first == 0 or _periods(asked, span, lambda w: period_around(w, _UNITS[first - 1])[0]):
        risen = _rising_length(parts, first)
    least, most = low[:risen] + each[0][risen:], high[:risen] + each[1][risen:]
    return Span(least, most, span.null, len(low), each, of_times=True)


def _each(
    asked: Asked, span: Span, low: str, high: str, parts: Sequence[str]
) -> tuple[str, str] | None:
    """What texts have at each place, where all parts have always as many characters."""
    found = ["", ""]
    for part in parts:
        start = len(found[0])
        if part in _FIELDS:
            place = _FIELDS.index(part)
            size = 4 if place == 0 else 2
            ends = low[start : start + size], high[start : start + size]
            if place and not _periods(
                asked, span, lambda wall, unit=_UNITS[place - 1]: period_around(wall, unit)[0]
            ):
                ends = "00", ("", "19", "39", "29", "59", "59")[place]
            between = digits_between(*ends)
        elif part in _NAMED:
            size = _SIZES.get(part, 0)
            if not size:
                return None
            between = "\0" * size, LAST * size
        else:
            between = part, part
        found = [text + more for text, more in zip(found, between, strict=True)]
    return (found[0], found[1]) if len(found[0]) == len(low) == len(high) else None


def beyond_text(asked: Asked, span: Span) -> Span | None:
    """Texts of times that begin with years, some of which have not four digits, or begin with 0."""
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
        first = "+" if dialect.is_spark else ""
        return Span(f"{first}10000", f"{first}99999{LAST}", even=len(first) + 5)
    least = "+" if is_late and dialect.is_spark else "0" if low is None else str(low)
    most = "9" if is_late else "0" if high is None else str(high)
    return Span(least, most + LAST, null=span.null)


_FIRST_YEAR, _LAST_YEAR = 1000, 9999


def _year(asked: Asked, value: Folded) -> int | None:
    """The year of a time on a clock, 10000 beyond all calendars."""
    try:
        return date_of(wall_of(value, asked.session)).year
    except (ValueError, OverflowError):
        is_late = isinstance(value, dt.date) or (isinstance(value, Timestamp) and value.nanos > 0)
        return _LAST_YEAR + 1 if is_late else 0
    except CannotConvert:
        return None


def _up_to_named(low: str, high: str, span: Span, parts: Sequence[str]) -> Span:
    """Texts that rise up to a part which has no order, or not always as many characters."""
    known = next(place for place, part in enumerate(parts) if part in _NAMED)
    risen = _rising_length(parts[:known], 0)
    return Span(low[:risen], high[:risen] + LAST, null=span.null)


def _unit_of(part: str) -> Unit:
    return _NAMED[part] if part in _NAMED else _UNITS[_FIELDS.index(part)]


def _rising_length(parts: Sequence[str], expected: int) -> int:
    """The characters of parts that come in order, from one part on."""
    length = 0
    for part in parts:
        if part in _FIELDS:
            if _FIELDS.index(part) != expected:
                return length
            expected += 1
            length += 4 if part == "Y" else 2
        else:
            length += len(part)
    return length


def read(asked: Asked, spans: Sequence[Span]) -> Span | None:
    """The law of times that are read from texts which have digits at the same places: it rises
    where these come in order, and what is no date or time is null or an error."""
    if len(spans) != 1:
        return None
    (span,) = spans
    low, high = span.low, span.high
    if not isinstance(low, str) or not isinstance(high, str):
        return None
    if not len(low) == len(high) == span.even:
        return None
    pattern = asked.expression.args.get("format")
    if pattern is None and isinstance(asked.expression, exp.Anonymous | exp.ParseDatetime):
        arguments = asked.expression.expressions
        pattern = arguments[1] if len(arguments) > 1 else None
    if pattern is None:
        parts = [*"Y-m-d H:M:S"][: {10: 5, 19: 11}.get(len(low), 0)]
    else:
        try:
            parts = parts_of(pattern, asked.session)
        except CannotConvert:
            return None
    fields = [part for part in parts if part in _FIELDS]
    if "".join(fields) != _FIELDS[: len(fields)] or not fields:
        return None
    ends = _valid(low, parts, is_up=True), _valid(high, parts, is_up=False)
    if ends[0] is None or ends[1] is None or ends[0] > ends[1]:
        return Span(NULL, NULL, null=True) if None not in ends else None
    values = [asked.value(end) for end in ends]
    if values[0] is None or values[1] is None or NULL in values:
        return None
    return Span(values[0], values[1], null=span.null or not span.of_times)


def _valid(text: str, parts: Sequence[str], *, is_up: bool) -> str | None:
    """The next text from one on, or back, whose parts are a date and a time; None for a text of
    another form."""
    numbers, place = [], 0
    for part in parts:
        size = len(part) if part not in _FIELDS else 4 if part == "Y" else 2
        digits = text[place : place + size]
        place += size
        if part in _FIELDS:
            if not digits.isdecimal() or len(digits) < size:
                return None
            numbers.append(int(digits))
        elif digits != part:
            return None
    if place != len(text):
        return None
    found = _next_valid(numbers) if is_up else _last_valid(numbers)
    if found is None:
        return None
    told = iter(found)
    return "".join(
        f"{next(told):0{4 if part == 'Y' else 2}}" if part in _FIELDS else part for part in parts
    )


def _limits(numbers: Sequence[int], place: int) -> tuple[int, int]:
    if place == 2:
        start = dt.date(numbers[0], numbers[1], 1)
        return 1, ((start + dt.timedelta(32)).replace(day=1) - start).days if start < dt.date(
            9999, 12, 1
        ) else 31
    return ((1, 9999), (1, 12), (1, 31), (0, 23), (0, 59), (0, 59))[place]


def _next_valid(numbers: Sequence[int]) -> list[int] | None:
    found = [*numbers]
    for place in range(len(found)):
        least, most = _limits(found, place)
        if found[place] < least:
            return _lowest(found[:place], len(found))
        if found[place] > most:
            while place:
                place -= 1
                if found[place] < _limits(found, place)[1]:
                    return _lowest([*found[:place], found[place] + 1], len(found))
            return None
    return found


def _last_valid(numbers: Sequence[int]) -> list[int] | None:
    found = [*numbers]
    for place in range(len(found)):
        least, most = _limits(found, place)
        if found[place] > most:
            return _highest(found[:place], len(found))
        if found[place] < least:
            while place:
                place -= 1
                if found[place] > _limits(found, place)[0]:
                    return _highest([*found[:place], found[place] - 1], len(found))
            return None
    return found


def _lowest(numbers: list[int], size: int) -> list[int]:
    while len(numbers) < size:
        numbers.append(_limits(numbers, len(numbers))[0])
    return numbers


def _highest(numbers: list[int], size: int) -> list[int]:
    while len(numbers) < size:
        numbers.append(_limits(numbers, len(numbers))[1])
    return numbers


def seconds(asked: Asked, spans: Sequence[Span]) -> Span | None:
    """The law of seconds with their fraction."""
    found = part("second")(asked, spans)
    if found is None or not isinstance(found.high, Exact) or found.high != 60:
        return found
    return replace(found, high=Exact(Decimal("59.999999"), found.high.precision))
