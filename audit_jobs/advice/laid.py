"""Rows in the containers that a layout would put them into."""

from __future__ import annotations

from dataclasses import dataclass

from collectors.arrays import Floats, IntArray
from collectors.statistics import ColumnKey


@dataclass(frozen=True, slots=True, eq=False)
class Laid:
    """Rows in the order of C containers, of which container c has those from `starts[c]` on: each
    is one or more files of the layout (`files`). `partition` numbers the partition of each, and
    `codes` has the partition's place in each field's values. Rows are in order of the column
    `leading` first, if of any."""

    order: IntArray
    starts: IntArray
    weight: Floats
    bytes: Floats
    files: Floats
    partition: IntArray
    codes: tuple[IntArray, ...]
    leading: ColumnKey | None = None

    @property
    def count(self) -> int:
        """C."""
        return len(self.starts)


@dataclass(frozen=True, slots=True, eq=False)
class RowGroups:
    """The containers of a layout, cut further: each part is one or more row groups (`groups`) of
    the container `owner`, or, where it has too few sampled rows, all of them."""

    laid: Laid
    owner: IntArray
    groups: Floats
