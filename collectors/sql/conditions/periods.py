"""Comparisons of a calendar period with a constant, as ranges of the column.

The start of a period is a non-decreasing function of the column, so that each comparison with
a constant L is a comparison of the column with the start of the period around L or of the
next one: `date_trunc('month', x) > DATE '2024-03-15'` is `x >= DATE '2024-04-01'`. The ranges
are exact, so that each operator's complement is that of its range.

Trino evaluates these functions in UTC on an Iceberg timestamptz, whatever the session's zone
(Trino 482, IcebergPageSourceProvider reads it as UTC), Spark on the session's clock. Where the
type of the column is not known and the two readings differ, the result is the OR of both.
"""

from __future__ import annotations

import datetime as dt
import math
import re
from decimal import Decimal

from prunescope.collectors.predicates.calendar import (
    NANOS_PER_DAY,
    Unit,
    date_of,
    nanos_of,
    period_around,
)
from prunescope.collectors.predicates.instants import parse_date, parse_timestamp
from prunescope.collectors.predicates.literals import LiteralValue, Timestamp
from prunescope.collectors.predicates.model import (
    FALSE,
    Column,
    Comparison,
    Predicate,
    Reason,
    all_of,
    any_of,
)
from prunescope.collectors.predicates.operators import Op
from prunescope.collectors.sql.constants.casts import in_microseconds
from prunescope.collectors.sql.constants.session import Session
from prunescope.collectors.sql.constants.terms import PeriodStart, Yields
from prunescope.collectors.sql.constants.values import CannotConvert, not_constant
from prunescope.collectors.sql.dialects import dialect_of

_WHOLE = re.compile(r"\s*[+-]?\d+\s*", re.ASCII)


def compare_period(
    op: Op, term: PeriodStart, value: LiteralValue, session: Session, *, keeps_empty: bool = False
) -> Predicate:
    """`term op value` as comparisons of the column; raises CannotConvert if there is no exact form.
    Equality with a value that starts no period is FALSE, or, with `keeps_empty`, an empty range,
    which names the column."""
    # Dates and years that are compared with what is none are told by the types of the two.
    is_kept = keeps_empty and term.yields is Yields.TIMESTAMP
    try:
        readings = _readings(term, value, session)
        return any_of(
            *(
                _range(op, term, position, zoned, session, keeps_empty=is_kept)
                for position, zoned in readings
            )
        )
    except (ValueError, OverflowError):
        raise not_constant() from None


def _is_read_on_one_clock(session: Session) -> bool:
    """True if functions of dates read the column on the session's clock, or, in a dialect whose
    clock is not known, the column has no zone and is read as it is. Raises CannotConvert if the
    clock is unknown and makes a difference."""
    follows_clock = dialect_of(session.dialect).follows_clock
    if follows_clock is not None or session.of_zoned is False:
        return follows_clock is not False
    if session.time_zone is not None and session.zone != dt.UTC:
        raise CannotConvert(Reason.TIME_ZONE_UNKNOWN)
    return False


def _readings(term: PeriodStart, value: LiteralValue, session: Session) -> list[tuple[int, bool]]:
    """The positions of the value in nanoseconds, each with True on the scale of UTC instants, or
    False on that of the session's clock and of columns without zone."""
    moment = _year(value, session) if term.yields is Yields.YEAR_NUMBER else _moment(term, value)
    has_one_clock = _is_read_on_one_clock(session)
    is_instant = term.yields is Yields.TIMESTAMP
    is_moment = is_instant and dialect_of(session.dialect).plain_are_moments
    if is_moment and not moment.zoned and not is_read_once(moment.nanos, session):
        raise CannotConvert(Reason.TIME_ZONE_UNKNOWN)
    if session.time_zone is None and moment.zoned:
        if has_one_clock or not is_instant:
            raise CannotConvert(Reason.TIME_ZONE_UNKNOWN)
        return [(moment.nanos, True)]
    wall = session.wall_nanos(moment)
    # A date beside a TIMESTAMP, which is an instant, is the first one of its day. To Trino, those
    # with a zone are instants.
    is_cast = term.yields is Yields.DATE and isinstance(value, Timestamp) and not value.is_ntz
    is_compared = has_one_clock or moment.zoned
    if (is_instant or is_cast) and is_compared and session.time_zone is not None:
        wall = _start_if_skipped(term.unit, wall, session)
    if has_one_clock or session.time_zone is None or session.zone == dt.UTC:
        return [(wall, False)]
    if moment.zoned and session.is_beside_moved_date(moment.nanos):
        raise CannotConvert(Reason.FUNCTION)
    instant = wall
    if is_instant and moment.zoned:
        instant = moment.nanos
    elif is_instant:
        instant = (
            session.date_nanos(wall) if isinstance(value, dt.date) else session.instant_nanos(wall)
        )
    readings = [(wall, False), (instant, True)]
    return [reading for reading in readings if session.of_zoned in (None, reading[1])]


def is_read_once(wall: int, session: Session) -> bool:
    """True if the session's clock is known to show a reading once, so that it is one moment."""
    return session.time_zone is not None and not session.is_ambiguous(wall)


def _start_if_skipped(unit: Unit, wall: int, session: Session) -> int:
    """A reading of the session's clock as date_trunc() sees it: if the clock skips midnight, the
    period starts at the first reading after it.

    Raises CannotConvert for a skipped reading whose moment falls in another period: all of
    2011-12-30 in Samoa is the day after.
    """
    start, following = period_around(wall, unit)
    if not start <= session.moved_wall(wall) < following:
        raise CannotConvert(Reason.FUNCTION)
    return start if session.instant_nanos(start) == session.instant_nanos(wall) else wall


def _year(value: LiteralValue, session: Session) -> Timestamp:
    """A number of years as the start of that year, or as a moment after it for a fraction."""
    if isinstance(value, str) and dialect_of(session.dialect).casts_arguments:
        value = int(value) if _WHOLE.fullmatch(value) else value
    if isinstance(value, bool) or not isinstance(value, int | float | Decimal):
        raise not_constant()
    year = math.floor(value)
    return Timestamp(nanos_of(dt.date(year, 1, 1)) + (year != value), zoned=False)


def _moment(term: PeriodStart, value: LiteralValue) -> Timestamp:
    if isinstance(value, str):
        date = parse_date(value)
        # Text is cast to the type of the other side: to a date, it loses its time.
        moment = parse_timestamp(value) if term.yields is Yields.TIMESTAMP else None
        value = date or (in_microseconds(moment) if moment is not None else "")
    if isinstance(value, dt.date):
        return Timestamp(nanos_of(value), zoned=False)
    if isinstance(value, Timestamp):
        return value
    raise not_constant()


def _range(  # a position has this many parts
    op: Op,
    term: PeriodStart,
    position: int,
    zoned: bool,
    session: Session,
    *,
    keeps_empty: bool,
) -> Predicate:
    start, following = period_around(position, term.unit)
    if not zoned and session.time_zone is not None:
        require_range((start, following), session, is_of_days=term.unit >= Unit.DAY)
    column, is_start = Column(term.path), start == position
    # What is rounded up to the start of a period is in it.
    start, following = (bound - term.rounding // 2 for bound in (start, following))
    ends = _bound(start, zoned), _bound(following, zoned)
    if op is Op.EQ and not is_start and keeps_empty:
        return all_of(Comparison(Op.LT, column, ends[:1]), Comparison(Op.GT_EQ, column, ends[1:]))
    return of_start(op, column, ends, is_start=is_start)


def of_start(
    op: Op, column: Column, ends: tuple[LiteralValue, LiteralValue], *, is_start: bool
) -> Predicate:
    """The condition on a column that `op` compares by the start of its period. The value lies in
    the period from the first of `ends` to before the second, and at its start if `is_start`. Raises
    CannotConvert for others than the six comparisons."""
    before, since = (Comparison(each, column, ends[:1]) for each in (Op.LT, Op.GT_EQ))
    until, after = (Comparison(each, column, ends[1:]) for each in (Op.LT, Op.GT_EQ))
    match op:
        case Op.LT:
            return before if is_start else until
        case Op.LT_EQ:
            return until
        case Op.GT:
            return after
        case Op.GT_EQ:
            return since if is_start else after
        case Op.EQ:
            return all_of(since, until) if is_start else FALSE
        case Op.NOT_EQ:
            return any_of(before, after) if is_start else Comparison(Op.NOT_NULL, column)
    raise CannotConvert(Reason.FUNCTION)


def beside_unheld(selected: Predicate, column: Column, dialect: str) -> Predicate:
    """The selection among the days that a dialect's functions hold, or any day outside of these."""
    held = dialect_of(dialect).held_days
    if held is None:
        return selected
    first, end = held
    early, late = Comparison(Op.LT, column, (first,)), Comparison(Op.GT_EQ, column, (end,))
    return any_of(early, selected, late)


def require_range(bounds: tuple[int, int], session: Session, *, is_of_days: bool) -> None:
    """Raises CannotConvert if the period between two readings of the session's clock, both
    midnights if it `is_of_days`, is no range of instants."""
    if is_of_days:
        # Where the clock goes back over midnight, a part of the day before comes after it; where
        # it skips more than midnight, the day starts before midnight would have been.
        refused = not all(session.is_boundary(bound) for bound in bounds)
    else:
        # Hours that the clock repeats or skips have none of their own; one ends where it skips the
        # next. A date starts later where the clock skips midnight.
        start, following = bounds
        midnight = start - start % NANOS_PER_DAY
        is_start = not any(map(session.is_ambiguous, (start, midnight)))
        lasted = session.instant_nanos(following) - session.instant_nanos(start)
        # Lord Howe's clock changes by half an hour: Trino was seen to make one of more than that.
        is_known = lasted == following - start or not dialect_of(session.dialect).plain_are_moments
        refused = not (is_start and is_known and session.is_boundary(following))
    if refused:
        raise CannotConvert(Reason.FUNCTION)


def _bound(nanos: int, zoned: bool) -> LiteralValue:
    """The literal of a bound. Raises ValueError or OverflowError if some clock reads a year outside
    1 to 9999."""
    if zoned:
        date_of(nanos - NANOS_PER_DAY)
        date_of(nanos + NANOS_PER_DAY)
    if zoned or nanos % NANOS_PER_DAY:
        return Timestamp(nanos, zoned)
    return date_of(nanos)
