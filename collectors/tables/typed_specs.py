"""Partition specs as metadata files have them, with the types of their source columns."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import chain
from typing import Any

from collectors.json_fields import whole_or
from collectors.partitioning import UNKNOWN, PartitionField, PartitionSpec, has_width, result_type
from collectors.schema import Schema
from collectors.storage.clock import tick

RawSpecs = Mapping[int, tuple[Mapping[str, Any], ...]]
"""The field dictionaries of specs, by the ids of these."""

_FIRST_PARTITION_FIELD_ID = 1000


class TypedSpecs:
    """The specs of a table by its schemas: those that type all source columns alike have the
    same."""

    def __init__(self, raw_specs: RawSpecs, schemas: Iterable[Schema]) -> None:
        self._raw = raw_specs
        raw_fields = chain.from_iterable(raw_specs.values())
        self._sources = frozenset(whole_or(raw, "source-id", -1) for raw in raw_fields)
        columns = chain.from_iterable(schema.columns for schema in schemas)
        # The columns that are dates in any schema.
        self._dates = frozenset(column.field_id for column in columns if column.type == "date")
        self._by_schema: dict[Schema, dict[int, PartitionSpec]] = {}
        self._by_types: dict[frozenset[tuple[int, str]], dict[int, PartitionSpec]] = {}

    def of(self, schema: Schema) -> dict[int, PartitionSpec]:
        """Every spec, typed by a schema."""
        if schema not in self._by_schema:
            columns = (c for c in reversed(schema.columns) if c.field_id in self._sources)
            types = {column.field_id: column.type for column in columns}
            alike = frozenset(types.items())
            if alike not in self._by_types:
                self._by_types[alike] = {
                    spec_id: _partition_spec(spec_id, raw_fields, types, self._dates)
                    for spec_id, raw_fields in self._raw.items()
                }
            self._by_schema[schema] = self._by_types[alike]
        return self._by_schema[schema]


def _partition_spec(
    spec_id: int,
    raw_fields: tuple[Mapping[str, Any], ...],
    types: Mapping[int, str],
    dates: frozenset[int],
) -> PartitionSpec:
    """The spec whose source columns have these types; `dates` are those that are dates in any
    schema.

    Version 1 may leave out field ids: they are 1000 and up, in order (table spec, "Partition
    Evolution"). Transforms of several columns, and those of which the width can be none, are
    unknown ones. Onto buckets of a timestamp that is a date in another schema nothing lifts: days
    have others (table spec, "Schema Evolution", forbids it)."""
    built = []
    for position, raw in enumerate(raw_fields):
        tick()
        source_id = whole_or(raw, "source-id", -1)
        source_type = types.get(source_id)
        transform = raw["transform"] if has_width(raw["transform"]) else UNKNOWN
        is_bucket = transform.startswith("bucket[")
        is_other = is_bucket and source_type != "date" and source_id in dates
        built.append(
            PartitionField(
                field_id=whole_or(raw, "field-id", _FIRST_PARTITION_FIELD_ID + position),
                source_id=source_id,
                name=raw["name"],
                transform=transform,
                source_type=source_type,
                result_type=None if is_other else result_type(transform, source_type),
            )
        )
    return PartitionSpec(spec_id, tuple(built))
