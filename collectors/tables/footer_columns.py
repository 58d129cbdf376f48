"""The wanted columns of Parquet files: where they are, and how to read them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import pyarrow as pa

from collectors.parquet.soundness import ChunkForm, form_of
from collectors.parquet.values import Conversion, conversion_of
from collectors.statistics import ColumnKey
from collectors.tables.name_mapping import NameMapping


@dataclass(frozen=True, slots=True)
class FileColumns:
    """The columns that are `wanted` of a file with a `schema` (pyarrow's ParquetSchema), the
    `paths` of its leaves, and whether any has a field id of its own.

    `leaves` are the places of those that it has, `forms` what their chunks have to be like, by
    place, and `conversions` how to read those that are of a type that can be compared. `lacked`
    are those that it has not: none, where field ids are unknown.
    """

    schema: Any
    paths: list[str]
    wanted: tuple[ColumnKey, ...]
    has_own_ids: bool
    leaves: Mapping[ColumnKey, int]
    forms: Mapping[int, ChunkForm]
    conversions: Mapping[ColumnKey, Conversion]
    lacked: tuple[ColumnKey, ...]


class ColumnLookup:
    """Looks up columns; once for files of one schema, as those of a writer are, that follow each
    other."""

    def __init__(self) -> None:
        self._last: FileColumns | None = None

    def columns(
        self, schema: Any, wanted: tuple[ColumnKey, ...], name_mapping: NameMapping
    ) -> FileColumns:
        """The wanted columns of a file."""
        paths = [schema.column(leaf).path for leaf in range(len(schema))]
        last = self._last
        # Arrow compares leaves by their names and ids. Where none has an id, those of groups decide
        # whether the mapping is used.
        if (
            last is None
            or not last.has_own_ids
            or last.wanted != wanted
            or last.paths != paths
            or not last.schema.equals(schema)
        ):
            last = self._last = _columns(schema, paths, wanted, name_mapping)
        return last


def _columns(
    schema: Any, paths: list[str], wanted: tuple[ColumnKey, ...], name_mapping: NameMapping
) -> FileColumns:
    own, mapped = _by_field_id(schema, paths, name_mapping)
    indices = own or mapped
    leaves = {key: indices[key[0]] for key in wanted if key[0] in indices}
    columns = {leaf: schema.column(leaf) for leaf in leaves.values()}
    conversions = {key: conversion_of(columns[leaf], key[1]) for key, leaf in leaves.items()}
    return FileColumns(
        schema=schema,
        paths=paths,
        wanted=wanted,
        has_own_ids=bool(own),
        leaves=leaves,
        forms={leaf: form_of(column) for leaf, column in columns.items()},
        conversions={key: found for key, found in conversions.items() if found is not None},
        lacked=tuple(key for key in wanted if key not in leaves) if indices else (),
    )


def _by_field_id(
    schema: Any, paths: list[str], name_mapping: NameMapping
) -> tuple[dict[int, int], dict[int, int]]:
    """Field id to leaf column, for fields outside of lists and maps: ids of the file's own; and,
    where it has none, those that the mapping gives to its names (table spec, "Column
    Projection")."""
    by_path = {path: leaf for leaf, path in enumerate(paths)}
    own: dict[int, int] = {}
    mapped: dict[int, int] = {}
    has_ids = False
    pending: list[tuple[tuple[str, ...], Any]] = [((), field) for field in schema.to_arrow_schema()]
    while pending:
        parent, arrow_field = pending.pop()
        path = (*parent, arrow_field.name)
        if pa.types.is_struct(arrow_field.type):
            pending.extend((path, child) for child in arrow_field.type.fields)
        field_id = (arrow_field.metadata or {}).get(b"PARQUET:field_id")
        has_ids |= field_id is not None
        index = by_path.get(".".join(path))
        if index is None:
            continue
        if field_id is not None:
            own[int(field_id)] = index
        elif path in name_mapping:
            mapped[name_mapping[path]] = index
    return own, {} if has_ids else mapped
