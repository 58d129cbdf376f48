"""Names in a statement that are no names of its tables.

A text in double quotes is a name in most dialects. If a log is read in the wrong one, or an engine
takes either, what stands there can be a value: so a name is written down only if the schema has it.
"""

from __future__ import annotations

from collections.abc import Iterable

from sqlglot import exp

from prunescope.collectors.sql.text.nodes import is_column, nodes_of

_STRANGE = "strange"
_VALUES = (exp.Placeholder, exp.Parameter, exp.SessionParameter)
# Iceberg's functions in Spark: `lake.system.bucket(4, id)`.
_SYSTEM = "system"
_OF_SESSION = (_SYSTEM, "session")


def tell_names(nodes: Iterable[exp.Expr], columns: frozenset[str], tables: frozenset[str]) -> None:
    """Marks every identifier that is none of the lower-case `columns`, nor, where it names a
    table, a part of one of `tables`."""
    for name in nodes:
        if not isinstance(name, exp.Identifier):
            continue
        known = tables if isinstance(name.parent, exp.Table) else columns
        text = name.name.lower()
        if text not in known and text != _SYSTEM:
            name.meta[_STRANGE] = True
        else:
            name.meta.pop(_STRANGE, None)


def hide_variables(nodes: Iterable[exp.Expr], variables: frozenset[str]) -> None:
    """Puts parameters without a value in the place of columns that are marked, and named as one of
    the lower-case `variables`: alone, or as one of the session."""
    for node in nodes if variables else ():
        if isinstance(node, exp.Column) and _is_strange(node.this):
            of_session = all(part.name.lower() in _OF_SESSION for part in node.parts[:-1])
            if of_session and node.name.lower() in variables:
                node.replace(exp.Placeholder(this=node.name))


def without_strange_names(tree: exp.Expr) -> exp.Expr:
    """The tree with `?` for every marked name. Columns lose the names before them (of a table,
    or an alias), and keep those behind them: fields of a struct, which a binder looks up.
    Changes the tree."""
    nodes = nodes_of(tree)
    for column in nodes:
        if not isinstance(column, exp.Column):
            continue
        strange = [_is_strange(part) for part in column.parts]
        if all(strange):
            if column is tree:
                return _unknown()
            column.replace(_unknown())
        else:
            keys = [key for key in ("catalog", "db", "table", "this") if column.args.get(key)]
            for key in keys[: strange.index(False)]:
                column.set(key, None)
    for name in nodes:
        if _is_strange(name) and not _is_within_known(name):
            name.replace(_unknown())
    for value in nodes:
        if isinstance(value, _VALUES):
            if value is tree:
                return _unknown()
            value.replace(_unknown())
    return tree


def _unknown() -> exp.Expr:
    return exp.Var(this="?")


def _is_strange(name: exp.Expr) -> bool:
    return isinstance(name, exp.Identifier) and bool(name.meta_get(_STRANGE))


def _is_within_known(name: exp.Expr) -> bool:
    """True if a name is that of a field within a known column."""
    parent = name.parent
    if isinstance(parent, exp.Column):
        return True
    return isinstance(parent, exp.Dot) and name.arg_key == "expression" and is_column(parent.this)
