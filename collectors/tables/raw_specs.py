"""Partition specs as table metadata has them, and typed by a schema."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from prunescope.collectors.json_fields import entries, fields, short, whole
from prunescope.collectors.partitioning import (
    UNKNOWN,
    PartitionField,
    PartitionSpec,
    has_width,
    result_type,
)
from prunescope.collectors.storage.clock import tick

RawSpec = tuple[Mapping[str, Any], ...]
"""The fields of a spec as the file has them."""

_FIRST_FIELD_ID = 1000


def raw_spec(raw: Any) -> tuple[int, RawSpec]:
    """The id of a spec, and its fields. Raises KeyError, TypeError or ValueError where malformed,
    and TooMuch."""
    tick()
    raw = fields(raw, "partition-specs")
    spec_id = whole(raw["spec-id"], "spec-id")
    found = [fields(field, "fields") for field in entries(raw["fields"], "fields")]
    for field in found:
        where = f"partition field of spec {spec_id}"
        short(field["name"], where)
        short(field["transform"], where)
        if "source-ids" not in field:
            whole(field["source-id"], "source-id")
        _id(field, "field-id", _FIRST_FIELD_ID)
    return spec_id, tuple(found)


def source_id(raw: Mapping[str, Any]) -> int:
    """The id of the source column of a spec's field; -1 if it has several."""
    return _id(raw, "source-id", -1)


def partition_spec(
    spec_id: int,
    raw_fields: RawSpec,
    types: Mapping[int, str],
    dates: Collection[int],
) -> PartitionSpec:
    """A spec, typed by the types of its source columns. `dates` are the columns that are dates in
    any schema of the table.

    Version 1 may leave out field ids: they are 1000 and up, in order (table spec,
    "Partition Evolution"). Transforms of several columns, and those of which the width can be
    none, are unknown ones. Onto buckets of a timestamp that is a date in another schema nothing
    lifts: days have others (table spec, "Schema Evolution", forbids it)."""
    built = []
    for position, raw in enumerate(raw_fields):
        tick()
        source = source_id(raw)
        source_type = types.get(source)
        transform = raw["transform"] if has_width(raw["transform"]) else UNKNOWN
        is_other = transform.startswith("bucket[") and source_type != "date" and source in dates
        built.append(
            PartitionField(
                field_id=_id(raw, "field-id", _FIRST_FIELD_ID + position),
                source_id=source,
                name=raw["name"],
                transform=transform,
                source_type=source_type,
                result_type=None if is_other else result_type(transform, source_type),
            )
        )
    return PartitionSpec(spec_id, tuple(built))


def _id(raw: Mapping[str, Any], name: str, default: int) -> int:
    value = raw.get(name)
    return default if value is None else whole(value, name)
