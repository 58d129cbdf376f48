"""Sizes of a table's bloom filters.

Spark makes all of them as large as `write.parquet.bloom-filter-max-bytes` says, a mebibyte by
default: more than the rows need in small row groups, and too little for millions of rows.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, log, log2
from typing import NamedTuple

from prunescope.audit_jobs.health.model import TableHealth
from prunescope.collectors.arrays import Floats
from prunescope.collectors.tables.properties import ROW_GROUP_BYTES

FALSE_POSITIVES = 0.01
"""The share of the values that a row group does not hold which its filter does not rule out: the
default of Parquet's writers (`parquet.bloom.filter.fpp`)."""
_LEAST, _MOST = 32, 128 * 1024**2
"""Bytes that Parquet's writers allow."""


def bytes_of_filter(values: float, false_positives: float) -> int:
    """The bytes of a filter of so many values: of blocks, with eight bits set for each value
    (parquet-format, BloomFilter.md: m = -8 n / ln(1 - p^(1/8)) bits), a power of two, as Parquet's
    writers make them."""
    bits = -8 * values / log(1 - false_positives ** (1 / 8))
    return min(_MOST, max(_LEAST, 1 << ceil(log2(max(1, ceil(bits / 8))))))


def filter_bytes(health: TableHealth, mean: float) -> int:
    """The bytes of a filter, a power of two, in which each row of a row group may have a value of
    its own; row groups have `mean` bytes now."""
    rows = health.records * written_bytes(health, mean) / max(1, health.bytes)
    return bytes_of_filter(rows, FALSE_POSITIVES)


def share_of_filters(health: TableHealth, mean: float) -> float:
    """The bytes of a filter for each byte of its row group: a lookup reads all of the filter."""
    return filter_bytes(health, mean) / max(1.0, written_bytes(health, mean))


def written_bytes(health: TableHealth, mean: float) -> float:
    """The bytes of a row group once files are written anew, about: writers look at the size after
    so many rows at the earliest, so that it may be more than what is asked for."""
    partition = float(health.bytes)
    if health.partitions and health.partition_bytes is not None:
        partition = max(health.partition_bytes, health.bytes / health.partitions)
    asked = health.written_row_group_bytes or ROW_GROUP_BYTES.default
    return max(mean, min(asked, health.target_file_bytes, partition))


@dataclass(frozen=True, slots=True)
class Index:
    """A filter for each container that says which values of a column it does not hold, and errs for
    a share of these (`false_positives`). Containers are row groups of about `container_bytes`, or
    data files if that is None."""

    column: str
    container_bytes: int | None
    false_positives: float


class Indexed(NamedTuple):
    """Reads of S scans with an index: bytes of the files that they keep (`now`), bytes of
    containers that neither statistics nor the index rule out (`left`), and how many containers
    statistics leave to the index (`asked`); 0 for scans that compare its column by no equality.
    The table has so many `containers`, each of which has so many distinct `values`."""

    now: Floats
    left: Floats
    asked: Floats
    containers: float
    values: float
