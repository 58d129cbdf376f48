"""Columns of which Spark infers IS NOT NULL from a condition that holds, as Spark 3.5 and 4.1 were
seen to do it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from sqlglot import exp

from prunescope.collectors.sql.constants.arithmetic import is_written_beyond_whole
from prunescope.collectors.sql.planners.spark_functions import (
    FUNCTIONS,
    NAMED,
    OF_ONE_OPERAND,
    OPERATORS,
)
from prunescope.collectors.sql.text.boolean import Leaf, own_columns
from prunescope.collectors.sql.text.parser import IS_INSTR


def never_null(leaf: Leaf) -> Iterator[exp.Column | exp.Dot]:
    """The columns and nested fields that cannot be null where the condition is true, as far as
    Spark infers it (InferFiltersFromConstraints); it pushes IS NOT NULL for them."""
    condition, negated = leaf.expression, leaf.negated
    match condition:
        case _ if leaf.is_above:
            return
        case exp.Like(expression=exp.Any() | exp.All()):
            return
        case exp.Escape(this=exp.Like(this=text)):
            yield from never_null(Leaf(text, negated=False))
        case exp.TsOrDsToDate() if condition.args.get("format"):
            return
        case exp.Floor() | exp.Ceil() if condition.args.get("decimals"):
            return
        case exp.Like() | exp.ILike() | exp.Between() | exp.EQ() | exp.NEQ() if _is_either(
            condition, negated=negated != bool(condition.args.get("negate"))
        ):
            return
        case exp.LT() | exp.LTE() | exp.GT() | exp.GTE() | exp.Between() if _is_of_all(condition):
            return
        case exp.Column() | exp.Dot(expression=exp.Identifier()):
            yield condition
        case exp.StrPosition() if not condition.meta.get(IS_INSTR):
            return  # locate() and position() are null-safe: they make 0 of a start that is null
        case exp.In(this=operand, expressions=[only]) if not isinstance(
            only, exp.Query | exp.Values
        ):
            # It is rewritten to a comparison.
            yield from never_null(Leaf(operand, negated=False))
        case exp.Expr() if _is_null_intolerant(condition):
            for operand in condition.iter_expressions():
                yield from never_null(Leaf(operand, negated=False))


def _is_null_intolerant(condition: exp.Expr) -> bool:
    if isinstance(condition, exp.Anonymous):
        name = condition.name.lower()
        is_known = name not in OF_ONE_OPERAND or len(condition.expressions) == 1
        return name in NAMED and is_known
    return isinstance(condition, (*OPERATORS, *FUNCTIONS))


def _is_either(condition: exp.Expr, *, negated: bool) -> bool:
    """True if a condition, or its negation, is an OR for Spark when it infers: of the two ends of a
    range, of a day, or of a pattern's beginning and end."""
    match condition:
        case exp.Between():
            return negated
        case exp.EQ() | exp.NEQ():
            is_unequal = isinstance(condition, exp.NEQ) is not negated
            sides = (condition.this, condition.expression)
            return is_unequal and any(is_date(side) and own_columns(side) for side in sides)
        case exp.Like(expression=pattern) | exp.ILike(expression=pattern):
            return negated and re.fullmatch("[^%_]+%+[^%_]+", pattern.name) is not None
    return False


def _is_of_all(comparison: exp.Expr) -> bool:
    """True if Spark folds a comparison of a calculation to TRUE or FALSE if that is a whole number:
    the other sides are exact numbers that none reaches. (Types of columns are known: `spark`.)"""
    sides = [comparison.args.get(name) for name in ("this", "expression", "low", "high")]
    others = [side for side in sides if isinstance(side, exp.Expr)]
    subjects = [side.unnest() for side in others if own_columns(side)]
    is_bare = any(isinstance(subject, exp.Column | exp.Dot) for subject in subjects)
    return not is_bare and len([s for s in others if is_written_beyond_whole(s)]) == len(others) - 1


def is_date(operand: exp.Expr) -> bool:
    """True if a term is cast to a date."""
    match operand.unnest():
        case exp.Cast(to=exp.DataType(this=exp.DType.DATE)) | exp.Date() | exp.TsOrDsToDate():
            return True
    return False
