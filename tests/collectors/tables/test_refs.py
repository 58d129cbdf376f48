"""Which snapshot a branch or tag names, now and at a time."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest

from prunescope.collectors.errors import SnapshotNotFound, UnreadableMetadata
from prunescope.collectors.tables.refs import snapshot_of_ref
from tests.collectors.tables.test_metadata import at, read, snapshot

# main: 10 (expired), 20, 30, and the branch: 20, 40, 60.
SNAPSHOTS = [
    snapshot(20, **{"parent-snapshot-id": 10}),
    snapshot(30, **{"parent-snapshot-id": 20}),
    snapshot(40, **{"parent-snapshot-id": 20}),
    snapshot(60, **{"parent-snapshot-id": 40}),
]
REFS = {
    "main": {"snapshot-id": 30, "type": "branch"},
    "dev": {"snapshot-id": 60, "type": "branch"},
    "audit": {"snapshot-id": 20, "type": "tag"},
    "old": {"snapshot-id": 10, "type": "tag"},
}


def named(ref: str, moment: dt.datetime | None = None, **changes: Any) -> int:
    metadata = read(**{"snapshots": SNAPSHOTS, "refs": REFS, **changes})
    return snapshot_of_ref(metadata, ref, moment).snapshot_id


def test_refs_of_now() -> None:
    assert [named(ref) for ref in ("main", "dev", "audit")] == [30, 60, 20]
    with pytest.raises(UnreadableMetadata, match="its ref old is 10, and snapshots has no"):
        named("old")
    with pytest.raises(SnapshotNotFound, match="Known: audit, dev, main, old"):
        named("x")


@pytest.mark.parametrize(
    ("ref", "second", "expected"),
    [
        pytest.param("dev", 99, 60, id="after the last commit"),
        pytest.param("dev", 60, 60, id="at a commit"),
        pytest.param("dev", 59, 40, id="between commits"),
        pytest.param("dev", 35, 20, id="before its first commit: where it was made"),
        pytest.param("main", 29, 20, id="main, by the log"),
        pytest.param("audit", 5, 20, id="a tag stays"),
    ],
)
def test_a_branch_is_what_it_was(ref: str, second: int, expected: int) -> None:
    assert named(ref, at(second)) == expected


def test_main_follows_a_rollback() -> None:
    log = [{"timestamp-ms": s * 1000, "snapshot-id": n} for s, n in [(20, 20), (30, 30), (40, 20)]]
    assert named("main", at(45), **{"snapshot-log": log}) == 20


@pytest.mark.parametrize(
    ("parents", "message"),
    [
        pytest.param({60: 40, 40: 10}, "it was expired", id="expired"),
        pytest.param({60: 40, 40: None}, "no snapshot from before the time", id="made later"),
        pytest.param({60: 40, 40: 60}, "no snapshot from before the time", id="a circle"),
        pytest.param({60: 60}, "no snapshot from before the time", id="its own parent"),
    ],
)
def test_a_branch_that_cannot_be_told(parents: dict[int, int | None], message: str) -> None:
    snapshots = [
        snapshot(number, **{"parent-snapshot-id": parent})
        for number, parent in {30: None, **parents}.items()
    ]
    with pytest.raises(SnapshotNotFound, match=message):
        named("dev", at(15), snapshots=snapshots)


@pytest.mark.parametrize("parent", [None, -1])
def test_the_first_snapshot_has_no_parent(parent: int | None) -> None:
    metadata = read(snapshots=[snapshot(30, **{"parent-snapshot-id": parent})])
    assert metadata.snapshots[30].parent_id is None


@pytest.mark.parametrize("is_branch", [True, False])
def test_a_table_without_refs_has_main(*, is_branch: bool) -> None:
    refs: dict[str, Any] | None = {} if is_branch else None
    assert named("main", refs=refs) == 30
    empty: dict[str, Any] = {"current-snapshot-id": None, "snapshot-log": []}
    with pytest.raises(SnapshotNotFound, match="Known: none"):
        named("main", refs=refs, snapshots=[], **empty)
