"""Conditions on the output of a SELECT that hold for its input rows as well.

A condition passes DISTINCT and plain projections. It passes GROUP BY if it depends on group
keys only, and window functions if it depends on their partition keys only: then it drops whole
groups and partitions. Nothing passes LIMIT, which depends on the rows that are there.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from sqlglot import exp

from prunescope.collectors.sql.scopes.scope import Scope
from prunescope.collectors.sql.scopes.scopes import Scopes
from prunescope.collectors.sql.text.boolean import (
    Formula,
    Leaf,
    as_written,
    formula,
    own_columns,
    own_nodes,
)
from prunescope.collectors.sql.text.cost import copied
from prunescope.collectors.sql.text.nodes import is_column

Replacement = Callable[[exp.Column], exp.Expr | None]
"""The expression for a column of a condition, None if that is unknown."""

_BARRIERS = ("limit", "offset", "connect", "match", "kind", "pivots")


def lets_conditions_in(select: exp.Select) -> bool:
    """True if any condition on the output can be one on the input."""
    distinct = select.args.get("distinct")
    is_distinct_on = distinct is not None and distinct.args.get("on") is not None
    return not is_distinct_on and not any(select.args.get(name) for name in _BARRIERS)


def is_grouped(select: exp.Select) -> bool:
    """True if the output rows are groups of input rows."""
    if select.args.get("group") is not None or select.args.get("having") is not None:
        return True
    return any(_has_aggregate(item) for item in select.expressions)


def _has_aggregate(expression: exp.Expr) -> bool:
    """True if an expression has an aggregate function that is not a window function."""
    return any(
        isinstance(node, exp.AggFunc) and not _is_windowed(node) for node in own_nodes(expression)
    )


def _is_windowed(node: exp.Expr) -> bool:
    parent = node.parent
    while isinstance(parent, exp.IgnoreNulls | exp.RespectNulls | exp.Filter | exp.WithinGroup):
        parent = parent.parent
    return isinstance(parent, exp.Window)


class Keys:
    """The expressions by which the rows of a SELECT are grouped or partitioned."""

    def __init__(self, expressions: Sequence[exp.Expr], scope: Scope) -> None:
        self._scope = scope
        self._columns = {
            identity
            for expression in expressions
            if isinstance(expression, exp.Column)
            and (identity := self._identity(expression)) is not None
        }
        self._expressions = [e for e in expressions if not isinstance(e, exp.Column)]

    def determine(self, expression: exp.Expr) -> bool:
        """True if rows with equal keys have equal values of the expression."""
        if isinstance(expression, exp.Column):
            return self._identity(expression) in self._columns
        if any(expression == key for key in self._expressions):
            return True
        if isinstance(expression, exp.AggFunc | exp.Window | exp.Query | exp.Star):
            return False
        return all(self.determine(part) for part in expression.iter_expressions())

    def _identity(self, column: exp.Column) -> tuple[int, tuple[str, ...]] | None:
        owners = self._scope.owners(column)
        if len(owners) != 1:
            return None
        path = self._scope.path(column, owners[0])
        return None if path is None else (id(owners[0]), tuple(part.lower() for part in path))


def group_keys(select: exp.Select, scope: Scope, scopes: Scopes) -> Keys:
    """The keys of GROUP BY; none for ROLLUP, CUBE and GROUPING SETS, which group several times."""
    group = select.args.get("group")
    if group is None or any(group.args.get(n) for n in ("cube", "rollup", "grouping_sets")):
        return Keys((), scope)
    if group.args.get("all"):
        plain = [item.unalias() for item in select.expressions if not _has_aggregate(item)]
        return Keys(plain, scope)
    keys = [_key(item, select, scope, scopes) for item in group.expressions]
    is_plain = not any(isinstance(k, exp.Cube | exp.Rollup | exp.GroupingSets) for k in keys)
    return Keys([key for key in keys if key is not None] if is_plain else (), scope)


def _key(item: exp.Expr, select: exp.Select, scope: Scope, scopes: Scopes) -> exp.Expr | None:
    """A group key, with positions and names of output columns replaced by what they stand for."""
    if isinstance(item, exp.Literal):
        return scopes.output(select, int(item.name) - 1) if item.is_int else None
    if isinstance(item, exp.Column) and not item.table and not is_input(item, scope):
        return scopes.output(select, item.name.lower()) or item
    return item.unnest()


def is_input(column: exp.Column, scope: Scope) -> bool:
    """True if a relation of a SELECT has a column of this name, or may have."""
    return any(s.names is None or column.name.lower() in s.names for s in scope.owners(column))


def window_keys(select: exp.Select, scope: Scope) -> list[Keys]:
    """The partition keys of each window function of the SELECT and its QUALIFY."""
    places = [*select.expressions, select.args.get("qualify")]
    windows = (
        node
        for place in places
        if place is not None
        for node in own_nodes(place)
        if isinstance(node, exp.Window)
    )
    return [Keys(window.args.get("partition_by") or (), scope) for window in windows]


def replaced(leaf: Leaf, replacement: Replacement) -> Formula | None:
    """The leaf with each column replaced; None if one of them has no replacement, or if it
    holds an aggregate."""
    if leaf.expression.find(exp.AggFunc) is not None:
        return None
    expression, is_made = substituted(leaf.expression, replacement)
    if expression is None:
        return None
    return as_written(formula(expression, negated=leaf.negated), leaf, is_made=is_made)


def substituted(expression: exp.Expr, replacement: Replacement) -> tuple[exp.Expr | None, bool]:
    """A copy of an expression with each column replaced, None if one has no replacement; and
    whether some replacement is no column."""
    expression = copied(expression)
    is_made = False
    for column in own_columns(expression):
        found = replacement(column)
        if found is None:
            return None, is_made
        found = copied(found)
        is_made |= not is_column(found)
        if column is expression:
            expression = found
        else:
            column.replace(exp.paren(found, copy=False) if isinstance(found, exp.Binary) else found)
    return expression, is_made


def determined(expression: exp.Expr, keys: Sequence[Keys]) -> bool:
    """True if rows with equal keys, of each grouping, have equal values of an expression."""
    return expression.find(exp.AggFunc, exp.Window) is None and all(
        key.determine(expression) for key in keys
    )
