"""Entries of manifests as they are kept: an Arrow file, of which only some columns are read."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

import numpy as np
import pyarrow as pa

from collectors.tables.avro_lanes import Cells
from collectors.tables.entries import Entries, check, joined

DECODER = "entries 1"
"""What the entries are decoded by: another version reads manifests anew."""

_TEXTS, _NUMBERS = (
    ("paths", "formats"),
    ("content", "records", "size", "row_groups", "sequence_numbers"),
)
_SIZE = b"size"
_MAX_SPARSE = 4
"""Columns are kept whole: of maps that have little in common it would be much for nothing."""


def kept(parts: Sequence[Entries], size: int) -> bytes | None:
    """The entries of a manifest of so many bytes; None if they would take too much room."""
    columns: dict[str, pa.Array] = {
        name: joined([getattr(part, name) for part in parts], pa.string()) for name in _TEXTS
    }
    for name in _NUMBERS:
        columns[name] = pa.array(np.concatenate([getattr(part, name) for part in parts]))
    for field in parts[0].partition:
        columns[f"partition.{field}"] = pa.concat_arrays([p.partition[field] for p in parts])
    found: dict[tuple[int, int], int] = {}
    for part in parts:
        for map_id, by_column in part.metrics.items():
            for column, cells in by_column.items():
                there = len(part) if cells.rows is None else len(cells.rows)
                found[map_id, column] = found.get((map_id, column), 0) + there
    count = sum(map(len, parts))
    if len(found) * count > _MAX_SPARSE * (sum(found.values()) + count):
        return None
    for map_id, column in found:
        values = [part.metric(map_id, column) for part in parts]
        columns[f"metrics.{map_id}.{column}"] = pa.concat_arrays(values)
    maps = ",".join(str(map_id) for map_id in parts[0].metrics)
    table = pa.record_batch(list(columns.values()), list(columns)).replace_schema_metadata(
        {_SIZE: str(size), b"maps": maps}
    )
    sink = pa.BufferOutputStream()
    options = pa.ipc.IpcWriteOptions(compression=pa.Codec("zstd", compression_level=3))
    with pa.ipc.new_file(sink, table.schema, options=options) as writer:
        writer.write_batch(table)
    found_bytes: bytes = sink.getvalue().to_pybytes()
    return found_bytes


def opened(content: bytes, columns: Collection[int] | None) -> tuple[Entries, int]:
    """The entries, with the metrics of some columns, None for all; and how large the manifest
    was. Raises ValueError, KeyError or what Arrow raises for what is none."""
    schema = pa.ipc.open_file(content).schema
    names = [name for name in schema.names if _is_wanted(name, columns)]
    options = pa.ipc.IpcReadOptions(included_fields=[schema.names.index(n) for n in names])
    batch = pa.ipc.open_file(content, options=options).get_batch(0)
    batch.validate(full=True)
    found: Mapping[str, Any] = {name: batch.column(name) for name in names}
    metrics: dict[int, dict[int, Cells]] = {
        int(map_id): {} for map_id in schema.metadata[b"maps"].decode().split(",") if map_id
    }
    for name in names:
        if name.startswith("metrics."):
            _, map_id, column = name.split(".")
            metrics[int(map_id)][int(column)] = Cells(None, found[name])
    entries = Entries(
        **{name: found[name] for name in _TEXTS},
        **{name: found[name].to_numpy() for name in _NUMBERS},
        partition={
            int(name.partition(".")[2]): found[name]
            for name in names
            if name.startswith("partition.")
        },
        metrics=metrics,
    )
    return check(entries), int(schema.metadata[_SIZE])


def _is_wanted(name: str, columns: Collection[int] | None) -> bool:
    if columns is None or not name.startswith("metrics."):
        return True
    return int(name.rpartition(".")[2]) in columns
