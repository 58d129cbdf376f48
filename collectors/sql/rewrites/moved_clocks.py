"""Days, months and texts of times that were moved first, by an interval or to the clock of a zone,
compared with a constant: Trino's `CAST(x AT TIME ZONE 'Europe/Berlin' AS date) = DATE '2024-04-03'`
is a range of instants, so are Spark's `to_date(from_utc_timestamp(x, 'Europe/Berlin'))` and
`convert_timezone('UTC', 'Europe/Berlin', x)` where the session's clock is that of UTC, and
`CAST(x - INTERVAL '5' HOUR AS date) = DATE '2024-04-03'` is one that begins at five. No engine
unwraps them.

What a moved time says is found as if it were a column's (`terms`, and other rewrites); the ends of
the ranges are moved back. A column without a zone is taken to be on the session's clock, as it is
where Trino compares it with an instant. Of Snowflake and BigQuery, what the clock of a zone reads
is known: `CONVERT_TIMEZONE('UTC', 'Europe/Berlin', x)::date`, `DATE(x, 'Europe/Berlin')` and
`EXTRACT(DATE FROM x AT TIME ZONE 'Europe/Berlin')`.
"""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass, replace
from typing import Any

from sqlglot import exp

from collectors.predicates.calendar import Unit, nanos_of, period_around
from collectors.predicates.literals import LiteralValue, Timestamp
from collectors.predicates.model import (
    Always,
    Column,
    Comparison,
    Predicate,
    PredicateLeaf,
    Reason,
    any_of,
)
from collectors.predicates.operators import ORDERED, Op
from collectors.predicates.walks import map_leaves
from collectors.sql.constants.session import Session
from collectors.sql.constants.terms import PeriodStart, Yields, column_path, term
from collectors.sql.constants.values import CannotConvert, not_constant
from collectors.sql.dialects import dialect_of
from collectors.sql.rewrites import date_formats, date_parts, period_numbers, read_back, time_texts
from collectors.sql.rewrites.date_formats import LAST_DATE
from collectors.sql.rewrites.dates import compare_period
from collectors.sql.rewrites.made import made_path
from collectors.sql.rewrites.moves import (
    MOVES,
    Clock,
    Given,
    Move,
    Reading,
    eve,
    is_known,
    moved_back,
    moved_by,
    undone,
)
from collectors.sql.rewrites.rewrite import Path, Place, Rewrite
from collectors.sql.text.boolean import own_columns
from collectors.sql.text.nodes import nodes_that_are

_OF_TIMES: tuple[Rewrite[Any], ...] = (
    date_formats.REWRITE,
    date_parts.REWRITE,
    time_texts.REWRITE,
    time_texts.REWRITE_CUT,
    period_numbers.REWRITE,
    read_back.REWRITE,
)
"""What else is asked of a time than where its period starts."""
_UNITS = {
    1: Unit.NANOSECOND,
    1_000: Unit.MICROSECOND,
    1_000_000: Unit.MILLISECOND,
    1_000_000_000: Unit.SECOND,
}
"""By their nanoseconds."""


@dataclass(frozen=True, slots=True)
class Found:
    """A period that starts where `start` says, or what `rewrite` found in place of one; with
    neither, the time itself."""

    start: PeriodStart | None = None
    rewrite: Rewrite[Any] | None = None
    found: Any = None


@dataclass(frozen=True, slots=True)
class MovedClock:
    """What is asked of a column's time once it is moved, by one after the other of `moves`."""

    path: Path
    asked: Found
    moves: tuple[Move, ...]


def moved_clock(expression: exp.Expr, place: Place) -> MovedClock | None:
    """What an expression asks of a moved time; None for anything else."""
    dialect = dialect_of(place.dialect)
    if not (dialect.is_measured or dialect.reads_zones) or not nodes_that_are(MOVES, expression):
        return None
    expression = _with_clocks(expression)
    columns = own_columns(expression)
    if not columns or len(columns) != len(nodes_that_are(exp.Column, expression)):
        return None
    moved = [moved_by(column, place.session) for column in columns]
    first = moved[0]
    if not first.moves or not is_known(first.moves, place.session):
        return None
    if any(other.whole != first.whole for other in moved[1:]):
        return None
    asked = expression.transform(lambda node: first.column.copy() if node == first.whole else node)
    path = column_path(first.column, place.path_of)
    if path is None:
        return None
    if first.whole is expression:
        if not dialect.is_measured:
            return None
        return _compared_itself(path, first.moves, place.dialect)
    known = place.known.of(made_path(first.whole), path)
    found = _asked(asked, replace(place, known=known, types={}))
    return None if found is None else MovedClock(path, found, first.moves)


def _with_clocks(expression: exp.Expr) -> exp.Expr:
    """An expression with BigQuery's `DATE(x, zone)` as the day of `x AT TIME ZONE zone`."""

    def day_of(node: exp.Expr) -> exp.Expr:
        zone = node.args.get("zone") if isinstance(node, exp.Date) else None
        if zone is None:
            return node
        return exp.Date(this=exp.AtTimeZone(this=node.this.copy(), zone=zone.copy()))

    has_zones = any(node.args.get("zone") for node in nodes_that_are(exp.Date, expression))
    return expression.transform(day_of) if has_zones else expression


def _compared_itself(path: Path, moves: tuple[Move, ...], dialect: str) -> MovedClock | None:
    """A moved time that is asked for nothing: an instant, where Trino gives it a zone, or else what
    a clock reads. Of times that no clock is in, `Calculation` knows more."""
    if not any(isinstance(move, Clock | Given) for move in moves):
        return None
    last = moves[-1]
    if dialect_of(dialect).is_trino and not isinstance(last, Reading):
        is_instant = all(isinstance(move, Clock | Given) for move in moves)
        return MovedClock(path, Found(), moves) if is_instant else None
    unit = _UNITS.get(last.nanos) if isinstance(last, Reading) else Unit.MICROSECOND
    return None if unit is None else MovedClock(path, _start_of(path, unit), moves)


def _start_of(path: Path, unit: Unit) -> Found:
    return Found(PeriodStart(path, unit, Yields.TIMESTAMP))


def _asked(expression: exp.Expr, place: Place) -> Found | None:
    """What an expression asks of the time of a column."""
    for rewrite in _OF_TIMES:
        found = rewrite.find(expression, place)
        if found is not None:
            of_column = isinstance(found, time_texts.TimeText) and not found.is_date
            return None if of_column else Found(rewrite=rewrite, found=found)
    try:
        start = term(expression, place.path_of, place.dialect)
    except CannotConvert:
        return None
    return Found(start) if isinstance(start, PeriodStart) else None


def compare_moved(op: Op, found: MovedClock, value: LiteralValue, session: Session) -> Predicate:
    """`asked op value` as comparisons of the column; raises CannotConvert where the periods of a
    clock are no ranges of instants, and for what is no period."""
    is_given = any(isinstance(move, Given) for move in found.moves)
    of_none = "UTC" if is_given else None
    zone = next((move.zone for move in found.moves if isinstance(move, Clock)), of_none)
    is_trino = dialect_of(session.dialect).is_trino
    read = replace(session, time_zone="UTC")
    start = found.asked.start
    if start is None and found.asked.rewrite is None:
        if not isinstance(value, dt.date | Timestamp):
            raise CannotConvert(Reason.FUNCTION)
        instant = _on_clock(value, "UTC", Unit.NANOSECOND, session) if is_given else value
        return Comparison(op, Column(found.path), (instant,))
    is_cut = start is not None and start.yields is Yields.TIMESTAMP
    is_instant = isinstance(value, Timestamp) and value.zoned
    is_on_session = not is_cut if is_trino else not dialect_of(session.dialect).is_measured
    if is_instant and is_on_session and session.zone != dt.UTC:
        raise CannotConvert(Reason.FUNCTION)  # a date begins on the session's clock
    if start is not None:
        if is_trino and is_cut:
            is_read = any(isinstance(move, Reading) for move in found.moves)
            value = _naive(value) if is_read else _on_clock(value, zone, start.unit, session)
        selected = compare_period(op, start, value, read)
    else:
        assert found.asked.rewrite is not None
        selected = found.asked.rewrite.compare(op, found.asked.found, value, read)
    try:
        moves = undone(found.moves, session)
        back = map_leaves(selected, lambda leaf: _back(leaf, moves, session))
    except (ValueError, OverflowError):
        raise not_constant() from None
    if not is_trino or zone is not None or session.time_zone is None or session.zone == dt.UTC:
        return back
    # Trino reads a column with zone in UTC.
    in_utc = map_leaves(back, _in_utc)
    return {None: any_of(back, in_utc), True: in_utc, False: back}[session.of_zoned]


def _naive(value: LiteralValue) -> Timestamp:
    """A moment that is compared with what a clock reads."""
    if isinstance(value, dt.date):
        return Timestamp(nanos_of(value), zoned=False)
    if not isinstance(value, Timestamp) or value.zoned:
        raise CannotConvert(Reason.FUNCTION)
    return value


def _in_utc(leaf: PredicateLeaf) -> Predicate:
    """A comparison with what a clock reads as one with what that of UTC does."""
    match leaf:
        case Comparison(values=(dt.date() as value,)):
            return replace(leaf, values=(Timestamp(nanos_of(value), zoned=True),))
        case Comparison(values=(Timestamp(nanos),)):
            return replace(leaf, values=(Timestamp(nanos, zoned=True),))
    return leaf


def _on_clock(value: LiteralValue, zone: str | None, unit: Unit, session: Session) -> Timestamp:
    """What a clock reads at the moment that Trino compares a truncated time with; raises
    CannotConvert where the clock changes around it: a period may start later than its name says."""
    if isinstance(value, dt.date):
        value = Timestamp(nanos_of(value), zoned=False)
    if not isinstance(value, Timestamp):
        raise CannotConvert(Reason.FUNCTION)
    if zone is None:
        # Of a column without zone, the value has none; of others, it is on the session's clock.
        if session.zone != dt.UTC:
            raise CannotConvert(Reason.FUNCTION)
        return Timestamp(value.nanos, zoned=False)
    clock = replace(session, time_zone=zone)
    try:
        instant = value.nanos if value.zoned else session.instant_nanos(value.nanos)
        wall = clock.wall_nanos(Timestamp(instant, zoned=True))
        is_known = _is_one_period(unit, wall, clock)
    except (ValueError, OverflowError):  # beyond the years 1 to 9999
        raise not_constant() from None
    if not is_known:
        raise CannotConvert(Reason.FUNCTION)
    return Timestamp(wall, zoned=False)


def _is_one_period(unit: Unit, wall: int, clock: Session) -> bool:
    """Whether what a clock reads lies in one period of a unit, which starts and ends once. An hour
    within which the clock changes starts twice to Trino, though it reads the same."""
    start, following = period_around(wall, unit)
    if any(map(clock.is_ambiguous, (wall, start, following))):
        return False
    lasted = clock.instant_nanos(following) - clock.instant_nanos(start)
    return unit >= Unit.DAY or lasted == following - start


def _back(leaf: PredicateLeaf, moves: tuple[Move, ...], session: Session) -> Predicate:
    """A comparison of a moved time as one of the column; raises CannotConvert for others."""
    match leaf:
        case Always() | Comparison(Op.NOT_NULL):
            return leaf
        case Comparison(Op.GT, Column() as column, (dt.date() as last,)) if last == LAST_DATE:
            return Comparison(Op.GT, column, (eve(moves),))
        case Comparison(Op.GT | Op.LT_EQ) if any(isinstance(move, Reading) for move in moves):
            raise CannotConvert(Reason.FUNCTION)  # what is rounded to the end
        case Comparison(op, Column() as column, (dt.date() | Timestamp() as value,)) if (
            op in ORDERED
        ):
            return Comparison(op, column, (moved_back(value, moves, session),))
    raise CannotConvert(Reason.FUNCTION)


def _rest(op: Op, found: MovedClock, value: LiteralValue) -> Reason | None:
    rewrite = found.asked.rewrite
    return None if rewrite is None else rewrite.rest(op, found.asked.found, value)


REWRITE = Rewrite(moved_clock, compare_moved, _rest)
