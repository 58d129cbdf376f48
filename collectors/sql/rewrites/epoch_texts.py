"""Spark's from_unixtime() of a column of Unix seconds, compared with a literal: `from_unixtime(n,
'yyyy-MM-dd') = '2026-01-05'` is `n >= 1767571200 AND n < 1767657600` where the session's clock is
that of UTC, and begins an hour earlier on that of Berlin. So has the day that to_date() makes of
such a text, and the text of the seconds that unix_timestamp() makes of a moment, or in UTC of any
time: it is that of the time. No engine unwraps any of them."""

from __future__ import annotations

import datetime as dt
import re
from dataclasses import dataclass
from functools import partial

from sqlglot import exp

from collectors.predicates.calendar import NANOS_PER_DAY, NANOS_PER_SECOND, Unit, nanos_of
from collectors.predicates.literals import LiteralValue, Timestamp
from collectors.predicates.model import Column, Comparison, Predicate, PredicateLeaf, Reason
from collectors.predicates.operators import Op
from collectors.predicates.walks import map_leaves
from collectors.sql.constants.session import Session
from collectors.sql.constants.terms import PeriodStart, Yields, column_path, period_of
from collectors.sql.constants.time_texts import UNSAID
from collectors.sql.constants.values import CannotConvert
from collectors.sql.dialects import dialect_of
from collectors.sql.rewrites.date_formats import (
    FIRST_PADDED_YEAR,
    FormattedTime,
    compare_formatted,
    strict_layout,
)
from collectors.sql.rewrites.dates import compare_period
from collectors.sql.rewrites.rewrite import Place, Rewrite

_FIRST_DATE = dt.date(FIRST_PADDED_YEAR, 1, 1)
# Texts that Spark casts to a date: of all others it makes null, or an error.
_READ_AS_DAY = re.compile(re.escape(r"([0-9]{4})\-([0-9]{2})\-([0-9]{2})") + r"($|\\ |T)")


@dataclass(frozen=True, slots=True)
class EpochText:
    """The text of the moment that a column counts the seconds to, or the day that is made of that
    text, as if it were the column's. With `is_of_time` it is: the column is a time."""

    text: FormattedTime | PeriodStart
    is_of_time: bool = False


def epoch_text(expression: exp.Expr, place: Place) -> EpochText | None:
    """The formatted seconds that an expression is; None for anything else."""
    period = period_of(expression, place.dialect)
    is_day = period is not None and period[1:] == (Unit.DAY, Yields.DATE)
    text = period[0].unnest() if period is not None and is_day else expression
    if not isinstance(text, exp.UnixToStr) or not dialect_of(place.dialect).has_java_time:
        return None
    pattern = text.args.get("format")
    seconds = text.this.unnest()
    is_of_time = isinstance(seconds, exp.StrToUnix) and seconds.text("format") == UNSAID
    counted = seconds.this.unnest() if is_of_time else seconds
    path = column_path(counted, place.path_of)
    if path is None or not isinstance(pattern, exp.Literal):
        return None
    found = strict_layout(pattern.name)
    if found is None:
        return None
    layout, first_year = found
    if is_day:
        is_read = _READ_AS_DAY.match(layout.texts.pattern) is not None
        return EpochText(PeriodStart(path, Unit.DAY, Yields.DATE), is_of_time) if is_read else None
    start = PeriodStart(path, layout.unit, Yields.DATE)
    return EpochText(FormattedTime(start, layout, first_year), is_of_time)


def compare_epoch_text(
    op: Op, found: EpochText, value: LiteralValue, session: Session
) -> Predicate:
    """`text op value` as comparisons of the column; raises CannotConvert where the value is no text
    of the layout, and where the session's clock begins to read it at no one moment. Of what the
    clock skips, seconds have other texts than times without zone."""
    is_read = found.is_of_time and not session.of_zoned
    if session.time_zone is None or (is_read and session.zone != dt.UTC):
        raise CannotConvert(Reason.TIME_ZONE_UNKNOWN)
    if isinstance(found.text, PeriodStart):
        selected = compare_period(op, found.text, value, session)
    else:
        selected = compare_formatted(op, found.text, value, session)
    if found.is_of_time:
        return map_leaves(selected, _of_time)
    return map_leaves(selected, partial(_in_seconds, session))


def _of_time(leaf: PredicateLeaf) -> Predicate:
    """A comparison with a moment after the first day: those before 1970, by any clock, are cut
    towards it, which moves none across the first years, whose texts sort anywhere."""
    match leaf:
        case Comparison(op, _, (value,)) if isinstance(value, Timestamp | dt.date):
            nanos = value.nanos if isinstance(value, Timestamp) else nanos_of(value)
            if nanos > NANOS_PER_DAY or (op is Op.LT and value == _FIRST_DATE):
                return leaf
        case Comparison(Op.NOT_NULL):
            return leaf
    raise CannotConvert(Reason.FUNCTION)


def _in_seconds(session: Session, leaf: PredicateLeaf) -> Predicate:
    """A comparison with the start of a second, as the session's clock reads it, as one with its
    number."""
    match leaf:
        case Comparison(op, Column() as column, (value,)) if op is not Op.EQ:
            wall = value.nanos if isinstance(value, Timestamp) and not value.zoned else None
            if isinstance(value, dt.date):
                wall = nanos_of(value)
            if wall is not None and wall % NANOS_PER_SECOND == 0 and session.is_boundary(wall):
                return _of_number(op, column, session.instant_nanos(wall) // NANOS_PER_SECOND)
        case Comparison(Op.NOT_NULL):
            return leaf
    raise CannotConvert(Reason.FUNCTION)


def _of_number(op: Op, column: Column, seconds: int) -> Predicate:
    """`whole op seconds`, where fractions of a column are cut towards zero first: those between -1
    and 0 count as 0."""
    if seconds <= 0:
        match op:
            case Op.GT_EQ:
                return Comparison(Op.GT, column, (seconds - 1,))
            case Op.LT:
                return Comparison(Op.LT_EQ, column, (seconds - 1,))
    elif op in (Op.GT_EQ, Op.LT):
        return Comparison(op, column, (seconds,))
    if op is Op.GT:
        # Years beyond those that the calendar knows: more rows do no harm.
        return Comparison(op, column, (seconds,))
    raise CannotConvert(Reason.FUNCTION)


REWRITE = Rewrite(epoch_text, compare_epoch_text)
