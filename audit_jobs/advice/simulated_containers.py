"""Rows in the containers that a layout would put them into."""

from __future__ import annotations

from dataclasses import dataclass

from prunescope.collectors.arrays import Floats, IntArray
from prunescope.collectors.statistics import ColumnKey


@dataclass(frozen=True, slots=True, eq=False)
class Laid:
    """Rows in the order of C containers. Container c begins at row `starts[c]`, and stands for one
    or more files of the layout (`files`). `partition` numbers the partition of each, and `codes`
    has the partition's place in each field's values. `leading` is the first column by which rows
    are sorted, if any, in each partition, or in each range of another column's values: a container
    begins in the range that `ranges` numbers."""

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
        """The number of each container's partition, or range in it, within which rows are
        sorted."""
        return self.partition if self.ranges is None else self.ranges

    @property
    def count(self) -> int:
        """C."""
        return len(self.starts)


@dataclass(frozen=True, slots=True, eq=False)
class RowGroups:
    """The containers of a layout, cut further: each part is one or more row groups (`groups`) of
    the container `owner`, or all of them, if it has too few sampled rows."""

    laid: Laid
    owner: IntArray
    groups: Floats
