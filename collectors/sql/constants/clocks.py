"""The clocks by which constant times are read, and the moments at which these are."""

from __future__ import annotations

import datetime as dt
from dataclasses import replace

from sqlglot import exp

from collectors.predicates.calendar import nanos_of
from collectors.predicates.instants import parse_zone, written_zone
from collectors.predicates.literals import Timestamp
from collectors.sql.constants.session import Session
from collectors.sql.constants.values import Folded, not_constant
from collectors.sql.dialects import dialect_of

ZONED_TIMESTAMPS = (exp.DType.TIMESTAMPTZ, exp.DType.TIMESTAMPLTZ)
"""Types of timestamps with a zone, or that of a session."""

# Trino's functions that sqlglot does not know: those that give another clock, and those that have
# the session's.
_OTHER_CLOCKS = ("at_timezone", "with_timezone")
_OWN_CLOCK = ("now", "from_unixtime_nanos")
# What moves and truncates times on the clock that these have (Trino 483).
_KEEPS_CLOCK = (exp.TimestampTrunc, exp.DateTrunc, exp.DateAdd, exp.Sub)


def clock_of(base: exp.Expr, session: Session) -> Session:
    """The session with the clock that a timestamp with zone, which `base` computes, is read by.
    It is the session's in Spark; in Trino and ClickHouse each value has its own. Raises
    CannotConvert where that is not known."""
    dialect = dialect_of(session.dialect)
    if not dialect.is_trino:
        has_own = dialect.plain_are_moments and _names_zone(base)
        if has_own or (not dialect.is_spark and base.find(exp.Cast) is not None):
            raise not_constant()
        return session
    match base.unnest():
        case exp.AtTimeZone() as node:
            return in_zone(node.args.get("zone"), session)
        case exp.Anonymous(this=str() as name, expressions=[_, zone]) if (
            name.lower() in _OTHER_CLOCKS
        ):
            return in_zone(zone, session)
        case exp.UnixToTime() as node if node.args.get("zone"):
            return in_zone(node.args.get("zone"), session)
        case exp.UnixToTime() | exp.CurrentTimestamp() | exp.ParseDatetime():
            return session
        case exp.Localtimestamp() | exp.CurrentDate():  # as Trino casts these
            return session
        case exp.Cast(to=exp.DataType(this=kind)) if kind not in ZONED_TIMESTAMPS:
            return session
        case exp.Anonymous(this=str() as name) if name.lower() in _OWN_CLOCK:
            return session
        case exp.FromISO8601Timestamp(this=text) | exp.FromISO8601TimestampNanos(this=text):
            return _written(text, session)
        case exp.Cast(this=exp.Literal(is_string=True) as text):
            return _written(text, session)
        case exp.Cast(this=operand):
            return clock_of(operand, session)
        case exp.Add(this=exp.Interval(), expression=operand):
            return clock_of(operand, session)
        case exp.Add(this=operand):
            return clock_of(operand, session)
        case node if isinstance(node, _KEEPS_CLOCK):
            return clock_of(node.this, session)
    raise not_constant()


def clock_reading(value: Timestamp, base: exp.Expr, session: Session) -> int:
    """What the clock of `value`, a timestamp with zone computed by `base`, reads, in nanoseconds
    since 1970-01-01. Raises CannotConvert where that clock is not known."""
    return clock_of(base, session).wall_nanos(value)


def wall_of(value: Folded, base: exp.Expr, session: Session) -> int:
    """What a clock reads at a date or time that `base` computes, in nanoseconds since 1970-01-01.
    Raises CannotConvert for what is no time, and where the clock reads otherwise."""
    match value:
        case Timestamp(zoned=True):
            return clock_reading(value, base, session)
        case Timestamp(nanos):
            # Spark's plain timestamps are instants: what the clock skips is moved.
            is_instant = dialect_of(session.dialect).is_spark and session.time_zone is not None
            if is_instant and session.is_ambiguous(nanos):
                raise not_constant()
            return nanos
        case dt.date():
            return nanos_of(value)
    raise not_constant()


def instant_of(value: Folded, session: Session) -> int:
    """The moment of a date or time, in nanoseconds since 1970-01-01 in UTC, as that on the
    session's clock where it has no zone. Raises CannotConvert for those that the clock skips or
    repeats, and for Spark's TIMESTAMP_NTZ."""
    match value:
        case Timestamp(nanos, zoned=True):
            return nanos
        case Timestamp(nanos, is_ntz=False):
            wall = nanos
        case dt.date() if dialect_of(session.dialect).is_trino:
            return session.date_nanos(nanos_of(value))
        case dt.date():
            wall = nanos_of(value)
        case _:
            raise not_constant()
    if session.is_ambiguous(wall):
        raise not_constant()
    return session.instant_nanos(wall)


def in_zone(zone: object, session: Session) -> Session:
    """The session in another zone, one that is a text; raises CannotConvert for others."""
    if not isinstance(zone, exp.Literal) or not zone.is_string:
        raise not_constant()
    return replace(session, time_zone=str(zone.name))


def _names_zone(base: exp.Expr) -> bool:
    """Tells whether a function within `base` is given a zone."""
    texts = (node for node in base.find_all(exp.Literal) if node.is_string and node.parent)
    return any(isinstance(node.parent, exp.Func) and parse_zone(node.name) for node in texts)


def _written(text: object, session: Session) -> Session:
    if not isinstance(text, exp.Literal) or not text.is_string:
        raise not_constant()
    zone = written_zone(text.name)
    return session if zone is None else replace(session, time_zone=zone)
