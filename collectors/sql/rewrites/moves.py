"""How times are moved, by an interval or to the clock of a zone, and what they were before."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass, replace

from sqlglot import exp

from collectors.predicates.calendar import (
    NANOS_PER_DAY,
    Interval,
    Unit,
    date_of,
    interval_of,
    nanos_of,
    unit_named,
)
from collectors.predicates.instants import parse_zone
from collectors.predicates.literals import LiteralValue, Timestamp
from collectors.predicates.model import Reason
from collectors.sql.constants.casts import TRINO_DEFAULT_PRECISION
from collectors.sql.constants.folding import fold
from collectors.sql.constants.session import Session
from collectors.sql.constants.values import CannotConvert
from collectors.sql.dialects import dialect_of
from collectors.sql.rewrites.date_formats import LAST_DATE
from collectors.sql.text.boolean import own_columns
from collectors.sql.text.nodes import nodes_of

MOVES = (
    exp.Interval,
    exp.AtTimeZone,
    exp.ConvertTimezone,
    exp.Date,
    exp.DateAdd,
    exp.DateSub,
    exp.TimestampAdd,
    exp.Anonymous,
    exp.Cast,
)
"""Nodes of which one is in whatever moves a time."""
_NANOSECONDS = 9
_TIMES = frozenset({exp.DType.TIMESTAMP, exp.DType.TIMESTAMPTZ, exp.DType.TIMESTAMPNTZ})


@dataclass(frozen=True, slots=True)
class Clock:
    """The clock of a zone, to which a time is moved."""

    zone: str


@dataclass(frozen=True, slots=True)
class Given:
    """The clock of UTC, on which a time without zone is taken to be: `with_timezone(x, 'UTC')`.
    By another zone's, times that its clock leaves out are later than those that follow them."""


@dataclass(frozen=True, slots=True)
class Reading:
    """What the clock of a time reads, rounded to so many nanoseconds, halves up: Trino's cast to a
    timestamp without zone."""

    nanos: int


Move = Clock | Given | Reading | int
"""What moves a time: a clock, that of UTC which it is given, what it reads, or so many
nanoseconds."""
_OF_ZONES = ("at_timezone", "with_timezone")


@dataclass(frozen=True, slots=True, eq=False)
class Moved:
    """A column, the outermost expression that moves its time, and what moves it, the first
    first."""

    column: exp.Expr
    whole: exp.Expr
    moves: tuple[Move, ...]


def moved_by(column: exp.Column, session: Session) -> Moved:
    """How a column's time, or that of a field deep within it, is moved where it stands."""
    bare: exp.Expr = column
    while isinstance(bare.parent, exp.Dot) and bare.parent.this is bare:
        bare = bare.parent
    moves: list[Move] = []
    whole = current = bare
    while isinstance(current.parent, exp.Expr):
        current = current.parent
        if isinstance(current, exp.Paren) or _is_implicit_cast(current, session):
            continue
        try:
            found = _moves(current, session)
        except CannotConvert:
            break
        if not found:
            break
        moves += found
        whole = current
    return Moved(bare, whole, tuple(moves))


def _is_implicit_cast(expression: exp.Expr, session: Session) -> bool:
    """A cast to a time around what from_utc_timestamp() and date_format() take, as sqlglot writes
    it."""
    if not dialect_of(session.dialect).is_spark:
        return False
    if isinstance(expression, exp.TimeStrToTime):
        return True
    parent = expression.parent
    is_cast = isinstance(expression, exp.Cast) and expression.to.this in _TIMES
    return is_cast and isinstance(parent, exp.AtTimeZone) and parent.this is expression


def _moves(expression: exp.Expr, session: Session) -> tuple[Move, ...]:
    """How an expression moves the time that it has a column in, one after the other; none for what
    moves none. Raises CannotConvert for what is no constant."""
    dialect = dialect_of(session.dialect)
    if dialect.is_measured:
        move = _move(expression, session)
        return () if move is None else (move,)
    match expression:
        case exp.AtTimeZone(args={"zone": zone}) | exp.ConvertTimezone(args={"target_tz": zone}):
            clock = _clock(zone)
        case _:
            return ()
    source = expression.args.get("source_tz")
    if clock is None or (source is not None and not _is_utc(source)):
        return ()
    # Of what has no zone, Snowflake is told that it is read in UTC.
    return (clock,) if source is None else (Given(), clock)


def _move(expression: exp.Expr, session: Session) -> Move | None:
    """How an expression moves the time that it has a column in; None for what moves none. Raises
    CannotConvert for what is no constant."""
    dialect = dialect_of(session.dialect)
    match expression:
        case exp.Cast(to=exp.DataType(this=exp.DType.TIMESTAMP) as target) if dialect.is_trino:
            return _reading(target)
        case exp.Add(this=left, expression=right):
            return _nanos(fold(left if own_columns(right) else right, session), 1)
        case exp.Sub(this=left, expression=right) if own_columns(left):
            return _nanos(fold(right, session), -1)
        case exp.DateAdd() | exp.DateSub() | exp.TimestampAdd():
            return _added(expression, session)
        case exp.AtTimeZone():
            return _clock(expression.args.get("zone"))
        case exp.Anonymous(this=str() as name, expressions=[_, zone]):
            return _of_zone(name.lower(), zone) if dialect.is_trino else None
        case exp.ConvertTimezone():
            source = expression.args.get("source_tz")
            if not dialect.is_spark or not (source is None or _is_utc(source)):
                return None
            return _clock(expression.args.get("target_tz"))
    return None


def _reading(target: exp.DataType) -> Reading | None:
    size = target.expressions[0].name if target.expressions else str(TRINO_DEFAULT_PRECISION)
    return Reading(10 ** max(0, _NANOSECONDS - int(size))) if size.isdecimal() else None


def _added(expression: exp.Expr, session: Session) -> Move | None:
    """Trino's date_add(), and Spark's timestampadd() of what is shorter than a day: of days, it
    keeps the time of a clock, and date_add() gives a date."""
    dialect = dialect_of(session.dialect)
    unit = unit_named(expression.text("unit"))
    is_known = dialect.is_trino or (isinstance(expression, exp.TimestampAdd) and unit is not None)
    if unit is None or not is_known or (dialect.is_spark and unit >= Unit.DAY):
        return None
    if not own_columns(expression.this):
        return None
    if unit >= Unit.DAY and any(_is_zoned(node) for node in nodes_of(expression.this)):
        return None  # days of that zone
    count = fold(expression.expression, session)
    if isinstance(count, bool) or not isinstance(count, int):
        return None
    return _nanos(interval_of(count, unit), -1 if isinstance(expression, exp.DateSub) else 1)


def _is_zoned(expression: exp.Expr) -> bool:
    if isinstance(expression, exp.Anonymous):
        return expression.name.lower() in _OF_ZONES
    return isinstance(expression, exp.AtTimeZone)


def _nanos(value: object, sign: int) -> int | None:
    """A span that is always as long, in nanoseconds."""
    if not isinstance(value, Interval) or value.months:
        return None
    return sign * (value.days * NANOS_PER_DAY + value.nanos)


def _clock(zone: object) -> Clock | None:
    if not isinstance(zone, exp.Literal) or not zone.is_string or parse_zone(zone.name) is None:
        return None
    return Clock(zone.name)


def _of_zone(name: str, zone: exp.Expr) -> Move | None:
    if name == "at_timezone":
        return _clock(zone)
    return Given() if name == "with_timezone" and _is_utc(zone) else None


def _is_utc(zone: exp.Expr) -> bool:
    return isinstance(zone, exp.Literal) and zone.is_string and parse_zone(zone.name) == dt.UTC


def is_known(moves: tuple[Move, ...], session: Session) -> bool:
    """Whether the moved time is what its clock reads. Spark moves a time by the zone's offset, and
    then reads the session's clock; to Trino, the last zone is that of the time, which stays the
    instant that it is."""
    if dialect_of(session.dialect).is_spark:
        return parse_zone(session.time_zone) == dt.UTC if session.time_zone else False
    clocks = [number for number, move in enumerate(moves) if isinstance(move, Clock)]
    if any(isinstance(move, Given) for move in moves[1:]):
        return False
    # What a clock reads has no zone, and gets that of the session before it is moved to another.
    is_read = any(isinstance(move, Reading) for move in moves[: max(clocks, default=0)])
    return len(clocks) < 2 and not is_read


def undone(moves: tuple[Move, ...], session: Session) -> tuple[Move, ...]:
    """The moves from the last one back. In Trino, the zone is how an instant reads, whenever it was
    given, until that is read."""
    backwards = moves[::-1]
    if not dialect_of(session.dialect).is_trino:
        return backwards
    order = (Reading, Clock, int, Given)
    readings = [
        sum(isinstance(move, Reading) for move in backwards[: number + 1])
        for number in range(len(backwards))
    ]
    keyed = sorted(
        zip(readings, backwards, strict=True),
        key=lambda each: (each[0], order.index(type(each[1]))),
    )
    return tuple(move for _, move in keyed)


def eve(moves: tuple[Move, ...]) -> dt.date:
    """A day after which all times are that are beyond the calendar once they are moved."""
    span = sum(abs(move) if isinstance(move, int) else NANOS_PER_DAY for move in moves)
    return LAST_DATE - dt.timedelta(1 + span // NANOS_PER_DAY)


def moved_back(
    value: dt.date | Timestamp, moves: tuple[Move, ...], session: Session
) -> LiteralValue:
    """The time of a column that reads `value` once it is moved. Raises ValueError or OverflowError
    for years outside 1 to 9999."""
    nanos = value.nanos if isinstance(value, Timestamp) else nanos_of(value)
    is_instant = False
    for move in moves:
        if isinstance(move, int):
            nanos -= move
            continue
        if isinstance(move, Reading):
            # No reading is between two of these.
            nanos += -nanos % move.nanos
            nanos -= move.nanos // 2
            continue
        if isinstance(move, Given):
            is_instant = False
            continue
        clock = replace(session, time_zone=move.zone)
        # The clock reads less before, and afterwards never.
        if not clock.is_boundary(nanos):
            raise CannotConvert(Reason.FUNCTION)
        nanos, is_instant = clock.instant_nanos(nanos), True
    margin = NANOS_PER_DAY if is_instant else 0  # some clock reads another year
    for beside in (-margin, margin):
        date_of(nanos + beside)
    if is_instant or nanos % NANOS_PER_DAY:
        return Timestamp(nanos, zoned=is_instant)
    return date_of(nanos)
