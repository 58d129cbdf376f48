"""Which tables a query names."""

from __future__ import annotations

from sqlglot import exp

from collectors.predicates.sql_parse import deep_nesting_refused
from collectors.predicates.sql_time_travel import is_selector
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
# A name of four parts is catalog, namespace, table and metadata table, whatever the session.
_FULL_METADATA_NAME = 4


def referenced_tables(
    tree: exp.Query, catalog: str | None, schema: str | None
) -> tuple[TableName, ...]:
    """The distinct base tables in the order of the syntax tree, with the session's `catalog`
    and `schema` for the parts that the text leaves out. Common table expressions, table
    functions, metadata tables and names in hints are none."""
    with deep_nesting_refused():
        tables = (table_name(node, catalog, schema) for node in tree.find_all(exp.Table, bfs=False))
        return tuple(dict.fromkeys(_whole(table) for table in tables if table is not None))


def _whole(name: TableName) -> TableName:
    """The table of which a full name in Spark selects a version: `lake.db.t.branch_audit`."""
    if len(name.namespace) > 1 and name.catalog is not None and is_selector(name.table):
        *namespace, table = name.namespace
        return TableName(name.catalog, tuple(namespace), table)
    return name


def table_name(node: exp.Table, catalog: str | None, schema: str | None) -> TableName | None:
    """The base table that `node` names; None for anything else."""
    if cte_of(node) is not None or node.find_ancestor(exp.Hint) is not None:
        return None
    parts = name_parts(node)
    if not parts or not all(parts) or _is_metadata_table(parts):
        return None
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


def _is_metadata_table(parts: tuple[str, ...]) -> bool:
    base, separator, kind = parts[-1].rpartition("$")
    if separator and base and kind.lower() in METADATA_TABLES:
        return True
    # Three parts are `catalog.db.files` as often as `db.t.files`: they stay a table, so that
    # no real one is lost silently.
    return len(parts) >= _FULL_METADATA_NAME and parts[-1].lower() in METADATA_TABLES


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
