"""Entries of manifests as they are kept: by the parts of a manifest, which are not in memory all at
once, in frames of a few columns each, of which only some are read.

A frame is packed as a whole: unpacking each of its many small arrays by itself takes several times
as long. Frames of one layout are unpacked together, those of all manifests that are read at once.
"""

from __future__ import annotations

import struct
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import accumulate, pairwise
from typing import Any

import numpy as np
import pyarrow as pa

from prunescope.collectors.arrays import IntArray
from prunescope.collectors.tables.avro_lanes import Cells
from prunescope.collectors.tables.entries import BOUNDS, METRICS, Entries, check, spread
from prunescope.collectors.tables.kept_arrays import Array, pack, unpack
from prunescope.collectors.tables.kept_layouts import layout_of

DECODER = "entries 8"
"""The version of the decoder of entries: another one reads manifests anew."""

_TEXTS, _NUMBERS = (
    ("paths", "formats"),
    ("content", "records", "size", "row_groups", "sequence_numbers"),
)
_PARTITION = "partition."
_FRAME = 16
"""Columns whose metrics are packed together: more are unpacked for one, fewer take longer each."""
_PACKING = pa.Codec("lz4_raw")
"""Zstandard takes a third less room, and three to five times as long to unpack."""
_MAX_SPARSE = 4
"""Columns are kept whole: of maps that have little in common it would be much for nothing."""
_NO_COUNT = np.int64(-(2**63))
"""The mark of a count that a map has not. Counts below 0 are unknown as well."""

_HEADER = struct.Struct("<qq")
"""The size of the manifest, and its number of parts."""
_PART = struct.Struct("<qq")
"""The numbers of entries and frames of a part."""
_SIZES = struct.Struct("<qqq")
"""The bytes of the layout of a frame, of its arrays, and of these when they are packed."""


def kept(part: Entries, counts: IntArray) -> list[bytes | None]:
    """Packs entries of manifests, concatenated, of which each manifest has one of the counts. For
    each manifest the bytes to keep, None if these would take too much room."""
    maps = [cells for by_column in part.metrics.values() for cells in by_column.values()]
    there = sum(len(part) if cells.rows is None else len(cells.rows) for cells in maps)
    if len(maps) * len(part) > _MAX_SPARSE * (len(part) + there):
        if len(counts) == 1:
            return [None]
        ends = accumulate(counts.tolist(), initial=0)
        alone = (part.slice(start, stop) for start, stop in pairwise(ends))
        return [found for own in alone for found in kept(_there(own), np.array([len(own)]))]
    first: dict[str, Array] = {name: getattr(part, name) for name in (*_TEXTS, *_NUMBERS)}
    first |= {f"{_PARTITION}{field}": values for field, values in part.partition.items()}
    columns = sorted({column for by_column in part.metrics.values() for column in by_column})
    others = (
        {
            f"{map_id}.{column}": _whole(map_id, by_column[column], len(part))
            for map_id, by_column in part.metrics.items()
            for column in columns[start : start + _FRAME]
            if column in by_column
        }
        for start in range(0, len(columns), _FRAME)
    )
    frames = list(zip(*(_frames(arrays, counts) for arrays in (first, *others)), strict=True))
    return [
        b"".join((_PART.pack(count, len(of_manifest)), *of_manifest))
        for count, of_manifest in zip(counts.tolist(), frames, strict=True)
    ]


def _there(part: Entries) -> Entries:
    """The entries without the columns that have no metrics."""
    metrics = {
        map_id: {
            column: cells
            for column, cells in by_column.items()
            if cells.rows is None or len(cells.rows)
        }
        for map_id, by_column in part.metrics.items()
    }
    return replace(part, metrics=metrics)


def _whole(map_id: int, cells: Cells, count: int) -> Array:
    """The values of a column in a map of metrics, for `count` entries."""
    if map_id in BOUNDS:
        return spread(cells, count)
    found = np.full(count, _NO_COUNT)
    found[slice(None) if cells.rows is None else cells.rows] = cells.values
    return found


def _frames(arrays: Mapping[str, Array], counts: IntArray) -> Iterator[bytes]:
    """A frame for each manifest."""
    layout, contents = pack(arrays, counts)
    told = layout.encode()
    for raw in contents:
        content = _PACKING.compress(raw, asbytes=True)
        yield b"".join((_SIZES.pack(len(told), len(raw), len(content)), told, content))


def packed(parts: Sequence[bytes], size: int) -> bytes:
    """The kept parts of a manifest of so many bytes."""
    return b"".join((_HEADER.pack(size, len(parts)), *parts))


@dataclass(frozen=True, slots=True)
class Opened:
    """Kept entries of some manifests: the places of these among all, the bytes of each, its number
    of entries, and the entries, concatenated."""

    places: Sequence[int]
    sizes: Sequence[int]
    counts: IntArray
    parts: Sequence[Entries]


def opened(contents: Sequence[bytes], columns: Collection[int] | None) -> Iterator[Opened]:
    """The entries of manifests, with the metrics of some columns, None for all; manifests of one
    layout together. Raises ValueError, KeyError, IndexError, struct.error or what Arrow raises for
    bytes that were not packed here."""
    wanted = None if columns is None else frozenset(columns)
    alike: dict[Any, list[tuple[int, _Manifest]]] = {}
    for place, content in enumerate(contents):
        found = _Manifest.of(content, wanted)
        # Those of several parts are large.
        key = found.parts[0].layouts if len(found.parts) == 1 else place
        alike.setdefault(key, []).append((place, found))
    for group in alike.values():
        together = [manifest for _, manifest in group]
        parts = zip(*(manifest.parts for manifest in together), strict=True)
        yield Opened(
            [place for place, _ in group],
            [manifest.size for manifest in together],
            np.array([sum(p.count for p in m.parts) for m in together], np.int64),
            [_opened(of_all, wanted) for of_all in parts],
        )


@dataclass(frozen=True, slots=True)
class _Part:
    """Some entries of a manifest: the layouts of the wanted frames, how many bytes of arrays each
    has, and their packed bytes."""

    count: int
    layouts: tuple[bytes, ...]
    sizes: Sequence[int]
    frames: Sequence[memoryview]


@dataclass(frozen=True, slots=True)
class _Manifest:
    size: int
    parts: Sequence[_Part]

    @classmethod
    def of(cls, content: bytes, wanted: frozenset[int] | None) -> _Manifest:
        size, count = _HEADER.unpack_from(content)
        whole, at, parts = memoryview(content), _HEADER.size, []
        for _ in range(count):
            entries, frames = _PART.unpack_from(content, at)
            at += _PART.size
            found = []
            for _ in range(frames):
                told, raw, packed_size = _SIZES.unpack_from(content, at)
                start = at + _SIZES.size + told
                at = start + packed_size
                if min(told, raw, packed_size) < 0 or at > len(content):
                    raise ValueError("a part that goes on beyond the end")
                layout = content[start - told : start]
                if _is_wanted(layout, wanted):
                    found.append((layout, raw, whole[start:at]))
            layouts, sizes, packed_frames = zip(*found, strict=True)
            parts.append(_Part(entries, layouts, sizes, packed_frames))
        return cls(size, parts)


def _is_wanted(layout: bytes, columns: frozenset[int] | None) -> bool:
    """True if a frame of a layout has metrics of any of the columns, or other fields of entries."""
    return columns is None or not (told := _columns_of(layout)) or not told.isdisjoint(columns)


@lru_cache(maxsize=1024)
def _columns_of(layout: bytes) -> frozenset[int]:
    """The columns whose metrics are in a frame; none for a frame of other fields of entries."""
    names = [run.name for run in layout_of(layout.decode()).runs]
    return frozenset(int(name.partition(".")[2]) for name in names if name[0].isdigit())


def _opened(parts: Sequence[_Part], columns: frozenset[int] | None) -> Entries:
    """The entries of parts that are laid out alike."""
    counts = np.array([part.count for part in parts], np.int64)
    found: dict[str, Any] = {}
    for number, layout in enumerate(parts[0].layouts):
        raw = [_PACKING.decompress(part.frames[number], part.sizes[number]) for part in parts]
        found |= unpack(layout.decode(), raw, counts, _names(layout, columns))
    metrics: dict[int, dict[int, Cells]] = {map_id: {} for map_id in METRICS}
    told = {name: values for name, values in found.items() if name[0].isdigit()}
    # Columns of which the same is told share it.
    apart = {id(values): values for values in told.values()}
    cells = {identity: _cells(values) for identity, values in apart.items()}
    for name, values in told.items():
        map_id, column = _map_of(name)
        metrics[map_id][column] = cells[id(values)]
    return check(
        Entries(
            **{name: found[name] for name in (*_TEXTS, *_NUMBERS)},
            partition={
                int(name.removeprefix(_PARTITION)): values
                for name, values in found.items()
                if name.startswith(_PARTITION)
            },
            metrics=metrics,
        )
    )


@lru_cache(maxsize=1024)
def _names(layout: bytes, columns: frozenset[int] | None) -> frozenset[str]:
    """The arrays of a frame that are wanted: all but metrics of other columns."""
    names = (run.name for run in layout_of(layout.decode()).runs)
    return frozenset(
        name
        for name in names
        if columns is None or not name[0].isdigit() or _map_of(name)[1] in columns
    )


@lru_cache(maxsize=4096)
def _map_of(name: str) -> tuple[int, int]:
    """The map and the column of an array of metrics."""
    map_id, _, column = name.partition(".")
    return int(map_id), int(column)


def _cells(values: Array) -> Cells:
    if isinstance(values, np.ndarray) and bool((absent := values == _NO_COUNT).any()):
        rows = np.flatnonzero(~absent)
        return Cells(rows, values[rows])
    return Cells(None, values)
