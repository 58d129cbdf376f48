"""Parquet footers: row groups as containers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from collectors.partitioning import PartitionSpec
from collectors.statistics import (
    ColumnKey,
    ColumnStatistics,
    RowGroupBatch,
    Statistics,
    constant,
    from_counts,
)
from collectors.tables.manifests import partition_statistics
from collectors.tables.parquet_values import physical_bounds
from collectors.tables.storage import Storage
from collectors.types import arrow_type, is_floating, physical


@dataclass(frozen=True, slots=True)
class ChunkStatistics:
    """Statistics of one column chunk: bounds in physical form, None where unknown."""

    lower: Any
    upper: Any
    null_count: int | None
    value_count: int


@dataclass(frozen=True, slots=True)
class RowGroup:
    """One row group; `size` is the compressed size of its column chunks in bytes."""

    records: int
    size: int
    chunks: Mapping[ColumnKey, ChunkStatistics]


@dataclass(frozen=True, slots=True)
class Footer:
    """The row groups of one Parquet file. `absent` names the wanted columns that the file does
    not have; it is empty for files without field ids, of whose columns nothing is known."""

    row_groups: tuple[RowGroup, ...]
    absent: frozenset[ColumnKey]


class FooterUnreadable(Exception):
    """A footer could not be read; `cause` is `unread_missing`, `unread_unreachable` or
    `unread_corrupt`."""

    def __init__(self, cause: str) -> None:
        super().__init__(cause)
        self.cause = cause


def read_footer(path: str, storage: Storage, columns: Iterable[ColumnKey]) -> Footer:
    """The footer of one file, with statistics for `columns`. Raises FooterUnreadable."""
    import pyarrow.parquet as pq  # noqa: PLC0415  # slow to import, and rarely needed

    try:
        stream = storage.open(path)
    except FileNotFoundError as error:
        raise FooterUnreadable("unread_missing") from error
    except Exception as error:  # FileIO implementations raise many kinds
        raise FooterUnreadable("unread_unreachable") from error
    try:
        with stream:
            metadata = pq.ParquetFile(stream).metadata
            return _footer(metadata, list(columns))
    except Exception as error:  # Arrow raises many kinds on malformed footers
        raise FooterUnreadable("unread_corrupt") from error


def _footer(metadata: Any, columns: list[ColumnKey]) -> Footer:
    indices = _columns_by_field_id(metadata)
    found = {key: indices[key[0]] for key in columns if key[0] in indices}
    row_groups = []
    for number in range(metadata.num_row_groups):
        group = metadata.row_group(number)
        row_groups.append(
            RowGroup(
                records=group.num_rows,
                size=sum(group.column(i).total_compressed_size for i in range(group.num_columns)),
                chunks={
                    key: _chunk(group.column(index), metadata.schema.column(index), key[1])
                    for key, index in found.items()
                },
            )
        )
    absent = frozenset(key for key in columns if key not in found) if indices else frozenset()
    return Footer(tuple(row_groups), absent)


def _columns_by_field_id(metadata: Any) -> dict[int, int]:
    """Field id to leaf column, for fields outside of lists and maps; empty for files without
    field ids."""
    by_path = {metadata.schema.column(i).path: i for i in range(metadata.num_columns)}
    found: dict[int, int] = {}
    pending: list[tuple[tuple[str, ...], Any]] = [
        ((), field) for field in metadata.schema.to_arrow_schema()
    ]
    while pending:
        parent, field = pending.pop()
        path = (*parent, field.name)
        if pa.types.is_struct(field.type):
            pending.extend((path, child) for child in field.type.fields)
        field_id = (field.metadata or {}).get(b"PARQUET:field_id")
        index = by_path.get(".".join(path))
        if field_id is not None and index is not None:
            found[int(field_id)] = index
    return found


def _chunk(chunk: Any, column: Any, type_name: str) -> ChunkStatistics:
    statistics = chunk.statistics if chunk.is_stats_set else None
    lower, upper = None, None
    if statistics is not None and statistics.has_min_max:
        lower, upper = physical_bounds(statistics.min_raw, statistics.max_raw, column, type_name)
    nulls = None
    if statistics is not None and statistics.has_null_count:
        nulls = statistics.null_count
    return ChunkStatistics(lower, upper, nulls, chunk.num_values)


def row_group_batch(
    files: Sequence[tuple[Footer, Mapping[int, Any]]],
    spec: PartitionSpec,
    columns: Iterable[ColumnKey],
    partition_columns: Iterable[ColumnKey],
    defaults: frozenset[int],
) -> RowGroupBatch:
    """The row groups of several files of one spec as one batch of N containers.

    `files` pairs each footer with the partition tuple of its file. A column that a file lacks
    is null in all of its rows, unless it has an `initial-default` (its id is in `defaults`):
    then nothing is known of it.
    """
    footers = [footer for footer, _ in files]
    groups = [group for footer in footers for group in footer.row_groups]
    owners = [number for number, f in enumerate(footers) for _ in f.row_groups]
    records = np.array([group.records for group in groups], np.int64)
    return RowGroupBatch(
        spec_id=spec.spec_id,
        file=np.array(owners, np.int64),
        records=records,
        size=np.array([group.size for group in groups], np.int64),
        partition=Statistics(
            len(footers),
            constant(False, len(footers)),
            partition_statistics([values for _, values in files], spec, partition_columns),
        ),
        metrics=Statistics(
            len(groups),
            pa.array(records <= 0),
            {
                key: _column(key, groups, [footers[owner] for owner in owners], defaults)
                for key in columns
                if physical(key[1]) is not None
            },
        ),
    )


def _column(
    key: ColumnKey,
    groups: Sequence[RowGroup],
    footers: Sequence[Footer],
    defaults: frozenset[int],
) -> ColumnStatistics:
    field_id, type_name = key
    chunks = [group.chunks.get(key) for group in groups]
    all_null = [key in footer.absent and field_id not in defaults for footer in footers]
    value_count = [
        chunk.value_count if chunk else (1 if absent else None)
        for chunk, absent in zip(chunks, all_null, strict=True)
    ]
    null_count = [
        chunk.null_count if chunk else (1 if absent else None)
        for chunk, absent in zip(chunks, all_null, strict=True)
    ]
    bounds_type = arrow_type(type_name)
    return from_counts(
        pa.array([chunk.lower if chunk else None for chunk in chunks], bounds_type),
        pa.array([chunk.upper if chunk else None for chunk in chunks], bounds_type),
        null_count=pa.array(null_count, pa.int64()),
        nan_count=pa.nulls(len(groups), pa.int64()) if is_floating(type_name) else None,
        value_count=pa.array(value_count, pa.int64()),
    )
