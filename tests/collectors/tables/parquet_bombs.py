"""Parquet files of which little stands for much, of columns with the field ids 1, 2, …"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from io import BytesIO
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from prunescope.collectors.parquet.thrift_numbers import list_head
from tests.collectors.tables.avro_files import varint as number

Options = dict[str, Any]
"""Of Arrow's writer."""

ROWS = 2_000
MAGIC = b"PAR1"
INT64, BYTE_ARRAY, FIXED = 2, 6, 7
SNAPPY, ZSTD = 1, 6


def field(field_id: int, kind: pa.DataType, name: str = "") -> pa.Field:
    return pa.field(name or f"c{field_id}", kind, metadata={b"PARQUET:field_id": b"%d" % field_id})


def written(values: Any, kind: pa.DataType, *, field_id: int = 1, **options: Any) -> bytes:
    """A file of one column, as Arrow writes it."""
    sink = BytesIO()
    values = values if isinstance(values, pa.Array) else pa.array(values, kind)
    table = pa.table([values], schema=pa.schema([field(field_id, kind)]))
    options = {"compression": "zstd", "write_statistics": False, "store_schema": False, **options}
    pq.write_table(table, sink, **options)
    return sink.getvalue()


def footer(content: bytes) -> tuple[bytes, bytes]:
    """What precedes the footer, and it."""
    length = int.from_bytes(content[-8:-4], "little")
    return content[: -8 - length], content[-8 - length : -8]


def whole(pages: bytes, thrift: bytes) -> bytes:
    return pages + thrift + len(thrift).to_bytes(4, "little") + MAGIC


def a_long_text_in_a_dictionary() -> bytes:
    return written(of_one_text(ROWS), TEXTS, dictionary_pagesize_limit=64 << 20)


TEXTS = pa.dictionary(pa.int32(), pa.string())


def of_one_text(rows: int) -> pa.DictionaryArray:
    return pa.DictionaryArray.from_arrays(pa.array([0] * rows, pa.int32()), ["x" * (8 << 20)])


def a_long_text_of_a_struct_in_a_dictionary() -> bytes:
    sink = BytesIO()
    inner = field(1, TEXTS, "s")
    kind = pa.struct([inner])
    values = pa.StructArray.from_arrays([of_one_text(200)], fields=[inner])
    table = pa.table([values], schema=pa.schema([field(2, kind, "outer")]))
    options: Options = {
        "compression": "zstd",
        "write_statistics": False,
        "store_schema": False,
    }
    pq.write_table(table, sink, dictionary_pagesize_limit=64 << 20, **options)
    return repeated_rows(sink.getvalue(), 1)


def long_texts_that_share_their_start() -> bytes:
    start = "x" * (1 << 20)
    values = [f"{start}{n:06}" for n in range(300)]
    encoded: Options = {
        "column_encoding": {"c1": "DELTA_BYTE_ARRAY"},
        "use_dictionary": False,
    }
    return repeated_rows(written(values, pa.string(), **encoded), 40)


def pages_that_unpack_to_gigabytes() -> bytes:
    values = ["x" * (48 << 20)] * 4
    options: Options = {
        "use_dictionary": False,
        "data_page_size": 1 << 20,
        "compression": "zstd",
    }
    return repeated_rows(written(values, pa.string(), **options), 12)


def pages_of_snappy_that_unpack_to_gigabytes() -> bytes:
    values = ["x" * (16 << 20)] * 4
    options: Options = {
        "use_dictionary": False,
        "data_page_size": 1 << 20,
        "compression": "snappy",
    }
    return repeated_rows(written(values, pa.string(), **options), 15)


def pages_of_gzip_that_unpack_to_gigabytes() -> bytes:
    values = ["x" * (16 << 20)] * 4
    options: Options = {
        "use_dictionary": False,
        "data_page_size": 1 << 20,
        "compression": "gzip",
    }
    return repeated_rows(written(values, pa.string(), **options), 15)


def repeated_rows(content: bytes, times: int) -> bytes:
    """The same chunks in row groups over and over: they take no bytes but those of the footer."""
    pages, thrift = footer(content)
    head, records, groups, rest = taken_apart(thrift)
    (group,) = groups
    return whole(pages, made(head, records * times, [group] * times) + rest)


def taken_apart(thrift: bytes) -> tuple[bytes, int, list[bytes], bytes]:
    """A footer of one row group: up to its schema, its rows, the group, and what follows."""
    whole_file = pq.read_metadata(pa.BufferReader(whole(MAGIC, thrift)))
    marker = b"\x16" + number(whole_file.num_rows) + b"\x19\x1c"
    at = thrift.index(marker)
    count, _, first = list_head(thrift, at + len(marker) - 1)
    assert count == 1
    end = thrift.rindex(b"\x16" + number(whole_file.num_rows), first)
    end = thrift.index(b"\x00", end + 1 + len(number(whole_file.num_rows)))
    return thrift[:at], whole_file.num_rows, [thrift[first : end + 1]], thrift[end + 1 :]


def made(head: bytes, records: int, groups: Sequence[bytes]) -> bytes:
    """A footer up to its row groups."""
    return b"".join((head, b"\x16", number(records), b"\x19\xfc", unsigned(len(groups)), *groups))


def unsigned(value: int) -> bytes:
    found = bytearray()
    while value > 0x7F:
        found.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*found, value])


def head_of_one(kind: int, *, length: int = 0, name: bytes = b"c1") -> bytes:
    """The version and schema of a file of one optional column of a type."""
    of_length = b"\x15" + number(length) + b"\x15" if length else b"\x25"
    column = b"\x15" + number(kind) + of_length + number(1) + b"\x18" + unsigned(len(name)) + name
    return b"\x15\x04\x19\x2c\x48\x06schema\x15\x02\x00" + column + b"\x55\x02\x00"


def chunk(kind: int, values: int, size: int, *, codec: int = 0, more: bytes = b"") -> bytes:
    """A chunk whose only page begins the file."""
    facts = b"".join(
        (
            *(b"\x15", number(kind), b"\x19\x15\x00", b"\x19\x18\x01x", b"\x15", number(codec)),
            *(b"\x16", number(values), b"\x16", number(size), b"\x16", number(size), b"\x26\x08"),
        )
    )
    return b"\x26\x00\x1c" + facts + more + b"\x00\x00"


def group(chunks: Sequence[bytes], rows: int) -> bytes:
    head = bytes([len(chunks) << 4 | 12])
    return b"\x19" + head + b"".join(chunks) + b"\x16\x00\x16" + number(rows) + b"\x00"


def page(values: int, body: bytes, unpacked: int | None = None) -> bytes:
    """A page of format 1, plain, whose levels are runs."""
    sizes = b"\x15" + number(len(body) if unpacked is None else unpacked)
    sizes += b"\x15" + number(len(body))
    return (
        b"\x15\x00"
        + sizes
        + b"\x2c\x15"
        + number(values)
        + b"\x15\x00\x15\x06\x15\x06\x00\x00"
        + body
    )


def nulls(count: int) -> bytes:
    """The levels of so many nulls: one run."""
    run = unsigned(count << 1) + b"\x00"
    return len(run).to_bytes(4, "little") + run


def of_one_page(
    kind: int, values: int, content: bytes, *, codec: int = 0, length: int = 0
) -> bytes:
    thrift = made(
        head_of_one(kind, length=length),
        values,
        [group([chunk(kind, values, len(content), codec=codec)], values)],
    )
    return whole(MAGIC + content, thrift + b"\x00")


def two_billion_nulls() -> bytes:
    count = 2**31 - 1
    return of_one_page(INT64, count, page(count, nulls(count)))


def wide_nulls() -> bytes:
    return of_one_page(FIXED, 5_000, page(5_000, nulls(5_000)), length=1 << 30)


def less_wide_nulls() -> bytes:
    return of_one_page(FIXED, 5_000, page(5_000, nulls(5_000)), length=1 << 20)


def a_page_that_claims_to_be_large() -> bytes:
    body = page(10, bytes(100), 2**31 - 1)
    return of_one_page(INT64, 10, body, codec=SNAPPY)


def a_page_that_claims_less_than_nothing() -> bytes:
    return of_one_page(INT64, 10, page(10, bytes(100), -5), codec=SNAPPY)


def a_page_of_more_values_than_rows() -> bytes:
    return of_one_page(INT64, 10, page(1 << 30, nulls(1 << 30)))


def least_row_groups(count: int) -> bytes:
    one = group([chunk(INT64, 0, 0)], 0)
    return whole(MAGIC, made(head_of_one(INT64), 0, [one] * count) + b"\x00")


def hundreds_of_thousands_of_row_groups() -> bytes:
    return least_row_groups(450_000)


def a_million_row_groups() -> bytes:
    return least_row_groups(1_400_000)


def hundreds_of_thousands_of_rows_in_groups() -> bytes:
    one = group([chunk(INT64, 1, 12)], 1)
    thrift = made(head_of_one(INT64), 400_000, [one] * 400_000)
    return whole(MAGIC + page(1, nulls(1)), thrift + b"\x00")


def empty_row_groups() -> bytes:
    return whole(MAGIC, made(head_of_one(INT64), 0, [b"\x00"] * 60_000_000) + b"\x00")


def encodings_without_end() -> bytes:
    statistics = b"\x49\xfc"  # encoding_stats: a list of structures
    more = statistics + unsigned(20_000_000) + bytes(20_000_000)
    one = group([chunk(INT64, 1, 12, more=more)], 1)
    return whole(MAGIC + page(1, nulls(1)), made(head_of_one(INT64), 1, [one]) + b"\x00")


def orders_without_end() -> bytes:
    one = group([chunk(INT64, 1, 12)], 1)
    orders = b"\x39\xfc" + unsigned(30_000_000) + bytes(30_000_000)
    return whole(MAGIC + page(1, nulls(1)), made(head_of_one(INT64), 1, [one]) + orders + b"\x00")


def notes_without_end() -> bytes:
    one = group([chunk(INT64, 1, 12)], 1)
    notes = b"\x19\xfc" + unsigned(30_000_000) + bytes(30_000_000)
    return whole(MAGIC + page(1, nulls(1)), made(head_of_one(INT64), 1, [one]) + notes + b"\x00")


def a_note_of_50_megabytes() -> bytes:
    one = group([chunk(INT64, 1, 12)], 1)
    size = 50 << 20
    note = b"\x18\x0cARROW:schema\x18" + unsigned(size) + b"A" * size + b"\x00"
    thrift = made(head_of_one(INT64), 1, [one]) + b"\x19\x1c" + note + b"\x00"
    return whole(MAGIC + page(1, nulls(1)), thrift)


def of_schema(elements: Sequence[bytes]) -> bytes:
    head = b"\x15\x04\x19\xfc" + unsigned(len(elements)) + b"".join(elements)
    return whole(MAGIC, made(head, 0, []) + b"\x00")


def element(name: bytes, children: int | None) -> bytes:
    text = b"\x18" + unsigned(len(name)) + name
    if children is None:
        return b"\x15\x04\x25\x02" + text + b"\x00"
    return b"\x35\x02" + text + b"\x15" + number(children) + b"\x00"


def millions_of_columns() -> bytes:
    return of_schema([element(b"r", 3_000_000), *[element(b"", None)] * 3_000_000])


def columns_below_deep_names() -> bytes:
    groups = [element(b"n" * 5_000, 1)] * 90
    return of_schema([*groups, element(b"n", 50_000), *[element(b"c", None)] * 50_000])


def groups_without_end() -> bytes:
    return of_schema([element(b"g", 1)] * 90_000 + [element(b"c", None)])


def groups_that_claim_children() -> bytes:
    return of_schema([element(b"g", 2**31 - 1)] * 90 + [element(b"c", None)])


def a_name_of_50_megabytes() -> bytes:
    return of_schema([element(b"r", 1), element(b"n" * (50 << 20), None)])


def dictionaries_of_gigabytes() -> bytes:
    """Of a long text each, in row groups that share their pages."""
    content = written(["x" * (12 << 20)], pa.string(), dictionary_pagesize_limit=64 << 20)
    return repeated_rows(content, 400)


def dictionaries_of_millions_of_values() -> bytes:
    content = written(range(1_000_000), pa.int64(), dictionary_pagesize_limit=64 << 20)
    return repeated_rows(content, 100)


def bloom_filters_over_and_over() -> bytes:
    options: Options = {"bloom_filter_options": {"c1": {"ndv": 8_000_000, "fpp": 0.01}}}
    content = written(range(10), pa.int64(), use_dictionary=False, **options)
    return repeated_rows(content, 400)


def page_indexes_over_and_over() -> bytes:
    options: Options = {
        "write_page_index": True,
        "max_rows_per_page": 1,
        "write_batch_size": 1,
    }
    options |= {"use_dictionary": False, "write_statistics": True}
    return repeated_rows(written(range(20_000), pa.int64(), **options), 300)


BOMBS: Mapping[str, Callable[[], bytes]] = {
    made.__name__: made
    for made in (
        a_long_text_in_a_dictionary,
        a_long_text_of_a_struct_in_a_dictionary,
        long_texts_that_share_their_start,
        pages_that_unpack_to_gigabytes,
        pages_of_snappy_that_unpack_to_gigabytes,
        pages_of_gzip_that_unpack_to_gigabytes,
        two_billion_nulls,
        wide_nulls,
        less_wide_nulls,
        a_page_that_claims_to_be_large,
        a_page_that_claims_less_than_nothing,
        a_page_of_more_values_than_rows,
        hundreds_of_thousands_of_row_groups,
        a_million_row_groups,
        hundreds_of_thousands_of_rows_in_groups,
        empty_row_groups,
        encodings_without_end,
        orders_without_end,
        notes_without_end,
        a_note_of_50_megabytes,
        millions_of_columns,
        columns_below_deep_names,
        groups_without_end,
        groups_that_claim_children,
        a_name_of_50_megabytes,
        dictionaries_of_gigabytes,
        dictionaries_of_millions_of_values,
        bloom_filters_over_and_over,
        page_indexes_over_and_over,
    )
}
