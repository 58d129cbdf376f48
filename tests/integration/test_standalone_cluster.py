"""Audits on a Spark standalone cluster, a master and two workers of the installed PySpark on
loopback: started by the command, and by `spark-submit`, where a worker is killed in mid-run."""

from __future__ import annotations

import datetime as dt
import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any

import httpx
import pyspark
import pytest
import yaml

from prunescope.audit_jobs import cli
from prunescope.audit_jobs.commands.line import SOME_FAILED
from prunescope.audit_jobs.demo.warehouse import DAY
from prunescope.audit_jobs.records import Window
from tests import class_data
from tests.integration.audits import audit_here, open_catalog

pytestmark = [pytest.mark.slow(minutes=2), pytest.mark.exhaustive]

Rows = dict[str, list[str]]
"""The rows of the audit tables as JSON, sorted, by table."""

_SPARK_HOME = Path(pyspark.__file__).parent
_PYTHON = Path(sys.executable)
# It starts sooner so, as in an audit's local mode.
_JVM = f"-XX:TieredStopAtLevel=1 -XX:+UseSerialGC {class_data.options()}"
_SETTINGS = {
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.driver.extraJavaOptions": _JVM,
    "spark.driver.host": "127.0.0.1",
    "spark.driver.memory": "512m",
    "spark.executor.extraJavaOptions": _JVM,
    "spark.executor.memory": "512m",
    "spark.default.parallelism": "2",  # as many as there are cores
    # Its API tells what executors do; it is to tell it at once.
    "spark.ui.port": "0",
    "spark.ui.liveUpdate.period": "0",
    "spark.eventLog.enabled": "true",
    "spark.eventLog.compress": "false",
    "spark.eventLog.rolling.enabled": "false",
}
_OTHER_TABLES = ("findings", "table_health", "column_health")
_STARTS_WITHIN = 120.0
"""Seconds."""
_RUNS_WITHIN = 600.0
"""Seconds."""


@dataclass(frozen=True, slots=True)
class Worker:
    """A worker. Its executors are in its process group: a signal is for both."""

    process: subprocess.Popen[bytes]
    folder: Path

    def signal(self, number: signal.Signals) -> None:
        """Sends a signal to worker and executors."""
        os.killpg(self.process.pid, number)

    def runs(self, executor: str) -> bool:
        """Whether it started this executor of an application."""
        return (self.folder / executor).exists()


@dataclass(frozen=True, slots=True)
class Cluster:
    """A running cluster."""

    master: str
    workers: tuple[Worker, ...]


@dataclass(frozen=True, slots=True)
class Run:
    """An audit that was submitted."""

    process: subprocess.Popen[bytes]
    log: Path
    events: Path

    def exit_code(self) -> int:
        """Waits for its end."""
        return self.process.wait(timeout=_RUNS_WITHIN)

    def busy_executors(self) -> list[str]:
        """The executors, as application/id, that work on a task, and hold partitions of an earlier
        pass."""
        api = logged(self.log, r"Successfully started service 'SparkUI' on port (\d+)")
        try:
            url = f"http://127.0.0.1:{api}/api/v1/applications"
            (application,) = httpx.get(url).json()
            executors = httpx.get(f"{url}/{application['id']}/executors").json()
        except (httpx.HTTPError, ValueError):  # it starts, or it ends
            return []
        return [
            f"{application['id']}/{one['id']}"
            for one in executors
            if one["activeTasks"] and one["rddBlocks"]
        ]

    def tasks(self) -> set[tuple[str, str]]:
        """Executors, and how their tasks ended, after the end of the run."""
        (log,) = self.events.iterdir()
        events = [json.loads(line) for line in log.read_text().splitlines()]
        return {
            (event["Task Info"]["Executor ID"], event["Task End Reason"]["Reason"])
            for event in events
            if event["Event"] == "SparkListenerTaskEnd"
        }


@pytest.fixture(scope="module")
def local_rows(demo_lake: Path) -> Rows:
    """The audit tables after an audit in this process."""
    config = in_namespace(demo_lake, "alone")
    start = dt.datetime.combine(DAY, dt.time(), dt.UTC)
    assert not audit_here(config, Window(start, start + dt.timedelta(days=1)))
    return rows(config)


@pytest.fixture
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """A master and two workers of one core each, of which a test may kill any."""
    tmp_path = tmp_path_factory.mktemp("cluster")
    with ExitStack() as stack:
        log = tmp_path / "master.log"
        stack.enter_context(daemon("master.Master", [], log))
        master = logged(log, r"Starting Spark master at (spark://\S+)")
        ui = logged(log, r"Bound MasterWebUI .* (http://\S+)")
        workers = []
        for number in range(2):
            folder = tmp_path / f"worker-{number}"
            options = ["--cores", "1", "--memory", "1g", "--work-dir", str(folder), master]
            process = stack.enter_context(daemon("worker.Worker", options, tmp_path / "worker.log"))
            workers.append(Worker(process, folder))
        until(lambda: httpx.get(f"{ui}/json/").json()["aliveworkers"] == len(workers))
        yield Cluster(master, tuple(workers))


def test_a_cluster_finds_what_one_process_finds(
    demo_lake: Path, local_rows: Rows, cluster: Cluster, tmp_path: Path
) -> None:
    config = in_namespace(demo_lake, "cluster", master=cluster.master, conf=settings(tmp_path))
    with running([f"{_PYTHON.parent}/prunescope", *arguments(config)], tmp_path) as run:
        assert run.exit_code() == SOME_FAILED, run.log.read_text()
    assert len({executor for executor, _ in run.tasks()}) == len(cluster.workers)
    assert rows(config) == local_rows


def test_a_worker_that_dies_in_mid_run_changes_nothing(
    demo_lake: Path, local_rows: Rows, cluster: Cluster, tmp_path: Path
) -> None:
    config = in_namespace(demo_lake, "survived")
    command = [
        *(f"{_SPARK_HOME}/bin/spark-submit", "--master", cluster.master),
        *(f"--conf={name}={value}" for name, value in settings(tmp_path).items()),
        *(cli.__file__, *arguments(config)),
    ]
    with running(command, tmp_path) as run:
        lost = kill_a_busy_worker(cluster, run)
        assert run.exit_code() == SOME_FAILED, run.log.read_text()
    assert (lost.rpartition("/")[2], "ExecutorLostFailure") in run.tasks()
    assert rows(config) == local_rows


def kill_a_busy_worker(cluster: Cluster, run: Run) -> str:
    """Kills a worker and its executor while the executor works on a task, and keeps results of
    an earlier pass that later ones read; the executor."""
    while True:
        assert run.process.poll() is None, "the run was over before it could be hit"
        for worker, executor in product(cluster.workers, run.busy_executors()):
            if not worker.runs(executor):
                continue
            # Stopped, it cannot finish what it works on. What it told the driver before that
            # has long come when the driver still waits for it a second later.
            worker.signal(signal.SIGSTOP)
            time.sleep(1)
            if executor in run.busy_executors():
                worker.signal(signal.SIGKILL)
                return executor
            worker.signal(signal.SIGCONT)
        time.sleep(0.02)


def settings(folder: Path) -> dict[str, str]:
    """Spark's, with an event log in a folder."""
    events = folder / "events"
    events.mkdir()
    return {**_SETTINGS, "spark.eventLog.dir": events.as_uri()}


@contextmanager
def running(command: Sequence[str], folder: Path) -> Iterator[Run]:
    """An audit as a process of its own, which ends with the block."""
    log = folder / "audit.log"
    with started(command, log) as process:
        yield Run(process, log, folder / "events")


@contextmanager
def daemon(name: str, options: Sequence[str], log: Path) -> Iterator[subprocess.Popen[bytes]]:
    """A master or worker of Spark on free ports of the loopback."""
    command = [f"{_SPARK_HOME}/bin/spark-class", f"org.apache.spark.deploy.{name}"]
    where = ["--host", "127.0.0.1", "--port", "0", "--webui-port", "0"]
    with started([*command, *where, *options], log) as process:
        yield process


@contextmanager
def started(command: Sequence[str], log: Path) -> Iterator[subprocess.Popen[bytes]]:
    """A program in a process group of its own, which ends with the block."""
    environment = {
        "SPARK_HOME": str(_SPARK_HOME),
        "SPARK_LOCAL_IP": "127.0.0.1",
        "SPARK_LOCAL_DIRS": str(log.parent / "scratch"),
        "SPARK_DAEMON_JAVA_OPTS": _JVM,
        "SPARK_DAEMON_MEMORY": "256m",
        "SPARK_MASTER_OPTS": "-Dspark.master.rest.enabled=false",  # its port is a fixed one
        "PYSPARK_PYTHON": str(_PYTHON),
    }
    with log.open("ab") as output:
        process = subprocess.Popen(
            command,
            env=os.environ | environment,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            start_new_session=True,
        )
    try:
        yield process
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def logged(log: Path, pattern: str) -> str:
    """What a pattern's group matches in a log, once it does."""
    found: list[str] = []

    def appears() -> bool:
        found.extend(re.findall(pattern, log.read_text()))
        return bool(found)

    until(appears)
    return found[0]


def until(condition: Callable[[], bool]) -> None:
    """Waits for something to come true."""
    deadline = time.monotonic() + _STARTS_WITHIN
    while not condition():
        assert time.monotonic() < deadline, "it never came to that"
        time.sleep(0.1)


def in_namespace(demo: Path, namespace: str, **spark: Any) -> Path:
    """The demo's configuration with audit tables of its own, named for the namespace."""
    document = yaml.safe_load(demo.read_text())
    document["audit"]["namespace"] = namespace
    document["spark"] = spark
    path = demo.with_name(f"{namespace}.yaml")
    path.write_text(yaml.safe_dump(document))
    return path


def arguments(config: Path) -> list[str]:
    """Of `prunescope`, for an audit of the demo's day."""
    return ["audit", "--config", str(config), "--window-start", DAY.isoformat(), "--json"]


def rows(config: Path) -> Rows:
    """The audit tables, without what two runs of one window differ in."""
    catalog = open_catalog(config)

    def read(name: str, own: Sequence[str] = ("run_id",)) -> list[dict[str, Any]]:
        table = catalog.load_table(f"{config.stem}.{name}").scan().to_arrow()
        rows: list[dict[str, Any]] = table.drop_columns(list(own)).to_pylist()
        return rows

    # Keys number queries as they come from tasks: instead, a scan is what is told of it.
    plans = {row.pop("scan_key"): _text(row) for row in read("scan_plans")}
    conjuncts = [row | {"scan_key": plans[row["scan_key"]]} for row in read("conjuncts")]
    times = ("started_at", "finished_at", "duration_seconds")
    return {
        "audit_runs": sorted(map(_text, read("audit_runs", ("run_id", *times)))),
        "scan_plans": sorted(plans.values()),
        "conjuncts": sorted(map(_text, conjuncts)),
        **{name: sorted(map(_text, read(name))) for name in _OTHER_TABLES},
    }


def _text(row: dict[str, Any]) -> str:
    return json.dumps(row, default=str)
