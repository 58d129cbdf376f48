"""Row groups of a footer and the statistics of their chunks, read from its Thrift alone: Arrow has
an object for each chunk, which takes longer than all else.

Bounds are used by the rules of parquet-java, Iceberg's reader (1.15,
`ParquetMetadataConverter.fromParquetStatisticsInternal`): those in the order of the type if that is
known, else those of old writers, which ordered everything as if it had a sign.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from typing import Any

from prunescope.collectors.budget import Budget
from prunescope.collectors.parquet.chunk_forms import ChunkForm
from prunescope.collectors.parquet.footer_parts import FooterParts
from prunescope.collectors.parquet.thrift_types import (
    CountedMetaData,
    EncryptedParquet,
    FileMetaData,
    MalformedParquet,
    Statistics,
)
from prunescope.collectors.parquet.values import Conversion
from prunescope.collectors.storage import limits
from prunescope.collectors.types import MAX_COUNTED

_MAGIC = b"PAR1"
_ENCRYPTED = b"PARE"
"""The magic bytes of a file whose footer is encrypted (Parquet format, "Encrypted Footer Mode")."""
_NOTHING = Statistics()
_OF_CHUNK = 600
"""Bytes of what is kept of a chunk until it is part of arrays."""


class Order(Enum):
    """The order in which the bounds of a column are its least and largest values."""

    OF_TYPE = auto()
    SIGNED = auto()
    UNKNOWN = auto()


@dataclass(frozen=True, slots=True)
class ChunkStatistics:
    """Statistics of the chunks of one column, by row group: bounds in physical form, None where
    unknown."""

    lower: Sequence[Any]
    upper: Sequence[Any]
    null_count: Sequence[int | None]
    value_count: Sequence[int | None]


@dataclass(frozen=True, slots=True)
class CountedRowGroups:
    """Row groups: the number of rows and the compressed size in bytes of each, and the metadata of
    the chunks of wanted leaves."""

    records: list[int]
    sizes: list[int]
    chunks: dict[int, list[CountedMetaData]]


def serialised_footer(tail: bytes) -> bytes:
    """The footer at the end of a file. Raises EncryptedParquet, and MalformedParquet where there is
    none."""
    if tail.endswith(_ENCRYPTED):
        raise EncryptedParquet("the footer is encrypted")
    length = int.from_bytes(tail[-8:-4], "little")
    if not tail.endswith(_MAGIC) or length + 8 > len(tail):
        raise MalformedParquet("no footer")
    return tail[-8 - length : -8]


def row_groups(parts: FooterParts, types: list[int], wanted: Iterable[int]) -> CountedRowGroups:
    """The row groups of a file whose leaves are of these types, by their numbers. Raises
    MalformedParquet where a row group has not one chunk of its type for each, or no size, or where
    they have more or fewer rows than the file, and TooMuch. Some writers say that a file has none
    (Impala 2.8, parquet-rs 0.3), and readers ask row groups."""
    found = CountedRowGroups([], [], {leaf: [] for leaf in wanted})
    Budget(limits.BUILT).take(_OF_CHUNK * parts.count * len(found.chunks))
    for group in parts.row_groups():
        chunks = [chunk.meta_data for chunk in group.columns or () if chunk.meta_data is not None]
        if [chunk.type for chunk in chunks] != types:
            raise MalformedParquet("a row group has not one chunk of its type for each column")
        records = group.num_rows
        sizes = [size for chunk in chunks if (size := chunk.total_compressed_size) is not None]
        if records is None or len(sizes) != len(chunks):
            raise MalformedParquet("a row group lacks a count or a size")
        if min((records, *sizes)) < 0 or max((records, *sizes)) > MAX_COUNTED:
            raise MalformedParquet("a count or a size that no file has")
        found.records.append(records)
        found.sizes.append(sum(sizes))
        for leaf, of_leaf in found.chunks.items():
            of_leaf.append(chunks[leaf])
    if parts.records not in (0, sum(found.records)):
        raise MalformedParquet(f"{parts.records} rows, {sum(found.records)} of them in row groups")
    return found


def order_of(footer: FileMetaData, leaf: int) -> Order:
    """The order of the bounds of a column: SIGNED if the footer notes none, as before format
    2.4."""
    orders = footer.column_orders
    if orders is None:
        return Order.SIGNED
    is_known = leaf < len(orders) and orders[leaf].known is not None
    return Order.OF_TYPE if is_known else Order.UNKNOWN


def chunk_statistics(
    chunks: Sequence[CountedMetaData],
    form: ChunkForm,
    conversion: Conversion | None,
    order: Order,
) -> ChunkStatistics:
    """The statistics of the chunks of one column. Raises MalformedParquet where a bound is too
    short for its type."""
    statistics = [chunk.statistics or _NOTHING for chunk in chunks]
    lower: list[Any] = [None] * len(chunks)
    upper: list[Any] = [None] * len(chunks)
    if conversion is not None:
        places, lows, highs = _bounds(statistics, form, conversion, order)
        for place, low, high in zip(
            places, conversion.bounds(lows), conversion.bounds(highs), strict=True
        ):
            if not conversion.is_ordered and low != high:
                continue
            if low is not None and high is not None:  # parquet-java drops both where either is NaN
                lower[place], upper[place] = low, high
    return ChunkStatistics(
        lower,
        upper,
        [_counted(one.null_count) for one in statistics],
        [_counted(chunk.num_values) for chunk in chunks],
    )


def _bounds(
    statistics: Sequence[Statistics], form: ChunkForm, conversion: Conversion, order: Order
) -> tuple[list[int], list[bytes], list[bytes]]:
    """The places of chunks with usable bounds, and these bounds."""
    if order is Order.OF_TYPE:
        pairs = [(one.min_value, one.max_value) for one in statistics]
    elif order is Order.SIGNED and conversion.is_signed:
        pairs = [(one.min, one.max) for one in statistics]
    else:
        return [], [], []
    width = form.width
    places, lows, highs = [], [], []
    for place, (low, high) in enumerate(pairs):
        # Of a type with a width, an empty bound is none.
        if low is None or high is None or (width and not (low and high)):
            continue
        if len(low) < width or len(high) < width:
            raise MalformedParquet("a bound is shorter than the values of its column")
        places.append(place)
        lows.append(low)
        highs.append(high)
    return places, lows, highs


def _counted(count: int | None) -> int | None:
    """A count, or None if the number cannot be one."""
    return None if count is None or count < 0 else count
