"""The wanted columns of Parquet files: where they are, and how to read them.

Arrow is asked for the schema alone, of files of one schema once: a footer begins with it.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import pyarrow as pa

from prunescope.collectors.parquet.chunk_forms import ChunkForm, form_of
from prunescope.collectors.parquet.footer_parts import head_of
from prunescope.collectors.parquet.values import Conversion, conversion_of
from prunescope.collectors.statistics import ColumnKey
from prunescope.collectors.tables.name_mapping import NameMapping
from prunescope.collectors.types import physical

_MAX_SCHEMAS = 16
_NO_ROWS = b"\x16\x00\x19\x0c\x00"
"""The number of rows, no row groups, and the end."""


@dataclass(frozen=True, slots=True)
class FileColumns:
    """The columns that are `wanted` of files whose footers begin with the bytes of `head`, and
    the types of all of their leaves, by their numbers.

    `leaves` are the places of those that they have, `forms` what their chunks have to be like, by
    place, and `conversions` how to read those that are of a type that can be compared. `lacked`
    are those that they have not: none, where field ids are unknown, nor any that is no leaf.
    """

    head: bytes
    wanted: tuple[ColumnKey, ...]
    name_mapping: NameMapping
    types: list[int]
    leaves: Mapping[ColumnKey, int]
    forms: Mapping[int, ChunkForm]
    conversions: Mapping[ColumnKey, Conversion]
    lacked: tuple[ColumnKey, ...]


class ColumnLookup:
    """Looks up columns; once for files of one schema, as those of a writer are, unless files of
    many others come between them."""

    def __init__(self) -> None:
        self._known: deque[FileColumns] = deque(maxlen=_MAX_SCHEMAS)

    def columns(
        self, thrift: bytes, wanted: tuple[ColumnKey, ...], name_mapping: NameMapping
    ) -> FileColumns:
        """The wanted columns of a file, by its serialised footer. Raises MalformedParquet, or what
        Arrow raises for a schema that is none."""
        for known in self._known:
            if (
                thrift.startswith(known.head)
                and known.wanted == wanted
                and known.name_mapping == name_mapping
            ):
                return known
        found = _columns(head_of(thrift), wanted, name_mapping)
        self._known.appendleft(found)
        return found


def _columns(head: bytes, wanted: tuple[ColumnKey, ...], name_mapping: NameMapping) -> FileColumns:
    import pyarrow.parquet as pq  # noqa: PLC0415  # slow to import, and rarely needed

    thrift = head + _NO_ROWS
    schema = pq.read_metadata(pa.BufferReader(as_file(thrift))).schema
    paths = [schema.column(leaf).path for leaf in range(len(schema))]
    own, mapped = _by_field_id(schema, paths, name_mapping)
    indices = own or mapped
    leaves = {key: indices[key[0]] for key in wanted if key[0] in indices}
    primitive = [key for key in wanted if physical(key[1]) is not None]
    columns = {leaf: schema.column(leaf) for leaf in leaves.values()}
    conversions = {key: conversion_of(columns[leaf], key[1]) for key, leaf in leaves.items()}
    return FileColumns(
        head=head,
        wanted=wanted,
        name_mapping=name_mapping,
        types=[form_of(schema.column(leaf)).type for leaf in range(len(schema))],
        leaves=leaves,
        forms={leaf: form_of(column) for leaf, column in columns.items()},
        conversions={key: found for key, found in conversions.items() if found is not None},
        lacked=tuple(key for key in primitive if key not in leaves) if indices else (),
    )


def as_file(thrift: bytes) -> bytes:
    """A serialised footer as the end of a file has it, which is all that Arrow looks at."""
    return thrift + len(thrift).to_bytes(4, "little") + b"PAR1"


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
