"""Entries of manifests as they are kept: by the parts of a manifest, which are not in memory all at
once, in frames of a few columns each, of which only some are read.

A frame is an Arrow file that is packed as a whole: unpacking each of its many small buffers by
itself takes several times as long.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

import pyarrow as pa

from collectors.tables.avro_lanes import Cells
from collectors.tables.entries import Entries, check

DECODER = "entries 3"
"""What the entries are decoded by: another version reads manifests anew."""

_TEXTS, _NUMBERS = (
    ("paths", "formats"),
    ("content", "records", "size", "row_groups", "sequence_numbers"),
)
_MAPS = b"maps"
_LENGTH = 8
"""Bytes of a length."""
_FRAME = 16
"""Columns whose metrics are packed together: more are unpacked for one, fewer take longer each."""
_PACKING = pa.Codec("zstd", compression_level=3)
_MAX_SPARSE = 4
"""Columns are kept whole: of maps that have little in common it would be much for nothing."""


def kept(part: Entries) -> bytes | None:
    """Some entries of a manifest; None if they would take too much room."""
    maps = [cells for by_column in part.metrics.values() for cells in by_column.values()]
    there = sum(len(part) if cells.rows is None else len(cells.rows) for cells in maps)
    if len(maps) * len(part) > _MAX_SPARSE * (len(part) + there):
        return None
    found: dict[str, pa.Array] = {name: getattr(part, name) for name in _TEXTS}
    found |= {name: pa.array(getattr(part, name)) for name in _NUMBERS}
    found |= {f"partition.{field}": values for field, values in part.partition.items()}
    frames = [_frame(found, (), told=",".join(map(str, part.metrics)))]
    columns = sorted({column for by_column in part.metrics.values() for column in by_column})
    for start in range(0, len(columns), _FRAME):
        own = columns[start : start + _FRAME]
        metrics = {
            f"{map_id}.{column}": part.metric(map_id, column)
            for map_id, by_column in part.metrics.items()
            for column in own
            if column in by_column
        }
        frames.append(_frame(metrics, own))
    return _joined(frames)


def _frame(arrays: Mapping[str, pa.Array], columns: Sequence[int], *, told: str = "") -> bytes:
    """Arrays of one length, which tell of some columns."""
    batch = pa.record_batch(list(arrays.values()), list(arrays))
    batch = batch.replace_schema_metadata({_MAPS: told})
    sink = pa.BufferOutputStream()
    with pa.ipc.new_file(sink, batch.schema) as writer:
        writer.write_batch(batch)
    raw = sink.getvalue()
    size = len(raw).to_bytes(_LENGTH, "big")
    told_of = ",".join(map(str, columns)).encode()
    return _joined([told_of, size, _PACKING.compress(raw, asbytes=True)])


def packed(parts: Sequence[bytes], size: int) -> bytes:
    """The kept parts of a manifest of so many bytes."""
    return size.to_bytes(_LENGTH, "big") + _joined(parts)


def _joined(parts: Iterable[bytes]) -> bytes:
    return b"".join(piece for part in parts for piece in (len(part).to_bytes(_LENGTH, "big"), part))


def _split(content: memoryview) -> Iterator[memoryview]:
    at = 0
    while at < len(content):
        start = at + _LENGTH
        at = start + int.from_bytes(content[at:start], "big")
        if at > len(content):
            raise ValueError("a part that goes on beyond the end")
        yield content[start:at]


def opened(content: bytes, columns: Collection[int] | None) -> tuple[list[Entries], int]:
    """The entries, with the metrics of some columns, None for all; and how large the manifest
    was. Raises ValueError, KeyError or what Arrow raises for what is none."""
    parts = _split(memoryview(content)[_LENGTH:])
    found = [_opened(part, columns) for part in parts]
    return found, int.from_bytes(content[:_LENGTH], "big")


def _opened(content: memoryview, columns: Collection[int] | None) -> Entries:
    first, *others = _split(content)
    batch = _unpacked(first)
    found = dict(zip(batch.schema.names, batch.columns, strict=True))
    metrics: dict[int, dict[int, Cells]] = {
        int(map_id): {} for map_id in batch.schema.metadata[_MAPS].decode().split(",") if map_id
    }
    for frame in others:
        for map_id, column, values in _metrics(frame, columns):
            metrics[map_id][column] = Cells(None, values)
    return check(
        Entries(
            **{name: found[name] for name in _TEXTS},
            **{name: found[name].to_numpy() for name in _NUMBERS},
            partition={
                int(name.partition(".")[2]): values
                for name, values in found.items()
                if name.startswith("partition.")
            },
            metrics=metrics,
        )
    )


def _metrics(
    frame: memoryview, columns: Collection[int] | None
) -> Iterator[tuple[int, int, pa.Array]]:
    """What maps say of the wanted columns of a frame."""
    there = [int(column) for column in bytes(next(_split(frame))).split(b",")]
    wanted = [column for column in there if columns is None or column in columns]
    if not wanted:
        return
    batch = _unpacked(frame)
    for name, values in zip(batch.schema.names, batch.columns, strict=True):
        map_id, column = map(int, name.split("."))
        if column in wanted:
            yield map_id, column, values if wanted == there else _own(values)


def _own(values: pa.Array) -> pa.Array:
    """The same, no part of the frame, which is let go of."""
    return pa.concat_arrays([values, values.slice(0, 0)])


def _unpacked(frame: memoryview) -> pa.RecordBatch:
    _, size, content = _split(frame)
    raw = _PACKING.decompress(content, int.from_bytes(size, "big"))
    batch = pa.ipc.open_file(raw).get_batch(0)
    batch.validate(full=True)
    return batch
