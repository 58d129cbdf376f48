"""Parts that Trino drops from a condition before it looks for columns: casts to the type that an
expression has, casts that lose nothing, TRY around an expression that never fails, the finer of two
periods, and BETWEEN of a period that the connector unwraps (SimplifyRedundantCast,
UnwrapCastInComparison, UnwrapDateTruncInComparison, ConstraintExtractor, as Trino 483 was seen to
do it)."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from functools import cmp_to_key

from sqlglot import exp

from prunescope.collectors.predicates.calendar import Unit
from prunescope.collectors.sql.constants.calls import order
from prunescope.collectors.sql.constants.terms import Yields, period_of
from prunescope.collectors.sql.constants.values import NULL, CannotConvert, is_int
from prunescope.collectors.sql.planners.profile import TypeOf, ValueOf, Version
from prunescope.collectors.sql.text.boolean import own_columns
from prunescope.collectors.sql.text.nodes import IS_OF_ROWS, is_column, nodes_that_are

_SIMPLIFIES = (483,)
_MOST_ROWS = 32

_OF_ICEBERG = {
    "int": "INTEGER",
    "long": "BIGINT",
    "date": "DATE",
    "timestamp": "TIMESTAMP(6)",
    "timestamptz": "TIMESTAMP(6) WITH TIME ZONE",
}
_ZONED = _OF_ICEBERG["timestamptz"]
_WITHOUT_DIGITS = {
    "TIMESTAMP": "TIMESTAMP(3)",
    "TIMESTAMP WITH TIME ZONE": "TIMESTAMP(3) WITH TIME ZONE",
}
_PLAIN = ("DATE", "TIMESTAMP(6)")
_TIMES = (exp.DType.TIMESTAMP, exp.DType.TIMESTAMPTZ)
_MICROSECONDS = 6

_READ = (exp.Cast, exp.Try, exp.TimestampTrunc, exp.DateTrunc, exp.Year, exp.Extract)

_ORDERED = (exp.LT, exp.LTE, exp.GT, exp.GTE)
_COMPARED = (
    *(exp.EQ, exp.NEQ, *_ORDERED, exp.Between, exp.In),
    *(exp.NullSafeEQ, exp.NullSafeNEQ),
)
_CONDITIONS = (*_COMPARED, exp.And, exp.Or, exp.Not, exp.Paren, exp.Is, exp.Null, exp.Like)

# Units that other periods are made of, and that are unwrapped themselves.
_NESTED = (Unit.HOUR, Unit.DAY, Unit.MONTH, Unit.YEAR)


def simplified(
    condition: exp.Expr, version: Version, type_of: TypeOf, value_of: ValueOf
) -> exp.Expr:
    """A condition as it is planned. Older versions than the one that was seen may do it as well."""
    if version and version < _SIMPLIFIES:
        return condition
    if isinstance(condition, exp.In) and condition.meta.get(IS_OF_ROWS):
        condition = _of_rows(condition, value_of)
    if not nodes_that_are(_READ, condition):
        return condition

    found = _without(condition, lambda node: _own(node, type_of))
    if isinstance(found, exp.In):
        found = _of_list(found, value_of)
    is_list = isinstance(found, exp.In) and len(found.expressions) != 1
    if isinstance(found, _COMPARED) and not is_list:  # else no cast that loses nothing is undone
        found = _without(found, lambda node: _of_cast(node, type_of))
        for name in ("this", "expression"):
            side = found.args.get(name)
            if isinstance(side, exp.Expr) and own_columns(side):
                found = _of_side(found, name, side.unnest(), type_of)
    if isinstance(found, exp.Between):
        found = _of_ends(found, type_of)
    return condition if found == condition else found


def _of_rows(condition: exp.In, value_of: ValueOf) -> exp.Expr:
    """A list of the rows of a query, of too many as the range that they span (TupleDomain.simplify,
    in EffectivePredicateExtractor)."""
    values = {value_of(item): item for item in condition.expressions}
    found = [value for value in values if value is not NULL]
    if len(found) <= _MOST_ROWS or None in found:
        return condition
    try:
        found.sort(key=cmp_to_key(order))
    except CannotConvert:
        return condition
    low, high = (values[found[end]].copy() for end in (0, -1))
    return exp.Between(this=condition.this.copy(), low=low, high=high)


def _of_list(condition: exp.In, value_of: ValueOf) -> exp.Expr:
    """A list of one value as an equality, and one of all whole numbers, or days, between two as a
    range (RemoveRedundantInItems, SimplifyContinuousInValues)."""
    if isinstance(condition.this.unnest(), exp.Column | exp.Dot):
        return condition
    values = {value_of(item): item for item in condition.expressions}
    if not values or None in values or condition.args.get("unnest"):
        return condition
    if len(values) == 1:
        (only,) = values.values()
        return exp.EQ(this=condition.this.copy(), expression=only.copy())
    days = {day: item for value, item in values.items() if (day := _day(value)) is not None}
    if len(days) < len(values) or max(days) - min(days) >= len(days):
        return condition
    low, high = (days[end].copy() for end in (min(days), max(days)))
    return exp.Between(this=condition.this.copy(), low=low, high=high)


def _day(value: object) -> int | None:
    """A whole number, or that of a date."""
    if isinstance(value, dt.date):
        return value.toordinal()
    return value if is_int(value) else None


def _of_ends(between: exp.Between, type_of: TypeOf) -> exp.Expr:
    """BETWEEN as two comparisons: of a cast to a date (UnwrapCastInComparison), and of a period of
    a column with a time zone, as the connector gets it (ConnectorExpressionTranslator), which
    unwraps them itself (ConstraintExtractor)."""
    period = period_of(between.this.unnest(), "trino")
    column = None if period is None else period[0].unnest()
    if period is None or column is None or not is_column(column):
        return between
    kind = _type(column, type_of)
    if kind != _ZONED and not (kind in _PLAIN and period[2] is Yields.DATE):
        return between
    if between.args.get("symmetric"):
        return between
    ends = between.args["low"], between.args["high"]
    low, high = (
        kind(this=between.this.copy(), expression=end.copy())
        for kind, end in zip((exp.GTE, exp.LTE), ends, strict=True)
    )
    return exp.And(this=low, expression=high)


def _without(condition: exp.Expr, instead: Callable[[exp.Expr], exp.Expr | None]) -> exp.Expr:
    """A condition with its parts replaced by the results of `instead`; None leaves a part as it
    is."""

    def changed(node: exp.Expr) -> exp.Expr:
        inner = instead(node)
        return node if inner is None else inner.unnest().transform(changed)

    return condition.transform(changed)


def _own(node: exp.Expr, type_of: TypeOf) -> exp.Expr | None:
    """The operand of a cast that changes no type, of a TRY that catches nothing, or of a date's
    day."""
    match node:
        case exp.Try(this=exp.Expr() as operand) if _never_fails(operand, type_of):
            return operand
        case exp.Cast(this=exp.Expr() as operand) if _is_own(node, type_of):
            return operand
        case exp.TimestampTrunc(this=exp.Expr() as operand) if node.text("unit").upper() == "DAY":
            return operand if _type(operand, type_of) == "DATE" else None
    return None


def _of_cast(node: exp.Expr, type_of: TypeOf) -> exp.Expr | None:
    """A period of what is cast within one, which holds the same moments; a cast of it where that
    is of the type then."""
    period = period_of(node, "trino")
    operand = None if period is None else period[0].unnest()
    if type(operand) is not exp.Cast or not _is_wider(operand, type_of) or _has_zone(operand):
        return _own(node, type_of)
    return _replaced(node, operand.this)


def _replaced(period: exp.Expr, operand: exp.Expr) -> exp.Expr:
    """A period of another operand."""
    found = period.copy()
    name = "expression" if isinstance(period, exp.Extract) else "this"
    found.set(name, operand.copy())
    return found


def _of_side(condition: exp.Expr, name: str, side: exp.Expr, type_of: TypeOf) -> exp.Expr:
    """A comparison of a side without the casts around it that lose nothing, and, where it asks for
    less or more, of the coarser of two periods."""
    found = condition.copy()
    if type(side) is exp.Cast and _is_wider(side, type_of):
        operand = side.this.unnest()
        if not _has_zone(side) and isinstance(operand, exp.Column | exp.Dot):
            return condition  # the type of its column decides (`trino_typed`)
        if _has_zone(side) and not _set_zone(found, name, _digits(_written(side.to))):
            return condition
        found.set(name, operand.copy())
        return _of_side(found, name, operand, type_of)
    if not isinstance(condition, _ORDERED):
        return condition
    outer = period_of(side, "trino")
    inner = None if outer is None else period_of(outer[0].unnest(), "trino")
    if outer is None or inner is None or _type(inner[0], type_of) not in _PLAIN:
        return condition
    if outer[1] not in _NESTED or inner[1] not in _NESTED:
        return condition
    coarser = _replaced(side, inner[0]) if outer[1] >= inner[1] else outer[0].unnest()
    found.set(name, coarser.copy())
    return _of_side(found, name, coarser, type_of)


def _set_zone(condition: exp.Expr, name: str, digits: int) -> bool:
    """Gives what is compared with a side the zone of the session, where it has none. Whether it has
    no more digits than that."""
    sides = [condition.args.get(each) for each in ("this", "expression", "low", "high")]
    sides += condition.expressions
    side = condition.args[name]
    for other in sides:
        if not isinstance(other, exp.Expr) or other is side:
            continue
        if isinstance(other, exp.Cast) and _has_zone(other):
            if _digits(_written(other.to)) > digits:
                return False
        else:
            zoned = exp.DataType.build("TIMESTAMP(6) WITH TIME ZONE", dialect="trino")
            other.replace(exp.Cast(this=other.copy(), to=zoned))
    return True


def _has_zone(cast: exp.Cast) -> bool:
    return cast.to.this is exp.DType.TIMESTAMPTZ


def _is_wider(cast: exp.Cast, type_of: TypeOf) -> bool:
    """True if Trino casts the type of an expression to that of a cast unasked: a date to any
    timestamp, a timestamp without time zone to one with as many digits, or, whatever they are, with
    a time zone, and a year to DOUBLE."""
    kind, target = _type(cast.this, type_of) or "", cast.to.this
    if cast.args.get("format") or "ZONE" in kind:
        return False
    if target in _TIMES and kind.startswith("TIMESTAMP"):
        return _has_zone(cast) or _digits(_written(cast.to)) >= max(_digits(kind), _MICROSECONDS)
    is_year = isinstance(cast.this.unnest(), exp.Year | exp.Extract)
    return (target in _TIMES and kind == "DATE") or (target is exp.DType.DOUBLE and is_year)


def _digits(kind: str) -> int:
    """The number of digits of the seconds of a timestamp type."""
    return int(kind.partition("(")[2].partition(")")[0])


def _never_fails(expression: exp.Expr, type_of: TypeOf) -> bool:
    """True if an expression has a value for every row: a column, a constant, a comparison of such,
    or a day or year of a time without time zone."""
    match expression.unnest():
        case exp.Column() | exp.Literal() | exp.Boolean() | exp.Cast(this=exp.Literal()):
            return True
        case exp.Date(this=operand) | exp.Year(this=operand):
            return _type(operand, type_of) in _PLAIN
        case exp.Cast(this=operand, to=target) as cast:
            if _is_wider(cast, type_of) and not _has_zone(cast):
                return _never_fails(operand, type_of)
            kind, wanted = _type(operand, type_of), _written(target)
            is_day = kind in _PLAIN and wanted == "DATE"
            return is_day or (kind == "INTEGER" and wanted == "BIGINT")
        case exp.Expr() as node if isinstance(node, _CONDITIONS):
            return all(_never_fails(part, type_of) for part in node.iter_expressions())
    return False


def _is_own(cast: exp.Cast, type_of: TypeOf) -> bool:
    return not cast.args.get("format") and _type(cast.this, type_of) == _written(cast.to)


def _type(expression: exp.Expr, type_of: TypeOf) -> str | None:
    """The type of an expression as Trino writes it, where it is known."""
    match expression.unnest():
        case exp.Year() | exp.Extract():
            return "BIGINT"
        case exp.Date():
            return "DATE"
        case exp.Cast(to=target):
            return _written(target)
        case exp.TimestampTrunc(this=operand) | exp.DateTrunc(this=operand):
            return _type(operand, type_of)
        case column:
            return _OF_ICEBERG.get(type_of(column) or "")


def _written(target: exp.DataType) -> str:
    text = target.sql("trino").upper()
    return _WITHOUT_DIGITS.get(text, text)
