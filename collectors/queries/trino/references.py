"""Tables and views that a query of Trino refers to: `metadata.tables[]` of an event
(io.trino.spi.eventlistener.TableInfo, Trino 482)."""

from __future__ import annotations

from prunescope.collectors.observed import Reference, TableName
from prunescope.collectors.queries.json_input import text


def read_references(metadata: dict[str, object]) -> tuple[Reference, ...]:
    """The tables and views with more than a name: the text of a view, row filters and column masks
    that access control adds. A table that is read in several ways, directly and through a view, has
    a reference for each, also for one without filters."""
    tables = metadata.get("tables")
    if not isinstance(tables, list):
        return ()
    read = [_reference(entry) for entry in tables if isinstance(entry, dict)]
    found = [reference for reference in read if reference is not None]
    known = {r.name for r in found if r.view_sql or r.row_filters or r.masked}
    return tuple(dict.fromkeys(reference for reference in found if reference.name in known))


def _reference(entry: dict[str, object]) -> Reference | None:
    table, schema = text(entry.get("table")), text(entry.get("schema"))
    if table is None:
        return None
    return Reference(
        TableName(text(entry.get("catalog")), () if schema is None else (schema,), table),
        text(entry.get("viewText")),
        _row_filters(entry.get("filters")),
        _masked(entry.get("columns")),
    )


def _row_filters(filters: object) -> tuple[str, ...]:
    entries = filters if isinstance(filters, list) else ()
    return tuple(condition for entry in entries if (condition := text(entry)) is not None)


def _masked(columns: object) -> tuple[str, ...]:
    """The columns with a mask; `masks` is a list, in events before trinodb/trino#15680 (2023)."""
    entries = columns if isinstance(columns, list) else ()
    names = (
        text(entry.get("column"))
        for entry in entries
        if isinstance(entry, dict) and (entry.get("mask") or entry.get("masks"))
    )
    return tuple(name for name in names if name is not None)
