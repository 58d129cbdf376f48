"""Dates that are read from the text of a time, compared with a constant: `CAST(date_format(x,
'%Y-%m-01') AS date) = DATE '2026-02-01'` is `x >= DATE '2026-02-01' AND x < DATE '2026-03-01'`, and
so is `date_parse(date_format(x, '%Y-%m'), '%Y-%m') = …`: what is read is the start of the period
that the text tells. No engine unwraps that."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass, replace

from sqlglot import exp

from collectors.predicates.calendar import Unit
from collectors.predicates.literals import LiteralValue, Timestamp
from collectors.predicates.model import Column, Predicate, Reason, any_of
from collectors.predicates.operators import Op
from collectors.sql.constants.casts import TIMESTAMPS
from collectors.sql.constants.session import Session
from collectors.sql.constants.terms import PeriodStart, Yields, cast_to_text, period_of
from collectors.sql.constants.values import CannotConvert
from collectors.sql.dialects import dialect_of
from collectors.sql.rewrites import time_texts
from collectors.sql.rewrites.date_formats import (
    FormattedTime,
    after_calendar,
    formatted_time,
    period_start,
)
from collectors.sql.rewrites.dates import compare_period
from collectors.sql.rewrites.rewrite import Place, Rewrite
from collectors.sql.text.nodes import given

_DAY = "([0-9]{4})-([0-9]{2})-([0-9]{2})"
_MINUTE = f"{_DAY} ([0-9]{{2}}):([0-9]{{2}})"
_ISO = (
    *("([0-9]{4})-01-01", "([0-9]{4})-([0-9]{2})-01", _DAY),
    *(_MINUTE, f"{_MINUTE}:([0-9]{{2}})"),
)
"""Texts of the starts of periods, as casts to dates and times read them."""
_ISO_PATTERNS = frozenset({"%Y-%m-%d", "%Y-%mstrict-%dstrict"})
"""Of Trino, and of Spark as sqlglot has it."""
_READERS = (exp.StrToTime, exp.ParseDatetime, exp.TsOrDsToDate)


@dataclass(frozen=True, slots=True)
class ReadBack:
    """The period whose start is read; `is_clear` tells that longer years are not read otherwise,
    as nothing stands between them and what follows."""

    start: PeriodStart
    is_clear: bool = True


def read_back(expression: exp.Expr, place: Place) -> ReadBack | None:
    """The period whose start an expression reads from its text; None for anything else."""
    if not dialect_of(place.dialect).has_known_functions:
        return None
    pattern = expression.args.get("format") if isinstance(expression, _READERS) else None
    if pattern is not None:
        return _by_pattern(expression, pattern, place)
    read = _read(expression, place.dialect)
    if read is None:
        return None
    operand, yields = read
    start = _iso_start(operand, place) or (
        _with_midnight(operand, place) if yields is Yields.TIMESTAMP else None
    )
    return None if start is None else ReadBack(_read_as(yields, start))


def _read_as(yields: Yields, start: PeriodStart) -> PeriodStart:
    """A period whose start is read, which is a day or longer where a date is."""
    unit = max(start.unit, Unit.DAY) if yields is Yields.DATE else start.unit
    return replace(start, unit=unit, yields=yields)


def _read(expression: exp.Expr, dialect: str) -> tuple[exp.Expr, Yields] | None:
    """The text that an expression reads as a date, or as a time, and which of them it gives; None
    for anything else. Trino's times with a zone are others."""
    period = period_of(expression, dialect)
    if period is not None:
        return (period[0].unnest(), Yields.DATE) if period[1:] == (Unit.DAY, Yields.DATE) else None
    match expression:
        case exp.Cast(this=text, to=exp.DataType(this=kind)) if kind is exp.DType.TIMESTAMP or (
            dialect_of(dialect).is_spark and kind in TIMESTAMPS
        ):
            return text.unnest(), Yields.TIMESTAMP
    return None


def _iso_start(operand: exp.Expr, place: Place) -> PeriodStart | None:
    """The period whose start a text is."""
    text = _text(operand, place)
    if text is None or text.layout.texts.pattern.replace("\\", "") not in _ISO:
        return None
    return text.start


def _with_midnight(operand: exp.Expr, place: Place) -> PeriodStart | None:
    """The day of which a text is the beginning: `concat(to_date(x), ' 00:00:00')`."""
    match operand:
        case (
            exp.Concat(expressions=[date, exp.Literal(this=" 00:00:00")])
            | exp.DPipe(this=date, expression=exp.Literal(this=" 00:00:00"))
        ):
            day = (cast_to_text(date, place.dialect) or date).unnest()
        case _:
            return None
    period = period_of(day, place.dialect)
    if period is None or period[1:] != (Unit.DAY, Yields.DATE):
        return None
    start = period_start(day, Unit.DAY, place.path_of, place.dialect)
    return start if start is not None and start.unit is Unit.DAY else None


def _text(expression: exp.Expr, place: Place) -> FormattedTime | None:
    cut = time_texts.REWRITE_CUT.find(expression, place)
    # Of what may be text, nobody knows how it is written.
    if cut is not None:
        return None if cut.prefix is not None else cut.time
    return formatted_time(expression, place)


def _by_pattern(expression: exp.Expr, pattern: exp.Expr, place: Place) -> ReadBack | None:
    """What is read by the pattern that it was written by."""
    written = expression.this.unnest()
    inner = _pattern(written)
    text = formatted_time(written, place)
    if text is None or given(expression) - {"safe"} != {"this", "format"}:
        return None
    is_iso = pattern.name in _ISO_PATTERNS and _iso_start(written, place) is not None
    if not (inner == pattern or (is_iso and text.layout.unit >= Unit.DAY)):
        return None
    is_date = isinstance(expression, exp.TsOrDsToDate)
    start = _read_as(Yields.DATE if is_date else Yields.TIMESTAMP, text.start)
    is_clear = ")(" not in text.layout.texts.pattern or dialect_of(place.dialect).has_java_time
    return ReadBack(start, is_clear)


def _pattern(written: exp.Expr) -> exp.Expr | None:
    match written:
        case exp.Anonymous(expressions=[_, pattern]):
            return pattern if isinstance(pattern, exp.Expr) else None
    found = written.args.get("format")
    return found if isinstance(found, exp.Expr) else None


def compare_read(op: Op, found: ReadBack, value: LiteralValue, session: Session) -> Predicate:
    """`date op value` as comparisons of the column; raises CannotConvert for what is no time."""
    start = found.start
    is_of_utc = session.time_zone is not None and session.zone == dt.UTC
    if not is_of_utc and (start.yields is Yields.TIMESTAMP or isinstance(value, Timestamp)):
        raise CannotConvert(Reason.TIME_ZONE_UNKNOWN)
    selected = compare_period(op, start, value, session)
    return selected if found.is_clear else any_of(selected, after_calendar(Column(start.path)))


REWRITE = Rewrite(read_back, compare_read)
