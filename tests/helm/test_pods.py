"""What the pods may do, what they run, and what values give them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.helm.chart import (
    CASES,
    CHART,
    LANDING,
    RECEIVING,
    VERSION,
    Chart,
    Object,
    Values,
    audited,
    containers,
    merged,
    only,
    pods,
    spark_pods,
)

pytestmark = pytest.mark.slow


def test_a_config_map_of_ones_own_is_mounted_instead(chart: Chart) -> None:
    objects = chart.render(CHART / "ci" / "existing-config-values.yaml")
    assert [each for each in objects if each["kind"] == "ConfigMap"] == []
    for pod in pods(objects).values():
        config = next(volume for volume in pod["volumes"] if volume["name"] == "config")
        assert config["configMap"] == {"name": "audit-configuration"}


@pytest.mark.parametrize("values", CASES)
def test_no_pod_has_more_rights_than_it_needs(chart: Chart, values: Path) -> None:
    objects = chart.render(values)
    for name, pod in pods(objects).items():
        security = pod["securityContext"]
        assert security["runAsNonRoot"] is True, name
        assert security["runAsUser"] == 185, name
        assert security["seccompProfile"] == {"type": "RuntimeDefault"}, name
        # Spark's driver starts executors.
        drives = name.endswith("-audit") and values.stem.startswith(("executors", "operator"))
        assert pod["automountServiceAccountToken"] is drives, name
        for container in containers(pod):
            assert container["securityContext"] == {
                "allowPrivilegeEscalation": False,
                "readOnlyRootFilesystem": True,
                "capabilities": {"drop": ["ALL"]},
            }, name
            mounts = {mount["mountPath"] for mount in container["volumeMounts"]}
            assert "/tmp" in mounts, name  # noqa: S108  # in the pod


@pytest.mark.parametrize(
    ("image", "expected"),
    [
        pytest.param({}, f"prunescope:{VERSION}", id="defaults"),
        pytest.param({"repository": "r.example/p", "tag": "2"}, "r.example/p:2", id="tag"),
        pytest.param(
            {"tag": "2", "digest": "sha256:" + "a" * 64},
            "prunescope@sha256:" + "a" * 64,
            id="digest",
        ),
    ],
)
def test_all_containers_run_one_image(chart: Chart, image: Values, expected: str) -> None:
    receiver = merged(RECEIVING, LANDING)
    objects = chart.render(audited(image=image, exporter={"enabled": True}, receiver=receiver))
    images = [each["image"] for pod in pods(objects).values() for each in containers(pod)]
    assert images == [expected] * 6


@pytest.mark.parametrize(
    ("workload", "mode"),
    [
        pytest.param("audit", "local", id="audit"),
        pytest.param("maintain", "local", id="maintenance"),
        pytest.param("exporter", "local", id="exporter"),
        pytest.param("receiver", "local", id="receiver"),
        pytest.param("audit", "kubernetes", id="driver"),
        pytest.param("executor", "kubernetes", id="executor"),
        pytest.param("audit", "operator", id="driver-of-the-operator"),
        pytest.param("executor", "operator", id="executor-of-the-operator"),
    ],
)
def test_settings_of_a_pod_reach_it(chart: Chart, workload: str, mode: str) -> None:
    given = yaml.safe_load((CHART / "ci" / "pods-values.yaml").read_text())
    settings = given["audit"]["pod"]
    values = merged(
        {key: value for key, value in given.items() if key != "audit"},
        {"audit": {"mode": mode, "pod": settings, "executors": {"pod": settings}}},
    )
    objects = chart.render(values)
    pod = pods(objects)[f"night-prunescope-{workload}"]
    for key in ("nodeSelector", "tolerations", "affinity", "priorityClassName"):
        assert pod[key] == settings[key]
    [spread] = pod["topologySpreadConstraints"]
    assert settings["topologySpreadConstraints"][0].items() <= spread.items()
    counted = spread["labelSelector"]["matchLabels"]
    metadata = [template["metadata"] for template in templates(objects)]
    [of_pod] = [each for each in metadata if counted.items() <= each["labels"].items()]
    assert settings["labels"].items() <= of_pod["labels"].items()
    assert settings["annotations"].items() <= of_pod["annotations"].items()
    [container] = pod["containers"]
    for key, more in (("env", "extraEnv"), ("volumeMounts", "extraVolumeMounts")):
        assert all(each in container[key] for each in settings[more])
    assert all(each in pod["volumes"] for each in settings["extraVolumes"])


def test_credentials_come_from_secrets(chart: Chart) -> None:
    values = audited(
        exporter={"enabled": True},
        receiver=RECEIVING,
        credentials={
            "envFromSecrets": ["lake"],
            "env": {
                "TOKEN": {"secret": "catalog", "key": "token"},
                "PRUNESCOPE_SECRET": {"secret": "prunescope", "key": "secret"},
            },
            "pyicebergSecret": "pyiceberg",
        },
    )
    for name, pod in pods(chart.render(values)).items():
        [container] = pod["containers"]
        environment = {each["name"]: each for each in container["env"]}
        if name.endswith("-receiver"):
            # It opens no catalog, and strangers can reach it.
            assert "envFrom" not in container
            assert set(environment) == {"HOME"}
            continue
        assert container["envFrom"] == [{"secretRef": {"name": "lake"}}]
        source = {"secretKeyRef": {"name": "catalog", "key": "token"}}
        assert environment["TOKEN"] == {"name": "TOKEN", "valueFrom": source}
        source = {"secretKeyRef": {"name": "prunescope", "key": "secret"}}
        assert environment["PRUNESCOPE_SECRET"]["valueFrom"] == source
        assert environment["PYICEBERG_HOME"]["value"] == "/etc/prunescope-pyiceberg"
        secrets = [
            volume["secret"]["secretName"] for volume in pod["volumes"] if "secret" in volume
        ]
        assert secrets == ["pyiceberg"]


def test_workload_identity_of_the_receiver_is_its_own(chart: Chart) -> None:
    values = audited(
        serviceAccount={"annotations": {"role": "catalog"}},
        receiver=merged(RECEIVING, {"serviceAccount": {"annotations": {"role": "landing"}}}),
    )
    objects = chart.render(values)
    roles = {
        each["metadata"]["name"]: each["metadata"]["annotations"]["role"]
        for each in objects
        if each["kind"] == "ServiceAccount"
    }
    assert roles == {"night-prunescope": "catalog", "night-prunescope-receiver": "landing"}
    users = {name: pod["serviceAccountName"] for name, pod in pods(objects).items()}
    assert users == {
        "night-prunescope-audit": "night-prunescope",
        "night-prunescope-doctor": "night-prunescope",
        "night-prunescope-maintain": "night-prunescope",
        "night-prunescope-receiver": "night-prunescope-receiver",
    }


def templates(objects: list[Object]) -> list[Object]:
    """Metadata and spec of every pod."""
    own = [each["spec"] for each in objects if each["kind"] in ("CronJob", "Deployment")]
    jobs = [each.get("jobTemplate", {}).get("spec", each) for each in own]
    return [*(each["template"] for each in jobs), *spark_pods(objects).values()]


def test_a_change_of_the_configuration_restarts_the_exporter(chart: Chart) -> None:
    def checksum(**config: Any) -> str:
        objects = chart.render(audited(exporter={"enabled": True}, config=config))
        template = only(objects, "Deployment")["spec"]["template"]
        return str(template["metadata"]["annotations"]["checksum/config"])

    assert checksum() == checksum()
    assert checksum() != checksum(max_footers=5)
