"""The audit and the maintenance: when they run, and how Spark does."""

from __future__ import annotations

from typing import Any

import pytest
import yaml

from tests.helm.chart import VERSION, Chart, Values, audited, only, pod_spec

pytestmark = pytest.mark.slow


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
        "spark.kubernetes.container.image": f"prunescope:{VERSION}",
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
