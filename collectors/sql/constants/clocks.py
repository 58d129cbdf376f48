"""Clocks on which constant times are read, and conversions between readings and moments."""

from __future__ import annotations

import datetime as dt
from dataclasses import replace

from sqlglot import exp

from prunescope.collectors.predicates.calendar import nanos_of
from prunescope.collectors.predicates.literals import Timestamp
from prunescope.collectors.sql.constants.session import Session
from prunescope.collectors.sql.constants.values import Folded, not_constant
from prunescope.collectors.sql.dialects import dialect_of

_NANOSECONDS = 9
_MILLISECOND = 1_000_000
ZONED_TIMESTAMPS = (exp.DType.TIMESTAMPTZ, exp.DType.TIMESTAMPLTZ)
"""Types of timestamps with a zone of their own, or the session's."""


def clock_of(value: Timestamp, session: Session) -> Session:
    """The session with the clock of a timestamp with zone: its own, in the dialects whose values
    have one. Spark's have none."""
    if value.zone is None or dialect_of(session.dialect).timestamps_are_instants:
        return session
    return replace(session, time_zone=value.zone)


def clock_reading(value: Timestamp, session: Session) -> int:
    """The clock reading of `value`, a timestamp with zone, in nanoseconds since 1970-01-01. Raises
    CannotConvert if the clock is unknown."""
    return clock_of(value, session).wall_nanos(value)


def wall_of(value: Folded, session: Session) -> int:
    """The clock reading at a date or time, in nanoseconds since 1970-01-01. Raises CannotConvert
    for other values, and for readings that the clock skips or repeats."""
    match value:
        case Timestamp(zoned=True):
            return clock_reading(value, session)
        case Timestamp(nanos):
            # Spark's plain timestamps are instants: what the clock skips is moved.
            is_instant = (
                dialect_of(session.dialect).timestamps_are_instants
                and session.time_zone is not None
            )
            if is_instant and session.is_ambiguous(nanos):
                raise not_constant()
            return nanos
        case dt.date():
            return nanos_of(value)
    raise not_constant()


def instant_of(value: Folded, session: Session) -> int:
    """The moment of a date or time, in nanoseconds since 1970-01-01 in UTC; a time without a zone
    is on the session's clock. Raises CannotConvert for times that the clock skips or repeats, and
    for Spark's TIMESTAMP_NTZ."""
    match value:
        case Timestamp(nanos, zoned=True):
            return nanos
        case Timestamp(nanos, is_ntz=False):
            wall = nanos
        case dt.date() if dialect_of(session.dialect).keeps_zones:
            return session.date_nanos(nanos_of(value))
        case dt.date():
            wall = nanos_of(value)
        case _:
            raise not_constant()
    if session.is_ambiguous(wall):
        raise not_constant()
    return session.instant_nanos(wall)


def in_one_type(left: Folded, right: Folded, session: Session) -> tuple[Timestamp, Timestamp]:
    """Two dates or times in one type to compare them: as readings of a clock, or as moments if one
    of them has a zone. Raises CannotConvert if that depends on unknown facts."""
    dialect = dialect_of(session.dialect)
    sides = [
        Timestamp(nanos_of(side), zoned=False, is_ntz=True) if isinstance(side, dt.date) else side
        for side in (left, right)
    ]
    first, second = sides
    if not isinstance(first, Timestamp) or not isinstance(second, Timestamp):
        raise not_constant()
    if not (first.zoned or second.zoned):
        # Spark's plain timestamps are moments of the session's clock, which skips and repeats some.
        are_plain = dialect.timestamps_are_instants and not (first.is_ntz and second.is_ntz)
        readings = (first.nanos, second.nanos) if are_plain and session.time_zone else ()
        if any(map(session.is_ambiguous, readings)):
            raise not_constant()
        return first, second
    is_read = not dialect.plain_are_moments or session.time_zone == "UTC"
    reads_clock = dialect.follows_clock and is_read
    if not dialect.has_known_functions and not (reads_clock and session.time_zone):
        if first.zoned != second.zoned:
            raise not_constant()
        return first, second
    moments = (instant_of(side, session) for side in (left, right))
    start, end = (Timestamp(moment, zoned=True) for moment in moments)
    return start, end


def elapsed(end: Folded, start: Folded, session: Session) -> int:
    """The nanoseconds from one time to another, between moments or clock readings; raises
    CannotConvert in dialects whose difference of times is unknown."""
    dialect = dialect_of(session.dialect)
    if not dialect.has_known_functions and not dialect.has_strftime:
        raise not_constant()
    if any(isinstance(side, Timestamp) and side.is_ntz for side in (end, start)):
        return wall_of(end, session) - wall_of(start, session)
    last, first = in_one_type(end, start, session)
    if dialect.timestamps_are_instants and not last.zoned and not last.is_ntz:
        return instant_of(end, session) - instant_of(start, session)
    found = last.nanos - first.nanos
    if dialect.rounds_times and found % _MILLISECOND:
        raise not_constant()  # to which versions round in ways of their own
    return found


def moment(nanos: int, *, zone: str | None = None, digits: int | None = None) -> Timestamp:
    """A time with a zone, which may lie outside the years 1 to 9999."""
    return Timestamp(nanos, zoned=True, zone=zone, digits=digits)


def at_digits(value: Timestamp, digits: int) -> Timestamp:
    """A time, rounded half up to so many digits of seconds, as Trino rounds."""
    unit = 10 ** max(0, _NANOSECONDS - digits)
    return replace(value, nanos=(value.nanos + unit // 2) // unit * unit, digits=digits)


def in_zone(zone: object, session: Session) -> Session:
    """The session in the zone that a text names; raises CannotConvert for other values."""
    if not isinstance(zone, str):
        raise not_constant()
    return replace(session, time_zone=zone)
