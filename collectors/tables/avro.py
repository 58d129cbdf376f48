"""Avro files of table metadata, decoded by PyIceberg, only the fields that are needed.

The schema is taken from the file itself: manifests describe their own partition type, and
older writers leave fields out. Fields that are not wanted are skipped, not decoded.
"""

from __future__ import annotations

import json
import struct as binary
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pyiceberg.avro.codecs import AVRO_CODEC_KEY, KNOWN_CODECS
from pyiceberg.avro.decoder import BinaryDecoder, new_decoder
from pyiceberg.avro.file import MAGIC, META_SCHEMA, SYNC_SIZE, AvroFileHeader
from pyiceberg.avro.reader import DoubleReader, OptionReader, Reader, StructReader
from pyiceberg.avro.resolver import construct_reader
from pyiceberg.types import IcebergType, IntegerType, LongType, MapType, StructType
from pyiceberg.utils.schema_conversion import AvroSchemaConversion

_SCHEMA = "avro.schema"

Wanted = Mapping[int, "Wanted | None"]
"""Field ids to decode; None decodes the whole field, a mapping only those fields of it."""


class AvroContent:
    """An Avro object container file held in memory (Avro 1.11, "Object Container Files").

    PyIceberg decodes the values; the framing is read here, because PyIceberg's own reader takes
    a file that ends within a block for one that ends before it.
    """

    def __init__(self, content: bytes, wanted: Wanted) -> None:
        """Reads the header. Raises whatever PyIceberg raises for malformed content."""
        self._size = len(content)
        self._decoder = new_decoder(content)
        header = construct_reader(META_SCHEMA, {-1: AvroFileHeader}).read(self._decoder)
        if header.magic != MAGIC:
            raise ValueError("not an Avro object container file")
        self._sync = header.sync
        self.metadata: Mapping[str, str] = header.meta
        """What the writer noted in the file's header."""
        self._codec = KNOWN_CODECS[header.meta.get(AVRO_CODEC_KEY, "null")]
        schema = AvroSchemaConversion().avro_to_iceberg(
            _known_types(json.loads(header.meta[_SCHEMA]))
        )
        self.struct = schema.as_struct()
        """The type of the records, with all fields of the file: see `positions`."""
        self._reader = _only(construct_reader(schema), self.struct, wanted)

    def records(self) -> Iterator[Any]:
        """The file's records, as sequences in the order of `struct`; fields that are not
        wanted are None. Can be consumed once. Raises EOFError or ValueError where the file is
        truncated or damaged."""
        while self._decoder.tell() < self._size:
            count = self._decoder.read_int()
            data = self._decoder.read_bytes()
            if self._decoder.read(SYNC_SIZE) != self._sync:
                raise ValueError("a block does not end with the file's sync marker")
            block = new_decoder(self._codec.decompress(data) if self._codec else data)
            for _ in range(count):
                yield self._reader.read(block)


def _known_types(schema: Any) -> Any:
    """An Avro schema with plain longs for times in nanoseconds, which PyIceberg 0.12 does not
    know; partitions of version 3 hold them."""
    match schema:
        case {"type": "long", "logicalType": "timestamp-nanos"}:
            return "long"
        case dict():
            return {key: _known_types(value) for key, value in schema.items()}
        case list():
            return [_known_types(value) for value in schema]
        case _:
            return schema


def positions(struct: StructType) -> dict[int, int]:
    """Field id to position within a record of the struct."""
    return {field.field_id: position for position, field in enumerate(struct.fields)}


def field_type(struct: StructType, field_id: int) -> IcebergType | None:
    """The type of a field of the struct; None if it has no such field."""
    return next((f.field_type for f in struct.fields if f.field_id == field_id), None)


def _only(reader: Reader, struct: IcebergType, wanted: Wanted) -> RowReader:
    if not isinstance(reader, StructReader) or not isinstance(struct, StructType):
        raise ValueError("records of another type than a struct")
    readers: list[tuple[int | None, Reader | RowReader]] = []
    for (position, field_reader), field in zip(reader.field_readers, struct.fields, strict=True):
        chosen: Reader | RowReader
        inner = wanted.get(field.field_id)
        if inner is not None:
            chosen = _only(field_reader, field.field_type, inner)
        elif _is_counts(field.field_type):
            chosen = _counts_reader(field_reader)
        else:
            chosen = _with_exact_doubles(field_reader)
        readers.append((position if field.field_id in wanted else None, chosen))
    return RowReader(readers)


def _is_counts(kind: IcebergType) -> bool:
    return (
        isinstance(kind, MapType)
        and isinstance(kind.key_type, IntegerType)
        and isinstance(kind.value_type, LongType)
    )


def _counts_reader(reader: Reader) -> Reader:
    return OptionReader(CountsReader()) if isinstance(reader, OptionReader) else CountsReader()


class RowReader:
    """Reads a struct as a plain list, not as PyIceberg's Record, whose item access is Python;
    fields without a position are skipped."""

    def __init__(self, readers: Sequence[tuple[int | None, Reader | RowReader]]) -> None:
        self._size = len(readers)
        self._functions = [
            (position, reader.skip if position is None else reader.read)
            for position, reader in readers
        ]

    def read(self, decoder: BinaryDecoder) -> list[Any]:
        """The fields in the order of the struct."""
        row: list[Any] = [None] * self._size
        for position, function in self._functions:
            if position is None:
                function(decoder)
            else:
                row[position] = function(decoder)
        return row

    def skip(self, decoder: BinaryDecoder) -> None:
        """Reads past the struct."""
        self.read(decoder)


class CountsReader(Reader):
    """Reads a map of int to long as one flat tuple: key, value, key, value, …

    Manifests hold five such maps per file. As tuples, many files become columns by array
    operations; as dictionaries, building and reading them would take most of the time.
    """

    def __init__(self) -> None:
        super().__init__()

    def read(self, decoder: BinaryDecoder) -> tuple[int, ...]:
        """The map as it stands in the file."""
        flat: tuple[int, ...] = ()
        count = decoder.read_int()
        while count != 0:
            if count < 0:  # the size in bytes follows
                count = -count
                decoder.skip_int()
            items = decoder.read_ints(count * 2)
            flat = (*flat, *items) if flat else tuple(items)
            count = decoder.read_int()
        return flat

    def skip(self, decoder: BinaryDecoder) -> None:
        """Reading is the fastest way to skip."""
        self.read(decoder)


def _with_exact_doubles(reader: Reader) -> Reader:
    match reader:
        case DoubleReader():
            return ExactDoubleReader()
        case OptionReader(option):
            return OptionReader(_with_exact_doubles(option))
        case StructReader():
            fields = tuple((place, _with_exact_doubles(r)) for place, r in reader.field_readers)
            return StructReader(fields, reader.create_struct, reader.struct)
        case _:
            return reader


class ExactDoubleReader(Reader):
    """Reads a double as it is. The compiled decoder of PyIceberg 0.12 narrows doubles to 32
    bits: a partition value of 1e300 becomes infinite, and the partition would be pruned."""

    def __init__(self) -> None:
        super().__init__()

    def read(self, decoder: BinaryDecoder) -> float:
        """All eight bytes of it."""
        (value,) = binary.unpack("<d", decoder.read(8))
        return float(value)

    def skip(self, decoder: BinaryDecoder) -> None:
        """As it is fixed in size."""
        decoder.skip(8)
