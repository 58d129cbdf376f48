"""Which tables a query names."""

from __future__ import annotations

import re

from sqlglot import exp

from collectors.predicates.sql_parse import deep_nesting_refused
from collectors.queries.observed import TableName

# Iceberg's metadata tables: `db.t.files` in Spark (Iceberg 1.11, MetadataTableType) and
# `"t$files"` in Trino 482 (TableType).
METADATA_TABLES = frozenset(
    (
        "all_data_files",
        "all_delete_files",
        "all_entries",
        "all_files",
        "all_manifests",
        "data_files",
        "delete_files",
        "entries",
        "files",
        "history",
        "manifests",
        "metadata_log_entries",
        "partitions",
        "position_deletes",
        "properties",
        "refs",
        "snapshots",
    )
)
# A name of four parts is catalog, namespace, table and metadata table or version, whatever the
# session.
_FULL_NAME = 4
# Spark's names for versions of a table: `db.t.branch_audit`, `db.t.at_timestamp_1700000000000`
# (Iceberg 1.11, SparkCatalog).
_VERSION = re.compile(
    r"(?:branch|tag)_(?P<ref>.+)|snapshot_id_(?P<snapshot>\d+)|at_timestamp_(?P<millis>\d+)",
    re.IGNORECASE,
)


def referenced_tables(
    tree: exp.Query, catalog: str | None, schema: str | None
) -> tuple[TableName, ...]:
    """The distinct base tables in the order of the syntax tree, with the session's `catalog`
    and `schema` for the parts that the text leaves out. Common table expressions, table
    functions and metadata tables are none."""
    with deep_nesting_refused():
        tables = (table_name(node, catalog, schema) for node in tree.find_all(exp.Table, bfs=False))
        return tuple(dict.fromkeys(table for table in tables if table is not None))


def table_name(node: exp.Table, catalog: str | None, schema: str | None) -> TableName | None:
    """The base table that `node` names; None for anything else."""
    if cte_of(node) is not None:
        return None
    parts = name_parts(node)
    if not parts or not all(parts) or _is_metadata_table(parts):
        return None
    if version_in_name(node) is not None:
        parts = parts[:-1]
    default = tuple(schema.split(".")) if schema else ()
    match parts:
        case (table,):
            return TableName(catalog, default, table)
        case (namespace, table):
            return TableName(catalog, (namespace,), table)
        case (explicit, *namespaces, table):
            return TableName(explicit, tuple(namespaces), table)
    return None


def name_parts(node: exp.Table) -> tuple[str, ...]:
    """The parts of the name as written; none for a table function."""
    parts = node.parts
    return tuple(p.name for p in parts) if all(isinstance(p, exp.Identifier) for p in parts) else ()


def version_in_name(node: exp.Table) -> re.Match[str] | None:
    """The version that the last part of a full name selects, in one of the groups `ref`,
    `snapshot` and `millis`. Shorter names may be those of tables."""
    parts = name_parts(node)
    return _VERSION.fullmatch(parts[-1]) if len(parts) >= _FULL_NAME else None


def _is_metadata_table(parts: tuple[str, ...]) -> bool:
    base, separator, kind = parts[-1].rpartition("$")
    if separator and base and kind.lower() in METADATA_TABLES:
        return True
    # Three parts are `catalog.db.files` as often as `db.t.files`: they stay a table, so that
    # no real one is lost silently.
    return len(parts) >= _FULL_NAME and parts[-1].lower() in METADATA_TABLES


def cte_of(node: exp.Table) -> exp.CTE | None:
    """The common table expression that `node` refers to, by lexical scope: an inner WITH hides
    an outer one, and a body sees only those before it, and itself under RECURSIVE."""
    if node.args.get("db") is not None:
        return None
    name = node.name.lower()
    within: exp.Expr = node
    while within.parent is not None:
        within = within.parent
        clause = within.args.get("with_")
        if clause is None:
            continue
        for cte in reversed(clause.expressions):
            if cte.alias.lower() == name and _is_visible(cte, node, clause):
                found: exp.CTE = cte
                return found
    return None


def _is_visible(cte: exp.CTE, node: exp.Expr, clause: exp.With) -> bool:
    inside = _body_around(node, clause)
    if inside is None:
        return True
    if inside is cte:
        return bool(clause.recursive)
    ctes = clause.expressions
    return _position(cte, ctes) < _position(inside, ctes)


def _body_around(node: exp.Expr, clause: exp.With) -> exp.Expr | None:
    current: exp.Expr | None = node
    while current is not None:
        if current.parent is clause:
            return current
        current = current.parent
    return None


def _position(cte: exp.Expr, ctes: list[exp.Expr]) -> int:
    return next(index for index, other in enumerate(ctes) if other is cte)
