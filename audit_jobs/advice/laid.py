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
    `leading` first, if of any, in each partition, or in each range of another one's values: a
    container begins in the range that `ranges` numbers."""

    order: IntArray
    starts: IntArray
    weight: Floats
    bytes: Floats
    files: Floats
    partition: IntArray
    codes: tuple[IntArray, ...]
    leading: ColumnKey | None = None
    ranges: IntArray | None = None

    @property
    def runs(self) -> IntArray:
        """Numbers of what each container is in, inside of which rows are in order."""
        return self.partition if self.ranges is None else self.ranges

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
