"""Avro files of which little stands for much, as manifest lists and as manifests."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from tests.collectors.tables.avro_files import PACK, SYNC, field, file, text, varint
from tests.collectors.tables.made_manifests import encoded, entry, schema

Block = tuple[int, bytes]


def with_header(notes: Mapping[str, bytes], *blocks: Block) -> bytes:
    """A file whose header has these entries."""
    head = varint(len(notes)) + b"".join(text(key) + text(value) for key, value in notes.items())
    content = b"Obj\x01" + head + varint(0) + SYNC
    return content + b"".join(varint(n) + text(data) + SYNC for n, data in blocks)


def of_schema(kind: str) -> bytes:
    """A file of records with one field of a type in JSON."""
    head = '{"type":"record","name":"r","fields":[{"name":"a","field-id":500,"type":'
    return with_header({"avro.schema": f"{head}{kind}}}]}}".encode()}, (1, b"\x02"))


def a_schema_of_millions_of_values() -> bytes:
    return of_schema('{"type":"int","doc":[' + "[]," * 20_000_000 + "0]}")


def a_schema_of_a_million_fields() -> bytes:
    one = '{"name":"f","field-id":1,"type":"int"}'
    return of_schema('{"type":"record","name":"n","fields":[' + ",".join([one] * 1_000_000) + "]}")


def a_schema_with_a_name_of_100_megabytes() -> bytes:
    return of_schema('{"type":"record","name":"' + "n" * (100 << 20) + '","fields":[]}')


def a_schema_of_long_names_at_many_depths() -> bytes:
    kind = '"int"'
    for depth in range(100):
        name = f"{'n' * 20_000}{depth}"
        inner = f'{{"name":"{name}","field-id":{depth},"type":{kind}}}'
        kind = f'{{"type":"record","name":"{name}","fields":[{inner}]}}'
    return of_schema(kind)


def arrays_in_arrays(depth: int) -> str:
    kind = '"int"'
    head = '{"type":"array","element-id":1,"items":'
    return head * depth + kind + "}" * depth


def a_schema_of_deep_arrays() -> bytes:
    return of_schema(arrays_in_arrays(200))


def a_schema_of_deeper_arrays() -> bytes:
    return of_schema(arrays_in_arrays(900))


def a_schema_of_endless_arrays() -> bytes:
    return of_schema(arrays_in_arrays(100_000))


def a_schema_of_deep_records() -> bytes:
    kind = '"int"'
    for depth in range(240):
        inner = f'{{"name":"f","field-id":{depth},"type":{kind}}}'
        kind = f'{{"type":"record","name":"r{depth}","fields":[{inner}]}}'
    return of_schema(kind)


def a_schema_of_endless_unions() -> bytes:
    return of_schema("[" * 100_000 + '"int"' + "]" * 100_000)


def a_header_of_millions_of_notes() -> bytes:
    count = 20_000_000
    return b"Obj\x01" + varint(count) + bytes(2 * count) + varint(0) + SYNC


def a_header_of_invalid_text() -> bytes:
    return with_header({"schema": b"\xff" * (100 << 20), "avro.schema": b'"int"'})


SUMMARY = {"type": "record", "name": "s", "fields": [field("n", "boolean", 509)]}
SUMMARIES = {"type": "array", "items": SUMMARY, "element-id": 508}
LISTED = [field("manifest_path", "string", 500), field("partitions", SUMMARIES, 507)]


def a_manifest_of_millions_of_summaries() -> bytes:
    """Of a byte each, in lists of no more than a million."""
    count = 900_000
    one = text("p") + (varint(count) + bytes(count)) * 200 + varint(0)
    return file(LISTED, (1, PACK["deflate"](one)), codec="deflate")


def millions_of_manifests() -> bytes:
    count = 4_900_000
    path = [field("manifest_path", "string", 500)]
    return file(path, (count, PACK["deflate"](text("p") * count)), codec="deflate")


def millions_of_nameless_manifests() -> bytes:
    count = 4_900_000
    path = [field("manifest_path", "string", 500)]
    return file(path, (count, PACK["deflate"](bytes(count))), codec="deflate")


def empty_items(kind: Any, count: int) -> bytes:
    listed = {"type": "array", "items": kind, "element-id": 3}
    return file([field("a", listed, 500)], (1, varint(count) + varint(0)))


def a_list_of_endless_nulls() -> bytes:
    return empty_items("null", 2**62)


def a_list_of_endless_empty_records() -> bytes:
    return empty_items({"type": "record", "name": "e", "fields": []}, 2**62)


def a_list_of_endless_empty_texts() -> bytes:
    return empty_items({"type": "fixed", "name": "e", "size": 0}, 2**62)


def a_map_of_endless_nulls() -> bytes:
    kind = {"type": "map", "values": "null"}
    return file([field("a", kind, 500)], (1, varint(2**62) + varint(0)))


def short_decimals_that_are_written_longer() -> bytes:
    decimal = {"type": "bytes", "logicalType": "decimal", "precision": 38, "scale": 0}
    listed = {"type": "array", "items": decimal, "element-id": 3}
    count = 900_000
    one = (varint(count) + bytes(count)) * 130 + varint(0)
    return padded(file([field("a", listed, 500)], (1, PACK["deflate"](one)), codec="deflate"))


def zeros(codec: str) -> bytes:
    """A block of more than any file may have."""
    size = 64 << 20
    return file([field("a", "long", 500)], (size, PACK[codec](bytes(size))), codec=codec)


def a_bomb_of_deflate() -> bytes:
    return zeros("deflate")


def a_bomb_of_zstandard() -> bytes:
    return zeros("zstandard")


def a_bomb_of_bzip2() -> bytes:
    return zeros("bzip2")


def a_bomb_of_snappy() -> bytes:
    return zeros("snappy")


def padded(content: bytes) -> bytes:
    """With notes that allow it to unpack to more."""
    size = 4 << 20
    head = b"Obj\x01" + varint(1) + text("padding") + text(bytes(size))
    return head + content[4:]


def one_large_block() -> bytes:
    size = 450 << 20
    return padded(
        file([field("a", "long", 500)], (size, PACK["deflate"](bytes(size))), codec="deflate")
    )


LISTS: Mapping[str, Callable[[], bytes]] = {
    made.__name__: made
    for made in (
        a_schema_of_millions_of_values,
        a_schema_of_a_million_fields,
        a_schema_with_a_name_of_100_megabytes,
        a_schema_of_long_names_at_many_depths,
        a_schema_of_deep_arrays,
        a_schema_of_deeper_arrays,
        a_schema_of_endless_arrays,
        a_schema_of_deep_records,
        a_schema_of_endless_unions,
        a_header_of_millions_of_notes,
        a_header_of_invalid_text,
        a_manifest_of_millions_of_summaries,
        millions_of_manifests,
        millions_of_nameless_manifests,
        a_list_of_endless_nulls,
        a_list_of_endless_empty_records,
        a_list_of_endless_empty_texts,
        a_map_of_endless_nulls,
        short_decimals_that_are_written_longer,
        a_bomb_of_deflate,
        a_bomb_of_zstandard,
        a_bomb_of_bzip2,
        a_bomb_of_snappy,
        one_large_block,
    )
}
"""What is no manifest list, and no manifest."""


def entries(parts: Sequence[bytes], *, padding: int = 0) -> bytes:
    """A manifest of these entries, deflated, in one block."""
    packed = PACK["deflate"](b"".join(parts))
    content = file(schema(["long"]), (len(parts), packed), codec="deflate")
    return padded(content) if padding else content


def counts_of(columns: range, times: int) -> bytes:
    """An entry whose value counts are of these columns, so often."""
    plain = encoded(entry(1, [1], maps={**entry(1, [1])["maps"], 109: {}}), ["long"], 100)
    marker = varint(1 << 20) + varint(1) + varint(0)
    assert marker in plain
    items = b"".join(varint(column) + varint(0) for column in columns)
    return plain.replace(
        marker, varint(1 << 20) + varint(1) + (varint(len(columns)) + items) * times + varint(0), 1
    )


def an_entry_of_millions_of_columns() -> bytes:
    return entries([counts_of(range(900_000), 8)], padding=1)


def an_entry_of_columns_that_lanes_would_read() -> bytes:
    return entries([counts_of(range(900_000), 2)], padding=1)


def an_entry_of_a_column_over_and_over() -> bytes:
    return entries([counts_of(range(1, 2), 1)[:0] + counts_of(range(1), 20_000_000)], padding=1)


def entries_of_distinct_columns() -> bytes:
    return entries([counts_of(range(n * 1_000, n * 1_000 + 1_000), 1) for n in range(600)])


def one_entry_of_a_large_bound() -> bytes:
    maps = {**entry(1, [1])["maps"], 125: {1: bytes(400 << 20)}}
    return entries([encoded(entry(1, [1], maps=maps), ["long"], 100)], padding=1)


def many_entries_of_one_path() -> bytes:
    return entries([encoded(entry(1, [1]), ["long"], 100)] * 300_000, padding=1)


MANIFESTS: Mapping[str, Callable[[], bytes]] = {
    made.__name__: made
    for made in (
        an_entry_of_millions_of_columns,
        an_entry_of_columns_that_lanes_would_read,
        an_entry_of_a_column_over_and_over,
        entries_of_distinct_columns,
        one_entry_of_a_large_bound,
        many_entries_of_one_path,
    )
}
"""Manifests that can be read, or not: either ends soon."""
