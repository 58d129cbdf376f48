"""What Spark's planner hands to Iceberg's SparkScanBuilder, as Spark 3.5 with Iceberg 1.9 and Spark
4.1 with Iceberg 1.11 were seen to do it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from decimal import Decimal

import numpy as np
from sqlglot import exp

from collectors.predicates.calculated_kinds import widens
from collectors.predicates.calculations import Calculated
from collectors.predicates.model import (
    FALSE,
    And,
    Comparison,
    LiteralValue,
    Op,
    Or,
    Predicate,
    Reason,
    Timestamp,
    Unsupported,
    all_of,
    any_of,
)
from collectors.predicates.sql_boolean import own_columns
from collectors.predicates.sql_terms import reason_for
from collectors.tables.schema import Schema

# UnwrapCastInBinaryComparison for casts of timestamps to dates: SPARK-42597, Spark 3.5.
_UNWRAPS_DATES = (3, 5)
# The same for casts of timestamps without zone to such with one, and of dates to timestamps.
_UNWRAPS_ZONES = (4, 1)
# The same for casts of numbers to types that hold all of them: SPARK-24994, Spark 3.1.
_UNWRAPS_NUMBERS = (3, 1)
# Iceberg's own functions are pushed as transforms of columns since Spark 3.4 (Iceberg 1.4).
_PUSHES_FUNCTIONS = (3, 4)

_NUMBERS = (exp.DType.INT, exp.DType.BIGINT, exp.DType.DECIMAL, exp.DType.DOUBLE)

_COMPARISONS = (exp.EQ, exp.NEQ, exp.LT, exp.LTE, exp.GT, exp.GTE, exp.NullSafeEQ)

_PLAIN_TIMES = ("timestamp", "timestamp_ns", "date")

# Spark's NullIntolerant expressions: null if an operand is. date_trunc, trunc, coalesce,
# unix_timestamp and IN are not among them.
_NULL_INTOLERANT = (
    exp.EQ,
    exp.NEQ,
    exp.LT,
    exp.LTE,
    exp.GT,
    exp.GTE,
    exp.Between,
    exp.Like,
    exp.Escape,
    exp.RegexpLike,
    exp.StartsWith,
    exp.EndsWith,
    exp.Contains,
    exp.ArrayContains,
    exp.Not,
    exp.Paren,
    exp.Neg,
    exp.Abs,
    exp.Add,
    exp.Sub,
    exp.Mul,
    exp.Div,
    exp.Mod,
    exp.Cast,
    exp.Date,
    exp.TsOrDsToDate,
    exp.TimeStrToTime,
    exp.TsOrDsToTimestamp,
    exp.Lower,
    exp.Upper,
    exp.Substring,
    exp.Year,
    exp.Month,
    exp.Day,
    exp.DateDiff,
    exp.TsOrDsAdd,
    exp.TimeToStr,
)


def refusal(condition: exp.Expr, version: tuple[int, ...]) -> Reason | None:
    """Why Spark keeps a condition to itself: it translates only comparisons, IN, null checks
    and prefixes of plain columns and nested fields, of a timestamp that is cast to a date, and
    of Iceberg's own functions (V2ExpressionBuilder, Spark 3.5)."""
    match condition:
        case exp.Between(this=operand) | exp.In(this=operand) | exp.Is(this=operand):
            return _refused_term(operand, version)
        case exp.Escape():
            return Reason.LIKE_PATTERN
        case exp.Like(this=operand, expression=pattern):
            if any(mark in pattern.name for mark in "_\\"):  # LikeSimplification gives up
                return Reason.LIKE_PATTERN
            return _refused_term(operand, version)
        case exp.StartsWith(this=operand):
            return _refused_term(operand, version)
        case exp.IsNan():
            return Reason.FUNCTION
    if isinstance(condition, _COMPARISONS):
        sides = [side for side in (condition.this, condition.expression) if own_columns(side)]
        return next((r for side in sides if (r := _refused_term(side, version))), None)
    return None


def _refused_term(operand: exp.Expr, version: tuple[int, ...]) -> Reason | None:
    match operand.unnest():
        case exp.Cast(this=inner, to=exp.DataType(this=exp.DType.DATE)):
            refused = _refused_term(inner, version)
        case exp.Date(this=exp.Expr() as inner) | exp.TsOrDsToDate(this=inner):
            refused = _refused_term(inner, version)
        case exp.Cast(this=inner, to=target) if target.this in _NUMBERS:
            if version and version < _UNWRAPS_NUMBERS:
                return Reason.CAST
            return _refused_term(inner, version)  # of the rest, `typed` decides
        case exp.Dot(expression=exp.Anonymous()):
            return Reason.FUNCTION if version and version < _PUSHES_FUNCTIONS else None
        case exp.Column() | exp.Dot():
            return None
        case other:
            return reason_for(other) if own_columns(other) else None
    return Reason.CAST if version and version < _UNWRAPS_DATES else refused


def never_null(condition: exp.Expr) -> Iterator[exp.Column | exp.Dot]:
    """The columns and nested fields that cannot be null where the condition is true, as far as
    Spark infers it (InferFiltersFromConstraints); it pushes IS NOT NULL for them."""
    match condition:
        case exp.Column() | exp.Dot(expression=exp.Identifier()):
            yield condition
        case exp.In(this=operand, expressions=[_]):  # rewritten to a comparison
            yield from never_null(operand)
        case exp.Expr() if isinstance(condition, _NULL_INTOLERANT):
            for operand in condition.iter_expressions():
                yield from never_null(operand)


def typed(predicate: Predicate, schema: Schema, version: tuple[int, ...]) -> Predicate:
    """An unbound predicate as Spark pushes it for columns of these types.

    Spark casts the column, not the literal, where a TIMESTAMP literal (it has a zone, unless
    spark.sql.timestampType says otherwise) meets a date or a column without zone. Spark 4.1 undoes
    that, but for IN of several values (4.1.4 was seen to). A literal that has no zone itself, such
    as a TIMESTAMP_NTZ, is pushed by all. Casts of numbers that hold all of them are undone, and
    decimals that are compared with text or doubles are cast to doubles. `= false` is pushed as
    NOT (… = true), `= NaN` as is_nan, and a float that equals no such literal folds to false.
    """
    match predicate:
        case And(children):
            return all_of(*(typed(child, schema, version) for child in children))
        case Or(children):
            return any_of(*(typed(child, schema, version) for child in children))
        case Unsupported(calculated=Calculated(calculation=calculation)):
            columns = schema.by_path(calculation.path)
            if len(columns) != 1 or not widens(calculation.steps, columns[0].type):
                return replace(predicate, calculated=None)
        case Comparison(op, column, values):
            found = schema.by_path(column.path)
            kind = found[0].type if len(found) == 1 else None
            casts = len(values) > 1 or (version and version < _UNWRAPS_ZONES)
            if kind in _PLAIN_TIMES and casts and _has_timestamp(values, kind):
                return Unsupported(Reason.CAST, str(column), str(column), (".".join(column.path),))
            if kind is not None and kind.startswith("decimal") and _has_double(values):
                return Unsupported(Reason.CAST, str(column), str(column), (".".join(column.path),))
            if kind == "boolean" and op is Op.EQ and values == (False,):
                return Comparison(Op.NOT_EQ, column, (True,))
            if kind == "float" and op is Op.EQ and _is_no_float(values[0]):
                return FALSE
            if kind in ("float", "double") and op is Op.EQ and values == ("NaN",):
                return Comparison(Op.IS_NAN, column)
    return predicate


def _has_timestamp(values: Sequence[LiteralValue], kind: str) -> bool:
    """Whether a value is a timestamp of another type than the column."""
    return any(
        isinstance(value, Timestamp) and (kind == "date" or not value.is_ntz) for value in values
    )


def _has_double(values: Sequence[LiteralValue]) -> bool:
    return any(isinstance(value, str | float) for value in values)


def _is_no_float(value: object) -> bool:
    with np.errstate(over="ignore"):  # beyond the largest float is infinity, and no float
        return isinstance(value, Decimal) and float(np.float32(float(value))) != float(value)
