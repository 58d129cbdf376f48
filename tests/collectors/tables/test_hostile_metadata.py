"""Every field of table metadata, of every wrong type: a table, or an error that says so."""

from __future__ import annotations

import datetime as dt
import json
from collections import Counter
from contextlib import suppress
from typing import Any

import pytest

from prunescope.collectors.errors import PrunescopeError, SnapshotNotFound, UnreadableMetadata
from prunescope.collectors.tables.metadata_reading import parse_metadata
from prunescope.collectors.tables.name_mapping import PROPERTY, read_name_mapping
from prunescope.collectors.tables.properties import SizeProperty, count_of
from prunescope.collectors.tables.refs import snapshot_of_ref
from tests.collectors.tables.hostile_metadata import hostile
from tests.collectors.tables.test_metadata import V1, document

NESTED = {
    "id": 4,
    "name": "point",
    "required": False,
    "type": {
        "type": "struct",
        "fields": [{"id": 5, "name": "x", "required": True, "type": "double"}],
    },
}
WHOLE = document(
    schemas=[
        {
            "type": "struct",
            "schema-id": 1,
            "fields": [
                {"id": 1, "name": "id", "required": True, "type": "long", "initial-default": 3},
                {"id": 2, "name": "ts", "required": False, "type": "timestamp"},
                NESTED,
            ],
        }
    ],
    **{"default-spec-id": 1, "last-column-id": 5},
)
WHOLE["snapshots"][0]["summary"] = {"operation": "append", "total-files-size": "5"}


@pytest.mark.parametrize("valid", [WHOLE, V1], ids=["v2", "v1"])
@pytest.mark.slow
def test_every_field_of_every_wrong_type_is_a_table_or_says_what_is_wrong(
    valid: dict[str, Any],
) -> None:
    outcomes = Counter(
        outcome(json.dumps(changed).encode()) for _, changed in hostile({**valid, "properties": {}})
    )
    assert outcomes.pop("unknown_format_version") < 10
    assert set(outcomes) == {"table", "unreadable_metadata"}
    assert min(outcomes.values()) > 100


def outcome(content: bytes) -> str:
    try:
        use(content)
    except PrunescopeError as error:
        return error.code if "/t/m.json" in str(error) else f"nowhere: {error}"
    return "table"


def use(content: bytes) -> None:
    """All that an audit asks of metadata, but for reading files."""
    metadata = parse_metadata(content, "/t/m.json")
    with suppress(SnapshotNotFound, UnreadableMetadata):
        metadata.current_snapshot()
    with suppress(SnapshotNotFound, UnreadableMetadata):
        metadata.snapshot_as_of(dt.datetime.now(dt.UTC))
    for ref, moment in (("audit", None), ("dev", dt.datetime.fromtimestamp(0, dt.UTC))):
        with suppress(SnapshotNotFound, UnreadableMetadata):
            snapshot_of_ref(metadata, ref, moment)
    for snapshot in (None, *metadata.snapshots.values()):
        with suppress(UnreadableMetadata):
            schema = metadata.schema(snapshot)
            assert metadata.default_spec_id in metadata.specs(schema)
            hash(schema)
            str(schema)
    read_name_mapping(metadata.properties)
    count_of(metadata.properties, "write.target-file-size-bytes")


@pytest.mark.parametrize(
    ("text", "number"),
    [
        pytest.param("536870912", 536_870_912, id="number"),
        pytest.param("+07", 7, id="sign-and-zeros"),
        pytest.param("0", 0, id="zero"),
        pytest.param(str(2**63 - 1), 2**63 - 1, id="largest"),
        pytest.param(str(2**63), None, id="beyond"),
        pytest.param("9" * 5_000, None, id="5000-digits"),
        pytest.param("-1", None, id="negative"),
        pytest.param("1.5", None, id="fraction"),
        pytest.param("512MB", None, id="unit"),
        pytest.param("", None, id="empty"),
        pytest.param("²", None, id="no-digit"),
    ],
)
def test_a_property_counts_what_java_reads(text: str, number: int | None) -> None:
    assert count_of({"p": text}, "p") == number
    assert count_of({}, "p") is None
    assert SizeProperty("p", 8).of({"p": text}) == (number or 8)


@pytest.mark.parametrize("depth", [900, 100_000])
def test_of_a_mapping_nested_without_end_nothing_is_known(depth: int) -> None:
    text = '[{"names": ["a"], "fields": ' * depth + "[]" + "}]" * depth
    assert read_name_mapping({PROPERTY: text}) == {}
