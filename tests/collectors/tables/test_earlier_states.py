"""What is put together of the states of a table that a catalog keeps, one snapshot in each.

tests/integration/test_catalog_servers.py asks a real one."""

from __future__ import annotations

import datetime as dt
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prunescope.collectors.errors import (
    PrunescopeError,
    SnapshotNotFound,
    TableNotFound,
    TableTooSlow,
)
from prunescope.collectors.tables.earlier_states import name_at, reaching_back
from prunescope.collectors.tables.metadata import TableMetadata
from prunescope.collectors.tables.metadata_reading import metadata_from_json

START = dt.datetime(2026, 3, 10, tzinfo=dt.UTC)
AT_ALL = START - dt.timedelta(days=1)


def at(seconds: float) -> dt.datetime:
    return START + dt.timedelta(seconds=seconds)


def milliseconds(moment: dt.datetime) -> int:
    return round(moment.timestamp() * 1000)


@dataclass(frozen=True)
class Commit:
    """One that made a snapshot current, None for a table that is new; `ahead` are seconds by which
    its writer's clock is."""

    moment: dt.datetime
    snapshot_id: int | None
    uuid: str = "a"
    ahead: float = 0.0

    @property
    def metadata(self) -> TableMetadata:
        told = milliseconds(self.moment + dt.timedelta(seconds=self.ahead - 0.002))
        one = {"snapshot-id": self.snapshot_id, "timestamp-ms": told, "schema-id": 0}
        of_snapshot = {
            "current-snapshot-id": self.snapshot_id,
            "snapshots": [one],
            "snapshot-log": [one],
        }
        fields = [{"id": 1, "name": "x", "type": "long", "required": False}]
        return metadata_from_json(
            {
                "format-version": 2,
                "location": "s3://lake/t",
                "table-uuid": self.uuid,
                "last-updated-ms": told,
                "schemas": [{"schema-id": 0, "fields": fields}],
                "partition-specs": [{"spec-id": 0, "fields": []}],
                **({} if self.snapshot_id is None else of_snapshot),
            },
            "s3://lake/t/metadata.json",
        )


@dataclass
class Catalog:
    """One that has these commits, the earliest first, and fails for times before one."""

    commits: Sequence[Commit]
    fails_before: dt.datetime | None = None
    error: PrunescopeError = field(default_factory=lambda: PrunescopeError("it is busy"))
    asked: list[dt.datetime] = field(default_factory=list)

    def state_at(self, moment: dt.datetime) -> TableMetadata:
        self.asked.append(moment)
        if self.fails_before is not None and moment < self.fails_before:
            raise self.error
        known = bisect_right([commit.moment for commit in self.commits], moment)
        if not known:
            raise TableNotFound("no")
        return self.commits[known - 1].metadata

    def since(self, moment: dt.datetime) -> TableMetadata:
        return reaching_back(self.commits[-1].metadata, self.state_at, moment)


def read(metadata: TableMetadata, moments: Sequence[dt.datetime]) -> Iterator[int | None]:
    for moment in moments:
        try:
            yield metadata.snapshot_as_of(moment).snapshot_id
        except SnapshotNotFound:
            yield None


@given(
    gaps=st.lists(st.integers(1, 90), min_size=1, max_size=12),
    ids=st.lists(st.integers(1, 4), min_size=12, max_size=12),
    is_new=st.booleans(),
    ahead=st.sampled_from([0.0, 0.4]),
    wanted=st.integers(0, 12),
)
def test_each_time_has_the_snapshot_that_was_current(
    gaps: list[int], ids: list[int], is_new: bool, ahead: float, wanted: int
) -> None:
    """Snapshots may become current again, and commits may make none, or be those of a writer whose
    clock is ahead."""
    moments = [at(sum(gaps[: number + 1])) for number in range(len(gaps))]
    commits = [Commit(*one, ahead=ahead) for one in zip(moments, ids, strict=False)]
    if is_new:
        commits.insert(0, Commit(at(0), None))
    catalog = Catalog(commits)
    between = [moment + dt.timedelta(seconds=0.5) for moment in moments]
    since = between[min(wanted, len(between) - 1)]
    asked = [moment for moment in between if moment >= since]
    assert list(read(catalog.since(since), asked)) == ids[len(gaps) - len(asked) : len(gaps)]


def test_no_more_is_asked_than_queries_need() -> None:
    catalog = Catalog([Commit(at(n * 10), n) for n in range(1, 9)])
    assert list(read(catalog.since(at(85)), [at(85)])) == [8]
    assert not catalog.asked
    assert list(read(catalog.since(at(65)), [at(65), at(75)])) == [6, 7]
    assert len(catalog.asked) == 2


def test_what_the_catalog_does_not_tell_is_said() -> None:
    catalog = Catalog([Commit(at(n * 10), n) for n in range(1, 5)], fails_before=at(30))
    found = catalog.since(at(15))
    assert list(read(found, [at(15), at(35), at(45)])) == [None, 3, 4]
    with pytest.raises(SnapshotNotFound, match="it is busy"):
        found.snapshot_as_of(at(15))
    with pytest.raises(SnapshotNotFound, match="it is busy"):
        found.snapshot_by_id(1)


def test_a_table_that_takes_too_long_is_given_up() -> None:
    commits = [Commit(at(n * 10), n) for n in range(1, 5)]
    with pytest.raises(TableTooSlow):
        Catalog(commits, at(30), TableTooSlow("slow")).since(AT_ALL)


def test_another_table_of_the_name_is_no_past() -> None:
    catalog = Catalog([Commit(at(10), 1, uuid="b"), Commit(at(20), 2), Commit(at(30), 3)])
    assert list(read(catalog.since(AT_ALL), [at(15), at(25), at(35)])) == [None, 2, 3]


def test_a_clock_that_is_far_ahead_ends_the_past() -> None:
    catalog = Catalog([Commit(at(10), 1), Commit(at(20), 2, ahead=3_600)])
    assert list(catalog.since(AT_ALL).snapshots) == [2]
    assert len(catalog.asked) < 10


@pytest.mark.parametrize(
    ("said", "table", "name"),
    [
        pytest.param("true", "t", "t#2026-03-10T00:00:00.000001Z", id="nessie"),
        pytest.param("true", "t@dev", "t@dev#2026-03-10T00:00:00.000001Z", id="branch"),
        pytest.param("true", "t#2026-03-10T00:00:00.1Z", None, id="time"),
        pytest.param("false", "t", None, id="another"),
        pytest.param(None, "t", None, id="unsaid"),
    ],
)
def test_the_name_of_an_earlier_state(said: str | None, table: str, name: str | None) -> None:
    named = name_at({} if said is None else {"nessie.is-nessie-catalog": said}, table)
    moment = dt.datetime.fromisoformat("2026-03-10T02:00:00.000001+02:00")
    assert (None if named is None else named(moment)) == name
