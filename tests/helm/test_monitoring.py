"""What scrapers, rules and dashboards are given."""

from __future__ import annotations

import json
from dataclasses import asdict

import pytest
from pydantic import TypeAdapter

from prunescope.dashboards.generate import DIRECTORY
from prunescope.dashboards.rules import rules_document
from prunescope.dashboards.settings import Settings, Thresholds
from tests.helm.chart import CHART, RECEIVING, Chart, Values, audited, merged, only, pod_spec

pytestmark = pytest.mark.slow


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
        pytest.param({"labels": {"team": "data", "on_call": "mine"}}, id="labels"),
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
                    "maintenance_age": "5w1d",
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
