"""Terms: the column, its Iceberg transform, its cast to a timestamp, or the start of its calendar
period that one side of a SQL comparison is."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum, auto

from sqlglot import exp

from prunescope.collectors.predicates.calendar import Unit, unit_named
from prunescope.collectors.predicates.model import Column, Reason
from prunescope.collectors.sql.constants.casts import TIMESTAMPS
from prunescope.collectors.sql.constants.values import CannotConvert
from prunescope.collectors.sql.dialects import dialect_of
from prunescope.collectors.sql.text.boolean import nested_queries, own_columns
from prunescope.collectors.sql.text.nodes import given

# The path of a column within its table, or None if the column is not one of the table's.
PathOf = Callable[[exp.Column], tuple[str, ...] | None]

# Iceberg's SQL functions in Spark (Iceberg 1.11, SparkFunctions) by transform.
_SPARK_TRANSFORMS = {"years": "year", "months": "month", "days": "day", "hours": "hour"}
_SIZED_TRANSFORMS = ("bucket", "truncate")


class Yields(Enum):
    """The type of a period's start in SQL."""

    DATE = auto()
    TIMESTAMP = auto()
    YEAR_NUMBER = auto()


@dataclass(frozen=True, slots=True)
class PeriodStart:
    """The start of the `unit` that holds a date or timestamp column, after its time is rounded to
    so many nanoseconds, halves up (0 for no rounding)."""

    path: tuple[str, ...]
    unit: Unit
    yields: Yields
    rounding: int = 0


@dataclass(frozen=True, slots=True)
class TimeCast:
    """A column that is cast to a timestamp, which leaves only dates and timestamps unchanged."""

    column: Column


Term = Column | PeriodStart | TimeCast

_TEXTS = (exp.DType.VARCHAR, exp.DType.TEXT)
_LOOKED_THROUGH = (exp.In, exp.Exists, exp.Any, exp.All)


def term(expression: object, path_of: PathOf, dialect: str) -> Term:
    """The term of an expression over one column; raises CannotConvert with the reason. The
    expression may be missing, because the parser accepts calls without arguments."""
    if not isinstance(expression, exp.Expr):
        raise CannotConvert(Reason.EXPRESSION)
    expression = expression.unnest()
    if isinstance(expression, exp.Column | exp.Dot):
        path = column_path(expression, path_of)
        return _transform(expression, path_of) if path is None else Column(path)
    period = period_of(expression, dialect)
    if period is not None:
        operand, unit, yields = period
        inner = term(operand, path_of, dialect)
        # What Trino truncates of a date is one.
        is_date = isinstance(inner, PeriodStart) and inner.yields is Yields.DATE
        if is_date and yields is Yields.TIMESTAMP and dialect_of(dialect).truncates_dates:
            yields = Yields.DATE
        return _within(unit, yields, inner)
    if _is_timestamp_cast(expression, dialect):
        inner = term(expression.this, path_of, dialect)
        if isinstance(inner, TimeCast):
            return inner
        if isinstance(inner, Column) and inner.transform is None:
            return TimeCast(inner)
        if isinstance(inner, PeriodStart) and inner.yields is not Yields.YEAR_NUMBER:
            return PeriodStart(inner.path, inner.unit, Yields.TIMESTAMP)
    raise CannotConvert(reason_for(expression))


def column_path(expression: exp.Expr, path_of: PathOf) -> tuple[str, ...] | None:
    """The path of a column or of a field deep within one; None for other expressions."""
    match expression:
        case exp.Column():
            return path_of(expression)
        case exp.Dot(this=parent, expression=exp.Identifier() as field):
            path = column_path(parent, path_of)
            return None if path is None else (*path, field.name)
    return None


def cast_to_text(expression: exp.Expr, dialect: str) -> exp.Expr | None:
    """The operand of a cast to text of any length; None for other expressions."""
    match expression:
        case exp.Cast(this=operand, to=exp.DataType(this=kind, expressions=[])):
            is_text = kind in _TEXTS and dialect_of(dialect).has_known_functions
            return operand if is_text and not expression.args.get("format") else None
    return None


def reason_of_queries(queries: Sequence[exp.Query]) -> Reason:
    """The reason why an expression with queries is not constant: either their rows are searched, or
    the single value of each is used."""
    is_listed = any(isinstance(query.parent, _LOOKED_THROUGH) for query in queries)
    return Reason.SUBQUERY if is_listed else Reason.SUBQUERY_VALUE


def reason_for(expression: exp.Expr) -> Reason:
    """The reason why an expression on a column is no term."""
    if queries := nested_queries(expression):
        return reason_of_queries(queries)
    match expression.unnest():
        case exp.Cast():
            return Reason.CAST
        case exp.Neg() | exp.Add() | exp.Sub() | exp.Mul() | exp.Div() | exp.Mod() | exp.IntDiv():
            return Reason.ARITHMETIC
        case exp.ILike():
            return Reason.LIKE_PATTERN
        case exp.Func() | exp.Case() | exp.DPipe() | exp.AtTimeZone():
            return Reason.FUNCTION
    return Reason.EXPRESSION


def _transform(expression: exp.Expr, path_of: PathOf) -> Column:
    match expression:
        case exp.Dot(this=namespace, expression=exp.Anonymous(this=name, expressions=arguments)):
            schema = namespace.expression if isinstance(namespace, exp.Dot) else namespace
            path = column_path(arguments[-1], path_of) if arguments else None
            if schema.name.lower() == "system" and path is not None:
                return Column(path, _transform_name(name.lower(), arguments[:-1]))
            raise CannotConvert(Reason.FUNCTION)
    raise CannotConvert(Reason.EXPRESSION)


def _transform_name(name: str, parameters: list[exp.Expr]) -> str:
    match parameters:
        case [] if name in _SPARK_TRANSFORMS:
            return _SPARK_TRANSFORMS[name]
        case [exp.Literal() as width] if name in _SIZED_TRANSFORMS and width.is_int:
            return f"{name}[{int(width.name)}]"
    raise CannotConvert(Reason.FUNCTION)


def period_of(expression: exp.Expr, dialect: str) -> tuple[exp.Expr, Unit, Yields] | None:
    """The operand, unit and result type of an expression that truncates to a period; None for
    others."""
    match expression:
        case exp.Cast(this=operand, to=exp.DataType(this=exp.DType.DATE)):
            return operand, Unit.DAY, Yields.DATE
        case exp.Date(this=exp.Expr() as operand) if given(expression) == {"this"}:
            return operand, Unit.DAY, Yields.DATE
        case exp.TsOrDsToDate(this=operand) if given(expression) <= {"this", "safe"}:
            return operand, Unit.DAY, Yields.DATE
        case exp.Year(this=operand):
            return operand, Unit.YEAR, Yields.YEAR_NUMBER
        case exp.Extract(this=exp.Expr() as field, expression=exp.Expr() as operand) if (
            field.name.upper() == "DATE"
        ):
            return operand, Unit.DAY, Yields.DATE
        case exp.Extract(this=exp.Expr() as field, expression=operand):
            is_year = field.name.upper() == "YEAR"
            return (operand, Unit.YEAR, Yields.YEAR_NUMBER) if is_year else None
        case (
            exp.TimestampTrunc(this=operand)
            | exp.DateTrunc(this=operand)
            | exp.DatetimeTrunc(this=operand)
        ):
            unit = unit_named(expression.text("unit"))
            if unit is None or expression.args.get("zone"):
                return None
            if unit is Unit.WEEK and not dialect_of(dialect).weeks_from_monday:
                return None
            # Spark's trunc(), which gives a date, is a DateTrunc; date_trunc() is the other.
            is_date = (
                isinstance(expression, exp.DateTrunc) and dialect_of(dialect).has_hive_functions
            )
            return operand, unit, Yields.DATE if is_date else Yields.TIMESTAMP
    return None


def _within(unit: Unit, yields: Yields, inner: Term) -> PeriodStart:
    """A truncation of a column, or of another truncation of one."""
    column = time_column(inner)
    if column is not None:
        return PeriodStart(column.path, unit, yields)
    if not isinstance(inner, PeriodStart):
        raise CannotConvert(Reason.FUNCTION)
    if inner.yields is Yields.YEAR_NUMBER:
        raise CannotConvert(Reason.FUNCTION)
    finer, coarser = sorted((unit, inner.unit))
    if finer > Unit.DAY and finer != coarser:  # weeks do not nest in months
        raise CannotConvert(Reason.FUNCTION)
    return PeriodStart(inner.path, coarser, yields)


def time_column(found: Term) -> Column | None:
    """The column of a term that is a bare column or cast to a timestamp; None for other terms."""
    column = found.column if isinstance(found, TimeCast) else found
    return column if isinstance(column, Column) and column.transform is None else None


def _is_timestamp_cast(expression: exp.Expr, dialect: str) -> bool:
    """True if a cast keeps the order of dates and timestamps: Spark's casts do. Trino's rounds to
    milliseconds by default."""
    if not isinstance(expression, exp.Cast) or not dialect_of(dialect).timestamps_are_instants:
        return False
    return expression.to.this in TIMESTAMPS


def columns_of(expression: exp.Expr, path_of: PathOf) -> tuple[str, ...]:
    """The distinct dotted names of the table's columns in an expression, outside nested
    queries."""
    paths = (path_of(column) for column in own_columns(expression))
    return tuple(dict.fromkeys(".".join(path) for path in paths if path is not None))
