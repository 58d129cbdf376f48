"""The receiver as a process of its own, with real clients: what it acknowledges survives."""

from __future__ import annotations

import gzip
import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import httpx
import pytest

from prunescope.collectors.observed import ObservedQuery, Rejected, ScanReport
from prunescope.collectors.queries.iceberg_reports import read_reports
from prunescope.collectors.queries.trino import events as trino_events
from prunescope.collectors.storage.files import Storage
from tests.integration.audits import trino_event
from tests.integration.receivers import HEADERS, METRICS_PATH, TOKEN, running, until
from tests.jars import artefact

pytestmark = pytest.mark.slow
REPORT = {
    "report-type": "scan-report",
    "table-name": "lake.db.t",
    "snapshot-id": 1,
    "filter": True,
    "schema-id": 0,
    "projected-field-ids": [1],
    "projected-field-names": ["id"],
    "metrics": {"result-data-files": {"unit": "count", "value": 3}},
}


def test_events_and_reports_become_logs_that_an_audit_reads(tmp_path: Path) -> None:
    with running(tmp_path / "in") as receiver:
        assert receiver.post_event("one").status_code == 200
        pretty = json.dumps(trino_event("two", "SELECT\n 2"), indent=2)
        packed = gzip.compress(pretty.encode())
        headers = {**HEADERS, "Content-Encoding": "gzip"}
        url = f"{receiver.url}/v1/trino/events"
        assert httpx.post(url, content=packed, headers=headers).status_code == 200
        answer = httpx.post(receiver.url + METRICS_PATH, json=REPORT, headers=HEADERS)
        assert (answer.status_code, answer.content) == (204, b"")
        plain = METRICS_PATH.replace("/warehouse", "")
        assert httpx.post(receiver.url + plain, json=REPORT, headers=HEADERS).status_code == 204
        printed = receiver.stop()
    (log,) = (tmp_path / "in" / "trino").iterdir()
    found = [trino_events.from_json(line, "x") for line in log.read_bytes().splitlines()]
    queries = [query for query in found if isinstance(query, ObservedQuery)]
    assert [(q.query_id, q.sql) for q in queries] == [("one", "SELECT 1"), ("two", "SELECT\n 2")]
    (reports,) = (tmp_path / "in" / "reports").iterdir()
    kept = list(read_reports(str(reports), Storage()))
    assert [type(report) for report in kept] == [ScanReport, ScanReport]
    assert all(not isinstance(report, Rejected) and report.reported_at for report in kept)
    assert TOKEN not in reports.read_text() + printed


def test_a_large_event_is_kept_as_it_is(tmp_path: Path) -> None:
    body = json.dumps(trino_event("large", "SELECT 'é' " * 100_000), ensure_ascii=False).encode()
    with running(tmp_path / "in") as receiver:
        url = f"{receiver.url}/v1/trino/events"
        assert httpx.post(url, content=body, headers=HEADERS).status_code == 200
        receiver.stop()
    (log,) = (tmp_path / "in" / "trino").iterdir()
    assert log.read_bytes() == body + b"\n"


def test_the_sample_events_are_kept_as_they_are(tmp_path: Path, shared: Path) -> None:
    samples = shared / "samples"
    event = (samples / "trino_events" / "real_2021_http_event.json").read_bytes()
    requests = (samples / "iceberg_scan_reports" / "rest_report_metrics_requests.jsonl").read_text()
    with running(tmp_path / "in") as receiver:
        url = f"{receiver.url}/v1/trino/events"
        assert httpx.post(url, content=event, headers=HEADERS).status_code == 200
        posted = [json.loads(line) for line in requests.splitlines()]
        for request in posted:
            answer = httpx.post(
                receiver.url + request["path"], json=request["body"], headers=HEADERS
            )
            assert answer.status_code == 204
        receiver.stop()
    (log,) = (tmp_path / "in" / "trino").iterdir()
    assert json.loads(log.read_bytes()) == json.loads(event)
    (reports,) = (tmp_path / "in" / "reports").iterdir()
    kept = [json.loads(line) for line in reports.read_text().splitlines()]
    assert [line["body"] for line in kept] == [request["body"] for request in posted]


# Iceberg's own reporter, as its REST catalog has it.
REPORTER = """
import java.util.Map;
import java.util.concurrent.*;
import java.util.function.Supplier;
import org.apache.iceberg.expressions.Expressions;
import org.apache.iceberg.metrics.*;
import org.apache.iceberg.rest.*;
import org.apache.iceberg.rest.auth.AuthSession;

public class Report {
  public static void main(String[] arguments) throws Exception {
    ScanMetrics metrics = ScanMetrics.of(new DefaultMetricsContext());
    metrics.resultDataFiles().increment(42);
    metrics.totalPlanningDuration().record(5, java.util.concurrent.TimeUnit.MILLISECONDS);
    ScanReport report = ImmutableScanReport.builder()
        .tableName("lake.db.t").snapshotId(7).schemaId(0)
        .filter(Expressions.equal("id", 3)).addProjectedFieldIds(1).addProjectedFieldNames("id")
        .scanMetrics(ScanMetricsResult.fromScanMetrics(metrics)).build();
    RESTClient client = HTTPClient.builder(Map.of()).uri(arguments[0])
        .withAuthSession(AuthSession.EMPTY).build().withAuthSession(AuthSession.EMPTY);
    var constructor = Class.forName("org.apache.iceberg.rest.RESTMetricsReporter")
        .getDeclaredConstructor(
            RESTClient.class, String.class, Supplier.class, ExecutorService.class);
    constructor.setAccessible(true);
    Supplier<Map<String, String>> headers = () -> Map.of("Authorization", "Bearer " + arguments[1]);
    String path = "v1/lake/namespaces/db/tables/t/metrics";
    var threads = Executors.newSingleThreadExecutor();
    ((MetricsReporter) constructor.newInstance(client, path, headers, threads)).report(report);
    System.in.read();  // it reports in the background
    threads.shutdown();
    client.close();
  }
}
"""


def test_icebergs_own_reporter_is_understood(
    tmp_path: Path, require_program: Callable[[str], Path]
) -> None:
    require_program("javac")  # a runtime alone does not compile the program
    java = require_program("java")
    jar = artefact("org.apache.iceberg:iceberg-spark-runtime-4.1_2.13:1.12.0", require_program)
    program = tmp_path / "Report.java"
    program.write_text(REPORTER)
    with running(tmp_path / "in") as receiver:
        command = [str(java), "-cp", _class_path(jar), str(program), receiver.url, TOKEN]
        with subprocess.Popen(command, stdin=subprocess.PIPE) as client:
            kept = 'requests_total{kind="reports",outcome="kept"} 1.0'
            until(lambda: kept in receiver.metrics())
            client.communicate(b"\n", timeout=60)
        receiver.stop()
    (log,) = (tmp_path / "in" / "reports").iterdir()
    (report,) = read_reports(str(log), Storage())
    assert isinstance(report, ScanReport)
    assert report.scan.counters["result_data_files"] == 42
    assert (str(report.scan.table), report.scan.snapshot_id) == ("lake.db.t", 7)


def _class_path(jar: Path) -> str:
    """Iceberg's runtime needs Jackson and a logger: Spark's."""
    import pyspark  # noqa: PLC0415

    return f"{jar}:{Path(pyspark.__file__).parent}/jars/*"
