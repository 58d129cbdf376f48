"""Values within a block of an Avro file, read by PyIceberg's compiled decoder, and kept within it.

That decoder (PyIceberg 0.12) trusts what it reads: a length beyond the end hands out, or trips
over, whatever memory follows. So each length and count is compared with what is left of the block
before it is used, and what has a fixed size is read into the padding behind the block, by no more
than `padding` says. It also narrows doubles to 32 bits: a partition value of 1e300 would be
infinite, and its partition pruned.
"""

from __future__ import annotations

import struct as binary
from collections.abc import Callable, Sequence
from typing import Any
from uuid import UUID

from pyiceberg.avro.decoder import BinaryDecoder
from pyiceberg.types import (
    BinaryType,
    BooleanType,
    DateType,
    DecimalType,
    DoubleType,
    FixedType,
    FloatType,
    IcebergType,
    IntegerType,
    ListType,
    LongType,
    MapType,
    NestedField,
    StringType,
    StructType,
    TimestampType,
    TimestamptzType,
    TimeType,
    UUIDType,
)
from pyiceberg.utils.decimal import bytes_to_decimal, decimal_required_bytes

from prunescope.collectors.budget import Budget

Read = Callable[[BinaryDecoder], Any]

MAX_ITEMS = 1_000_000
"""The most items of one list or map: no table has more columns, no file more row groups."""

INTEGERS = (IntegerType, LongType, DateType, TimeType, TimestampType, TimestamptzType)
"""The types of which values are numbers."""

_OF_PAIR = 256
"""Bytes of what a map says of a column: columns that no other entry has become arrays."""

_WIDEST = 16
"""Bytes that a value of a fixed size takes at most: a UUID, a decimal of 38 digits."""


_OF_OBJECT, _OF_VALUE = 64, 32
"""Bytes of a list, struct, text or pair that is read besides its values, and of one of these."""


class BlockEnd:
    """The end of the block that is being read, and a budget for what is built of it."""

    __slots__ = ("_budget", "end")

    def __init__(self, budget: Budget) -> None:
        self._budget = budget
        self.end = 0

    def holds(self, decoder: BinaryDecoder, size: int) -> int:
        """The size, in bytes, if so much is left. Raises EOFError."""
        if not 0 <= size <= self.end - decoder.tell():
            raise EOFError("a value goes beyond the end of its block")
        return size

    def counts(self, decoder: BinaryDecoder, weight: int, each: int = 1) -> int:
        """The number of items that follow in a list or map; 0 ends it. Each has at least `each`
        bytes, and takes `weight` bytes of memory. Raises EOFError, and TooMuch."""
        count = decoder.read_int()
        if count < 0:  # the size in bytes follows
            count = -count
            decoder.read_int()
        if count > MAX_ITEMS:
            raise EOFError(f"{count} items")
        self.holds(decoder, count * each)
        self._budget.take(count * weight)
        return count


def padding(struct: StructType) -> int:
    """The bytes past the end of a block that a record can be read to before that is noticed,
    without the items of one list or map, which are no more than the block has bytes."""
    return _WIDEST * (1 + _values(struct))


def _values(kind: IcebergType) -> int:
    match kind:
        case StructType():
            return 1 + sum(1 + _values(field.field_type) for field in kind.fields)
        case ListType():
            return 1 + _values(kind.element_type)
        case MapType():
            return 1 + _values(kind.key_type) + _values(kind.value_type)
        case _:
            return 1


def weight_of(kind: IcebergType) -> int:
    """About the bytes that a value takes when it is read, but for its texts and the items of its
    lists."""
    match kind:
        case StructType():
            return _OF_OBJECT + sum(weight_of(field.field_type) for field in kind.fields)
        case _ if isinstance(kind, INTEGERS):
            return _OF_VALUE
        case _:
            return _OF_OBJECT


def value_reader(kind: IcebergType, block: BlockEnd) -> Read:
    """Reads values of a type: maps of int to long as `_flat_counts` does, structs as lists. Raises
    ValueError for types that manifests and their lists do not have."""
    match kind:
        case BooleanType():
            return lambda decoder: decoder.read_boolean()
        case _ if isinstance(kind, INTEGERS):
            return lambda decoder: decoder.read_int()
        case FloatType():
            return lambda decoder: decoder.read_float()
        case DoubleType():
            return lambda decoder: binary.unpack("<d", decoder.read(8))[0]
        case StringType():
            return lambda decoder: decoder.read(block.holds(decoder, decoder.read_int())).decode()
        case BinaryType():
            return lambda decoder: decoder.read(block.holds(decoder, decoder.read_int()))
        case UUIDType():
            return lambda decoder: UUID(bytes=decoder.read(16))
        case FixedType():
            return lambda decoder: decoder.read(block.holds(decoder, len(kind)))
        case DecimalType():
            size, scale = decimal_required_bytes(kind.precision), kind.scale
            return lambda decoder: bytes_to_decimal(decoder.read(size), scale)
        case StructType():
            return in_order(
                [
                    (position, field_reader(field, value_reader(field.field_type, block)))
                    for position, field in enumerate(kind.fields)
                ]
            )
        case ListType():
            return _list_reader(kind, block)
        case MapType():
            return _map_reader(kind, block)
        case _:
            raise ValueError(f"values of type {kind}")


def past(kind: IcebergType, block: BlockEnd) -> Read:
    """Reads past values of a type."""
    match kind:
        case StringType() | BinaryType():
            return lambda decoder: decoder.skip(block.holds(decoder, decoder.read_int()))
        case MapType(key_type=IntegerType(), value_type=BinaryType()):
            return _past_bounds(block)
        case _:
            return value_reader(kind, block)


def field_reader(field: NestedField, read: Read) -> Read:
    """Reads a field that may be null: a union of null and its type, in this order."""
    if field.required:
        return read

    def optional(decoder: BinaryDecoder) -> Any:
        branch = decoder.read_int()
        if branch == 0:
            return None
        if branch != 1:
            raise ValueError(f"branch {branch} of a union of two types")
        return read(decoder)

    return optional


def in_order(functions: Sequence[tuple[int | None, Read]]) -> Read:
    """Reads a struct as a plain list, not as PyIceberg's Record, whose item access is Python;
    fields without a position are read past."""
    size = len(functions)

    def row(decoder: BinaryDecoder) -> list[Any]:
        values: list[Any] = [None] * size
        for position, function in functions:
            if position is None:
                function(decoder)
            else:
                values[position] = function(decoder)
        return values

    return row


def _list_reader(kind: ListType, block: BlockEnd) -> Read:
    _refuse_empty(kind.element_type)
    if not kind.element_required:
        raise ValueError("a list of values that may be null")
    if isinstance(kind.element_type, INTEGERS):

        def integers(decoder: BinaryDecoder) -> list[int]:
            found: list[int] = []
            while count := block.counts(decoder, _OF_VALUE):
                found.extend(_signed(decoder.read_ints(count)))
            return found

        return integers
    read = value_reader(kind.element_type, block)
    weight = weight_of(kind.element_type)

    def items(decoder: BinaryDecoder) -> list[Any]:
        found = []
        while count := block.counts(decoder, weight):
            for _ in range(count):
                found.append(read(decoder))
                block.holds(decoder, 0)
        return found

    return items


def _map_reader(kind: MapType, block: BlockEnd) -> Read:
    match kind:
        case MapType(key_type=IntegerType(), value_type=LongType(), value_required=True):
            return _flat_counts(block)
        case MapType(key_type=IntegerType(), value_type=BinaryType(), value_required=True):
            return _bounds(block)
    raise ValueError(f"values of type {kind}")


def _flat_counts(block: BlockEnd) -> Read:
    """Reads a map of int to long as one flat sequence: key, value, key, value, …

    Manifests hold five such maps per file. As tuples, many files become columns by array
    operations; as dictionaries, building and reading them would take most of the time.
    """

    def flat(decoder: BinaryDecoder) -> list[int]:
        found: list[int] = []
        while count := block.counts(decoder, _OF_PAIR, 2):
            found.extend(_signed(decoder.read_ints(2 * count)))
        return found

    return flat


def _bounds(block: BlockEnd) -> Read:
    def bounds(decoder: BinaryDecoder) -> dict[int, bytes]:
        found = {}
        read_int, read, tell, end = decoder.read_int, decoder.read, decoder.tell, block.end
        while count := block.counts(decoder, _OF_PAIR, 2):
            for _ in range(count):
                key, size = read_int(), read_int()
                if not 0 <= size <= end - tell():
                    raise EOFError("a bound goes beyond the end of its block")
                found[key] = read(size)
        return found

    return bounds


def _past_bounds(block: BlockEnd) -> Read:
    def bounds(decoder: BinaryDecoder) -> None:
        read_int, skip, tell, end = decoder.read_int, decoder.skip, decoder.tell, block.end
        while count := block.counts(decoder, _OF_PAIR, 2):
            for _ in range(count):
                read_int()
                size = read_int()
                if not 0 <= size <= end - tell():
                    raise EOFError("a bound goes beyond the end of its block")
                skip(size)

    return bounds


def _signed(integers: Any) -> memoryview:
    """Gives longs their sign, because PyIceberg's decoder hands them out without one."""
    return memoryview(integers).cast("B").cast("q")


def _refuse_empty(kind: IcebergType) -> None:
    """Refuses items that take no bytes: an endless list of them would never end."""
    if isinstance(kind, StructType) and not kind.fields:
        raise ValueError("a list of values that take no bytes")
    if isinstance(kind, FixedType) and not len(kind):
        raise ValueError("a list of values that take no bytes")
