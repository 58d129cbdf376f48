"""Executions of Spark's event logs: what their events add up to, whatever is wrong with some."""

from __future__ import annotations

import copy
import datetime as dt
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from collectors.queries import spark_events, spark_statements
from collectors.queries.observed import ObservedQuery, Rejected
from collectors.queries.spark_events import Span, read_spark_log
from collectors.tables.storage import Storage
from tests.collectors.queries.spark_logs import (
    THRIFT,
    encoded,
    end,
    node,
    plan,
    preamble,
    start,
    update,
    values,
)

Event = dict[str, Any]
Record = ObservedQuery | Rejected
SHELL = "org.apache.spark.sql.hive.thriftserver.SparkSQLCLIDriver.processLine(…)"
SERVER = "org.apache.spark.sql.hive.thriftserver.SparkExecuteStatementOperation.run(…)"
HOUR = 3_600_000
NIGHT = 1_700_000_000_000


def read(tmp_path: Path, events: list[Event], span: Span | None = None) -> list[Record]:
    log = tmp_path / "app-1"
    log.write_bytes(encoded(events))
    return list(read_spark_log([str(log)], Storage(), span))


def queries(tmp_path: Path, *events: Event) -> list[ObservedQuery]:
    found = read(tmp_path, [*preamble(), *events])
    assert all(isinstance(record, ObservedQuery) for record in found), found
    return [record for record in found if isinstance(record, ObservedQuery)]


def pushed(query: ObservedQuery) -> list[str]:
    return [getattr(scan.pushed, "text", "") for scan in query.scans]


def cached(*nodes: Event) -> Event:
    return {**plan(*nodes), "nodeName": "InMemoryTableScan", "simpleString": "InMemoryTableScan []"}


def operation(key: str, statement: str, user: str) -> Event:
    return {
        "Event": THRIFT + "SparkListenerThriftServerOperationStart",
        "id": key,
        "statement": statement,
        "userName": user,
    }


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


class TestStatements:
    """The SQL of an execution is what it certainly is."""

    @pytest.mark.parametrize(
        ("description", "details", "expected"),
        [
            pytest.param("SET a = 1", SHELL, "SET a = 1", id="a command of the shell"),
            pytest.param("select * from t", SERVER, "select * from t", id="the server"),
            pytest.param("sql at <unknown>:0", SHELL, None, id="a call site in the shell"),
            pytest.param("run at Thread.java:829", SERVER, None, id="a call site in the server"),
            pytest.param(
                "select * from t where s = *********(redacted)", SERVER, None, id="redacted"
            ),
            pytest.param(
                "-- daily\nselect * from T", "", "-- daily\nselect * from T", id="comment"
            ),
            pytest.param("select * from other_t", "", None, id="explicit, of another table"),
            pytest.param("Selection of t", "", None, id="words"),
            pytest.param("", SHELL, None, id="nothing"),
            pytest.param(5, SHELL, None, id="no text"),
        ],
    )
    def test_which_descriptions_are_sql(
        self, tmp_path: Path, description: Any, details: str, expected: str | None
    ) -> None:
        event = start(0, plan(node("a = 1")), description=description, details=details)
        (query,) = queries(tmp_path, event, end(0))
        assert query.sql == expected

    def test_a_description_that_stayed_is_not_the_sql_of_what_follows(self, tmp_path: Path) -> None:
        sql = "select * from t where a = 1"
        found = queries(
            tmp_path,
            *(
                event
                for number, filters in enumerate(["a = 1", "a = 1", "", "a = 1"])
                for event in (
                    start(number, plan(node(filters, first=number * 50)), description=sql),
                    end(number),
                )
            ),
        )
        assert [query.sql for query in found] == [sql, sql, None, sql]

    def test_sql_without_scans_is_a_query_and_other_commands_are_none(self, tmp_path: Path) -> None:
        (query,) = queries(
            tmp_path,
            start(0, plan(), description="collect at x.py:1"),
            end(0),
            start(1, plan(), description="show tables", details=SHELL),
            end(1),
        )
        assert (query.query_id, query.sql, query.scans) == ("app-1/1", "show tables", ())

    @pytest.mark.parametrize(
        ("operations", "group", "user"),
        [
            pytest.param([("x", "bob")], None, "bob", id="one operation"),
            pytest.param([("x", "bob"), ("y", "bob")], None, "bob", id="two of one user"),
            pytest.param([("x", "bob"), ("y", "eve")], None, None, id="the same of two users"),
            pytest.param([("x", "bob"), ("y", "eve")], "y", "eve", id="told by the job group"),
            pytest.param([], None, None, id="the operation is not in the log"),
        ],
    )
    def test_who_asked_the_server(
        self,
        tmp_path: Path,
        operations: list[tuple[str, str]],
        group: str | None,
        user: str | None,
    ) -> None:
        event = start(0, plan(node("a = 1")), description="select 1 from t", details=SERVER)
        event["jobGroupId"] = group
        (query,) = queries(
            tmp_path,
            *(operation(key, "select 1 from t", name) for key, name in operations),
            operation("z", "select 2 from t", "ann"),
            event,
            end(0),
        )
        assert query.user == user

    def test_an_operation_that_was_closed_asks_for_nothing(self, tmp_path: Path) -> None:
        closed = {"Event": THRIFT + "SparkListenerThriftServerOperationClosed", "id": "x"}
        event = start(0, plan(node("a = 1")), description="select 1 from t", details=SERVER)
        (query,) = queries(
            tmp_path,
            operation("x", "select 1 from t", "bob"),
            closed,
            operation("y", "select 1 from t", "eve"),
            event,
            end(0),
        )
        assert query.user == "eve"


def test_what_is_remembered_is_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spark_events, "_MOST_SCANS", 2)
    monkeypatch.setattr(spark_statements, "_MOST_OPERATIONS", 2)
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
@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
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
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
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


@pytest.mark.shared
class TestSamples:
    """Logs that Spark 3.5.6 with Iceberg 1.9.0 wrote."""

    def read(self, shared: Path, name: str) -> dict[str, ObservedQuery]:
        (log,) = (shared / "samples/spark_event_logs" / f"spark35_iceberg190_{name}").iterdir()
        found = list(read_spark_log([str(log)], Storage()))
        assert not [record for record in found if isinstance(record, Rejected)]
        return {
            record.query_id.rpartition("/")[2]: record
            for record in found
            if isinstance(record, ObservedQuery)
        }

    def test_every_scan_node_is_found_with_all_its_counts(self, shared: Path) -> None:
        found = self.read(shared, "plain")
        assert len(found) == 34
        assert {query.engine_version for query in found.values()} == {"3.5.6"}
        assert {query.time_zone for query in found.values()} == {"UTC"}
        assert {len(scan.counters) for query in found.values() for scan in query.scans} == {15}
        assert found["0"].scans[0].counters == {
            "total_data_manifests": 1,
            "scanned_data_manifests": 1,
            "skipped_data_manifests": 0,
            "result_data_files": 4,
            "skipped_data_files": 24,
            "total_file_size_in_bytes": 8485467,
            "total_delete_manifests": 0,
            "scanned_delete_manifests": 0,
            "skipped_delete_manifests": 0,
            "result_delete_files": 0,
            "skipped_delete_files": 0,
            "indexed_delete_files": 0,
            "equality_delete_files": 0,
            "positional_delete_files": 0,
            "total_delete_file_size_in_bytes": 0,
        }

    @pytest.mark.parametrize(
        ("number", "expected"),
        [
            pytest.param("3", ["(country = 'O'Brien' OR country = '日本')"], id="quotes"),
            pytest.param("16", [""], id="nothing pushed"),
            pytest.param(
                "28",
                ["event_id IS NOT NULL, event_id = 77", "o_id = 77, o_id IS NOT NULL"],
                id="a join",
            ),
            pytest.param("39", ["o_id IS NOT NULL, o_id = 99"], id="rows to delete"),
        ],
    )
    def test_filters_are_as_printed(self, shared: Path, number: str, expected: list[str]) -> None:
        assert pushed(self.read(shared, "plain")[number]) == expected

    def test_dynamic_pruning_is_a_runtime_filter(self, shared: Path) -> None:
        query = self.read(shared, "plain")["24"]
        by_table = {scan.table.table: scan for scan in query.scans}
        assert len(query.scans) == 2
        assert [getattr(leaf, "columns", None) for leaf in by_table["orders"].runtime] == [
            ("o_date",)
        ]
        assert by_table["dim"].runtime == ()

    def test_metadata_tables_and_answers_from_metadata_are_no_scans(self, shared: Path) -> None:
        found = self.read(shared, "plain")
        assert "32" not in found
        assert (found["34"].sql, found["34"].scans) == ("select count(*) from lake.db.events", ())

    def test_the_shell_and_the_server_tell_the_statement(self, shared: Path) -> None:
        shell, server = self.read(shared, "sqlcli"), self.read(shared, "thrift")
        assert [query.sql for query in shell.values()] == [
            "select count(*) from lake.db.events where country='DE' and event_id between 10 and 20",
            " select o_status from lake.db.orders where o_id = 7",
        ]
        assert [(query.sql, query.user) for query in server.values()] == [
            (
                "select count(*) from lake.db.events where country = 'DE' and event_id > 19990",
                "tester",
            )
        ]
