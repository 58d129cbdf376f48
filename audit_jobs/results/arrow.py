"""Rows of the audit tables as Arrow, typed as the tables store them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import pyarrow as pa
from pyiceberg.io.pyarrow import schema_to_pyarrow

from prunescope.audit_jobs.results.audit_table import AuditTable
from prunescope.audit_jobs.results.columns import Row


def to_arrow(rows: Iterable[Row], audit_table: AuditTable) -> pa.Table:
    """Rows with all columns of their table, null if a value is unknown. Raises Arrow's errors for
    values that a column cannot hold."""
    found = list(rows)
    names = [field.name for field in audit_table.schema().fields]
    return columns_to_arrow({name: [row.get(name) for row in found] for name in names}, audit_table)


def columns_to_arrow(columns: Mapping[str, Sequence[Any]], audit_table: AuditTable) -> pa.Table:
    """Columns as Arrow, as `to_arrow` makes them of rows. At least one is given; the others are
    null."""
    schema = schema_to_pyarrow(audit_table.schema(), include_field_ids=False)
    count = len(next(iter(columns.values())))
    nothing = [None] * count
    arrays = [_column(columns.get(field.name, nothing), field.type) for field in schema]
    return pa.Table.from_arrays(arrays, schema=schema)


def _column(values: Sequence[Any], kind: pa.DataType) -> pa.Array:
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
