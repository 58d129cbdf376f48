"""Truths of conditions for sets of values: comparisons, of rows as well, AND, OR, NOT and IS."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlglot import exp

from prunescope.collectors.predicates.calendar import nanos_of
from prunescope.collectors.predicates.literals import Timestamp, is_nan
from prunescope.collectors.sql.constants.calls import HOLDS, compared
from prunescope.collectors.sql.constants.numbers import is_beyond_decimals
from prunescope.collectors.sql.constants.session import Session
from prunescope.collectors.sql.constants.values import CannotConvert, Folded, Whole
from prunescope.collectors.sql.dialect import Dialect
from prunescope.collectors.sql.dialects import dialect_of
from prunescope.collectors.sql.functions.clocks import MARGIN
from prunescope.collectors.sql.functions.spans import (
    EITHER,
    FALSE,
    NOTHING,
    TRUE,
    UNKNOWN,
    Span,
    are_of_one_kind,
    is_number,
    may_have,
)

Path = tuple[str, ...]
Given = Mapping[Path, Span | None]
"""The values that columns may have, by their paths; None for any value."""
Evaluate = Callable[[Given], Span | None]
"""All values of an expression; None if they are unknown."""

_ORDERED = (str, dt.date, int, Whole)
"""Types whose values Python orders as all engines do."""


def logic(kind: type[exp.Expr], parts: Sequence[Evaluate]) -> Evaluate:
    """The parts connected by AND or OR, or the one part under NOT."""
    decided = TRUE if kind is exp.Or else FALSE

    def negated(given: Given) -> Span | None:
        found = parts[0](given) or UNKNOWN
        if found.is_empty:
            return found
        if not isinstance(found.low, bool):
            return UNKNOWN  # of what is cast to a truth
        return Span(not found.high, not found.low, null=found.null)

    def connected(given: Given) -> Span | None:
        found = None
        for part in parts:
            one = part(given) or UNKNOWN
            if one == decided:
                return one
            found = one if found is None else _both(found, one, is_or=decided is TRUE)
        return found

    return negated if kind is exp.Not else connected


def _both(one: Span, other: Span, *, is_or: bool) -> Span:
    """OR or AND of two sets of the three truths."""
    truths = {
        _either(a, b) if is_or else _every(a, b) for a in _truths(one) for b in _truths(other)
    }
    known = truths - {None}
    if not known:
        return NOTHING
    return Span(False not in known, True in known, null=None in truths)


def _truths(span: Span) -> set[bool | None]:
    found: set[bool | None] = set()
    if not span.is_empty:
        if not isinstance(span.low, bool):
            return {True, False, None}  # of what is cast to a truth
        found = {bool(span.low), bool(span.high)}
    return found | {None} if span.null or span.is_empty else found


def _either(a: bool | None, b: bool | None) -> bool | None:
    if a or b:
        return True
    return None if a is None or b is None else False


def _every(a: bool | None, b: bool | None) -> bool | None:
    if a is False or b is False:
        return False
    return None if a is None or b is None else True


def comparison(
    kind: type[exp.Expr], one: Span, other: Span, session: Session, *, orders_nan: bool
) -> Span:
    """The truths of a comparison between the values of two spans."""
    is_plain = type(one.low) is type(other.low) and type(one.low) in _ORDERED
    if not is_plain and (is_nan(one.low) or is_nan(other.low)):
        is_ieee = dialect_of(session.dialect).has_ieee_doubles and not orders_nan
        return _with_nan(kind, one, other, is_ordered=not is_ieee, is_known=is_ieee or orders_nan)
    if one.is_empty or other.is_empty:
        return NOTHING
    if not is_plain and not _are_comparable(one.low, other.low):
        return UNKNOWN  # of casts, which may give null
    if kind in (exp.GT, exp.GTE):
        one, other = other, one
        kind = exp.LT if kind is exp.GT else exp.LTE
    if kind in (exp.LT, exp.LTE):
        found = _ordered(kind, one, other, session)
    else:
        found = _equal(one, other, session)
        if kind is exp.NEQ and found is not EITHER:
            found = FALSE if found is TRUE else TRUE
    return found.or_null(one.null or other.null or _may_overflow(one.low, other.low, session))


def _may_overflow(one: Folded, other: Folded, session: Session) -> bool:
    """True if Spark may turn a number into NULL before it compares it with another one."""
    dialect = dialect_of(session.dialect)
    if not dialect.nulls_wide_numbers or not (is_number(one) and is_number(other)):
        return False
    return is_beyond_decimals(one, other, dialect)


def _are_comparable(one: Folded, other: Folded) -> bool:
    times = (Timestamp, dt.date)
    return are_of_one_kind((one, other)) or (isinstance(one, times) and isinstance(other, times))


def _with_nan(
    kind: type[exp.Expr], one: Span, other: Span, *, is_ordered: bool, is_known: bool
) -> Span:
    """A comparison with NaN: greater than any number and equal to itself if `is_ordered`, and
    otherwise unordered."""
    if one.is_empty or other.is_empty:
        return NOTHING
    if not (one.is_point and other.is_point):
        return UNKNOWN
    of_ieee = kind is exp.NEQ
    in_order = HOLDS[kind](is_nan(one.low) - is_nan(other.low))
    if not is_known and of_ieee != in_order:
        return EITHER
    return TRUE if (in_order if is_ordered else of_ieee) else FALSE


def _ordered(kind: type[exp.Expr], one: Span, other: Span, session: Session) -> Span:
    if _holds(kind, one.high, other.low, session) is True:
        return TRUE
    return FALSE if _holds(kind, one.low, other.high, session) is False else EITHER


def _equal(one: Span, other: Span, session: Session) -> Span:
    if one.is_point and other.is_point:
        is_equal = _holds(exp.EQ, one.low, other.low, session)
        return EITHER if is_equal is None else TRUE if is_equal else FALSE
    if (
        _holds(exp.LT, one.high, other.low, session) is True
        or _holds(exp.LT, other.high, one.low, session) is True
        or not (_may_have(one, other) and _may_have(other, one))
    ):
        return FALSE
    return EITHER


def _holds(test: type[exp.Expr], left: Any, right: Any, session: Session) -> object:
    """True if a comparison of two values is true; None if that is unknown."""
    if type(left) is type(right) and type(left) in _ORDERED:
        return HOLDS[test]((left > right) - (left < right))
    order = _apart(left, right)
    if order is not None:
        return HOLDS[test](order)
    try:
        return compared(test, left, right, session)
    except (CannotConvert, ValueError, ArithmeticError):
        return None


def _apart(left: Folded, right: Folded) -> int | None:
    """The order of two times that differ by more than clocks do; None for others."""
    if not isinstance(left, Timestamp | dt.date) or not isinstance(right, Timestamp | dt.date):
        return None
    nanos = [
        each.nanos if isinstance(each, Timestamp) else nanos_of(each) for each in (left, right)
    ]
    distance = nanos[0] - nanos[1]
    return None if abs(distance) <= MARGIN else 1 if distance > 0 else -1


def _may_have(span: Span, other: Span) -> bool:
    """False if another span is one value that the span cannot have."""
    return not other.is_point or may_have(span, other.low)


def is_null(subject: Evaluate) -> Evaluate:
    """IS NULL."""

    def evaluate(given: Given) -> Span | None:
        found = subject(given)
        if found is None:
            return EITHER
        if found.is_empty:
            return TRUE
        return EITHER if found.null else FALSE

    return evaluate


def is_truth(subject: Evaluate, *, wanted: bool) -> Evaluate:
    """IS TRUE or IS FALSE."""

    def evaluate(given: Given) -> Span | None:
        truths = {each is wanted for each in _truths(subject(given) or UNKNOWN)}
        return Span(False not in truths, True in truths)

    return evaluate


_STRICT: Mapping[type[exp.Expr], type[exp.Expr]] = {exp.LTE: exp.LT, exp.GTE: exp.GT}


@dataclass(frozen=True, slots=True)
class Pair:
    """Two compared values, and the truths of their comparison for each operator."""

    left: Evaluate
    right: Evaluate
    compared: Callable[[type[exp.Expr]], Evaluate]


def same(pair: Pair) -> Evaluate:
    """IS NOT DISTINCT FROM: nulls are equal to each other."""
    both = logic(exp.And, [is_null(pair.left), is_null(pair.right)])
    return logic(exp.Or, [is_truth(pair.compared(exp.EQ), wanted=True), both])


def rows_compared(kind: type[exp.Expr], pairs: Sequence[Pair], dialect: Dialect) -> Evaluate | None:
    """A comparison of rows, by the first values that differ; None if its result is unknown."""
    orders_nulls = dialect.rows_order_nulls
    equal = [same(pair) if orders_nulls else pair.compared(exp.EQ) for pair in pairs]
    if kind in (exp.EQ, exp.NEQ):
        found = logic(exp.And, equal)
        return logic(exp.Not, [found]) if kind is exp.NEQ else found
    if not (orders_nulls or dialect.has_standard_rows):
        return None  # which may order nulls
    found = _before(kind, pairs[-1], dialect)
    for pair, is_equal in zip(pairs[-2::-1], equal[-2::-1], strict=True):
        first = _before(_STRICT.get(kind, kind), pair, dialect)
        found = logic(exp.Or, [first, logic(exp.And, [is_equal, found])])
    return found


def _before(kind: type[exp.Expr], pair: Pair, dialect: Dialect) -> Evaluate:
    """The truths of an order of two values in rows. Spark sorts NULL first, and DuckDB last."""
    found = pair.compared(kind)
    if not dialect.rows_order_nulls:
        return found
    nulls = [is_null(pair.left), is_null(pair.right)]
    if (kind in (exp.LT, exp.LTE)) is not dialect.nulls_are_least:
        nulls.reverse()
    one_alone = logic(exp.And, [nulls[0], logic(exp.Not, [nulls[1]])])
    each = [is_truth(found, wanted=True), one_alone]
    if kind in _STRICT:
        each.append(logic(exp.And, nulls))
    return logic(exp.Or, each)
