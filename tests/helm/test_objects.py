"""What each value of the chart changes."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from tests.helm.chart import (
    CASES,
    CHART,
    LANDING,
    RECEIVING,
    Chart,
    Values,
    audited,
    merged,
    names,
    only,
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


def test_labels_of_an_installation_stand_beside_the_charts(chart: Chart) -> None:
    values = audited(
        commonLabels={"team": "data", "env": "all"},
        exporter={"enabled": True, "pod": {"labels": {"env": "pod"}}},
    )
    objects = chart.render(values)
    assert all(each["metadata"]["labels"]["team"] == "data" for each in objects)
    labels = only(objects, "Deployment")["spec"]["template"]["metadata"]["labels"]
    assert (labels["team"], labels["env"]) == ("data", "pod")


@pytest.mark.parametrize(
    ("release", "override", "expected"),
    [
        pytest.param("night", "", "night-prunescope-audit", id="release-and-chart"),
        pytest.param("prunescope", "", "prunescope-audit", id="release-named-like-the-chart"),
        pytest.param("night", "lake", "lake-audit", id="override"),
        pytest.param("n" * 29, "", "n" * 29 + "-prunescope-audit", id="40-characters"),
        pytest.param("n" * 53, "", "n" * 31 + "-fe2650ca-audit", id="long-release"),
        pytest.param(f"{'n' * 30}-x", "", "n" * 30 + "-f105be1d-audit", id="cut-at-a-dash"),
    ],
)
def test_names_fit_into_a_cron_jobs(
    chart: Chart, release: str, override: str, expected: str
) -> None:
    objects = chart.render(audited(fullnameOverride=override), release=release)
    found = [each["metadata"]["name"] for each in objects if each["kind"] == "CronJob"]
    assert expected in found
    assert all(len(name) <= 52 for name in found)


def test_long_releases_that_begin_alike_share_no_object(chart: Chart) -> None:
    first, second = (
        names(chart.render(CHART / "ci" / "monitoring-values.yaml", release=release))
        for release in (f"data-platform-production-eu-central-1-lakehouse-{x}" for x in "ab")
    )
    assert len(first) == len(second)
    assert first & second == set()


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
