"""Manifests that are made value by value, and what their entries say as rows of plain values."""

from __future__ import annotations

import struct
import uuid
from collections.abc import Sequence
from decimal import Decimal
from typing import Any

from hypothesis import strategies as st

from prunescope.collectors.tables.entries import (
    DATA_FILE,
    FILE_FIELDS,
    METRICS,
    SEQUENCE,
    STATUS,
    Entries,
)
from tests.collectors.tables.avro_files import deflate, field, file, text, varint

WANTED: dict[int, Any] = {
    STATUS: None,
    SEQUENCE: None,
    DATA_FILE: dict.fromkeys((*FILE_FIELDS, *METRICS)),
}
"""All that can be read of an entry."""


def plain(parts: Sequence[Entries]) -> list[dict[str, Any]]:
    """Entries as rows of plain values."""
    rows: list[dict[str, Any]] = []
    for part in parts:
        columns = {
            "path": part.paths.to_pylist(),
            "format": part.formats.to_pylist(),
            "content": part.content.tolist(),
            "records": part.records.tolist(),
            "size": part.size.tolist(),
            "row_groups": part.row_groups.tolist(),
            "sequence": part.sequence_numbers.tolist(),
        }
        columns |= {f"p{field}": values.to_pylist() for field, values in part.partition.items()}
        tuples = zip(*columns.values(), strict=True)
        of_part = [dict(zip(columns, values, strict=True)) for values in tuples]
        for map_id, by_column in part.metrics.items():
            for column in by_column:
                for row, value in zip(
                    of_part, part.metric(map_id, column).to_pylist(), strict=True
                ):
                    if value is not None:
                        row[f"m{map_id}.{column}"] = value
        rows += of_part
    return rows


FIXED = {"type": "fixed", "name": "f", "size": 3}
UUID = {"type": "fixed", "name": "u", "size": 16, "logicalType": "uuid"}
DECIMAL = {"type": "fixed", "name": "d", "size": 4, "logicalType": "decimal"} | {
    "precision": 9,
    "scale": 2,
}
NANOS = {"type": "long", "logicalType": "timestamp-nanos", "adjust-to-utc": False}
LONGS = st.integers(-(2**63), 2**63 - 1) | st.integers(-70, 70)


def unscaled(value: Decimal) -> bytes:
    return int(value.scaleb(2)).to_bytes(4, "big", signed=True)


KINDS: dict[str, tuple[Any, st.SearchStrategy[Any], Any]] = {
    "int": ("int", st.integers(-(2**31), 2**31 - 1), varint),
    "date": ({"type": "int", "logicalType": "date"}, st.integers(-99_999, 99_999), varint),
    "long": ("long", LONGS, varint),
    "nanos": (NANOS, LONGS, varint),
    "boolean": ("boolean", st.booleans(), lambda value: bytes([value])),
    "float": ("float", st.floats(width=32), lambda value: struct.pack("<f", value)),
    "double": ("double", st.floats(), lambda value: struct.pack("<d", value)),
    "string": ("string", st.text(max_size=90), text),
    "bytes": ("bytes", st.binary(max_size=20), text),
    "fixed": (FIXED, st.binary(min_size=3, max_size=3), bytes),
    "uuid": (UUID, st.uuids(), lambda value: value.bytes),
    "decimal": (DECIMAL, st.decimals(-9_999_999, 9_999_999, places=2), unscaled),
}
"""Types of partition values: as a schema has them, their values, and how one is encoded."""
MAPS = {109: "long", 110: "long", 137: "long", 125: "bytes", 128: "bytes"}
"""The types of the values of a file's maps, by field."""


def map_type(field_id: int, values: str) -> dict[str, Any]:
    items = {
        "type": "record",
        "name": f"k{field_id}",
        "fields": [field("key", "int", 1000 + field_id), field("value", values, 2000 + field_id)],
    }
    return {"type": "array", "logicalType": "map", "items": items}


def schema(kinds: Sequence[str]) -> list[dict[str, Any]]:
    """The fields of entries whose partition has a value of each kind."""
    partition = {
        "type": "record",
        "name": "r102",
        "fields": [
            field(f"p{place}", ["null", KINDS[kind][0]], 3000 + place)
            for place, kind in enumerate(kinds)
        ],
    }
    of_file = [
        field("content", "int", 134),
        field("file_path", "string", 100),
        field("file_format", "string", 101),
        field("partition", partition, 102),
        field("record_count", "long", 103),
        field("file_size_in_bytes", "long", 104),
        *(field(f"m{i}", ["null", map_type(i, values)], i) for i, values in MAPS.items()),
        field("key_metadata", ["null", "bytes"], 131),
        field(
            "split_offsets", ["null", {"type": "array", "items": "long", "element-id": 133}], 132
        ),
    ]
    return [
        field("status", "int", 0),
        field("snapshot_id", ["null", "long"], 1),
        field("sequence_number", ["null", "long"], 3),
        field("data_file", {"type": "record", "name": "r2", "fields": of_file}, 2),
    ]


COLUMNS = st.integers(1, 4) | st.sampled_from([100, 70_000, -3])


@st.composite
def rows(draw: st.DrawFn, kinds: Sequence[str], layout: Sequence[int] | None) -> dict[str, Any]:
    """An entry: maps have the columns of `layout`, or any."""

    def metrics(values: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
        if layout is not None:
            return st.fixed_dictionaries(dict.fromkeys(layout, values))
        return st.none() | st.dictionaries(COLUMNS, values, max_size=4)

    return {
        "status": draw(st.sampled_from([0, 1, 1, 1, 2])),
        "sequence": draw(st.none() | st.integers(0, 2**40)),
        "content": draw(st.integers(0, 2)),
        "path": draw(st.sampled_from(["s3://b/t/data/", "s3://b/", ""])) + draw(st.text()),
        "format": draw(st.sampled_from(["PARQUET", "orc", "puffin"])),
        "partition": [draw(st.none() | KINDS[kind][1]) for kind in kinds],
        "records": draw(LONGS),
        "size": draw(LONGS),
        "maps": {
            i: draw(metrics(LONGS if values == "long" else st.binary(max_size=70) | EIGHT))
            for i, values in MAPS.items()
        },
        "key": draw(st.none() | st.binary(max_size=3)),
        "offsets": draw(st.none() | st.lists(LONGS, max_size=3)),
    }


EIGHT = st.binary(min_size=8, max_size=8)


def optional(value: Any, encode: Any) -> bytes:
    return varint(0) if value is None else varint(1) + encode(value)


def items(parts: Sequence[bytes], size: int) -> bytes:
    """A list or map in blocks of so many items; of a negative size, with what each takes."""
    found = b""
    for start in range(0, len(parts), abs(size)):
        block = parts[start : start + abs(size)]
        joined = b"".join(block)
        found += varint(len(block)) if size > 0 else varint(-len(block)) + varint(len(joined))
        found += joined
    return found + varint(0)


def encoded(row: dict[str, Any], kinds: Sequence[str], size: int) -> bytes:
    """An entry as Avro writes it; `size` is that of the blocks of its `items`."""

    def metrics(values: str) -> Any:
        encode = varint if values == "long" else text
        return lambda of: items([varint(k) + encode(v) for k, v in of.items()], size)

    return b"".join(
        [
            varint(row["status"]),
            varint(1) + varint(77),
            optional(row["sequence"], varint),
            varint(row["content"]),
            text(row["path"]),
            text(row["format"]),
            *(
                optional(value, KINDS[kind][2])
                for kind, value in zip(kinds, row["partition"], strict=True)
            ),
            varint(row["records"]),
            varint(row["size"]),
            *(optional(row["maps"][i], metrics(values)) for i, values in MAPS.items()),
            optional(row["key"], text),
            optional(row["offsets"], lambda of: items([varint(v) for v in of], size)),
        ]
    )


def expected(row: dict[str, Any]) -> dict[str, Any]:
    """What an entry says, by how it was made."""
    offsets = row["offsets"]
    sequence = -2 if row["sequence"] is None and row["status"] == 1 else row["sequence"]
    values = {
        "path": row["path"],
        "format": row["format"],
        "content": row["content"],
        "records": row["records"],
        "size": row["size"],
        "row_groups": len(offsets) if offsets and offsets[-1] < row["size"] else -1,
        "sequence": -1 if sequence is None else sequence,
    }
    for place, value in enumerate(row["partition"]):
        values[f"p{3000 + place}"] = value.bytes if isinstance(value, uuid.UUID) else value
    for i, of_map in row["maps"].items():
        values |= {f"m{i}.{column}": value for column, value in (of_map or {}).items()}
    return values


def same(found: list[dict[str, Any]], wanted: list[dict[str, Any]]) -> None:
    """Fails with the first rows that differ, in whatever order their values are."""
    for one, other in zip(found, wanted, strict=True):
        # NaN is not itself.
        assert repr(sorted(one.items())) == repr(sorted(other.items())), (one, other)


SIZES = st.sampled_from([1, 2, 100, -1, -2, -100])


@st.composite
def manifests(draw: st.DrawFn) -> tuple[bytes, list[dict[str, Any]]]:
    """A manifest, and what its live entries say."""
    kinds = draw(st.lists(st.sampled_from(sorted(KINDS)), max_size=3))
    layout = draw(st.none() | st.lists(COLUMNS, unique=True, max_size=4))
    found = draw(st.lists(rows(kinds, layout), min_size=1, max_size=6))
    size, codec = draw(SIZES), draw(st.sampled_from([None, "deflate"]))
    blocks = []
    pending = list(found)
    while pending:
        many = draw(st.integers(1, len(pending)))
        data = b"".join(encoded(row, kinds, size) for row in pending[:many])
        blocks.append((many, data if codec is None else deflate(data)))
        del pending[:many]
    live = [expected(row) for row in found if row["status"] != 2]
    return file(schema(kinds), *blocks, codec=codec), live


def entry(number: int, values: Sequence[Any], **others: Any) -> dict[str, Any]:
    """An entry like those around it, with these values of its partition."""
    counted = {1: number, 2: 300 + number, 9: -1}
    bounds = {1: struct.pack("<q", number), 2: b"x" * (number % 70)}
    return {
        "status": 1,
        "sequence": None,
        "content": 0,
        "path": f"s3://bucket/table/data/part-{number}{'x' * (number % 90)}.parquet",
        "format": "PARQUET",
        "partition": list(values),
        "records": 10**number if number < 19 else number,
        "size": number << 20,
        "maps": {109: counted, 110: counted, 137: None, 125: bounds, 128: bounds},
        "key": None,
        "offsets": [4],
        **others,
    }


def made(changes: dict[int, dict[str, Any]], *, count: int = 60, size: int = 100) -> bytes:
    """A manifest of two blocks, with some entries changed."""
    parts = [encoded(entry(n, [n], **changes.get(n, {})), ["long"], size) for n in range(count)]
    half = count // 2
    blocks = [(half, b"".join(parts[:half])), (count - half, b"".join(parts[half:]))]
    return file(schema(["long"]), *blocks)
