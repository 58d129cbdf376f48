"""Tables of catalogs in ClickHouse: a database, with the namespace and the name of a table in one
name, as in lake.`sales.eu.orders`."""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot import exp

from prunescope.collectors.sql.text.nodes import nodes_of

IN_DATABASE = "in_database"
"""Marks, in its meta data, a table whose name is one in the session's database, a catalog."""

_KEYS: dict[type[exp.Expr], tuple[str, ...]] = {
    exp.Table: ("catalog", "db", "this"),
    exp.Column: ("catalog", "db", "table"),
}
"""The arguments of nodes with the parts of a table's name, from the outermost on."""


def with_parted_names(tree: exp.Expr) -> None:
    """Takes the names of tables apart that hold dots, also before columns. Changes the tree."""
    for node in nodes_of(tree):
        keys = _KEYS.get(type(node))
        named = node.args.get(keys[-1]) if keys else None
        if keys is None or not isinstance(named, exp.Identifier) or "." not in named.name:
            continue
        names = [*_outer(node, keys), *named.name.split(".")]
        if not all(names) or (isinstance(node, exp.Column) and len(names) > len(keys)):
            continue  # `.inner.t` is a name of ClickHouse's own
        if isinstance(node, exp.Table) and len(names) == named.name.count(".") + 1:
            node.meta[IN_DATABASE] = True
        parts = [exp.to_identifier(name, quoted=True) for name in names]
        _set(node, keys, parts)


def _outer(node: exp.Expr, keys: Sequence[str]) -> list[str]:
    return [part.name for key in keys[:-1] if (part := node.args.get(key)) is not None]


def _set(node: exp.Expr, keys: Sequence[str], parts: list[exp.Identifier]) -> None:
    """Puts the parts of a name in place, those that are too many as one."""
    *outer, last = parts if len(parts) <= len(keys) else [*parts[:2], exp.Dot.build(parts[2:])]
    free = [*keys[:-1]][len(keys) - 1 - len(outer) :]
    for key, part in zip((*free, keys[-1]), (*outer, last), strict=True):
        node.set(key, part)
