"""Manifests: live entries as arrays, with partition values and column metrics."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Any, ParamSpec, TypeVar

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
from collectors.storage.in_flight import concurrently
from collectors.storage.kept import Place, fetch, place_of
from collectors.storage.one_request import read_by_one_request
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
from collectors.tables.manifest_list import Manifest
from collectors.types import Physical, arrow_type, is_floating, physical

P = ParamSpec("P")
Result = TypeVar("Result")


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
    listed = Manifest(path, length, 0, False, live_files, None, None, sequence_number)
    (read,) = read_manifests([listed], storage, columns=columns)
    return read()


def read_manifests(
    listed: Sequence[Manifest], storage: Storage, *, columns: Collection[int] | None
) -> Iterator[Callable[[], ManifestEntries]]:
    """For each manifest, in order, a function that returns or raises what `read_manifest` does.
    The bytes of many are read at once, ahead of those that are decoded."""
    places = [_place(one, storage) for one in listed]
    fetch(places)
    pairs = list(zip(listed, places, strict=True))
    contents = concurrently(partial(_bytes_of, storage), pairs, size=lambda pair: pair[0].length)
    for (one, place), content in zip(pairs, contents, strict=True):
        yield partial(_entries, one, storage, columns, place, content)


@dataclass(frozen=True, slots=True)
class _Content:
    """The bytes of a manifest, or what is kept of it; `is_sure` that they are all of it."""

    data: bytes
    is_kept: bool = False
    is_sure: bool = True


def _place(listed: Manifest, storage: Storage) -> Place | None:
    try:
        return place_of(storage, listed.path, listed.length, kept_entries.DECODER)
    except ValueError:  # no file can have this name, as reading it will tell
        return None


def _bytes_of(storage: Storage, pair: tuple[Manifest, Place | None]) -> _Content | Exception:
    listed, place = pair
    try:
        kept = None if place is None else place.get()
        if kept is not None:
            return _Content(kept, is_kept=True)
        if listed.live_files is not None:
            found = _read(listed, read_by_one_request, storage, listed.path, listed.length)
            if found is not None:
                return _Content(found, is_sure=False)
        return _Content(_read(listed, read_whole, storage, listed.path, limits.MANIFEST))
    except Exception as error:  # noqa: BLE001  # raised where it is of this manifest alone
        return error


def _read(listed: Manifest, read: Callable[P, Result], *args: P.args, **kwargs: P.kwargs) -> Result:
    """What is read of a manifest's file. Raises TableError."""
    try:
        return read(*args, **kwargs)
    except FileMissing as error:
        raise UnreadableMetadata(
            f"manifest {listed.path} does not exist; was its snapshot expired, or the table moved "
            "(--path-map FROM=TO)?"
        ) from error
    except FileUnreadable as error:
        raise table_error("a manifest", error) from error


def _entries(
    listed: Manifest,
    storage: Storage,
    columns: Collection[int] | None,
    place: Place | None,
    content: _Content | Exception,
) -> ManifestEntries:
    if isinstance(content, Exception):
        raise content
    if content.is_kept:
        assert place is not None
        known = _kept(listed, place, content.data, columns)
        if known is not None:
            return known
    elif content.is_sure:
        return _decoded(listed, storage, columns, place, content.data)
    else:
        # The file may have another size than its list says: then it is read after all.
        with suppress(UnreadableMetadata):
            return _decoded(listed, storage, columns, place, content.data, is_sure=False)
    data = _read(listed, read_whole, storage, listed.path, limits.MANIFEST)
    return _decoded(listed, storage, columns, place, data)


def _decoded(
    listed: Manifest,
    storage: Storage,
    columns: Collection[int] | None,
    place: Place | None,
    data: bytes,
    *,
    is_sure: bool = True,
) -> ManifestEntries:
    with_metrics = columns is None or bool(columns)
    is_kept = place is not None and with_metrics

    def each(part: Entries) -> tuple[Entries, bytes | None]:
        return part.narrowed(columns), kept_entries.kept(part) if is_kept else None

    with storage.clock.running():
        try:
            read, one_by_one = read_entries(data, each, with_metrics=with_metrics)
            live = sum(len(part) for part, _ in read)
            if not (_is_whole(listed, len(data), live) if is_sure else live == listed.live_files):
                raise EOFError(f"{len(data)} of {listed.length} bytes")  # noqa: TRY301
        except Exception as error:  # PyIceberg's decoder fails in many ways on malformed input
            raise UnreadableMetadata(
                f"manifest {listed.path} cannot be decoded ({type(error).__name__}); it is "
                "truncated, corrupt or not a manifest"
            ) from error
        kept = [content for _, content in read if content is not None]
        if kept and len(kept) == len(read) and place is not None:
            place.put(kept_entries.packed(kept, len(data)))
    parts = [part.inheriting(listed.sequence_number) for part, _ in read]
    return ManifestEntries(listed.path, parts, one_by_one)


def _is_whole(listed: Manifest, size: int, live: int) -> bool:
    return size >= listed.length or (listed.live_files is not None and live >= listed.live_files)


def _kept(
    listed: Manifest, place: Place, content: bytes, columns: Collection[int] | None
) -> ManifestEntries | None:
    try:
        entries, size = kept_entries.opened(content, columns)
    except Exception:  # noqa: BLE001  # Arrow raises many kinds, and it is as good as damaged
        place.forget()
        return None
    if not _is_whole(listed, size, sum(map(len, entries))):
        return None
    parts = [part.inheriting(listed.sequence_number) for part in entries]
    return ManifestEntries(listed.path, parts, from_cache=True)


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
