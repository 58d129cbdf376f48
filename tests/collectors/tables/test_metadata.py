import datetime as dt
import gzip
import json
from typing import Any

import pytest

from prunescope.collectors.errors import (
    SnapshotNotFound,
    UnknownFormatVersion,
    UnreadableMetadata,
)
from prunescope.collectors.partitioning import PartitionField, result_type
from prunescope.collectors.tables.metadata import TableMetadata
from prunescope.collectors.tables.metadata_reading import metadata_from_json, parse_metadata
from prunescope.collectors.tables.refs import snapshot_of_ref

SCHEMA = {
    "type": "struct",
    "schema-id": 0,
    "fields": [
        {"id": 1, "name": "id", "required": True, "type": "long"},
        {"id": 2, "name": "ts", "required": False, "type": "timestamp"},
    ],
}
WIDER = {
    **SCHEMA,
    "schema-id": 1,
    "fields": [
        *SCHEMA["fields"],  # type: ignore[misc]
        {"id": 3, "name": "new", "required": False, "type": "int"},
    ],
}


def at(second: int) -> dt.datetime:
    return dt.datetime.fromtimestamp(second, dt.UTC)


def snapshot(number: int, **others: Any) -> dict[str, Any]:
    return {
        "snapshot-id": number,
        "timestamp-ms": number * 1000,
        "manifest-list": f"/t/{number}.avro",
        **others,
    }


def document(**changes: Any) -> dict[str, Any]:
    """Version 2 metadata; a change to None removes the key."""
    base = {
        "format-version": 2,
        "table-uuid": "u",
        "location": "/t",
        "schemas": [SCHEMA, WIDER],
        "current-schema-id": 1,
        "default-spec-id": 0,
        "partition-specs": [
            {"spec-id": 0, "fields": []},
            {
                "spec-id": 1,
                "fields": [
                    {"source-id": 2, "field-id": 1000, "name": "day", "transform": "day"},
                    {"source-id": 9, "field-id": 1001, "name": "gone", "transform": "identity"},
                    {"source-ids": [1, 2], "field-id": 1002, "name": "z", "transform": "zorder"},
                ],
            },
        ],
        "current-snapshot-id": 30,
        "snapshots": [snapshot(20, **{"schema-id": 0}), snapshot(30, **{"schema-id": 0})],
        "snapshot-log": [
            {"timestamp-ms": 10_000, "snapshot-id": 10},
            {"timestamp-ms": 20_000, "snapshot-id": 20},
            {"timestamp-ms": 30_000, "snapshot-id": 30},
        ],
        "refs": {
            "main": {"snapshot-id": 30, "type": "branch"},
            "audit": {"snapshot-id": 20, "type": "tag"},
            "old": {"snapshot-id": 10, "type": "tag"},
        },
        "properties": {"a": "b"},
    }
    return {key: value for key, value in {**base, **changes}.items() if value is not None}


def read(**changes: Any) -> TableMetadata:
    return metadata_from_json(document(**changes), "/t/metadata.json")


V1 = {
    "format-version": 1,
    "location": "/t",
    "schema": {key: value for key, value in SCHEMA.items() if key != "schema-id"},
    "partition-spec": [
        {"source-id": 2, "name": "day", "transform": "day"},
        {"source-id": 1, "name": "bucket", "transform": "bucket[4]"},
    ],
    "current-snapshot-id": 5,
    "snapshots": [{"snapshot-id": 5, "timestamp-ms": 5000, "manifests": ["/t/a.avro"]}],
}


def test_version_1_without_lists_and_ids() -> None:
    metadata = metadata_from_json(V1, "/t/m.json")
    current = metadata.current_snapshot()
    assert current is not None
    assert (current.manifest_list, current.manifests) == (None, ("/t/a.avro",))
    schema = metadata.schema(current)
    assert [c.name for c in schema.columns] == ["id", "ts"]
    assert metadata.specs(schema)[0].fields == (
        PartitionField(1000, 2, "day", "day", "timestamp", "date"),
        PartitionField(1001, 1, "bucket", "bucket[4]", "long", "int"),
    )
    assert snapshot_of_ref(metadata, "main") is current
    assert metadata.snapshot_as_of(at(5)) is current


def test_fields_without_a_usable_source_lift_nothing() -> None:
    metadata = read()
    _, gone, several = metadata.specs(metadata.schema(None))[1].fields
    assert (gone.source_type, gone.result_type) == (None, None)
    assert (several.source_id, several.result_type) == (-1, None)


@pytest.mark.parametrize(
    ("written_as", "transform", "compared"),
    [
        ("date", "bucket[4]", None),
        ("timestamp", "bucket[4]", "int"),
        ("date", "day", "date"),
        ("date", "identity", "timestamp"),
    ],
)
def test_nothing_lifts_onto_buckets_of_a_promoted_date(
    written_as: str, transform: str, compared: str | None
) -> None:
    former = {**SCHEMA, "fields": [{**SCHEMA["fields"][1], "type": written_as}]}  # type: ignore[index]
    field = {"source-id": 2, "field-id": 1000, "name": "p", "transform": transform}
    metadata = read(
        schemas=[former, WIDER], **{"partition-specs": [{"spec-id": 0, "fields": [field]}]}
    )
    (now,) = metadata.specs(metadata.schema(None))[0].fields
    assert now.result_type == compared
    if written_as == "date":  # as it was for those who read it then
        (then,) = metadata.specs(metadata.schemas[0])[0].fields
        assert then.result_type == result_type(transform, "date")


@pytest.mark.parametrize("pack", [bytes, gzip.compress], ids=["plain", "gzip"])
def test_bytes_of_a_file(pack: Any) -> None:
    metadata = parse_metadata(pack(json.dumps(document()).encode()), "/t/m.json")
    assert metadata == read()


@pytest.mark.parametrize("current", [None, -1])
def test_a_table_that_was_never_written(current: int | None) -> None:
    nothing: dict[str, Any] = {"snapshots": [], "snapshot-log": [], "refs": {}}
    metadata = read(**{"current-snapshot-id": current, **nothing})
    assert metadata.current_snapshot() is None
    with pytest.raises(SnapshotNotFound, match="table is empty"):
        metadata.snapshot_as_of(at(50))


def test_old_snapshots_have_their_own_schema_and_the_current_one_the_tables() -> None:
    metadata = read()
    assert metadata.schema(metadata.snapshot_by_id(20)).schema_id == 0
    assert metadata.schema(metadata.snapshot_by_id(30)).schema_id == 1
    assert metadata.schema(None).schema_id == 1


def test_a_snapshot_that_names_no_schema_has_the_tables() -> None:
    metadata = read(snapshots=[snapshot(20), snapshot(30)])
    assert metadata.schema(metadata.snapshot_by_id(20)).schema_id == 1


@pytest.mark.parametrize(
    ("second", "expected"),
    [
        pytest.param(20, 20, id="at-an-entry"),
        pytest.param(29, 20, id="between-entries"),
        pytest.param(99, 30, id="after-the-last"),
    ],
)
def test_time_travel_follows_the_log(second: int, expected: int) -> None:
    assert read().snapshot_as_of(at(second)).snapshot_id == expected


def test_time_travel_follows_a_rollback() -> None:
    log = [
        {"timestamp-ms": 20_000, "snapshot-id": 20},
        {"timestamp-ms": 30_000, "snapshot-id": 30},
        {"timestamp-ms": 40_000, "snapshot-id": 20},
    ]
    assert read(**{"snapshot-log": log}).snapshot_as_of(at(45)).snapshot_id == 20


@pytest.mark.parametrize(
    ("second", "message"),
    [
        pytest.param(9, "No snapshot at that time", id="before-the-log"),
        pytest.param(15, "Snapshot not found in /t", id="expired"),
    ],
)
def test_time_travel_beyond_what_is_kept(second: int, message: str) -> None:
    with pytest.raises(SnapshotNotFound, match=message):
        read().snapshot_as_of(at(second))


@pytest.mark.parametrize(
    "content",
    [
        pytest.param(b"", id="empty"),
        pytest.param(b"{", id="truncated-json"),
        pytest.param(b"\x00\xff", id="binary"),
        pytest.param(gzip.compress(b"{}" * 100)[:-12], id="truncated-gzip"),
        pytest.param(b"\x1f\x8b\x08\x00" + b"\xff" * 40, id="damaged-gzip"),
        pytest.param(b"[" * 100_000, id="endless-nesting"),
    ],
)
def test_what_is_not_json(content: bytes) -> None:
    with pytest.raises(UnreadableMetadata, match=r"/t/m\.json is not JSON"):
        parse_metadata(content, "/t/m.json")


def test_newer_versions_of_the_format_are_refused_by_name() -> None:
    newer = json.dumps(document(**{"format-version": 4})).encode()
    with pytest.raises(UnknownFormatVersion, match=r"format-version is 4; .* 1, 2 and 3"):
        parse_metadata(newer, "/t/m.json")


@pytest.mark.parametrize(
    ("broken", "message"),
    [
        pytest.param([], "is JSON but not an object", id="list"),
        pytest.param({}, "format-version is None", id="nothing"),
        pytest.param(document(**{"format-version": "2"}), "format-version is '2'", id="text"),
        pytest.param(document(location=None), "KeyError at 'location'", id="no-location"),
        pytest.param(document(schemas=None), "KeyError at 'schema'", id="no-schema"),
        pytest.param(
            document(schemas=[{"fields": [{"id": 1}]}]),
            "KeyError at 'name'",
            id="field-without-name",
        ),
        pytest.param(
            document(snapshots=[{"snapshot-id": 1}]), "KeyError at 'timestamp-ms'", id="no-time"
        ),
        pytest.param(
            document(snapshots=[{"snapshot-id": 1, "timestamp-ms": 10**30}]),
            "is invalid",
            id="time-beyond-all-calendars",
        ),
        pytest.param(
            document(snapshots=[{"snapshot-id": 1, "timestamp-ms": "x"}]),
            "TypeError",
            id="time-is-text",
        ),
        pytest.param(
            document(**{"partition-specs": [{"spec-id": 0, "fields": [{"source-id": 1}]}]}),
            "KeyError at 'name'",
            id="partition-field-without-name",
        ),
        pytest.param(
            document(
                **{"partition-specs": [{"spec-id": 3, "fields": [{"name": "a", "transform": 5}]}]}
            ),
            "partition field of spec 3",
            id="transform-is-a-number",
        ),
        pytest.param(document(refs={"main": {}}), "KeyError at 'snapshot-id'", id="empty-ref"),
        *(
            pytest.param(document(**{name: value}), f"at {name}, which is", id=f"{name}-{value}")
            for name in ("last-sequence-number", "last-updated-ms", "last-column-id")
            for value in (1.5, "5", True)
        ),
        pytest.param(
            document(**{"last-column-id": 2**31}),
            "at last-column-id, a number beyond 32 bits",
            id="column-id-beyond-an-int",
        ),
        pytest.param(
            document(**{"last-updated-ms": 2**63}),
            "at last-updated-ms, a number beyond 64 bits",
            id="time-beyond-a-long",
        ),
        pytest.param(
            document(snapshots=[snapshot(30, **{"sequence-number": 0.5})]),
            "at sequence-number, which is no whole number",
            id="sequence-number-of-a-snapshot",
        ),
    ],
)
def test_malformed_metadata_names_the_place(broken: Any, message: str) -> None:
    with pytest.raises(UnreadableMetadata, match=message) as caught:
        metadata_from_json(broken, "/t/m.json")
    assert "/t/m.json" in str(caught.value)


@pytest.mark.parametrize("number", ["NaN", "-Infinity", "1e999", "-1e999"])
def test_numbers_that_are_not_finite(number: str) -> None:
    """Wherever they stand."""
    content = json.dumps(document(of_nobody=[7_777])).replace("7777", number).encode()
    with pytest.raises(UnreadableMetadata, match=r"/t/m\.json has a number that is not finite"):
        parse_metadata(content, "/t/m.json")


def test_of_a_name_that_stands_twice_the_last_value_counts() -> None:
    content = json.dumps(document()).replace('"location": "/t"', '"location": 1, "location": "/t"')
    assert parse_metadata(content.encode(), "/t/m.json").location == "/t"


def test_an_opened_table_holds_little() -> None:
    summary = {"operation": "append", "total-records": "7", "added-records": "3", "engine": "x"}
    metadata = metadata_from_json(document(snapshots=[snapshot(30, summary=summary)]), "/t")
    assert metadata.snapshots[30].summary == {"operation": "append", "total-records": "7"}
    narrow, wide = (metadata.schemas[number].columns for number in (0, 1))
    assert [old is new for old, new in zip(narrow, wide, strict=False)] == [True, True]
