"""Executions of Spark's event logs: what their events add up to, whatever is wrong with some."""

from __future__ import annotations

import datetime as dt
import json
from pathlib import Path

import pytest

from prunescope.collectors.observed import ObservedQuery, Rejected
from prunescope.collectors.queries.spark import events as spark_events
from prunescope.collectors.queries.spark import executed_sql
from prunescope.collectors.queries.spark.events import Span, read_spark_log
from prunescope.collectors.storage.files import Storage
from tests.collectors.queries.spark.logs import (
    Event,
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

HOUR = 3_600_000
NIGHT = 1_700_000_000_000


def cached(*nodes: Event) -> Event:
    return {**plan(*nodes), "nodeName": "InMemoryTableScan", "simpleString": "InMemoryTableScan []"}


def span(first: int, last: int) -> Span:
    begin, finish = (dt.datetime.fromtimestamp(at / 1000, dt.UTC) for at in (first, last))
    return begin, finish


def test_a_side_of_a_join_that_was_dropped_after_it_ran_is_a_scan(tmp_path: Path) -> None:
    (query,) = queries(
        tmp_path,
        start(0, plan(node("a = 1"), node("b = 2", first=50))),
        values(0, (11, 3)),
        update(0, plan()),
        end(0),
    )
    assert pushed(query) == ["a = 1"]
    assert query.scans[0].counters == {"result_data_files": 3}


def test_a_cached_table_is_a_scan_of_the_query_that_filled_the_cache(tmp_path: Path) -> None:
    filled = node("a = 1")
    # The execution that filled the cache of the second is not in the log.
    before = node("b = 2", first=50)
    own = node("c = 3", first=100)
    found = queries(
        tmp_path,
        start(0, cached(filled)),
        values(0, (11, 3)),
        end(0),
        start(1, plan(cached(filled), own)),
        end(1),
        start(2, plan(cached(before))),
        end(2),
    )
    assert [(query.query_id, pushed(query)) for query in found] == [
        ("app-1/0", ["a = 1"]),
        ("app-1/1", ["c = 3"]),
    ]


def test_counts_may_come_before_and_after_a_plan(tmp_path: Path) -> None:
    (query,) = queries(
        tmp_path,
        start(0, plan(node("a = 1"))),
        values(0, (11, 3)),
        update(0, plan(node("a = 1"))),
        values(0, (12, 4), (99, 5)),
        end(0),
    )
    assert query.scans[0].counters == {"result_data_files": 3, "scanned_data_manifests": 4}


@pytest.mark.parametrize(
    "value", [-1, 2**63, True, "3", None, 1.5], ids=["-1", "2^63", "bool", "text", "none", "1.5"]
)
def test_counts_that_are_none_are_left_out(tmp_path: Path, value: object) -> None:
    event = {**values(0), "accumUpdates": [[11, value], [12, 4], [True, 7], 5, [1, 2, 3]]}
    (query,) = queries(tmp_path, start(0, plan(node("a = 1"))), event, end(0))
    assert query.scans[0].counters == {"scanned_data_manifests": 4}


def test_counts_of_no_execution_go_to_none(tmp_path: Path) -> None:
    event = {**values(0, (11, 3)), "executionId": None}
    rejected, query = read(tmp_path, [*preamble(), start(0, plan(node("a = 1"))), event, end(0)])
    assert isinstance(rejected, Rejected)
    assert rejected.reason == "malformed_event"
    assert isinstance(query, ObservedQuery)
    assert query.scans[0].counters == {}


def test_an_execution_without_its_root_is_a_query_of_its_own(tmp_path: Path) -> None:
    (query,) = queries(tmp_path, start(7, plan(node("a = 1")), root=3), end(7))
    assert (query.query_id, pushed(query)) == ("app-1/7", ["a = 1"])


def test_attempts_of_an_application_are_told_apart(tmp_path: Path) -> None:
    events = preamble()
    events[-1]["App Attempt ID"] = "2"
    (query,) = read(tmp_path, [*events, start(0, plan(node("a = 1"))), end(0)])
    assert query.query_id == "app-1_2/0"


def test_a_start_that_the_log_holds_twice_is_one_query(tmp_path: Path) -> None:
    again = start(0, plan(node("a = 1")))
    (query,) = queries(tmp_path, again, values(0, (11, 3)), again, end(0), end(0))
    assert query.scans[0].counters == {"result_data_files": 3}


def test_settings_of_an_execution_come_before_those_of_the_application(tmp_path: Path) -> None:
    changed = start(0, plan(node("a = 1")))
    changed["modifiedConfigs"] = {
        "spark.sql.session.timeZone": "Asia/Tokyo",
        "spark.sql.defaultCatalog": "lake",
    }
    first, second = queries(
        tmp_path, changed, end(0), start(1, plan(node("a = 1", first=50))), end(1)
    )
    assert (first.time_zone, first.catalog) == ("Asia/Tokyo", "lake")
    assert (second.time_zone, second.catalog) == ("Europe/Paris", None)


def test_the_time_zone_of_the_session_is_that_of_the_machine_unless_it_is_set(
    tmp_path: Path,
) -> None:
    events = preamble()
    events[1]["Spark Properties"] = {}
    (query,) = read(tmp_path, [*events, start(0, plan(node("a = 1"))), end(0)])
    assert isinstance(query, ObservedQuery)
    assert query.time_zone == "UTC"


class TestSpan:
    """Executions count by the start of their root."""

    def test_what_began_in_the_span_is_whole(self, tmp_path: Path) -> None:
        events = [
            *preamble(),
            start(0, plan(), time=NIGHT),
            start(1, plan(node("a = 1")), root=0, time=NIGHT + 2 * HOUR),
            values(1, (11, 3)),
            end(1),
            end(0),
        ]
        (query,) = read(tmp_path, events, span(NIGHT, NIGHT + HOUR))
        assert isinstance(query, ObservedQuery)
        assert query.scans[0].counters == {"result_data_files": 3}
        assert read(tmp_path, events, span(NIGHT + HOUR, NIGHT + 3 * HOUR)) == []

    def test_it_includes_its_start_and_not_its_end(self, tmp_path: Path) -> None:
        events = [*preamble(), start(0, plan(node("a = 1")), time=NIGHT), end(0)]
        assert len(read(tmp_path, events, span(NIGHT, NIGHT + HOUR))) == 1
        assert read(tmp_path, events, span(NIGHT - HOUR, NIGHT)) == []

    def test_what_has_no_time_is_taken(self, tmp_path: Path) -> None:
        event: Event = {**start(0, plan(node("a = 1"))), "time": None}
        (query,) = read(tmp_path, [*preamble(), event, end(0)], span(NIGHT, NIGHT + HOUR))
        assert isinstance(query, ObservedQuery)
        assert query.started_at is None

    @pytest.mark.parametrize("separators", [(",", ":"), (", ", ": ")], ids=["compact", "spaced"])
    def test_lines_that_are_not_decoded_would_have_added_nothing(
        self, tmp_path: Path, separators: tuple[str, str]
    ) -> None:
        events = [*preamble()]
        for number in range(6):
            events += [
                start(number, plan(node("a = 1", first=number * 50)), time=NIGHT + number * HOUR),
                {"Event": "SparkListenerTaskEnd", "Task Info": {"time": 1}},
                update(number, plan(node("s = '\"time\":1,'", first=number * 50))),
                values(number, (11 + number * 50, number)),
                end(number),
            ]
        log = tmp_path / "app-1"
        lines = [json.dumps(event, separators=separators) for event in events]
        log.write_text("\n".join(lines))
        told: list[dt.datetime] = []
        within = span(NIGHT + 2 * HOUR, NIGHT + 4 * HOUR)
        found = read_spark_log([str(log)], Storage(), within, told.append)
        assert [
            (query.query_id, query.scans[0].counters)
            for query in found
            if isinstance(query, ObservedQuery)
        ] == [("app-1/2", {"result_data_files": 2}), ("app-1/3", {"result_data_files": 3})]
        hour = dt.timedelta(hours=1)
        assert told == [within[0] + n * hour for n in (-2, -1, 2, 3)]


def test_what_is_remembered_is_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spark_events, "MOST_SCANS", 2)
    monkeypatch.setattr(executed_sql, "MOST_OPERATIONS", 2)
    nodes = [node(f"a = {number}", first=number * 50) for number in range(4)]
    found = queries(
        tmp_path,
        *(operation(str(number), "select 1 from t", "bob") for number in range(5)),
        *(event for n in range(4) for event in (start(n, plan(nodes[n])), end(n))),
        start(4, plan(nodes[3])),
        end(4),
        start(5, plan(nodes[0])),
        end(5),
    )
    assert [query.query_id for query in found] == [f"app-1/{n}" for n in (0, 1, 2, 3, 5)]
