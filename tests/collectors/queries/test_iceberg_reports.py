import datetime as dt
import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prunescope.collectors.observed import Rejected, ScanReport, TableName
from prunescope.collectors.predicates.shape import shape
from prunescope.collectors.queries.iceberg_reports import from_json, from_log_line, read_reports
from prunescope.collectors.storage.files import Storage

UTC = dt.UTC
BODY: dict[str, Any] = {
    "report-type": "scan-report",
    "table-name": "rc.db.events",
    "snapshot-id": 7,
    "filter": {"type": "eq", "term": "country", "value": "(hash-27fa7cc0)"},
    "schema-id": 0,
    "projected-field-ids": [1],
    "projected-field-names": ["country"],
    "metrics": {
        "total-planning-duration": {
            "count": 1,
            "time-unit": "nanoseconds",
            "total-duration": 175385823,
        },
        "result-data-files": {"unit": "count", "value": 3},
        "total-file-size-in-bytes": {"unit": "bytes", "value": 0},
    },
    "metadata": {"engine-name": "spark", "engine-version": "3.5.6"},
}
ROW: dict[str, Any] = {
    "report_id": "5c1f",
    "catalog_name": "rc",
    "namespace": "db",
    "table_name": "events",
    "timestamp_ms": 1_773_111_600_000,
    "snapshot_id": 7,
    "filter_expression": 'ref(name="country") == "(hash-27fa7cc0)"',
    "result_data_files": 3,
    "total_file_size_bytes": 100,
    "metadata": "{}",
}
LINE = (
    "26/11/20 22:43:54 INFO LoggingMetricsReporter: Received metrics report: "
    "ScanReport{tableName=rc.db.events, snapshotId=7, "
    'filter=ref(name="country") == "(hash-27fa7cc0)", schemaId=0, projectedFieldIds=[1], '
    "projectedFieldNames=[country], scanMetrics=ScanMetricsResult{"
    "totalPlanningDuration=TimerResult{timeUnit=NANOSECONDS, totalDuration=PT0.2S, count=1}, "
    "resultDataFiles=CounterResult{unit=COUNT, value=3}, resultDeleteFiles=null, "
    "totalFileSizeInBytes=CounterResult{unit=BYTES, value=0}}, "
    "metadata={engine-version=3.5.6, engine-name=spark}}"
)
TABLE = TableName("rc", ("db",), "events")


def report_of(document: Any) -> ScanReport:
    found = from_json(json.dumps(document), "r.json:1")
    assert isinstance(found, ScanReport), found
    return found


def logged(line: str) -> ScanReport:
    found = from_log_line(line.encode(), "driver.log:1")
    assert isinstance(found, ScanReport), found
    return found


def shape_of(report: ScanReport) -> str:
    pushed = report.scan.pushed
    assert pushed is not None
    return shape(pushed)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "found",
    [
        pytest.param(lambda: report_of(BODY), id="body"),
        pytest.param(lambda: report_of({"path": "/v1/x", "body": BODY}), id="envelope"),
        pytest.param(lambda: logged(LINE), id="log-line"),
    ],
)
def test_a_report_is_read_from_every_form(found: Any) -> None:
    report = found()
    assert report.source == "iceberg_reports"
    assert report.scan.table == TABLE
    assert report.scan.snapshot_id == 7
    assert report.scan.counters == {"result_data_files": 3, "total_file_size_in_bytes": 0}
    assert (report.engine, report.engine_version) == ("spark", "3.5.6")
    assert shape_of(report).startswith("country =")


def test_a_row_of_polaris_is_a_report() -> None:
    report = report_of(ROW)
    assert report.scan.table == TABLE
    assert report.scan.snapshot_id == 7
    assert report.scan.counters == {"result_data_files": 3, "total_file_size_in_bytes": 100}
    assert report.reported_at == dt.datetime(2026, 3, 10, 3, tzinfo=UTC)
    assert shape_of(report) == shape_of(report_of(BODY))


def test_columns_of_polaris_may_be_in_upper_case() -> None:
    upper = report_of({key.upper(): value for key, value in ROW.items()})
    assert upper == report_of(ROW)


@pytest.mark.parametrize(
    ("document", "expected"),
    [
        pytest.param(BODY, None, id="body"),
        pytest.param(
            {"received_at": "2026-03-10T03:00:00.5Z", "body": BODY},
            dt.datetime(2026, 3, 10, 3, 0, 0, 500_000, tzinfo=UTC),
            id="envelope",
        ),
        pytest.param({"received_at": None, "body": BODY}, None, id="no-time"),
    ],
)
def test_the_time_is_that_of_the_envelope(document: Any, expected: dt.datetime | None) -> None:
    assert report_of(document).reported_at == expected


def test_the_time_of_a_log_line_is_taken_for_utc() -> None:
    assert logged(LINE).reported_at == dt.datetime(2026, 11, 20, 22, 43, 54, tzinfo=UTC)
    assert logged("26/13/45 99:00:00 INFO " + LINE[23:]).reported_at is None


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        pytest.param("rc.db.events", TABLE, id="catalog"),
        pytest.param("rc.a.b.t", TableName("rc", ("a", "b"), "t"), id="nested-namespace"),
        pytest.param("db.events", TableName(None, ("db",), "events"), id="no-catalog"),
        pytest.param("events", TableName(None, (), "events"), id="table-only"),
        pytest.param(
            "s3://my.bucket/wh/db/t", TableName(None, (), "s3://my.bucket/wh/db/t"), id="path"
        ),
    ],
)
def test_table_names_are_taken_apart(name: str, expected: TableName) -> None:
    assert report_of(BODY | {"table-name": name}).scan.table == expected


@pytest.mark.parametrize(
    ("document", "reason"),
    [
        pytest.param({"report-type": "commit-report"}, "not_a_scan_report", id="commit"),
        pytest.param({"Event": "x"}, "not_a_scan_report", id="something-else"),
        pytest.param([BODY], "malformed_report", id="list"),
        pytest.param({"body": "secret"}, "malformed_report", id="body-is-text"),
        pytest.param(BODY | {"table-name": None}, "malformed_report", id="no-table"),
        pytest.param(BODY | {"snapshot-id": "7"}, "malformed_report", id="snapshot-is-text"),
        pytest.param(BODY | {"metrics": []}, "malformed_report", id="metrics-is-a-list"),
        pytest.param(ROW | {"table_name": None}, "malformed_report", id="polaris-without-names"),
    ],
)
def test_what_is_no_scan_report_is_rejected(document: Any, reason: str) -> None:
    found = from_json(json.dumps(document), "r.json:1")
    assert isinstance(found, Rejected)
    assert (found.reason, found.location) == (reason, "r.json:1")
    assert "secret" not in found.message


def test_a_cut_off_line_is_rejected() -> None:
    found = from_json(json.dumps(BODY)[:-1], "r.json:1")
    assert isinstance(found, Rejected)
    assert found.reason == "malformed_json"


@pytest.mark.parametrize(
    "filter_",
    [
        pytest.param({"type": "like"}, id="unknown"),
        pytest.param(5, id="number"),
        pytest.param(None, id="null"),
    ],
)
def test_a_filter_that_cannot_be_read_leaves_the_counts(filter_: object) -> None:
    report = report_of(BODY | {"filter": filter_})
    assert report.scan.pushed is None
    assert report.scan.counters["result_data_files"] == 3


def test_a_filter_of_the_expressions_specification_is_read() -> None:
    country = {"type": "reference", "name": "country"}
    new = {"type": "eq", "left": country, "right": "(hash-27fa7cc0)"}
    pushed = report_of(BODY | {"filter": new}).scan.pushed
    assert pushed is not None
    assert pushed == report_of(BODY).scan.pushed


@pytest.mark.parametrize("value", [None, -1, 1.5, "3", True, 2**63, {"value": 3}])
def test_counts_that_are_no_counts_stay_absent(value: object) -> None:
    report = report_of(BODY | {"metrics": {"result-data-files": {"unit": "count", "value": value}}})
    assert report.scan.counters == {}


@pytest.mark.parametrize(
    ("printed", "expected"),
    [
        pytest.param("true", "true", id="true"),
        pytest.param('is_null(day(ref(name="ts")))', "day(ts) is null", id="transform"),
        pytest.param('not(ref(name="a") startsWith ""(hash-1)"")', None, id="prefix"),
        pytest.param('ref(name="a b") in ("(date)", "(date)")', None, id="list"),
        pytest.param('(ref(name="a") < "(time)" or not_nan(ref(name="b")))', None, id="or"),
    ],
)
def test_logged_filters_are_read(printed: str, expected: str | None) -> None:
    line = LINE.replace('ref(name="country") == "(hash-27fa7cc0)"', printed)
    found = shape_of(logged(line))
    assert expected is None or found.casefold() == expected


def test_other_log_lines_are_passed_over() -> None:
    assert from_log_line(b"26/11/20 22:43:54 INFO SparkContext: Running Spark", "x") is None


@pytest.mark.parametrize("length", range(len(LINE.partition("ScanReport{")[0]) + 11, len(LINE)))
def test_a_report_that_is_cut_off_in_a_log_is_rejected(length: int) -> None:
    found = from_log_line(LINE[:length].encode(), "x")
    assert isinstance(found, Rejected)
    assert found.reason == "malformed_report"


def test_repeated_fields_of_a_logged_report_are_read_in_linear_time() -> None:
    """The time of a regular expression over such a line grew with the cube of its length."""
    storm = LINE.replace("metadata={", "scanMetrics=ScanMetricsResult{}, metadata={}" * 20_000)
    assert isinstance(from_log_line(storm.encode(), "x"), ScanReport | Rejected)


@pytest.mark.parametrize("suffix", [".log", ".log.gz"])
def test_a_file_may_hold_every_form(tmp_path: Path, suffix: str) -> None:
    lines = ["26/11/20 INFO Other: x", LINE, "", json.dumps(BODY), "{", json.dumps(ROW)]
    path = tmp_path / f"mixed{suffix}"
    content = "\n".join(lines).encode()
    path.write_bytes(gzip.compress(content) if suffix.endswith("gz") else content)
    found = list(read_reports(str(path), Storage()))
    assert [type(record) for record in found] == [ScanReport, ScanReport, Rejected, ScanReport]
    assert [record.location.rpartition(":")[2] for record in found] == ["2", "4", "5", "6"]


@pytest.mark.shared
@pytest.mark.parametrize(
    ("name", "count"),
    [
        pytest.param("rest_report_metrics_requests.jsonl", 5, id="requests"),
        pytest.param("logging_metrics_reporter.log", 7, id="log"),
    ],
)
def test_every_sample_is_read(shared: Path, name: str, count: int) -> None:
    path = shared / "samples" / "iceberg_scan_reports" / name
    found = list(read_reports(str(path), Storage()))
    reports = [record for record in found if isinstance(record, ScanReport)]
    assert len(reports) == len(found) == count
    for report in reports:
        assert report.scan.pushed is not None
        assert len(report.scan.counters) == 16
        counters = report.scan.counters
        manifests = counters["scanned_data_manifests"] + counters["skipped_data_manifests"]
        assert manifests == counters["total_data_manifests"]


@pytest.mark.shared
def test_a_scan_that_was_logged_and_sent_is_one_report(shared: Path) -> None:
    folder = shared / "samples" / "iceberg_scan_reports"
    logs, requests = (
        {
            (record.scan.table, record.scan.snapshot_id, shape_of(record)): record.scan.counters
            for record in read_reports(str(folder / name), Storage())
            if isinstance(record, ScanReport)
        }
        for name in ("logging_metrics_reporter.log", "rest_report_metrics_requests.jsonl")
    )
    both = logs.keys() & requests.keys()
    assert len(both) == len(requests)
    assert all(logs[key] == requests[key] for key in both)


@given(st.integers(0, len(LINE) - 1), st.integers(0, 255), st.integers(0, len(LINE)))
def test_damaged_log_lines_never_raise(place: int, byte: int, length: int) -> None:
    line = bytearray(LINE.encode())
    line[place] = byte
    found = from_log_line(bytes(line[:length]), "x")
    assert found is None or isinstance(found, ScanReport | Rejected)


ANY = st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.lists(st.integers())


@given(st.sampled_from([BODY, ROW]), st.data())
def test_wrong_types_never_raise(document: dict[str, Any], data: st.DataObject) -> None:
    key = data.draw(st.sampled_from(sorted(document)))
    found = from_json(json.dumps(document | {key: data.draw(ANY)}), "x")
    assert isinstance(found, ScanReport | Rejected)


@given(st.integers(0, 10_000), st.integers(0, 255))
def test_damaged_json_never_raises(place: int, byte: int) -> None:
    line = bytearray(json.dumps(BODY).encode())
    line[place % len(line)] = byte
    assert isinstance(from_json(bytes(line), "x"), ScanReport | Rejected)
