"""Constants through equalities: `a.k = b.k AND b.k = 5` says `a.k = 5`."""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot import exp

from collectors.predicates.sql_boolean import (
    AllOf,
    AnyOf,
    Formula,
    Leaf,
    formula,
    leaves,
    nested_queries,
    own_columns,
)
from collectors.predicates.sql_scopes import Scope
from collectors.predicates.sql_sources import Source

_ORDERED = (exp.LT, exp.LTE, exp.GT, exp.GTE, exp.NEQ)
# Literals of these types compare alike whatever the type of the other side is.
_TYPED = (
    exp.DType.DATE,
    exp.DType.TIMESTAMP,
    exp.DType.TIMESTAMPTZ,
    exp.DType.TIMESTAMPNTZ,
    exp.DType.TIMESTAMPLTZ,
    exp.DType.DATETIME,
    exp.DType.DECIMAL,
    exp.DType.BIGINT,
    exp.DType.INT,
)

_Key = tuple[Source, tuple[str, ...]]
"""A column: its source, and its path there in lower case."""


def transferred(conditions: Sequence[Formula], scope: Scope) -> tuple[Formula, ...]:
    """What `conditions`, which hold together for joined rows, say of further columns: those that
    other conditions equate with the one that a condition compares with constants.

    The two columns may be of different types, and the engine converts one of them. Equality
    with a constant survives that; an order, or `<>`, does for numbers, dates and timestamps,
    but not for text, which orders otherwise than what it may be converted to.
    """
    columns, classes = _equalities(conditions, scope)
    if not classes:
        return ()
    found: list[Formula] = []
    for condition in conditions:
        key = _compared_column(condition, scope)
        equal = [] if key is None else classes.get(key, [])
        found += (_replaced(condition, columns[other]) for other in equal if other != key)
    return tuple(found)


def _equalities(
    conditions: Sequence[Formula], scope: Scope
) -> tuple[dict[_Key, exp.Column], dict[_Key, list[_Key]]]:
    """A reference to each equated column, and the columns that are equal to each."""
    columns: dict[_Key, exp.Column] = {}
    classes: dict[_Key, list[_Key]] = {}
    for condition in conditions:
        match condition:
            case Leaf(
                expression=exp.EQ(this=exp.Column() as left, expression=exp.Column() as right),
                negated=False,
            ):
                pair = _key(left, scope), _key(right, scope)
                if pair[0] is None or pair[1] is None:
                    continue
                columns.setdefault(pair[0], left)
                columns.setdefault(pair[1], right)
                merged = dict.fromkeys(
                    [*classes.get(pair[0], [pair[0]]), *classes.get(pair[1], [pair[1]])]
                )
                classes.update((key, list(merged)) for key in merged)
    return columns, classes


def _key(column: exp.Column, scope: Scope) -> _Key | None:
    owners = scope.owners(column)
    path = scope.path(column, owners[0]) if len(owners) == 1 else None
    return None if path is None else (owners[0], tuple(part.lower() for part in path))


def _compared_column(condition: Formula, scope: Scope) -> _Key | None:
    """The column that every leaf of a condition compares with constants."""
    keys = {
        None if column is None else _key(column, scope)
        for column in map(_transferable, leaves(condition))
    }
    return keys.pop() if len(keys) == 1 else None


def _transferable(leaf: Leaf) -> exp.Column | None:
    """The column of a leaf that may be transferred."""
    match leaf.expression:
        case exp.EQ(this=exp.Column() as column, expression=constant):
            allowed = _is_constant(constant) and (not leaf.negated or _is_typed(constant))
        case exp.In(this=exp.Column() as column, expressions=[_, *_] as items):
            allowed = all(map(_is_constant, items)) and (
                not leaf.negated or all(map(_is_typed, items))
            )
        case exp.Between(this=exp.Column() as column):
            bounds = leaf.expression.args["low"], leaf.expression.args["high"]
            allowed = all(map(_is_typed, bounds))
        case exp.LT() | exp.LTE() | exp.GT() | exp.GTE() | exp.NEQ():
            column, constant = leaf.expression.this, leaf.expression.expression
            allowed = isinstance(column, exp.Column) and _is_typed(constant)
        case _:
            return None
    return column if allowed else None


def _is_constant(expression: exp.Expr) -> bool:
    return not own_columns(expression) and not nested_queries(expression)


def _is_typed(expression: exp.Expr) -> bool:
    match expression.unnest():
        case exp.Literal(is_string=is_string):
            return not is_string
        case exp.Neg(this=inner):
            return _is_typed(inner)
        case exp.Cast(this=exp.Literal(), to=exp.DataType(this=kind)):
            return kind in _TYPED
    return False


def _replaced(condition: Formula, column: exp.Column) -> Formula:
    match condition:
        case AllOf(parts):
            return AllOf(tuple(_replaced(part, column) for part in parts))
        case AnyOf(parts):
            return AnyOf(tuple(_replaced(part, column) for part in parts))
        case Leaf():
            expression = condition.expression.copy()
            expression.set("this", column.copy())
            return formula(expression, negated=condition.negated)
