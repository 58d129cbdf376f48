"""Arrays as bytes, column by column, and those of many files back at once.

The bytes of a file are a byte for each array, whether any of it is null, and runs: a byte for each
value, whether it is there, and the values; what has no fixed width has a run of lengths, and its
bytes behind all runs. Runs of one width stand together, as the rows of one block. So blocks of
files of one layout are as high, and are put side by side at once, however many runs they have.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from collectors.lanes import IntArray

_WIDTHS = (16, 8, 4, 1)
"""Widths in bytes of runs, in the order of their blocks; binaries of another width have lengths."""
_NUMBER, _INTEGER, _DOUBLE, _BOOLEAN, _DECIMAL = "n", "q", "d", "o", "D"
_ALIKE, _BINARY, _TEXT = "s", "b", "t"
_PLAIN = {_INTEGER: pa.int64(), _DOUBLE: pa.float64(), _BOOLEAN: pa.bool_()}
_VALUE = {_NUMBER: 8, _INTEGER: 8, _DOUBLE: 8, _BOOLEAN: 1, _DECIMAL: 16}
_NUMPY = {_INTEGER: np.int64, _DOUBLE: np.float64, _BOOLEAN: np.bool_}
_LENGTH = 4
_NULL = -1
"""The length of a null."""

Bytes = npt.NDArray[np.uint8]
Array = Any
"""Of Arrow, or of NumPy: the latter are integers."""


def pack(arrays: Mapping[str, Array], counts: IntArray) -> tuple[str, list[bytes]]:
    """Arrays of the entries of files, of which each has one of the counts, as bytes of each file,
    and their layout; names have no spaces. NumPy's are integers, of the others any may be null.
    Raises ValueError for arrays of another type."""
    found = [_packed(values) for values in arrays.values()]
    layout = " ".join(f"{name} {one.kind}" for name, one in zip(arrays, found, strict=True))
    ends = np.concatenate(([0], np.cumsum(counts)))
    nulls = np.stack([np.diff(_before(one.absent)[ends]) > 0 for one in found])
    rows: dict[int, list[Bytes]] = {width: [] for width in _WIDTHS}
    for one in found:
        for run, width in one.runs:
            rows[width].append(run.view(np.uint8).reshape(-1, width))
    blocks = [np.stack(of_width) for of_width in rows.values() if of_width]
    behind = [(memoryview(one.data), _before(one.sizes)[ends].tolist()) for one in found]
    contents = []
    for place, (start, stop) in enumerate(pairwise(ends.tolist())):
        own: list[bytes | memoryview] = [block[:, start:stop].tobytes() for block in blocks]
        own += [data[at[place] : at[place + 1]] for data, at in behind]
        contents.append(b"".join((nulls[:, place].tobytes(), *own)))
    return layout, contents


def _before(values: npt.NDArray[Any]) -> IntArray:
    """The sum of the values before each place, and that of all."""
    return np.concatenate(([0], np.cumsum(values, dtype=np.int64)))


@dataclass(frozen=True, slots=True, eq=False)
class _Packed:
    """An array of N entries: its kind, which of them are null, its runs and the width of each, and
    what stands behind all runs, of which each entry has so many bytes."""

    kind: str
    absent: npt.NDArray[np.bool_]
    runs: Sequence[tuple[npt.NDArray[Any], int]]
    sizes: IntArray
    data: bytes = b""


def _packed(values: Array) -> _Packed:
    none = np.zeros(len(values), np.int64)
    if isinstance(values, np.ndarray):
        run = np.ascontiguousarray(values, "<i8")
        return _Packed(_NUMBER, none.astype(np.bool_), [(run, 8)], none)
    there = values.is_valid().to_numpy(zero_copy_only=False)
    for kind, type_ in _PLAIN.items():
        if values.type == type_:
            filled = values.fill_null(False if kind == _BOOLEAN else 0)
            run = np.ascontiguousarray(filled.to_numpy(zero_copy_only=False))
            return _Packed(kind, ~there, [(there, 1), (run, run.itemsize)], none)
    if pa.types.is_decimal128(values.type):
        words = np.frombuffer(values.buffers()[1], np.uint8)
        own = words[16 * values.offset : 16 * (values.offset + len(values))].reshape(-1, 16)
        kind = f"{_DECIMAL}{values.type.precision},{values.type.scale}"
        run = np.where(there[:, None], own, np.uint8(0))
        return _Packed(kind, ~there, [(there, 1), (run, 16)], none)
    if values.type not in (pa.string(), pa.binary()):
        raise ValueError(f"arrays of {values.type}")
    _, offsets, content = values.buffers()
    ends = np.frombuffer(offsets, np.int32)[values.offset : values.offset + len(values) + 1]
    lengths = np.where(there, np.diff(ends), _NULL).astype("<i4")
    data = _bytes_of(values, lengths, ends, content)
    width = int(lengths.max(initial=0))
    is_alike = width in _WIDTHS and bool(((lengths == width) | ~there).all())
    if is_alike and values.type == pa.binary():
        run = np.zeros((len(lengths), width), np.uint8)
        run[there] = np.frombuffer(data, np.uint8).reshape(-1, width)
        return _Packed(f"{_ALIKE}{width}", ~there, [(there, 1), (run, width)], none)
    kind = _TEXT if values.type == pa.string() else _BINARY
    sizes = np.maximum(lengths, 0).astype(np.int64)
    return _Packed(kind, ~there, [(lengths, _LENGTH)], sizes, data)


def _bytes_of(values: pa.Array, lengths: Any, ends: Any, content: pa.Buffer | None) -> bytes:
    """The bytes of all values that are not null."""
    if content is None or not len(values):
        return b""
    if int(ends[-1] - ends[0]) == int(np.maximum(lengths, 0).sum()):
        return bytes(content[int(ends[0]) : int(ends[-1])])
    return b"".join(value for value in values.cast(pa.binary()).to_pylist() if value is not None)


@dataclass(frozen=True, slots=True)
class Run:
    """An array of a layout: its name and kind, the width of its values (or of their lengths), and
    its rows in the block of this width, and in that of bytes which tell whether a value is
    there."""

    name: str
    kind: str
    width: int
    row: int
    there: int | None

    @property
    def has_lengths(self) -> bool:
        """Whether it is lengths, and its bytes stand behind all runs."""
        return self.kind in (_BINARY, _TEXT)


@dataclass(frozen=True, slots=True)
class Layout:
    """The runs of a layout, and how many of each width there are, in the order of blocks."""

    runs: Sequence[Run]
    rows: Mapping[int, int]

    @property
    def width(self) -> int:
        """The bytes of an entry in all blocks."""
        return sum(width * rows for width, rows in self.rows.items())


@lru_cache(maxsize=1024)
def layout_of(told: str) -> Layout:
    """A layout as it is written. Raises ValueError or KeyError for what is none."""
    words = told.split(" ") if told else []
    rows = dict.fromkeys(_WIDTHS, 0)

    def row(width: int) -> int:
        rows[width] += 1
        return rows[width] - 1

    runs = []
    for name, kind in zip(words[::2], words[1::2], strict=True):
        there = row(1) if _has_nulls_apart(kind) else None
        width = _width(kind)
        runs.append(Run(name, kind, width, row(width), there))
    return Layout(runs, rows)


def _has_nulls_apart(kind: str) -> bool:
    return kind not in (_NUMBER, _BINARY, _TEXT)


def _width(kind: str) -> int:
    if kind in (_BINARY, _TEXT):
        return _LENGTH
    return int(kind[1:]) if kind[0] == _ALIKE else _VALUE[kind[0]]


def unpack(
    told: str, contents: Sequence[bytes], counts: IntArray, wanted: Collection[str] | None
) -> dict[str, Array]:
    """The wanted arrays of files of one layout, None for all: the values of one file after those of
    the other, of which each has one of the `counts`. Raises ValueError or IndexError where that
    cannot be."""
    layout = layout_of(told)
    sizes = np.array(list(map(len, contents)), np.int64)
    behind = len(layout.runs) + layout.width * counts
    if bool((sizes < behind).any()):
        raise ValueError("arrays that go on beyond the end")
    needed = [
        (run, run.there if has_nulls else None, wanted is None or run.name in wanted)
        for run, has_nulls in zip(layout.runs, _have_nulls(layout, contents), strict=True)
    ]
    places = {(run.width, run.row) for run, _, is_wanted in needed if is_wanted or run.has_lengths}
    places |= {(1, there) for _, there, is_wanted in needed if is_wanted and there is not None}
    rows = _rows(layout, contents, counts, places)
    found: dict[str, Array] = {}
    for run, there, is_wanted in needed:
        if run.has_lengths:
            lengths = _as(rows[run.width, run.row], np.int32)
            totals = np.diff(_before(np.maximum(lengths, 0))[_before(counts)])
            if is_wanted:
                pieces = zip(contents, behind.tolist(), (behind + totals).tolist(), strict=True)
                data = b"".join(content[start:stop] for content, start, stop in pieces)
                found[run.name] = _of_lengths(run.kind, lengths, data)
            behind = behind + totals
        elif is_wanted:
            is_there = None if there is None else _as(rows[1, there], np.bool_)
            found[run.name] = _of_width(run, rows[run.width, run.row], is_there)
    if not np.array_equal(behind, sizes):
        raise ValueError("arrays that do not end where their file does")
    return found


def _have_nulls(layout: Layout, contents: Sequence[bytes]) -> npt.NDArray[np.bool_]:
    """Of each array, whether any file has nulls in it."""
    count = len(layout.runs)
    told = np.frombuffer(b"".join(content[:count] for content in contents), np.uint8)
    return np.asarray(told.reshape(-1, count).any(axis=0))


def _rows(
    layout: Layout, contents: Sequence[bytes], counts: IntArray, places: Collection[tuple[int, int]]
) -> dict[tuple[int, int], Bytes]:
    """Some rows of blocks, by width and number: the bytes of one file after those of the other."""
    found: dict[tuple[int, int], Bytes] = {}
    starts = np.full(len(counts), len(layout.runs))
    for width, height in layout.rows.items():
        wanted = sorted(row for of_width, row in places if of_width == width)
        if wanted:
            shapes = zip(contents, (width * counts).tolist(), starts.tolist(), strict=True)
            blocks = [
                np.frombuffer(content, np.uint8, height * size, start).reshape(height, size)
                for content, size, start in shapes
            ]
            own = wanted if len(wanted) < height else slice(None)
            together = np.concatenate([block[own] for block in blocks], axis=1)
            found |= {(width, row): values for row, values in zip(wanted, together, strict=True)}
        starts = starts + width * height * counts
    return found


def _as(found: Bytes, kind: type) -> Any:
    """The values of a run as numbers, which lie as Arrow takes them."""
    return np.require(found.view(kind), requirements="A")


def _of_width(run: Run, values: Bytes, there: npt.NDArray[np.bool_] | None) -> Array:
    kind = run.kind[0]
    if kind == _NUMBER:
        return _as(values, np.int64)
    if kind in _NUMPY:
        return pa.array(_as(values, _NUMPY[kind]), mask=None if there is None else ~there)
    valid = None if there is None else pa.array(there).buffers()[1]
    count = len(values) // run.width
    if kind == _DECIMAL:
        precision, scale = map(int, run.kind[1:].split(","))
        words = pa.py_buffer(_as(values, np.uint64))
        return pa.Array.from_buffers(pa.decimal128(precision, scale), count, [valid, words])
    offsets = pa.py_buffer(np.arange(count + 1, dtype=np.int32) * np.int32(run.width))
    return pa.Array.from_buffers(pa.binary(), count, [valid, offsets, pa.py_buffer(values)])


def _of_lengths(kind: str, lengths: IntArray, data: bytes) -> pa.Array:
    """Binaries or text of these lengths, one after the other."""
    offsets = np.zeros(len(lengths) + 1, np.int32)
    np.cumsum(np.maximum(lengths, 0), out=offsets[1:])
    if offsets[-1] != len(data) or bool((lengths < _NULL).any()):
        raise ValueError("lengths that cannot be")
    there = lengths != _NULL
    valid = None if bool(there.all()) else pa.array(there).buffers()[1]
    buffers = [valid, pa.py_buffer(offsets), pa.py_buffer(data)]
    type_ = pa.string() if kind == _TEXT else pa.binary()
    found = pa.Array.from_buffers(type_, len(lengths), buffers)
    found.validate(full=True)
    return found
