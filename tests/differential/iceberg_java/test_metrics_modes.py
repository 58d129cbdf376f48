"""The modes in which metrics are written, as Iceberg's own MetricsConfig has them."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from prunescope.collectors.tables.metadata_reading import parse_metadata
from prunescope.collectors.tables.metrics_modes import MetricsModes
from tests.differential.iceberg_java.lake import run_java, write_lines
from tests.differential.iceberg_java.values import seeded
from tests.jars import artefact

pytestmark = pytest.mark.slow

NEWEST = "org.apache.iceberg:iceberg-spark-runtime-4.1_2.13:1.12.0"
TABLES = 400
_PREFIX = "write.metadata.metrics."
_MODES = ("none", "counts", "truncate(4)", "FULL", "Counts")


def test_modes_are_those_of_iceberg(require_program: Callable[[str], Path], tmp_path: Path) -> None:
    draw = seeded("metrics modes")
    tables = [_table(draw) for _ in range(TABLES)]
    asked, told = tmp_path / "tables.jsonl", tmp_path / "modes.jsonl"
    write_lines(asked, tables)
    run_java(artefact(NEWEST, require_program), "Modes.java", asked, told)

    without = 0
    for raw, line in zip(tables, told.read_text().splitlines(), strict=True):
        metadata = parse_metadata(json.dumps(raw).encode(), raw["location"])
        modes = MetricsModes.of(metadata)
        columns = [c.name for c in metadata.schema(None).columns if c.type not in _NESTED]
        theirs = json.loads(line)
        assert {name: modes.mode(name) for name in columns} == {
            name: theirs[name] for name in columns
        }, raw
        without += sum(map(modes.is_without_bounds, columns))
    assert without > TABLES


_NESTED = ("struct", "list", "map")


def _table(draw: random.Random) -> dict[str, Any]:
    ids = count(1)
    fields = [_field(draw, ids, depth=0) for _ in range(draw.randint(1, 7))]
    values = [*_values(fields, ())]
    properties = {}
    if draw.random() < 0.25:
        properties[f"{_PREFIX}default"] = draw.choice(_MODES)
    if draw.random() < 0.7:
        wanted = draw.choice([*map(str, range(8)), "-1"])
        properties[f"{_PREFIX}max-inferred-column-defaults"] = wanted
    if values and draw.random() < 0.4:
        properties[f"{_PREFIX}column.{draw.choice(values)[0]}"] = draw.choice(_MODES)
    order: list[dict[str, Any]] = []
    if values and draw.random() < 0.4:
        order = [
            {
                "transform": "identity",
                "source-id": draw.choice(values)[1],
                "direction": "asc",
                "null-order": "nulls-first",
            }
        ]
    return {
        "format-version": 2,
        "table-uuid": "0b8ff2a4-6a3a-4b0e-9b68-6d1b4b3f6d7e",
        "location": "file:/lake/t",
        "last-sequence-number": 0,
        "last-updated-ms": 0,
        "last-column-id": next(ids),
        "current-schema-id": 0,
        "schemas": [{"type": "struct", "schema-id": 0, "fields": fields}],
        "default-spec-id": 0,
        "partition-specs": [{"spec-id": 0, "fields": []}],
        "last-partition-id": 999,
        "default-sort-order-id": 1 if order else 0,
        "sort-orders": [{"order-id": 1 if order else 0, "fields": order}],
        "properties": properties,
    }


def _field(draw: random.Random, ids: Iterator[int], depth: int) -> dict[str, Any]:
    number = next(ids)
    return {"id": number, "name": f"c{number}", "required": False, "type": _type(draw, ids, depth)}


def _type(draw: random.Random, ids: Iterator[int], depth: int) -> str | dict[str, Any]:
    kind = draw.random()
    if kind < 0.25 and depth < 3:
        made = [_field(draw, ids, depth + 1) for _ in range(draw.randint(1, 4))]
        return {"type": "struct", "fields": made}
    if kind < 0.35:
        return {
            "type": "list",
            "element-id": next(ids),
            "element": "long",
            "element-required": False,
        }
    if kind < 0.45:
        return {
            "type": "map",
            "key-id": next(ids),
            "key": "string",
            "value-id": next(ids),
            "value": "long",
            "value-required": False,
        }
    return draw.choice(["int", "string", "timestamptz"])


def _values(fields: list[dict[str, Any]], parent: tuple[str, ...]) -> Iterator[tuple[str, int]]:
    for field in fields:
        path = (*parent, field["name"])
        if isinstance(field["type"], str):
            yield ".".join(path), field["id"]
        elif field["type"]["type"] == "struct":
            yield from _values(field["type"]["fields"], path)
