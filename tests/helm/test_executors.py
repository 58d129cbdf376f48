"""`audit.mode=kubernetes` as rendered: Spark's driver starts executors from the pod template."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.helm.chart import NEWEST, Chart, Object, merged, only
from tests.helm.containers import command
from tests.helm.kubernetes import Cluster, cluster
from tests.helm.lake import audit_values, demo_config, rows
from tests.helm.schemas import complaint

# Not marked as spark: the image has one Spark, that of the default environment.
pytestmark = pytest.mark.slow

DRIVER: Object = {
    "apiVersion": "v1",
    "kind": "Pod",
    "metadata": {"name": "night-prunescope-audit", "uid": "1", "namespace": "lakehouse"},
}


def test_the_audit_runs_on_executors_that_are_pods(
    chart: Chart, demo_lake: Path, tmp_path: Path, definitions: Mapping[str, Path]
) -> None:
    demo = demo_config(demo_lake)
    asked = {
        "spark.default.parallelism": "2",  # as many as there are cores
        # Spark 4 hears of pods by watching as well as by asking; here it asks.
        "spark.kubernetes.executor.enableApiWatcher": "false",
        "spark.kubernetes.executor.apiPollingInterval": "1s",
    }
    with cluster(tmp_path / "pods", [DRIVER]) as kubernetes:
        values = merged(
            audit_values(demo, "executors"),
            {
                "config": {"spark": {"conf": asked}},
                "audit": {
                    "mode": "kubernetes",
                    "kubernetes": {"master": f"k8s://http://127.0.0.1:{kubernetes.server_port}"},
                    "executors": {
                        "instances": 2,
                        "cores": 1,
                        "memory": "512m",
                        "memoryOverhead": "512m",
                        "pod": {"labels": {"team": "data"}},
                    },
                },
            },
        )
        objects = chart.render(values)
        kubernetes.objects += objects
        volumes = tmp_path / "driver"
        volumes.mkdir()
        workload = only(objects, "CronJob", "night-prunescope-audit")
        rendered = command(objects, workload, "audit", volumes, {})
        config = rendered.folders["/etc/prunescope"] / "audit.yaml"
        template = "/etc/prunescope-executor"
        mounted = config.read_text().replace(template, str(rendered.folders[template]))
        config.write_text(mounted)
        done = rendered.run()
        assert done.returncode == 1, (done.stderr, logs(kubernetes))
    [run] = rows(demo, "executors", "audit_runs")
    assert (run["run_id"], run["status"]) == (json.loads(done.stdout)["run_id"], "partial")
    assert len(kubernetes.pods) >= 2
    for pod in kubernetes.pods:
        assert complaint(pod, NEWEST, definitions) is None
        spec, labels = pod["spec"], pod["metadata"]["labels"]
        assert (labels["team"], labels["prunescope/spark"]) == ("data", "true")
        assert pod["metadata"]["ownerReferences"][0]["name"] == DRIVER["metadata"]["name"]
        assert spec["serviceAccountName"] == "night-prunescope"
        assert spec["automountServiceAccountToken"] is False
        assert spec["securityContext"]["runAsUser"] == 185
        [container] = spec["containers"]
        assert container["image"] == "prunescope:0.1.0"
        assert container["securityContext"]["readOnlyRootFilesystem"] is True
        assert container["resources"]["limits"]["memory"] == "1024Mi"


def logs(kubernetes: Cluster) -> str:
    """The ends of the executors' logs."""
    return "\n".join(
        (kubernetes.folder / name / "log").read_text(errors="replace")[-2_000:]
        for name in kubernetes.processes
    )
