"""Casts of columns to numbers, and Trino's to timestamps, as `Calculation`: planners undo casts
that lose nothing of a column's type."""

from __future__ import annotations

from sqlglot import exp

from prunescope.collectors.predicates.calculations import Calculated, Calculation
from prunescope.collectors.predicates.literals import LiteralValue
from prunescope.collectors.predicates.operators import ORDERED, Op
from prunescope.collectors.sql.constants.casts import TRINO_DEFAULT_PRECISION
from prunescope.collectors.sql.constants.terms import PathOf, column_path
from prunescope.collectors.sql.dialects import dialect_of

_INTEGERS = {exp.DType.INT: "int", exp.DType.BIGINT: "long"}


def number_casts(expression: exp.Expr, path_of: PathOf, dialect: str) -> Calculation | None:
    """The one or several casts that an expression applies to a column; None for other
    expressions."""
    types: list[str] = []
    current = expression.unnest()
    while isinstance(current, exp.Cast) and not current.args.get("format"):
        kind = _type(current.to, dialect)
        if kind is None:
            return None
        types.append(kind)
        current = current.this.unnest()
    path = column_path(current, path_of)
    return None if path is None or not types else Calculation(path, tuple(reversed(types)))


def calculated(
    op: Op, found: Calculation, value: LiteralValue, *, is_ordered: bool, negated: bool
) -> Calculated:
    """`calculation op value`. `is_ordered` if the engine sorts NaN among numbers; `negated` if the
    query wrote NOT before the opposite."""
    if is_ordered:
        matches_nan = op in (Op.GT, Op.GT_EQ, Op.NOT_EQ)
    else:
        matches_nan = op is Op.NOT_EQ or (negated and op in ORDERED)
    return Calculated(found, op, value, matches_nan)


def _type(target: exp.DataType, dialect: str) -> str | None:
    sizes = [size.name for size in target.expressions]
    match target.this:
        case exp.DType.DECIMAL if len(sizes) == 2 and all(size.isdecimal() for size in sizes):
            return f"decimal({sizes[0]}, {sizes[1]})"
        case exp.DType.DOUBLE:
            return "double"
        case exp.DType.FLOAT if dialect_of(dialect).is_measured:
            return "float"
        case exp.DType.TIMESTAMP if dialect_of(dialect).rounds_times and len(sizes) <= 1:
            return f"timestamp({''.join(sizes) or TRINO_DEFAULT_PRECISION})"
        case kind:
            return _INTEGERS.get(kind)
