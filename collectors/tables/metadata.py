"""Table metadata files, read as far as planning needs them.

Read from the JSON itself, not through PyIceberg's validated model: an audit must open tables
whose metadata that model refuses (types it does not know, versions 1 with embedded manifests,
writers that leave out fields), and it must start fast.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass
from dataclasses import fields as fields_of
from functools import cached_property
from typing import Any

from prunescope.collectors.errors import SnapshotNotFound, UnreadableMetadata
from prunescope.collectors.partitioning import PartitionSpec
from prunescope.collectors.schema import Schema, casefolded
from prunescope.collectors.tables.metadata_ids import (
    same_64_bits,
)
from prunescope.collectors.tables.name_mapping import NameMapping, read_name_mapping
from prunescope.collectors.tables.raw_specs import RawSpec, partition_spec, source_id
from prunescope.collectors.tables.timeline import Past


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A snapshot of a table. `manifest_list` is None for the oldest v1 tables, which name
    their `manifests` directly; these are None where they are not named. `summary` has the spec's
    totals of files, bytes and records as text, and WRITTEN_BY, and no more: an audit holds every
    snapshot of all its tables. `parent_id` is the snapshot that it was made of, None for the
    first."""

    snapshot_id: int
    timestamp: dt.datetime
    manifest_list: str | None
    manifests: tuple[str, ...] | None
    schema_id: int | None
    summary: Mapping[str, str]
    parent_id: int | None = None


WRITTEN_BY = frozenset({"operation", "engine-name", "engine-version", "app-id", "spark.app.id"})
"""Keys of a snapshot's summary that say what was done, and by which engine and application."""


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
        """The state without what is derived on demand: tasks derive what they need."""
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
        """The snapshot of an id. Raises SnapshotNotFound if it is not (or no longer) in the
        metadata. Ids of 2^63 and more, which some writers make, are also known by the signed number
        of the same 64 bits, as Avro and Java have it."""
        snapshot = self._found(snapshot_id)
        if snapshot is None:
            raise SnapshotNotFound(
                f"Snapshot not found in {self.location}. "
                + (
                    self.unreached
                    or "It has expired, or belongs to another table. "
                    "`history.expire.max-snapshot-age-ms` sets how long a table keeps snapshots."
                )
            )
        return snapshot

    def _found(self, snapshot_id: int) -> Snapshot | None:
        same = self.snapshots.get(same_64_bits(snapshot_id))
        return self.snapshots.get(snapshot_id, same)

    def has_had_column(self, path: tuple[str, ...]) -> bool:
        """True if any schema of the table has, or had, a field that a written path can mean."""
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
            of_log = (
                "has no entry: the table is empty"
                if first is None
                else f"starts at {first.isoformat()}"
            )
            raise SnapshotNotFound(
                f"No snapshot at that time: the snapshot log of {self.location} {of_log}"
                + ("." if self.unreached is None else f": {self.unreached}")
            )
        return self.snapshot_by_id(current)

    @cached_property
    def past(self) -> Past:
        """The history of the table: its commits, to any branch, and the snapshot log."""
        commits = [(s.snapshot_id, s.timestamp, self._parent(s)) for s in self.snapshots.values()]
        return Past(commits, self.history)

    def _parent(self, snapshot: Snapshot) -> int | None:
        found = None if snapshot.parent_id is None else self._found(snapshot.parent_id)
        return None if found is None else found.snapshot_id


def contradicting(location: str, what: str) -> UnreadableMetadata:
    """The error of metadata that contradicts itself."""
    return UnreadableMetadata(
        f"{location} contradicts itself: {what}. Compare it with an earlier metadata file."
    )
