"""The nodes of syntax trees as lists, their names, and copies of trees: sqlglot's own take twice to
three times as long."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar, cast

from sqlglot import exp

IS_OF_ROWS = "is_of_rows"
"""Marks, in its meta data, an IN whose values are the rows of a query."""

_Node = TypeVar("_Node", bound=exp.Expr)


def nodes_of(tree: exp.Expr, *, into_queries: bool = True) -> list[exp.Expr]:
    """All nodes, level by level, in the order of sqlglot's `walk`; of queries, without
    `into_queries`, not what is in them."""
    found = [tree]
    for node in found:  # which grows
        if node.is_primitive or (not into_queries and isinstance(node, exp.Query)):
            continue
        for value in node.args.values():
            if not value or type(value) is str:  # as most are
                continue
            if isinstance(value, exp.Expr):
                found.append(value)
            elif isinstance(value, list):
                found += [item for item in value if isinstance(item, exp.Expr)]
    return found


def nodes_that_are(kind: type[_Node] | tuple[type[_Node], ...], tree: exp.Expr) -> list[_Node]:
    """The nodes of some kinds, in the same order."""
    return [node for node in nodes_of(tree) if isinstance(node, kind)]


def is_column(expression: exp.Expr) -> bool:
    """True if an expression is a column or a field of one."""
    while isinstance(expression, exp.Dot):
        expression = expression.this
    return isinstance(expression, exp.Column)


def given(node: exp.Expr) -> set[str]:
    """The names of the arguments that a node has: unset flags and empty lists do not count."""
    return {name for name, value in node.args.items() if value}


def in_brackets(query: exp.Expr) -> exp.Expr | None:
    """The query within its brackets, if there are any; None if these have more than a name, such as
    LIMIT."""
    while isinstance(query, exp.Subquery):
        if not given(query) <= {"this", "alias"}:
            return None
        query = query.this
    return query


def names_in(column: exp.Column) -> tuple[str, ...]:
    """The parts of a column's name, from the outermost on."""
    return tuple(
        part.args["this"] if type(part) is exp.Identifier else part.name for part in column.parts
    )


def nodes_in_depth(tree: exp.Expr) -> list[exp.Expr]:
    """All nodes, each right before what is in it, in the order of sqlglot's `dfs`."""
    found, waiting = [], [tree]
    while waiting:
        node = waiting.pop()
        found.append(node)
        if node.is_primitive:
            continue
        for value in reversed(node.args.values()):
            if not value:
                continue
            if isinstance(value, exp.Expr):
                waiting.append(value)
            elif isinstance(value, list):
                waiting += [item for item in reversed(value) if isinstance(item, exp.Expr)]
    return found


def copy_of(tree: _Node) -> _Node:
    """A copy of a tree."""
    return cast(_Node, rebuilt(tree, lambda node: node))


def rebuilt(tree: exp.Expr, change: Callable[[exp.Expr], exp.Expr | None]) -> exp.Expr:
    """A copy of a tree, with what `change` makes of its nodes, from the outside in: the node itself
    to copy it, a new one in its place, or None to leave it out, where it is not the root."""
    top = change(tree) or tree
    if top is not tree:
        return top
    root = _bare(tree)
    waiting = [(tree, root)]

    def placed(node: exp.Expr, parent: exp.Expr, name: str) -> exp.Expr | None:
        new = change(node)
        if new is node:
            new = _bare(node)
            if not node.is_primitive:
                waiting.append((node, new))
        if new is not None:
            new.parent, new.arg_key = parent, name
        return new

    while waiting:
        node, copy = waiting.pop()
        for name, value in node.args.items():
            if isinstance(value, exp.Expr):
                new = placed(value, copy, name)
                if new is not None:
                    copy.args[name] = new
            elif isinstance(value, list):
                items: list[object] = []
                copy.args[name] = items
                for item in value:
                    new = placed(item, copy, name) if isinstance(item, exp.Expr) else item
                    if isinstance(new, exp.Expr):
                        new.index = len(items)
                    if new is not None or item is None:
                        items.append(new)
            else:
                copy.args[name] = value
    return root


def _bare(node: exp.Expr) -> exp.Expr:
    """A copy of a node, without other nodes in it."""
    copy = type(node)()
    if node.is_primitive:
        copy.args.update(node.args)
    if node.comments:
        copy.comments = [*node.comments]
    # sqlglot's `meta` makes a dictionary for every node without one; `type` of a cast is its own.
    if node._meta:  # noqa: SLF001
        copy.meta.update(node._meta)  # noqa: SLF001
    if node._type is not None:  # noqa: SLF001
        copy.type = node._type  # noqa: SLF001
    return copy
