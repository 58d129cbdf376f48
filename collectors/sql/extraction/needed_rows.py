"""SELECTs that need few of the rows of a table that pass their WHERE.

Only those of one table are known: a join, a group, DISTINCT, a window or a generator of rows
between them and LIMIT drops rows that are among the first, or makes others. A SELECT is told by the
clauses that it may have, so that one with any other is none.
"""

from __future__ import annotations

from sqlglot import exp

from prunescope.collectors.needed_rows import AnyRows, Extremes, FirstRows, NeededRows, Removed
from prunescope.collectors.sql.constants.terms import column_path
from prunescope.collectors.sql.scopes.relations import Relation
from prunescope.collectors.sql.scopes.scope import Scope
from prunescope.collectors.sql.scopes.scopes import Scopes
from prunescope.collectors.sql.text.boolean import (
    formula,
    leaves,
    nested_queries,
    own_columns,
    own_nodes,
)
from prunescope.collectors.sql.text.dml import IS_DELETE

_CLAUSES = frozenset(("expressions", "from_", "where", "order", "limit", "offset", "with_", "hint"))
# What makes one row of several, several of one, or who knows: functions that nobody told us of.
_NOT_BY_ROW = (exp.AggFunc, exp.Window, exp.UDTF, exp.Anonymous, exp.AnonymousAggFunc)


def needed_rows(select: exp.Select, scope: Scope, scopes: Scopes) -> NeededRows | None:
    """The rows that a SELECT needs of those of its one table that pass WHERE. None if it needs all,
    if that is unknown, or if WHERE is not all that it asks of them."""
    relation = scope.tree
    if not isinstance(relation, Relation) or relation.table is None or relation.is_sealed:
        return None
    has_more = any(value for name, value in select.args.items() if name not in _CLAUSES)
    if has_more or relation.node.args.get("sample") or not _is_of_rows(select, scope, relation):
        return None
    if select.meta.get(IS_DELETE):
        return Removed()
    if not any(select.args.get(name) for name in ("order", "limit", "offset")):
        return _extremes(select, scope, relation)
    count = _count(select)
    if count is None or any(
        isinstance(node, _NOT_BY_ROW) for item in select.expressions for node in own_nodes(item)
    ):
        return None
    order = select.args.get("order")
    if order is None:
        return AnyRows(count)
    first = order.expressions[0]
    column = _ordered(first.this, select, scopes)
    name = None if column is None else _name(column, scope, relation)
    if name is None or first.args.get("with_fill"):
        return None
    return FirstRows(name, count, bool(first.args.get("desc")), bool(first.args.get("nulls_first")))


def _is_of_rows(select: exp.Select, scope: Scope, relation: Relation) -> bool:
    """True if WHERE compares nothing but columns of the relation."""
    where = select.args.get("where")
    if where is None:
        return True
    found = [leaf.expression for leaf in leaves(formula(where.this))]
    by_leaf = [own_columns(expression) for expression in found]
    return (
        all(by_leaf)
        and not any(map(nested_queries, found))
        and all(scope.path(c, relation) is not None for columns in by_leaf for c in columns)
    )


def is_of_no_rows(query: exp.Expr) -> bool:
    """True if LIMIT or FETCH wants none of the rows of a query: no engine scans anything for it."""
    limit = query.args.get("limit")
    return limit is not None and _number(limit) == 0


def _count(select: exp.Select) -> int | None:
    """The rows up to the last that LIMIT and OFFSET want."""
    limit, offset = select.args.get("limit"), select.args.get("offset")
    rows = None if limit is None else _number(limit)
    if rows is None or offset is None:
        return rows
    before = _number(offset)
    return None if before is None else rows + before


def _number(clause: exp.Expr) -> int | None:
    """The number that a clause has; None if it says more, such as PERCENT, BY or WITH TIES."""
    args = {name: value for name, value in clause.args.items() if value}
    value = args.pop("count" if isinstance(clause, exp.Fetch) else "expression", None)
    args.pop("direction", None)
    options = args.pop("limit_options", None)
    if options is not None and (options.args.get("percent") or options.args.get("with_ties")):
        return None
    is_number = isinstance(value, exp.Literal) and value.is_int
    return int(value.name) if is_number and not args else None


def _ordered(key: exp.Expr, select: exp.Select, scopes: Scopes) -> exp.Column | None:
    """The column of the table that ORDER BY names: a name of an output column is that."""
    if any(_is_edited(item) for item in select.expressions):
        return None
    behind: exp.Expr | None = key
    if isinstance(key, exp.Literal):
        behind = scopes.output(select, int(key.name) - 1) if key.is_int else None
    elif isinstance(key, exp.Column) and not key.table:
        name = key.name.lower()
        named = [item for item in select.expressions if item.alias_or_name.lower() == name]
        if named:
            behind = named[0].unalias() if len(named) == 1 else None
    return behind if isinstance(behind, exp.Column) else None


def _is_edited(item: exp.Expr) -> bool:
    """True if an output item is a star with EXCEPT, REPLACE or the like."""
    star = item.this if isinstance(item, exp.Column) else item
    return isinstance(star, exp.Star) and any(star.args.values())


def _extremes(select: exp.Select, scope: Scope, relation: Relation) -> Extremes | None:
    found: dict[type[exp.Expr], dict[str, None]] = {exp.Min: {}, exp.Max: {}}
    for item in select.expressions:
        function = item.unalias()
        column = function.this if type(function) in found else None
        if not isinstance(column, exp.Column) or function.args.get("expressions"):
            return None
        name = _name(column, scope, relation)
        if name is None:
            return None
        found[type(function)][name] = None
    return Extremes(tuple(found[exp.Min]), tuple(found[exp.Max]))


def _name(column: exp.Column, scope: Scope, relation: Relation) -> str | None:
    path = column_path(column, lambda one: scope.path(one, relation))
    return None if path is None else ".".join(path)
