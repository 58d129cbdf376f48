"""Writes layouts as Iceberg tables by Spark, file by file, and Spark alone rewrites them then.

PyIceberg's files would not do: what a rewrite makes of them differs in encoding as well, which
would count as saved.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from tests.scenarios.lake import Lake
from tests.workloads.physical import Commit, Layout, parse_term

MOST_FILES = 1_000
"""Of more, Spark writes a table for a minute and longer."""

_METRICS_OF = "write.metadata.metrics.column."
_ROW_GROUP_ROWS, _ROW_GROUP_BYTES = (
    f"write.parquet.row-group-{unit}" for unit in ("limit", "size-bytes")
)
_ONE_FILE_A_TASK = {
    "spark.sql.files.maxPartitionBytes": str(1 << 30),
    "spark.sql.files.openCostInBytes": str(1 << 30),
    "spark.sql.iceberg.distribution-mode": "none",
}
"""Settings by which what is read of each file is written as one, by the task that read it."""


class CannotWrite(ValueError):
    """A layout of what Spark's SQL does not write, with the reason."""


def write_by_spark(lake: Lake, name: str, layout: Layout) -> None:
    """Makes the table `lake.db.name` of a layout. Raises CannotWrite."""
    _require(layout)
    staged = lake.directory / "staged" / name
    for number, commit in enumerate(layout.commits):
        _stage(staged / str(number), commit)
    lake.sql(
        *(f"SET `{key}`={value}" for key, value in _ONE_FILE_A_TASK.items()),
        *_statements(f"lake.db.{name}", layout, staged),
        *(f"RESET `{key}`" for key in _ONE_FILE_A_TASK),
    )


def _require(layout: Layout) -> None:
    """Raises CannotWrite where a table of Spark's would be another one."""
    schema, count = next(layout.files).schema, sum(1 for _ in layout.files)
    if count > MOST_FILES:
        raise CannotWrite(f"{count:,} files")
    if any(commit.deletes for commit in layout.commits):
        raise CannotWrite("position deletes")
    if any(file.schema != schema for file in layout.files):
        raise CannotWrite("columns that were added later")
    if _ROW_GROUP_ROWS in layout.properties and _ROW_GROUP_BYTES not in layout.properties:
        raise CannotWrite("row groups of a number of rows")
    for field in schema:
        if isinstance(field.type, pa.ExtensionType) or pa.types.is_time(field.type):
            raise CannotWrite(f"{field.name} is a {field.type}")


def _stage(folder: Path, commit: Commit) -> None:
    """Writes the rows of each file of a commit for Spark to read, in their order."""
    folder.mkdir(parents=True)
    for number, rows in enumerate(commit.files):
        types = [_of_spark(field) for field in rows.schema]
        pq.write_table(rows.cast(pa.schema(types)), folder / f"{number:05}.parquet")


def _of_spark(field: pa.Field) -> pa.Field:
    is_fixed = pa.types.is_fixed_size_binary(field.type)
    return field.with_type(pa.binary()) if is_fixed else field


def _statements(table: str, layout: Layout, staged: Path) -> Iterator[str]:
    first = next(number for number, commit in enumerate(layout.commits) if commit.files)
    partition = layout.commits[first].partition
    properties = {"format-version": str(layout.format_version), **layout.properties}
    yield (
        f"CREATE TABLE {table} USING iceberg {_partitioned(partition)} "
        f"TBLPROPERTIES ({_listed(properties)}) AS SELECT * FROM {_folder(staged, first)} LIMIT 0"
    )
    for number, commit in enumerate(layout.commits):
        yield from _evolved(table, partition, commit.partition)
        partition = commit.partition
        if not commit.files:
            continue
        unbounded = {_METRICS_OF + column: "none" for column in commit.unbounded}
        yield from _set(table, unbounded)
        yield f"INSERT INTO {table} SELECT * FROM {_folder(staged, number)}"
        if unbounded:
            yield f"ALTER TABLE {table} UNSET TBLPROPERTIES ({_quoted(unbounded)})"
            again = {key: layout.properties[key] for key in unbounded if key in layout.properties}
            yield from _set(table, again)
    yield from _evolved(table, partition, layout.partition)
    yield from _set(table, layout.properties_since)
    if layout.declared:
        yield f"ALTER TABLE {table} WRITE ORDERED BY {', '.join(layout.declared)}"
    for old, new in layout.renamed.items():
        yield f"ALTER TABLE {table} RENAME COLUMN {old} TO {new}"


def _folder(staged: Path, number: int) -> str:
    return f"parquet.`{staged / str(number)}`"


def _partitioned(partition: Sequence[str]) -> str:
    return f"PARTITIONED BY ({', '.join(partition)})" if partition else ""


def _evolved(table: str, before: Sequence[str], after: Sequence[str]) -> Iterator[str]:
    kept = {parse_term(text) for text in before} & {parse_term(text) for text in after}
    for verb, terms in (("DROP", before), ("ADD", after)):
        for text in terms:
            if parse_term(text) not in kept:
                yield f"ALTER TABLE {table} {verb} PARTITION FIELD {text}"


def _set(table: str, properties: Mapping[str, str]) -> Iterator[str]:
    if properties:
        yield f"ALTER TABLE {table} SET TBLPROPERTIES ({_listed(properties)})"


def _listed(properties: Mapping[str, str]) -> str:
    return ", ".join(f"'{key}' = '{value}'" for key, value in properties.items())


def _quoted(names: Mapping[str, str]) -> str:
    return ", ".join(f"'{name}'" for name in names)
