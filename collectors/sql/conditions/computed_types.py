"""The Iceberg types of computed expressions, and texts beside dates and times, which engines cast
to the type of the other side before they look at columns.

Types are those of Spark's functions (4.1); for dates and times elsewhere, they are from the SQL
references of Snowflake, BigQuery and DuckDB."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from sqlglot import exp

from prunescope.collectors.predicates.calendar import Interval, Unit, unit_named
from prunescope.collectors.predicates.instants import day_beginning
from prunescope.collectors.predicates.literals import LiteralValue
from prunescope.collectors.sql.constants.session import Session
from prunescope.collectors.sql.constants.values import CannotConvert, Null
from prunescope.collectors.sql.dialects import dialect_of
from prunescope.collectors.sql.functions.folding import fold, literal
from prunescope.collectors.sql.text.boolean import Leaf, own_columns
from prunescope.collectors.sql.text.cases import parts_of

TypeOf = Callable[[exp.Expr], str | None]
"""The type of a column; None for other expressions, and if it is unknown."""

NULL = "null"
"""The type of NULL, which takes any other."""

DATE, PLAIN, ZONED = "date", "timestamp", "timestamptz"
CAST_TYPES = {
    exp.DType.BOOLEAN: "boolean",
    exp.DType.INT: "int",
    exp.DType.BIGINT: "long",
    exp.DType.FLOAT: "float",
    exp.DType.DOUBLE: "double",
    exp.DType.DATE: DATE,
    **dict.fromkeys((exp.DType.TIMESTAMP, exp.DType.TIMESTAMPNTZ, exp.DType.DATETIME), PLAIN),
    **dict.fromkeys((exp.DType.TIMESTAMPTZ, exp.DType.TIMESTAMPLTZ), ZONED),
    **dict.fromkeys((exp.DType.TEXT, exp.DType.VARCHAR), "string"),
}
_CASTS_OF_SPARK = {
    **CAST_TYPES,
    **dict.fromkeys(exp.DataType.TEXT_TYPES, "string"),
    exp.DType.TIMESTAMP: ZONED,
}
_RETURNS: dict[str, tuple[type[exp.Expr], ...]] = {
    "boolean": (exp.Boolean, exp.Predicate, exp.Connector, exp.Not),
    DATE: (exp.Date, exp.TsOrDsToDate, exp.LastDay, exp.CurrentDate),
    ZONED: (exp.CurrentTimestamp, exp.UnixToTime),
    "string": (
        *(exp.TimeToStr, exp.UnixToStr, exp.Concat, exp.ConcatWs, exp.DPipe, exp.Lower, exp.Upper),
        *(exp.Substring, exp.Left, exp.Right, exp.Trim, exp.Replace, exp.RegexpReplace),
        *(exp.RegexpExtract, exp.Pad, exp.MD5),
    ),
    "int": (
        *(exp.Length, exp.Year, exp.YearOfWeek, exp.Quarter, exp.Month, exp.Day, exp.DayOfMonth),
        *(exp.DayOfWeek, exp.DayOfYear, exp.WeekOfYear, exp.Hour, exp.Minute, exp.Second),
        *(exp.DateDiff, exp.RowNumber, exp.Rank, exp.DenseRank),
    ),
    "long": (exp.Count, exp.StrToUnix),
}
_RETURNS_OF_SPARK: dict[str, tuple[type[exp.Expr], ...]] = {
    DATE: (exp.TsOrDsAdd, exp.AddMonths, exp.NextDay, exp.DateTrunc, exp.DateFromUnixDate),
    PLAIN: (exp.ConvertTimezone, exp.Localtimestamp),
    ZONED: (
        *(exp.TimestampTrunc, exp.StrToTime, exp.AtTimeZone, exp.FromTimeZone),
        exp.TimestampFromParts,
    ),
}
_TYPES = {node: kind for kind, nodes in _RETURNS.items() for node in nodes}
_TYPES_OF_SPARK = _TYPES | {node: kind for kind, ones in _RETURNS_OF_SPARK.items() for node in ones}
_NAMED_IN_SPARK = {
    "make_date": DATE,
    "now": ZONED,
    **{f"timestamp_{unit}": ZONED for unit in ("seconds", "millis", "micros")},
    "to_timestamp_ntz": PLAIN,
}
"""Functions that sqlglot knows by name alone."""
_MOVES = (
    *(exp.DateAdd, exp.DateSub, exp.TimestampAdd, exp.TimestampSub),
    *(exp.DatetimeAdd, exp.DatetimeSub),
)
_TRUNCATIONS = (exp.DateTrunc, exp.DatetimeTrunc, exp.TimestampTrunc)
_LONGEST_INT = 9
_WHOLE = frozenset(("int", "long"))
_TIMES = frozenset((DATE, PLAIN, ZONED))


def computed_type(expression: exp.Expr, session: Session, type_of: TypeOf) -> str | None:
    """The Iceberg type of an expression's value; None if it is unknown. `type_of` returns the types
    of columns."""
    expression = expression.unnest()
    is_hive = dialect_of(session.dialect).has_hive_functions
    match expression:
        case exp.Column() | exp.Dot():
            return type_of(expression)
        case exp.Null():
            return NULL
        case exp.Literal(is_string=True):
            return "string"
        case exp.Literal(this=digits):
            return "int" if expression.is_int and len(digits) <= _LONGEST_INT else None
        case exp.Cast(to=exp.DataType(this=kind)):
            return (_CASTS_OF_SPARK if is_hive else CAST_TYPES).get(kind)
        case exp.Extract(this=exp.Expr() as field) if field.name.upper() == "DATE":
            return DATE
        case exp.Neg(this=operand) | exp.Window(this=operand) | exp.Max(this=operand):
            return computed_type(operand, session, type_of)
        case exp.Min(this=operand) | exp.Nullif(this=operand):
            return computed_type(operand, session, type_of)
        case exp.Add() | exp.Sub() | exp.Mul():
            return _of_sum(expression, session, type_of)
        case exp.Anonymous(this=str() as name):
            return _NAMED_IN_SPARK.get(name.lower()) if is_hive else None
    if isinstance(expression, _MOVES):
        moved = time_type(expression.this, session, type_of)
        unit = unit_named(expression.text("unit"))
        is_time = is_hive or (unit is not None and unit < Unit.DAY)
        return _as_time(moved, is_hive) if is_time else moved
    if isinstance(expression, _TRUNCATIONS) and not is_hive:
        return time_type(expression.this, session, type_of)
    values = _chosen_from(expression)
    if values:
        return _common([computed_type(value, session, type_of) for value in values])
    types = _TYPES_OF_SPARK if is_hive else _TYPES
    return next((kind for node, kind in types.items() if isinstance(expression, node)), None)


def time_type(expression: exp.Expr, session: Session, type_of: TypeOf) -> str | None:
    """The type of a date or time, for any number of digits; None for other expressions."""
    kind = (computed_type(expression, session, type_of) or "").removesuffix("_ns")
    return kind if kind in _TIMES else None


def _of_sum(expression: exp.Binary, session: Session, type_of: TypeOf) -> str | None:
    """The type of whole numbers' sum, of a time moved by an interval, or of a date moved by
    days."""
    sides = expression.this, expression.expression
    kinds = [computed_type(side, session, type_of) or "" for side in sides]
    if _WHOLE.issuperset(kinds):
        return max(kinds)
    times = [time_type(side, session, type_of) for side in sides]
    is_swapped = times[0] is None and isinstance(expression, exp.Add)
    (kind, other_kind), other = (times[::-1], sides[0]) if is_swapped else (times, sides[1])
    if kind is None or other_kind is not None or isinstance(expression, exp.Mul):
        return None  # the time between two
    try:
        span = None if own_columns(other) else fold(other, session)
    except CannotConvert:
        return None
    is_of_clock = isinstance(span, Interval) and span.nanos
    return (
        _as_time(kind, dialect_of(session.dialect).timestamps_are_instants) if is_of_clock else kind
    )


def _as_time(kind: str | None, is_instant: bool) -> str | None:
    """The type of a date or time that is moved by units of time: a date becomes a timestamp."""
    if kind != DATE:
        return kind
    return ZONED if is_instant else PLAIN


def _chosen_from(expression: exp.Expr) -> list[exp.Expr]:
    """The expressions that an expression chooses from; empty if it does not choose."""
    match expression:
        case exp.Coalesce() | exp.Greatest() | exp.Least():
            values = [expression.this, *expression.expressions]
        case exp.Nvl2():
            values = [expression.args.get("true"), expression.args.get("false")]
        case exp.Case() | exp.If():
            _, cases, default = parts_of(expression)
            values = [*(case.args.get("true") for case in cases), default]
        case _:
            return []
    return [value for value in values if isinstance(value, exp.Expr)]


def _common(kinds: Sequence[str | None]) -> str | None:
    """The type of a choice between values of several types; None if it is unknown."""
    found = {*kinds} - {NULL}
    if len(found) == 1:
        return found.pop()
    times = {(kind or "").removesuffix("_ns") for kind in found}
    if not times or not times <= _TIMES:
        return None
    return PLAIN if times <= {DATE, PLAIN} else ZONED


_CASTS = {
    DATE: exp.DType.DATE,
    PLAIN: exp.DType.TIMESTAMPNTZ,
    ZONED: exp.DType.TIMESTAMPTZ,
}


def as_cast(value: LiteralValue, leaf: Leaf, session: Session, type_of: TypeOf) -> LiteralValue:
    """The value that a leaf compares with: a text beside a computed time as that day or time, other
    values unchanged. Texts beside bare columns are cast when columns are bound. Raises
    CannotConvert for a text that is no time."""
    beside = leaf.expression.this
    if not isinstance(beside, exp.Expr) or not own_columns(beside):
        beside = leaf.expression.args.get("expression")
    if not isinstance(value, str) or not isinstance(beside, exp.Expr) or not _casts(session):
        return value
    kind = _made_type(beside, session, type_of)
    if kind is None:
        return value
    found = literal(_cast(exp.Literal.string(value), kind), session)
    if isinstance(found, Null):
        return value
    # Where a time is made of others, a day is known to begin with it.
    return found if isinstance(beside.unnest(), exp.Cast) else day_beginning(found) or found


def _made_type(beside: exp.Expr, session: Session, type_of: TypeOf) -> str | None:
    """The type of a time that is computed from a column; None for bare columns and other
    expressions."""
    is_bare = isinstance(beside.unnest(), exp.Column | exp.Dot)
    return None if is_bare else time_type(beside, session, type_of)


def _casts(session: Session) -> bool:
    dialect = dialect_of(session.dialect)
    return dialect.casts_arguments or dialect.has_documented_moves


def _cast(text: exp.Expr, kind: str) -> exp.Cast:
    return exp.Cast(this=text, to=exp.DataType(this=_CASTS[kind]))
