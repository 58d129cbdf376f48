"""Conversions between times and numbers since 1970-01-01 in UTC, as Spark 4 and Trino 483 compute
them. Each function raises the errors that `call.Function` allows if engines differ or fail."""

from __future__ import annotations

import datetime as dt
import math
import re
from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction

from sqlglot import exp

from prunescope.collectors.predicates.calendar import (
    NANOS_PER_DAY,
    NANOS_PER_SECOND,
    Interval,
    Unit,
    date_of,
    interval_of,
)
from prunescope.collectors.predicates.instants import parse_date
from prunescope.collectors.predicates.literals import Timestamp
from prunescope.collectors.sql.constants.call import Call
from prunescope.collectors.sql.constants.casts import (
    implied_time,
    to_date,
    to_timestamp,
    with_session_zone,
)
from prunescope.collectors.sql.constants.clocks import in_zone, instant_of, moment
from prunescope.collectors.sql.constants.time_texts import UNSAID, read_time, time_text
from prunescope.collectors.sql.constants.values import Folded, is_int, not_constant
from prunescope.collectors.sql.dialects import UNKNOWN_ZONE

_MILLISECOND = 1_000_000
_MILLISECONDS, _NANOSECONDS = 3, 9  # digits
_DURATION = re.compile(r"(\d+)\s*(ms|s|m|h|d)", re.ASCII)
_DURATION_UNITS = {
    "ms": Unit.MILLISECOND,
    "s": Unit.SECOND,
    "m": Unit.MINUTE,
    "h": Unit.HOUR,
    "d": Unit.DAY,
}


def to_unixtime(call: Call, value: Folded) -> float:
    """Trino's to_unixtime(), a double; a time without zone is read on the session's clock. The
    whole milliseconds and the rest are added as two doubles."""
    milliseconds, rest = divmod(instant_of(value, call.session), _MILLISECOND)
    return milliseconds / 1_000 + rest / NANOS_PER_SECOND


def of_seconds(call: Call, value: Folded, *zone: Folded) -> Timestamp:
    """Trino's from_unixtime() of a double, rounded to milliseconds, halves up, on the clock of a
    zone or the session's."""
    if isinstance(value, bool) or not isinstance(value, int | float | Decimal):
        raise not_constant()
    milliseconds = math.floor(Fraction(float(value) * 1_000) + Fraction(1, 2))
    own = in_zone(zone[0], call.session).time_zone if zone else None
    return moment(milliseconds * _MILLISECOND, zone=own, digits=_MILLISECONDS)


def milliseconds(_call: Call, span: Folded) -> int:
    """Trino's to_milliseconds() of an interval of days and time."""
    if not isinstance(span, Interval) or span.months:
        raise not_constant()
    return (span.days * NANOS_PER_DAY + span.nanos) // _MILLISECOND


def duration(_call: Call, text: Folded) -> Interval:
    """Trino's parse_duration() of whole units."""
    found = _DURATION.fullmatch(text) if isinstance(text, str) else None
    if found is None:
        raise not_constant()
    return interval_of(int(found[1]), _DURATION_UNITS[found[2]])


def at_zone(call: Call, value: Folded, zone: Folded) -> Timestamp:
    """Trino's `value AT TIME ZONE zone`: the same moment on another clock."""
    if not isinstance(value, Timestamp):
        raise not_constant()
    own = zone if isinstance(zone, str) else UNKNOWN_ZONE
    instant = instant_of(value, call.session)
    return Timestamp(instant, zoned=True, zone=own, digits=value.digits)


def moved_to_zone(call: Call, value: Folded, zone: Folded) -> Timestamp:
    """DuckDB's `value AT TIME ZONE zone`: the reading of the zone's clock at a moment, or the
    moment of that reading for a time without zone."""
    if not isinstance(value, Timestamp):
        raise not_constant()
    clock = in_zone(zone, call.session)
    if value.zoned:
        return Timestamp(clock.wall_nanos(value), zoned=False)
    instant = instant_of(value, clock)
    date_of(instant)
    return Timestamp(instant, zoned=True)


def with_zone(call: Call, value: Folded, zone: Folded) -> Timestamp:
    """Trino's with_timezone(): the moment at which the zone's clock reads a time without zone."""
    if not isinstance(value, Timestamp) or value.zoned or call.session.time_zone is None:
        raise not_constant()
    clock = in_zone(zone, call.session)
    instant = instant_of(value, clock)
    return Timestamp(instant, zoned=True, zone=clock.time_zone, digits=value.digits)


def from_utc(call: Call, value: Folded, zone: Folded) -> Timestamp:
    """Spark's from_utc_timestamp(), which moves a moment by the offset of a zone."""
    instant = instant_of(value, call.session)
    clock = in_zone(zone, call.session)
    return Timestamp(clock.wall_nanos(Timestamp(instant, zoned=True)), zoned=True)


def to_utc(call: Call, value: Folded, zone: Folded) -> Timestamp:
    """Spark's to_utc_timestamp(), which moves a moment back by the offset of a zone."""
    wall = Timestamp(instant_of(value, call.session), zoned=False)
    return Timestamp(instant_of(wall, in_zone(zone, call.session)), zoned=True)


def unix_timestamp(call: Call, value: Folded) -> int:
    """Spark's unix_timestamp() and to_unix_timestamp(): whole seconds, truncated."""
    if isinstance(value, str):
        pattern = call.expression.args.get("format") or exp.Literal.string(UNSAID)
        value = read_time(value, pattern, call.session)
    if isinstance(value, Timestamp) and value.is_ntz:
        nanos = value.nanos  # as by the clock of UTC
    else:
        nanos = instant_of(value, call.session)
    return nanos // NANOS_PER_SECOND if nanos >= 0 else -(-nanos // NANOS_PER_SECOND)


def units(length: int) -> Callable[[Call, Folded], int]:
    """Spark's function that returns the units of `length` nanoseconds from 1970-01-01 to a moment,
    rounded down."""

    def of(call: Call, value: Folded) -> int:
        return instant_of(value, call.session) // length

    return of


def of_units(length: int, digits: int | None = None) -> Callable[[Call, Folded], Timestamp]:
    """A function that returns the moment `count` units of `length` nanoseconds after 1970-01-01."""

    def of(_call: Call, count: Folded) -> Timestamp:
        if not is_int(count):
            raise not_constant()
        return moment(count * length, digits=digits)

    return of


def seconds_text(call: Call, seconds: Folded) -> str:
    """Spark's from_unixtime(), a text."""
    if not is_int(seconds):
        raise not_constant()
    return time_text(
        moment(seconds * NANOS_PER_SECOND), call.expression.args.get("format"), call.session
    )


def of_iso_text(call: Call, text: Folded) -> Timestamp:
    """Trino's from_iso8601_timestamp() of a text in whole milliseconds; Trino truncates others."""
    if not isinstance(text, str):
        raise not_constant()
    found = with_session_zone(to_timestamp(text), call.session)
    if found.nanos % _MILLISECOND:
        raise not_constant()
    return replace(found, digits=_MILLISECONDS)


def of_iso_text_in_nanoseconds(call: Call, text: Folded) -> Timestamp:
    """Trino's from_iso8601_timestamp_nanos() of a text with a time."""
    if not isinstance(text, str) or parse_date(text) is not None:
        raise not_constant()
    return replace(with_session_zone(to_timestamp(text), call.session), digits=_NANOSECONDS)


def read_day(call: Call, value: Folded) -> dt.date:
    """Spark's to_date(), whose pattern applies to texts alone."""
    if isinstance(value, str):
        value = read_time(value, call.expression.args.get("format"), call.session)
    return to_date(value, call.session)


def read_moment(call: Call, value: Folded, _pattern: Folded) -> Timestamp:
    """Trino's date_parse() and Spark's to_timestamp() of a text in a pattern."""
    return read_time(value, call.expression.args.get("format"), call.session)


def read_moment_by_name(call: Call, value: Folded, _pattern: Folded) -> Timestamp:
    """Dremio's TO_TIMESTAMP() of a text in a pattern."""
    return read_time(value, call.arguments[1], call.session)


def read_day_by_name(call: Call, value: Folded, pattern: Folded) -> dt.date:
    """Dremio's TO_DATE() of a text in a pattern."""
    return to_date(read_moment_by_name(call, value, pattern), call.session)


def converted(call: Call, source: Folded, target: Folded, value: Folded) -> Timestamp:
    """Spark's convert_timezone() of a time without zone, from the clock of a zone to another's."""
    if not isinstance(value, Timestamp) or not value.is_ntz:
        raise not_constant()
    wall = Timestamp(value.nanos, zoned=False)
    instant = instant_of(wall, in_zone(source, call.session))
    there = in_zone(target, call.session)
    return replace(value, nanos=there.wall_nanos(Timestamp(instant, zoned=True)))


def read_zoned_moment(call: Call, value: Folded, _pattern: Folded) -> Timestamp:
    """Trino's parse_datetime() of a text without a zone, which it reads in the session's."""
    read = read_time(value, call.expression.args.get("format"), call.session)
    return with_session_zone(read, call.session)


def formatted(call: Call, value: Folded, _pattern: Folded) -> str:
    """A date or time as text in a pattern."""
    return time_text(implied_time(value, call.session), call.arguments[1], call.session)
