"""The receiver as a process of its own, with real clients: what it acknowledges survives."""

from __future__ import annotations

import gzip
import json
import os
import re
import resource
import signal
import socket
import ssl
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
HEAD = b"POST /v1/trino/events HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer %s\r\n" % TOKEN.encode()


class Receiver:
    """A running receiver."""

    def __init__(self, process: subprocess.Popen[str], url: str, directory: Path) -> None:
        self.process = process
        self.url = url
        self.directory = directory

    def connect(self) -> socket.socket:
        """A connection to it that has sent nothing."""
        host, port = self.url.partition("://")[2].split(":")
        return socket.create_connection((host, int(port)), timeout=30)

    def post_event(self, name: str, **options: Any) -> httpx.Response:
        body = json.dumps(trino_event(name, "SELECT 1"))
        return httpx.post(f"{self.url}/v1/trino/events", content=body, headers=HEADERS, **options)

    def metrics(self) -> str:
        return httpx.get(f"{self.url}/metrics").text

    def is_listening(self) -> bool:
        try:
            self.connect().close()
        except OSError:
            return False
        return True

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


def until(condition: Callable[[], bool]) -> None:
    for _ in range(600):
        if condition():
            return
        time.sleep(0.05)
    pytest.fail("it never came to that")


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@contextmanager
def running(
    directory: Path, *options: str, token: str = TOKEN, scheme: str = "http"
) -> Iterator[Receiver]:
    """A receiver that answers, or has ended."""
    port = free_port()
    command = [sys.executable, "-m", "audit_jobs.cli", "collect", str(directory)]
    process = subprocess.Popen(
        [*command, "--port", str(port), *options],
        env={**os.environ, "PRUNESCOPE_COLLECT_TOKEN": token},
        stderr=subprocess.PIPE,
        text=True,
    )
    receiver = Receiver(process, f"{scheme}://127.0.0.1:{port}", directory)
    try:
        for _ in range(300):
            if process.poll() is not None:
                break
            try:
                socket.create_connection(("127.0.0.1", port)).close()
            except OSError:
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
        pytest.param(
            "POST", "/v1/trino/events", '{"a": 1}'.encode("utf-16"), HEADERS, 400, id="no UTF-8"
        ),
        pytest.param("POST", "/v1/trino/events", b"{}", HEADERS, 200, id="another event"),
        pytest.param("PUT", "/v1/trino/events", b"{}", HEADERS, 200, id="Trino puts, if told to"),
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
            gzip.compress(b"{}") * 2,
            {**HEADERS, "Content-Encoding": "gzip"},
            400,
            id="two bodies in one",
        ),
        pytest.param(
            "POST",
            METRICS_PATH.replace("db", "db%1Finner").replace("/t/", "/a%2Fb/"),
            b'{"report-type": "commit-report"}',
            HEADERS,
            204,
            id="names with separators",
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
    with small.connect() as connection:
        connection.sendall(HEAD + b"Content-Length: 100\r\n\r\n{")
        assert b" 408 " in connection.recv(1024)


@pytest.mark.parametrize(
    ("first", "then"),
    [
        pytest.param(b"", b"", id="nothing"),
        pytest.param(b"", HEAD, id="half of the headers"),
        pytest.param(b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n", HEAD, id="half of the second"),
        pytest.param(
            b"POST /v1/trino/events HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{",
            b"{",
            id="half of a body that was refused",
        ),
    ],
)
def test_a_connection_that_brings_no_request_is_closed(
    small: Receiver, first: bytes, then: bytes
) -> None:
    with small.connect() as connection:
        if first:
            connection.sendall(first)
            assert connection.recv(1024)
        connection.sendall(then)
        while connection.recv(1024):
            pass


def test_metrics_tell_what_came(small: Receiver) -> None:
    assert small.post_event("counted").status_code == 200
    exposed = small.metrics()
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


def test_bodies_that_are_not_there_yet_take_room(tmp_path: Path) -> None:
    """Nobody can make it hold more than it may; who comes too much is told to come back."""
    options = ("--max-body", "4096", "--waiting", "8192")
    body = json.dumps(trino_event("slow", "SELECT 1")).encode().ljust(4096)
    sent = HEAD + b"Content-Length: 4096\r\n\r\n" + body
    with running(tmp_path / "in", *options) as receiver:
        slow = [receiver.connect() for _ in range(2)]
        for connection in slow:
            connection.sendall(sent[:-1])
        until(lambda: "prunescope_receiver_waiting_bytes 8190.0" in receiver.metrics())
        refused = receiver.post_event("refused")
        assert (refused.status_code, refused.json()) == (503, {"error": "full"})
        assert refused.headers["Retry-After"] == "2"
        for connection in slow:
            connection.sendall(sent[-1:])
            assert b" 200 " in connection.recv(1024)
            connection.close()
        assert receiver.post_event("later").status_code == 200
        receiver.stop()
        assert receiver.events() == ["slow", "slow", "later"]


def test_a_disk_that_fails_refuses_and_recovers_by_itself(tmp_path: Path) -> None:
    with running(tmp_path / "in") as receiver:
        assert receiver.post_event("before").status_code == 200
        _, hard = resource.prlimit(receiver.process.pid, resource.RLIMIT_FSIZE)
        resource.prlimit(receiver.process.pid, resource.RLIMIT_FSIZE, (0, hard))
        refused = receiver.post_event("refused")
        assert (refused.status_code, refused.json()) == (503, {"error": "not_written"})
        assert refused.headers["Retry-After"]
        assert httpx.get(f"{receiver.url}/readyz").status_code == 503
        assert httpx.get(f"{receiver.url}/healthz").status_code == 200
        assert "prunescope_receiver_writable 0.0" in receiver.metrics()
        resource.prlimit(receiver.process.pid, resource.RLIMIT_FSIZE, (hard, hard))
        until(lambda: httpx.get(f"{receiver.url}/readyz").status_code == 200)
        assert receiver.post_event("after").status_code == 200
        logged = [json.loads(line) for line in receiver.stop().splitlines()]
        assert receiver.events() == ["before", "after"]
    assert [line["message"] for line in logged] == [
        "listening",
        "the disk fails; nothing is accepted",
        "the disk works again",
        "ended",
    ]


def test_a_request_in_progress_is_finished_before_the_end(tmp_path: Path) -> None:
    body = json.dumps(trino_event("last", "SELECT 1")).encode()
    with running(tmp_path / "in") as receiver:
        with receiver.connect() as connection:
            connection.sendall(HEAD + b"Content-Length: %d\r\n\r\n" % len(body) + body[:9])
            until(lambda: "prunescope_receiver_waiting_bytes 9.0" in receiver.metrics())
            receiver.process.send_signal(signal.SIGTERM)
            until(lambda: not receiver.is_listening())
            connection.sendall(body[9:])
            assert b" 200 " in connection.recv(1024)
        receiver.stop()
        assert receiver.events() == ["last"]


def test_it_serves_tls(tmp_path: Path, require_program: Callable[[str], Path]) -> None:
    key, certificate = tmp_path / "key.pem", tmp_path / "certificate.pem"
    subprocess.run(
        [
            *(require_program("openssl"), "req", "-x509", "-newkey", "rsa:2048", "-nodes"),
            *("-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1"),
            *("-keyout", key, "-out", certificate),
        ],
        check=True,
        capture_output=True,
    )
    options = ("--tls-certificate", str(certificate), "--tls-key", str(key))
    trusted = ssl.create_default_context(cafile=certificate)
    with running(tmp_path / "in", *options, scheme="https") as receiver:
        assert receiver.post_event("one", verify=trusted).status_code == 200
        receiver.stop()
        assert receiver.events() == ["one"]


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
