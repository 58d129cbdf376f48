"""The types of dates and times that expressions are of, and the texts beside these: engines cast
such a text to the type of the other side, before they look at columns.

Types are those of Spark's functions (4.1), and what the references of the SQL of Snowflake,
BigQuery and DuckDB say.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from sqlglot import exp

from collectors.predicates.calendar import Interval, Unit, unit_named
from collectors.predicates.instants import day_beginning
from collectors.predicates.literals import LiteralValue
from collectors.sql.conditions.cases import parts_of
from collectors.sql.conditions.leaf_rewrite import TypeOf
from collectors.sql.constants.casts import TIMESTAMPS
from collectors.sql.constants.folding import fold, literal
from collectors.sql.constants.session import Session
from collectors.sql.constants.values import CannotConvert, Null
from collectors.sql.dialects import dialect_of
from collectors.sql.text.boolean import Leaf, own_columns

_DATE, _TIME, _PLAIN = exp.DType.DATE, exp.DType.TIMESTAMPTZ, exp.DType.TIMESTAMPNTZ
_OF_COLUMNS = {
    "date": _DATE,
    "timestamp": _PLAIN,
    "timestamp_ns": _PLAIN,
    "timestamptz": _TIME,
    "timestamptz_ns": _TIME,
}
_EVERYWHERE: dict[type[exp.Expr], exp.DType] = {
    **dict.fromkeys((exp.Date, exp.TsOrDsToDate, exp.LastDay, exp.CurrentDate), _DATE),
    exp.CurrentTimestamp: _TIME,
    exp.UnixToTime: _TIME,
}
_SPARK: dict[type[exp.Expr], exp.DType] = {
    **_EVERYWHERE,
    **dict.fromkeys((exp.TsOrDsAdd, exp.AddMonths, exp.NextDay, exp.DateTrunc), _DATE),
    exp.DateFromUnixDate: _DATE,
    **dict.fromkeys((exp.TimestampTrunc, exp.StrToTime, exp.AtTimeZone, exp.FromTimeZone), _TIME),
    exp.TimestampFromParts: _TIME,
    exp.ConvertTimezone: _PLAIN,
    exp.Localtimestamp: _PLAIN,
}
_NAMED_IN_SPARK = {
    "make_date": _DATE,
    "now": _TIME,
    **{f"timestamp_{unit}": _TIME for unit in ("seconds", "millis", "micros")},
    "to_timestamp_ntz": _PLAIN,
}
"""Those that sqlglot knows by name alone."""
_MOVES = (
    *(exp.DateAdd, exp.DateSub, exp.TimestampAdd, exp.TimestampSub),
    *(exp.DatetimeAdd, exp.DatetimeSub),
)
_TRUNCATIONS = (exp.DateTrunc, exp.DatetimeTrunc, exp.TimestampTrunc)
_COMPARISONS = (exp.EQ, exp.NEQ, exp.LT, exp.LTE, exp.GT, exp.GTE, exp.Between)
_COMPARED = ("expression", "low", "high")


def time_type(expression: exp.Expr, session: Session, type_of: TypeOf) -> exp.DType | None:
    """The type of a date or time that an expression is; None where that is not known, and for
    anything else. `type_of` tells the Iceberg types of columns."""
    expression = expression.unnest()
    is_spark = dialect_of(session.dialect).is_spark
    match expression:
        case exp.Column() | exp.Dot():
            return _OF_COLUMNS.get(type_of(expression) or "")
        case exp.Cast(to=exp.DataType(this=kind)):
            return kind if kind is _DATE or kind in TIMESTAMPS else None
        case exp.Extract(this=exp.Expr() as field) if field.name.upper() == "DATE":
            return _DATE
        case exp.Add() | exp.Sub():
            return _of_sum(expression, session, type_of)
        case exp.Anonymous(this=str() as name):
            return _NAMED_IN_SPARK.get(name.lower()) if is_spark else None
    if isinstance(expression, _MOVES):
        moved = time_type(expression.this, session, type_of)
        is_time = is_spark or _is_of_clock(unit_named(expression.text("unit")))
        return _as_time(moved, session) if is_time else moved
    if isinstance(expression, _TRUNCATIONS) and not is_spark:
        return time_type(expression.this, session, type_of)
    values = _chosen_from(expression)
    if values:
        return _common([time_type(value, session, type_of) for value in values])
    return (_SPARK if is_spark else _EVERYWHERE).get(type(expression))


def _of_sum(expression: exp.Binary, session: Session, type_of: TypeOf) -> exp.DType | None:
    """A time that is moved by an interval, or a date by a number of days."""
    sides = expression.this, expression.expression
    kinds = [time_type(side, session, type_of) for side in sides]
    is_swapped = kinds[0] is None and isinstance(expression, exp.Add)
    (kind, other_kind), other = (kinds[::-1], sides[0]) if is_swapped else (kinds, sides[1])
    if kind is None or other_kind is not None:
        return None  # the time between two
    try:
        span = None if own_columns(other) else fold(other, session)
    except CannotConvert:
        return None
    return _as_time(kind, session) if isinstance(span, Interval) and span.nanos else kind


def _is_of_clock(unit: Unit | None) -> bool:
    return unit is not None and unit < Unit.DAY


def _as_time(kind: exp.DType | None, session: Session) -> exp.DType | None:
    """What a date becomes where a time is moved."""
    if kind is not _DATE:
        return kind
    return _TIME if dialect_of(session.dialect).is_spark else _PLAIN


def _chosen_from(expression: exp.Expr) -> list[exp.Expr]:
    """What an expression chooses from; nothing for one that does not choose."""
    match expression:
        case exp.Nullif(this=value):
            return [value]
        case exp.Coalesce() | exp.Greatest() | exp.Least():
            values = [expression.this, *expression.expressions]
        case exp.Nvl2():
            values = [expression.args.get("true"), expression.args.get("false")]
        case exp.Case() | exp.If():
            _, cases, default = parts_of(expression)
            values = [*(case.args.get("true") for case in cases), default]
        case _:
            return []
    present = [value for value in values if isinstance(value, exp.Expr)]
    return [value for value in present if not isinstance(value.unnest(), exp.Null)]


def _common(kinds: Sequence[exp.DType | None]) -> exp.DType | None:
    """The type of what is chosen from several."""
    found = {*kinds}
    if None in found or len(found) == 1:
        return None if None in found else found.pop()
    return _PLAIN if found <= {_DATE, _PLAIN} else _TIME


def as_cast(value: LiteralValue, leaf: Leaf, session: Session, type_of: TypeOf) -> LiteralValue:
    """What a leaf compares with, where that is a text beside a time: that day or time. Of bare
    columns, it is told when they are bound. Raises CannotConvert for what is none."""
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


def with_cast_texts(leaf: Leaf, session: Session, type_of: TypeOf) -> Leaf:
    """A leaf that compares a time with texts, with the times that these are in their place; any
    other as it is, and one of a list, which Spark 3.5 compares as text."""
    if not isinstance(leaf.expression, _COMPARISONS):
        return leaf
    texts = {
        name: other
        for name in _COMPARED
        if isinstance(other := leaf.expression.args.get(name), exp.Expr) and other.is_string
    }
    if not texts or not _casts(session):
        return leaf
    kind = _made_type(leaf.expression.this, session, type_of)
    if kind is None:
        return leaf
    expression = leaf.expression.copy()
    for name, text in texts.items():
        expression.set(name, _cast(text.copy(), kind))
    return replace(leaf, expression=expression)


def _made_type(beside: exp.Expr, session: Session, type_of: TypeOf) -> exp.DType | None:
    """The type of a time that is made of a column; None for a bare one, and for anything else."""
    is_bare = isinstance(beside.unnest(), exp.Column | exp.Dot)
    return None if is_bare else time_type(beside, session, type_of)


def _casts(session: Session) -> bool:
    dialect = dialect_of(session.dialect)
    return dialect.is_spark or dialect.has_documented_moves


def _cast(text: exp.Expr, kind: exp.DType) -> exp.Cast:
    return exp.Cast(this=text, to=exp.DataType(this=kind))
