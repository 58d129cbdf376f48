"""Which metrics writers keep of columns; Iceberg's own answers are in the differential tests."""

from __future__ import annotations

import json
from typing import Any

import pytest

from prunescope.collectors.tables.metadata import TableMetadata
from prunescope.collectors.tables.metadata_reading import parse_metadata
from prunescope.collectors.tables.metrics_modes import MetricsModes, truncated_to

PREFIX = "write.metadata.metrics."
DEFAULT, FIRST = f"{PREFIX}default", f"{PREFIX}max-inferred-column-defaults"


def column(number: int, name: str, kind: str | dict[str, Any] = "int") -> dict[str, Any]:
    return {"id": number, "name": name, "required": False, "type": kind}


FIELDS = [
    column(1, "s", {"type": "struct", "fields": [column(4, "x"), column(5, "y")]}),
    column(2, "c"),
    column(3, "d"),
]


def modes(
    properties: dict[str, str], *, order: tuple[int, ...] = (), more: tuple[int, ...] = ()
) -> MetricsModes:
    return MetricsModes.of(metadata(properties, order), ordered=more)


def metadata(properties: dict[str, str], order: tuple[int, ...]) -> TableMetadata:
    document = {
        "format-version": 2,
        "location": "file:/lake/t",
        "current-schema-id": 0,
        "schemas": [{"type": "struct", "schema-id": 0, "fields": FIELDS}],
        "default-spec-id": 0,
        "partition-specs": [{"spec-id": 0, "fields": []}],
        "default-sort-order-id": 1,
        "sort-orders": [{"order-id": 1, "fields": [{"source-id": number} for number in order]}],
        "properties": properties,
    }
    return parse_metadata(json.dumps(document).encode(), "file:/lake/t/v1.metadata.json")


@pytest.mark.parametrize(
    ("properties", "mode"),
    [
        pytest.param({}, "truncate(16)", id="nothing-set"),
        pytest.param({DEFAULT: "none"}, "none", id="default"),
        pytest.param({DEFAULT: "Counts"}, "counts", id="in-any-case"),
        pytest.param({f"{PREFIX}column.c": "full"}, "full", id="of-the-column"),
        pytest.param({DEFAULT: "none", f"{PREFIX}column.c": "counts"}, "counts", id="both"),
        pytest.param({f"{PREFIX}column.d": "counts"}, "truncate(16)", id="of-another"),
        pytest.param({FIRST: "0"}, "none", id="beyond"),
        pytest.param({FIRST: "-1"}, "truncate(16)", id="no-number"),
        pytest.param({FIRST: "0", DEFAULT: "full"}, "full", id="nothing-is-inferred"),
    ],
)
def test_the_mode_of_a_column(properties: dict[str, str], mode: str) -> None:
    assert modes(properties).mode("c") == mode


@pytest.mark.parametrize(
    ("properties", "mode"),
    [
        pytest.param({DEFAULT: "none"}, "truncate(16)", id="none"),
        pytest.param({DEFAULT: "counts"}, "truncate(16)", id="counts"),
        pytest.param({DEFAULT: "full"}, "full", id="full"),
        pytest.param({FIRST: "0"}, "truncate(16)", id="beyond"),
        pytest.param({f"{PREFIX}column.c": "none"}, "none", id="its-own"),
    ],
)
def test_what_a_table_is_ordered_by_has_bounds(properties: dict[str, str], mode: str) -> None:
    assert modes(properties, order=(2,)).mode("c") == mode
    assert modes(properties, more=(2,)).mode("c") == mode


@pytest.mark.parametrize(
    ("first", "beyond"),
    [
        (0, {"c", "d", "s.x", "s.y"}),
        (1, {"d", "s.x", "s.y"}),
        (2, {"s.x", "s.y"}),
        (3, {"s.y"}),
        (4, set()),
    ],
)
def test_values_of_a_struct_come_before_what_its_fields_hold(first: int, beyond: set[str]) -> None:
    assert modes({FIRST: str(first)}).beyond == beyond


@pytest.mark.parametrize(
    ("mode", "length"),
    [
        ("truncate(4)", 4),
        ("full", None),
        ("none", None),
        ("truncate(many)", None),
        ("truncate(-1)", None),
        (f"truncate({'9' * 5_000})", None),
    ],
)
def test_how_much_bounds_have(mode: str, length: int | None) -> None:
    assert truncated_to(mode) == length
