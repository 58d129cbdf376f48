"""The structures of the Parquet format (parquet.thrift 2.12) that are read here, with the fields
that are of use; a decoder skips all others."""

from __future__ import annotations

from typing import Any, TypeVar

from thrift.protocol.TBase import TBase
from thrift.protocol.TCompactProtocol import TCompactProtocolAccelerated
from thrift.Thrift import TType
from thrift.transport.TTransport import TMemoryBuffer

_Field = tuple[int, int, str, Any]

BINARY = "BINARY"
"""Thrift's sign for strings that are no text."""


class MalformedParquet(ValueError):
    """Bytes that contradict the footer."""


class EncryptedParquet(MalformedParquet):
    """A file whose footer, or some of whose columns, are encrypted."""


def _spec(*fields: _Field) -> tuple[tuple[Any, ...] | None, ...]:
    """A thrift_spec: fields at the place of their ids."""
    found: list[tuple[Any, ...] | None] = [None] * (1 + max((f[0] for f in fields), default=0))
    for number, kind, name, of in fields:
        found[number] = (number, kind, name, of, None)
    return tuple(found)


def _i32(number: int, name: str) -> _Field:
    return number, TType.I32, name, None


def _i64(number: int, name: str) -> _Field:
    return number, TType.I64, name, None


def _binary(number: int, name: str) -> _Field:
    return number, TType.STRING, name, BINARY


def _struct(number: int, name: str, of: type[Structure]) -> _Field:
    return number, TType.STRUCT, name, [of, of.thrift_spec]


def _list(number: int, name: str, kind: int, of: Any = None) -> _Field:
    return number, TType.LIST, name, (kind, of, False)


def _list_of(number: int, name: str, of: type[Structure]) -> _Field:
    return _list(number, name, TType.STRUCT, [of, of.thrift_spec])


class Structure(TBase):  # type: ignore[misc]  # thrift has no types
    """A structure whose fields are None until they are read."""

    thrift_spec: tuple[tuple[Any, ...] | None, ...] = ()

    def __init_subclass__(cls) -> None:
        # A footer has a structure per chunk and page: none of them pays for fields it lacks.
        for field in cls.thrift_spec:
            if field is not None:
                setattr(cls, field[2], None)


_Structure = TypeVar("_Structure", bound=Structure)

MAX_ITEMS = 100_000
"""The longest list of structures or values, such as the pages of a chunk, most of which have a
megabyte."""


class PageEncodingStats(Structure):
    """The number of pages of one kind that have one encoding."""

    page_type: int | None
    encoding: int | None
    count: int | None
    thrift_spec = _spec(_i32(1, "page_type"), _i32(2, "encoding"), _i32(3, "count"))


class Statistics(Structure):
    """Statistics of a column chunk: its bounds in the order of its type, and as old writers have
    them."""

    max: bytes | None
    min: bytes | None
    null_count: int | None
    max_value: bytes | None
    min_value: bytes | None
    thrift_spec = _spec(
        _binary(1, "max"),
        _binary(2, "min"),
        _i64(3, "null_count"),
        _binary(5, "max_value"),
        _binary(6, "min_value"),
    )


class ColumnMetaData(Structure):
    """Fields of a ColumnMetaData that tell where the parts of the chunk are."""

    encodings: list[int] | None
    codec: int | None
    total_compressed_size: int | None
    data_page_offset: int | None
    dictionary_page_offset: int | None
    encoding_stats: list[PageEncodingStats] | None
    bloom_filter_offset: int | None
    bloom_filter_length: int | None
    thrift_spec = _spec(
        _list(2, "encodings", TType.I32),
        _i32(4, "codec"),
        _i64(7, "total_compressed_size"),
        _i64(9, "data_page_offset"),
        _i64(11, "dictionary_page_offset"),
        _list_of(13, "encoding_stats", PageEncodingStats),
        _i64(14, "bloom_filter_offset"),
        _i32(15, "bloom_filter_length"),
    )


class ReadMetaData(Structure):
    """Fields of a ColumnMetaData that tell where its pages are, and how large."""

    encodings: list[int] | None
    codec: int | None
    num_values: int | None
    total_uncompressed_size: int | None
    total_compressed_size: int | None
    data_page_offset: int | None
    dictionary_page_offset: int | None
    thrift_spec = _spec(
        _list(2, "encodings", TType.I32),
        _i32(4, "codec"),
        _i64(5, "num_values"),
        _i64(6, "total_uncompressed_size"),
        _i64(7, "total_compressed_size"),
        _i64(9, "data_page_offset"),
        _i64(11, "dictionary_page_offset"),
    )


class ReadChunk(Structure):
    """Fields of a ColumnChunk whose rows are read."""

    meta_data: ReadMetaData | None
    thrift_spec = _spec(_struct(3, "meta_data", ReadMetaData))


class _Known(Structure):
    """The member of a union that every reader knows."""

    thrift_spec = _spec()


class Choice(Structure):
    """A union of which only the first member is of use; `known` is None if another one is set."""

    known: _Known | None
    thrift_spec = _spec(_struct(1, "known", _Known))


class ColumnChunk(Structure):
    """The places of a chunk's indexes, and whether the chunk is encrypted by itself."""

    meta_data: ColumnMetaData | None
    offset_index_offset: int | None
    offset_index_length: int | None
    column_index_offset: int | None
    column_index_length: int | None
    crypto_metadata: Choice | None
    thrift_spec = _spec(
        _struct(3, "meta_data", ColumnMetaData),
        _i64(4, "offset_index_offset"),
        _i32(5, "offset_index_length"),
        _i64(6, "column_index_offset"),
        _i32(7, "column_index_length"),
        _struct(8, "crypto_metadata", Choice),
    )


class FileMetaData(Structure):
    """Fields of a footer other than its row groups. `column_orders` are by leaf; the first member
    of that union is the order that the type of the column defines. Columns may be encrypted while
    the footer is not."""

    column_orders: list[Choice] | None
    encryption_algorithm: Choice | None
    thrift_spec = _spec(
        _list_of(7, "column_orders", Choice), _struct(8, "encryption_algorithm", Choice)
    )


class SchemaElement(Structure):
    """A column, or a group of so many of those that follow."""

    name: str | None
    num_children: int | None
    thrift_spec = _spec(
        _binary(4, "name"),
        _i32(5, "num_children"),
    )


class CountedMetaData(Structure):
    """Fields of a ColumnMetaData that describe the values of a chunk. Leaving out other structures
    and fields saves time: these are decoded of every footer, the others of few."""

    type: int | None
    num_values: int | None
    total_compressed_size: int | None
    statistics: Statistics | None
    thrift_spec = _spec(
        _i32(1, "type"),
        _i64(5, "num_values"),
        _i64(7, "total_compressed_size"),
        _struct(12, "statistics", Statistics),
    )


class CountedChunk(Structure):
    """Fields of a ColumnChunk whose values are counted."""

    meta_data: CountedMetaData | None
    thrift_spec = _spec(_struct(3, "meta_data", CountedMetaData))


class CountedRowGroup(Structure):
    """Fields of a RowGroup whose rows are counted."""

    columns: list[CountedChunk] | None
    num_rows: int | None
    thrift_spec = _spec(_list_of(1, "columns", CountedChunk), _i64(3, "num_rows"))


class DictionaryPageHeader(Structure):
    """The header of a dictionary page."""

    num_values: int | None
    encoding: int | None
    thrift_spec = _spec(_i32(1, "num_values"), _i32(2, "encoding"))


class DataPageHeader(Structure):
    """The header of a data page of format 1."""

    num_values: int | None
    encoding: int | None
    thrift_spec = _spec(_i32(1, "num_values"), _i32(2, "encoding"))


class DataPageHeaderV2(Structure):
    """The header of a data page of format 2."""

    num_values: int | None
    encoding: int | None
    thrift_spec = _spec(_i32(1, "num_values"), _i32(4, "encoding"))


class PageHeader(Structure):
    """The header that precedes every page."""

    type: int | None
    uncompressed_page_size: int | None
    compressed_page_size: int | None
    data_page_header: DataPageHeader | None
    dictionary_page_header: DictionaryPageHeader | None
    data_page_header_v2: DataPageHeaderV2 | None
    thrift_spec = _spec(
        _i32(1, "type"),
        _i32(2, "uncompressed_page_size"),
        _i32(3, "compressed_page_size"),
        _struct(5, "data_page_header", DataPageHeader),
        _struct(7, "dictionary_page_header", DictionaryPageHeader),
        _struct(8, "data_page_header_v2", DataPageHeaderV2),
    )


class BloomFilterHeader(Structure):
    """The header that precedes the bits of a bloom filter."""

    num_bytes: int | None
    algorithm: Choice | None
    hash: Choice | None
    compression: Choice | None
    thrift_spec = _spec(
        _i32(1, "num_bytes"),
        _struct(2, "algorithm", Choice),
        _struct(3, "hash", Choice),
        _struct(4, "compression", Choice),
    )


class PageLocation(Structure):
    """The place of a page, and its first row."""

    offset: int | None
    compressed_page_size: int | None
    first_row_index: int | None
    thrift_spec = _spec(
        _i64(1, "offset"), _i32(2, "compressed_page_size"), _i64(3, "first_row_index")
    )


class OffsetIndex(Structure):
    """The pages of a chunk."""

    page_locations: list[PageLocation] | None
    thrift_spec = _spec(_list_of(1, "page_locations", PageLocation))


class ColumnIndex(Structure):
    """Statistics of the pages of a chunk."""

    null_pages: list[bool] | None
    min_values: list[bytes] | None
    max_values: list[bytes] | None
    null_counts: list[int] | None
    thrift_spec = _spec(
        _list(1, "null_pages", TType.BOOL),
        _list(2, "min_values", TType.STRING, BINARY),
        _list(3, "max_values", TType.STRING, BINARY),
        _list(5, "null_counts", TType.I64),
    )


class Anything(Structure):
    """A structure of which no field is of use."""

    thrift_spec = _spec()


class Structures:
    """Structures that follow each other in `data`, read one at a time from a place on. Their lists
    have no more than so many items."""

    def __init__(self, data: bytes, at: int, items: int) -> None:
        transport = TMemoryBuffer(data)
        self._buffer = transport.cstringio_buf
        self._protocol = TCompactProtocolAccelerated(
            transport, string_length_limit=len(data), container_length_limit=min(len(data), items)
        )
        self.at = at

    @property
    def at(self) -> int:
        """The place where the next structure begins."""
        return int(self._buffer.tell())

    @at.setter
    def at(self, place: int) -> None:
        self._buffer.seek(place)

    def read(self, structure: type[_Structure]) -> _Structure:
        """Reads the next structure. Raises MalformedParquet."""
        found = structure()
        try:
            found.read(self._protocol)
        except Exception as error:  # the decoder fails in many ways on malformed input
            name = structure.__name__
            raise MalformedParquet(f"no {name} ({type(error).__name__})") from error
        return found


def decode(
    structure: type[_Structure], data: bytes, items: int = MAX_ITEMS
) -> tuple[_Structure, int]:
    """The structure at the start of `data`, whose lists have no more than so many items, and its
    length in bytes. Raises MalformedParquet."""
    structures = Structures(data, 0, items)
    return structures.read(structure), structures.at
