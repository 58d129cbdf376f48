"""Tests for null: `c IS NULL`, `(c = 5) IS NULL`, `c <=> 5` and IS DISTINCT FROM."""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations

from sqlglot import exp

from prunescope.collectors.predicates.calculations import Calculation
from prunescope.collectors.predicates.literals import LiteralValue
from prunescope.collectors.predicates.model import (
    Column,
    Comparison,
    Predicate,
    PredicateLeaf,
    Reason,
    any_of,
)
from prunescope.collectors.predicates.operators import Op
from prunescope.collectors.predicates.walks import map_leaves
from prunescope.collectors.sql.conditions.comparisons import compare_value
from prunescope.collectors.sql.conditions.reader import Reader
from prunescope.collectors.sql.constants.terms import PeriodStart, TimeCast, reason_for, time_column
from prunescope.collectors.sql.constants.values import CannotConvert, Null
from prunescope.collectors.sql.dialects import dialect_of
from prunescope.collectors.sql.text.boolean import Leaf, own_columns


def null_test(subject: exp.Expr, negated: bool, reader: Reader) -> Predicate:
    """`subject IS NULL`, or IS NOT NULL; raises CannotConvert."""
    subject, beside = _decides_null(subject, reader)
    found = reader.term(subject)
    column = time_column(found) if isinstance(found, Column | TimeCast) else None
    if column is None:
        raise CannotConvert(reason_for(subject))
    if negated:
        return Comparison(Op.NOT_NULL, column)
    is_cast = isinstance(found, TimeCast)
    if is_cast and any(cast.args.get("safe") for cast in subject.find_all(exp.TryCast)):
        raise CannotConvert(Reason.CAST)  # null beyond the last moment of another zone
    return Comparison(Op.IS_NULL, column, of_time=is_cast, beside=beside)


def _decides_null(subject: exp.Expr, reader: Reader) -> tuple[exp.Expr, tuple[LiteralValue, ...]]:
    """The expression that is null exactly if `subject` is, and the value beside it: for a
    comparison with a value, or its negation, the side with a column, and this value."""
    match subject:
        case exp.Paren(this=exp.Expr() as inner):
            return _decides_null(inner, reader)
        case exp.Not(this=exp.Expr() as inner):
            tested, beside = _decides_null(inner, reader)
            return tested, beside or (True,)
        case exp.EQ() | exp.NEQ() | exp.LT() | exp.LTE() | exp.GT() | exp.GTE():
            sides: tuple[exp.Expr, exp.Expr] = (subject.this, subject.expression)
            for side, other in permutations(sides):
                if own_columns(other):
                    continue
                value = reader.literal(other)
                if not isinstance(value, Null):
                    return side, (value,)
    return subject, ()


def null_safe(
    left: exp.Expr, right: exp.Expr, equal: bool, leaf: Leaf, reader: Reader
) -> Predicate:
    """`left <=> right` if `equal`, else `left IS DISTINCT FROM right`; raises CannotConvert."""
    if own_columns(right):
        if own_columns(left):
            raise CannotConvert(Reason.COLUMN_TO_COLUMN)
        left, right = right, left
    if not own_columns(left):
        raise CannotConvert(Reason.EXPRESSION)
    value = reader.literal(right)
    if isinstance(value, Null):
        return null_test(left, not equal, reader)
    found = reader.term(left)
    if not isinstance(found, Column | TimeCast | PeriodStart | Calculation):
        raise CannotConvert(reason_for(left))
    if equal:
        return _casting(compare_value(Op.EQ, found, value, leaf, reader), value, reader)
    if isinstance(found, TimeCast):
        is_null = Comparison(Op.IS_NULL, found.column, of_time=True)
        unequal = any_of(compare_value(Op.NOT_EQ, found, value, leaf, reader), is_null)
    elif isinstance(found, Column):  # of which NaN is not distinct from itself
        unequal = or_null(Comparison(Op.NOT_EQ, found, (value,)), found)
    else:
        unequal = compare_value(Op.NOT_EQ, found, value, leaf, reader)
        unequal = or_null(unequal, Column(found.path))
    return _casting(unequal, value, reader)


def _casting(predicate: Predicate, value: LiteralValue, reader: Reader) -> Predicate:
    """A predicate of a null-safe comparison with a text, marked for its cast: if Spark cannot cast
    the text, it compares with null."""
    if not isinstance(value, str) or not dialect_of(reader.session.dialect).has_java_time:
        return predicate

    def casting(part: PredicateLeaf) -> Predicate:
        if isinstance(part, Comparison) and part.values:
            return replace(part, beside=(value,))
        return part

    return map_leaves(predicate, casting)


def or_null(predicate: Predicate, column: Column) -> Predicate:
    """A condition that is also true of a column's nulls."""
    return any_of(predicate, Comparison(Op.IS_NULL, column))
