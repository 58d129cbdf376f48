"""The tables: written by PyIceberg, of every partitioning that it writes, with several row groups
in a file."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
from pyiceberg.catalog.sql import SqlCatalog
from pyiceberg.schema import Schema
from pyiceberg.table import Table as WrittenTable
from pyiceberg.types import (
    BooleanType,
    DateType,
    DecimalType,
    DoubleType,
    IcebergType,
    IntegerType,
    LongType,
    NestedField,
    StringType,
    TimestampType,
    TimestamptzType,
)

from prunescope.collectors.observed import TableName
from prunescope.collectors.storage.locations import local_path
from prunescope.collectors.tables.catalog import Table, open_table
from tests.differential.readers.conditions import COLUMNS

PARTITIONINGS: Mapping[str, tuple[tuple[str, str], ...]] = {
    "plain": (),
    "identity_s": (("s", "identity"),),
    "identity_b": (("b", "identity"),),
    "bucket_l": (("l", "bucket[4]"),),
    "truncate_i": (("i", "truncate[10]"),),
    "truncate_s": (("s", "truncate[1]"),),
    "year_dt": (("dt", "year"),),
    "day_ts": (("ts", "day"),),
    "month_tsn": (("tsn", "month"),),
    "several": (("ts", "year"), ("l", "bucket[2]")),
}
_TYPES: Mapping[str, IcebergType] = {
    "int": IntegerType(),
    "long": LongType(),
    "double": DoubleType(),
    "decimal": DecimalType(9, 2),
    "string": StringType(),
    "date": DateType(),
    "timestamp": TimestampType(),
    "timestamptz": TimestamptzType(),
    "boolean": BooleanType(),
}
_APPENDS = 3
_ROWS = 40
_ROWS_PER_ROW_GROUP = 8
# Of the doubles in every second append.
_NANS = 0.2

RowGroup = tuple[str, int]
"""The path of a file, and the number of a row group in it."""


@dataclass(frozen=True)
class Lake:
    """A table as PyIceberg and as the product see it."""

    name: str
    written: WrittenTable
    table: Table

    @cached_property
    def files(self) -> tuple[str, ...]:
        """The paths of its data files."""
        return tuple(sorted(task.file.file_path for task in self.written.scan().plan_files()))

    @cached_property
    def rows(self) -> Mapping[RowGroup, pa.Table]:
        """Every row, by the row group that holds it."""
        found = {}
        for path in self.files:
            file = pq.ParquetFile(local(path))
            for number in range(file.num_row_groups):
                found[path, number] = file.read_row_group(number)
        return found

    @cached_property
    def every_row(self) -> pa.Table:
        """The rows of all row groups."""
        return pa.concat_tables(self.rows.values()).combine_chunks()

    @cached_property
    def homes(self) -> Mapping[int, RowGroup]:
        """The row group of each row, by its `n`."""
        return {n: home for home, rows in self.rows.items() for n in rows["n"].to_pylist()}


def local(path: str) -> str:
    """The name of a file in the file system."""
    found = local_path(path)
    assert found is not None
    return str(found)


def write_lakes(folder: Path) -> Iterator[Lake]:
    """Every table, with the same rows."""
    catalog = SqlCatalog("readers", uri=f"sqlite:///{folder}/catalog.db", warehouse=folder.as_uri())
    catalog.create_namespace("db")
    schema = Schema(
        *(
            NestedField(number, name, _TYPES[column.type])
            for number, (name, column) in enumerate(COLUMNS.items(), start=1)
        )
    )
    for name, partitioning in PARTITIONINGS.items():
        table = catalog.create_table(
            ("db", name),
            schema,
            properties={"write.parquet.row-group-limit": str(_ROWS_PER_ROW_GROUP)},
        )
        with table.update_spec() as update:
            for source, transform in partitioning:
                update.add_field(source, transform)
        random_ = random.Random("rows")  # noqa: S311
        for part in range(_APPENDS):
            rows = [_row(random_, part, number) for number in range(_ROWS)]
            table.append(pa.Table.from_pylist(rows, schema=schema.as_arrow()))
        yield Lake(name, table, open_table(catalog, TableName(None, ("db",), name)))


def _row(random_: random.Random, part: int, number: int) -> dict[str, Any]:
    """Rows of a part hold stretches of the values, so that files and row groups differ."""
    step = part + number // _ROWS_PER_ROW_GROUP
    row: dict[str, Any] = {}
    for name, column in COLUMNS.items():
        stretch = max(2, len(column.values) // 3)
        place = (step * stretch // 2 + random_.randrange(stretch)) % len(column.values)
        value = column.values[place]
        if column.type == "double" and part % 2 and random_.random() < _NANS:
            value = float("nan")
        if column.type == "boolean" and step % 3:
            value = step % 3 == 1
        # A stretch of nothing but nulls, and some in between.
        is_null = random_.random() < 0.08 or (step + len(name)) % 7 == 6
        row[name] = None if is_null else value
    return row | {"n": part * _ROWS + number}
