"""Readings of a column of texts by expressions: as whole numbers, or as times by a pattern."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass, replace

from sqlglot import exp

from prunescope.collectors.predicates.literals import LiteralValue, Timestamp
from prunescope.collectors.predicates.text_times import PARTS
from prunescope.collectors.sql.constants.casts import TIMESTAMPS
from prunescope.collectors.sql.constants.day_parts import WRITTEN
from prunescope.collectors.sql.constants.session import Session
from prunescope.collectors.sql.constants.time_texts import parts_of
from prunescope.collectors.sql.constants.values import Null, is_int
from prunescope.collectors.sql.dialects import dialect_of
from prunescope.collectors.sql.text.nodes import given


@dataclass(frozen=True, slots=True)
class Reading:
    """A reading of texts, by the name of the function that makes sortable texts of them
    (`time[%Y-%m-%d]`, `number`). `is_moment` if times are moments of the session's zone."""

    transform: str
    is_moment: bool = False

    @property
    def has_clock(self) -> bool:
        """True if a text has more than a day."""
        return "%H" in self.transform


NUMBER = Reading("number")
_DAYS = Reading("time[%Y-%m-%d]")
_BY_PATTERN = (exp.StrToTime, exp.StrToDate, exp.TsOrDsToDate, exp.ParseDatetime)
_READ = {"this", "format", "safe", "default_year", "target_type"}
_OF_DAYS = (exp.Date, exp.TsOrDsToDate, exp.FromISO8601Date)


def reading_of(
    expression: exp.Expr, session: Session, beside: LiteralValue | Null
) -> Reading | None:
    """The reading of a column of texts by an expression that is compared with a constant; None
    unless the expression is one function of the column's own texts, or the date of one. Raises
    CannotConvert for a pattern that engines do not read alike."""
    match expression.unnest():
        case exp.Column():
            return _of_texts(session, beside)
        case exp.Cast(this=exp.Column(), to=exp.DataType(this=kind)):
            if kind in exp.DataType.INTEGER_TYPES:
                return NUMBER
            return _DAYS if kind is exp.DType.DATE else _of_moments(kind, session)
        case (
            exp.Cast(this=exp.Expr() as inner, to=exp.DataType(this=exp.DType.DATE))
            | exp.Date(this=exp.Expr() as inner)
        ) if not isinstance(inner.unnest(), exp.Column | exp.Cast):
            found = reading_of(inner, session, beside)
            return None if found is None or found.has_clock else replace(found, is_moment=False)
        case exp.Expr(this=exp.Column(), args={"format": exp.Literal() as pattern}) as call if (
            isinstance(call, _BY_PATTERN) and given(call) <= _READ
        ):
            return _of_pattern(call, pattern, session)
        case exp.Expr(this=exp.Column()) as call if isinstance(call, _OF_DAYS) and given(call) <= {
            "this",
            "safe",
        }:
            return _DAYS
    return None


def _of_texts(session: Session, beside: LiteralValue | Null) -> Reading | None:
    """Spark's reading of texts that are compared with another type."""
    if not dialect_of(session.dialect).casts_arguments:
        return None
    if is_int(beside):
        return NUMBER
    is_time = isinstance(beside, Timestamp)
    return replace(_DAYS, is_moment=is_time) if is_time or isinstance(beside, dt.date) else None


def _of_pattern(call: exp.Expr, pattern: exp.Literal, session: Session) -> Reading | None:
    has_hive_functions = dialect_of(session.dialect).has_hive_functions
    parts = parts_of(pattern, session)
    if WRITTEN & {*parts} - {*PARTS}:
        return None
    names = [part for part in parts if part in PARTS]
    needed = {"Y", "m"} if has_hive_functions else {"Y", "m", "d"}
    if len({*names}) < len(names) or not needed <= {*names}:
        return None
    is_moment = isinstance(call, exp.ParseDatetime) or (
        isinstance(call, exp.StrToTime) and has_hive_functions
    )
    text = "".join(f"%{part}" if part in PARTS else part for part in parts)
    return Reading(f"time[{text}]", is_moment)


def _of_moments(kind: exp.DType, session: Session) -> Reading | None:
    if kind not in TIMESTAMPS:
        return None
    return replace(_DAYS, is_moment=dialect_of(session.dialect).timestamps_are_instants)
