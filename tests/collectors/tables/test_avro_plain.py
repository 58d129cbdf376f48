"""Avro records that Iceberg's own writers would write otherwise: read as Iceberg reads them."""

from __future__ import annotations

import contextlib
from decimal import Decimal
from typing import Any

import pytest

from tests.collectors.tables.avro_files import (
    BOUNDS,
    COUNTS,
    LONG,
    LONGS,
    field,
    file,
    records,
    refused,
    text,
    varint,
)

DECIMAL = {
    "type": "fixed", "name": "decimal_9_2", "size": 4,
    "logicalType": "decimal", "precision": 9, "scale": 2,
}  # fmt: skip
UUID = {"type": "fixed", "name": "uuid_fixed", "size": 16, "logicalType": "uuid"}
ENUM = {"type": "enum", "name": "e", "symbols": ["A", "B"]}
EMPTY = {"type": "record", "name": "x", "fields": []}


def pairs(key: Any, value: Any, names: tuple[str, str] = ("key", "value")) -> dict[str, Any]:
    """A map as an array of records."""
    fields = [field(names[0], key, 4), field(names[1], value, 5)]
    return {**COUNTS, "items": {"type": "record", "name": "k", "fields": fields}}


def test_a_type_that_is_named_again_is_the_one_above() -> None:
    # Iceberg's writers do that for partitions by two decimals of one type, or two UUIDs.
    fields = [
        field("a", ["null", DECIMAL], 1),
        field("b", ["null", "decimal_9_2"], 2),
        field("c", "org.apache.decimal_9_2", 3),
        field("d", UUID, 4),
        field("e", "uuid_fixed", 5),
    ]
    four = [(100 + n).to_bytes(4, "big") for n in range(3)]
    content = varint(1) + four[0] + varint(1) + four[1] + four[2] + bytes(16) + b"\1" * 16
    ((*decimals, first, second),) = records(file(fields, (1, content)))
    assert decimals == [Decimal("1.00"), Decimal("1.01"), Decimal("1.02")]
    assert (first.bytes, second.bytes) == (bytes(16), b"\1" * 16)


def test_a_record_that_is_named_again_is_refused() -> None:
    fields = [field("a", {"type": "record", "name": "n", "fields": LONG}, 1), field("b", "n", 2)]
    refused(file(fields, (1, varint(1) + varint(2))))


def test_types_of_one_name_are_what_each_is_and_not_to_be_named_again() -> None:
    other = {**DECIMAL, "name": "decimal_9_2", "namespace": "x", "scale": 4}
    fields = [field("a", DECIMAL, 1), field("b", other, 2), field("c", "decimal_9_2", 3)]
    value = (100).to_bytes(4, "big")
    assert records(file(fields[:2], (1, value * 2))) == [[Decimal("1.00"), Decimal("0.0100")]]
    refused(file(fields, (1, value * 3)))
    record = {"type": "record", "name": "y.decimal_9_2", "fields": LONG}
    refused(file([field("r", record, 4), fields[0], fields[2]], (1, varint(1) + value * 2)))


@pytest.mark.parametrize(
    ("kind", "value"),
    [
        pytest.param("null", b"", id="null"),
        pytest.param("long", varint(7), id="long"),
        pytest.param("boolean", b"\1", id="boolean"),
        pytest.param("float", bytes(4), id="float"),
        pytest.param("double", bytes(8), id="double"),
        pytest.param("string", text("é"), id="string"),
        pytest.param(ENUM, varint(1), id="enum"),
        pytest.param({"type": "fixed", "name": "f", "size": 3}, b"abc", id="fixed"),
        pytest.param(["null", "int", "string"], varint(2) + text("s"), id="union"),
        pytest.param(["long", "null"], varint(1), id="optional"),
        pytest.param({"type": "array", "items": "int"}, varint(1) + varint(5) + b"\0", id="array"),
        pytest.param(
            {"type": "map", "values": ["null", "int"]},
            varint(-2) + varint(5) + text("a") + b"\0" + text("b") + varint(1) + varint(5) + b"\0",
            id="map",
        ),
        pytest.param({"type": "record", "name": "x", "fields": LONG}, varint(1), id="record"),
        pytest.param(EMPTY, b"", id="empty-record"),
    ],
)
def test_fields_without_an_id_are_passed_over(kind: Any, value: bytes) -> None:
    extra = {"name": "extra", "type": kind}
    content = file([extra, *LONG, extra | {"name": "more"}], (1, value + varint(5) + value))
    assert records(content) == [[5]]
    refused(file([extra, *LONG], (1, value + varint(5) + b"\0")))
    refused(file([extra, *LONG], (2, value + varint(5))))


def test_null_may_be_the_second_branch() -> None:
    fields = [field("a", ["long", "null"], 1), field("c", [COUNTS, "null"], 7)]
    first = varint(0) + varint(9) + varint(0) + varint(1) + varint(3) + varint(4) + varint(0)
    second = varint(1) + varint(1)
    assert records(file(fields, (2, first + second))) == [[9, [3, 4]], [None, None]]
    refused(file(fields, (1, varint(2) + varint(1))))
    refused(file(fields, (1, varint(-1) + varint(1))))


def test_parts_of_maps_may_have_any_names() -> None:
    fields = [
        field("c", pairs("int", "long", ("k", "v")), 1),
        field("b", pairs("int", "bytes", ("value", "key")), 2),
    ]
    content = varint(1) + varint(3) + varint(4) + b"\0" + varint(1) + varint(5) + text("x") + b"\0"
    assert records(file(fields, (1, content))) == [[[3, 4], {5: b"x"}]]


def test_what_is_null_in_a_map_or_list_is_left_out() -> None:
    fields = [
        field("b", pairs("int", ["null", "bytes"]), 1),
        field("c", {**COUNTS, "items": ["null", COUNTS["items"]]}, 2),
        field("l", {**LONGS, "items": ["long", "null"]}, 7),
    ]
    bounds = varint(2) + varint(3) + varint(1) + text("x") + varint(4) + varint(0) + b"\0"
    counts = varint(-2) + varint(4) + varint(0) + varint(1) + varint(6) + varint(7) + b"\0"
    longs = varint(1) + varint(1) + varint(2) + varint(0) + varint(8) + varint(1) + b"\0"
    assert records(file(fields, (1, bounds + counts + longs))) == [[{3: b"x"}, [6, 7], [8]]]


@pytest.mark.parametrize("size", [3, 5, 16])
def test_decimals_may_be_of_another_size(size: int) -> None:
    found = records(
        file(
            [field("a", DECIMAL | {"size": size}, 1)], (1, (-5).to_bytes(size, "big", signed=True))
        )
    )
    assert found == [[Decimal("-0.05")]]
    of_bytes = {"type": "bytes", "logicalType": "decimal", "precision": 9, "scale": 2}
    content = text((-5).to_bytes(size, "big", signed=True))
    assert records(file([field("a", of_bytes, 1)], (1, content))) == found
    refused(file([field("a", of_bytes, 1)], (1, text(b"\x7f" * 9))))


def test_logical_types_that_are_not_known_tell_nothing() -> None:
    kinds = [("long", "timestamp-millis"), ("long", "local-timestamp-micros"), ("int", "month")]
    fields = [
        field(f"f{n}", {"type": kind, "logicalType": logical}, n)
        for n, (kind, logical) in enumerate(kinds, 1)
    ]
    assert records(file(fields, (1, varint(1) + varint(2) + varint(3)))) == [[1, 2, 3]]


@pytest.mark.parametrize(
    "kind",
    [
        pytest.param({"type": "array", "items": BOUNDS["items"]}, id="no-map"),
        pytest.param({**BOUNDS, "items": "int"}, id="no-pairs"),
        pytest.param([], id="no-branch"),
        pytest.param(["null"], id="null-alone"),
        pytest.param(["long"], id="one-branch"),
        pytest.param(["null", "long", "int"], id="three-branches"),
        pytest.param(
            {**BOUNDS, "items": {**BOUNDS["items"], "fields": LONG * 3}},  # type: ignore[dict-item]
            id="more-than-pairs",
        ),
    ],
)
def test_what_iceberg_does_not_read_is_refused(kind: Any) -> None:
    refused(file([field("a", kind, 1)], (1, b"\0")))


@pytest.mark.parametrize("count", [1 << 40, -(1 << 40), -(1 << 63)])
def test_what_is_passed_over_ends(count: int) -> None:
    for items in ("null", EMPTY, {"type": "fixed", "name": "z", "size": 0}, "int", ["null"]):
        extra = {"name": "extra", "type": {"type": "array", "items": items}}
        refused(file([extra, *LONG], (1, varint(count) + varint(0) + varint(1))))
    refused(file([{"name": "extra", "type": "string"}, *LONG], (1, varint(count) + varint(1))))


def test_a_schema_is_read_once_however_deep_it_is() -> None:
    for around in (
        lambda kind: {**COUNTS, "items": kind},
        lambda kind: {**LONGS, "items": kind},
        lambda kind: {"type": "map", "values": kind},
        lambda kind: ["null", kind, "int"],
        lambda kind: {"type": "record", "name": "n", "fields": [{"name": "a", "type": kind}]},
    ):
        kind: Any = "int"
        for _ in range(60):
            kind = around(kind)
        content = file([{"name": "extra", "type": kind}, *LONG], (1, b"\0" * 60 + varint(1)))
        with contextlib.suppress(EOFError, ValueError):
            records(content)


FIXED = {"type": "fixed", "name": "fixed_3", "size": 3}


@pytest.mark.parametrize("has_sizes", [True, False])
def test_what_is_fixed_may_stand_behind_its_size(has_sizes: bool) -> None:
    """As Iceberg's Java library writes partition values, in all records of a file."""
    fields = [field("a", ["null", FIXED], 1), field("b", "fixed_3", 2), field("c", "long", 3)]
    size = varint(3) if has_sizes else b""
    one = varint(1) + size + b"abc" + size + b"\6de" + varint(7)
    none = varint(0) + size + b"fgh" + varint(8)
    content = file(fields, (1, none), (2, one + none), (0, b""))
    rows = [[None, b"fgh", 8], [b"abc", b"\6de", 7], [None, b"fgh", 8]]
    assert [list(found) for found in records(content)] == rows
