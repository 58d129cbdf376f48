"""Tables that a query names."""

from __future__ import annotations

from sqlglot import exp

from prunescope.collectors.observed import TableName
from prunescope.collectors.sql.scopes.time_travel import is_selector
from prunescope.collectors.sql.text.cost import bounded, spend
from prunescope.collectors.sql.text.ctes import Ctes
from prunescope.collectors.sql.text.dotted_names import IN_DATABASE
from prunescope.collectors.sql.text.nodes import nodes_in_depth

# Iceberg's metadata tables: `db.t.files` in Spark (Iceberg 1.11, MetadataTableType) and
# `"t$files"` in Trino 482 (TableType).
METADATA_TABLES = frozenset(
    (
        "all_data_files",
        "all_delete_files",
        "all_entries",
        "all_files",
        "all_manifests",
        "changes",
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
    with bounded():
        ctes = Ctes()
        nodes = nodes_in_depth(tree)
        spend(len(nodes))
        named = (node for node in nodes if isinstance(node, exp.Table))
        tables = (table_name(node, catalog, schema, ctes) for node in named)
        return tuple(dict.fromkeys(_whole(table) for table in tables if table is not None))


def target_name(node: exp.Table, catalog: str | None, schema: str | None) -> TableName | None:
    """The table that the target of a statement names, which is no common table expression."""
    name = _named(node, catalog, schema)
    return None if name is None else _whole(name)


def _whole(name: TableName) -> TableName:
    """The table of which a full name in Spark selects a version: `lake.db.t.branch_audit`."""
    if len(name.namespace) > 1 and name.catalog is not None and is_selector(name.table):
        *namespace, table = name.namespace
        return TableName(name.catalog, tuple(namespace), table)
    return name


def table_name(
    node: exp.Table, catalog: str | None, schema: str | None, ctes: Ctes
) -> TableName | None:
    """The base table that `node` names; None for anything else."""
    if ctes.of(node) is not None or node.find_ancestor(exp.Hint) is not None:
        return None
    return _named(node, catalog, schema)


def _named(node: exp.Table, catalog: str | None, schema: str | None) -> TableName | None:
    parts = name_parts(node)
    if not parts or not all(parts) or _is_metadata_table(parts):
        return None
    if node.meta_get(IN_DATABASE):
        return TableName(schema or catalog, parts[:-1], parts[-1])
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
