"""Table metadata files, read as far as planning needs them.

Read from the JSON itself, not through PyIceberg's validated model: an audit must open tables
whose metadata that model refuses (types it does not know, versions 1 with embedded manifests,
writers that leave out fields), and it must start fast.
"""

from __future__ import annotations

import datetime as dt
import gzip
import json
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from collectors.errors import SnapshotNotFound, UnreadableMetadata
from collectors.partitioning import PartitionField, PartitionSpec, result_type
from collectors.tables.schema import Schema, read_schema

_FIRST_PARTITION_FIELD_ID = 1000
_MALFORMED = (
    KeyError,
    TypeError,
    ValueError,
    AttributeError,
    ArithmeticError,
    OSError,  # timestamps beyond the platform's
    RecursionError,
    StopIteration,
)


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A snapshot of a table. `manifest_list` is None for the oldest v1 tables, which name
    their `manifests` directly. `summary` maps the spec's keys to text."""

    snapshot_id: int
    timestamp: dt.datetime
    manifest_list: str | None
    manifests: tuple[str, ...]
    schema_id: int | None
    summary: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class TableMetadata:
    """One version of a table's metadata.

    `history` is the snapshot log: which snapshot became current when, oldest first.
    `raw_specs` maps spec ids to the field dictionaries of the file; new files are written under
    `default_spec_id`.
    """

    location: str
    format_version: int
    table_uuid: str | None
    current_schema_id: int
    schemas: Mapping[int, Schema]
    raw_specs: Mapping[int, tuple[Mapping[str, Any], ...]]
    default_spec_id: int
    current_snapshot_id: int | None
    snapshots: Mapping[int, Snapshot]
    refs: Mapping[str, int]
    history: tuple[tuple[dt.datetime, int], ...]
    properties: Mapping[str, str]

    def schema(self, snapshot: Snapshot | None) -> Schema:
        """The schema that a scan of the snapshot uses: the table's for the current snapshot,
        the snapshot's own for older ones."""
        if snapshot is not None and snapshot.snapshot_id != self.current_snapshot_id:
            schema = self.schemas.get(snapshot.schema_id or 0)
            if snapshot.schema_id is not None and schema is not None:
                return schema
        return self.schemas[self.current_schema_id]

    def specs(self, schema: Schema) -> dict[int, PartitionSpec]:
        """Every partition spec of the table, typed by `schema`."""
        return {
            spec_id: _partition_spec(spec_id, fields, schema)
            for spec_id, fields in self.raw_specs.items()
        }

    def current_snapshot(self) -> Snapshot | None:
        """The current snapshot; None if the table has never been written."""
        if self.current_snapshot_id is None:
            return None
        return self.snapshot_by_id(self.current_snapshot_id)

    def snapshot_by_id(self, snapshot_id: int) -> Snapshot:
        """Raises SnapshotNotFound if the snapshot is not (or no longer) in the metadata."""
        snapshot = self.snapshots.get(snapshot_id)
        if snapshot is None:
            raise SnapshotNotFound(
                f"snapshot {snapshot_id} is not in the metadata of {self.location}: it was "
                "expired or belongs to another table; audit sooner, or keep snapshots longer "
                "than the query log (history.expire.max-snapshot-age-ms)"
            )
        return snapshot

    def snapshot_by_ref(self, ref: str) -> Snapshot:
        """The snapshot that a branch or tag names. Raises SnapshotNotFound."""
        if ref == "main" and self.current_snapshot_id is not None and ref not in self.refs:
            return self.snapshot_by_id(self.current_snapshot_id)
        if ref not in self.refs:
            known = ", ".join(sorted(self.refs)) or "none"
            raise SnapshotNotFound(f"{self.location} has no branch or tag {ref!r}; it has: {known}")
        return self.snapshot_by_id(self.refs[ref])

    def snapshot_as_of(self, moment: dt.datetime) -> Snapshot:
        """The snapshot that was current at `moment` (with a time zone). Raises
        SnapshotNotFound if the table was empty then, or its log no longer reaches back."""
        log = self.history or tuple(
            sorted((s.timestamp, s.snapshot_id) for s in self.snapshots.values())
        )
        current = [snapshot_id for since, snapshot_id in log if since <= moment]
        if not current:
            raise SnapshotNotFound(
                f"the snapshot log of {self.location} does not reach back to "
                f"{moment.isoformat()}; its first entry is "
                f"{log[0][0].isoformat() if log else 'missing: the table is empty'}"
            )
        return self.snapshot_by_id(current[-1])


def parse_metadata(content: bytes, location: str) -> TableMetadata:
    """Table metadata from the bytes of a metadata file (plain or gzipped JSON).

    Raises UnreadableMetadata for anything that is not Iceberg metadata of version 1, 2 or 3.
    """
    try:
        text = gzip.decompress(content) if content[:2] == b"\x1f\x8b" else content
        document = json.loads(text)
    except (OSError, EOFError, ValueError, zlib.error, RecursionError) as error:
        raise UnreadableMetadata(
            f"{location} is not JSON (plain or gzipped): {type(error).__name__}; "
            "is it a table metadata file, and complete?"
        ) from error
    return metadata_from_json(document, location)


def metadata_from_json(document: Any, location: str) -> TableMetadata:
    """Table metadata from parsed JSON. Raises UnreadableMetadata, naming what is missing."""
    if not isinstance(document, dict) or document.get("format-version") not in (1, 2, 3):
        version = document.get("format-version") if isinstance(document, dict) else None
        raise UnreadableMetadata(
            f"{location}: format-version is {version!r}; prunescope reads versions 1, 2 and 3"
        )
    try:
        return _build(document)
    except _MALFORMED as error:
        raise UnreadableMetadata(
            f"{location} is malformed: {type(error).__name__} at {error}; "
            "compare it with an earlier version of the table's metadata"
        ) from error


def _build(document: dict[str, Any]) -> TableMetadata:
    schemas = {schema.get("schema-id", 0): schema for schema in document.get("schemas") or []}
    if not schemas:
        schemas = {0: document["schema"]}
    current_schema_id = document.get("current-schema-id", 0)
    if current_schema_id not in schemas:
        current_schema_id = next(iter(schemas))
    specs = document.get("partition-specs")
    if specs is None:
        specs = [{"spec-id": 0, "fields": document["partition-spec"]}]
    raw_specs = {spec["spec-id"]: _spec_fields(spec) for spec in specs}
    default_spec_id = document.get("default-spec-id", 0)
    snapshots = {raw["snapshot-id"]: _snapshot(raw) for raw in document.get("snapshots") or []}
    current = document.get("current-snapshot-id")
    return TableMetadata(
        location=document["location"],
        format_version=document["format-version"],
        table_uuid=document.get("table-uuid"),
        current_schema_id=current_schema_id,
        schemas={schema_id: read_schema(raw) for schema_id, raw in schemas.items()},
        raw_specs=raw_specs,
        default_spec_id=default_spec_id if default_spec_id in raw_specs else max(raw_specs),
        current_snapshot_id=None if current in (None, -1) else current,
        snapshots=snapshots,
        refs={name: ref["snapshot-id"] for name, ref in (document.get("refs") or {}).items()},
        history=tuple(
            (_moment(entry["timestamp-ms"]), entry["snapshot-id"])
            for entry in document.get("snapshot-log") or []
        ),
        properties=document.get("properties") or {},
    )


def _snapshot(raw: Mapping[str, Any]) -> Snapshot:
    return Snapshot(
        snapshot_id=raw["snapshot-id"],
        timestamp=_moment(raw["timestamp-ms"]),
        manifest_list=raw.get("manifest-list"),
        manifests=tuple(raw.get("manifests") or ()),
        schema_id=raw.get("schema-id"),
        summary=raw.get("summary") or {},
    )


def _spec_fields(spec: Mapping[str, Any]) -> tuple[Mapping[str, Any], ...]:
    for field in spec["fields"]:
        if not isinstance(field["name"], str) or not isinstance(field["transform"], str):
            raise TypeError(f"partition field of spec {spec['spec-id']}")
    return tuple(spec["fields"])


def _moment(milliseconds: int) -> dt.datetime:
    return dt.datetime.fromtimestamp(milliseconds / 1000, dt.UTC)


def _partition_spec(
    spec_id: int, fields: tuple[Mapping[str, Any], ...], schema: Schema
) -> PartitionSpec:
    """Version 1 may leave out field ids: they are 1000 and up, in order (table spec,
    "Partition Evolution"). Transforms of several columns are unknown ones."""
    built = []
    for position, raw in enumerate(fields):
        source_id = raw.get("source-id", -1)
        column = schema.by_id(source_id)
        source_type = None if column is None else column.type
        built.append(
            PartitionField(
                field_id=raw.get("field-id", _FIRST_PARTITION_FIELD_ID + position),
                source_id=source_id,
                name=raw["name"],
                transform=raw["transform"],
                source_type=source_type,
                result_type=result_type(raw["transform"], source_type),
            )
        )
    return PartitionSpec(spec_id, tuple(built))
