"""Arrays as bytes, column by column, and those of many files back at once.

The bytes of a file are a byte for each array, whether any of it is null, and a run for each array,
one value after the other; what has no fixed width has a run of lengths, and its bytes behind all
runs. So of files of one layout, a run of each begins where their numbers of values say, and an
array of all of them is one gathering, however many they are.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import accumulate, pairwise
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from collectors.lanes import Content, IntArray

_WIDTHS = (1, 4, 8, 16)
"""Widths in bytes of binaries that are alike: other ones have lengths."""
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
    runs = [(memoryview(run.tobytes()), width) for one in found for run, width in one.runs]
    behind = [(memoryview(one.data), _before(one.sizes)[ends].tolist()) for one in found]
    contents = []
    for place, (start, stop) in enumerate(pairwise(ends.tolist())):
        own = [run[width * start : width * stop] for run, width in runs]
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
    """An array of a layout: its name and kind, and how many bytes of each entry stand before it."""

    name: str
    kind: str
    before: int

    @property
    def has_lengths(self) -> bool:
        """Whether it is lengths, and its bytes stand behind all runs."""
        return self.kind in (_BINARY, _TEXT)


@lru_cache(maxsize=1024)
def runs_of(layout: str) -> tuple[Sequence[Run], int]:
    """The runs of a layout, and how many bytes of each entry there are in all of them. Raises
    ValueError or KeyError for what is no layout."""
    words = layout.split(" ") if layout else []
    names, kinds = words[::2], words[1::2]
    ends = list(accumulate(map(_width, kinds), initial=0))
    return tuple(map(Run, names, kinds, ends)), ends[-1]


def _width(kind: str) -> int:
    if kind in (_BINARY, _TEXT):
        return _LENGTH
    value = int(kind[1:]) if kind[0] == _ALIKE else _VALUE[kind[0]]
    return value if kind == _NUMBER else 1 + value


def unpack(
    layout: str, contents: Sequence[bytes], counts: IntArray, wanted: Collection[str] | None
) -> dict[str, Array]:
    """The wanted arrays of files of one layout, None for all: the values of one file after those of
    the other, of which each has one of the `counts`. Raises ValueError or IndexError where that
    cannot be."""
    runs, width = runs_of(layout)
    sizes = np.array(list(map(len, contents)), np.int64)
    behind = len(runs) + width * counts
    if bool((sizes < behind).any()):
        raise ValueError("arrays that go on beyond the end")
    files = _Files(Content(*contents), sizes, counts, len(runs))
    found: dict[str, Array] = {}
    for run, has_nulls in zip(runs, files.have_nulls(), strict=True):
        is_wanted = wanted is None or run.name in wanted
        if run.has_lengths:
            lengths = files.lengths(run.before)
            totals = files.sums(np.maximum(lengths, 0))
            if is_wanted:
                pieces = zip(contents, behind.tolist(), (behind + totals).tolist(), strict=True)
                data = b"".join(content[start:stop] for content, start, stop in pieces)
                found[run.name] = _of_lengths(run.kind, lengths, data)
            behind = behind + totals
        elif is_wanted:
            found[run.name] = _of_width(run, files, has_nulls=has_nulls)
    if not np.array_equal(behind, sizes):
        raise ValueError("arrays that do not end where their file does")
    return found


class _Files:
    """Where the entries of files are, each with so many, behind as many bytes as there are
    arrays."""

    def __init__(self, content: Content, sizes: IntArray, counts: IntArray, arrays: int) -> None:
        self._content = content
        self._counts = counts
        self._begins = np.cumsum(sizes) - sizes
        self._first = arrays
        self.count = int(counts.sum())

    def run(self, before: int, width: int) -> Bytes:
        """The values of a run, each of so many bytes, of the shape (N, width)."""
        if len(self._counts) == 1:
            start = self._first + before * self.count
            found: Bytes = self._content.data[start : start + width * self.count]
            return found.reshape(-1, width)
        at = self._at(width) + before * self._of_file
        if width == 8:
            found = self._content.words[at].view(np.uint8)
        else:
            found = self._content.data[at if width == 1 else at[:, None] + np.arange(width)]
        return found.reshape(-1, width)

    def _at(self, width: int) -> IntArray:
        """Where the values of a run would be that nothing stands before."""
        if width not in self._places:
            self._places[width] = self._begin + width * self._number
        return self._places[width]

    @cached_property
    def _places(self) -> dict[int, IntArray]:
        return {}

    @cached_property
    def _ends(self) -> IntArray:
        return np.cumsum(self._counts)

    @cached_property
    def _of_file(self) -> IntArray:
        return np.repeat(self._counts, self._counts)

    @cached_property
    def _begin(self) -> IntArray:
        return np.repeat(self._begins + self._first, self._counts)

    @cached_property
    def _number(self) -> IntArray:
        return np.arange(self.count) - np.repeat(self._ends - self._counts, self._counts)

    def have_nulls(self) -> list[bool]:
        """Of each array, whether any file has nulls in it."""
        told = self._content.data[self._begins[:, None] + np.arange(self._first)]
        found: list[bool] = told.any(axis=0).tolist()
        return found

    def lengths(self, before: int) -> IntArray:
        """A run of lengths."""
        return np.asarray(_as(self.run(before, _LENGTH), np.int32), np.int64)

    def sums(self, values: IntArray) -> IntArray:
        """The sum of the values of each file."""
        until = np.concatenate(([0], np.cumsum(values)))[np.concatenate(([0], self._ends))]
        return np.diff(until)


def _as(found: Bytes, kind: type) -> Any:
    """The values of a run as numbers, which lie as Arrow takes them."""
    return np.require(found.reshape(-1).view(kind), requirements="A")


def _of_width(run: Run, files: _Files, *, has_nulls: bool) -> Array:
    kind = run.kind[0]
    if kind == _NUMBER:
        return np.asarray(_as(files.run(run.before, 8), np.int64))
    there = _as(files.run(run.before, 1), np.bool_) if has_nulls else None
    absent = None if there is None else ~there
    width = _width(run.kind) - 1
    found = files.run(run.before + 1, width)
    if kind in _NUMPY:
        return pa.array(_as(found, _NUMPY[kind]), mask=absent)
    valid = None if there is None else pa.array(there).buffers()[1]
    if kind == _DECIMAL:
        precision, scale = map(int, run.kind[1:].split(","))
        words = pa.py_buffer(_as(found, np.uint64))
        return pa.Array.from_buffers(pa.decimal128(precision, scale), files.count, [valid, words])
    offsets = pa.py_buffer(np.arange(files.count + 1, dtype=np.int32) * np.int32(width))
    return pa.Array.from_buffers(pa.binary(), files.count, [valid, offsets, pa.py_buffer(found)])


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
