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

from collectors.budget import Budget, TooMuch
from collectors.errors import SnapshotNotFound, TableError, UnreadableMetadata
from collectors.json_fields import LONG_BITS, entries, fields, identity, short, text, texts, whole
from collectors.partitioning import PartitionSpec
from collectors.schema import Schema, SchemaColumn, casefolded, read_schema, weight
from collectors.storage import limits
from collectors.storage.clock import tick
from collectors.tables.metadata_ids import (
    Contradiction,
    by_id,
    current_snapshot_id,
    named,
    same_64_bits,
)
from collectors.tables.metadata_json import read_json, too_much
from collectors.tables.name_mapping import NameMapping, read_name_mapping
from collectors.tables.other_objects import other_document
from collectors.tables.raw_specs import RawSpec, partition_spec, raw_spec, source_id
from collectors.tables.timeline import Lineage, Log

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
    raw_specs: Mapping[int, RawSpec]
    default_spec_id: int
    current_snapshot_id: int | None
    snapshots: Mapping[int, Snapshot]
    refs: Mapping[str, int]
    history: tuple[tuple[dt.datetime, int], ...]
    properties: Mapping[str, str]
    sort_columns: tuple[int, ...] = ()
    last_sequence_number: int = 0
    tags: frozenset[str] = frozenset()
    updated: dt.datetime | None = None
    unreached: str | None = None

    def __getstate__(self) -> dict[str, Any]:
        """Without what is made of it when it is asked for: tasks make what they need."""
        return {field.name: getattr(self, field.name) for field in fields_of(self)}

    def schema(self, snapshot: Snapshot | None) -> Schema:
        """The schema that a scan uses which names no version and finds the snapshot: the table's
        for the current one, its own for one that was current before. Raises UnreadableMetadata."""
        if snapshot is None or snapshot.snapshot_id == self.current_snapshot_id:
            return self.schemas[self.current_schema_id]
        return self.schema_of(snapshot)

    def schema_of(self, snapshot: Snapshot) -> Schema:
        """The snapshot's own schema; the table's where the snapshot names none. Raises
        UnreadableMetadata if the metadata does not have it."""
        if snapshot.schema_id is None:
            return self.schemas[self.current_schema_id]
        known = self.schemas.get(snapshot.schema_id)
        if known is None:
            raise contradicting(
                self.location,
                f"schema-id of snapshot {snapshot.snapshot_id} is {snapshot.schema_id}, and "
                "schemas has no such id",
            )
        return known

    def specs(self, schema: Schema) -> dict[int, PartitionSpec]:
        """Every partition spec of the table, typed by `schema`: schemas that type all alike have
        the same."""
        known = self._specs.get(schema)
        if known is None:
            types = {
                c.field_id: c.type for c in reversed(schema.columns) if c.field_id in self._sources
            }
            typing = frozenset(types.items())
            if typing not in self._typed:
                self._typed[typing] = {
                    spec_id: partition_spec(spec_id, raw_fields, types, self._dates)
                    for spec_id, raw_fields in self.raw_specs.items()
                }
            known = self._specs[schema] = self._typed[typing]
        return known

    @cached_property
    def _specs(self) -> dict[Schema, dict[int, PartitionSpec]]:
        return {}

    @cached_property
    def _typed(self) -> dict[frozenset[tuple[int, str]], dict[int, PartitionSpec]]:
        return {}

    @cached_property
    def _sources(self) -> frozenset[int]:
        """The source columns of all specs."""
        return frozenset(
            source_id(raw) for raw_fields in self.raw_specs.values() for raw in raw_fields
        )

    @cached_property
    def _dates(self) -> frozenset[int]:
        """The columns that are dates in any schema of the table."""
        columns = (column for schema in self.schemas.values() for column in schema.columns)
        return frozenset(column.field_id for column in columns if column.type == "date")

    @cached_property
    def name_mapping(self) -> NameMapping:
        """The field ids of columns in files that were written without any."""
        return read_name_mapping(self.properties)

    def current_snapshot(self) -> Snapshot | None:
        """The current snapshot; None if the table has none."""
        current = self.current_snapshot_id
        return None if current is None else self.snapshot_by_id(current)

    def head_of(self, ref: str) -> Snapshot:
        """The snapshot that a branch or tag of the metadata names. Raises UnreadableMetadata if the
        metadata does not have it."""
        try:
            return self.snapshot_by_id(self.refs[ref])  # expiry keeps it
        except SnapshotNotFound:
            what = f"its ref {ref} is {self.refs[ref]}, and snapshots has no such id"
            raise contradicting(self.location, what) from None

    def snapshot_by_id(self, snapshot_id: int) -> Snapshot:
        """Raises SnapshotNotFound if the snapshot is not (or no longer) in the metadata. Ids of
        2^63 and more, which some writers make, are also known by the signed number of the same 64
        bits, as Avro and Java have it."""
        snapshot = self._found(snapshot_id)
        if snapshot is None:
            raise SnapshotNotFound(
                f"the snapshot that is asked for is not in the metadata of {self.location}: "
                + (
                    self.unreached
                    or "it was expired, or belongs to another table; "
                    "history.expire.max-snapshot-age-ms says how long a table keeps its snapshots"
                )
            )
        return snapshot

    def _found(self, snapshot_id: int) -> Snapshot | None:
        same = self.snapshots.get(same_64_bits(snapshot_id))
        return self.snapshots.get(snapshot_id, same)

    def has_had_column(self, path: tuple[str, ...]) -> bool:
        """Whether any schema of the table has, or had, a field that a written path can mean."""
        return casefolded(path) in self._paths

    @cached_property
    def _paths(self) -> frozenset[tuple[str, ...]]:
        return frozenset[tuple[str, ...]]().union(*(s.folded_paths for s in self.schemas.values()))

    def snapshot_as_of(self, moment: dt.datetime) -> Snapshot:
        """The snapshot that was current at `moment` (with a time zone). Raises
        SnapshotNotFound if the table was empty then, or its log no longer reaches back."""
        current = self._log.at(moment)
        if current is None:
            first = next((since for since, _ in self.history or self._commits), None)
            raise SnapshotNotFound(
                f"the snapshot log of {self.location} does not reach back to the time that is "
                "asked for; its first entry is "
                f"{'missing: the table is empty' if first is None else first.isoformat()}"
                + ("" if self.unreached is None else f": {self.unreached}")
            )
        return self.snapshot_by_id(current)

    @cached_property
    def _log(self) -> Log:
        return Log(self.history or self._commits)

    @cached_property
    def _commits(self) -> list[tuple[dt.datetime, int]]:
        return sorted((s.timestamp, s.snapshot_id) for s in self.snapshots.values())

    @property
    def newest(self) -> dt.datetime | None:
        """When the newest commit was made, to any branch; None where there is none."""
        return self._commits[-1][0] if self._commits else None

    def last_commit(self, moment: dt.datetime) -> Snapshot | None:
        """The last commit up to a moment (with a time zone), to any branch; None before all."""
        found = self._commit_log.at(moment)
        return None if found is None else self.snapshots[found]

    @cached_property
    def _commit_log(self) -> Log:
        return Log(self._commits)

    def ancestor(self, head: Snapshot, moment: dt.datetime) -> Snapshot | None:
        """The newest of a snapshot and its ancestors that was there at a moment (with a time zone);
        None where what is left of them does not reach back."""
        found = self._lineage.at(head.snapshot_id, moment)
        return None if found is None else self.snapshots[found]

    @cached_property
    def _lineage(self) -> Lineage:
        return Lineage(
            [(s.snapshot_id, s.timestamp, self._parent(s)) for s in self.snapshots.values()]
        )

    def _parent(self, snapshot: Snapshot) -> int | None:
        found = None if snapshot.parent_id is None else self._found(snapshot.parent_id)
        return None if found is None else found.snapshot_id


def parse_metadata(content: bytes, location: str) -> TableMetadata:
    """Table metadata from the bytes of a metadata file (plain or gzipped JSON).

    Raises UnreadableMetadata for anything that is not Iceberg metadata of version 1, 2 or 3, and
    TableError for what is known to be something else.
    """
    return metadata_from_json(read_json(content, location), location)


def metadata_from_json(document: Any, location: str) -> TableMetadata:
    """Table metadata from parsed JSON. Raises UnreadableMetadata, naming what is missing, and
    TableError for the metadata of something else."""
    if not isinstance(document, dict):
        raise UnreadableMetadata(f"{location} is JSON, but no object; is it a table metadata file?")
    if (other := other_document(document)) is not None:
        raise TableError(f"{location} is {other}")
    version = document.get("format-version")
    if version not in (1, 2, 3):
        raise UnreadableMetadata(
            f"{location}: format-version is {version!r}; prunescope reads versions 1, 2 and 3"
        )
    try:
        return _build(document)
    except TooMuch as error:
        raise too_much(location, error) from error
    except Contradiction as error:
        raise contradicting(location, str(error)) from error
    except _MALFORMED as error:
        raise UnreadableMetadata(
            f"{location} is malformed: {type(error).__name__} at {error}; "
            "compare it with an earlier version of the table's metadata"
        ) from error


def contradicting(location: str, what: str) -> UnreadableMetadata:
    """The error of metadata that contradicts itself."""
    return UnreadableMetadata(
        f"{location} contradicts itself: {what}; compare it with an earlier version of the table's "
        "metadata"
    )


def _build(document: dict[str, Any]) -> TableMetadata:
    listed = [fields(raw, "schemas") for raw in entries(document.get("schemas"), "schemas")]
    if not listed:
        listed = [fields(document["schema"], "schema")]
    schemas = by_id(((one.schema_id, one) for one in _sharing_columns(listed)), "schemas")
    specs = document.get("partition-specs")
    if specs is None:
        specs = [{"spec-id": _DEFAULT_ID, "fields": document["partition-spec"]}]
    raw_specs = by_id(map(raw_spec, entries(specs, "partition-specs")), "partition-specs")
    listed_snapshots = map(_snapshot, entries(document.get("snapshots"), "snapshots"))
    snapshots = by_id(((one.snapshot_id, one) for one in listed_snapshots), "snapshots")
    raw_refs = {
        short(name, "refs"): fields(ref, "refs")
        for name, ref in fields(document.get("refs"), "refs").items()
    }
    refs = {
        name: identity(ref["snapshot-id"], "refs.snapshot-id") for name, ref in raw_refs.items()
    }
    history = tuple(map(_log_entry, entries(document.get("snapshot-log"), "snapshot-log")))
    uuid = document.get("table-uuid")
    return TableMetadata(
        location=text(document["location"], "location"),
        format_version=document["format-version"],
        table_uuid=None if uuid is None else text(uuid, "table-uuid"),
        current_schema_id=named(document, "current-schema-id", schemas, "schemas"),
        schemas=schemas,
        raw_specs=raw_specs,
        default_spec_id=named(document, "default-spec-id", raw_specs, "partition-specs"),
        current_snapshot_id=current_snapshot_id(document, snapshots, refs, history),
        snapshots=snapshots,
        refs=refs,
        tags=frozenset(name for name, ref in raw_refs.items() if ref.get("type") == "tag"),
        history=history,
        properties=texts(document.get("properties"), "properties"),
        sort_columns=_sort_columns(document),
        last_sequence_number=_last_sequence_number(document),
        updated=_updated(document),
    )


def _sort_columns(document: Mapping[str, Any]) -> tuple[int, ...]:
    """None where fields of the order cannot be read: no scan is planned by them. The order of the
    id 0 is none, and need not be listed."""
    orders = by_id(
        (
            (
                whole(order["order-id"], "order-id"),
                entries(order.get("fields"), "sort-orders.fields"),
            )
            for raw in entries(document.get("sort-orders"), "sort-orders")
            for order in [fields(raw, "sort-orders")]
        ),
        "sort-orders",
    )
    orders.setdefault(_DEFAULT_ID, [])
    order = orders[named(document, "default-sort-order-id", orders, "sort-orders")]
    try:
        of_order = [fields(field, "fields") for field in order]
        return tuple(whole(field["source-id"], "source-id") for field in of_order)
    except _MALFORMED:
        return ()


def _last_sequence_number(document: Mapping[str, Any]) -> int:
    """Likewise."""
    try:
        return whole(document.get("last-sequence-number", 0), "last-sequence-number", LONG_BITS)
    except _MALFORMED:
        return 0


def _updated(document: Mapping[str, Any]) -> dt.datetime | None:
    """Likewise."""
    try:
        return _moment(document["last-updated-ms"])
    except _MALFORMED:
        return None


def _sharing_columns(listed: Iterable[Mapping[str, Any]]) -> Iterator[Schema]:
    """The schemas, with one object for each column that several of them have."""
    budget = Budget(limits.NAMES)
    known: dict[SchemaColumn, SchemaColumn] = {}

    def shared(column: SchemaColumn) -> SchemaColumn:
        found = known.setdefault(column, column)
        if found is not column:
            budget.give_back(weight(column.path))
        return found

    for raw in listed:
        tick()
        schema = read_schema(raw, budget)
        yield replace(schema, columns=tuple(map(shared, schema.columns)))


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


def _moment(milliseconds: Any) -> dt.datetime:
    value = whole(milliseconds, "timestamp-ms", LONG_BITS)
    return dt.datetime.fromtimestamp(value / 1000, dt.UTC)
