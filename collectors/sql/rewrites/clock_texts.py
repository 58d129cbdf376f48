"""Texts of times compared with a literal that goes on after its day, as comparisons of the column:
`CAST(x AS varchar) >= '2024-04-03 10:30:00'` is `x >= TIMESTAMP '2024-04-03 10:30:00'`.

The texts of the years 1 to 9999 sort as the times do. Trino writes six digits of a second, and, of
a time with zone, in which the connector has UTC, ` UTC` after them; Spark leaves out zeros at the
end, and the point where nothing is left, and writes what the session's clock reads (Trino 483,
Spark 4.1). A date has no clock, so that its text comes before all that go on after it. Of other
types of times, and of clocks that go back, the day of the literal says what there is to say: texts
begin with theirs.
"""

from __future__ import annotations

import datetime as dt
import re
from dataclasses import dataclass

from collectors.predicates.calendar import NANOS_PER_DAY, NANOS_PER_SECOND, Unit, date_of, nanos_of
from collectors.predicates.instants import parse_date
from collectors.predicates.literals import Timestamp
from collectors.predicates.model import FALSE, Column, Comparison, Predicate, Reason
from collectors.predicates.operators import ORDERED, Op
from collectors.sql.constants.session import Session
from collectors.sql.constants.terms import PeriodStart, Yields
from collectors.sql.constants.values import CannotConvert
from collectors.sql.dialects import dialect_of
from collectors.sql.rewrites.dates import compare_period, compare_reading
from collectors.types import NANOS_PER_UNIT

_DAY = 10
_CLOCK = re.compile(
    r" ([01][0-9]|2[0-3])(?::([0-5][0-9])(?::([0-5][0-9])(?:\.([0-9]+))?)?)?( UTC)?", re.ASCII
)
_DATE = re.compile("[0-9]{4}-[0-9]{2}-[0-9]{2}")
_DIGITS = 6
"""Of a second, in microseconds."""
_MICROSECOND = 1_000


@dataclass(frozen=True, slots=True)
class WrittenTimes:
    """How the times of a column are written: with all digits of a second if it `keeps_zeros`, and,
    `in_utc`, what they are there with ` UTC` after it. Of texts that are not `sorted` as the times
    are, the days are known alone; those of dates have no clock."""

    keeps_zeros: bool
    in_utc: bool
    are_sorted: bool
    has_clock: bool


@dataclass(frozen=True, slots=True)
class _Place:
    """The first time whose text is not before a literal, in nanoseconds, and whether it is it."""

    nanos: int
    is_equal: bool


def written_times(kind: str | None, session: Session) -> WrittenTimes | None:
    """How the times of a type of columns are written; None for what is no time, or not known."""
    if kind not in NANOS_PER_UNIT:
        return None
    is_trino = dialect_of(session.dialect).is_trino
    in_utc = is_trino and kind == "timestamptz"
    is_utc = session.time_zone is not None and session.zone == dt.UTC
    # Clocks go back.
    are_sorted = kind == "timestamp" or (kind == "timestamptz" and (in_utc or is_utc))
    return WrittenTimes(is_trino, in_utc, are_sorted, has_clock=kind != "date")


def day_begun(text: str) -> int | None:
    """The day of a literal that goes on after it, in nanoseconds; None for others."""
    if len(text) <= _DAY or not _DATE.match(text):
        return None
    day = parse_date(text[:_DAY])
    return None if day is None else nanos_of(day)


def is_placed(text: str, written: WrittenTimes) -> bool:
    """Whether it is known which times are written before a literal, and which after it."""
    return not written.has_clock or _place(text, written) is not None


def compare_clock(
    op: Op,
    path: tuple[str, ...],
    text: str,
    written: WrittenTimes | None,
    session: Session,
    *,
    is_date: bool,
) -> Predicate:
    """`text of the column op literal` for one that `day_begun` finds the day of, where the text is
    that of a time, or, `is_date`, of its day: all rows that match, and no others of days, and where
    it `is_placed`. Raises CannotConvert where nothing is known."""
    day = day_begun(text)
    if day is None or op not in (*ORDERED, Op.EQ):
        raise CannotConvert(Reason.CAST)
    period = PeriodStart(path, Unit.DAY, Yields.DATE)
    is_up = op in (Op.GT, Op.GT_EQ)
    if is_date or (written is not None and not written.has_clock):
        if op is Op.EQ:
            return FALSE
        return compare_period(Op.GT if is_up else Op.LT_EQ, period, date_of(day), session)
    if written is None:
        raise CannotConvert(Reason.CAST)
    place = _place(text, written)
    if place is not None:
        if op is Op.EQ and not place.is_equal:
            return FALSE
        if op is not Op.EQ and not place.is_equal:
            op = Op.GT_EQ if is_up else Op.LT
        return Comparison(op, Column(path), (Timestamp(place.nanos, zoned=written.in_utc),))
    if op is Op.EQ:
        return compare_period(op, period, date_of(day), session)
    end = (Op.GT_EQ, day) if is_up else (Op.LT, day + NANOS_PER_DAY)
    return compare_reading(end[0], Column(path), end[1], session)


def _place(text: str, written: WrittenTimes) -> _Place | None:
    """Where a literal is among the texts of times; None for what is no text of one."""
    day, found = day_begun(text), _CLOCK.fullmatch(text, _DAY)
    if day is None or found is None or not written.are_sorted:
        return None
    hour, minute, second, fraction, zone = found.groups()
    digits = fraction or ""
    is_whole = len(digits) == _DIGITS
    if zone is not None and not (written.in_utc and is_whole):
        return None
    seconds = (int(hour) * 60 + int(minute or 0)) * 60 + int(second or 0)
    micros = int(digits[:_DIGITS].ljust(_DIGITS, "0"))
    nanos = day + seconds * NANOS_PER_SECOND + micros * _MICROSECOND
    if second is None:
        return _Place(nanos, is_equal=False)
    if written.keeps_zeros:
        is_equal = is_whole and written.in_utc == (zone is not None)
        is_after = len(digits) > _DIGITS
    else:
        is_equal = not digits or (digits[-1] != "0" and len(digits) <= _DIGITS)
        is_after = not is_equal
    return _Place(nanos + _MICROSECOND if is_after else nanos, is_equal)
