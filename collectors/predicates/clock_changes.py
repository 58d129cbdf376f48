"""Comparisons of dates and timestamps, on the clock of a column: UTC for those with a zone, wall
clock for the others.

Where the session's clock is put forward, it skips readings, and where it is put back, it repeats
some. Of a TIMESTAMP literal that is compared with a column without zone, Spark 4.1 makes what the
clock reads at that moment: 02:30 for 02:10, where half an hour from 02:00 on is skipped. Spark
before 4.1, and Trino where the literal has a zone, make moments of the column instead, so that the
readings that are skipped are equal to later ones. Trino takes a literal without zone as it is. Of a
reading that is repeated, Spark makes the first moment, Trino 483 the last one in zones that are
ahead of UTC (Joda-Time's convertLocalToUTC), but for texts and literals with a zone. What matches
under any of these is kept; away from changes of the clock they are one.
"""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass, replace
from typing import TypeVar

from prunescope.collectors.predicates.calendar import EPOCH, EPOCH_DAY
from prunescope.collectors.predicates.instants import (
    day_of,
    parse_date,
    parse_reading,
    parse_timestamp,
    parse_zone,
)
from prunescope.collectors.predicates.lattices import compare_whole
from prunescope.collectors.predicates.literals import LiteralValue, Timestamp
from prunescope.collectors.predicates.model import TRUE, Field, Predicate, Reason, any_of
from prunescope.collectors.predicates.operators import Op
from prunescope.collectors.predicates.scales import NotOfType, ratio
from prunescope.collectors.types import INT64_RANGE, INTEGER_RANGE, NANOS_PER_UNIT

_T = TypeVar("_T")
_SECOND = 1_000_000_000
_DAY = 86_400 * _SECOND
# No clock skips more than a day, as Samoa's did.
_BEFORE = _DAY + 3_600 * _SECOND


@dataclass(frozen=True, slots=True)
class _Places:
    """Places where engines may see a literal on the scale of a column, in nanoseconds: each of
    `equal` for equality. Greater values are greater than `least`, smaller ones less than `most`."""

    equal: tuple[int, ...]
    least: int
    most: int


def compare_time(
    op: Op, field: Field, type_name: str, value: LiteralValue, time_zone: str | None
) -> Predicate:
    """A comparison of a date or timestamp with a literal. Raises NotOfType."""
    places = _places(value, type_name, time_zone)
    unit = NANOS_PER_UNIT[type_name]
    limits = INTEGER_RANGE.get(type_name, INT64_RANGE)

    def compare(nanos: int) -> Predicate:
        return compare_whole(op, field, limits, ratio(nanos, unit))

    match op:
        case Op.GT | Op.GT_EQ:
            return compare(places.least)
        case Op.LT | Op.LT_EQ:
            return compare(places.most)
        case Op.NOT_EQ if places.least < places.most:
            return TRUE
    return any_of(*map(compare, places.equal))


def is_time(value: LiteralValue, type_name: str, time_zone: str | None) -> bool:
    """True if a literal is known to be a date or timestamp of a type."""
    try:
        _places(value, type_name, time_zone)
    except NotOfType:
        return False
    return True


def is_read_once(value: LiteralValue, time_zone: str | None) -> bool:
    """True if the session's clock is known to read a time once, neither twice nor never."""
    try:
        zone = _zone(time_zone)
        moment = _moment(value, "timestamp", is_zoned=False)
        wall = moment.nanos + (_offset(moment, zone) if moment.zoned else 0)
        return _skipped(wall, zone) == 0
    except NotOfType:
        return False


def _places(value: LiteralValue, type_name: str, time_zone: str | None) -> _Places:
    is_zoned = type_name in ("timestamptz", "timestamptz_ns")
    moment = _moment(value, type_name, is_zoned)
    if is_zoned and not moment.zoned:
        is_day, is_literal = day_of(value) is not None, isinstance(value, Timestamp)
        return _of_reading(
            moment,
            _zone(time_zone),
            is_day=is_day,
            is_literal=is_literal,
            is_text=isinstance(value, str),
        )
    if is_zoned:
        return _at(moment.nanos)
    zone = _zone(time_zone) if moment.zoned else _known_zone(time_zone)
    wall = moment.nanos + (_offset(moment, zone) if moment.zoned else 0)
    if isinstance(value, str) or zone == dt.UTC:
        return _at(wall)
    try:
        if type_name == "date":
            return _of_day(moment, wall, zone)
        return _of_clock(moment, wall, zone)
    except NotOfType:  # beyond the years in which clocks change
        return _at(wall)


def _at(nanos: int) -> _Places:
    return _Places((nanos,), nanos, nanos)


def _moment(value: LiteralValue, type_name: str, is_zoned: bool) -> Timestamp:
    """A literal as a timestamp. Spark ignores the zone of a text if the column has none, and
    fractions of a microsecond; dates are compared with texts of dates alone, because Spark drops
    the time, and others do not."""
    if isinstance(value, str):
        date = parse_date(value)
        if type_name == "date" or date is not None:
            return _moment(_known(date), type_name, is_zoned)
        read = _known(parse_timestamp(value) if is_zoned else parse_reading(value))
        return replace(read, nanos=read.nanos - read.nanos % NANOS_PER_UNIT[type_name])
    if isinstance(value, dt.date):
        return Timestamp((value - EPOCH_DAY).days * _DAY, zoned=False)
    return _known(value if isinstance(value, Timestamp) else None)


def _known(value: _T | None) -> _T:
    if value is None:
        raise NotOfType(Reason.TYPE_MISMATCH)
    return value


def _of_reading(
    value: Timestamp, zone: dt.tzinfo, *, is_day: bool, is_literal: bool, is_text: bool
) -> _Places:
    """The moments of a reading of the session's clock. A reading that the clock skips has two: one
    for the literal, another if the column was cast to a type without zone. Of one that the clock
    repeats, engines take either moment."""
    moment = value.nanos - _offset(value, zone)
    before = Timestamp(moment - _SECOND, zoned=True)
    if is_day and before.nanos + _offset(before, zone) >= value.nanos:
        # The clock skips midnight and what is before it: the day starts when it does so.
        raise NotOfType(Reason.TYPE_MISMATCH)
    other = value.nanos - _offset(value, zone, fold=1)
    if is_day and not is_text:
        return _between(moment, _moved_date(value.nanos, zone), max(moment, other))
    if moment < other and not is_text:
        return _Places((moment, other), moment, other)
    return _Places((moment,), other, moment) if is_literal else _at(moment)


def _between(*moments: int) -> _Places:
    return _Places(tuple(sorted(set(moments))), min(moments), max(moments))


def _moved_date(midnight: int, zone: dt.tzinfo) -> int:
    """The moment that Trino 483 casts a date to: by the offset at that midnight of UTC."""
    return midnight - _offset(Timestamp(midnight, zoned=True), zone)


def _of_day(value: Timestamp, wall: int, zone: dt.tzinfo) -> _Places:
    """A moment beside dates: where the clock skips midnight, the first moment of the day is that
    of its date, or of one that was made a timestamp without zone. Where the clock changes beside
    midnight, Trino takes the date for an earlier moment or a later one."""
    start = wall - wall % _DAY
    for day in (start - _DAY, start, start + _DAY) if value.zoned else ():
        ends = day - _offset_of(day, zone), _moved_date(day, zone)
        if ends[0] != ends[1] and min(ends) <= value.nanos <= max(ends):
            return _Places((day,), day - 1, day + 1)
    skipped = _skipped(start, zone)
    if skipped > 0 and wall <= start + skipped:
        return _Places((start,), start, start + skipped)
    repeated = -min(0, _skipped(wall, zone))
    return _Places((wall,), wall - repeated, wall + repeated)


def _of_clock(value: Timestamp, wall: int, zone: dt.tzinfo) -> _Places:
    """A moment beside timestamps without zone."""
    skipped = _skipped(wall, zone)
    if skipped > 0:
        return _Places((wall, wall + skipped), wall, wall + skipped)
    if skipped < 0 and value.zoned:
        if value.nanos + _offset_of(wall, zone) == wall:
            # Read for the first time: earlier than all that is read for the second time.
            return _Places((wall,), wall + skipped, wall)
        # For the second time: later than all that is read until the first time is over.
        return _Places((wall,), wall, wall - skipped)
    offset = _offset_of(wall, zone)
    earlier = offset - _offset(Timestamp(wall - offset - _BEFORE, zoned=True), zone)
    if earlier > 0 and _skipped(wall - earlier, zone) == earlier:
        return _Places((wall - earlier, wall), wall - earlier, wall)
    return _at(wall)


def _skipped(wall: int, zone: dt.tzinfo) -> int:
    """Nanoseconds that the clock skips around a reading; negative for what it repeats."""
    return _offset_of(wall, zone, fold=1) - _offset_of(wall, zone)


def _offset_of(wall: int, zone: dt.tzinfo, *, fold: int = 0) -> int:
    return _offset(Timestamp(wall, zoned=False), zone, fold=fold)


def _offset(value: Timestamp, zone: dt.tzinfo, *, fold: int = 0) -> int:
    """Nanoseconds by which the session's clock is ahead of UTC at that moment: before the clock
    changes, or with `fold` after it, for readings that it skips or repeats."""
    try:
        moment = EPOCH + dt.timedelta(seconds=value.nanos // _SECOND)
        if value.zoned:
            moment = moment.replace(tzinfo=dt.UTC).astimezone(zone)
        else:
            moment = moment.replace(tzinfo=zone, fold=fold)
        offset = moment.utcoffset()
    except OverflowError as error:  # beyond the years 1 to 9999
        raise NotOfType(Reason.TYPE_MISMATCH) from error
    assert offset is not None
    return round(offset.total_seconds()) * _SECOND


def _known_zone(name: str | None) -> dt.tzinfo:
    """The session's zone; if it is unknown, that of a clock which never changes."""
    return (None if name is None else parse_zone(name)) or dt.UTC


def _zone(name: str | None) -> dt.tzinfo:
    zone = None if name is None else parse_zone(name)
    if zone is None:
        raise NotOfType(Reason.TIME_ZONE_UNKNOWN)
    return zone
