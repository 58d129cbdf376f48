"""The SQL text of queries, read once however often it is repeated."""

from __future__ import annotations

import datetime as dt
import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from collectors.errors import PrunescopeError, UnsupportedStatement
from collectors.predicates.model import Predicate
from collectors.queries.observed import (
    ObservedQuery,
    ObservedScan,
    PlanText,
    Reference,
    TableName,
)

if TYPE_CHECKING:
    from sqlglot import exp

    from collectors.predicates.sql_extract import SqlScan
    from collectors.predicates.sql_statements import Statement

Columns = Mapping[TableName, Sequence[str] | Mapping[str, str]]
"""The top-level columns of every table that is audited, best with their types."""


@dataclass(frozen=True, slots=True)
class Failed:
    """Why a query cannot be replayed: a stable code, and a message for people."""

    code: str
    message: str | None


@dataclass(frozen=True, slots=True)
class TableScan:
    """One reference of a query to a table. `predicate` (unbound) is all that is known of the
    filter that concerns it, `pushed` the part that the engine gives to the planner, None where
    nobody knows. At most one of `snapshot_id`, `ref` and `as_of` is set: time travel that the
    SQL asks for. `observed` is what the engine reported of the scan."""

    table: TableName
    predicate: Predicate
    pushed: PlanText | Predicate | None = None
    snapshot_id: int | None = None
    ref: str | None = None
    as_of: dt.datetime | None = None
    observed: ObservedScan | None = None


@dataclass(frozen=True, slots=True)
class FoundScans:
    """The scans of a query; `failure` if its text, or one of its statements, cannot be read."""

    scans: tuple[TableScan, ...] = ()
    failure: Failed | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Reading:
    """A statement's query, its views expanded, and the session that it runs in; `time_zone` is
    None where the text sets none."""

    tree: exp.Query
    catalog: str | None
    schema: str | None
    time_zone: str | None


@dataclass(frozen=True, slots=True)
class Text:
    """What the text of a query says without any schema."""

    readings: tuple[Reading, ...] = ()
    tables: tuple[TableName, ...] = ()
    fingerprint: str | None = None
    traits: frozenset[str] = frozenset()
    failure: Failed | None = None


def read_text(query: ObservedQuery) -> Text:
    """The statements of a query's text and the base tables they name. Never raises: what cannot
    be parsed says so."""
    assert query.sql is not None
    return _read(
        query.sql, query.dialect, query.parameters, query.catalog, query.schema, query.references
    )


@lru_cache(maxsize=4096)
def _read(  # all that the meaning of names depends on
    sql: str,
    dialect: str,
    parameters: tuple[str, ...],
    catalog: str | None,
    schema: str | None,
    references: tuple[Reference, ...],
) -> Text:
    from collectors.predicates.fingerprint import fingerprint  # noqa: PLC0415
    from collectors.predicates.sql_statements import statements  # noqa: PLC0415
    from collectors.predicates.sql_tables import referenced_tables  # noqa: PLC0415
    from collectors.predicates.sql_views import expand_views  # noqa: PLC0415

    try:
        found = statements(sql, dialect, parameters, catalog, schema)
        trees = [(s, s.tree) for s in found if s.tree is not None]
        expanded = [
            (s, expand_views(tree, references, dialect, s.catalog, s.schema)) for s, tree in trees
        ]
        tables = [t for s, tree in expanded for t in referenced_tables(tree, s.catalog, s.schema)]
        shapes = [fingerprint(tree) for _, tree in trees]
    except PrunescopeError as error:
        return Text(failure=Failed(error.code, str(error)))
    except Exception as error:  # noqa: BLE001  # one query must not stop the others
        return Text(failure=_internal(error))
    readings = tuple(Reading(tree, s.catalog, s.schema, s.time_zone) for s, tree in expanded)
    return Text(
        readings,
        tuple(dict.fromkeys(tables)),
        _joined(shapes),
        frozenset().union(*(s.traits for s in found)),
        _failure(found),
    )


def _joined(shapes: Sequence[str]) -> str | None:
    """One fingerprint for a text of several statements."""
    if len(shapes) < 2:
        return next(iter(shapes), None)
    return hashlib.sha256(" ".join(shapes).encode()).hexdigest()[: len(shapes[0])]


def _failure(found: Sequence[Statement]) -> Failed | None:
    """The first failure that matters: SET and USE beside a query are no failures."""
    failures = [s.failure for s in found if s.failure is not None]
    if len(failures) < len(found):
        failures = [f for f in failures if not isinstance(f, UnsupportedStatement)]
    return Failed(failures[0].code, str(failures[0])) if failures else None


class TextScans:
    """The scans in the texts of queries over the tables in `columns`.

    A text is analysed once for each session that it means something else in; only one that
    asks for the time is analysed again for each query. So a repeated text costs a look-up.
    """

    def __init__(self, columns: Columns) -> None:
        self._columns = columns
        self._found: dict[tuple[object, ...], FoundScans] = {}

    def find(self, query: ObservedQuery) -> FoundScans:
        """The scans of a query with a text. Never raises."""
        session = (
            query.sql,
            query.dialect,
            query.parameters,
            query.catalog,
            query.schema,
            query.references,
            query.time_zone,
            query.engine,
            query.engine_version,
        )
        found = self._found.get(session) or self._found.get((*session, query.started_at))
        if found is None:
            found, is_timed = self._analyse(query)
            self._found[(*session, query.started_at) if is_timed else session] = found
        return found

    def _analyse(self, query: ObservedQuery) -> tuple[FoundScans, bool]:
        from collectors.predicates.planners import planner_of  # noqa: PLC0415
        from collectors.predicates.sql_extract import extract  # noqa: PLC0415

        text = read_text(query)
        scans: list[TableScan] = []
        failure = text.failure
        is_timed = False
        for reading in text.readings:
            try:
                found = extract(
                    reading.tree,
                    dialect=query.dialect,
                    columns=self._columns,
                    catalog=reading.catalog,
                    schema=reading.schema,
                    started_at=query.started_at,
                    time_zone=reading.time_zone or query.time_zone,
                    planner=planner_of(query.engine, query.engine_version),
                )
            except PrunescopeError as error:
                failure = failure or Failed(error.code, str(error))
            except Exception as error:  # noqa: BLE001  # one query must not stop the others
                failure = failure or _internal(error)
            else:
                is_timed |= any(scan.is_timed for scan in found)
                scans += (_table_scan(scan) for scan in found)
        return FoundScans(tuple(scans), failure), is_timed


def _table_scan(scan: SqlScan) -> TableScan:
    return TableScan(
        scan.table, scan.predicate, scan.pushed, scan.snapshot_id, scan.ref, scan.as_of
    )


def _internal(error: Exception) -> Failed:
    message = f"{type(error).__name__} in prunescope; please report the query's shape"
    return Failed("internal_error", message)
