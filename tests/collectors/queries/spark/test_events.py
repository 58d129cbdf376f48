"""Spark's event logs: which queries they hold, in every codec, whole, cut off and damaged."""

from __future__ import annotations

import datetime as dt
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from collectors.observed import ObservedQuery, PlanText, Rejected
from collectors.predicates.model import Reason, Unsupported
from collectors.queries.spark import log_files as spark_log_files
from collectors.queries.spark.events import Span, read_spark_log
from collectors.queries.spark.log_files import group_logs
from collectors.storage.files import Storage
from tests.collectors.queries.spark.logs import (
    CODECS,
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

Record = ObservedQuery | Rejected
QUERY = [
    *preamble(),
    start(0, plan(node("id = 1"))),
    values(0, (11, 3), (12, 1)),
    end(0),
    start(1, plan(node("s = 'O'Brien'", table="lake.db.u", first=100, snapshot=None))),
    end(1),
]


def read(*paths: Path, span: Span | None = None) -> list[Record]:
    return list(read_spark_log([str(path) for path in paths], Storage(), span))


def read_events(tmp_path: Path, events: list[dict[str, Any]], **options: Any) -> list[Record]:
    log = tmp_path / "app-1"
    log.write_bytes(encoded(events))
    return read(log, **options)


def queries(records: list[Record]) -> list[ObservedQuery]:
    assert all(isinstance(record, ObservedQuery) for record in records), records
    return [record for record in records if isinstance(record, ObservedQuery)]


@pytest.mark.parametrize("ending", [*CODECS, ".inprogress", ".zstd.inprogress", ".lz4.compact"])
def test_every_codec_holds_the_same_queries(tmp_path: Path, ending: str) -> None:
    codec = next((c for c in CODECS if c and ending.startswith(c)), "")
    log = tmp_path / f"app-1{ending}"
    log.write_bytes(CODECS[codec](encoded(QUERY)))
    first, second = queries(read(log))
    assert (first.query_id, first.engine, first.engine_version) == ("app-1/0", "spark", "3.5.6")
    assert (first.user, first.time_zone, first.sql) == ("ana", "Europe/Paris", None)
    assert first.started_at == dt.datetime(2023, 11, 14, 22, 13, 20, tzinfo=dt.UTC)
    (scan,) = first.scans
    assert (str(scan.table), scan.snapshot_id, scan.ref) == ("lake.db.t", 77, None)
    assert scan.pushed == PlanText("id = 1")
    assert scan.counters == {"result_data_files": 3, "scanned_data_manifests": 1}
    (other,) = second.scans
    assert (str(other.table), other.snapshot_id) == ("lake.db.u", None)
    assert other.pushed == PlanText("s = 'O'Brien'")


@pytest.mark.parametrize("codec", CODECS)
def test_what_was_cut_off_is_read_as_far_as_it_goes(tmp_path: Path, codec: str) -> None:
    whole = queries(_read_packed(tmp_path, codec, CODECS[codec](encoded(QUERY))))
    packed = CODECS[codec](encoded(QUERY))
    seen = set()
    for length in range(0, len(packed), 7):
        found = _read_packed(tmp_path, codec, packed[:length])
        assert [r.reason for r in found if isinstance(r, Rejected)] == [], length
        known = [r for r in found if isinstance(r, ObservedQuery)]
        seen.add(len(known))
        for record, expected in zip(known, whole, strict=False):
            assert (record.query_id, record.scans[0].pushed) == (
                expected.query_id,
                expected.scans[0].pushed,
            )
    assert seen >= {0, 1}


def _read_packed(tmp_path: Path, codec: str, content: bytes) -> list[Record]:
    log = tmp_path / f"app-1{codec}"
    log.write_bytes(content)
    return read(log)


@pytest.mark.parametrize("codec", [c for c in CODECS if c])
@given(data=st.data())
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
def test_damage_is_told_and_hides_nothing(tmp_path: Path, codec: str, data: st.DataObject) -> None:
    packed = bytearray(CODECS[codec](encoded(QUERY)))
    for _ in range(data.draw(st.integers(1, 4), label="flips")):
        place = data.draw(st.integers(0, len(packed) - 1), label="place")
        packed[place] ^= 1 << data.draw(st.integers(0, 7), label="bit")
    for record in _read_packed(tmp_path, codec, bytes(packed)):
        assert isinstance(record, ObservedQuery | Rejected)


def test_a_codec_that_is_not_read_is_named(tmp_path: Path) -> None:
    (tmp_path / "app-1.lzf").write_bytes(b"ZV")
    (rejected,) = read(tmp_path / "app-1.lzf")
    assert isinstance(rejected, Rejected)
    assert rejected.reason == "unsupported_codec"


def test_blocks_that_claim_to_be_huge_are_not_unpacked(tmp_path: Path) -> None:
    header = (
        b"LZ4Block" + bytes([0x25]) + (4).to_bytes(4, "little") + b"\xff\xff\xff\x7f" + bytes(4)
    )
    (tmp_path / "app.lz4").write_bytes(header + b"abcd")
    (tmp_path / "app.snappy").write_bytes(
        b"\x82SNAPPY\x00" + bytes(8) + (5).to_bytes(4, "big") + b"\xff\xff\xff\xff\x0f"
    )
    for name in ("app.lz4", "app.snappy"):
        (rejected,) = read(tmp_path / name)
        assert isinstance(rejected, Rejected)
        assert rejected.reason == "unreadable_file"


def test_a_line_that_is_too_long_is_named_and_the_rest_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(spark_log_files, "MAX_LINE", 5_000)
    log = tmp_path / "app-1"
    long = encoded([start(9, plan(node("s = '" + "x" * 9_000 + "'")))])
    log.write_bytes(encoded(QUERY[:6]) + long + encoded(QUERY[6:]))
    found = read(log)
    assert [r.reason if isinstance(r, Rejected) else r.query_id for r in found] == [
        "app-1/0",
        "line_too_long",
        "app-1/1",
    ]


def test_the_plan_that_adaptive_execution_settles_on_counts(tmp_path: Path) -> None:
    events = [
        *preamble(),
        start(0, plan(node("id = 1"), node("id = 2", first=50))),
        update(0, plan(node("id = 1"))),
        values(0, (11, 3)),
        update(0, plan(node("id = 1"))),
        end(0),
    ]
    (query,) = queries(read_events(tmp_path, events))
    assert [scan.pushed for scan in query.scans] == [PlanText("id = 1")]
    assert query.scans[0].counters == {"result_data_files": 3}


def test_a_scan_that_plans_share_is_one_scan(tmp_path: Path) -> None:
    shared = node("id = 1")
    events = [*preamble(), start(0, plan(shared, shared)), end(0), start(1, plan(shared)), end(1)]
    (query,) = queries(read_events(tmp_path, events))
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
    (query,) = queries(read_events(tmp_path, events))
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
    (query,) = queries(read_events(tmp_path, events))
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
    (query,) = queries(read_events(tmp_path, events))
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
    found = queries(read_events(tmp_path, events, span=(begin, begin + dt.timedelta(hours=1))))
    assert [query.query_id for query in found] == ["app-1/1"]


def test_what_has_not_ended_is_read_at_the_end(tmp_path: Path) -> None:
    (query,) = queries(read_events(tmp_path, [*preamble(), start(0, plan(node("id = 1")))]))
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
    (query,) = queries(read_events(tmp_path, events))
    assert query.iceberg_version == version


def test_runtime_filters_are_leaves_that_never_prune(tmp_path: Path) -> None:
    runtime = "dynamicpruningexpression(day#4 IN dynamicpruning#12), _file#3 IN subquery#5"
    events = [*preamble(), start(0, plan(node("", runtime=runtime))), end(0)]
    (query,) = queries(read_events(tmp_path, events))
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
    (query,) = queries(read_events(tmp_path, [*preamble(), start(0, plan(form)), end(0)]))
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
    assert read_events(tmp_path, [*preamble(), start(0, plan(form)), end(0)]) == []


def test_a_node_that_cannot_be_read_is_named_and_the_others_stand(tmp_path: Path) -> None:
    odd = node("id = 1", first=50)
    odd["simpleString"] = odd["simpleString"].replace(", groupedBy=", ", *********(redacted)")
    events = [*preamble(), start(0, plan(odd, node("id = 2"))), end(0)]
    rejected, query = read_events(tmp_path, events)
    assert isinstance(rejected, Rejected)
    assert (rejected.reason, rejected.query_id) == ("unreadable_plan", "app-1/0")
    assert isinstance(query, ObservedQuery)
    assert [scan.pushed for scan in query.scans] == [PlanText("id = 2")]


def test_rolling_logs_are_one_log_in_order() -> None:
    folder = "/logs/eventlog_v2_app-1"
    files = [
        f"{folder}/events_10_app-1.zstd",
        f"{folder}/events_2_app-1.zstd",
        f"{folder}/events_3_app-1.zstd.compact",
        f"{folder}/appstatus_app-1.inprogress",
        f"{folder}/.events_2_app-1.zstd.crc",
        "/logs/app-2.lz4",
        "/logs/app-2.lz4.crc",
    ]
    assert group_logs(files) == [
        (f"{folder}/events_3_app-1.zstd.compact", f"{folder}/events_10_app-1.zstd"),
        ("/logs/app-2.lz4",),
    ]


def test_an_execution_may_go_on_in_the_next_file(tmp_path: Path) -> None:
    one, two = tmp_path / "events_1_app-1", tmp_path / "events_2_app-1"
    one.write_bytes(encoded([*preamble(), start(0, plan(node("id = 1")))]))
    two.write_bytes(encoded([values(0, (11, 3)), end(0)]))
    (query,) = queries(read(one, two))
    assert query.scans[0].counters == {"result_data_files": 3}


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
    for record in read_events(tmp_path, events):
        assert isinstance(record, ObservedQuery | Rejected)
        if isinstance(record, ObservedQuery):
            assert record.query_id


@pytest.mark.shared
@pytest.mark.parametrize(
    ("name", "scans", "with_sql"),
    [("plain", 34, None), ("sqlcli", 2, 2), ("thrift", 1, 1)],
)
def test_the_samples(shared: Path, name: str, scans: int, with_sql: int | None) -> None:
    (log,) = (shared / "samples" / "spark_event_logs" / f"spark35_iceberg190_{name}").iterdir()
    found = queries(read(log))
    assert sum(len(query.scans) for query in found) == scans
    for query in found:
        for scan in query.scans:
            assert isinstance(scan.pushed, PlanText)
            total = scan.counters["scanned_data_manifests"]
            total += scan.counters["skipped_data_manifests"]
            assert total == scan.counters["total_data_manifests"]
    if with_sql is not None:
        assert sum(query.sql is not None for query in found) == with_sql
