"""Arrays packed as bytes, column by column, and unpacked for many files at once.

The bytes of a file are a byte of flags for each array, and runs: a byte for each value, whether it
is there, and the values; an array without a fixed width has a run of lengths, and its bytes behind
all runs. Runs of one width stand together, as the rows of one block. So blocks of files of one
layout are put side by side at once, however many runs they have.

An array that equals the one before it in its file has no runs: most columns have as many values as
a file has rows, and no nulls.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from prunescope.collectors.arrays import IntArray
from prunescope.collectors.tables.kept_layouts import (
    ALIKE,
    BINARY,
    BOOLEAN,
    DECIMAL,
    DOUBLE,
    INTEGER,
    LENGTH,
    NARROW,
    NUMBER,
    TEXT,
    WIDTHS,
    Layout,
    Run,
    layout_of,
    may_repeat,
)

_NUMPY = {INTEGER: np.int64, NARROW: np.int32, DOUBLE: np.float64, BOOLEAN: np.bool_}
_PLAIN = {INTEGER: pa.int64(), NARROW: pa.int32(), DOUBLE: pa.float64(), BOOLEAN: pa.bool_()}
_NULL = -1
"""The length of a null."""
_NULLS, _SAME = np.uint8(1), np.uint8(2)
"""Marks of an array in a file: nulls have to be looked for; it equals the one before."""

Bytes = npt.NDArray[np.uint8]
Array = Any
"""An array of Arrow, or of NumPy if it has integers."""


def pack(arrays: Mapping[str, Array], counts: IntArray) -> tuple[str, list[bytes]]:
    """Packs arrays of the entries of files into bytes for each file, and their layout. `counts` has
    the entries of each file; names have no spaces. NumPy's arrays are integers, in others any value
    may be null. Raises ValueError for arrays of another type."""
    found = [_packed(values) for values in arrays.values()]
    layout = " ".join(f"{name} {one.kind}" for name, one in zip(arrays, found, strict=True))
    ends = np.concatenate(([0], np.cumsum(counts)))
    nulls = np.stack([np.diff(_before(one.absent)[ends]) > 0 for one in found])
    same = np.stack([_are_same(one, before, ends) for one, before in _with_before(found)])
    rows: dict[int, list[tuple[int, Bytes]]] = {width: [] for width in WIDTHS}
    for number, one in enumerate(found):
        for run, width in one.runs:
            rows[width].append((number, run.view(np.uint8).reshape(-1, width)))
    blocks = [
        (np.array([number for number, _ in of_width]), np.stack([run for _, run in of_width]))
        for of_width in rows.values()
        if of_width
    ]
    behind = [(memoryview(one.data), _before(one.sizes)[ends].tolist()) for one in found]
    told = nulls * _NULLS + same * _SAME
    contents = []
    for place, (start, stop) in enumerate(pairwise(ends.tolist())):
        there = ~same[:, place]
        own: list[bytes | memoryview] = [
            block[there[numbers], start:stop].tobytes() for numbers, block in blocks
        ]
        own += [data[at[place] : at[place + 1]] for data, at in behind]
        contents.append(b"".join((told[:, place].tobytes(), *own)))
    return layout, contents


def _with_before(found: Sequence[_Packed]) -> Iterator[tuple[_Packed, _Packed | None]]:
    return zip(found, (None, *found[:-1]), strict=True)


def _are_same(one: _Packed, before: _Packed | None, ends: IntArray) -> npt.NDArray[np.bool_]:
    """Tells for each file whether an array equals the one before."""
    if before is None or not may_repeat(before.kind, one.kind):
        return np.zeros(len(ends) - 1, np.bool_)
    differs = np.zeros(int(ends[-1]), np.bool_)
    for (run, width), (other, _) in zip(one.runs, before.runs, strict=True):
        one_is, other_is = (values.view(f"<u{min(width, 8)}").ravel() for values in (run, other))
        for word in range(words := max(1, width // 8)):
            differs |= one_is[word::words] != other_is[word::words]
    return np.asarray(np.diff(_before(differs)[ends]) == 0)


def _before(values: npt.NDArray[Any]) -> IntArray:
    """The sum of the values before each place, and at last the sum of all."""
    return np.concatenate(([0], np.cumsum(values, dtype=np.int64)))


@dataclass(frozen=True, slots=True, eq=False)
class _Packed:
    """An array of N entries: its kind, a mask of its nulls, its runs with the width of each, and
    the bytes behind all runs, with the number of them for each entry."""

    kind: str
    absent: npt.NDArray[np.bool_]
    runs: Sequence[tuple[npt.NDArray[Any], int]]
    sizes: IntArray
    data: bytes = b""


def _packed(values: Array) -> _Packed:
    none = np.zeros(len(values), np.int64)
    if isinstance(values, np.ndarray):
        run = np.ascontiguousarray(values, "<i8")
        return _Packed(NUMBER, none.astype(np.bool_), [(run, 8)], none)
    there = values.is_valid().to_numpy(zero_copy_only=False)
    for kind, type_ in _PLAIN.items():
        if values.type == type_:
            filled = values.fill_null(False if kind == BOOLEAN else 0)
            run = np.ascontiguousarray(filled.to_numpy(zero_copy_only=False))
            return _Packed(kind, ~there, [(there, 1), (run, run.itemsize)], none)
    if pa.types.is_decimal128(values.type):
        words = np.frombuffer(values.buffers()[1], np.uint8)
        own = words[16 * values.offset : 16 * (values.offset + len(values))].reshape(-1, 16)
        kind = f"{DECIMAL}{values.type.precision},{values.type.scale}"
        run = np.where(there[:, None], own, np.uint8(0))
        return _Packed(kind, ~there, [(there, 1), (run, 16)], none)
    if values.type not in (pa.string(), pa.binary()):
        raise ValueError(f"arrays of {values.type}")
    _, offsets, content = values.buffers()
    ends = np.frombuffer(offsets, np.int32)[values.offset : values.offset + len(values) + 1]
    lengths = np.where(there, np.diff(ends), _NULL).astype("<i4")
    data = _bytes_of(values, lengths, ends, content)
    width = int(lengths.max(initial=0))
    is_alike = width in WIDTHS and bool(((lengths == width) | ~there).all())
    if is_alike and values.type == pa.binary():
        run = np.zeros((len(lengths), width), np.uint8)
        run[there] = np.frombuffer(data, np.uint8).reshape(-1, width)
        return _Packed(f"{ALIKE}{width}", ~there, [(there, 1), (run, width)], none)
    kind = TEXT if values.type == pa.string() else BINARY
    sizes = np.maximum(lengths, 0).astype(np.int64)
    return _Packed(kind, ~there, [(lengths, LENGTH)], sizes, data)


def _bytes_of(values: pa.Array, lengths: Any, ends: Any, content: pa.Buffer | None) -> bytes:
    """The bytes of all values that are not null."""
    if content is None or not len(values):
        return b""
    if int(ends[-1] - ends[0]) == int(np.maximum(lengths, 0).sum()):
        return bytes(content[int(ends[0]) : int(ends[-1])])
    return b"".join(value for value in values.cast(pa.binary()).to_pylist() if value is not None)


def unpack(
    told: str, contents: Sequence[bytes], counts: IntArray, wanted: Collection[str] | None
) -> dict[str, Array]:
    """The wanted arrays of files of one layout, None for all: the values of all files concatenated,
    of which each file has one of the `counts`. Binaries of equal length have that width for their
    type. Raises ValueError or IndexError if that cannot be."""
    layout = layout_of(told)
    sizes = np.array(list(map(len, contents)), np.int64)
    codes = _codes(len(layout.runs), contents)
    own = np.equal(codes & _SAME, 0)
    if bool((~own & ~layout.may_repeat).any()):
        raise ValueError("an array that equals none")
    behind = len(layout.runs) + (own @ layout.widths) * counts
    if bool((sizes < behind).any()):
        raise ValueError("arrays that go on beyond the end")
    equal = _owners(own.any(axis=0, keepdims=True))[0].tolist()
    has_nulls: list[bool] = np.any(codes & _NULLS, axis=0).tolist()
    wanted_runs = [
        (first, run, wanted is None or run.name in wanted)
        for first, run in zip(equal, layout.runs, strict=True)
    ]
    places = {(first, False) for first, run, wants in wanted_runs if wants or run.has_lengths}
    places |= {
        (first, True)
        for first, run, wants in wanted_runs
        if wants and has_nulls[first] and run.there is not None
    }
    rows = _rows(layout, contents, counts, own, sorted(places))
    made: dict[int, Array] = {}
    found: dict[str, Array] = {}
    for first, run, wants in wanted_runs:
        if run.has_lengths:
            lengths = _as(rows[first, False], np.int32)
            totals = np.diff(_before(np.maximum(lengths, 0))[_before(counts)])
            if wants:
                pieces = zip(contents, behind.tolist(), (behind + totals).tolist(), strict=True)
                data = b"".join(content[start:stop] for content, start, stop in pieces)
                found[run.name] = _of_lengths(run.kind, lengths, data)
            behind = behind + totals
        elif wants:
            if first not in made:
                there = rows.get((first, True))
                is_there = None if there is None else _as(there, np.bool_)
                made[first] = _of_width(run, rows[first, False], is_there)
            found[run.name] = made[first]
    if not np.array_equal(behind, sizes):
        raise ValueError("arrays that do not end where their file does")
    return found


def _codes(count: int, contents: Sequence[bytes]) -> Bytes:
    """The flags of each array in each file, of the shape (files, arrays)."""
    told = np.frombuffer(b"".join(content[:count] for content in contents), np.uint8)
    return told.reshape(len(contents), count)


def _owners(own: npt.NDArray[np.bool_]) -> IntArray:
    """The last array with runs up to each array; both of the shape (files, arrays)."""
    numbers = np.arange(own.shape[1], dtype=np.int64)
    return np.maximum.accumulate(np.where(own, numbers, 0), axis=1)


def _rows(
    layout: Layout,
    contents: Sequence[bytes],
    counts: IntArray,
    own: npt.NDArray[np.bool_],
    places: Sequence[tuple[int, bool]],
) -> dict[tuple[int, bool], Bytes]:
    """The values of some arrays, or whether each is there: the bytes of all files concatenated.
    Each file has its own arrays, of the shape (files, arrays)."""
    found: dict[tuple[int, bool], Bytes] = {}
    owners = _owners(own)
    starts = np.full(len(counts), len(layout.runs))
    for width, of_run in layout.rows.items():
        is_stored = own[:, of_run]
        heights = is_stored.sum(axis=1)
        wanted = [place for place in places if layout.width_of(*place) == width]
        if wanted:
            of_owner = [layout.rows_of(owners[:, number], there) for number, there in wanted]
            ranks = is_stored.cumsum(axis=1) - 1
            chosen = np.take_along_axis(ranks, np.stack(of_owner, axis=1), axis=1)
            is_all = (heights == len(wanted)) & (chosen == np.arange(len(wanted))).all(axis=1)
            shapes = zip(heights.tolist(), (width * counts).tolist(), starts.tolist(), strict=True)
            blocks = [
                np.frombuffer(content, np.uint8, height * size, start).reshape(height, size)
                for content, (height, size, start) in zip(contents, shapes, strict=True)
            ]
            together = np.concatenate(
                [
                    block if has_all else block[own_rows]
                    for block, has_all, own_rows in zip(blocks, is_all, chosen, strict=True)
                ],
                axis=1,
            )
            found |= zip(wanted, together, strict=True)
        starts = starts + width * heights * counts
    return found


def _as(found: Bytes, kind: type) -> Any:
    """The values of a run as numbers, which lie as Arrow takes them."""
    return np.require(found.view(kind), requirements="A")


def _of_width(run: Run, values: Bytes, there: npt.NDArray[np.bool_] | None) -> Array:
    kind = run.kind[0]
    if kind == NUMBER:
        return _as(values, np.int64)
    if kind in _NUMPY:
        return pa.array(_as(values, _NUMPY[kind]), mask=None if there is None else ~there)
    valid = None if there is None else pa.array(there).buffers()[1]
    count = len(values) // run.width
    if kind == DECIMAL:
        precision, scale = map(int, run.kind[1:].split(","))
        words = pa.py_buffer(_as(values, np.uint64))
        return pa.Array.from_buffers(pa.decimal128(precision, scale), count, [valid, words])
    return pa.Array.from_buffers(pa.binary(run.width), count, [valid, pa.py_buffer(values)])


def _of_lengths(kind: str, lengths: IntArray, data: bytes) -> pa.Array:
    """Binaries or text of these lengths, one after the other."""
    offsets = np.zeros(len(lengths) + 1, np.int32)
    np.cumsum(np.maximum(lengths, 0), out=offsets[1:])
    if offsets[-1] != len(data) or bool((lengths < _NULL).any()):
        raise ValueError("lengths that cannot be")
    there = lengths != _NULL
    valid = None if bool(there.all()) else pa.array(there).buffers()[1]
    buffers = [valid, pa.py_buffer(offsets), pa.py_buffer(data)]
    type_ = pa.string() if kind == TEXT else pa.binary()
    found = pa.Array.from_buffers(type_, len(lengths), buffers)
    found.validate(full=True)
    return found
