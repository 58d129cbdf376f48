"""Layouts of arrays in the bytes of a file that keeps them, and the place of each array."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from prunescope.collectors.arrays import IntArray

WIDTHS = (16, 8, 4, 1)
"""Widths in bytes of runs, in the order of their blocks; binaries of another width have lengths."""
NUMBER, INTEGER, NARROW, DOUBLE, BOOLEAN, DECIMAL = "n", "q", "i", "d", "o", "D"
ALIKE, BINARY, TEXT = "s", "b", "t"
LENGTH = 4
"""The width of the length of a binary or of text."""
_VALUE = {NUMBER: 8, INTEGER: 8, NARROW: 4, DOUBLE: 8, BOOLEAN: 1, DECIMAL: 16}


@dataclass(frozen=True, slots=True)
class Run:
    """An array of a layout: its name and kind; the width of its values (or of their lengths); its
    row in the block of this width; and its row in the block of bytes which tell whether a value is
    there."""

    name: str
    kind: str
    width: int
    row: int
    there: int | None

    @property
    def has_lengths(self) -> bool:
        """True if the run holds lengths, and the array's bytes stand behind all runs."""
        return self.kind in (BINARY, TEXT)


@dataclass(frozen=True, slots=True, eq=False)
class Layout:
    """The A arrays of a layout. `rows` has the array of each row, by width, in the order of blocks.
    By array (A): the bytes of an entry in all its rows, whether it may equal the one before, the
    rows of its values, and the row that tells whether these are there, -1 if there is none."""

    runs: Sequence[Run]
    rows: Mapping[int, IntArray]
    widths: IntArray
    may_repeat: npt.NDArray[np.bool_]
    value_rows: IntArray
    there_rows: IntArray

    def rows_of(self, numbers: IntArray, is_there: bool) -> IntArray:
        """The rows of some arrays: those of their values, or those that tell whether these are
        there."""
        return (self.there_rows if is_there else self.value_rows)[numbers]

    def width_of(self, number: int, is_there: bool) -> int:
        """The width in bytes of such a row of an array."""
        return 1 if is_there else self.runs[number].width


@lru_cache(maxsize=1024)
def layout_of(told: str) -> Layout:
    """Parses a layout. Raises ValueError or KeyError for another text."""
    words = told.split(" ") if told else []
    rows: dict[int, list[int]] = {width: [] for width in WIDTHS}
    runs: list[Run] = []

    def row(width: int) -> int:
        rows[width].append(len(runs))
        return len(rows[width]) - 1

    for name, kind in zip(words[::2], words[1::2], strict=True):
        there = row(1) if _has_nulls_apart(kind) else None
        width = _width(kind)
        runs.append(Run(name, kind, width, row(width), there))
    return Layout(
        runs,
        {width: np.array(of_width, np.int64) for width, of_width in rows.items()},
        np.array([run.width + (run.there is not None) for run in runs], np.int64),
        np.array([may_repeat(*kinds) for kinds in pairwise(["", *words[1::2]])], np.bool_),
        np.array([run.row for run in runs], np.int64),
        np.array([-1 if run.there is None else run.there for run in runs], np.int64),
    )


def may_repeat(before: str, kind: str) -> bool:
    """True if an array may equal the one before. One without a fixed width never does."""
    return kind == before and kind not in (BINARY, TEXT)


def _has_nulls_apart(kind: str) -> bool:
    return kind not in (NUMBER, BINARY, TEXT)


def _width(kind: str) -> int:
    if kind in (BINARY, TEXT):
        return LENGTH
    return int(kind[1:]) if kind[0] == ALIKE else _VALUE[kind[0]]
