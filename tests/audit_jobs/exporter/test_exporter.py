"""The exporter: as a WSGI application over real audit tables, and as a process of its own."""

from __future__ import annotations

import json
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from wsgiref.util import setup_testing_defaults

import httpx
import pytest
import yaml
from prometheus_client import generate_latest
from pyiceberg.catalog import Catalog
from pyiceberg.catalog.sql import SqlCatalog

from prunescope.audit_jobs.exporter import state
from prunescope.audit_jobs.exporter.latest import LatestRun
from prunescope.audit_jobs.exporter.server import application
from prunescope.audit_jobs.exporter.state import Shown
from prunescope.audit_jobs.sinks import metric_catalogue as catalogue
from prunescope.audit_jobs.sinks.audit_tables import mark_failed, publish
from prunescope.audit_jobs.sinks.maintenance import Retention, maintain
from prunescope.audit_jobs.sinks.metric_samples import run_samples
from prunescope.audit_jobs.sinks.prometheus import registry
from prunescope.audit_jobs.sinks.run_rows import rows_of
from tests.audit_jobs.sinks.results import DAY, EVENTS, FOUND, MIDNIGHT, audit_result, replayed

pytestmark = pytest.mark.slow

NAMESPACE = "pruning_audit"
FIRST = audit_result(replayed("a"), findings=(FOUND,))
SECOND = audit_result(replayed("b", EVENTS), run_id="run-2", start=MIDNIGHT + DAY)


class Unreachable(Exception):
    """A catalog's client may raise anything, with anything in its message."""


@pytest.fixture
def catalog(tmp_path: Path) -> Iterator[SqlCatalog]:
    opened = SqlCatalog(
        "lake", uri=f"sqlite:///{tmp_path / 'catalog.db'}", warehouse=(tmp_path / "wh").as_uri()
    )
    yield opened
    opened.close()


class Connection:
    """A catalog that can be out of reach, and counts how often it is asked."""

    def __init__(self, catalog: Catalog) -> None:
        self.catalog = catalog
        self.is_up = True

    def __call__(self) -> Catalog:
        if not self.is_up:
            raise Unreachable("http://ana:secret@catalog")
        return self.catalog


def shown(connect: Callable[[], Catalog], refresh: float = 300.0) -> Shown:
    return Shown(LatestRun(connect, NAMESPACE, max_tables=9), refresh, "lake")


def get(state: Shown, path: str, method: str = "GET", accept: str = "") -> tuple[str, str]:
    """Status, and the body as text."""
    environ: dict[str, object] = {}
    setup_testing_defaults(environ)
    environ |= {"PATH_INFO": path, "REQUEST_METHOD": method, "HTTP_ACCEPT": accept}
    answered: list[str] = []

    def start_response(status: str, *_: object) -> Callable[[bytes], object]:
        answered.append(status)
        return lambda _: None

    body = b"".join(application(state)(environ, start_response))
    return answered[0], body.decode()


def published(text: str) -> list[str]:
    """The lines that are about the run, not about the exporter or the audit tables."""
    of_others = ("prunescope_export_", "prunescope_last_maintenance_")
    return [line for line in text.splitlines() if not any(name in line for name in of_others)]


def value(text: str, name: str) -> float | None:
    found = re.search(rf'^{name}{{audit_catalog="lake"}} (\S+)$', text, re.MULTILINE)
    return None if found is None else float(found[1])


def test_the_latest_run_is_shown_as_the_job_itself_tells_it(catalog: SqlCatalog) -> None:
    publish(SECOND, catalog, NAMESPACE)
    publish(FIRST, catalog, NAMESPACE)
    state = shown(lambda: catalog)
    assert state.read()
    by_job = registry(run_samples(rows_of(SECOND), max_tables=9), catalogue.PUBLISHED, "lake")
    status, text = get(state, "/metrics")
    assert status == "200 OK"
    assert published(text) == generate_latest(by_job).decode().splitlines()
    assert value(text, "prunescope_export_up") == 1


def test_before_the_first_read_it_is_healthy_and_not_ready(catalog: SqlCatalog) -> None:
    state = shown(lambda: catalog)
    assert get(state, "/-/healthy")[0] == "200 OK"
    assert get(state, "/-/ready")[0] == "503 Service Unavailable"
    text = get(state, "/metrics")[1]
    assert value(text, "prunescope_export_up") == 0
    assert published(text) == []


def test_without_audit_tables_it_waits_for_them(catalog: SqlCatalog) -> None:
    state = shown(lambda: catalog)
    assert not state.read()
    publish(FIRST, catalog, NAMESPACE)
    assert state.read()
    assert get(state, "/-/ready")[0] == "200 OK"


def test_while_the_catalog_is_out_of_reach_the_last_run_stays(
    catalog: SqlCatalog, caplog: pytest.LogCaptureFixture
) -> None:
    publish(FIRST, catalog, NAMESPACE)
    connection = Connection(catalog)
    state = shown(connection)
    state.read()
    before = get(state, "/metrics")[1]
    connection.is_up = False
    assert not state.read()
    after = get(state, "/metrics")[1]
    assert published(after) == published(before)
    assert value(after, "prunescope_export_up") == 0
    read_at = value(after, "prunescope_export_last_read_timestamp_seconds")
    assert read_at == value(before, "prunescope_export_last_read_timestamp_seconds")
    assert read_at is not None
    assert abs(read_at - time.time()) < 600
    assert get(state, "/-/ready")[0] == "200 OK"
    assert "secret" not in caplog.text
    (failed,) = (r for r in caplog.records if r.message == "not_read")
    fields = vars(failed)["fields"]
    assert (fields["error"], fields["catalog"]) == ("Unreachable", "lake")
    assert "prunescope doctor" in fields["hint"]


def test_it_is_not_ready_once_the_last_good_read_is_too_old(
    catalog: SqlCatalog, monkeypatch: pytest.MonkeyPatch
) -> None:
    publish(FIRST, catalog, NAMESPACE)
    connection = Connection(catalog)
    state_of = shown(connection, refresh=60.0)
    state_of.read()
    connection.is_up = False
    state_of.read()
    now = time.monotonic()
    for age, expected in ((60 * state.STALE_AFTER - 5, "200"), (60 * state.STALE_AFTER + 5, "503")):
        monkeypatch.setattr(time, "monotonic", lambda age=age: now + age)
        assert get(state_of, "/-/ready")[0].startswith(expected)
        assert get(state_of, "/-/healthy")[0] == "200 OK"


def test_a_new_run_is_shown_and_dropped_tables_vanish(catalog: SqlCatalog) -> None:
    publish(FIRST, catalog, NAMESPACE)
    state = shown(lambda: catalog)
    state.read()
    publish(SECOND, catalog, NAMESPACE)
    state.read()
    text = get(state, "/metrics")[1]
    assert 'table="events"' in text
    assert 'table="orders"' not in text


def test_what_has_not_changed_is_not_read_again(catalog: SqlCatalog) -> None:
    publish(FIRST, catalog, NAMESPACE)
    run = LatestRun(lambda: catalog, NAMESPACE, max_tables=9)
    latest = run.read(None)
    assert run.read(latest) is latest
    publish(FIRST, catalog, NAMESPACE)
    again = run.read(latest)
    assert again is not latest
    assert again.samples == latest.samples


def test_maintenance_is_shown_though_no_run_was_published_since(catalog: SqlCatalog) -> None:
    publish(FIRST, catalog, NAMESPACE)
    state = shown(lambda: catalog)
    state.read()
    name = "prunescope_last_maintenance_timestamp_seconds"
    assert value(get(state, "/metrics")[1], name) is None
    for day in (1, 8):
        done = MIDNIGHT + day * DAY
        maintain(catalog, NAMESPACE, Retention(10_000, 10_000), done)
        state.read()
        assert value(get(state, "/metrics")[1], name) == done.timestamp()


def test_a_run_that_published_nothing_shows_in_its_status_alone(catalog: SqlCatalog) -> None:
    publish(FIRST, catalog, NAMESPACE)
    mark_failed(SECOND, catalog, NAMESPACE)
    state = shown(lambda: catalog)
    state.read()
    text = get(state, "/metrics")[1]
    assert 'prunescope_run_status{audit_catalog="lake",status="failed"} 1.0' in text
    assert 'prunescope_run_status{audit_catalog="lake",status="partial"} 0.0' in text
    assert 'table="orders"' in text
    finished = FIRST.run.finished_at
    assert value(text, "prunescope_last_success_timestamp_seconds") == finished.timestamp()
    assert value(text, "prunescope_last_completion_timestamp_seconds") == (
        SECOND.run.finished_at.timestamp()
    )


def test_a_run_that_is_withdrawn_while_it_is_read_is_read_again(catalog: SqlCatalog) -> None:
    publish(FIRST, catalog, NAMESPACE)
    later = replace(FIRST, run=replace(FIRST.run, run_id="run-3", footers_read=77))

    class Busy(LatestRun):
        rounds = 0

        def _samples(self, *args: object) -> object:  # type: ignore[override]
            self.rounds += 1
            found = super()._samples(*args)  # type: ignore[arg-type]
            if self.rounds == 1:
                publish(later, catalog, NAMESPACE)
            return found

    busy = Busy(lambda: catalog, NAMESPACE, max_tables=9)
    latest = busy.read(None)
    assert busy.rounds == 2
    assert [s.value for s in latest.samples if s.metric == catalogue.RUN_FOOTERS_READ] == [77]


def test_open_metrics_is_negotiated(catalog: SqlCatalog) -> None:
    publish(FIRST, catalog, NAMESPACE)
    state = shown(lambda: catalog)
    state.read()
    text = get(state, "/metrics", accept="application/openmetrics-text; version=1.0.0")[1]
    assert text.endswith("# EOF\n")


@pytest.mark.parametrize(
    ("path", "method", "status"),
    [
        ("/", "GET", "404"),
        ("/metrics/x", "GET", "404"),
        ("/metrics", "POST", "405"),
        ("/-/healthy", "DELETE", "405"),
        ("/-/healthy", "HEAD", "200"),
    ],
)
def test_nothing_else_is_answered(catalog: SqlCatalog, path: str, method: str, status: str) -> None:
    assert get(shown(lambda: catalog), path, method)[0].startswith(status)


@pytest.fixture
def config(tmp_path: Path) -> Path:
    properties = {
        "type": "sql",
        "uri": f"sqlite:///{tmp_path / 'catalog.db'}",
        "warehouse": (tmp_path / "wh").as_uri(),
    }
    path = tmp_path / "audit.yaml"
    path.write_text(
        yaml.safe_dump(
            {
                "catalogs": {"lake": {"properties": properties}},
                "sources": [{"type": "trino_events", "paths": ["none"]}],
                "audit": {"catalog": "lake"},
            }
        )
    )
    return path


def start(config: Path) -> tuple[subprocess.Popen[str], str]:
    """A process that listens, and its address."""
    command = [sys.executable, "-m", "prunescope.audit_jobs.cli", "export", "--config", str(config)]
    process = subprocess.Popen(
        [*command, "--port", "0", "--refresh", "1"], stderr=subprocess.PIPE, text=True
    )
    assert process.stderr is not None
    for line in process.stderr:
        fields = json.loads(line)
        if fields["message"] == "listening":
            return process, f"http://127.0.0.1:{fields['port']}"
    raise AssertionError("it ended before it listened")


def wait_for(condition: Callable[[], bool]) -> None:
    for _ in range(600):
        if condition():
            return
        time.sleep(0.05)
    raise AssertionError("it did not become so")


def test_the_process_survives_outages_and_restarts_and_ends_cleanly(
    config: Path, tmp_path: Path, catalog: SqlCatalog
) -> None:
    process, url = start(config)
    try:
        assert httpx.get(f"{url}/-/ready").status_code == 503
        publish(FIRST, catalog, NAMESPACE)
        wait_for(lambda: httpx.get(f"{url}/-/ready").status_code == 200)
        answer = httpx.get(f"{url}/metrics", headers={"Accept-Encoding": "gzip"})
        assert answer.headers["Content-Encoding"] == "gzip"
        shown_then = published(answer.text)
        assert any('table="orders"' in line for line in shown_then)
        (tmp_path / "catalog.db").rename(tmp_path / "gone.db")
        wait_for(lambda: value(httpx.get(f"{url}/metrics").text, "prunescope_export_up") == 0)
        assert published(httpx.get(f"{url}/metrics").text) == shown_then
        (tmp_path / "catalog.db").unlink(missing_ok=True)
        (tmp_path / "gone.db").rename(tmp_path / "catalog.db")
        wait_for(lambda: value(httpx.get(f"{url}/metrics").text, "prunescope_export_up") == 1)
        with socket.create_connection(("127.0.0.1", int(url.rpartition(":")[2]))):
            process.send_signal(signal.SIGTERM)
            _, errors = process.communicate(timeout=30)
    finally:
        process.kill()
        process.communicate()
    assert process.returncode == 0
    assert json.loads(errors.splitlines()[-1])["message"] == "ended"
    process, url = start(config)
    try:
        wait_for(lambda: httpx.get(f"{url}/-/ready").status_code == 200)
        assert published(httpx.get(f"{url}/metrics").text) == shown_then
    finally:
        process.terminate()
        process.communicate(timeout=30)


def test_a_port_that_is_taken_is_told_of(config: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        ended = subprocess.run(
            [
                sys.executable,
                "-m",
                "prunescope.audit_jobs.cli",
                "export",
                "--config",
                config,
                "--port",
                port,
            ],
            capture_output=True,
            text=True,
            check=False,
            timeout=60,
        )
    assert (ended.returncode, ended.stdout) == (2, "")
    assert f"port {port} of 127.0.0.1 cannot be listened on" in ended.stderr
