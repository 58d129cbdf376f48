"""The receiver as a process of its own, with real clients: what it acknowledges survives."""

from __future__ import annotations

import gzip
import json
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from collectors.queries import trino_events
from collectors.queries.iceberg_reports import read_reports
from collectors.queries.observed import ObservedQuery, Rejected, ScanReport
from collectors.tables.storage import Storage
from tests.integration.audits import trino_event
from tests.jars import artefact

pytestmark = pytest.mark.slow

TOKEN = "s3cret-token"  # noqa: S105  # of the tests
HEADERS = {"Authorization": f"Bearer {TOKEN}"}
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
METRICS_PATH = "/v1/warehouse/namespaces/db/tables/t/metrics"


class Receiver:
    """A running receiver."""

    def __init__(self, process: subprocess.Popen[str], port: int, directory: Path) -> None:
        self.process = process
        self.url = f"http://127.0.0.1:{port}"
        self.directory = directory

    def post_event(self, name: str, **options: Any) -> httpx.Response:
        body = json.dumps(trino_event(name, "SELECT 1"))
        return httpx.post(f"{self.url}/v1/trino/events", content=body, headers=HEADERS, **options)

    def stop(self) -> str:
        """Ends it as a service manager does; what it printed."""
        self.process.send_signal(signal.SIGTERM)
        _, errors = self.process.communicate(timeout=60)
        assert self.process.returncode == 0, errors
        return errors

    def events(self) -> list[str]:
        """The query ids in its files, also in those that it was still writing."""
        files = sorted(self.directory.glob("trino/*.jsonl")) + sorted(
            self.directory.glob("trino/.*.open")
        )
        return [
            json.loads(line)["metadata"]["queryId"]
            for file in files
            for line in file.read_bytes().splitlines()
        ]


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@contextmanager
def running(directory: Path, *options: str, token: str = TOKEN) -> Iterator[Receiver]:
    port = free_port()
    command = [sys.executable, "-m", "audit_jobs.cli", "collect", str(directory)]
    process = subprocess.Popen(
        [*command, "--port", str(port), *options],
        env={**os.environ, "PRUNESCOPE_COLLECT_TOKEN": token},
        stderr=subprocess.PIPE,
        text=True,
    )
    receiver = Receiver(process, port, directory)
    try:
        for _ in range(300):
            if process.poll() is not None:
                break
            try:
                httpx.get(f"{receiver.url}/healthz")
            except httpx.TransportError:
                time.sleep(0.1)
            else:
                break
        yield receiver
    finally:
        process.kill()
        process.wait()
        if process.stderr is not None:
            process.stderr.close()


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


@pytest.mark.parametrize(
    ("method", "path", "content", "headers", "status"),
    [
        pytest.param("POST", "/v1/trino/events", b"{}", {}, 401, id="no token"),
        pytest.param(
            "POST", "/v1/trino/events", b"{}", {"Authorization": "Bearer no"}, 401, id="wrong token"
        ),
        pytest.param("POST", "/v1/trino/events", b"{", HEADERS, 400, id="no JSON"),
        pytest.param("POST", "/v1/trino/events", b"[]", HEADERS, 400, id="no object"),
        pytest.param("POST", "/v1/trino/events", b"[" * 4000, HEADERS, 400, id="deep nesting"),
        pytest.param("POST", "/v1/trino/events", b"{}", HEADERS, 200, id="another event"),
        pytest.param("POST", METRICS_PATH, b"{}", HEADERS, 400, id="no report"),
        pytest.param(
            "POST", METRICS_PATH, b'{"report-type": "commit-report"}', HEADERS, 204, id="a commit"
        ),
        pytest.param("POST", "/v1/trino/events", b" " * 5000, HEADERS, 413, id="too large"),
        pytest.param(
            "POST",
            "/v1/trino/events",
            gzip.compress(b" " * 10_000_000),
            {**HEADERS, "Content-Encoding": "gzip"},
            413,
            id="large when unpacked",
        ),
        pytest.param(
            "POST",
            "/v1/trino/events",
            gzip.compress(b'{"a": 1}')[:-9],
            {**HEADERS, "Content-Encoding": "gzip"},
            400,
            id="cut off when packed",
        ),
        pytest.param(
            "POST",
            "/v1/trino/events",
            b"{}",
            {**HEADERS, "Content-Encoding": "br"},
            415,
            id="packed otherwise",
        ),
        pytest.param("GET", "/v1/trino/events", b"", HEADERS, 405, id="no post"),
        pytest.param("POST", "/v2/other", b"{}", HEADERS, 404, id="nowhere"),
        pytest.param("GET", "/readyz", b"", {}, 200, id="ready"),
    ],
)
def test_answers(
    small: Receiver, method: str, path: str, content: bytes, headers: dict[str, str], status: int
) -> None:
    answer = httpx.request(method, small.url + path, content=content, headers=headers)
    assert answer.status_code == status
    assert TOKEN not in answer.text


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Receiver]:
    """A receiver that takes small bodies only."""
    directory = tmp_path_factory.mktemp("small")
    with running(directory, "--max-body", "4096", "--body-seconds", "1") as receiver:
        yield receiver


def test_a_body_that_never_comes_is_given_up(small: Receiver) -> None:
    host, port = small.url.removeprefix("http://").split(":")
    with socket.create_connection((host, int(port)), timeout=30) as connection:
        connection.sendall(
            b"POST /v1/trino/events HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n"
            b"Authorization: Bearer " + TOKEN.encode() + b"\r\n\r\n{"
        )
        assert b" 408 " in connection.recv(1024)


def test_metrics_tell_what_came(small: Receiver) -> None:
    assert small.post_event("counted").status_code == 200
    exposed = httpx.get(f"{small.url}/metrics").text
    kept = re.search(
        r'prunescope_receiver_requests_total\{kind="trino",outcome="kept"\} (\S+)', exposed
    )
    assert kept is not None
    assert float(kept[1]) >= 1
    assert "prunescope_receiver_commit_seconds_count" in exposed


def test_too_many_requests_are_told_to_come_back(tmp_path: Path) -> None:
    with running(tmp_path / "in", "--rate", "2") as receiver:
        answers = [receiver.post_event(f"e{number}") for number in range(6)]
    statuses = [answer.status_code for answer in answers]
    assert statuses[:2] == [200, 200]
    assert 429 in statuses
    assert all(a.headers["Retry-After"] for a in answers if a.status_code == 429)


def test_what_was_acknowledged_survives_kill(tmp_path: Path) -> None:
    acknowledged: list[str] = []
    stopped = threading.Event()

    def client(number: int, receiver: Receiver) -> None:
        with httpx.Client(headers=HEADERS) as http:
            for count in range(100_000):
                name = f"c{number}n{count}"
                body = json.dumps(trino_event(name, "SELECT 1"))
                try:
                    answer = http.post(f"{receiver.url}/v1/trino/events", content=body)
                except httpx.TransportError:
                    return
                if answer.status_code == 200:
                    acknowledged.append(name)
                if stopped.is_set():
                    return

    with running(tmp_path / "in", "--rate", "100000", "--roll-bytes", "20000") as receiver:
        clients = [threading.Thread(target=client, args=(n, receiver)) for n in range(4)]
        for thread in clients:
            thread.start()
        while len(acknowledged) < 300:
            time.sleep(0.05)
        receiver.process.kill()
        receiver.process.wait()
        stopped.set()
        for thread in clients:
            thread.join()
    with running(tmp_path / "in") as receiver:
        receiver.stop()
        found = receiver.events()
    assert set(acknowledged) <= set(found)
    assert len(found) == len(set(found))
    assert not list((tmp_path / "in").glob("*/.*.open"))


def test_without_a_token_only_this_machine_may_post(tmp_path: Path) -> None:
    with running(tmp_path / "in", "--host", "0.0.0.0", token="") as receiver:  # noqa: S104  # refused
        _, errors = receiver.process.communicate(timeout=60)
    assert receiver.process.returncode == 2
    assert "PRUNESCOPE_COLLECT_TOKEN" in errors


def test_two_receivers_do_not_share_a_directory(tmp_path: Path) -> None:
    with running(tmp_path / "in"), running(tmp_path / "in") as second:
        _, errors = second.process.communicate(timeout=60)
    assert second.process.returncode == 2
    assert "another process" in errors


# Iceberg's own reporter, as its REST catalog has it.
REPORTER = """
import java.util.Map;
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
        .getDeclaredConstructor(RESTClient.class, String.class, Supplier.class);
    constructor.setAccessible(true);
    Supplier<Map<String, String>> headers = () -> Map.of("Authorization", "Bearer " + arguments[1]);
    String path = "v1/lake/namespaces/db/tables/t/metrics";
    ((MetricsReporter) constructor.newInstance(client, path, headers)).report(report);
    System.in.read();  // it reports in the background
    client.close();
  }
}
"""


def test_icebergs_own_reporter_is_understood(
    tmp_path: Path, require_program: Callable[[str], Path]
) -> None:
    require_program("javac")  # a runtime alone does not compile the program
    java = require_program("java")
    jar = artefact("org.apache.iceberg:iceberg-spark-runtime-4.1_2.13:1.11.0", require_program)
    program = tmp_path / "Report.java"
    program.write_text(REPORTER)
    with running(tmp_path / "in") as receiver:
        command = [str(java), "-cp", _class_path(jar), str(program), receiver.url, TOKEN]
        with subprocess.Popen(command, stdin=subprocess.PIPE) as client:
            for _ in range(600):
                if 'outcome="kept"' in httpx.get(f"{receiver.url}/metrics").text:
                    break
                time.sleep(0.1)
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
