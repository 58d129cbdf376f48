"""What each value of the chart changes."""

from __future__ import annotations

import json
import shutil
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest
import yaml
from pydantic import TypeAdapter

from dashboards.generate import DIRECTORY
from dashboards.rules import rules_document
from dashboards.settings import Settings, Thresholds
from scripts.chart_files import chart_files, stale_copies
from tests.helm.chart import (
    CHART,
    CI_VALUES,
    CONFIG,
    Chart,
    Object,
    Values,
    audited,
    containers,
    merged,
    names,
    only,
    pod_spec,
    pods,
    spark_pods,
)

pytestmark = pytest.mark.slow

ALWAYS = {
    "ConfigMap/night-prunescope-config",
    "ServiceAccount/night-prunescope",
    "CronJob/night-prunescope-audit",
    "CronJob/night-prunescope-maintain",
    "Pod/night-prunescope-doctor",
}
EXPORTER = {"Deployment/night-prunescope-exporter", "Service/night-prunescope-exporter"}
RECEIVER = {
    "Deployment/night-prunescope-receiver",
    "Service/night-prunescope-receiver",
    "ServiceAccount/night-prunescope-receiver",
    "PersistentVolumeClaim/night-prunescope-receiver",
}
DRIVER = {"Role/night-prunescope-driver", "RoleBinding/night-prunescope-driver"}
RECEIVING: Values = {"enabled": True, "tokenSecret": {"name": "tokens"}}
LANDING: Values = {
    "persistence": {"enabled": False},
    "landing": {"enabled": True, "destination": "s3://logs/received"},
}
CASES = [pytest.param(path, id=path.stem.removesuffix("-values")) for path in CI_VALUES]


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        pytest.param({}, ALWAYS, id="defaults"),
        pytest.param(
            {"audit": {"enabled": False}},
            ALWAYS - {"CronJob/night-prunescope-audit"},
            id="no-audit",
        ),
        pytest.param(
            {"maintenance": {"enabled": False}},
            ALWAYS - {"CronJob/night-prunescope-maintain"},
            id="no-maintenance",
        ),
        pytest.param(
            {"serviceAccount": {"create": False, "name": "ours"}},
            ALWAYS - {"ServiceAccount/night-prunescope"},
            id="own-service-account",
        ),
        pytest.param(
            {"audit": {"mode": "kubernetes"}},
            ALWAYS | DRIVER | {"ConfigMap/night-prunescope-executor"},
            id="executors",
        ),
        pytest.param(
            {
                "audit": {"mode": "kubernetes"},
                "rbac": {"create": False},
                "serviceAccount": {"create": False, "name": "spark"},
            },
            ALWAYS - {"ServiceAccount/night-prunescope"} | {"ConfigMap/night-prunescope-executor"},
            id="executors-with-own-rights",
        ),
        pytest.param(
            {"audit": {"mode": "operator"}},
            ALWAYS - {"CronJob/night-prunescope-audit"}
            | DRIVER
            | {"ScheduledSparkApplication/night-prunescope-audit"},
            id="operator",
        ),
        pytest.param({"exporter": {"enabled": True}}, ALWAYS | EXPORTER, id="exporter"),
        pytest.param(
            {"exporter": {"enabled": True, "serviceMonitor": {"enabled": True}}},
            ALWAYS | EXPORTER | {"ServiceMonitor/night-prunescope-exporter"},
            id="service-monitor",
        ),
        pytest.param(
            {"exporter": {"enabled": True, "podMonitor": {"enabled": True}}},
            ALWAYS | EXPORTER | {"PodMonitor/night-prunescope-exporter"},
            id="pod-monitor",
        ),
        pytest.param(
            {
                "exporter": {
                    "enabled": True,
                    "replicas": 2,
                    "podDisruptionBudget": {"enabled": True},
                }
            },
            ALWAYS | EXPORTER | {"PodDisruptionBudget/night-prunescope-exporter"},
            id="disruption-budget",
        ),
        pytest.param({"receiver": RECEIVING}, ALWAYS | RECEIVER, id="receiver"),
        pytest.param(
            {"receiver": merged(RECEIVING, {"persistence": {"existingClaim": "disk"}})},
            ALWAYS | RECEIVER - {"PersistentVolumeClaim/night-prunescope-receiver"},
            id="own-claim",
        ),
        pytest.param(
            {"receiver": merged(RECEIVING, LANDING)},
            ALWAYS | RECEIVER - {"PersistentVolumeClaim/night-prunescope-receiver"},
            id="landing",
        ),
        pytest.param(
            {"receiver": merged(RECEIVING, {"ingress": {"enabled": True, "host": "x.example"}})},
            ALWAYS | RECEIVER | {"Ingress/night-prunescope-receiver"},
            id="ingress",
        ),
        pytest.param(
            {"receiver": merged(RECEIVING, {"serviceAccount": {"create": False}})},
            ALWAYS | RECEIVER - {"ServiceAccount/night-prunescope-receiver"},
            id="receiver-without-service-account",
        ),
        pytest.param(
            {"prometheusRule": {"enabled": True}},
            ALWAYS | {"PrometheusRule/night-prunescope"},
            id="rules",
        ),
        pytest.param(
            {"networkPolicy": {"enabled": True}},
            ALWAYS | {"NetworkPolicy/night-prunescope"},
            id="network-policy",
        ),
        pytest.param(
            {
                "networkPolicy": {"enabled": True},
                "audit": {"mode": "kubernetes"},
                "exporter": {"enabled": True},
                "receiver": RECEIVING,
            },
            ALWAYS
            | DRIVER
            | EXPORTER
            | RECEIVER
            | {"ConfigMap/night-prunescope-executor"}
            | {
                f"NetworkPolicy/night-prunescope{part}"
                for part in ("", "-spark", "-exporter", "-receiver")
            },
            id="network-policies",
        ),
    ],
)
def test_a_value_makes_these_objects_and_no_others(
    chart: Chart, values: Values, expected: set[str]
) -> None:
    assert names(chart.render(audited(**values))) == expected


def test_only_a_receiver_needs_no_configuration(chart: Chart) -> None:
    objects = chart.render(CHART / "ci" / "receiver-only-values.yaml")
    assert names(objects) == RECEIVER


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


@pytest.mark.parametrize("values", CASES)
def test_nothing_is_cluster_wide(chart: Chart, values: Path) -> None:
    kinds = {
        *("ConfigMap", "CronJob", "Deployment", "Ingress", "NetworkPolicy"),
        *("PersistentVolumeClaim", "Pod", "PodDisruptionBudget", "PodMonitor", "PrometheusRule"),
        *("Role", "RoleBinding", "ScheduledSparkApplication", "Service", "ServiceAccount"),
        "ServiceMonitor",
    }
    for each in chart.render(values):
        assert each["kind"] in kinds
        assert each["metadata"]["namespace"] in ("lakehouse", "monitoring")


@pytest.mark.parametrize("values", CASES)
def test_no_secret_is_made_and_none_stands_in_clear_text(chart: Chart, values: Path) -> None:
    for each in chart.render(values):
        assert each["kind"] != "Secret"
        assert "AWS_SECRET" not in json.dumps(each)


@pytest.mark.parametrize("values", CASES)
def test_objects_have_the_recommended_labels(chart: Chart, values: Path) -> None:
    for each in chart.render(values):
        labels = each["metadata"]["labels"]
        assert labels["app.kubernetes.io/name"] == "prunescope"
        assert labels["app.kubernetes.io/instance"] == "night"
        assert labels["app.kubernetes.io/part-of"] == "prunescope"
        assert labels["app.kubernetes.io/managed-by"] == "Helm"
        assert {
            *("app.kubernetes.io/component", "app.kubernetes.io/version", "helm.sh/chart")
        } <= set(labels)


def test_selectors_stand_an_upgrade(chart: Chart) -> None:
    objects = chart.render(CHART / "ci" / "pods-values.yaml")
    for each in objects:
        if each["kind"] == "Deployment":
            component = each["metadata"]["labels"]["app.kubernetes.io/component"]
            selector = each["spec"]["selector"]["matchLabels"]
            assert selector == {
                "app.kubernetes.io/name": "prunescope",
                "app.kubernetes.io/instance": "night",
                "app.kubernetes.io/component": component,
            }
            labels = each["spec"]["template"]["metadata"]["labels"]
            assert selector.items() <= labels.items()
            service = only(objects, "Service", each["metadata"]["name"])
            assert service["spec"]["selector"] == selector


def test_the_audit_is_scheduled_so_that_runs_neither_overlap_nor_pile_up(chart: Chart) -> None:
    audit = only(chart.render(audited()), "CronJob", "night-prunescope-audit")["spec"]
    assert audit["concurrencyPolicy"] == "Forbid"
    assert audit["timeZone"] == "Etc/UTC"
    assert audit["startingDeadlineSeconds"] == 3600
    job = audit["jobTemplate"]["spec"]
    assert (job["activeDeadlineSeconds"], job["backoffLimit"]) == (21600, 2)
    assert job["ttlSecondsAfterFinished"] == 172800
    [disruption, done] = job["podFailurePolicy"]["rules"]
    assert disruption["action"] == "Ignore"
    assert done["onExitCodes"] == {"containerName": "audit", "operator": "In", "values": [1]}


@pytest.mark.parametrize(
    ("values", "place", "expected"),
    [
        pytest.param({"schedule": "0 3 * * *"}, ["schedule"], "0 3 * * *", id="schedule"),
        pytest.param({"timeZone": "Asia/Tokyo"}, ["timeZone"], "Asia/Tokyo", id="time-zone"),
        pytest.param({"suspend": True}, ["suspend"], True, id="suspend"),
        pytest.param(
            {"activeDeadlineSeconds": 1_000_000},
            ["jobTemplate", "spec", "activeDeadlineSeconds"],
            1_000_000,
            id="a-million-is-a-whole-number",
        ),
        pytest.param({"failedJobsHistoryLimit": 9}, ["failedJobsHistoryLimit"], 9, id="history"),
    ],
)
@pytest.mark.parametrize("job", ["audit", "maintenance"])
def test_schedules_can_be_changed(
    chart: Chart, job: str, values: Values, place: list[str], expected: Any
) -> None:
    objects = chart.render(audited(**{job: values}))
    name = "audit" if job == "audit" else "maintain"
    found: Any = only(objects, "CronJob", f"night-prunescope-{name}")["spec"]
    for key in place:
        found = found[key]
    assert found == expected


@pytest.mark.parametrize(
    ("image", "expected"),
    [
        pytest.param({}, "prunescope:0.1.0", id="defaults"),
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
            "env": {"TOKEN": {"secret": "catalog", "key": "token"}},
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


def test_executors_are_configured_by_the_chart_and_then_by_the_user(chart: Chart) -> None:
    values = audited(
        audit={"mode": "kubernetes", "executors": {"instances": 7, "memory": "2g"}},
        imagePullSecrets=[{"name": "a"}, {"name": "b"}],
        config={"spark": {"conf": {"spark.executor.memory": "5g", "spark.x": "z"}}},
    )
    objects = chart.render(values)
    text = only(objects, "ConfigMap", "night-prunescope-config")["data"]["audit.yaml"]
    spark = yaml.safe_load(text)["spark"]
    assert spark["master"] == "k8s://https://kubernetes.default.svc"
    assert {
        "spark.executor.instances": "7",
        "spark.executor.memory": "5g",
        "spark.x": "z",
        "spark.kubernetes.namespace": "lakehouse",
        "spark.kubernetes.container.image": "prunescope:0.1.0",
        "spark.kubernetes.container.image.pullSecrets": "a,b",
        "spark.kubernetes.authenticate.executor.serviceAccountName": "night-prunescope",
    }.items() <= spark["conf"].items()
    audit = pod_spec(only(objects, "CronJob", "night-prunescope-audit"))["containers"][0]
    template = spark["conf"]["spark.kubernetes.executor.podTemplateFile"]
    assert template in {f"{mount['mountPath']}/pod.yaml" for mount in audit["volumeMounts"]}
    environment = {each["name"]: each for each in audit["env"]}
    address = {"fieldRef": {"fieldPath": "status.podIP"}}
    assert environment["SPARK_LOCAL_HOSTNAME"]["valueFrom"] == address
    # A variable is replaced in those that come after it.
    assert [*environment].index("POD_NAME") < [*environment].index("PYSPARK_SUBMIT_ARGS")


def test_the_driver_may_do_in_its_namespace_what_spark_does(chart: Chart) -> None:
    objects = chart.render(audited(audit={"mode": "kubernetes"}))
    rules = only(objects, "Role")["rules"]
    assert {resource for rule in rules for resource in rule["resources"]} == {
        *("pods", "configmaps", "persistentvolumeclaims")
    }
    binding = only(objects, "RoleBinding")
    audit = pod_spec(only(objects, "CronJob", "night-prunescope-audit"))
    assert binding["subjects"][0]["name"] == audit["serviceAccountName"]
    assert binding["roleRef"]["name"] == only(objects, "Role")["metadata"]["name"]


def test_the_operator_runs_the_same_audit(chart: Chart) -> None:
    values = audited(
        audit={"mode": "operator", "extraArgs": ["--json"], "executors": {"instances": 3}},
        config={"spark": {"conf": {"spark.x": "z"}}},
    )
    objects = chart.render(values)
    spec = only(objects, "ScheduledSparkApplication")["spec"]
    assert spec["concurrencyPolicy"] == "Forbid"
    application = spec["template"]
    assert application["arguments"] == [
        *("audit", "--config", "/etc/prunescope/audit.yaml", "--json")
    ]
    assert application["sparkConf"]["spark.x"] == "z"
    assert application["executor"]["instances"] == 3
    for role in ("driver", "executor"):
        assert application[role]["serviceAccount"] == "night-prunescope"
        # The name by which the operator has Spark find the container to complete.
        [container] = application[role]["template"]["spec"]["containers"]
        assert container["name"] == f"spark-kubernetes-{role}"


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


def test_large_numbers_of_the_configuration_stay_whole(chart: Chart) -> None:
    values = audited(
        config={
            "max_footers": 1_000_000,
            "findings": {"thresholds": [{"table": "*", "high_bytes": 10**13}]},
        }
    )
    text = only(chart.render(values), "ConfigMap")["data"]["audit.yaml"]
    config = yaml.safe_load(text)
    assert config["max_footers"] == 1_000_000
    assert config["findings"]["thresholds"][0]["high_bytes"] == 10**13
    assert {key: config[key] for key in CONFIG} == CONFIG


def test_what_is_received_outlives_the_release(chart: Chart) -> None:
    claim = only(chart.render(audited(receiver=RECEIVING)), "PersistentVolumeClaim")
    assert claim["metadata"]["annotations"]["helm.sh/resource-policy"] == "keep"


def test_a_volume_has_one_writer_at_a_time(chart: Chart) -> None:
    kept = only(chart.render(audited(receiver=RECEIVING)), "Deployment")
    assert kept["spec"]["strategy"] == {"type": "Recreate"}
    landed = only(chart.render(audited(receiver=merged(RECEIVING, LANDING))), "Deployment")
    assert "strategy" not in landed["spec"]


@pytest.mark.parametrize(
    ("modes", "is_beside"),
    [
        pytest.param(["ReadWriteOnce"], True, id="one-node"),
        pytest.param(["ReadWriteMany"], False, id="any-node"),
    ],
)
def test_an_audit_that_reads_the_receivers_volume_runs_where_it_can(
    chart: Chart, modes: list[str], *, is_beside: bool
) -> None:
    ours = {"topologyKey": "zone", "labelSelector": {"matchLabels": {"app": "catalog"}}}
    required = {"requiredDuringSchedulingIgnoredDuringExecution": [ours]}
    values = audited(
        audit={"mountReceived": True, "pod": {"affinity": {"podAffinity": required}}},
        receiver=merged(RECEIVING, {"persistence": {"accessModes": modes}}),
    )
    objects = chart.render(values)
    receiver = only(objects, "Deployment")["spec"]
    audit = pods(objects)["night-prunescope-audit"]
    mount = {"name": "received", "mountPath": "/var/lib/prunescope/collected", "readOnly": True}
    assert mount in audit["containers"][0]["volumeMounts"]
    terms = audit["affinity"]["podAffinity"]["requiredDuringSchedulingIgnoredDuringExecution"]
    beside = {
        "topologyKey": "kubernetes.io/hostname",
        "labelSelector": {"matchLabels": receiver["selector"]["matchLabels"]},
    }
    assert terms == ([ours, beside] if is_beside else [ours])


def test_the_ingress_leads_to_what_is_posted_and_to_nothing_else(chart: Chart) -> None:
    objects = chart.render(CHART / "ci" / "receiver-values.yaml")
    [rule] = only(objects, "Ingress")["spec"]["rules"]
    [path] = rule["http"]["paths"]
    assert (rule["host"], path["path"]) == ("prunescope.example.com", "/v1/")
    service = only(objects, "Service", path["backend"]["service"]["name"])
    assert path["backend"]["service"]["port"]["name"] in {
        port["name"] for port in service["spec"]["ports"]
    }


@pytest.mark.parametrize("kind", ["ServiceMonitor", "PodMonitor"])
@pytest.mark.parametrize(
    ("component", "job"), [("exporter", "prunescope"), ("receiver", "prunescope-receiver")]
)
def test_samples_have_the_job_that_rules_select_by_and_keep_their_labels(
    chart: Chart, kind: str, component: str, job: str
) -> None:
    key = kind[0].lower() + kind[1:]
    monitored = {"enabled": True, key: {"enabled": True, "labels": {"release": "prometheus"}}}
    values = audited(**{component: merged(RECEIVING if component == "receiver" else {}, monitored)})
    objects = chart.render(values)
    monitor = only(objects, kind)
    assert monitor["metadata"]["labels"]["release"] == "prometheus"
    [endpoint] = monitor["spec"]["endpoints" if kind == "ServiceMonitor" else "podMetricsEndpoints"]
    assert endpoint["honorLabels"] is True
    assert endpoint["relabelings"] == [{"targetLabel": "job", "replacement": job}]
    [container] = pod_spec(only(objects, "Deployment"))["containers"]
    assert endpoint["port"] in {port["name"] for port in container["ports"]}


def test_dashboards_reach_their_namespace_whole(chart: Chart) -> None:
    objects = chart.render(CHART / "ci" / "monitoring-values.yaml")
    found = [each for each in objects if each["metadata"]["labels"].get("grafana_dashboard") == "1"]
    assert {each["metadata"]["namespace"] for each in found} == {"monitoring"}
    boards = {name: json.loads(text) for each in found for name, text in each["data"].items()}
    generated = (path for path in DIRECTORY.iterdir() if path.suffix == ".json")
    assert boards == {path.name: json.loads(path.read_text()) for path in generated}
    assert len(boards) >= 4


@pytest.mark.parametrize(
    "settings",
    [
        pytest.param({}, id="defaults"),
        pytest.param({"lookback": "26h"}, id="lookback"),
        pytest.param({"selector": 'job=~"a[bc]|d", site="x: \'#\' y"'}, id="selector"),
        pytest.param({"labels": {"team": "data", "severity": "mine", "pass": "mine"}}, id="labels"),
        pytest.param(
            {
                "evaluation_interval": "1m30s",
                "baseline_window": "2w",
                "baseline_step": "12h",
                "baseline_offset": "2d",
                "burn_in": "3d",
                "hold": "2d",
                "settle": "0s",
                "runbook_url": "https://wiki.example.com/alerts",
            },
            id="durations-and-address",
        ),
        pytest.param(
            {
                "thresholds": {
                    "kept_ratio": {"manifests": 0.5, "data_files": 0.001, "row_groups": 0.75},
                    "containers_per_scan": 1_000_000,
                    "bytes_read": 10**13,
                    "regression": 0.125,
                    "unparseable_rise": 0.3,
                    "success_age": "1d2h30m5s",
                }
            },
            id="thresholds",
        ),
    ],
)
def test_rules_are_those_that_the_dashboards_package_writes_with_the_same_settings(
    chart: Chart, settings: Values
) -> None:
    values = audited(prometheusRule={"enabled": True, "settings": settings})
    given = merged({"thresholds": asdict(Thresholds())}, settings)
    expected = rules_document(TypeAdapter(Settings).validate_python(given))
    assert only(chart.render(values), "PrometheusRule")["spec"] == expected


def test_a_ratio_of_one_is_never_exceeded(chart: Chart) -> None:
    ratios = {"thresholds": {"kept_ratio": {"manifests": 1}}}
    values = audited(prometheusRule={"enabled": True, "settings": ratios})
    text = json.dumps(only(chart.render(values), "PrometheusRule"))
    assert "> 1 and" in text
    assert "@@" not in text


def test_a_network_policy_lets_in_and_out_what_is_listed(chart: Chart) -> None:
    objects = chart.render(CHART / "ci" / "hardened-values.yaml")
    everything = only(objects, "NetworkPolicy", "night-prunescope")["spec"]
    assert everything["policyTypes"] == ["Ingress", "Egress"]
    assert "ingress" not in everything
    assert egress_ports(everything) == [[53], [443], [9091]]
    exporter = only(objects, "NetworkPolicy", "night-prunescope-exporter")["spec"]
    [rule] = exporter["ingress"]
    assert [port["port"] for port in rule["ports"]] == [9898]
    assert len(rule["from"]) == 1
    pod_labels = only(objects, "Deployment")["spec"]["template"]["metadata"]["labels"]
    for policy in (everything, exporter):
        assert policy["podSelector"]["matchLabels"].items() <= pod_labels.items()


@pytest.mark.parametrize(
    ("landing", "ports"),
    [pytest.param({}, [], id="none"), pytest.param(LANDING, [[53], [443]], id="landing")],
)
def test_the_receiver_reaches_nothing_but_where_files_land(
    chart: Chart, landing: Values, ports: list[list[int]]
) -> None:
    values = audited(networkPolicy={"enabled": True}, receiver=merged(RECEIVING, landing))
    objects = chart.render(values)
    others = only(objects, "NetworkPolicy", "night-prunescope")["spec"]
    # Policies add up: one that selected all pods would let the receiver out as well.
    assert others["podSelector"]["matchExpressions"] == [
        {"key": "app.kubernetes.io/component", "operator": "NotIn", "values": ["receiver"]}
    ]
    receiver = only(objects, "NetworkPolicy", "night-prunescope-receiver")["spec"]
    assert receiver["policyTypes"] == ["Ingress", "Egress"]
    assert egress_ports(receiver) == ports


def egress_ports(policy: Object) -> list[list[int]]:
    """The ports of each rule."""
    return [sorted({port["port"] for port in rule["ports"]}) for rule in policy["egress"]]


@pytest.mark.parametrize(
    ("certificate", "expected"),
    [
        pytest.param("", (None, None), id="http"),
        pytest.param("certificate", ("https", {"serverName": "receiver"}), id="https"),
    ],
)
def test_the_receiver_is_scraped_and_probed_as_it_listens(
    chart: Chart, certificate: str, expected: tuple[str | None, Values | None]
) -> None:
    monitor = {"enabled": True, "tlsConfig": {"serverName": "receiver"}}
    values = audited(
        receiver=merged(RECEIVING, {"tlsSecret": certificate, "serviceMonitor": monitor})
    )
    objects = chart.render(values)
    [endpoint] = only(objects, "ServiceMonitor")["spec"]["endpoints"]
    assert (endpoint.get("scheme"), endpoint.get("tlsConfig")) == expected
    [container] = pod_spec(only(objects, "Deployment"))["containers"]
    scheme = "HTTPS" if certificate else "HTTP"
    for probe in ("startupProbe", "livenessProbe", "readinessProbe"):
        assert container[probe]["httpGet"]["scheme"] == scheme
    assert ("/etc/prunescope-tls/tls.crt" in container["args"]) is bool(certificate)


def test_labels_of_an_installation_stand_beside_the_charts(chart: Chart) -> None:
    values = audited(
        commonLabels={"team": "data", "env": "all"},
        exporter={"enabled": True, "pod": {"labels": {"env": "pod"}}},
    )
    objects = chart.render(values)
    assert all(each["metadata"]["labels"]["team"] == "data" for each in objects)
    labels = only(objects, "Deployment")["spec"]["template"]["metadata"]["labels"]
    assert (labels["team"], labels["env"]) == ("data", "pod")


def test_driver_and_executors_may_talk_to_each_other(chart: Chart) -> None:
    objects = chart.render(CHART / "ci" / "executors-values.yaml")
    spark = only(objects, "NetworkPolicy", "night-prunescope-spark")["spec"]
    wanted = spark["podSelector"]["matchLabels"]
    job = only(objects, "CronJob", "night-prunescope-audit")["spec"]["jobTemplate"]["spec"]
    executor = yaml.safe_load(
        only(objects, "ConfigMap", "night-prunescope-executor")["data"]["pod.yaml"]
    )
    for labels in (
        job["template"]["metadata"]["labels"],
        executor["metadata"]["labels"],
    ):
        assert wanted.items() <= labels.items()
    maintain = only(objects, "CronJob", "night-prunescope-maintain")["spec"]["jobTemplate"]["spec"]
    assert not wanted.items() <= maintain["template"]["metadata"]["labels"].items()


@pytest.mark.parametrize(
    ("release", "override", "expected"),
    [
        pytest.param("night", "", "night-prunescope-audit", id="release-and-chart"),
        pytest.param("prunescope", "", "prunescope-audit", id="release-named-like-the-chart"),
        pytest.param("night", "lake", "lake-audit", id="override"),
        pytest.param("n" * 53, "", "n" * 40 + "-audit", id="long-release"),
    ],
)
def test_names_fit_into_a_cron_jobs(
    chart: Chart, release: str, override: str, expected: str
) -> None:
    objects = chart.render(audited(fullnameOverride=override), release=release)
    found = [each["metadata"]["name"] for each in objects if each["kind"] == "CronJob"]
    assert expected in found
    assert all(len(name) <= 52 for name in found)


def test_the_notes_tell_the_next_command(chart: Chart, tmp_path: Path) -> None:
    """Helm shows them after an installation only, so here they are rendered as an object."""
    copy = tmp_path / "prunescope"
    shutil.copytree(CHART, copy)
    notes = (copy / "templates" / "NOTES.txt").rename(copy / "templates" / "_notes.tpl")
    notes.write_text(f'{{{{ define "notes" }}}}{notes.read_text()}{{{{ end }}}}')
    (copy / "templates" / "notes.yaml").write_text(
        'kind: Notes\nmetadata: {name: notes}\ntext: {{ include "notes" . | toJson }}\n'
    )
    values = audited(receiver=RECEIVING, exporter={"enabled": True})
    said = only(Chart(chart.helm, copy).render(values), "Notes")["text"]
    assert "kubectl --namespace lakehouse create job --from=cronjob/night-prunescope-audit" in said
    assert "http://night-prunescope-receiver.lakehouse.svc:8787/v1/trino/events" in said
    assert "port-forward service/night-prunescope-exporter 9898" in said


def test_an_object_of_a_component_stands_in_its_folder() -> None:
    folders = {path.name for path in (CHART / "templates").iterdir() if path.is_dir()}
    assert folders == {
        "audit",
        "config",
        "exporter",
        "maintenance",
        "monitoring",
        "receiver",
        "tests",
    }


def test_the_files_that_follow_from_others_are_as_these_make_them() -> None:
    stale = [path for path, text in chart_files() if path.read_text(encoding="utf-8") != text]
    assert (stale, stale_copies()) == ([], []), "run make chart"


def test_the_rules_settings_have_the_defaults_of_the_dashboards_package() -> None:
    values = yaml.safe_load((CHART / "values.yaml").read_text())["prometheusRule"]["settings"]
    assert merged(values, {"lookback": values["lookback"] or None}) == asdict(Settings())


def test_every_value_is_described() -> None:
    schema: Object = json.loads((CHART / "values.schema.json").read_text())

    def undescribed(part: Object, name: str) -> list[str]:
        missing = []
        for key, each in part.get("properties", {}).items():
            full = f"{name}{key}"
            is_group = bool(each.get("properties")) and key != "resources"
            if is_group:
                missing += undescribed(each, f"{full}.")
            elif "description" not in each:
                missing.append(full)
        return missing

    of_pods = {"annotations", "labels", "nodeSelector", "tolerations", "affinity"}
    of_pods |= {"topologySpreadConstraints", "priorityClassName", "extraEnv", "extraVolumes"}
    of_pods |= {"extraVolumeMounts"}
    missing = [name for name in undescribed(schema, "") if ".pod." not in name]
    assert [name for name in missing if "podMonitor" not in name and name != "global"] == []
    assert of_pods == set(schema["properties"]["audit"]["properties"]["pod"]["properties"])
