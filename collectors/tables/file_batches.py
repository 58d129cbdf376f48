"""The files of manifests as batches of containers: partition values and column metrics as
statistics."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from prunescope.collectors.arrays import BoolArray, IntArray
from prunescope.collectors.errors import UnreadableMetadata
from prunescope.collectors.partitioning import PartitionSpec
from prunescope.collectors.statistics import (
    ColumnKey,
    ColumnStatistics,
    Content,
    FileBatch,
    Statistics,
    constant,
    from_counts,
    from_values,
    known_where,
)
from prunescope.collectors.tables.bounds import decimals, decode_pair, promoted_days
from prunescope.collectors.tables.entries import (
    BOUNDS,
    NAN_COUNTS,
    NULL_COUNTS,
    UNKNOWN,
    VALUE_COUNTS,
    Entries,
    joined,
    together,
)
from prunescope.collectors.tables.manifests import ManifestEntries
from prunescope.collectors.tables.wrapped_values import unwrapped
from prunescope.collectors.types import (
    MAX_COUNTED,
    NANOS_PER_UNIT,
    Physical,
    arrow_type,
    has_null_counts,
    is_floating,
    physical,
)

_TIMESTAMPS = frozenset(NANOS_PER_UNIT) - {"date"}


def file_batch(
    manifests: Sequence[ManifestEntries],
    spec: PartitionSpec,
    columns: Iterable[ColumnKey],
    partition_columns: Iterable[ColumnKey],
) -> FileBatch:
    """The files of several manifests of one spec as one batch of N containers.

    The manifests are numbered in order. Statistics are decoded for `columns` (metrics) and
    `partition_columns` (partition values) only.
    """
    parts = [part for entries in manifests for part in entries.parts]
    counts = [count for entries in manifests for count in entries.counts]
    # Imports of Avro files write -1: unknown.
    records = together([part.records for part in parts])
    formats = pc.utf8_lower(joined([part.formats for part in parts], pa.string()))
    count = len(records)
    return FileBatch(
        spec_id=spec.spec_id,
        manifest=np.repeat(np.arange(len(counts)), np.array(counts, np.int64)),
        paths=joined([part.paths for part in parts], pa.string()),
        content=_content(together([part.content for part in parts]), formats),
        sequence_number=together([part.sequence_numbers for part in parts]),
        records=_counted(records),
        size=_counted(together([part.size for part in parts])),
        row_groups=together([part.row_groups for part in parts]),
        parquet=_is(formats, "parquet"),
        partition=Statistics(
            count,
            constant(False, count),
            _partition_columns(parts, spec, partition_columns),
        ),
        metrics=Statistics(count, pa.array(records == 0), _metrics(parts, columns, records)),
    )


def _counted(written: IntArray) -> IntArray:
    return np.where((written >= 0) & (written <= MAX_COUNTED), written, UNKNOWN)


def _is(formats: pa.StringArray, name: str) -> BoolArray:
    found: BoolArray = pc.equal(formats, name).to_numpy(zero_copy_only=False)
    return found


def _content(content: IntArray, formats: pa.StringArray) -> IntArray:
    """The content of files; tables of version 1 have data files only, and do not record it."""
    vectors = (content == Content.POSITION_DELETES) & _is(formats, "puffin")
    return np.where(vectors, np.int64(Content.DELETION_VECTOR), content)


def _partition_columns(
    parts: Sequence[Entries], spec: PartitionSpec, wanted: Iterable[ColumnKey]
) -> dict[ColumnKey, ColumnStatistics]:
    keys = set(wanted)
    columns = {}
    for field in spec.fields:
        kind = field.result_type
        # A tuple that lacks the field (a manifest that does not follow its spec) is unknown,
        # not null.
        if (
            kind is not None
            and (field.field_id, kind) in keys
            and all(field.field_id in part.partition for part in parts)
        ):
            values = [_physical(part.partition[field.field_id], kind) for part in parts]
            column = from_values(joined(values, arrow_type(kind)))
            columns[(field.field_id, kind)] = unwrapped(column, field)
    return columns


def _physical(values: pa.Array, type_name: str) -> pa.Array:
    """Partition values in physical form, promoted to the type if they were written before the
    column was. Raises UnreadableMetadata for those of another type."""
    if type_name in _TIMESTAMPS and values.type == pa.int32():
        days = pc.fill_null(values, 0).to_numpy(zero_copy_only=False).astype(np.int64)
        is_null = values.is_null().to_numpy(zero_copy_only=False)
        return pa.array(promoted_days(days, type_name), mask=is_null)
    if physical(type_name) is not Physical.INTEGER or (
        pa.types.is_integer(values.type) or pa.types.is_boolean(values.type)
    ):
        with suppress(pa.ArrowException):
            return values.cast(arrow_type(type_name))
    raise UnreadableMetadata(f"partition values of the type {type_name} are {values.type}")


def partition_tuples(
    manifests: Sequence[ManifestEntries], spec: PartitionSpec
) -> list[Mapping[int, Any]]:
    """The partition tuple of every entry of manifests of one spec, as field id to physical value;
    to the value as it was written where the spec knows no type for it, or another."""
    kinds = {field.field_id: field.result_type for field in spec.fields}

    found: list[Mapping[int, Any]] = []
    for part in (part for entries in manifests for part in entries.parts):
        fields = [_plain(values, kinds.get(field)) for field, values in part.partition.items()]
        tuples = zip(*fields, strict=True) if fields else [()] * len(part)
        found += [dict(zip(part.partition, values, strict=True)) for values in tuples]
    return found


def _plain(values: pa.Array, type_name: str | None) -> list[Any]:
    if type_name is not None:
        with suppress(UnreadableMetadata):
            values = _physical(values, type_name)
    found: list[Any] = values.to_pylist()
    return found


def partition_statistics(
    partitions: Sequence[Mapping[int, Any]], spec: PartitionSpec, wanted: Iterable[ColumnKey]
) -> dict[ColumnKey, ColumnStatistics]:
    """Exact statistics from partition tuples, as `partition_tuples` gives them."""
    keys = set(wanted)
    columns = {}
    for field in spec.fields:
        kind = field.result_type
        if kind is None or (field.field_id, kind) not in keys:
            continue
        raw = [values.get(field.field_id) for values in partitions]
        # A tuple that lacks the field (a manifest that does not follow its spec) is unknown,
        # not null.
        if any(field.field_id not in values for values in partitions):
            continue
        is_decimal = physical(kind) is Physical.DECIMAL
        values = decimals(raw, kind) if is_decimal else pa.array(raw, arrow_type(kind))
        columns[(field.field_id, kind)] = unwrapped(from_values(values), field)
    return columns


def _metrics(
    parts: Sequence[Entries], columns: Iterable[ColumnKey], records: IntArray
) -> dict[ColumnKey, ColumnStatistics]:
    """Column metrics, unknown for files whose record count is unknown: InclusiveMetricsEvaluator
    keeps such files whatever else their metrics are (Iceberg Java 1.11)."""
    counted = pa.array(records >= 0) if (records < 0).any() else None
    counts = _Counts(parts)
    statistics = {}
    for field_id, type_name in columns:
        if not has_null_counts(type_name):
            continue
        lower, upper = (_metric(parts, bound, field_id, pa.binary()) for bound in BOUNDS)
        found = from_counts(
            *decode_pair(lower, upper, type_name),
            null_count=counts.of(NULL_COUNTS, field_id),
            nan_count=counts.of(NAN_COUNTS, field_id) if is_floating(type_name) else None,
            value_count=counts.of(VALUE_COUNTS, field_id),
        )
        statistics[(field_id, type_name)] = (
            found if counted is None else known_where(found, counted)
        )
    return statistics


def _metric(parts: Sequence[Entries], map_id: int, column: int, kind: pa.DataType) -> pa.Array:
    found = [part.metric(map_id, column) for part in parts]
    if len({values.type for values in found}) > 1:  # Bounds that are all as long, and others
        found = [values.cast(kind) for values in found]
    return joined(found, kind)


class _Counts:
    """Counts of the columns of entries; negative ones are unknown. Counts that columns share are
    joined once."""

    def __init__(self, parts: Sequence[Entries]) -> None:
        self._parts = parts
        self._joined: dict[tuple[int, ...], pa.Array] = {}

    def of(self, map_id: int, column: int) -> pa.Array:
        """The counts of a column in a map of metrics, null if unknown."""
        shared = tuple(id(part.metrics.get(map_id, {}).get(column)) for part in self._parts)
        if shared not in self._joined:
            found = _metric(self._parts, map_id, column, pa.int64())
            known = pc.greater_equal(found, 0)
            is_known = pc.all(known).as_py() is not False
            self._joined[shared] = found if is_known else pc.if_else(known, found, None)
        return self._joined[shared]


def contradicting_counts(
    manifests: Sequence[ManifestEntries], columns: Iterable[ColumnKey]
) -> dict[ColumnKey, npt.NDArray[np.bool_]]:
    """Masks by column of the files (of all manifests, in order) that count more nulls than
    values."""
    parts = [part for entries in manifests for part in entries.parts]
    counts = _Counts(parts)
    found = {}
    for key in columns:
        nulls, values = (counts.of(map_id, key[0]) for map_id in (NULL_COUNTS, VALUE_COUNTS))
        more = pc.fill_null(pc.greater(nulls, values), False)
        found[key] = more.to_numpy(zero_copy_only=False)
    return found
