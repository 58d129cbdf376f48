"""The chunks of one column in N row groups, as arrays: their statistics, and the places of their
dictionaries, filters and indexes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from prunescope.collectors.arrays import BoolArray, IntArray
from prunescope.collectors.parquet.chunk_forms import ChunkForm
from prunescope.collectors.parquet.chunk_statistics import ChunkStatistics, Order, order_of
from prunescope.collectors.parquet.footer_lanes import FooterLanes
from prunescope.collectors.parquet.layouts import (
    LONGEST_DICTIONARY,
    ChunkLayout,
    codec_of,
    has_values_elsewhere,
)
from prunescope.collectors.parquet.thrift_types import ColumnMetaData
from prunescope.collectors.parquet.values import Conversion
from prunescope.collectors.predicates.literals import PhysicalValue
from prunescope.collectors.storage.ranges import ByteRange
from prunescope.collectors.types import arrow_type


@dataclass(frozen=True, slots=True)
class ColumnChunks:
    """Statistics of N chunks: bounds in physical form, and counts; null where unknown."""

    lower: pa.Array
    upper: pa.Array
    null_count: pa.Array
    value_count: pa.Array

    @classmethod
    def of(cls, chunks: ChunkStatistics, type_name: str) -> ColumnChunks:
        """Statistics of chunks that were read one by one."""
        kind = arrow_type(type_name)
        return cls(
            pa.array(chunks.lower, kind),
            pa.array(chunks.upper, kind),
            pa.array(chunks.null_count, pa.int64()),
            pa.array(chunks.value_count, pa.int64()),
        )

    @classmethod
    def unknown(cls, count: int, type_name: str) -> ColumnChunks:
        """Statistics of `count` chunks, all unknown."""
        bounds, counts = pa.nulls(count, arrow_type(type_name)), pa.nulls(count, pa.int64())
        return cls(bounds, bounds, counts, counts)

    @classmethod
    def repeated(
        cls, value: PhysicalValue | None, counts: IntArray, type_name: str
    ) -> ColumnChunks:
        """Statistics of chunks that hold one value, or null, as often as `counts` says."""
        bounds = pa.repeat(pa.scalar(value, arrow_type(type_name)), len(counts))
        nulls = counts if value is None else np.zeros_like(counts)
        return cls(bounds, bounds, pa.array(nulls), pa.array(counts))

    @classmethod
    def joined(cls, parts: Sequence[ColumnChunks]) -> ColumnChunks:
        """The statistics of all parts, concatenated in order."""
        some = [part.arrays for part in parts if len(part.lower)] or [parts[0].arrays]
        if len(some) == 1:
            return cls(*some[0])
        return cls(*map(pa.concat_arrays, zip(*some, strict=True)))

    def take(self, rows: IntArray) -> ColumnChunks:
        """The statistics of the chunks of some row groups."""
        return ColumnChunks(*(values.take(pa.array(rows)) for values in self.arrays))

    @property
    def arrays(self) -> tuple[pa.Array, pa.Array, pa.Array, pa.Array]:
        """Lower bounds, upper bounds, null counts and value counts."""
        return self.lower, self.upper, self.null_count, self.value_count


@dataclass(frozen=True, slots=True)
class ChunkPlaces:
    """The layouts of N chunks. `codec` has the index of each chunk's codec in `codecs`; `places`
    returns, by the name of a field of ChunkLayout, each chunk's offset (0 if it has no usable
    place) and length."""

    conversion: Conversion
    codecs: Sequence[str]
    codec: IntArray
    places: Callable[[str], IntArray]

    @classmethod
    def of(cls, layouts: Sequence[ChunkLayout | None], conversion: Conversion) -> ChunkPlaces:
        """The places of chunks that were read one by one; a chunk that is None has no place."""

        @cache
        def places(name: str) -> IntArray:
            found = [getattr(one, name, None) or (0, 0) for one in layouts]
            return np.array(found, np.int64).reshape(-1, 2)

        codecs = ["unknown" if one is None else one.codec for one in layouts]
        return cls(conversion, codecs, np.arange(len(layouts)), places)

    def layout(self, number: int) -> ChunkLayout:
        """The layout of a chunk."""

        def place(name: str) -> ByteRange | None:
            offset, length = self.places(name)[number].tolist()
            return ByteRange(offset, length) if offset else None

        return ChunkLayout(
            self.conversion,
            self.codecs[self.codec[number]],
            place("dictionary"),
            place("bloom_filter"),
            place("column_index"),
            place("offset_index"),
        )


@dataclass(frozen=True, slots=True)
class WantedColumn:
    """A wanted column: the form that its chunks must have, and the type and conversion to read them
    with."""

    form: ChunkForm
    type_name: str
    conversion: Conversion | None


def statistics_of(
    lanes: FooterLanes, columns: Sequence[WantedColumn]
) -> tuple[list[ColumnChunks], BoolArray]:
    """The statistics of the chunks of wanted leaves, and a mask of the row groups with a bound that
    is too short for its type."""
    counts = (lanes.numbers(name, slice(None)).ravel() for name in ("null_count", "num_values"))
    null_count, value_count = (pa.array(numbers, mask=numbers < 0) for numbers in counts)
    start, size, has_bounds = _bounds(lanes, columns)
    width = np.array([column.form.width for column in columns], np.int64)[:, None]
    has_bounds &= ((size > 0) | (width == 0)).all(axis=0)  # of a type with a width, 0 is none
    is_short = has_bounds & (size < width).any(axis=0)
    has_bounds &= ~is_short

    count = len(lanes.records)
    bounds: dict[int, tuple[pa.Array, ...]] = {}
    for conversion in dict.fromkeys(column.conversion for column in columns):
        if conversion is not None:
            alike = [n for n, column in enumerate(columns) if column.conversion == conversion]
            here = has_bounds[alike].ravel()
            at, sizes = (of[:, alike].reshape(2, -1) for of in (start, size))
            if not here.all():
                at, sizes = at[:, here], sizes[:, here]
            of_alike = [_spread(one, here) for one in _converted(lanes, conversion, at, sizes)]
            for place, number in enumerate(alike):
                bounds[number] = tuple(one.slice(place * count, count) for one in of_alike)
    found = []
    for number, column in enumerate(columns):
        unknown = pa.nulls(count, arrow_type(column.type_name))
        lower, upper = bounds.get(number, (unknown, unknown))
        of_column = (one.slice(number * count, count) for one in (null_count, value_count))
        found.append(ColumnChunks(lower, upper, *of_column))
    return found, np.logical_or.reduce(is_short)


def _bounds(
    lanes: FooterLanes, columns: Sequence[WantedColumn]
) -> tuple[IntArray, IntArray, BoolArray]:
    """Starts and sizes in bytes of the usable lower and upper bounds, by column and row group; and
    a mask of the chunks that have both."""

    def texts(*names: str) -> tuple[IntArray, IntArray]:
        start, size = zip(*map(lanes.texts, names), strict=True)
        return np.stack(start), np.stack(size)

    known = [of.conversion is not None for of in columns]
    old = [of.conversion is not None and of.conversion.is_signed for of in columns]
    of_type = _is_of(Order.OF_TYPE, lanes)
    signed = _is_of(Order.SIGNED, lanes) & np.array(old, np.bool_)[:, None]
    start, size = texts("min_value", "max_value")
    if signed.any():
        old_start, old_size = texts("min", "max")
        start, size = np.where(signed, old_start, start), np.where(signed, old_size, size)
    has_order = (of_type | signed) & np.array(known, np.bool_)[:, None]
    return start, size, has_order & (size >= 0).all(axis=0)


def _converted(
    lanes: FooterLanes, conversion: Conversion, start: IntArray, size: IntArray
) -> tuple[pa.Array, pa.Array]:
    """Lower and upper bounds; null where either is NaN, as parquet-java drops both then, and, of
    values without an order, where they are not the same."""
    content = (lanes.content.binaries(*one) for one in zip(start, size, strict=True))
    lower, upper = (conversion.bounds_of(one) for one in content)
    if not conversion.is_ordered:
        both = pc.equal(lower, upper)
        lower, upper = (pc.if_else(both, one, None) for one in (lower, upper))
    elif lower.null_count or upper.null_count:
        both = pc.and_(lower.is_valid(), upper.is_valid())
        unknown = pa.scalar(None, lower.type)
        lower, upper = (pc.if_else(both, one, unknown) for one in (lower, upper))
    return lower, upper


def _is_of(order: Order, lanes: FooterLanes) -> BoolArray:
    """Tells by wanted leaf and row group whether the chunk's bounds are in this order."""
    found = [[order_of(rest, leaf) is order for rest in lanes.rests] for leaf in lanes.leaves]
    of_rests = np.array(found, np.bool_).reshape(len(lanes.leaves), len(lanes.rests))
    return np.repeat(of_rests[:, lanes.rest], lanes.row_groups, axis=1)


def _spread(values: pa.Array, where: BoolArray) -> pa.Array:
    """Values at their places, and nulls at the others."""
    if where.all():
        return values
    return values.take(pa.array(np.cumsum(where) - 1, mask=~where))


def places_of(lanes: FooterLanes, wanted: int, conversion: Conversion) -> ChunkPlaces:
    """The layouts of the chunks of one of the wanted leaves, as `chunk_layouts` reads them."""
    facts = [first.meta_data or ColumnMetaData() for first in lanes.firsts]
    shape = lanes.shape[wanted]

    def places(name: str) -> IntArray:
        if name == "dictionary":
            is_complete = np.array([not has_values_elsewhere(one) for one in facts], np.bool_)
            return _dictionaries(lanes, wanted, is_complete[shape])
        offset = lanes.numbers(f"{name}_offset", wanted)
        if not (offset > 0).any():
            return np.zeros((len(shape), 2), np.int64)
        # A bloom filter of unknown length tells it itself.
        missing = 0 if name == "bloom_filter" else -1
        length = lanes.numbers(f"{name}_length", wanted, missing)
        is_used = length >= 0
        if name == "column_index":
            is_used &= _is_of(Order.OF_TYPE, lanes)[wanted]
        return _placed(offset, length, is_used)

    codecs = [codec_of(one) for one in facts]
    return ChunkPlaces(conversion, codecs, shape, cache(places))


def _dictionaries(lanes: FooterLanes, wanted: int, is_complete: BoolArray) -> IntArray:
    if not is_complete.any():
        return np.zeros((len(is_complete), 2), np.int64)
    names = ("dictionary_page_offset", "data_page_offset", "total_compressed_size")
    start, data, size = (lanes.numbers(name, wanted) for name in names)
    is_told = (start > 0) & (start < data)
    length = np.where(is_told, data - start, np.minimum(size, LONGEST_DICTIONARY))
    return _placed(np.where(is_told, start, data), length, is_complete)


def _placed(offset: IntArray, length: IntArray, is_used: BoolArray) -> IntArray:
    return np.stack([offset, length], axis=1) * (is_used & (offset > 0))[:, None]
