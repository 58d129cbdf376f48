"""Metadata that contradicts itself is told to, and never taken for that of another table, or of an
empty one."""

from __future__ import annotations

import copy
import json
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from prunescope.collectors.errors import UnreadableMetadata
from prunescope.collectors.storage.files import Storage
from prunescope.collectors.tables.manifest_list import Manifest, read_manifest_list
from prunescope.collectors.tables.manifests import read_manifests
from prunescope.collectors.tables.metadata_reading import metadata_from_json
from prunescope.collectors.tables.refs import snapshot_of_ref
from tests.collectors.tables.avro_bombs import LISTED, with_header
from tests.collectors.tables.avro_files import text, varint
from tests.collectors.tables.made_manifests import made
from tests.collectors.tables.test_metadata import SCHEMA, V1, document, snapshot
from tests.mutations import spots

LIST = {"avro.schema": json.dumps({"type": "record", "name": "r", "fields": LISTED}).encode()}
ORDERS = [{"order-id": 3, "fields": [{"source-id": 1, "transform": "identity"}]}]
WHOLE = document(
    **{
        "default-spec-id": 1,
        "sort-orders": [{"order-id": 0, "fields": []}, *ORDERS],
        "default-sort-order-id": 3,
        "snapshots": [snapshot(20, **{"schema-id": 0}), snapshot(30, **{"schema-id": 1})],
    }
)
MAIN = {"main": {"snapshot-id": 20, "type": "branch"}}
NOTHING: dict[str, Any] = {"snapshots": [], "snapshot-log": [], "refs": {}}


def changed(*missing: str, **changes: Any) -> dict[str, Any]:
    found = {**WHOLE, **changes}
    return {key: value for key, value in found.items() if key not in missing}


@pytest.mark.parametrize(
    ("found", "message"),
    [
        pytest.param(
            changed(snapshots=[snapshot(20)]),
            "current-snapshot-id is 30, and snapshots has no such id",
            id="current-snapshot-that-is-not-there",
        ),
        pytest.param(
            changed(snapshots=[]),
            "current-snapshot-id is 30, and snapshots has no such id",
            id="no-snapshots",
        ),
        pytest.param(
            changed("current-snapshot-id"),
            "current-snapshot-id is missing, and the branch main is at snapshot 30",
            id="no-current-snapshot-but-main",
        ),
        pytest.param(
            changed(**{"current-snapshot-id": -1}),
            "current-snapshot-id is -1, and the branch main is at snapshot 30",
            id="current-snapshot-minus-1-but-main",
        ),
        pytest.param(
            changed("current-snapshot-id", "refs"),
            "current-snapshot-id is missing, and snapshot-log says what was current",
            id="no-current-snapshot-but-a-log",
        ),
        pytest.param(
            changed("current-snapshot-id", "refs", "snapshot-log"),
            "current-snapshot-id is missing, and there are 2 snapshots",
            id="no-current-snapshot-but-snapshots",
        ),
        pytest.param(
            changed(refs=MAIN),
            "current-snapshot-id is 30, and the branch main is at snapshot 20",
            id="main-elsewhere",
        ),
        pytest.param(
            changed(snapshots=[snapshot(30), snapshot(30, summary={"total-records": "1"})]),
            "snapshots has two of the id 30",
            id="two-snapshots-of-one-id",
        ),
        pytest.param(
            changed(**{"last-sequence-number": -5}),
            "last-sequence-number is -5, and a snapshot has 0",
            id="last-sequence-number-below-zero",
        ),
        pytest.param(
            changed(snapshots=[snapshot(20), snapshot(30, **{"sequence-number": 7})])
            | {"last-sequence-number": 6},
            "last-sequence-number is 6, and a snapshot has 7",
            id="snapshot-of-a-later-commit",
        ),
        pytest.param(
            changed(**{"current-schema-id": 9}),
            "current-schema-id is 9, and schemas has no such id",
            id="current-schema-that-is-not-there",
        ),
        pytest.param(
            changed("current-schema-id"),
            "current-schema-id is missing, and schemas has 2 entries",
            id="no-current-schema",
        ),
        pytest.param(
            changed(schemas=[SCHEMA, {**SCHEMA, "fields": []}]),
            "schemas has two of the id 0",
            id="two-schemas-of-one-id",
        ),
        pytest.param(
            changed(**{"default-spec-id": 9}),
            "default-spec-id is 9, and partition-specs has no such id",
            id="default-spec-that-is-not-there",
        ),
        pytest.param(
            changed("default-spec-id"),
            "default-spec-id is missing, and partition-specs has 2 entries",
            id="no-default-spec",
        ),
        pytest.param(
            changed(**{"default-sort-order-id": 9}),
            "default-sort-order-id is 9, and sort-orders has no such id",
            id="default-order-that-is-not-there",
        ),
        pytest.param(
            changed("default-sort-order-id"),
            "default-sort-order-id is missing, and sort-orders has 2 entries",
            id="no-default-order",
        ),
    ],
)
def test_what_contradicts_itself_is_told(found: dict[str, Any], message: str) -> None:
    with pytest.raises(UnreadableMetadata) as told:
        metadata_from_json(found, "/t/m.json")
    assert str(told.value).startswith(f"/t/m.json contradicts itself: {message}. Compare it")


def test_a_snapshot_whose_schema_is_not_there_is_not_read_by_another() -> None:
    """Others are."""
    metadata = metadata_from_json(
        changed(snapshots=[snapshot(20, **{"schema-id": 9}), snapshot(30)]), "/t/m.json"
    )
    assert metadata.schema(metadata.current_snapshot()).schema_id == 1
    with pytest.raises(UnreadableMetadata, match="schema-id of snapshot 20 is 9, and schemas has"):
        metadata.schema_of(metadata.snapshot_by_id(20))


def test_a_ref_that_names_nothing_stops_only_who_asks_for_it() -> None:
    metadata = metadata_from_json(WHOLE, "/t/m.json")
    assert metadata.current_snapshot() is not None
    with pytest.raises(UnreadableMetadata, match="its ref old is 10, and snapshots has no such id"):
        snapshot_of_ref(metadata, "old")


@pytest.mark.parametrize(
    "found",
    [
        pytest.param(changed("current-snapshot-id", **NOTHING), id="never-written"),
        pytest.param(changed(**{**NOTHING, "current-snapshot-id": -1}), id="never-written-by-java"),
        pytest.param(changed(**{**NOTHING, "current-snapshot-id": None}), id="version-3"),
        # Iceberg Java 1.11: REPLACE TABLE, and staged commits (WAP).
        pytest.param(
            changed(**{"current-snapshot-id": -1, "refs": {}, "snapshot-log": []}), id="replaced"
        ),
        pytest.param(
            changed(
                "current-snapshot-id",
                **{"refs": {"dev": {"snapshot-id": 20, "type": "branch"}}, "snapshot-log": []},
            ),
            id="written-to-a-branch-alone",
        ),
    ],
)
def test_what_has_no_current_snapshot_is_empty(found: dict[str, Any]) -> None:
    assert metadata_from_json(found, "/t/m.json").current_snapshot() is None


def dropped(parent: Any, key: Any) -> None:
    del parent[key]


def misspelled(parent: Any, key: Any) -> None:
    if isinstance(key, str):
        flipped = chr(ord(key[-1]) ^ 1)
        parent[key[:-1] + flipped] = parent.pop(key)


def negated(parent: Any, key: Any) -> None:
    if type(parent[key]) is int:
        parent[key] = -parent[key] - 1


def another(parent: Any, key: Any) -> None:
    if type(parent[key]) is int:
        parent[key] += 1


MUTATIONS: Sequence[Callable[[Any, Any], None]] = (dropped, misspelled, negated, another)


def mutated(valid: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    for mutate in MUTATIONS:
        for number, (_, key) in enumerate(spots(valid)):
            found = copy.deepcopy(valid)
            mutate(spots(found)[number][0], key)
            if found != valid:
                yield f"{mutate.__name__} {number} {key}", found


@pytest.mark.parametrize("valid", [WHOLE, V1], ids=["v2", "v1"])
def test_no_single_fault_empties_a_table(valid: dict[str, Any]) -> None:
    """Whatever number or key of its metadata is another, or missing: what is read still has the
    current snapshot, or there is an error that says where."""
    outcomes = {what: read_or_told(found) for what, found in mutated(valid)}
    counts = Counter(outcomes.values())
    assert set(counts) == {"read", "told"}, outcomes
    assert min(counts.values()) > 10


def read_or_told(found: dict[str, Any]) -> str:
    try:
        current = metadata_from_json(found, "/t/m.json").current_snapshot()
    except UnreadableMetadata as error:
        return "told" if str(error).startswith("/t/m.json") else str(error)
    return "emptied" if current is None else "read"


@pytest.mark.parametrize(
    ("noted", "is_told"),
    [
        pytest.param("30", False, id="its own"),
        pytest.param("20", True, id="that of another"),
        pytest.param("-20", True, id="signed"),
        pytest.param("null", False, id="not told"),
    ],
)
def test_a_list_that_is_another_snapshots_is_told(
    noted: str, tmp_path: Path, *, is_told: bool
) -> None:
    path = tmp_path / "list.avro"
    path.write_bytes(with_header({**LIST, "snapshot-id": noted.encode()}))
    metadata = metadata_from_json(
        changed(snapshots=[snapshot(30, **{"manifest-list": str(path)})]), "/t/m.json"
    )
    current = metadata.current_snapshot()
    assert current is not None
    if not is_told:
        assert read_manifest_list(current, Storage()) == ()
        return
    with pytest.raises(UnreadableMetadata, match=f"notes that it is that of snapshot {noted}"):
        read_manifest_list(current, Storage())


def test_ids_may_have_gone_through_numbers_of_53_bits(tmp_path: Path) -> None:
    """As those of samples of Impala's, whose metadata some tool has written anew."""
    path = tmp_path / "list.avro"
    path.write_bytes(with_header({**LIST, "snapshot-id": b"2190628750428777669"}))
    current = snapshot(0, **{"snapshot-id": 2190628750428777700, "manifest-list": str(path)})
    found = changed(snapshots=[current], refs={}, **{"current-snapshot-id": 2190628750428777700})
    read = metadata_from_json(found, "/t/m.json").current_snapshot()
    assert read is not None
    assert read_manifest_list(read, Storage()) == ()


@pytest.mark.parametrize("listed", [0, 1])
def test_a_manifest_of_another_spec_is_told(listed: int, tmp_path: Path) -> None:
    path = tmp_path / "manifest.avro"
    header = made({}, count=2)[4:]
    note = varint(1) + text("partition-spec-id") + text("1")
    path.write_bytes(b"Obj\x01" + note + header)
    manifest = Manifest(str(path), path.stat().st_size, listed, False, None, None, None)
    ((_, found),) = read_manifests([manifest], Storage(), columns=None)
    if listed == 1:
        assert not isinstance(found, BaseException)
        assert len(found) == 2
    else:
        assert isinstance(found, UnreadableMetadata)
        assert "notes that it is of partition spec 1, and its list says 0" in str(found)
