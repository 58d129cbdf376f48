"""Dates and timestamps moved by an interval, and the time from them to a moment, compared with a
constant."""

from __future__ import annotations

import datetime as dt

from collectors.predicates.calculated_kinds import UnknownResult
from collectors.predicates.calculations import Calculated, Elapsed, Moved
from collectors.predicates.calendar import NANOS_PER_DAY, Interval, add, date_of, nanos_of
from collectors.predicates.digits import compared_day
from collectors.predicates.instants import day_of, parse_zone
from collectors.predicates.literals import LiteralValue, Timestamp
from collectors.predicates.model import FALSE, Column, Comparison, Predicate, all_of, any_of
from collectors.predicates.operators import FLIPPED, Op
from collectors.types import NANOS_PER_UNIT

# The end of a month is up to three days away, and a change of the clock's offset a day.
_MONTH_MARGIN = 4 * NANOS_PER_DAY
_CLOCK_MARGIN = NANOS_PER_DAY
# Two readings of the clock of one zone are not farther from UTC than that, each in its own way.
_READING_MARGIN = 26 * 3_600 * 1_000_000_000
# Trino counts milliseconds, of which it cuts what is less (DateDiff of 482).
_MILLISECOND = 1_000_000


def moved_date(column: Column, op: Op, value: LiteralValue, interval: Interval) -> Predicate:
    """`column + interval op value` for dates, exactly. The sums of dates and months do not
    decrease, as both engines end them with the month. Raises UnknownResult, OverflowError and
    ValueError where nothing is known."""
    day = day_of(value)
    if day is None or interval.nanos:
        raise UnknownResult
    first, after = _first(day, interval), _first(day + dt.timedelta(1), interval)
    match op:
        case Op.LT:
            return Comparison(Op.LT, column, (first,))
        case Op.LT_EQ:
            return Comparison(Op.LT, column, (after,))
        case Op.GT:
            return Comparison(Op.GT_EQ, column, (after,))
        case Op.GT_EQ:
            return Comparison(Op.GT_EQ, column, (first,))
    if first == after:  # no day is moved there
        return FALSE if op is Op.EQ else Comparison(Op.NOT_NULL, column)
    if after - first == dt.timedelta(1):
        return Comparison(op, column, (first,))
    if op is Op.EQ:
        within = (Comparison(Op.GT_EQ, column, (first,)), Comparison(Op.LT, column, (after,)))
        return all_of(*within)
    return any_of(Comparison(Op.LT, column, (first,)), Comparison(Op.GT_EQ, column, (after,)))


def moved_day(
    column: Column, found: Calculated, step: Moved, time_zone: str | None
) -> tuple[Predicate, bool]:
    """`moved column op value` for dates, and whether that is exact. Where a date becomes a time
    first, that is the first one of its day. Where clocks skip midnights, or days, that is later,
    and so is what it is moved to: by a day at most, each. Raises what `moved_date` does."""
    interval = step.interval
    if not step.is_time:
        return moved_date(column, found.op, found.value, interval), True
    op, day = compared_day(found.op, found.value)
    if time_zone is not None and parse_zone(time_zone) == dt.UTC:
        return moved_date(column, op, day, interval), True
    since = moved_date(column, Op.GT_EQ, day - dt.timedelta(2), interval)
    match op:
        case Op.LT | Op.LT_EQ:
            return moved_date(column, op, day, interval), False
        case Op.GT | Op.GT_EQ:
            return since, False
        case Op.EQ:
            return all_of(since, moved_date(column, Op.LT_EQ, day, interval)), False
    return Comparison(Op.NOT_NULL, column), False


def _first(day: dt.date, interval: Interval) -> dt.date:
    """The first day that the interval moves to a day or after it."""
    wanted, back = nanos_of(day), interval.times(-1)
    guess = add(wanted, Interval(days=back.days))
    guess = add(guess, Interval(months=back.months)) - _MONTH_MARGIN
    while add(guess, interval) < wanted:
        guess += NANOS_PER_DAY
    return date_of(guess)


def moved_time(
    column: Column, found: Calculated, interval: Interval, type_name: str, time_zone: str | None
) -> tuple[Predicate, bool]:
    """`column + interval op value` for timestamps, and whether that is exact: where each day has 24
    hours. Raises UnknownResult, OverflowError and ValueError where nothing is known."""
    value = found.value
    if isinstance(value, dt.date):
        value = Timestamp(nanos_of(value), zoned=False)
    if not isinstance(value, Timestamp):
        raise UnknownResult
    zone = None if time_zone is None else parse_zone(time_zone)
    is_zoned = type_name.startswith("timestamptz")
    is_plain = not is_zoned and not value.zoned and not found.is_spark
    is_exact = not interval.months and (zone == dt.UTC or is_plain)
    margin = 0 if is_exact else _CLOCK_MARGIN + (_MONTH_MARGIN if interval.months else 0)
    nanos = add(value.nanos, interval.times(-1))
    low, high = (Timestamp(nanos + way, value.zoned) for way in (-margin, margin))
    for moment in (low, high):
        date_of(moment.nanos)
    op = found.op
    match op:
        case Op.LT | Op.LT_EQ:
            return Comparison(op, column, (high,)), is_exact
        case Op.GT | Op.GT_EQ:
            return Comparison(op, column, (low,)), is_exact
    if is_exact:
        return Comparison(op, column, (low,)), True
    if op is Op.NOT_EQ:
        return Comparison(Op.NOT_NULL, column), False
    ends = Comparison(Op.GT_EQ, column, (low,)), Comparison(Op.LT_EQ, column, (high,))
    return all_of(*ends), False


def rounded_time(column: Column, found: Calculated, digits: int, type_name: str) -> Predicate:
    """`CAST(column AS timestamp(digits)) op value`, exactly, as Trino's cast rounds halves up; what
    has a zone it reads in UTC, which is that of all of Iceberg's. Raises UnknownResult for what is
    no time, and OverflowError and ValueError for years that are unknown."""
    value = found.value
    if isinstance(value, dt.date):
        value = Timestamp(nanos_of(value), zoned=False)
    if type_name not in NANOS_PER_UNIT or not isinstance(value, Timestamp) or value.zoned:
        raise UnknownResult
    own, unit = NANOS_PER_UNIT[type_name], 10 ** max(0, 9 - digits)
    if unit <= own:
        return Comparison(found.op, column, (_moment(value.nanos, type_name),))
    start = value.nanos - value.nanos % unit
    is_there = start == value.nanos
    first = _moment((start if is_there else start + unit) - unit // 2, type_name)
    after = _moment(start + unit // 2, type_name)
    below, above = Comparison(Op.LT, column, (first,)), Comparison(Op.GT_EQ, column, (after,))
    match found.op:
        case Op.LT:
            return below
        case Op.LT_EQ:
            return Comparison(Op.LT, column, (after,))
        case Op.GT:
            return above
        case Op.GT_EQ:
            return Comparison(Op.GT_EQ, column, (first,))
        case Op.EQ if is_there:
            within = Comparison(Op.GT_EQ, column, (first,)), Comparison(Op.LT, column, (after,))
            return all_of(*within)
        case Op.EQ:
            return FALSE
        case Op.NOT_EQ:
            return any_of(below, above) if is_there else Comparison(Op.NOT_NULL, column)
    raise UnknownResult


def _moment(nanos: int, type_name: str) -> Timestamp:
    date_of(nanos)
    return Timestamp(nanos, zoned=type_name.startswith("timestamptz"))


def elapsed_time(
    column: Column, found: Calculated, step: Elapsed, type_name: str, time_zone: str | None
) -> Predicate:
    """The times of which a number of units, cut towards zero, has gone by since a moment, or until
    it, and perhaps a millisecond more, or, where clocks may change, hours. Spark counts what the
    session's clock reads, at the midnights of dates as well. Raises UnknownResult where nothing is
    known."""
    op, count = found.op, found.value
    if isinstance(count, bool) or not isinstance(count, int) or type_name not in NANOS_PER_UNIT:
        raise UnknownResult
    if step.is_until:
        op, count = FLIPPED[op], -count
    is_zoned = type_name.startswith("timestamptz")
    start, room = _start(step, is_zoned, time_zone, is_spark=found.is_spark)

    def end(of: int) -> int:
        """Where a number of units begins, away from the moment."""
        return start + (of if of > 0 else of - 1) * step.nanos

    def at_least(of: int) -> Predicate:
        beyond = Op.GT_EQ if of > 0 else Op.GT
        return Comparison(beyond, column, (Timestamp(end(of) - room, is_zoned),))

    def below(of: int) -> Predicate:
        margin = 0 if of > 0 else _MILLISECOND
        return Comparison(Op.LT, column, (Timestamp(end(of) + margin + room, is_zoned),))

    match op:
        case Op.GT_EQ | Op.GT:
            return at_least(count + (op is Op.GT))
        case Op.LT | Op.LT_EQ:
            return below(count + (op is Op.LT_EQ))
        case Op.EQ:
            return all_of(at_least(count), below(count + 1))
        case Op.NOT_EQ:
            return any_of(below(count), at_least(count + 1))
    raise UnknownResult


def _start(
    step: Elapsed, is_zoned: bool, time_zone: str | None, *, is_spark: bool
) -> tuple[int, int]:
    """The moment on the column's scale, and how far what clocks read may be from it, if they may
    change between; for engines other than Spark, raises UnknownResult then."""
    moment = step.moment
    if isinstance(moment, dt.date):
        moment = Timestamp(nanos_of(moment), zoned=False)
    is_utc = time_zone is not None and parse_zone(time_zone) == dt.UTC
    is_alike = is_zoned == moment.zoned and step.nanos < NANOS_PER_DAY
    is_plain = not is_zoned and not moment.zoned
    if is_spark:
        return moment.nanos, 0 if is_utc else _READING_MARGIN
    if not (is_utc or is_alike or is_plain):
        raise UnknownResult
    return moment.nanos - moment.nanos % _MILLISECOND, 0
