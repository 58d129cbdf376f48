"""Manifests: live entries as arrays, with partition values and column metrics."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from collectors.errors import UnreadableMetadata
from collectors.partitioning import PartitionSpec
from collectors.statistics import (
    BoolArray,
    ColumnKey,
    ColumnStatistics,
    Content,
    FileBatch,
    IntArray,
    Statistics,
    constant,
    from_counts,
    from_values,
    known_where,
)
from collectors.storage import limits
from collectors.storage.files import Storage
from collectors.storage.kept_ranges import Place, place_of
from collectors.storage.sources import read_whole
from collectors.storage.unreadable import FileMissing, FileUnreadable, table_error
from collectors.tables import kept_entries
from collectors.tables.bounds import decode_bounds
from collectors.tables.entries import (
    BOUNDS,
    NAN_COUNTS,
    NULL_COUNTS,
    UNKNOWN,
    VALUE_COUNTS,
    Entries,
    joined,
    together,
)
from collectors.tables.entry_readers import read_entries
from collectors.types import Physical, arrow_type, is_floating, physical


@dataclass(frozen=True, slots=True)
class ManifestEntries:
    """The live entries of one manifest, in order; whether they were read one by one though they
    are many; and whether they were kept from an earlier run, so that nothing was read."""

    path: str
    parts: Sequence[Entries]
    one_by_one: bool = False
    from_cache: bool = False

    def __len__(self) -> int:
        return sum(map(len, self.parts))

    def partitions(self) -> list[dict[int, Any]]:
        """The partition tuple of every entry, as field id to value."""
        found: list[dict[int, Any]] = []
        for part in self.parts:
            fields = [values.to_pylist() for values in part.partition.values()]
            tuples = zip(*fields, strict=True) if fields else [()] * len(part)
            found += [dict(zip(part.partition, values, strict=True)) for values in tuples]
        return found


def read_manifest(
    path: str,
    storage: Storage,
    *,
    columns: Collection[int] | None,
    sequence_number: int | None = None,
    length: int = 0,
    live_files: int | None = None,
) -> ManifestEntries:
    """The live entries of a manifest (added and existing ones).

    `columns` are those of which metrics are wanted, None all. They are most of a manifest, and
    skipped where none is wanted; of what is in the cache, others are not looked at.
    `sequence_number` is the manifest's own, which added entries inherit. `length` in bytes and
    `live_files` are what its list says: a file that was cut between two blocks is an Avro file too,
    and there are tables whose list is wrong in one of them, so what falls short of both is taken
    for cut. Raises UnreadableMetadata if the manifest is missing, truncated or no Avro file, and
    TableTooSlow.
    """
    place = place_of(storage, path, length, kept_entries.DECODER)
    known = None if place is None else _kept(place, columns)
    if known is not None:
        entries, size = known
        if _is_whole(size, length, len(entries), live_files):
            return ManifestEntries(path, [entries.inheriting(sequence_number)], from_cache=True)
    try:
        data = read_whole(storage, path, limits.MANIFEST)
    except FileMissing as error:
        raise UnreadableMetadata(
            f"manifest {path} does not exist; was its snapshot expired, or the table moved "
            "(--path-map FROM=TO)?"
        ) from error
    except FileUnreadable as error:
        raise table_error("a manifest", error) from error
    with storage.clock.running():
        try:
            found, one_by_one = read_entries(data, with_metrics=columns is None or bool(columns))
            if not _is_whole(len(data), length, sum(map(len, found)), live_files):
                raise EOFError(f"{len(data)} of {length} bytes")  # noqa: TRY301
        except Exception as error:  # PyIceberg's decoder fails in many ways on malformed input
            raise UnreadableMetadata(
                f"manifest {path} cannot be decoded ({type(error).__name__}); it is truncated, "
                "corrupt or not a manifest"
            ) from error
        if found and place is not None and (columns is None or columns):
            content = kept_entries.kept(found, len(data))
            if content is not None:
                place.cache.put(place.key, content)
    return ManifestEntries(path, [part.inheriting(sequence_number) for part in found], one_by_one)


def _is_whole(size: int, listed_size: int, live: int, listed_live: int | None) -> bool:
    return size >= listed_size or (listed_live is not None and live >= listed_live)


def _kept(place: Place, columns: Collection[int] | None) -> tuple[Entries, int] | None:
    content = place.cache.get(place.key)
    if content is None:
        return None
    try:
        return kept_entries.opened(content, columns)
    except Exception:  # noqa: BLE001  # Arrow raises many kinds, and it is as good as damaged
        place.cache.forget(place.key)
        return None


def file_batch(
    manifests: Sequence[tuple[int, ManifestEntries]],
    spec: PartitionSpec,
    columns: Iterable[ColumnKey],
    partition_columns: Iterable[ColumnKey],
) -> FileBatch:
    """The files of several manifests of one spec as one batch of N containers.

    `manifests` pairs each manifest's ordinal with its entries. Statistics are decoded for
    `columns` (metrics) and `partition_columns` (partition values) only.
    """
    parts = [part for _, entries in manifests for part in entries.parts]
    # Imports of Avro files write -1: unknown.
    records = np.maximum(together([part.records for part in parts]), UNKNOWN)
    formats = pc.utf8_lower(joined([part.formats for part in parts], pa.string()))
    count = len(records)
    return FileBatch(
        spec_id=spec.spec_id,
        manifest=np.repeat(
            np.array([ordinal for ordinal, _ in manifests], np.int64),
            [len(entries) for _, entries in manifests],
        ),
        paths=joined([part.paths for part in parts], pa.string()).to_pylist(),
        content=_content(together([part.content for part in parts]), formats),
        sequence_number=together([part.sequence_numbers for part in parts]),
        records=records,
        size=together([part.size for part in parts]),
        row_groups=together([part.row_groups for part in parts]),
        parquet=_is(formats, "parquet"),
        partition=Statistics(
            count,
            constant(False, count),
            _partition_columns(parts, spec, partition_columns),
        ),
        metrics=Statistics(count, pa.array(records == 0), _metrics(parts, columns, records)),
    )


def _is(formats: pa.StringArray, name: str) -> BoolArray:
    found: BoolArray = pc.equal(formats, name).to_numpy(zero_copy_only=False)
    return found


def _content(content: IntArray, formats: pa.StringArray) -> IntArray:
    """Tables of version 1 have data files only, and do not say so."""
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
            columns[(field.field_id, kind)] = from_values(joined(values, arrow_type(kind)))
    return columns


def _physical(values: pa.Array, type_name: str) -> pa.Array:
    """Partition values in physical form. Raises TypeError, ValueError or what Arrow raises for
    those of another type."""
    if physical(type_name) is Physical.INTEGER and not (
        pa.types.is_integer(values.type) or pa.types.is_boolean(values.type)
    ):
        raise TypeError(f"partition values of {type_name} that are {values.type}")
    return values.cast(arrow_type(type_name))


def partition_statistics(
    partitions: Sequence[Mapping[int, Any]], spec: PartitionSpec, wanted: Iterable[ColumnKey]
) -> dict[ColumnKey, ColumnStatistics]:
    """Exact statistics from partition tuples, given as field id to value."""
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
        columns[(field.field_id, kind)] = from_values(_partition_array(raw, kind))
    return columns


def _partition_array(raw: list[Any], type_name: str) -> pa.Array:
    form = physical(type_name)
    if form is Physical.BINARY:
        raw = [
            value.encode() if isinstance(value, str) else getattr(value, "bytes", value)
            for value in raw
        ]
    elif form is Physical.INTEGER:
        raw = [None if value is None else int(value) for value in raw]
    return pa.array(raw, arrow_type(type_name))


def _metrics(
    parts: Sequence[Entries], columns: Iterable[ColumnKey], records: IntArray
) -> dict[ColumnKey, ColumnStatistics]:
    """Column metrics, unknown for files whose record count is: InclusiveMetricsEvaluator keeps
    them whatever else they say (Iceberg Java 1.11)."""
    counted = pa.array(records >= 0) if (records < 0).any() else None
    statistics = {}
    for field_id, type_name in columns:
        if physical(type_name) is None:
            continue
        lower, upper = (_metric(parts, bound, field_id, pa.binary()) for bound in BOUNDS)
        found = from_counts(
            decode_bounds(lower, type_name),
            decode_bounds(upper, type_name),
            null_count=_counts(parts, NULL_COUNTS, field_id),
            nan_count=_counts(parts, NAN_COUNTS, field_id) if is_floating(type_name) else None,
            value_count=_counts(parts, VALUE_COUNTS, field_id),
        )
        statistics[(field_id, type_name)] = (
            found if counted is None else known_where(found, counted)
        )
    return statistics


def _metric(parts: Sequence[Entries], map_id: int, column: int, kind: pa.DataType) -> pa.Array:
    return joined([part.metric(map_id, column) for part in parts], kind)


def _counts(parts: Sequence[Entries], map_id: int, column: int) -> pa.Array:
    """Counts of a column; negative ones are unknown."""
    found = _metric(parts, map_id, column, pa.int64())
    known = pc.greater_equal(found, 0)
    return found if pc.all(known).as_py() is not False else pc.if_else(known, found, None)


def contradicting_counts(
    manifests: Sequence[ManifestEntries], columns: Iterable[ColumnKey]
) -> dict[ColumnKey, npt.NDArray[np.bool_]]:
    """By column, the files (of all manifests, in order) that count more nulls than values."""
    parts = [part for entries in manifests for part in entries.parts]
    found = {}
    for key in columns:
        nulls, values = (_counts(parts, map_id, key[0]) for map_id in (NULL_COUNTS, VALUE_COUNTS))
        more = pc.fill_null(pc.greater(nulls, values), False)
        found[key] = more.to_numpy(zero_copy_only=False)
    return found
