"""Partition values that wrapped around when they were written.

Truncated, the smallest integers lie below what their type holds, and the arithmetic of all writers
wraps around (apache/iceberg#9767): of an `int` in `truncate[10]`, -2147483648 is in the partition
2147483646. Its rows are below those of all other partitions.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pyarrow as pa
import pyarrow.compute as pc

from prunescope.collectors.partitioning import PartitionField
from prunescope.collectors.statistics import ColumnStatistics
from prunescope.collectors.types import MAX_INT64

_LEAST = -MAX_INT64 - 1
_BITS = {"int": (32,), "long": (32, 64)}
"""Sizes that a column of the type may have had when a value was written: an `int` becomes a
`long`."""


def unwrapped(column: ColumnStatistics, field: PartitionField) -> ColumnStatistics:
    """The statistics of a partition field, corrected for wrapped values: the lower bound is below
    all values if one of those that were written may have wrapped around. The upper bound stays:
    engines compare it as it is.

    Wrapped values of 32 bits among greater ones, in a manifest of a promoted column, are not
    detected.
    """
    lower = column.lower
    for value, largest in _wrapped(field):
        among = pc.and_(pc.less_equal(column.lower, value), pc.less_equal(column.upper, largest))
        is_here = pc.fill_null(pc.and_(among, pc.greater_equal(column.upper, value)), False)
        lower = pc.if_else(is_here, pa.scalar(_LEAST, lower.type), lower)
    return column if lower is column.lower else replace(column, lower=lower)


def _wrapped(field: PartitionField) -> Iterator[tuple[int, int]]:
    """The partition value that wrapped around, if there is one, and the largest integer of those
    that it was written among. It is no multiple of the width, and so no other partition's."""
    if not field.transform.startswith("truncate["):
        return
    width = int(field.transform[len("truncate[") : -1])
    for bits in _BITS.get(field.source_type or "", ()):
        end = 1 << (bits - 1)
        if end % width:
            yield end - -end % width, end - 1
