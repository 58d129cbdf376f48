"""Manifests: live entries as arrays, with partition values and column metrics."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from collectors.errors import UnreadableMetadata
from collectors.partitioning import PartitionSpec
from collectors.statistics import (
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
from collectors.tables import limits
from collectors.tables.avro import AvroContent, field_type, positions
from collectors.tables.bounds import decode_bounds
from collectors.tables.sources import read_whole
from collectors.tables.storage import Storage
from collectors.tables.unreadable import FileMissing, FileUnreadable, table_error
from collectors.types import Physical, arrow_type, is_floating, physical

# Field ids of the table spec, "Manifests".
_STATUS, _DATA_FILE, _SEQUENCE = 0, 2, 3
_CONTENT, _PATH, _FORMAT, _PARTITION, _RECORDS, _SIZE = 134, 100, 101, 102, 103, 104
_VALUE_COUNTS, _NULL_COUNTS, _NAN_COUNTS, _LOWER, _UPPER = 109, 110, 137, 125, 128
_SPLIT_OFFSETS = 132
_ALWAYS = (_CONTENT, _PATH, _FORMAT, _PARTITION, _RECORDS, _SIZE, _SPLIT_OFFSETS)
_METRICS = (_VALUE_COUNTS, _NULL_COUNTS, _NAN_COUNTS, _LOWER, _UPPER)
_EXISTING, _ADDED, _DELETED = 0, 1, 2


@dataclass(frozen=True, slots=True)
class Entries:
    """The live entries of one manifest, undecoded: one tuple of raw field values per file, and
    where each field id stands in it; and their data sequence numbers, -1 where unknown."""

    path: str
    rows: list[Any]
    sequence_numbers: list[int]
    at: Mapping[int, int]
    partition_at: Mapping[int, int]

    def partitions(self) -> list[dict[int, Any]]:
        """The partition tuple of every entry, as field id to value."""
        position = self.at.get(_PARTITION)
        if position is None:
            return [{} for _ in self.rows]
        places = self.partition_at.items()
        return [{fid: row[position][place] for fid, place in places} for row in self.rows]


def read_manifest(
    path: str,
    storage: Storage,
    *,
    with_metrics: bool,
    sequence_number: int | None = None,
    length: int = 0,
    live_files: int | None = None,
) -> Entries:
    """The live entries of a manifest (added and existing ones).

    Column metrics are skipped unless asked for: a workload without comparisons needs none, and
    they are most of a manifest. `sequence_number` is the manifest's own, which added entries
    inherit. `length` in bytes and `live_files` are what its list says: a file that was cut between
    two blocks is an Avro file too, and there are tables whose list is wrong in one of them, so what
    falls short of both is taken for cut. Raises UnreadableMetadata if the manifest is missing,
    truncated or no Avro file, and TableTooSlow.
    """
    wanted = (*_ALWAYS, *_METRICS) if with_metrics else _ALWAYS
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
            content = AvroContent(
                data,
                {_STATUS: None, _SEQUENCE: None, _DATA_FILE: dict.fromkeys(wanted)},
            )
            at = positions(content.struct)
            status, data_file = at[_STATUS], at[_DATA_FILE]
            live = [record for record in content.records() if _is_live(record[status])]
            _check_whole(len(data), length, len(live), live_files)
            data_file_type: Any = field_type(content.struct, _DATA_FILE)
            rows, file_at = [record[data_file] for record in live], positions(data_file_type)
            _check_files(rows, file_at)
        except Exception as error:  # PyIceberg's decoder fails in many ways on malformed input
            raise UnreadableMetadata(
                f"manifest {path} cannot be decoded ({type(error).__name__}); it is truncated, "
                "corrupt or not a manifest"
            ) from error
    partition_type: Any = field_type(data_file_type, _PARTITION)
    return Entries(
        path=path,
        rows=rows,
        sequence_numbers=_sequence_numbers(live, at, sequence_number),
        at=file_at,
        partition_at={} if partition_type is None else positions(partition_type),
    )


def _check_whole(size: int, listed_size: int, live: int, listed_live: int | None) -> None:
    if size < listed_size and (listed_live is None or live < listed_live):
        raise EOFError(f"{size} of {listed_size} bytes")


def _check_files(rows: Sequence[Any], at: Mapping[int, int]) -> None:
    """Raises KeyError, TypeError, ValueError or OverflowError where a file lacks what the spec
    requires of it, or has it as something else: the manifest's own schema says what it has."""
    if _CONTENT in at:
        for content in {row[at[_CONTENT]] for row in rows}:
            Content(content or Content.DATA)
    for field, kind in ((_PATH, str), (_FORMAT, str), (_RECORDS, int), (_SIZE, int)):
        values = [row[at[field]] for row in rows]
        if not all(isinstance(value, kind) for value in values):
            raise TypeError(f"field {field} of a file is no {kind.__name__}")
        if kind is int:
            np.array(values, np.int64)


def _is_live(status: Any) -> bool:
    if status not in (_EXISTING, _ADDED, _DELETED):
        raise ValueError(f"an entry of status {status}")
    return bool(status != _DELETED)


def _sequence_numbers(
    records: Sequence[Any], at: Mapping[int, int], inherited: int | None
) -> list[int]:
    """Data sequence numbers of entries, by the table spec's "Sequence Number Inheritance"."""
    status, sequence = at[_STATUS], at.get(_SEQUENCE)
    numbers = [None if sequence is None else record[sequence] for record in records]
    of_added = -1 if inherited is None else inherited
    return [
        number if number is not None else of_added if record[status] == _ADDED else -1
        for number, record in zip(numbers, records, strict=True)
    ]


def file_batch(
    manifests: Sequence[tuple[int, Entries]],
    spec: PartitionSpec,
    columns: Iterable[ColumnKey],
    partition_columns: Iterable[ColumnKey],
) -> FileBatch:
    """The files of several manifests of one spec as one batch of N containers.

    `manifests` pairs each manifest's ordinal with its entries. Statistics are decoded for
    `columns` (metrics) and `partition_columns` (partition values) only.
    """
    column = _Columns(manifests)
    # Imports of Avro files write -1: unknown.
    records = np.maximum(np.array(column.values(_RECORDS), np.int64), -1)
    formats = [str(value).lower() for value in column.values(_FORMAT)]
    offsets = column.values(_SPLIT_OFFSETS)
    count = len(records)
    partition = [values for _, entries in manifests for values in entries.partitions()]
    return FileBatch(
        spec_id=spec.spec_id,
        manifest=np.repeat(
            np.array([ordinal for ordinal, _ in manifests], np.int64),
            [len(entries.rows) for _, entries in manifests],
        ),
        paths=column.values(_PATH),
        content=np.array(list(map(_content, column.values(_CONTENT), formats)), np.int64),
        sequence_number=np.array(
            [number for _, entries in manifests for number in entries.sequence_numbers], np.int64
        ),
        records=records,
        size=np.array(column.values(_SIZE), np.int64),
        row_groups=np.array([len(o) if o else -1 for o in offsets], np.int64),
        parquet=np.array([value == "parquet" for value in formats], np.bool_),
        partition=Statistics(
            count,
            constant(False, count),
            partition_statistics(partition, spec, partition_columns),
        ),
        metrics=Statistics(count, pa.array(records == 0), _metrics(column, columns, records)),
    )


def _content(content: int | None, file_format: str) -> Content:
    """Tables of version 1 have data files only, and do not say so."""
    if content == Content.POSITION_DELETES and file_format == "puffin":
        return Content.DELETION_VECTOR
    return Content(content or Content.DATA)


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
    column: _Columns, columns: Iterable[ColumnKey], records: IntArray
) -> dict[ColumnKey, ColumnStatistics]:
    """Column metrics, unknown for files whose record count is: InclusiveMetricsEvaluator keeps
    them whatever else they say (Iceberg Java 1.11)."""
    keys = [key for key in columns if physical(key[1]) is not None]
    if not keys:
        return {}
    lower, upper = column.maps(_LOWER), column.maps(_UPPER)
    ids = [field_id for field_id, _ in keys]
    values, nulls, nans = (
        counts_by_field(column.values(counts), ids)
        for counts in (_VALUE_COUNTS, _NULL_COUNTS, _NAN_COUNTS)
    )
    statistics = {}
    for field_id, type_name in keys:
        statistics[(field_id, type_name)] = from_counts(
            decode_bounds([m.get(field_id) for m in lower], type_name),
            decode_bounds([m.get(field_id) for m in upper], type_name),
            null_count=nulls[field_id],
            nan_count=nans[field_id] if is_floating(type_name) else None,
            value_count=values[field_id],
        )
    if (records < 0).any():
        counted = pa.array(records >= 0)
        return {key: known_where(found, counted) for key, found in statistics.items()}
    return statistics


def contradicting_counts(
    manifests: Sequence[Entries], columns: Iterable[ColumnKey]
) -> dict[ColumnKey, npt.NDArray[np.bool_]]:
    """By column, the files (of all manifests, in order) that count more nulls than values."""
    keys = list(columns)
    column = _Columns(list(enumerate(manifests)))
    ids = [field_id for field_id, _ in keys]
    values = counts_by_field(column.values(_VALUE_COUNTS), ids)
    nulls = counts_by_field(column.values(_NULL_COUNTS), ids)
    found = {}
    for key in keys:
        more = pc.fill_null(pc.greater(nulls[key[0]], values[key[0]]), False)
        found[key] = more.to_numpy(zero_copy_only=False)
    return found


def counts_by_field(
    flat: Sequence[tuple[int, ...] | None], field_ids: Sequence[int]
) -> dict[int, pa.Array]:
    """Columns of counts from N flat maps (key, value, key, value, …); null where a map lacks the
    field or holds a negative. Files of one writer have the same keys, and are then handled as one
    array."""
    layouts: dict[tuple[int, ...], list[int]] = {}
    for row, items in enumerate(flat):
        layouts.setdefault(items[::2] if items else (), []).append(row)
    values = {field_id: np.zeros(len(flat), np.int64) for field_id in field_ids}
    missing = {field_id: np.ones(len(flat), np.bool_) for field_id in field_ids}
    for keys, rows in layouts.items():
        places = {key: 2 * place + 1 for place, key in enumerate(keys)}
        wanted = [field_id for field_id in field_ids if field_id in places]
        if wanted:
            table = np.array([flat[row] for row in rows], np.int64)
            for field_id in wanted:
                values[field_id][rows] = table[:, places[field_id]]
                missing[field_id][rows] = table[:, places[field_id]] < 0
    return {field_id: pa.array(values[field_id], mask=missing[field_id]) for field_id in field_ids}


class _Columns:
    """Column access to the entries of several manifests, whose layouts may differ."""

    def __init__(self, manifests: Sequence[tuple[int, Entries]]) -> None:
        self._entries = [entries for _, entries in manifests]

    def values(self, field_id: int) -> list[Any]:
        """The field of every entry; None where a manifest does not have it."""
        found: list[Any] = []
        for entries in self._entries:
            position = entries.at.get(field_id)
            if position is None:
                found.extend([None] * len(entries.rows))
            else:
                found.extend([row[position] for row in entries.rows])
        return found

    def maps(self, field_id: int) -> list[Mapping[int, Any]]:
        """A map field of every entry; empty where it is absent."""
        empty: Mapping[int, Any] = {}
        return [value if value is not None else empty for value in self.values(field_id)]
