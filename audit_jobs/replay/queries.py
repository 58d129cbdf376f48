"""From a query of a log to scans of tables, in the two steps that an audit needs: which tables
it names, and, once their columns are known, one predicate per table reference."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from collectors.errors import PrunescopeError
from collectors.predicates.model import Predicate
from collectors.queries.observed import ObservedQuery, TableName


@dataclass(frozen=True, slots=True)
class Failed:
    """Why a query cannot be replayed: a stable code, and a message for people."""

    code: str
    message: str | None


@dataclass(frozen=True, slots=True)
class NamedTables:
    """A query and the base tables it names, or the failure that kept it from being told."""

    query: ObservedQuery
    tables: tuple[TableName, ...] = ()
    fingerprint: str | None = None
    failure: Failed | None = None


@dataclass(frozen=True, slots=True)
class TableScan:
    """One reference of a query to a table, with the filter that concerns it (unbound). At most
    one of `snapshot_id`, `ref` and `as_of` is set: time travel that the SQL asks for."""

    table: TableName
    predicate: Predicate
    snapshot_id: int | None = None
    ref: str | None = None
    as_of: dt.datetime | None = None


def name_tables(query: ObservedQuery) -> NamedTables:
    """Step 1. Never raises: what cannot be parsed says so."""
    from collectors.predicates.sql_tables import referenced_tables  # noqa: PLC0415

    try:
        tree, fingerprint = _parsed(query.sql, query.dialect, query.parameters)
        tables = referenced_tables(tree, query.catalog, query.schema)
    except PrunescopeError as error:
        return NamedTables(query, failure=Failed(error.code, str(error)))
    except Exception as error:  # noqa: BLE001  # one query must not stop the others
        return NamedTables(query, failure=_internal(error))
    return NamedTables(query, tables, fingerprint)


def find_scans(
    query: ObservedQuery, columns: Mapping[TableName, tuple[str, ...]]
) -> tuple[TableScan, ...] | Failed:
    """Step 2: the query's scans of the tables in `columns`."""
    from collectors.predicates.sql_extract import extract  # noqa: PLC0415

    try:
        tree, _ = _parsed(query.sql, query.dialect, query.parameters)
        found = extract(
            tree,
            dialect=query.dialect,
            columns=columns,
            catalog=query.catalog,
            schema=query.schema,
            started_at=query.started_at,
            time_zone=query.time_zone,
        )
    except PrunescopeError as error:
        return Failed(error.code, str(error))
    except Exception as error:  # noqa: BLE001  # one query must not stop the others
        return _internal(error)
    return tuple(
        TableScan(scan.table, scan.predicate, scan.snapshot_id, scan.ref, scan.as_of)
        for scan in found
    )


@lru_cache(maxsize=4096)
def _parsed(sql: str, dialect: str, parameters: tuple[str, ...]) -> tuple[Any, str]:
    """The syntax tree and its fingerprint; query logs repeat themselves."""
    from collectors.predicates.fingerprint import fingerprint  # noqa: PLC0415
    from collectors.predicates.sql_parse import parse  # noqa: PLC0415

    tree = parse(sql, dialect, parameters)
    return tree, fingerprint(tree)


def _internal(error: Exception) -> Failed:
    message = f"{type(error).__name__} in prunescope; please report the query's shape"
    return Failed("internal_error", message)
