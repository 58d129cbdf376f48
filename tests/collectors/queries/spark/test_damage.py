"""Event logs with something wrong: it is named, and the rest is read."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from prunescope.collectors.observed import ObservedQuery, Rejected
from prunescope.collectors.queries.spark.events import read_spark_log
from prunescope.collectors.storage.files import Storage
from tests.collectors.queries.spark.logs import (
    SERVER,
    Event,
    encoded,
    end,
    node,
    operation,
    plan,
    preamble,
    pushed,
    queries,
    read,
    start,
    update,
    values,
)


def test_a_gap_in_a_rolling_log_is_named(tmp_path: Path) -> None:
    folder = tmp_path / "eventlog_v2_app-1"
    folder.mkdir()
    for number, events in ((1, [*preamble(), start(0, plan(node("a = 1")))]), (3, [end(0)])):
        (folder / f"events_{number}_app-1").write_bytes(encoded(events))
    paths = [str(folder / f"events_{number}_app-1") for number in (1, 3)]
    rejected, query = read_spark_log(paths, Storage())
    assert isinstance(rejected, Rejected)
    assert (rejected.reason, rejected.location) == ("missing_file", paths[1])
    assert isinstance(query, ObservedQuery)


def test_a_line_is_broken_only_if_another_follows(tmp_path: Path) -> None:
    log, more = tmp_path / "events_1_app-1", tmp_path / "events_2_app-1"
    content = encoded([*preamble(), start(0, plan(node("a = 1")))])
    log.write_bytes(content + encoded([start(1, plan())])[:200])
    more.write_bytes(encoded([end(0)]))
    (query,) = read_spark_log([str(log)], Storage())
    assert isinstance(query, ObservedQuery)
    rejected, query = read_spark_log([str(log), str(more)], Storage())
    assert isinstance(rejected, Rejected)
    assert (rejected.reason, rejected.location) == ("malformed_json", f"{log}:5")
    assert isinstance(query, ObservedQuery)


def test_a_file_that_cannot_be_opened_leaves_the_others(tmp_path: Path) -> None:
    log = tmp_path / "app-1"
    log.write_bytes(encoded([*preamble(), start(0, plan(node("a = 1")))]))
    rejected, query = read_spark_log([str(tmp_path / "none"), str(log)], Storage())
    assert isinstance(rejected, Rejected)
    assert rejected.reason == "unreadable_file"
    assert isinstance(query, ObservedQuery)


@pytest.mark.parametrize(
    "broken",
    [
        pytest.param({"sparkPlanInfo": None}, id="no plan"),
        pytest.param({"sparkPlanInfo": {**plan(), "children": 5}}, id="children"),
        pytest.param({"sparkPlanInfo": plan(5)}, id="a child"),  # type: ignore[arg-type]
        pytest.param({"sparkPlanInfo": {**plan(), "nodeName": None}}, id="a name"),
        pytest.param({"sparkPlanInfo": {**plan(), "simpleString": []}}, id="a text"),
        pytest.param({"executionId": "0"}, id="an id"),
        pytest.param({"executionId": -1}, id="a negative id"),
        pytest.param({"executionId": 2**63}, id="an id that is too large"),
        pytest.param({"rootExecutionId": True}, id="a root"),
        pytest.param({"Event": 7}, id="an event"),
    ],
)
def test_an_event_of_another_form_is_named(tmp_path: Path, broken: Event) -> None:
    event = {**start(0, plan(node("s = 'k7canary'"))), **broken}
    (rejected,) = read(tmp_path, [*preamble(), event, end(0)])
    assert isinstance(rejected, Rejected)
    assert rejected.reason == "malformed_event"
    assert rejected.location.endswith(":4")
    assert "k7canary" not in rejected.message


def test_a_plan_nested_as_deep_as_json_goes_is_read_or_named(tmp_path: Path) -> None:
    tree = plan(node("a = 1"))
    for _ in range(60):
        tree = plan(tree)
    (query,) = queries(tmp_path, start(0, tree), end(0))
    assert pushed(query) == ["a = 1"]
    deep = b'{"Event":"org.x.SparkListenerSQLExecutionStart","executionId":0,"sparkPlanInfo":'
    (tmp_path / "log").write_bytes(deep + b'{"children":[' * 200_000 + b"\n{}\n")
    found = list(read_spark_log([str(tmp_path / "log")], Storage()))
    assert [record.reason for record in found if isinstance(record, Rejected)] == [
        "malformed_json",
        "malformed_event",
    ]


CLEAN = [
    operation("x", "select 1 from t", "bob"),
    start(
        0,
        plan(node("a = 1"), node("b = 2", first=50)),
        description="select 1 from t",
        details=SERVER,
    ),
    values(0, (11, 3), (12, 1), (61, 4)),
    update(0, plan(node("a = 1"), node("b = 2", first=50))),
    values(0, (62, 5)),
    end(0),
    start(1, plan(node("c = 3", table="lake.db.u", first=100, snapshot=None))),
    end(1),
]


def _places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    inner = value.items() if isinstance(value, dict) else enumerate(value)
    for key, item in inner:
        yield (*path, key)
        if isinstance(item, dict | list):
            yield from _places(item, (*path, key))


@given(data=st.data())
@settings(
    max_examples=150,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@pytest.mark.slow
def test_a_value_of_another_type_changes_nothing_silently(
    tmp_path: Path, data: st.DataObject
) -> None:
    """What is wrong is left out where it is a detail, and named where it may hide a scan."""
    clean = {query.query_id.rpartition("/")[2]: query for query in queries(tmp_path, *CLEAN)}
    events = copy.deepcopy([*preamble(), *CLEAN])
    place = data.draw(st.sampled_from(list(_places(events))).filter(lambda p: len(p) > 1))
    holder: Any = events
    for key in place[:-1]:
        holder = holder[key]
    before = holder[place[-1]]
    others: list[Any] = [None, True, [], {}, "nothing", {"a": [1]}, [[1]]]
    if not isinstance(before, int):
        others.append(7.5)  # of a number it is no other type
    holder[place[-1]] = data.draw(
        st.sampled_from([other for other in others if type(other) is not type(before)])
    )

    found = read(tmp_path, events)
    named = [record for record in found if isinstance(record, Rejected)]
    for query in found:
        if isinstance(query, Rejected):
            continue
        expected = clean[query.query_id.rpartition("/")[2]]
        for name in ("sql", "started_at", "engine_version", "time_zone", "catalog"):
            fallbacks = {None, "UTC"} if name == "time_zone" else {None}
            assert getattr(query, name) in {getattr(expected, name), *fallbacks}
        assert query.user in {expected.user, None, "ana"}
        scans = {scan.pushed: scan for scan in expected.scans}
        for scan in query.scans:
            same = scans.pop(scan.pushed)
            assert (scan.table, scan.snapshot_id) == (same.table, same.snapshot_id)
            assert scan.counters.items() <= same.counters.items()
        assert named or not scans
    assert named or len(found) == len(clean)


@given(
    data=st.data(),
    flips=st.lists(st.tuples(st.integers(0, 10**6), st.integers(0, 7)), min_size=1, max_size=3),
)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
def test_damage_of_any_kind_raises_nothing(
    tmp_path: Path, data: st.DataObject, flips: list[tuple[int, int]]
) -> None:
    content = bytearray(encoded([*preamble(), *CLEAN]))
    for position, bit in flips:
        content[position % len(content)] ^= 1 << bit
    cut = data.draw(st.integers(0, len(content)))
    (tmp_path / "log").write_bytes(bytes(content[:cut]) + bytes(content[cut + 1 :]))
    for record in read_spark_log([str(tmp_path / "log")], Storage()):
        assert isinstance(record, ObservedQuery | Rejected)
