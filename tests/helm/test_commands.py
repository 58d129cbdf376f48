"""Every command that the chart renders, run as rendered over the demo's warehouse."""

from __future__ import annotations

import datetime as dt
import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import httpx
import pyarrow as pa
import pyarrow.compute as pc
import pytest

from prunescope.audit_jobs.demo.warehouse import DAY
from prunescope.audit_jobs.records import Window
from tests.helm.chart import Chart, Object, Values, audited, only, pod_spec
from tests.helm.containers import Command, command
from tests.helm.lake import audit_values, catalog_of, demo_config, rows
from tests.integration.audits import audit_here
from tests.jars import QUICK_JVM
from tests.object_store import ACCESS_KEY, BUCKET, PROGRAM, SECRET_KEY
from tests.ports import free_port

# Not marked as spark: the image has one Spark, that of the default environment.
pytestmark = pytest.mark.slow

TOKENS = {"tokens": {"token": "first-token\nsecond-token\n"}}
EVENT = {
    "metadata": {"queryId": "q1", "query": "SELECT 1", "queryState": "FINISHED"},
    "statistics": {},
}
_STARTS_WITHIN = 60.0
"""Seconds."""


def audit_command(objects: list[Object], folder: Path) -> Command:
    return command(objects, only(objects, "CronJob", "night-prunescope-audit"), "audit", folder, {})


def answers(process: subprocess.Popen[str], url: str, status: int = 200) -> httpx.Response:
    """The answer of a server, once it is of this status."""
    deadline = time.monotonic() + _STARTS_WITHIN
    while process.poll() is None and time.monotonic() < deadline:
        try:
            answer = httpx.get(url)
        except httpx.TransportError:
            pass
        else:
            if answer.status_code == status:
                return answer
        time.sleep(0.1)
    raise AssertionError(f"{url} does not answer {status}; exit code {process.poll()}")


def probe_urls(workload: Object, name: str) -> list[str]:
    """Where the kubelet asks a container how it is."""
    [container] = [each for each in pod_spec(workload)["containers"] if each["name"] == name]
    ports = {port["name"]: port["containerPort"] for port in container["ports"]}
    probes = [container[f"{kind}Probe"]["httpGet"] for kind in ("startup", "liveness", "readiness")]
    return [f"http://127.0.0.1:{ports[each['port']]}{each['path']}" for each in probes]


@pytest.fixture(scope="module")
def demo(demo_lake: Path) -> Values:
    """The demo; its audit tables get a namespace for each test."""
    return demo_config(demo_lake)


@dataclass(frozen=True, slots=True)
class Installation:
    """A release whose CronJob has run once: what it printed, and where its volumes are."""

    objects: list[Object]
    folder: Path
    port: int
    """The exporter's."""
    done: subprocess.CompletedProcess[str]


@pytest.fixture(scope="module")
def audited_once(
    chart: Chart, demo: Values, tmp_path_factory: pytest.TempPathFactory
) -> Installation:
    folder, port = tmp_path_factory.mktemp("volumes"), free_port()
    exporter = {"enabled": True, "containerPort": port, "listenAddress": "127.0.0.1"}
    objects = chart.render(audit_values(demo, "rendered", exporter=exporter))
    return Installation(objects, folder, port, audit_command(objects, folder).run())


def test_the_cron_job_completes_an_audit_as_rendered(
    demo: Values, audited_once: Installation
) -> None:
    # The demo's log holds broken queries on purpose: done, and they are named.
    assert audited_once.done.returncode == 1, audited_once.done.stderr
    summary = json.loads(audited_once.done.stdout)
    [run] = rows(demo, "rendered", "audit_runs")
    assert (summary["run_id"], run["status"]) == (run["run_id"], "partial")
    assert rows(demo, "rendered", "findings") != []


def test_maintenance_works_as_rendered(demo: Values, audited_once: Installation) -> None:
    before = rows(demo, "rendered", "scan_plans")
    maintain = only(audited_once.objects, "CronJob", "night-prunescope-maintain")
    folder = audited_once.folder
    maintained = command(audited_once.objects, maintain, "maintain", folder, {}).run()
    assert maintained.returncode == 0, maintained.stderr
    assert "audit_runs" in maintained.stdout
    assert rows(demo, "rendered", "scan_plans") == before != []


def test_the_exporter_answers_its_probes_as_rendered(audited_once: Installation) -> None:
    exporter = only(audited_once.objects, "Deployment", "night-prunescope-exporter")
    rendered = command(audited_once.objects, exporter, "exporter", audited_once.folder, {})
    with rendered.running() as process:
        for url in probe_urls(exporter, "exporter"):
            answers(process, url)
        metrics = httpx.get(f"http://127.0.0.1:{audited_once.port}/metrics").text
    assert 'prunescope_run_status{audit_catalog="lake",status="partial"} 1.0' in metrics
    assert process.returncode == 0


def test_an_upgrade_keeps_the_audit_tables_and_adds_what_is_new(
    chart: Chart, demo: Values, audited_once: Installation, tmp_path: Path
) -> None:
    """The tables as an earlier release left them: some columns and a whole table less. How the
    command starts is shown above: here, this process audits what it is configured to."""
    assert audited_once.done.returncode == 1
    catalog = catalog_of(demo)
    catalog.create_namespace("upgraded")
    for _, name in catalog.list_tables("rendered"):
        location = catalog.load_table(("rendered", name)).metadata_location
        catalog.register_table(("upgraded", name), location)
    lost = {"audit_runs": "findings", "scan_plans": "fingerprint", "conjuncts": "matching_share"}
    earlier = {}
    for name, column in lost.items():
        table = catalog.load_table(("upgraded", name))
        with table.update_schema() as update:
            update.delete_column(column)
        earlier[name] = table.scan().to_arrow()
        assert len(earlier[name]) > 0
    catalog.drop_table(("upgraded", "findings"))

    objects = chart.render(audit_values(demo, "upgraded"))
    config = tmp_path / "audit.yaml"
    config.write_text(only(objects, "ConfigMap", "night-prunescope-config")["data"]["audit.yaml"])
    start = dt.datetime.combine(DAY, dt.time(), dt.UTC) + dt.timedelta(days=1)
    audit_here(config, Window(start, start + dt.timedelta(days=1)))
    [new] = [
        row["run_id"]
        for row in rows(demo, "upgraded", "audit_runs")
        if row["window_start"] == start
    ]
    for name, column in lost.items():
        after = catalog.load_table(("upgraded", name)).scan().to_arrow()
        assert column in after.column_names
        kept = after.filter(pc.not_equal(after["run_id"], new)).select(earlier[name].column_names)
        assert sorted_rows(kept) == sorted_rows(earlier[name])
    assert len(catalog.load_table(("upgraded", "audit_runs")).scan().to_arrow()) == 2
    assert catalog.table_exists(("upgraded", "findings"))


def sorted_rows(table: pa.Table) -> list[str]:
    return sorted(map(repr, table.to_pylist()))


def test_the_receiver_works_as_rendered(chart: Chart, tmp_path: Path) -> None:
    port = free_port()
    objects = chart.render(
        audited(
            receiver={
                "enabled": True,
                "tokenSecret": {"name": "tokens"},
                "containerPort": port,
                "listenAddress": "127.0.0.1",
            }
        )
    )
    deployment = only(objects, "Deployment")
    rendered = command(objects, deployment, "receiver", tmp_path, TOKENS)
    url = f"http://127.0.0.1:{port}/v1/trino/events"
    with rendered.running() as process:
        for probe in probe_urls(deployment, "receiver"):
            answers(process, probe)
        assert httpx.post(url, json=EVENT).status_code == 401
        headers = {"Authorization": "Bearer second-token"}
        assert httpx.post(url, json=EVENT, headers=headers).status_code == 200
    assert process.returncode == 0
    [kept] = rendered.folders["/var/lib/prunescope/collected"].glob("trino/*.jsonl")
    assert json.loads(kept.read_text()) == EVENT


def test_what_the_receiver_finished_lands_in_the_object_store_as_rendered(
    chart: Chart, tmp_path: Path, require_program: Callable[[str], Path]
) -> None:
    server = require_program(PROGRAM)
    # Uploads in parts need a place for metadata, which not every file system has in its files.
    store, metadata, port = tmp_path / "store", tmp_path / "metadata", free_port()
    (store / BUCKET).mkdir(parents=True)
    metadata.mkdir()
    objects = chart.render(
        audited(
            receiver={
                "enabled": True,
                "tokenSecret": {"name": "tokens"},
                "persistence": {"enabled": False},
                "landing": {
                    "enabled": True,
                    "destination": f"s3://{BUCKET}/received",
                    "everySeconds": 1,
                    "envFromSecrets": ["bucket"],
                },
            }
        )
    )
    secrets = TOKENS | {
        "bucket": {
            "AWS_ACCESS_KEY_ID": ACCESS_KEY,
            "AWS_SECRET_ACCESS_KEY": SECRET_KEY,
            "AWS_REGION": "us-east-1",
            "AWS_ENDPOINT_URL": f"http://127.0.0.1:{port}",
        }
    }
    rendered = command(objects, only(objects, "Deployment"), "landing", tmp_path, secrets)
    received = rendered.folders["/var/lib/prunescope/collected"] / "trino"
    received.mkdir()
    finished, unfinished = received / "20240430.jsonl", received / ".20240501.jsonl.open"
    finished.write_text('{"a": 1}\n')
    unfinished.write_text('{"a"')
    environment = {"ROOT_ACCESS_KEY": ACCESS_KEY, "ROOT_SECRET_KEY": SECRET_KEY}
    listen = ("--quiet", "--port", f"127.0.0.1:{port}")
    keep = ("posix", "--sidecar", metadata, store)
    with rendered.running() as process:
        # The store is not there yet: the file stays, and is tried again.
        line = process.stderr.readline() if process.stderr else ""
        assert json.loads(line)["message"] == "not_landed"
        assert finished.exists()
        with subprocess.Popen([server, *listen, *keep], env=environment) as running:
            try:
                _until(lambda: not finished.exists(), process)
                late = received / "20240502.jsonl"
                late.write_text('{"b": 2}\n')
                process.send_signal(signal.SIGTERM)
                process.wait(timeout=60)
            finally:
                running.terminate()
    assert process.returncode == 0
    host = socket.gethostname()
    folder = store / BUCKET / "received" / "trino"
    assert {path.name: path.read_text() for path in folder.iterdir()} == {
        f"{host}-20240430.jsonl": '{"a": 1}\n',
        f"{host}-20240502.jsonl": '{"b": 2}\n',
    }
    assert [*received.iterdir()] == [unfinished]


def _until(condition: Callable[[], bool], process: subprocess.Popen[str]) -> None:
    deadline = time.monotonic() + _STARTS_WITHIN
    while not condition():
        assert process.poll() is None
        assert time.monotonic() < deadline
        time.sleep(0.1)


@pytest.mark.exhaustive
def test_the_main_file_of_the_operator_audits_by_spark_submit(
    chart: Chart, demo: Values, tmp_path: Path
) -> None:
    config = {key: value for key, value in demo.items() if key != "spark"}
    values = audit_values(config, "submitted", exporter={"enabled": False})
    values["audit"]["mode"] = "operator"
    objects = chart.render(values)
    application = only(objects, "ScheduledSparkApplication")["spec"]["template"]
    job = Path(__file__).parents[2] / "docker" / Path(application["mainApplicationFile"]).name
    text = only(objects, "ConfigMap", "night-prunescope-config")["data"]["audit.yaml"]
    (tmp_path / "audit.yaml").write_text(text)
    conf = [
        word
        for key, value in application["sparkConf"].items()
        for word in ("--conf", f"{key}={value}")
    ]
    arguments = [
        word.replace("/etc/prunescope", str(tmp_path)) for word in application["arguments"]
    ]
    submit = Path(sys.executable).with_name("spark-submit")
    done = subprocess.run(
        [submit, "--master", "local[2]", *conf, job, *arguments],
        cwd=tmp_path,
        env=os.environ | QUICK_JVM,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1, done.stderr
    [run] = rows(demo, "submitted", "audit_runs")
    assert json.loads(done.stdout)["run_id"] == run["run_id"]
