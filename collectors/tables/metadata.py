"""Table metadata files, read as far as planning needs them.

Read from the JSON itself, not through PyIceberg's validated model: an audit must open tables
whose metadata that model refuses (types it does not know, versions 1 with embedded manifests,
writers that leave out fields), and it must start fast.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from dataclasses import fields as fields_of
from functools import cached_property
from sys import intern
from typing import Any

from collectors.errors import SnapshotNotFound, UnreadableMetadata
from collectors.json_fields import (
    LONG_BITS,
    entries,
    fields,
    identity,
    text,
    texts,
    whole,
    whole_or,
)
from collectors.partitioning import PartitionSpec
from collectors.schema import MOST_NAMES, Schema, SchemaColumn, casefolded, read_schema
from collectors.storage.clock import tick
from collectors.tables.metadata_json import read_json
from collectors.tables.name_mapping import NameMapping, read_name_mapping
from collectors.tables.timeline import Past
from collectors.tables.typed_specs import TypedSpecs

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
_DEFAULT_ID = 0
_LONGS = 1 << LONG_BITS
_TOTALS = frozenset({"total-data-files", "total-delete-files", "total-files-size", "total-records"})


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A snapshot of a table. `manifest_list` is None for the oldest v1 tables, which name
    their `manifests` directly; these are None where they are not named. `summary` has the spec's
    totals of files, bytes and records as text, and no more: an audit holds every snapshot of all
    its tables. `parent_id` is the snapshot that it was made of, None for the first."""

    snapshot_id: int
    timestamp: dt.datetime
    manifest_list: str | None
    manifests: tuple[str, ...] | None
    schema_id: int | None
    summary: Mapping[str, str]
    parent_id: int | None = None


@dataclass(frozen=True)
class TableMetadata:
    """One version of a table's metadata.

    `refs` are branches and tags, `tags` the names of the latter.
    `history` is the snapshot log: which snapshot became current when, oldest first.
    `raw_specs` maps spec ids to the field dictionaries of the file; new files are written under
    `default_spec_id`. `sort_columns` are the source ids of the default sort order; none where
    there is none, or it cannot be read. `last_sequence_number` is that of the last commit, 0 where
    commits have none (version 1).
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
    sort_columns: tuple[int, ...] = ()
    last_sequence_number: int = 0
    tags: frozenset[str] = frozenset()

    def __getstate__(self) -> dict[str, Any]:
        """Without what is made of it when it is asked for: tasks make what they need."""
        return {field.name: getattr(self, field.name) for field in fields_of(self)}

    def schema(self, snapshot: Snapshot | None) -> Schema:
        """The schema that a scan uses which names no version and finds the snapshot: the table's
        for the current one, its own for one that was current before."""
        if snapshot is None or snapshot.snapshot_id == self.current_snapshot_id:
            return self.schemas[self.current_schema_id]
        return self.schema_of(snapshot)

    def schema_of(self, snapshot: Snapshot) -> Schema:
        """The snapshot's own schema; the table's where that is not known."""
        known = None if snapshot.schema_id is None else self.schemas.get(snapshot.schema_id)
        return self.schemas[self.current_schema_id] if known is None else known

    def specs(self, schema: Schema) -> dict[int, PartitionSpec]:
        """Every partition spec of the table, typed by `schema`: schemas that type all alike have
        the same."""
        return self._typed_specs.of(schema)

    @cached_property
    def _typed_specs(self) -> TypedSpecs:
        return TypedSpecs(self.raw_specs, self.schemas.values())

    @cached_property
    def name_mapping(self) -> NameMapping:
        """The field ids of columns in files that were written without any."""
        return read_name_mapping(self.properties)

    def current_snapshot(self) -> Snapshot | None:
        """The current snapshot; None if the table has never been written. Raises UnreadableMetadata
        if the metadata does not have it."""
        if self.current_snapshot_id is None:
            return None
        return self._named(self.current_snapshot_id, "current-snapshot-id")

    def head_of(self, ref: str) -> Snapshot:
        """The snapshot that a branch or tag of the metadata names. Raises UnreadableMetadata if the
        metadata does not have it."""
        return self._named(self.refs[ref], f"its ref {ref}")

    def _named(self, snapshot_id: int, by: str) -> Snapshot:
        """One that the metadata itself names, and so must have: expiry keeps it."""
        try:
            return self.snapshot_by_id(snapshot_id)
        except SnapshotNotFound:
            raise UnreadableMetadata(
                f"{self.location} is malformed: {by} is {snapshot_id}, and its snapshots do not "
                "have that; compare it with an earlier version of the table's metadata"
            ) from None

    def snapshot_by_id(self, snapshot_id: int) -> Snapshot:
        """Raises SnapshotNotFound if the snapshot is not (or no longer) in the metadata. Ids of
        2^63 and more, which some writers make, are also known by the signed number of the same 64
        bits, as Avro and Java have it."""
        snapshot = self._found(snapshot_id)
        if snapshot is None:
            raise SnapshotNotFound(
                f"the snapshot that is asked for is not in the metadata of {self.location}: it "
                "was expired, or belongs to another table; history.expire.max-snapshot-age-ms "
                "says how long a table keeps its snapshots"
            )
        return snapshot

    def _found(self, snapshot_id: int) -> Snapshot | None:
        same = snapshot_id + _LONGS if snapshot_id < 0 else snapshot_id - _LONGS
        return self.snapshots.get(snapshot_id) or self.snapshots.get(same)

    def has_had_column(self, path: tuple[str, ...]) -> bool:
        """Whether any schema of the table has, or had, a field that a written path can mean."""
        return casefolded(path) in self._paths

    @cached_property
    def _paths(self) -> frozenset[tuple[str, ...]]:
        return frozenset[tuple[str, ...]]().union(*(s.folded_paths for s in self.schemas.values()))

    def snapshot_as_of(self, moment: dt.datetime) -> Snapshot:
        """The snapshot that was current at `moment` (with a time zone). Raises
        SnapshotNotFound if the table was empty then, or its log no longer reaches back."""
        current = self.past.log.at(moment)
        if current is None:
            first = self.past.log.first
            raise SnapshotNotFound(
                f"the snapshot log of {self.location} does not reach back to the time that is "
                "asked for; its first entry is "
                f"{'missing: the table is empty' if first is None else first.isoformat()}"
            )
        return self.snapshot_by_id(current)

    @cached_property
    def past(self) -> Past:
        """What was when, in branches as in the snapshot log."""
        commits = [(s.snapshot_id, s.timestamp, self._parent(s)) for s in self.snapshots.values()]
        return Past(commits, self.history)

    def _parent(self, snapshot: Snapshot) -> int | None:
        found = None if snapshot.parent_id is None else self._found(snapshot.parent_id)
        return None if found is None else found.snapshot_id


def parse_metadata(content: bytes, location: str) -> TableMetadata:
    """Table metadata from the bytes of a metadata file (plain or gzipped JSON).

    Raises UnreadableMetadata for anything that is not Iceberg metadata of version 1, 2 or 3.
    """
    return metadata_from_json(read_json(content, location), location)


def metadata_from_json(document: Any, location: str) -> TableMetadata:
    """Table metadata from parsed JSON. Raises UnreadableMetadata, naming what is missing."""
    if not isinstance(document, dict):
        raise UnreadableMetadata(f"{location} is JSON, but no object; is it a table metadata file?")
    version = document.get("format-version")
    if version not in (1, 2, 3):
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
    listed = [fields(raw, "schemas") for raw in entries(document.get("schemas"), "schemas")]
    if not listed:
        listed = [fields(document["schema"], "schema")]
    schemas = {schema.schema_id: schema for schema in _sharing_columns(_schemas(listed))}
    current_schema_id = whole_or(document, "current-schema-id", _DEFAULT_ID)
    specs = document.get("partition-specs")
    if specs is None:
        specs = [{"spec-id": _DEFAULT_ID, "fields": document["partition-spec"]}]
    raw_specs = dict(map(_raw_spec, entries(specs, "partition-specs")))
    default_spec_id = whole_or(document, "default-spec-id", _DEFAULT_ID)
    snapshots = map(_snapshot, entries(document.get("snapshots"), "snapshots"))
    refs = {name: fields(ref, "refs") for name, ref in fields(document.get("refs"), "refs").items()}
    current = document.get("current-snapshot-id")
    uuid = document.get("table-uuid")
    return TableMetadata(
        location=text(document["location"], "location"),
        format_version=document["format-version"],
        table_uuid=None if uuid is None else text(uuid, "table-uuid"),
        current_schema_id=(
            current_schema_id if current_schema_id in schemas else next(iter(schemas))
        ),
        schemas=schemas,
        raw_specs=raw_specs,
        default_spec_id=default_spec_id if default_spec_id in raw_specs else max(raw_specs),
        current_snapshot_id=(
            None if current in (None, -1) else identity(current, "current-snapshot-id")
        ),
        snapshots={snapshot.snapshot_id: snapshot for snapshot in snapshots},
        refs={
            text(name, "refs"): identity(ref["snapshot-id"], "refs.snapshot-id")
            for name, ref in refs.items()
        },
        tags=frozenset(name for name, ref in refs.items() if ref.get("type") == "tag"),
        history=tuple(map(_log_entry, entries(document.get("snapshot-log"), "snapshot-log"))),
        properties=texts(document.get("properties"), "properties"),
        sort_columns=_sort_columns(document),
        last_sequence_number=_last_sequence_number(document),
    )


def _sort_columns(document: Mapping[str, Any]) -> tuple[int, ...]:
    """No scan is planned by it, so that a malformed order is none."""
    wanted = document.get("default-sort-order-id")
    try:
        orders = entries(document.get("sort-orders"), "sort-orders")
        order = next(o for o in orders if fields(o, "sort-orders").get("order-id") == wanted)
        listed = [fields(field, "fields") for field in entries(order.get("fields"), "fields")]
        return tuple(whole(field["source-id"], "source-id") for field in listed)
    except _MALFORMED:
        return ()


def _last_sequence_number(document: Mapping[str, Any]) -> int:
    """Likewise."""
    try:
        return whole(document.get("last-sequence-number", 0), "last-sequence-number", LONG_BITS)
    except _MALFORMED:
        return 0


def _schemas(listed: Iterable[Mapping[str, Any]]) -> Iterator[Schema]:
    names = MOST_NAMES
    for raw in listed:
        tick()
        schema = read_schema(raw, names)
        names -= sum(len(column.path) for column in schema.columns)
        yield schema


def _sharing_columns(schemas: Iterable[Schema]) -> Iterator[Schema]:
    """The schemas, with one object for each column that several of them have."""
    known: dict[SchemaColumn, SchemaColumn] = {}
    for schema in schemas:
        yield replace(schema, columns=tuple(known.setdefault(c, c) for c in schema.columns))


def _snapshot(raw: Any) -> Snapshot:
    tick()
    raw = fields(raw, "snapshots")
    manifest_list, schema_id = raw.get("manifest-list"), raw.get("schema-id")
    manifests, parent = raw.get("manifests"), raw.get("parent-snapshot-id")
    return Snapshot(
        snapshot_id=identity(raw["snapshot-id"], "snapshot-id"),
        timestamp=_moment(raw["timestamp-ms"]),
        manifest_list=None if manifest_list is None else text(manifest_list, "manifest-list"),
        manifests=None
        if manifests is None
        else tuple(text(path, "manifests") for path in entries(manifests, "manifests")),
        schema_id=None if schema_id is None else whole(schema_id, "schema-id"),
        summary={
            intern(key): value
            for key, value in texts(raw.get("summary"), "summary").items()
            if key in _TOTALS
        },
        # What is none leaves only branches of earlier times unknown.
        parent_id=parent if type(parent) is int and parent != -1 else None,
    )


def _log_entry(raw: Any) -> tuple[dt.datetime, int]:
    raw = fields(raw, "snapshot-log")
    return _moment(raw["timestamp-ms"]), identity(raw["snapshot-id"], "snapshot-id")


def _raw_spec(raw: Any) -> tuple[int, tuple[Mapping[str, Any], ...]]:
    tick()
    raw = fields(raw, "partition-specs")
    spec_id = whole(raw["spec-id"], "spec-id")
    found = [fields(field, "fields") for field in entries(raw["fields"], "fields")]
    for field in found:
        where = f"partition field of spec {spec_id}"
        text(field["name"], where)
        text(field["transform"], where)
        for name in ("source-id", "field-id"):
            whole_or(field, name, _DEFAULT_ID)
    return spec_id, tuple(found)


def _moment(milliseconds: Any) -> dt.datetime:
    value = whole(milliseconds, "timestamp-ms", LONG_BITS)
    return dt.datetime.fromtimestamp(value / 1000, dt.UTC)
