"""Casts to the type that an expression has already, which Trino drops before it unwraps what is in
them (SimplifyRedundantCast, as Trino 483 was seen to do it)."""

from __future__ import annotations

from sqlglot import exp

from collectors.sql.planners.profile import TypeOf, Version
from collectors.sql.text.nodes import nodes_that_are

_SIMPLIFIES = (483,)

_OF_ICEBERG = {
    "date": "DATE",
    "timestamp": "TIMESTAMP(6)",
    "timestamptz": "TIMESTAMP(6) WITH TIME ZONE",
}
_WITHOUT_DIGITS = {
    "TIMESTAMP": "TIMESTAMP(3)",
    "TIMESTAMP WITH TIME ZONE": "TIMESTAMP(3) WITH TIME ZONE",
}


def without_own_casts(condition: exp.Expr, version: Version, type_of: TypeOf) -> exp.Expr:
    """A condition without those of dates and times, and of their years. Older versions than the one
    that was seen may do it as well."""
    if version and version < _SIMPLIFIES:
        return condition
    if not any(_is_own(node, type_of) for node in nodes_that_are((exp.Cast,), condition)):
        return condition

    def bare(node: exp.Expr) -> exp.Expr:
        if isinstance(node, exp.Cast) and _is_own(node, type_of):
            inner: exp.Expr = node.this.unnest()
            return inner.transform(bare)
        return node

    return condition.transform(bare)


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
