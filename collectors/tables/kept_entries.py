"""Entries of manifests as they are kept: Arrow files, of which only some columns are read, one for
each part of a manifest, which are not in memory all at once."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

import pyarrow as pa

from collectors.tables.avro_lanes import Cells
from collectors.tables.entries import Entries, check

DECODER = "entries 2"
"""What the entries are decoded by: another version reads manifests anew."""

_TEXTS, _NUMBERS = (
    ("paths", "formats"),
    ("content", "records", "size", "row_groups", "sequence_numbers"),
)
_MAPS = b"maps"
_LENGTH = 8
"""Bytes of a length."""
_MAX_SPARSE = 4
"""Columns are kept whole: of maps that have little in common it would be much for nothing."""


def kept(part: Entries) -> bytes | None:
    """Some entries of a manifest; None if they would take too much room."""
    columns: dict[str, pa.Array] = {name: getattr(part, name) for name in _TEXTS}
    for name in _NUMBERS:
        columns[name] = pa.array(getattr(part, name))
    for field, values in part.partition.items():
        columns[f"partition.{field}"] = values
    maps = 0
    there = len(part)
    for map_id, by_column in part.metrics.items():
        for column, cells in by_column.items():
            maps += 1
            there += len(part) if cells.rows is None else len(cells.rows)
            columns[f"metrics.{map_id}.{column}"] = part.metric(map_id, column)
    if maps * len(part) > _MAX_SPARSE * there:
        return None
    told = ",".join(str(map_id) for map_id in part.metrics)
    table = pa.record_batch(list(columns.values()), list(columns)).replace_schema_metadata(
        {_MAPS: told}
    )
    sink = pa.BufferOutputStream()
    options = pa.ipc.IpcWriteOptions(compression=pa.Codec("zstd", compression_level=3))
    with pa.ipc.new_file(sink, table.schema, options=options) as writer:
        writer.write_batch(table)
    found: bytes = sink.getvalue().to_pybytes()
    return found


def packed(parts: Sequence[bytes], size: int) -> bytes:
    """The kept parts of a manifest of so many bytes."""
    lengths = (len(part).to_bytes(_LENGTH, "big") + part for part in parts)
    return b"".join((size.to_bytes(_LENGTH, "big"), *lengths))


def opened(content: bytes, columns: Collection[int] | None) -> tuple[list[Entries], int]:
    """The entries, with the metrics of some columns, None for all; and how large the manifest
    was. Raises ValueError, KeyError or what Arrow raises for what is none."""
    view = memoryview(content)
    found = []
    at = _LENGTH
    while at < len(content):
        start = at + _LENGTH
        at = start + int.from_bytes(content[at:start], "big")
        found.append(_opened(pa.py_buffer(view[start:at]), columns))
    return found, int.from_bytes(content[:_LENGTH], "big")


def _opened(content: pa.Buffer, columns: Collection[int] | None) -> Entries:
    schema = pa.ipc.open_file(content).schema
    names = [name for name in schema.names if _is_wanted(name, columns)]
    options = pa.ipc.IpcReadOptions(included_fields=[schema.names.index(n) for n in names])
    batch = pa.ipc.open_file(content, options=options).get_batch(0)
    batch.validate(full=True)
    found: Mapping[str, Any] = {name: batch.column(name) for name in names}
    metrics: dict[int, dict[int, Cells]] = {
        int(map_id): {} for map_id in schema.metadata[_MAPS].decode().split(",") if map_id
    }
    for name in names:
        if name.startswith("metrics."):
            _, map_id, column = name.split(".")
            metrics[int(map_id)][int(column)] = Cells(None, found[name])
    return check(
        Entries(
            **{name: found[name] for name in _TEXTS},
            **{name: found[name].to_numpy() for name in _NUMBERS},
            partition={
                int(name.partition(".")[2]): found[name]
                for name in names
                if name.startswith("partition.")
            },
            metrics=metrics,
        )
    )


def _is_wanted(name: str, columns: Collection[int] | None) -> bool:
    if columns is None or not name.startswith("metrics."):
        return True
    return int(name.rpartition(".")[2]) in columns
