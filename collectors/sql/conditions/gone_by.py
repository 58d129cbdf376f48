"""The time between a column and a constant, as a difference that is compared with a constant, as
conditions on the column: `unix_timestamp() - unix_timestamp(ts) < 86400` is `unix_timestamp(ts) >
unix_timestamp() - 86400`, and `current_timestamp - ts < INTERVAL '1' DAY` is `ts >
current_timestamp - INTERVAL '1' DAY`. No engine moves a constant to the other side.

Quotients are rounded or cut, and Trino has intervals of whole milliseconds: ranges have more room
then. Of dates, a difference is of whole days.
"""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from decimal import Decimal
from math import isfinite

from sqlglot import exp

from collectors.predicates.calendar import Interval
from collectors.predicates.instants import parse_zone
from collectors.predicates.literals import Timestamp
from collectors.sql.conditions.leaf_rewrite import Around, LeafRewrite, Replacement
from collectors.sql.conditions.sides import FLIPPED, OR_EQUAL
from collectors.sql.constants.folding import fold
from collectors.sql.constants.session import Session
from collectors.sql.constants.values import CannotConvert
from collectors.sql.dialects import dialect_of
from collectors.sql.text.boolean import Leaf, own_columns

_SECONDS = (exp.StrToUnix, exp.UnixSeconds, exp.TimeToUnix)
_NUMBERS = frozenset({exp.DType.BIGINT, exp.DType.DOUBLE})
_A_SECOND = exp.Interval(this=exp.Literal.string("1"), unit=exp.Var(this="SECOND"))


@dataclass(frozen=True, slots=True, eq=False)
class _Difference:
    """How a column's time compares with what it would be if the difference were that of the other
    side; with `is_until`, that is the time from it to the constant. `divisor` is what the
    difference is divided by."""

    kind: type[exp.Expr]
    operand: exp.Expr
    constant: exp.Expr
    other: exp.Expr
    is_until: bool
    divisor: exp.Expr | None


def may_be_difference(subject: exp.Expr) -> bool:
    """Whether an expression may be the time between a column and a constant, or a part of it."""
    subject = subject.unnest()
    if isinstance(subject, exp.Div | exp.IntDiv):
        return isinstance(subject.this.unnest(), exp.Sub)
    return isinstance(subject, exp.Sub)


def gone_by(leaf: Leaf, around: Around) -> Replacement | None:
    """What a leaf says of the column of the difference that it compares; None for any other leaf,
    and where a side is no constant that is known."""
    found = None if leaf.negated else _difference(leaf.expression)
    if found is None or not dialect_of(around.session.dialect).is_measured:
        return None
    try:
        is_span = isinstance(fold(found.other, around.session), Interval)
        time = _of_interval(found, around) if is_span else _of_seconds(found, around)
    except CannotConvert:
        return None
    return None if time is None else Replacement(time, is_all=False, is_made=True)


def _difference(comparison: exp.Expr) -> _Difference | None:
    kind = type(comparison)
    if kind not in OR_EQUAL:
        return None
    subject, other = comparison.this.unnest(), comparison.expression.unnest()
    if own_columns(other):
        subject, other, kind = other, subject, FLIPPED[kind]
    if not may_be_difference(subject):
        return None
    divisor = None
    if not isinstance(subject, exp.Sub):
        subject, divisor = subject.this.unnest(), subject.expression
    operand, constant = subject.this.unnest(), subject.expression.unnest()
    is_until = not own_columns(operand)
    if is_until:
        operand, constant, kind = constant, operand, FLIPPED[kind]
    others = (constant, other) if divisor is None else (constant, other, divisor)
    if any(map(own_columns, others)) or not own_columns(operand):
        return None
    return _Difference(kind, operand, constant, other, is_until, divisor)


def _of_seconds(found: _Difference, around: Around) -> Leaf | None:
    since, span = (_number(part, around) for part in (found.constant, found.other))
    parts = Decimal(1) if found.divisor is None else _number(found.divisor, around)
    seconds = _seconds(found.operand, around)
    if since is None or span is None or parts is None or parts < 1 or seconds is None:
        return None
    kind = found.kind
    end = since - span * parts if found.is_until else since + span * parts
    # Doubles that are near to each other have an exact difference.
    if parts > 1 or abs(span) * 2 > abs(since):
        kind = OR_EQUAL[kind]
        end += parts if kind is exp.LTE else -parts
    if seconds is not found.operand:
        kind, end = OR_EQUAL[kind], Decimal(int(end // 1))
    return Leaf(kind(this=seconds.copy(), expression=exp.Literal.number(f"{end:f}")), False)


def _seconds(operand: exp.Expr, around: Around) -> exp.Expr | None:
    """The seconds since 1970 that an expression is, or the whole ones of them; None for others."""
    if isinstance(operand, _SECONDS):
        return operand
    match operand:
        case exp.Cast(this=time, to=exp.DataType(this=kind)) if kind in _NUMBERS:
            is_time = (around.type_of(time) or "").startswith("timestamp")
            is_spark = dialect_of(around.session.dialect).is_spark
            return exp.UnixSeconds(this=time.copy()) if is_time and is_spark else None
    return None


def _number(constant: exp.Expr, around: Around) -> Decimal | None:
    value = fold(constant, around.session)
    if isinstance(value, bool) or not isinstance(value, int | float | Decimal):
        return None
    return Decimal(value) if isfinite(value) else None


def _of_interval(found: _Difference, around: Around) -> Leaf | None:
    since, span = fold(found.constant, around.session), fold(found.other, around.session)
    if not isinstance(since, dt.date | Timestamp) or found.divisor is not None:
        return None
    if not isinstance(span, Interval) or span.months or not _counts_alike(around.session):
        return None
    moved = exp.Sub if found.is_until else exp.Add
    end: exp.Expr = moved(this=found.constant.copy(), expression=found.other.copy())
    are_days = isinstance(since, dt.date) and around.type_of(found.operand) == "date"
    if found.kind in (exp.LTE, exp.GTE) and not are_days:
        if isinstance(since, dt.date):
            return None
        wider = exp.Add if found.kind is exp.LTE else exp.Sub
        end = wider(this=end, expression=_A_SECOND.copy())
    return Leaf(found.kind(this=found.operand.copy(), expression=end), False)


def _counts_alike(session: Session) -> bool:
    """Whether days are as long as 24 hours: Spark counts those of the session's zone."""
    if not dialect_of(session.dialect).is_spark:
        return True
    return session.time_zone is not None and parse_zone(session.time_zone) == dt.UTC


REWRITE = LeafRewrite(
    may_concern=lambda subject, *_: may_be_difference(subject),
    replace=gone_by,
)
