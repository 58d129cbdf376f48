"""Days and years on the clock of a zone that a query names, compared with a constant: Trino's
`CAST(x AT TIME ZONE 'Europe/Berlin' AS date) = DATE '2024-04-03'` is a range of instants, and so is
Spark's `to_date(from_utc_timestamp(x, 'Europe/Berlin'))` where the session's clock is that of UTC.

A column without a zone is taken to be on the session's clock, as it is where Trino compares it with
an instant.
"""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass, replace

from sqlglot import exp

from collectors.predicates.calendar import Unit, nanos_of, period_around
from collectors.predicates.instants import parse_date, parse_zone
from collectors.predicates.literals import LiteralValue, Timestamp
from collectors.predicates.model import Column, Comparison, Predicate, Reason, all_of, any_of
from collectors.predicates.operators import Op
from collectors.sql.constants.session import Session
from collectors.sql.constants.terms import column_path
from collectors.sql.constants.values import CannotConvert, not_constant
from collectors.sql.dialects import dialect_of
from collectors.sql.rewrites.rewrite import Place, Rewrite


@dataclass(frozen=True, slots=True)
class ZonedDay:
    """The day of an instant on the clock of a zone, or its year."""

    path: tuple[str, ...]
    zone: str
    unit: Unit


def zoned_day(expression: exp.Expr, place: Place) -> ZonedDay | None:
    """The column, zone and unit of an expression; None for anything else."""
    match expression:
        case exp.Cast(this=operand, to=exp.DataType(this=exp.DType.DATE)):
            unit = Unit.DAY
        case exp.Date(this=exp.Expr() as operand) | exp.TsOrDsToDate(this=operand):
            unit = Unit.DAY
        case exp.Year(this=operand):
            unit = Unit.YEAR
        case _:
            return None
    zoned = operand.unnest()
    zone = zoned.args.get("zone")
    if not isinstance(zoned, exp.AtTimeZone) or not _is_of_zone(place.session):
        return None
    moment = zoned.this.unnest()
    if dialect_of(place.dialect).is_spark and isinstance(moment, exp.Cast):
        moment = moment.this.unnest()  # the implicit cast, as sqlglot writes it
    path = column_path(moment, place.path_of)
    if path is None or not isinstance(zone, exp.Literal) or not zone.is_string:
        return None
    return ZonedDay(path, zone.name, unit)


def _is_of_zone(session: Session) -> bool:
    """Whether the day of a moment that was moved to a zone is that of the zone's clock. Spark moves
    it by the zone's offset, and then reads the session's clock."""
    if dialect_of(session.dialect).is_spark:
        return parse_zone(session.time_zone) == dt.UTC if session.time_zone else False
    return dialect_of(session.dialect).is_trino


def compare_zoned(op: Op, found: ZonedDay, value: LiteralValue, session: Session) -> Predicate:
    """`day op value` as comparisons of the column with instants; raises CannotConvert where the
    clock's days are no ranges of them, and for what is no day."""
    if parse_zone(found.zone) is None:
        raise CannotConvert(Reason.FUNCTION)
    clock = replace(session, time_zone=found.zone)
    try:
        start, following = period_around(nanos_of(_day(found.unit, value)), found.unit)
        ends = [_instant(clock, wall) for wall in (start, following)]
    except (ValueError, OverflowError):
        raise not_constant() from None
    column = Column(found.path)
    before, until = (Comparison(Op.LT, column, (end,)) for end in ends)
    since, after = (Comparison(Op.GT_EQ, column, (end,)) for end in ends)
    match op:
        case Op.LT:
            return before
        case Op.LT_EQ:
            return until
        case Op.GT:
            return after
        case Op.GT_EQ:
            return since
        case Op.EQ:
            return all_of(since, until)
        case Op.NOT_EQ:
            return any_of(before, after)
    raise CannotConvert(Reason.FUNCTION)


def _day(unit: Unit, value: LiteralValue) -> dt.date:
    """The first day that a constant stands for."""
    if unit is Unit.YEAR and isinstance(value, int) and not isinstance(value, bool):
        return dt.date(value, 1, 1)
    day = parse_date(value) if isinstance(value, str) else value
    if unit is not Unit.DAY or not isinstance(day, dt.date) or isinstance(day, dt.datetime):
        raise not_constant()
    return day


def _instant(clock: Session, wall: int) -> Timestamp:
    """The moment before which the clock reads less, and afterwards never."""
    if not clock.is_boundary(wall):
        raise CannotConvert(Reason.FUNCTION)
    return Timestamp(clock.instant_nanos(wall), zoned=True)


REWRITE = Rewrite(zoned_day, compare_zoned)
