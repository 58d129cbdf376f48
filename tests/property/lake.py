"""Writing the drawn tables with PyIceberg, and reading their rows back with PyArrow, file by
file and row group by row group."""

from __future__ import annotations

import itertools
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pyarrow as pa
import pyarrow.parquet as pq
from pyiceberg.catalog import Catalog
from pyiceberg.catalog.memory import InMemoryCatalog
from pyiceberg.schema import Schema
from pyiceberg.table import Table as WrittenTable
from pyiceberg.types import IcebergType, NestedField, StructType

from prunescope.collectors.observed import TableName
from prunescope.collectors.tables.catalog import Table, open_table
from tests.property.oracle import Row
from tests.property.strategies import (
    AddColumn,
    Design,
    DesignColumn,
    PromoteColumn,
    RenameColumn,
    Repartition,
    Rows,
    Step,
)

_NAMESPACE = "lake"


@dataclass(frozen=True)
class Lake:
    """A written table, as PyIceberg and as the product see it, and all of its rows:
    `rows[path][n]` are those of the file's n-th row group."""

    written: WrittenTable
    table: Table
    rows: dict[str, list[list[Row]]]


class Lakes:
    """Tables in one catalog, each there only while it is used."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._catalog: Catalog = InMemoryCatalog("lakes", warehouse=folder.as_uri())
        self._catalog.create_namespace(_NAMESPACE)
        self._numbers = itertools.count()

    @contextmanager
    def holding(self, design: Design) -> Iterator[Lake]:
        """The table of a design."""
        name = TableName(None, (_NAMESPACE,), f"t{next(self._numbers)}")
        folder = self._folder / name.table
        written = _write(design, self._catalog, name, folder.as_uri())
        try:
            if design.page_rows is not None:
                for task in written.scan().plan_files():
                    _add_indexes(urlsplit(task.file.file_path).path, design.page_rows)
            rows = {
                task.file.file_path: _row_groups(task.file.file_path)
                for task in written.scan().plan_files()
            }
            yield Lake(written, open_table(self._catalog, name), rows)
        finally:
            self._catalog.drop_table((_NAMESPACE, name.table))
            shutil.rmtree(folder)


def _write(design: Design, catalog: Catalog, name: TableName, location: str) -> WrittenTable:
    ids = itertools.count(1)
    table = catalog.create_table(
        (_NAMESPACE, name.table),
        Schema(*(_field(column, ids) for column in design.columns)),
        location=location,
        properties=dict(design.properties),
    )
    if design.partition:
        _repartition(table, design.partition)
    for step, rows in itertools.zip_longest((None, *design.steps), design.appends):
        if step is not None:
            _evolve(table, step)
        table.append(arrow_rows(rows, table.schema().as_arrow()))
    return table


def _field(column: DesignColumn, ids: Iterator[int]) -> NestedField:
    return NestedField(
        field_id=next(ids),
        name=column.name.rpartition(".")[2],
        field_type=_type(column, ids),
        required=column.required,
    )


def _type(column: DesignColumn, ids: Iterator[int]) -> IcebergType:
    if column.fields:
        return StructType(*(_field(field, ids) for field in column.fields))
    return IcebergType.model_validate(column.type)


def _evolve(table: WrittenTable, step: Step) -> None:
    if isinstance(step, Repartition):
        _repartition(table, step.fields)
        return
    with table.update_schema() as update:
        match step:
            case AddColumn(column):
                update.add_column(column.name, _type(column, itertools.count(1_000)))
            case RenameColumn(old, new):
                update.rename_column(old, new)
            case PromoteColumn(name, to):
                update.update_column(name, field_type=IcebergType.model_validate(to))


def _repartition(table: WrittenTable, fields: tuple[tuple[str, str], ...]) -> None:
    with table.update_spec() as update:
        for name, transform in fields:
            update.add_field(name, transform)
        if not fields:
            for field in table.spec().fields:
                update.remove_field(field.name)


def arrow_rows(rows: Rows, schema: pa.Schema) -> pa.Table:
    """Rows (times as whole numbers) as an Arrow table."""
    return pa.Table.from_pylist([dict(row) for row in rows], schema=schema)


def _add_indexes(path: str, page_rows: int) -> None:
    """Writes a file again with bloom filters and page indexes. Its manifest keeps the old size."""
    file = pq.ParquetFile(path)
    groups = [file.read_row_group(number) for number in range(file.num_row_groups)]
    schema = file.metadata.schema
    leaves = [schema.column(number) for number in range(file.metadata.num_columns)]
    with pq.ParquetWriter(
        path,
        file.schema_arrow,
        use_dictionary=page_rows != 1,  # chunks with a dictionary have no use for a filter
        write_page_index=True,
        max_rows_per_page=page_rows,
        bloom_filter_options={
            leaf.path: {"ndv": 10, "fpp": 0.01}
            for leaf in leaves
            if leaf.physical_type != "BOOLEAN" and leaf.max_repetition_level == 0
        },
    ) as writer:
        for group in groups:
            writer.write_table(group)


def _row_groups(path: str) -> list[list[Row]]:
    file = pq.ParquetFile(urlsplit(path).path)
    return [rows_of(file.read_row_group(number)) for number in range(file.num_row_groups)]


def rows_of(table: pa.Table) -> list[Row]:
    """The rows of an Arrow table by field id."""
    columns: dict[int, list[Any]] = {}
    for field, column in zip(table.schema, table.columns, strict=True):
        _collect(field, column.combine_chunks(), columns)
    return [
        {field_id: values[number] for field_id, values in columns.items()}
        for number in range(table.num_rows)
    ]


def _collect(field: pa.Field, array: pa.Array, into: dict[int, list[Any]]) -> None:
    field_id = int(field.metadata[b"PARQUET:field_id"])
    if pa.types.is_struct(array.type):
        into[field_id] = [True if valid else None for valid in array.is_valid().to_pylist()]
        for child, values in zip(array.type, array.flatten(), strict=True):
            _collect(child, values, into)
        return
    if isinstance(array.type, pa.BaseExtensionType):
        array = array.storage
    if pa.types.is_date(array.type):
        array = array.cast(pa.int32())
    elif pa.types.is_temporal(array.type):
        array = array.cast(pa.int64())
    into[field_id] = array.to_pylist()
