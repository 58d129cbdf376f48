"""Manifest lists: the manifests of a snapshot and their partition summaries."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from prunescope.collectors.errors import UnreadableMetadata
from prunescope.collectors.partitioning import PartitionSpec
from prunescope.collectors.statistics import (
    ColumnKey,
    ColumnStatistics,
    ManifestBatch,
    Statistics,
    constant,
    from_summaries,
)
from prunescope.collectors.storage import limits
from prunescope.collectors.storage.files import Storage
from prunescope.collectors.storage.random_access import read_whole
from prunescope.collectors.storage.unreadable import FileMissing, FileUnreadable, table_error
from prunescope.collectors.tables.avro import AvroContent, field_type, positions
from prunescope.collectors.tables.avro_blocks import why_undecoded
from prunescope.collectors.tables.bounds import decode_pair
from prunescope.collectors.tables.metadata import Snapshot
from prunescope.collectors.tables.metadata_ids import same_64_bits
from prunescope.collectors.tables.wrapped_values import unwrapped
from prunescope.collectors.types import MAX_COUNTED, is_floating

# Field ids of the table spec, "Manifest Lists" and "Field summary".
_PATH, _LENGTH, _SPEC, _CONTENT = 500, 501, 502, 517
_SEQUENCE, _MIN_SEQUENCE = 515, 516
_ADDED, _EXISTING, _ADDED_ROWS, _EXISTING_ROWS = 504, 505, 512, 513
_SUMMARIES, _CONTAINS_NULL, _CONTAINS_NAN, _LOWER, _UPPER = 507, 509, 518, 510, 511
_WANTED = dict.fromkeys(
    (
        _PATH,
        _LENGTH,
        _SPEC,
        _CONTENT,
        _SEQUENCE,
        _MIN_SEQUENCE,
        _ADDED,
        _EXISTING,
        _ADDED_ROWS,
        _EXISTING_ROWS,
        _SUMMARIES,
    )
)


_OF_MANIFEST = 512
"""Bytes of a manifest that is listed, besides what its record takes."""


@dataclass(frozen=True, slots=True)
class FieldSummary:
    """A partition field's summary. None is unknown; that a bound was not written is known
    (`has_lower`, `has_upper`)."""

    contains_null: bool | None
    contains_nan: bool | None
    lower: bytes | None
    upper: bytes | None
    has_lower: bool | None
    has_upper: bool | None


_NOT_SUMMARIZED = FieldSummary(None, None, None, None, None, None)


@dataclass(frozen=True, slots=True)
class Manifest:
    """A manifest as its list describes it.

    `live_files` and `live_records` count added and existing entries, None where a count is
    missing. `summaries` has one entry per field of the spec, or is None. `sequence_number` is that
    of the commit that added the manifest, None where the list has none (version 1);
    `min_sequence_number` is no more than the data sequence number of any live file. `added_files`
    came with that commit, None where they are not counted.
    """

    path: str
    length: int
    spec_id: int
    deletes: bool
    live_files: int | None
    live_records: int | None
    summaries: tuple[FieldSummary, ...] | None
    sequence_number: int | None = None
    min_sequence_number: int = 0
    added_files: int | None = None


def read_manifest_list(snapshot: Snapshot, storage: Storage) -> tuple[Manifest, ...]:
    """The manifests of a snapshot, in the order of the list.

    A v1 snapshot without a list names its manifests itself; of those no more is known than the
    partition spec that each was written under. Raises UnreadableMetadata if the list is
    missing, truncated or no Avro file, and TableTooSlow.
    """
    if snapshot.manifest_list is None:
        if snapshot.manifests is None:
            raise UnreadableMetadata(
                f"snapshot {snapshot.snapshot_id} names neither a manifest list nor manifests; "
                "what wrote the table's metadata is at fault"
            )
        return tuple(_embedded_manifest(path, storage) for path in snapshot.manifests)
    location = snapshot.manifest_list
    try:
        data = read_whole(storage, location, limits.MANIFEST_LIST)
    except FileMissing as error:
        raise UnreadableMetadata(
            f"Manifest list {location} of snapshot {snapshot.snapshot_id} does not exist. The "
            f"snapshot may have expired. If the table was moved, use `--path-map FROM=TO`."
        ) from error
    except FileUnreadable as error:
        raise table_error(f"the manifest list of snapshot {snapshot.snapshot_id}", error) from error
    with storage.clock.running():
        try:
            content = AvroContent(data, _WANTED)
            _check_own(content.metadata, snapshot)
            at = positions(content.struct)
            summaries: Any = field_type(content.struct, _SUMMARIES)
            summary_at = {} if summaries is None else positions(summaries.element_type)
            found = []
            for record in content.records():
                content.built.take(_OF_MANIFEST)
                found.append(_manifest(record, at, summary_at))
            _check_whole(found, snapshot)
        except (MemoryError, UnreadableMetadata):
            raise
        except Exception as error:  # PyIceberg's decoder fails in many ways on malformed input
            raise UnreadableMetadata(
                f"manifest list {location} of snapshot {snapshot.snapshot_id} cannot be decoded "
                f"{why_undecoded(error, 'manifest list')}"
            ) from error
    return tuple(found)


def _check_own(noted: Mapping[str, str], snapshot: Snapshot) -> None:
    """A list that notes that it is another snapshot's is not read as this one's. There is metadata
    that went through tools whose numbers have 53 bits."""
    other = noted.get("snapshot-id", "")
    own = {snapshot.snapshot_id, same_64_bits(snapshot.snapshot_id)}
    if other.removeprefix("-").isdecimal() and float(other) not in map(float, own):
        raise UnreadableMetadata(
            f"snapshot {snapshot.snapshot_id} names the manifest list {snapshot.manifest_list}, "
            f"which notes that it is that of snapshot {other}; compare the metadata with an "
            "earlier version"
        )


def _check_whole(found: Sequence[Manifest], snapshot: Snapshot) -> None:
    """A list that was cut before its first block is an Avro file too."""
    totals = (snapshot.summary.get(f"total-{kind}-files", "0") for kind in ("data", "delete"))
    if not found and any(total.isdecimal() and total.strip("0") for total in totals):
        raise EOFError("no manifests, where the snapshot's summary counts files")


def _embedded_manifest(path: str, storage: Storage) -> Manifest:
    """A manifest without a list. One that cannot be read will be named as such by pass 2."""
    try:
        noted = AvroContent(read_whole(storage, path, limits.MANIFEST), {}).metadata.get(
            "partition-spec-id", "0"
        )
        spec_id = int(noted)
    except Exception:  # noqa: BLE001  # PyIceberg's decoder fails in many ways
        spec_id = 0
    return Manifest(path, 0, spec_id, False, None, None, None)


def _manifest(record: Any, at: dict[int, int], summary_at: dict[int, int]) -> Manifest:
    found: dict[int, Any] = {field_id: record[place] for field_id, place in at.items()}
    get = found.get
    summaries, added, existing = get(_SUMMARIES), get(_ADDED), get(_EXISTING)
    path = found[_PATH]
    if not isinstance(path, str) or not path:
        raise ValueError("a manifest without a path")
    return Manifest(
        path=path,
        length=max(0, get(_LENGTH) or 0),
        spec_id=get(_SPEC) or 0,
        deletes=get(_CONTENT) == 1,
        live_files=_sum(added, existing),
        live_records=_sum(get(_ADDED_ROWS), get(_EXISTING_ROWS)),
        summaries=None if summaries is None else tuple(_summary(s, summary_at) for s in summaries),
        sequence_number=get(_SEQUENCE),
        min_sequence_number=_least(get(_MIN_SEQUENCE), get(_SEQUENCE), existing),
        added_files=added,
    )


def _least(listed: int | None, own: int | None, existing: int | None) -> int:
    """The least data sequence number of a manifest's live files: as listed, 0 if that cannot be.

    Added files are no newer than their manifest's commit, existing ones older. PyIceberg to 0.11
    lists the commit's own number where the least is 0, as in tables upgraded from version 1.
    """
    if listed is None or own is None:
        return 0
    newest = own if existing == 0 else own - 1
    return listed if listed <= newest else 0


def _sum(added: int | None, existing: int | None) -> int | None:
    if added is None or existing is None or min(added, existing) < 0:
        return None
    return None if added + existing > MAX_COUNTED else added + existing


def _summary(record: Any, at: dict[int, int]) -> FieldSummary:
    lower, upper = _field(record, at, _LOWER), _field(record, at, _UPPER)
    return FieldSummary(
        contains_null=_field(record, at, _CONTAINS_NULL),
        contains_nan=_field(record, at, _CONTAINS_NAN),
        lower=lower,
        upper=upper,
        has_lower=lower is not None,
        has_upper=upper is not None,
    )


def _field(record: Any, at: dict[int, int], field_id: int) -> Any:
    return record[at[field_id]] if field_id in at else None


def manifest_batches(
    manifests: Sequence[Manifest],
    specs: dict[int, PartitionSpec],
    columns: Iterable[ColumnKey],
    *,
    deletes: bool,
) -> list[ManifestBatch]:
    """The data manifests (or the delete manifests) of a list, by partition spec, with
    statistics for the partition fields among `columns`.

    Raises UnreadableMetadata if a manifest names a spec that the table does not have.
    """
    wanted = set(columns)
    by_spec: dict[int, list[int]] = {}
    for ordinal, manifest in enumerate(manifests):
        if manifest.deletes == deletes:
            by_spec.setdefault(manifest.spec_id, []).append(ordinal)
    batches = []
    for spec_id, ordinals in by_spec.items():
        if spec_id not in specs:
            raise UnreadableMetadata(
                f"Manifest {manifests[ordinals[0]].path} uses partition spec {spec_id}, which is "
                f"missing from the table metadata."
            )
        chosen = [manifests[ordinal] for ordinal in ordinals]
        batches.append(
            ManifestBatch(
                spec_id=spec_id,
                ordinal=np.array(ordinals, np.int64),
                live=np.array([manifest.live_files != 0 for manifest in chosen], np.bool_),
                statistics=Statistics(
                    count=len(chosen),
                    empty=constant(False, len(chosen)),
                    columns=_summary_statistics(chosen, specs[spec_id], wanted),
                ),
            )
        )
    return batches


def _summary_statistics(
    manifests: list[Manifest], spec: PartitionSpec, wanted: set[ColumnKey]
) -> dict[ColumnKey, ColumnStatistics]:
    columns = {}
    for position, field in enumerate(spec.fields):
        if field.result_type is None or (field.field_id, field.result_type) not in wanted:
            continue
        summaries = [
            _NOT_SUMMARIZED
            if m.summaries is None or len(m.summaries) <= position
            else m.summaries[position]
            for m in manifests
        ]
        floating = is_floating(field.result_type)
        column = from_summaries(
            *decode_pair(
                _binaries(s.lower for s in summaries),
                _binaries(s.upper for s in summaries),
                field.result_type,
            ),
            has_lower=_flags(s.has_lower for s in summaries),
            has_upper=_flags(s.has_upper for s in summaries),
            contains_null=_flags(s.contains_null for s in summaries),
            contains_nan=_flags(s.contains_nan for s in summaries) if floating else None,
        )
        columns[(field.field_id, field.result_type)] = unwrapped(column, field)
    return columns


def _flags(values: Iterable[bool | None]) -> pa.BooleanArray:
    return pa.array(values, pa.bool_())


def _binaries(values: Iterable[bytes | None]) -> pa.BinaryArray:
    return pa.array(values, pa.binary())
