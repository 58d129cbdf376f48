"""Rows of constants, and what a condition says of one of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from sqlglot import exp

from prunescope.collectors.sql.scopes.relations import Relation
from prunescope.collectors.sql.scopes.scope import Scope
from prunescope.collectors.sql.scopes.types import key_of
from prunescope.collectors.sql.text.boolean import (
    AllOf,
    AnyOf,
    Formula,
    Leaf,
    leaves,
    nested_queries,
    own_columns,
    own_nodes,
    weaken,
)
from prunescope.collectors.sql.text.cost import copied
from prunescope.collectors.sql.text.drawn import is_drawn
from prunescope.collectors.sql.text.nodes import IS_OF_ROWS

# What makes another number of rows, or a value that depends on more than the row.
_NOT_BY_ROW = (exp.AggFunc, exp.Window, exp.UDTF, exp.Star)


@dataclass(frozen=True, slots=True, eq=False)
class Row:
    """The constants of a row, None for what is none, and the conditions, on constants, with which
    it is there. Those of a LATERAL may name columns of the relations before it."""

    values: tuple[exp.Expr | None, ...]
    conditions: tuple[Formula, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Rows:
    """The rows of a query, with its lower-case columns. Unless it `is_exact`, some may be missing,
    or there several times."""

    names: tuple[str, ...]
    rows: tuple[Row, ...]
    is_exact: bool


Put = Callable[[exp.Expr], exp.Expr | None]


def putting(relation: Relation, rows: Rows, row: Row, scope: Scope) -> Put:
    """Returns a function from a column of a relation to its value in one row."""

    def put(node: exp.Expr) -> exp.Expr | None:
        key = key_of(node, scope) if isinstance(node, exp.Column) else None
        is_own = key is not None and key[0] is relation
        return value_in(rows, row, key[1]) if key is not None and is_own else None

    return put


def value_in(rows: Rows, row: Row, name: str) -> exp.Expr | None:
    """The value of a column in a row, in brackets; None if that is unknown."""
    at = rows.names.index(name) if rows.names.count(name) == 1 else len(row.values)
    value = row.values[at] if at < len(row.values) else None
    if value is None or isinstance(value, exp.Column):
        return value
    return exp.Paren(this=copied(value))


def constant(value: exp.Expr, is_lateral: bool = False) -> exp.Expr | None:
    """An expression that is a constant, or, of a LATERAL, one of the row around it."""
    nodes = own_nodes(value)
    is_constant = not any(isinstance(node, (exp.Query, *_NOT_BY_ROW)) for node in nodes)
    has_columns = any(isinstance(node, exp.Column) for node in nodes)
    is_known = is_constant and (is_lateral or not has_columns) and not is_drawn(value)
    return value if is_known else None


def replaced(expression: exp.Expr, put: Put) -> exp.Expr:
    """An expression with what `put` has for some of its nodes; itself where there is none."""
    found = [put(node) for node in own_nodes(expression)]
    if all(each is None for each in found):
        return expression
    copy = copied(expression)
    for node, each in zip(own_nodes(copy), found, strict=True):
        if each is not None and node is copy:
            copy = each.copy()
        elif each is not None:
            node.replace(each.copy())
    return copy


def put_into(condition: Formula, put: Put) -> Formula | None:
    """A condition on constants alone, as it is for a row; None for any other."""
    found = weaken(
        condition,
        lambda leaf: replace(leaf, expression=replaced(leaf.expression, put)),
    )
    if found is None:
        return None
    parts = [leaf.expression for leaf in leaves(found)]
    return None if any(own_columns(part) or nested_queries(part) for part in parts) else found


def any_equal(
    subject: exp.Expr, arms: Sequence[tuple[exp.Expr | None, tuple[Formula, ...]]]
) -> Formula | None:
    """The condition that a subject equals one of some values, each with conditions. None if one of
    the values is unknown."""
    known = [(value, conditions) for value, conditions in arms if value is not None]
    if len(known) < len(arms):
        return None
    if not arms:
        return Leaf(exp.false(), False)
    if len(arms) > 1 and not any(conditions for _, conditions in known):
        values = [value.unnest().copy() for value, _ in known]
        listed = exp.In(this=subject.copy(), expressions=values)
        listed.meta[IS_OF_ROWS] = True
        return Leaf(listed, False)
    equal = [
        AllOf((Leaf(exp.EQ(this=subject.copy(), expression=value.unnest().copy()), False), *rest))
        for value, rest in known
    ]
    return equal[0] if len(equal) == 1 else AnyOf(tuple(equal))


def type_of_constant(value: exp.Expr) -> exp.DType | None:
    """The type of a constant that is a whole number, or is cast; None for others."""
    match value.unnest():
        case exp.Literal(is_string=False) | exp.Neg() if value.unnest().is_int:
            return exp.DType.INT
        case exp.Cast(to=exp.DataType(this=exp.DType() as kind)):
            return kind
    return None


def is_one(rows: Rows) -> bool:
    """True if there is certainly exactly one row."""
    return rows.is_exact and len(rows.rows) == 1
