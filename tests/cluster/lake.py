"""The chart over a lake: its pods really run, in the built image, on the node of the tests."""

from __future__ import annotations

import signal
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import httpx
import yaml
from pyiceberg.catalog import Catalog, load_catalog

from prunescope.audit_jobs.demo.queries import RECORD_FIELDS, write_logs
from prunescope.audit_jobs.demo.warehouse import CATALOG, DAY, fill
from prunescope.audit_jobs.status import Status
from tests.cluster.control_plane import ControlPlane, Object
from tests.cluster.installs import Release, until
from tests.cluster.node import Node
from tests.helm.chart import Values
from tests.image.container import USER, send
from tests.integration.lakehouse import Storage
from tests.object_store import ACCESS_KEY, PLAIN_UPLOADS, SECRET_KEY

_EXPORTER, _RECEIVER = 19898, 18787
_TOKEN = "first-token"  # noqa: S105  # of a receiver that ends with its test
_EVENT = {
    "metadata": {"queryId": "q1", "query": "SELECT 1", "queryState": "FINISHED"},
    "statistics": {},
}
_SECRETS = {
    "receiver-tokens": {"token": _TOKEN},
    "lake-keys": {"access-key": ACCESS_KEY, "secret-key": SECRET_KEY},
}
_S3 = f"PYICEBERG_CATALOG__{CATALOG.upper()}__S3__"
_NAMESPACE = "cluster_audit"
_RUN = 400.0
"""Seconds that an audit may take."""


def fill_lake(storage: Storage) -> None:
    """Makes the demo's tables by the catalog, in the store, and the day's logs there."""
    with closing(_open(storage)) as catalog:
        fill(catalog)
        logs = storage.buckets / "logs" / "demo"
        logs.mkdir()
        write_logs(logs, catalog, DAY)


def _open(storage: Storage) -> Catalog:
    keys = {"s3.access-key-id": ACCESS_KEY, "s3.secret-access-key": SECRET_KEY}
    return load_catalog(CATALOG, **storage.properties, **keys)


def check_executor(pod: Object, job: str) -> None:
    """A pod that Spark asked for is the driver's, unprivileged, and has no token."""
    [owner] = pod["metadata"]["ownerReferences"]
    assert (owner["kind"], owner["name"].rpartition("-")[0]) == ("Pod", job)
    spec = pod["spec"]
    assert spec["automountServiceAccountToken"] is False
    assert spec["securityContext"]["runAsUser"] == USER
    assert pod["metadata"]["labels"]["prunescope/spark"] == "true"
    [container] = spec["containers"]
    assert container["securityContext"]["readOnlyRootFilesystem"] is True


def write_values(storage: Storage, target: Path, url: str) -> Path:
    """Values for an audit of the demo's day on executors, an exporter and a receiver. What they
    need of the store's keys they get from a Secret."""
    conf = {"spark.driver.memory": "1g", "spark.default.parallelism": "2"}
    config: Values = {
        "catalogs": {CATALOG: {"properties": storage.properties}},
        "sources": [
            {"type": "trino_events", "paths": ["s3://logs/demo/trino-events.jsonl"]},
            {
                "type": "sql_records",
                "paths": ["s3://logs/demo/spark-queries.jsonl"],
                "dialect": "spark",
                "catalog": CATALOG,
                "fields": dict(RECORD_FIELDS),
            },
        ],
        "source_storage": CATALOG,
        "audit": {"catalog": CATALOG, "namespace": _NAMESPACE},
        "retention": {"days": 100_000},  # the demo's day is some years ago
        # All pods have one address here, but no disk in common.
        "spark": {"conf": conf | {"spark.shuffle.readHostLocalDisk": "false"}},
    }
    address = {"listenAddress": "127.0.0.1"}
    pod = {"extraEnv": [{"name": name, "value": value} for name, value in PLAIN_UPLOADS.items()]}
    values: Values = {
        "config": config,
        "credentials": {
            "env": {
                f"{_S3}ACCESS_KEY_ID": {"secret": "lake-keys", "key": "access-key"},
                f"{_S3}SECRET_ACCESS_KEY": {"secret": "lake-keys", "key": "secret-key"},
            }
        },
        "audit": {
            "mode": "kubernetes",
            "extraArgs": ["--window-start", DAY.isoformat(), "--json"],
            "kubernetes": {"master": f"k8s://{url}"},
            "executors": {"instances": 2, "cores": 1, "memory": "512m", "memoryOverhead": "512m"},
            "pod": pod,
        },
        "exporter": {"enabled": True, "containerPort": _EXPORTER, **address},
        "receiver": {
            "enabled": True,
            "containerPort": _RECEIVER,
            "tokenSecret": {"name": "receiver-tokens"},
            **address,
        },
    }
    target.write_text(yaml.safe_dump(values))
    return target


@dataclass(frozen=True, slots=True)
class Lake:
    """The release over the lake, and the node that runs its pods."""

    storage: Storage
    plane: ControlPlane
    release: Release
    node: Node

    def furnish(self) -> None:
        """A namespace with what the values name."""
        self.release.make_namespace()
        place = f"/api/v1/namespaces/{self.release.namespace}"
        for name, values in _SECRETS.items():
            secret = {"metadata": {"name": name}, "stringData": values}
            self.plane.api.create(f"{place}/secrets", secret)

    def check_ready(self, component: str, seconds: float = 120) -> None:
        """The pods of a component become ready, as their probes say."""
        try:
            until(f"the {component} is not ready", lambda: self._ready(component), seconds)
        except AssertionError as error:
            error.add_note(f"the node says {self.node.problems[-3:]}")
            error.add_note(self.node.log(f"{self.release.name}-prunescope-{component}"))
            raise

    def check_receiver(self) -> None:
        """It takes an event with its token, and none without."""
        url = f"http://127.0.0.1:{_RECEIVER}/v1/trino/events"
        bearer = {"Authorization": f"Bearer {_TOKEN}"}
        assert httpx.post(url, json=_EVENT, headers=bearer).is_success
        assert httpx.post(url, json=_EVENT).status_code == 401

    def test(self) -> None:
        """`helm test`: `doctor` in a pod of its own."""
        try:
            self.release.helm("test", self.release.name, "--timeout", "3m")
        except AssertionError as error:
            error.add_note(self.node.log(f"{self.release.name}-prunescope-doctor"))
            raise

    def start_audit(self) -> str:
        """Makes a Job of the CronJob, and tells its name."""
        [cron_job] = [
            each
            for each in self.release.items("CronJob")
            if each["metadata"]["name"].endswith("-audit")
        ]
        return self.release.run_now(cron_job)

    def kill_an_executor(self) -> str:
        """Kills the first executor that has begun a task, and tells its name."""

        def victim() -> str | None:
            for pod in self.release.pods("spark-role=executor"):
                running = self.node.pods.get(pod["metadata"]["uid"])
                if running and b"Running task" in running.log.read_bytes():
                    send(running.process, signal.SIGKILL)
                    return str(pod["metadata"]["name"])
            return None

        return until("no executor has begun a task", victim, _RUN)

    def check_audit(self, job: str, killed: str) -> None:
        """The Job ends as an audit of the demo does: done, but for the broken queries that it
        names. Its run is in the catalog."""
        path = f"/apis/batch/v1/namespaces/{self.release.namespace}/jobs/{job}"

        def ended() -> Object | None:
            conditions = self.plane.api.get(path).get("status", {}).get("conditions", ())
            final = [each for each in conditions if each["type"] in ("Failed", "Complete")]
            return final[0] if final else None

        executors: dict[str, Object] = {}

        def watched() -> Object | None:
            pods = self.release.pods("spark-role=executor")
            executors.update((each["metadata"]["name"], each) for each in pods)
            return ended()

        try:
            final = until(f"the Job {job} has not ended", watched, _RUN)
            told = (final["type"], final["reason"])
            assert told == ("Failed", "PodFailurePolicy"), final
            assert "exit code 1" in final["message"], final["message"]
            assert executors.keys() - {killed}, "no other executor took over"
        except AssertionError as error:
            error.add_note(self.node.log(job))
            raise
        for pod in executors.values():
            check_executor(pod, job)
        with closing(_open(self.storage)) as catalog:
            runs = catalog.load_table(f"{_NAMESPACE}.audit_runs").scan().to_arrow().to_pylist()
        assert [each["status"] for each in runs] == [Status.PARTIAL.value], runs

    def check_metrics(self) -> None:
        """The exporter, which is ready once there is a run, tells of it."""
        self.check_ready("exporter", 360)
        assert "prunescope_" in httpx.get(f"http://127.0.0.1:{_EXPORTER}/metrics").text

    def check_restart(self) -> None:
        """A receiver that hangs fails its probe, and is started anew."""
        [pod] = self.release.pods("app.kubernetes.io/component=receiver")
        running = self.node.pods[pod["metadata"]["uid"]]
        send(running.process, signal.SIGSTOP)
        until("the receiver is not started anew", lambda: running.restarts or None, 120)
        self.check_ready("receiver")

    def _ready(self, component: str) -> bool | None:
        pods = self.release.pods(f"app.kubernetes.io/component={component}")
        ready = {"type": "Ready", "status": "True"}
        conditions = [each.get("status", {}).get("conditions", ()) for each in pods]
        is_ready = [any(ready.items() <= one.items() for one in each) for each in conditions]
        return True if is_ready and all(is_ready) else None
