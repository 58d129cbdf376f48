"""PREWHERE and WHERE in terms of columns, where these clauses may name outputs of their SELECT.

A name that a column has means that column. ClickHouse may mean the output as well, of all names of
a query or of none: then one of both holds. What is drawn from several rows is no such output. What
WITH names there (`WITH now() AS t`) is one, in the queries inside as well.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from sqlglot import exp

from prunescope.collectors.sql.dialects import dialect_of
from prunescope.collectors.sql.scopes.grouping import Replacement, is_input, substituted
from prunescope.collectors.sql.scopes.scope import Scope
from prunescope.collectors.sql.scopes.scopes import Scopes
from prunescope.collectors.sql.text.boolean import (
    AnyOf,
    Formula,
    Leaf,
    as_written,
    conjuncts_of,
    filters_of,
    formula,
    own_columns,
    own_nodes,
    weaken,
)
from prunescope.collectors.sql.text.ctes import scalars

_Outputs = Mapping[str, exp.Expr]


def filters_on_input(select: exp.Select, scopes: Scopes) -> list[Formula]:
    """The conjuncts of PREWHERE and WHERE, on the columns of the SELECT's relations."""
    conditions = filters_of(select)
    dialect = dialect_of(scopes.dialect)
    outputs = _outputs(select) if dialect.where_sees_outputs and conditions else {}
    if not outputs:
        return conditions
    scope = scopes.scope(select)
    # Whether a name in a nested query means an output of that, or a column around it, is only known
    # where outputs come first.
    if scope.is_nested and not dialect.outputs_may_hide_columns:
        return conditions
    readings = [_columns_first(outputs, scope)]
    if dialect.outputs_may_hide_columns:
        readings.append(_behind(outputs, frozenset()))

    def on_input(leaf: Leaf) -> Formula | None:
        if not any(_name(column) in outputs for column in own_columns(leaf.expression)):
            return leaf
        return _read(leaf, readings)

    found = (weaken(condition, on_input) for condition in conditions)
    return [part for whole in found if whole is not None for part in conjuncts_of(whole)]


def _read(leaf: Leaf, readings: list[Replacement]) -> Formula | None:
    """A leaf as a condition on the input: an OR of its readings if these differ."""
    found: dict[exp.Expr, Formula] = {}
    for reading in readings:
        expression, is_made = substituted(leaf.expression, reading)
        if expression is None:
            return None
        if expression not in found:
            said = formula(expression, negated=leaf.negated)
            found[expression] = as_written(said, leaf, is_made=is_made)
    said_by_each = tuple(found.values())
    return said_by_each[0] if len(said_by_each) == 1 else AnyOf(said_by_each)


def _columns_first(outputs: _Outputs, scope: Scope) -> Replacement:
    made = {name: behind for name, behind in outputs.items() if not _is_column(name, scope)}
    return _behind(made, frozenset())


def _is_column(name: str, scope: Scope) -> bool:
    return is_input(exp.column(exp.to_identifier(name, quoted=True)), scope)


def _behind(outputs: _Outputs, within: frozenset[str]) -> Replacement:
    """Returns a replacement of columns that may be outputs by the expressions of these. An output
    may name others, but not itself."""

    def replacement(column: exp.Column) -> exp.Expr | None:
        name = _name(column)
        if name not in outputs or name in within:
            return column
        return substituted(outputs[name], _behind(outputs, within | {name}))[0]

    return replacement


def _name(column: exp.Column) -> str:
    """The lower-case name of a column that has no other before it; "" for others."""
    return "" if column.table else column.name.lower()


def _outputs(select: exp.Select) -> _Outputs:
    """The expressions behind the aliases of a SELECT and of the WITH clauses around it, for aliases
    that are unique."""
    found: dict[str, exp.Expr] = {}
    around: exp.Expr | None = select
    while around is not None:
        found = {**_named(scalars(around)), **found}
        around = around.parent
    return {**found, **_named(item for item in select.expressions if isinstance(item, exp.Alias))}


def _named(aliases: Iterable[exp.Alias | exp.CTE]) -> _Outputs:
    items = [*aliases]
    names = [item.alias.lower() for item in items]
    return {
        name: item.this
        for name, item in zip(names, items, strict=True)
        if names.count(name) == 1 and not _is_of_rows(item.this)
    }


def _is_of_rows(item: exp.Expr) -> bool:
    return any(isinstance(node, exp.AggFunc | exp.Window) for node in own_nodes(item))
