"""Rows of the audit tables as Arrow, typed as the tables store them."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from typing import Any

import pyarrow as pa
from pyiceberg.io.pyarrow import schema_to_pyarrow

from audit_jobs.results.columns import Row
from audit_jobs.results.schemas import AuditTable

_CHUNK = 8_192


def to_arrow(rows: Iterable[Row], audit_table: AuditTable) -> pa.Table:
    """Rows with all columns of their table, null where nothing is known. Raises what Arrow raises
    for values that a column cannot hold."""
    schema = schema_to_pyarrow(audit_table.schema(), include_field_ids=False)
    return pa.Table.from_batches((_batch(chunk, schema) for chunk in _chunks(iter(rows))), schema)


def _batch(rows: list[Row], schema: pa.Schema) -> pa.RecordBatch:
    columns = [_column([row.get(field.name) for row in rows], field.type) for field in schema]
    return pa.RecordBatch.from_arrays(columns, schema=schema)


def _column(values: list[Any], kind: pa.DataType) -> pa.Array:
    try:
        return pa.array(values, kind)
    except UnicodeEncodeError:
        return pa.array([encodable(value) for value in values], kind)


def encodable(value: Any) -> Any:
    """Text without halves of characters, which JSON can escape and UTF-8 does not have."""
    match value:
        case str():
            return value if value.isascii() else value.encode(errors="replace").decode()
        case list() | tuple():
            return type(value)(encodable(item) for item in value)
        case _:
            return value


def _chunks(rows: Iterator[Row]) -> Iterator[list[Row]]:
    while chunk := list(itertools.islice(rows, _CHUNK)):
        yield chunk
