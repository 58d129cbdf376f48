"""Spark's event logs: which queries their events make."""

from __future__ import annotations

import datetime as dt
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from prunescope.collectors.observed import ObservedQuery, PlanText, Rejected
from prunescope.collectors.predicates.model import Reason, Unsupported
from tests.collectors.queries.spark.logs import (
    QUERY,
    THRIFT,
    all_queries,
    end,
    node,
    plan,
    preamble,
    read,
    start,
    update,
    values,
)


def test_the_plan_that_adaptive_execution_settles_on_counts(tmp_path: Path) -> None:
    events = [
        *preamble(),
        start(0, plan(node("id = 1"), node("id = 2", first=50))),
        update(0, plan(node("id = 1"))),
        values(0, (11, 3)),
        update(0, plan(node("id = 1"))),
        end(0),
    ]
    (query,) = all_queries(read(tmp_path, events))
    assert [scan.pushed for scan in query.scans] == [PlanText("id = 1")]
    assert query.scans[0].counters == {"result_data_files": 3}


def test_a_scan_that_plans_share_is_one_scan(tmp_path: Path) -> None:
    shared = node("id = 1")
    events = [*preamble(), start(0, plan(shared, shared)), end(0), start(1, plan(shared)), end(1)]
    (query,) = all_queries(read(tmp_path, events))
    assert len(query.scans) == 1


def test_executions_that_an_execution_starts_are_part_of_it(tmp_path: Path) -> None:
    events = [
        *preamble(),
        start(0, plan()),
        start(1, plan(node("id = 1")), root=0),
        values(1, (11, 4)),
        end(1),
        end(0),
    ]
    (query,) = all_queries(read(tmp_path, events))
    assert query.query_id == "app-1/0"
    assert query.scans[0].counters == {"result_data_files": 4}


@pytest.mark.parametrize(
    ("description", "details", "expected"),
    [
        pytest.param("collect at x.py:1", "", None, id="a call site"),
        pytest.param("nightly load", "", None, id="a description of another kind"),
        pytest.param("SELECT 1 FROM t", "", "SELECT 1 FROM t", id="SQL as an explicit description"),
        pytest.param(
            "show tables", "…thriftserver.SparkSQLCLIDriver.run…", "show tables", id="the shell"
        ),
    ],
)
def test_sql_is_taken_where_it_certainly_is_sql(
    tmp_path: Path, description: str, details: str, expected: str | None
) -> None:
    scan = plan(node("id = 1"))
    events = [*preamble(), start(0, scan, description=description, details=details), end(0)]
    (query,) = all_queries(read(tmp_path, events))
    assert query.sql == expected


def test_the_thrift_server_knows_who_asks(tmp_path: Path) -> None:
    operation = {
        "Event": THRIFT + "SparkListenerThriftServerOperationStart",
        "id": "x",
        "statement": "SELECT 1",
        "userName": "bob",
    }
    events = [
        *preamble(),
        operation,
        start(
            0,
            plan(node("id = 1")),
            description="SELECT 1",
            details="SparkExecuteStatementOperation",
        ),
        end(0),
    ]
    (query,) = all_queries(read(tmp_path, events))
    assert (query.user, query.sql) == ("bob", "SELECT 1")


def test_executions_outside_of_the_span_are_passed_over(tmp_path: Path) -> None:
    hour = 3_600_000
    events = [
        *preamble(),
        *(
            event
            for n in range(3)
            for event in (
                start(n, plan(node("id = 1", first=n * 50)), time=1_700_000_000_000 + n * hour),
                end(n),
            )
        ),
    ]
    begin = dt.datetime(2023, 11, 14, 23, tzinfo=dt.UTC)
    found = all_queries(read(tmp_path, events, span=(begin, begin + dt.timedelta(hours=1))))
    assert [query.query_id for query in found] == ["app-1/1"]


def test_what_has_not_ended_is_read_at_the_end(tmp_path: Path) -> None:
    (query,) = all_queries(read(tmp_path, [*preamble(), start(0, plan(node("id = 1")))]))
    assert query.query_id == "app-1/0"


@pytest.mark.parametrize(
    ("entry", "version"),
    [
        pytest.param(
            "/opt/spark/jars/iceberg-spark-runtime-3.5_2.12-1.9.0.jar", "1.9.0", id="on-the-path"
        ),
        pytest.param(
            "spark://driver:1/jars/org.apache.iceberg_iceberg-spark-runtime-4.0_2.13-1.10.1.jar",
            "1.10.1",
            id="from-packages",
        ),
        pytest.param(
            "/jars/iceberg-spark-runtime-3.5_2.12-1.6.1-amzn-1.jar", "1.6.1", id="of-a-service"
        ),
        pytest.param("/opt/spark/jars/spark-core_2.12-3.5.6.jar", None, id="none"),
    ],
)
def test_the_class_path_names_icebergs_version(
    tmp_path: Path, entry: str, version: str | None
) -> None:
    events = [*preamble(), start(0, plan(node("id = 1")))]
    events[1] = {**events[1], "Classpath Entries": {"/a.jar": "System Classpath", entry: "Added"}}
    (query,) = all_queries(read(tmp_path, events))
    assert query.iceberg_version == version


def test_runtime_filters_are_leaves_that_never_prune(tmp_path: Path) -> None:
    runtime = "dynamicpruningexpression(day#4 IN dynamicpruning#12), _file#3 IN subquery#5"
    events = [*preamble(), start(0, plan(node("", runtime=runtime))), end(0)]
    (query,) = all_queries(read(tmp_path, events))
    shown = "day IN runtime filter"
    assert query.scans[0].runtime == (Unsupported(Reason.RUNTIME, shown, shown, ("day",)),)


@pytest.mark.parametrize(
    ("text", "table", "branch", "filters"),
    [
        pytest.param("BatchScan[id#1] a.b.t [filters=x = 1]", "a.b.t", None, "x = 1", id="1.1"),
        pytest.param(
            "BatchScan a.b.t[id#1] a.b.t (branch=dev) [filters=x = ']', groupedBy=d] "
            "RuntimeFilters: []",
            "a.b.t",
            "dev",
            "x = ']'",
            id="1.9 with a bracket",
        ),
        pytest.param(
            "CometBatchScan a.b.t[] IcebergCopyOnWriteScan(table=a.b.t, schemaId=0, snapshotId=5,"
            " branch=null, filters=id = 17, groupedBy=) RuntimeFilters: []",
            "a.b.t",
            None,
            "id = 17",
            id="copy-on-write, renamed",
        ),
    ],
)
def test_the_forms_of_a_node(
    tmp_path: Path, text: str, table: str, branch: str | None, filters: str
) -> None:
    form = {**node(""), "nodeName": text.split("[", maxsplit=1)[0], "simpleString": text}
    (query,) = all_queries(read(tmp_path, [*preamble(), start(0, plan(form)), end(0)]))
    (scan,) = query.scans
    assert (str(scan.table), scan.ref, scan.pushed) == (table, branch, PlanText(filters))


@pytest.mark.parametrize(
    "text",
    [
        "BatchScan parquet file:/x[id#1] ParquetScan DataFilters: [], Format: parquet",
        "AppendData IcebergWrite(table=a.b.t, format=PARQUET)",
        "BatchScan a.b.t.files[x#1] a.b.t.files (branch=null) [filters=, groupedBy=]",
        "BatchScan a.b.t[] IcebergStagedScan(table=a.b.t, type=parquet, taskSetID=1)",
    ],
)
def test_nodes_that_scan_no_table_of_iceberg(tmp_path: Path, text: str) -> None:
    form = {
        **node(""),
        "nodeName": text.split("[", maxsplit=1)[0].split(" Iceberg", maxsplit=1)[0],
        "simpleString": text,
    }
    assert read(tmp_path, [*preamble(), start(0, plan(form)), end(0)]) == []


def test_a_node_that_cannot_be_read_is_named_and_the_others_stand(tmp_path: Path) -> None:
    odd = node("id = 1", first=50)
    odd["simpleString"] = odd["simpleString"].replace(", groupedBy=", ", *********(redacted)")
    events = [*preamble(), start(0, plan(odd, node("id = 2"))), end(0)]
    rejected, query = read(tmp_path, events)
    assert isinstance(rejected, Rejected)
    assert (rejected.reason, rejected.query_id) == ("unreadable_plan", "app-1/0")
    assert isinstance(query, ObservedQuery)
    assert [scan.pushed for scan in query.scans] == [PlanText("id = 2")]


_anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3)
    ),
    max_leaves=5,
)


@given(data=st.data())
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
def test_fields_of_any_type_break_nothing(tmp_path: Path, data: st.DataObject) -> None:
    events = [dict(event) for event in QUERY]
    event = data.draw(st.sampled_from(events), label="event")
    field = data.draw(st.sampled_from(sorted(event)), label="field")
    event[field] = data.draw(_anything, label="value")
    for record in read(tmp_path, events):
        assert isinstance(record, ObservedQuery | Rejected)
        if isinstance(record, ObservedQuery):
            assert record.query_id
