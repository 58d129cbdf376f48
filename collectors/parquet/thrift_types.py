"""The structures of the Parquet format (parquet.thrift 2.12) that are read here, with the fields
that are of use; a decoder skips all others."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import repeat
from typing import Any, TypeVar

from thrift.protocol.TBase import TBase
from thrift.protocol.TCompactProtocol import TCompactProtocolAccelerated
from thrift.Thrift import TType
from thrift.transport.TTransport import TMemoryBuffer

_Field = tuple[int, int, str, Any]

BINARY = "BINARY"
"""Thrift's sign for strings that are no text."""


class MalformedParquet(ValueError):
    """Bytes that are not what the footer says they are."""


class EncryptedParquet(MalformedParquet):
    """A file of which the footer is encrypted, or columns are."""


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


class PageEncodingStats(Structure):
    """How many pages of one kind have one encoding."""

    page_type: int | None
    encoding: int | None
    count: int | None
    thrift_spec = _spec(_i32(1, "page_type"), _i32(2, "encoding"), _i32(3, "count"))


class Statistics(Structure):
    """Of a column chunk: its bounds where they follow the order of its type, and as old writers
    have them."""

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


class SizeStatistics(Structure):
    """Of a column chunk, how often each level occurs."""

    unencoded_bytes: int | None
    repetition_levels: list[int] | None
    definition_levels: list[int] | None
    thrift_spec = _spec(
        _i64(1, "unencoded_bytes"),
        _list(2, "repetition_levels", TType.I64),
        _list(3, "definition_levels", TType.I64),
    )


class ColumnMetaData(Structure):
    """Of a column chunk, what tells where the rest of it is."""

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


class _Known(Structure):
    """The member of a union that every reader knows."""

    thrift_spec = _spec()


class Choice(Structure):
    """A union of which only the first member is of use; where it is another, `known` is None."""

    known: _Known | None
    thrift_spec = _spec(_struct(1, "known", _Known))


class ColumnChunk(Structure):
    """Where the indexes of a chunk are, and whether it is encrypted by itself."""

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


class RowGroup(Structure):
    """Its column chunks, in the order of the leaves."""

    columns: list[ColumnChunk] | None
    thrift_spec = _spec(_list_of(1, "columns", ColumnChunk))


class FileMetaData(Structure):
    """The footer. `column_orders` are by leaf; the first member of that union is the order that
    the type of the column defines."""

    row_groups: list[RowGroup] | None
    column_orders: list[Choice] | None
    thrift_spec = _spec(_list_of(4, "row_groups", RowGroup), _list_of(7, "column_orders", Choice))


class CountedMetaData(Structure):
    """What a ColumnMetaData says of the values of a chunk. Each structure and field that is not
    made saves: these are decoded of every footer, the others of few."""

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
    """Of a ColumnChunk."""

    meta_data: CountedMetaData | None
    thrift_spec = _spec(_struct(3, "meta_data", CountedMetaData))


class CountedRowGroup(Structure):
    """Of a RowGroup."""

    columns: list[CountedChunk] | None
    num_rows: int | None
    thrift_spec = _spec(_list_of(1, "columns", CountedChunk), _i64(3, "num_rows"))


class CountedFooter(Structure):
    """Of a FileMetaData; and whether columns are encrypted while it is not."""

    row_groups: list[CountedRowGroup] | None
    column_orders: list[Choice] | None
    encryption_algorithm: Choice | None
    thrift_spec = _spec(
        _list_of(4, "row_groups", CountedRowGroup),
        _list_of(7, "column_orders", Choice),
        _struct(8, "encryption_algorithm", Choice),
    )


class SizedMetaData(Structure):
    """What of a ColumnMetaData has to be sound before Arrow is asked for it."""

    type: int | None
    statistics: Statistics | None
    size_statistics: SizeStatistics | None
    thrift_spec = _spec(
        _i32(1, "type"),
        _struct(12, "statistics", Statistics),
        _struct(16, "size_statistics", SizeStatistics),
    )


class SizedChunk(Structure):
    """Of a ColumnChunk."""

    meta_data: SizedMetaData | None
    thrift_spec = _spec(_struct(3, "meta_data", SizedMetaData))


class SizedRowGroup(Structure):
    """Of a RowGroup."""

    columns: list[SizedChunk] | None
    thrift_spec = _spec(_list_of(1, "columns", SizedChunk))


class SizedFooter(Structure):
    """Of a FileMetaData."""

    row_groups: list[SizedRowGroup] | None
    thrift_spec = _spec(_list_of(4, "row_groups", SizedRowGroup))


class DictionaryPageHeader(Structure):
    """Of a dictionary page."""

    num_values: int | None
    encoding: int | None
    thrift_spec = _spec(_i32(1, "num_values"), _i32(2, "encoding"))


class DataPageHeader(Structure):
    """Of a data page of format 1."""

    num_values: int | None
    encoding: int | None
    thrift_spec = _spec(_i32(1, "num_values"), _i32(2, "encoding"))


class DataPageHeaderV2(Structure):
    """Of a data page of format 2."""

    num_values: int | None
    encoding: int | None
    thrift_spec = _spec(_i32(1, "num_values"), _i32(4, "encoding"))


class PageHeader(Structure):
    """What precedes every page."""

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
    """What precedes the bits of a filter."""

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
    """A page: where it is, and its first row."""

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


def decode(structure: type[_Structure], data: bytes) -> tuple[_Structure, int]:
    """The structure at the start of `data`, and its length in bytes. Raises MalformedParquet."""
    found = structure()
    return found, _read([found], data)


def length_of(count: int, data: bytes) -> int:
    """How many bytes so many structures take at the start of `data`, whatever they are. Raises
    MalformedParquet."""
    return _read(repeat(_Any(), count), data)


class _Any(Structure):
    """A structure of which no field is of use."""

    thrift_spec = _spec()


def _read(structures: Iterable[Structure], data: bytes) -> int:
    """Fills structures that follow each other; their length."""
    transport = TMemoryBuffer(data)
    protocol = TCompactProtocolAccelerated(
        transport, string_length_limit=len(data), container_length_limit=len(data)
    )
    for one in structures:
        try:
            one.read(protocol)
        except Exception as error:  # the decoder fails in many ways on malformed input
            name = type(one).__name__
            raise MalformedParquet(f"no {name} ({type(error).__name__})") from error
    return int(transport.cstringio_buf.tell())
