"""What tasks tell of themselves: no time is made up, and no container counted twice."""

from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prunescope.audit_jobs.planning.timing import MANIFEST, PassClock
from prunescope.audit_jobs.spans import remote_context, span, traceparent, within
from prunescope.collectors.storage.traffic import count_read

PARENT = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"


@dataclass
class Clock:
    """Time that passes by one with each look."""

    now: int = 0

    def __call__(self) -> int:
        self.now += 1
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    made = Clock()
    monkeypatch.setattr("prunescope.audit_jobs.planning.timing.time.time_ns", made)
    return made


@pytest.mark.usefixtures("clock")
def test_a_table_lasts_from_its_first_container_to_its_last() -> None:
    passing = PassClock(MANIFEST, PARENT)
    for table, containers in (("a", 1), ("a", 2), ("b", 2), ("c", 0)):
        passing.begin(table)
        passing.done(table, containers)
    done = passing.work()
    spans = {t.table: (t.started, t.ended, t.containers) for t in done.timings}
    assert spans == {"a": (1, 4, 3), "b": (5, 6, 2)}
    assert {(t.name, t.traceparent) for t in done.timings} == {(MANIFEST, PARENT)}


@given(st.lists(st.tuples(st.sampled_from("ab"), st.integers(0, 3)), max_size=30))
def test_every_container_is_counted_and_every_table_ends_after_it_started(
    steps: list[tuple[str, int]],
) -> None:
    passing = PassClock(MANIFEST, "")
    for table, containers in steps:
        passing.begin(table)
        passing.done(table, containers)
    timings = passing.work().timings
    assert sum(t.containers for t in timings) == sum(containers for _, containers in steps)
    assert {t.table for t in timings} == {table for table, containers in steps if containers}
    assert all(t.started <= t.ended for t in timings)


def test_only_what_a_task_reads_itself_counts() -> None:
    count_read(1_000)
    passing = PassClock(MANIFEST, "")
    count_read(7)
    count_read(5)
    assert passing.work().traffic.size == 12


def test_without_an_sdk_nothing_is_carried() -> None:
    with span("stage") as current:
        assert not current.is_recording()
        assert traceparent() == ""
    with within(""):
        assert traceparent() == ""


def test_a_task_runs_in_the_context_of_the_driver() -> None:
    with within(PARENT):
        assert traceparent() == PARENT
    assert traceparent() == ""


@pytest.mark.parametrize("text", ["", "00-0-0-0", "SELECT 1", PARENT.replace("0af7", "xxxx")])
def test_what_is_no_traceparent_is_no_parent(text: str) -> None:
    assert remote_context(text) == {}
