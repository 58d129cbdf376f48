"""Comparisons of timestamps in engines to which all of these are moments: UTC's clock reads those
with a zone, the session's the others.

ClickHouse 26.9: Iceberg's `timestamptz` is a DateTime64(6, 'UTC'), and `timestamp`, which holds the
same, a DateTime64(6). Texts and dates beside a column, and what functions make of it, are on its
clock. A reading that a clock repeats or skips may be either moment.
"""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass, replace

from prunescope.collectors.predicates.calendar import (
    NANOS_PER_DAY,
    NANOS_PER_SECOND,
    date_of,
    nanos_of,
)
from prunescope.collectors.predicates.instants import parse_date, parse_timestamp, parse_zone
from prunescope.collectors.predicates.literals import LiteralValue, Timestamp
from prunescope.collectors.predicates.model import Comparison, Predicate, all_of, any_of
from prunescope.collectors.predicates.operators import SET, Op

_UTC = "UTC"
_ZONED = ("timestamptz", "timestamptz_ns")
_TIMESTAMPS = ("timestamp", "timestamp_ns", *_ZONED)
_FARTHEST = 16 * 3_600 * NANOS_PER_SECOND
"""The largest offset that clocks have had from UTC: those of Manila and of Alaska had 15 hours."""
_KNOWN_YEARS = range(1900, 2300)
"""Years for which ClickHouse knows the offsets of clocks (DateLUTImpl)."""


def is_moment(type_name: str) -> bool:
    """True if an Iceberg type is a timestamp."""
    return type_name in _TIMESTAMPS


@dataclass(frozen=True, slots=True)
class Clocks:
    """Clocks by which columns are read in a session of a zone, None if that is unknown. With
    `plain_are_moments`, timestamps without a zone are moments, too."""

    session: str | None
    plain_are_moments: bool = False

    def moments(self, type_name: str) -> bool:
        """True if a column of an Iceberg type is read as moments by the clock of `zone`."""
        return self.plain_are_moments and is_moment(type_name)

    def zone(self, type_name: str) -> str | None:
        """The zone of the clock that a column is read by; None where it is unknown."""
        return _UTC if self.plain_are_moments and type_name in _ZONED else self.session

    def read_as(self, type_name: str) -> str:
        """The type whose values a column has to the engine."""
        return (
            type_name.replace("timestamp", "timestamptz")
            if (self.moments(type_name) and type_name not in _ZONED)
            else type_name
        )

    def beside(self, leaf: Comparison, type_name: str) -> tuple[Predicate, Clocks]:
        """The predicate that a comparison of a column stands for, and the clocks to bind it by."""
        if not self.moments(type_name):
            return leaf, self
        return _as_moments(leaf, self.zone(type_name), type_name in _ZONED), Clocks(_UTC)


def _as_moments(leaf: Comparison, zone: str | None, is_zoned: bool) -> Predicate:
    """A comparison of a column with moments in UTC, written without a zone for columns without one:
    or more, where a clock is not known or changes. Values that are no times stay as they are."""
    ends = [_ends(value, zone) for value in leaf.values]
    known = [tuple(Timestamp(nanos, is_zoned) for nanos in each) for each in ends if each]
    if len(known) < len(ends):
        return leaf
    if all(first == last for first, last in known):
        return replace(leaf, values=tuple(first for first, _ in known))
    if leaf.op not in SET:
        return _within(leaf, leaf.op, known[0])
    op, join = (Op.EQ, any_of) if leaf.op is Op.IN else (Op.NOT_EQ, all_of)
    return join(*(_within(leaf, op, each) for each in known))


def _within(leaf: Comparison, op: Op, ends: tuple[Timestamp, ...]) -> Predicate:
    """A comparison with a moment that lies between two, both included."""
    first, last = ends
    match op:
        case Op.LT | Op.LT_EQ:
            return replace(leaf, op=op, values=(last,))
        case Op.GT | Op.GT_EQ:
            return replace(leaf, op=op, values=(first,))
        case Op.EQ if first != last:
            since, until = replace(leaf, op=Op.GT_EQ, values=(first,)), (last,)
            return all_of(since, replace(leaf, op=Op.LT_EQ, values=until))
        case Op.NOT_EQ if first != last:
            return replace(leaf, op=Op.NOT_NULL, values=())
    return replace(leaf, op=op, values=(first,))


def _ends(value: LiteralValue, zone: str | None) -> tuple[int, int] | None:
    """The first and last moment that a value may be, in nanoseconds; None if the value is no
    time."""
    moment = _time(value)
    if moment is None:
        return None
    if moment.zoned:
        return moment.nanos, moment.nanos
    clock = None if zone is None else parse_zone(zone)
    if clock is None:
        return moment.nanos - _FARTHEST, moment.nanos + _FARTHEST
    if clock == dt.UTC:
        return moment.nanos, moment.nanos
    try:
        day = date_of(moment.nanos)
        if day.year not in _KNOWN_YEARS:
            return moment.nanos - _FARTHEST, moment.nanos + _FARTHEST
        seconds = moment.nanos % NANOS_PER_DAY // NANOS_PER_SECOND
        reading = dt.datetime(day.year, day.month, day.day) + dt.timedelta(seconds=seconds)
        offsets = [reading.replace(tzinfo=clock, fold=fold).utcoffset() for fold in (0, 1)]
    except (ValueError, OverflowError):
        return None
    moments = [
        moment.nanos - round(each.total_seconds()) * NANOS_PER_SECOND
        for each in offsets
        if each is not None
    ]
    return min(moments), max(moments)


def _time(value: LiteralValue) -> Timestamp | None:
    if isinstance(value, str):
        day = parse_date(value)
        if day is None:
            return parse_timestamp(value)
        value = day
    if isinstance(value, dt.date):
        return Timestamp(nanos_of(value), zoned=False)
    return value if isinstance(value, Timestamp) else None
