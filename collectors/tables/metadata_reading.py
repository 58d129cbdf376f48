"""Table metadata from the bytes of a metadata file, or from JSON that a catalog answered."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from sys import intern
from typing import Any

from prunescope.collectors.budget import Budget, TooMuch
from prunescope.collectors.errors import TableError, UnknownFormatVersion, UnreadableMetadata
from prunescope.collectors.json_fields import (
    INT_BITS,
    LONG_BITS,
    check_numbers,
    entries,
    fields,
    identity,
    short,
    text,
    texts,
    whole,
)
from prunescope.collectors.schema import Schema, SchemaColumn, read_schema, weight
from prunescope.collectors.storage import limits
from prunescope.collectors.storage.clock import tick
from prunescope.collectors.tables.metadata import (
    WRITTEN_BY,
    Snapshot,
    TableMetadata,
    contradicting,
)
from prunescope.collectors.tables.metadata_ids import (
    Contradiction,
    by_id,
    current_snapshot_id,
    named,
)
from prunescope.collectors.tables.metadata_json import read_json, too_much
from prunescope.collectors.tables.other_objects import other_document
from prunescope.collectors.tables.raw_specs import raw_spec

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
_NEWEST_FORMAT = 3
_TOTALS = frozenset({"total-data-files", "total-delete-files", "total-files-size", "total-records"})

_NUMBERS = {
    "format-version": INT_BITS,
    "last-sequence-number": LONG_BITS,
    "last-updated-ms": LONG_BITS,
    "last-column-id": INT_BITS,
    "last-partition-id": INT_BITS,
    "next-row-id": LONG_BITS,
}
_NUMBERS_OF_SNAPSHOTS = {
    "sequence-number": LONG_BITS,
    "first-row-id": LONG_BITS,
    "added-rows": LONG_BITS,
}
_NUMBERS_OF_REFS = {
    "min-snapshots-to-keep": INT_BITS,
    "max-snapshot-age-ms": LONG_BITS,
    "max-ref-age-ms": LONG_BITS,
}
"""Numbers that a table can be planned without, and their bits: Iceberg's parsers of 1.11 refuse
other values, so that no engine opens the table."""


def parse_metadata(content: bytes, location: str) -> TableMetadata:
    """Table metadata from the bytes of a metadata file (plain or gzipped JSON).

    Raises UnknownFormatVersion for metadata of a newer version than 3, UnreadableMetadata for
    anything else that is not Iceberg metadata, and TableError for what is known to be something
    else.
    """
    return metadata_from_json(read_json(content, location), location)


def metadata_from_json(document: Any, location: str) -> TableMetadata:
    """Table metadata from parsed JSON. Raises UnreadableMetadata, naming what is missing, and
    TableError for the metadata of something else."""
    if not isinstance(document, dict):
        raise UnreadableMetadata(
            f"{location} is JSON but not an object. Check that it is a table metadata file."
        )
    if (other := other_document(document)) is not None:
        raise TableError(f"{location} is {other}")
    version = document.get("format-version")
    if isinstance(version, int) and version > _NEWEST_FORMAT:
        raise UnknownFormatVersion(
            f"{location}: format-version is {version}; prunescope plans tables of versions 1, 2 "
            f"and {_NEWEST_FORMAT}"
        )
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
            f"{location} is invalid: {type(error).__name__} at {error}. Compare it with an earlier "
            f"metadata file."
        ) from error


def _build(document: dict[str, Any]) -> TableMetadata:
    check_numbers(document, _NUMBERS)
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
    for ref in raw_refs.values():
        check_numbers(ref, _NUMBERS_OF_REFS)
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
    """The columns of the default sort order; none if orders cannot be read, because no scan is
    planned by them. The order of id 0 has none, and need not be listed. Raises Contradiction."""
    try:
        listed = [fields(raw, "sort-orders") for raw in entries(document.get("sort-orders"), "")]
        orders = by_id(
            ((whole(one["order-id"], ""), entries(one.get("fields"), "")) for one in listed),
            "sort-orders",
        )
        orders.setdefault(_DEFAULT_ID, [])
        order = orders[named(document, "default-sort-order-id", orders, "sort-orders")]
        of_order = [fields(field, "fields") for field in order]
        return tuple(whole(field["source-id"], "source-id") for field in of_order)
    except Contradiction:
        raise
    except _MALFORMED:
        return ()


def _last_sequence_number(document: Mapping[str, Any]) -> int:
    """The number of the last commit, 0 where commits have none. Raises Contradiction for a snapshot
    of a later one."""
    last: int | None = document.get("last-sequence-number")
    if last is None:
        return 0
    listed = entries(document.get("snapshots"), "snapshots")
    latest = max((raw.get("sequence-number") or 0 for raw in listed), default=last)
    if latest > last:
        raise Contradiction(f"last-sequence-number is {last}, and a snapshot has {latest}")
    return last


def _updated(document: Mapping[str, Any]) -> dt.datetime | None:
    """The time at which the metadata was written; None for a value that is no possible time."""
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
    check_numbers(raw, _NUMBERS_OF_SNAPSHOTS)
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
            intern(key): value if key in _TOTALS else intern(value)
            for key, value in texts(raw.get("summary"), "summary").items()
            if key in _TOTALS or key in WRITTEN_BY
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
