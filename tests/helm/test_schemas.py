"""What the chart makes is what Kubernetes and the operators take."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import kubernetes_validate
import pytest
import yaml

from prunescope.audit_jobs.config import validate_config
from tests.helm.chart import CHART, CI_VALUES, NEWEST, OLDEST, Chart, spark_pods
from tests.helm.schemas import complaint

pytestmark = pytest.mark.slow

CASES = [pytest.param(path, id=path.stem.removesuffix("-values")) for path in CI_VALUES]


@pytest.mark.parametrize("values", CASES)
def test_the_chart_is_lint_free(chart: Chart, values: Path) -> None:
    chart.run("lint", "--strict", "--kube-version", f"{NEWEST}.0", values=values)


def test_the_defaults_are_lint_free(chart: Chart) -> None:
    chart.run("lint", "--strict", "--kube-version", f"{NEWEST}.0", values={})


@pytest.mark.parametrize("kubernetes", [OLDEST, NEWEST])
@pytest.mark.parametrize("values", CASES)
def test_every_object_fits_its_schema(
    chart: Chart, values: Path, kubernetes: str, definitions: Mapping[str, Path]
) -> None:
    objects = chart.render(values, kubernetes=kubernetes)
    templates = [
        {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": name}, "spec": template["spec"]}
        for name, template in spark_pods(objects).items()
    ]
    complaints = [complaint(each, kubernetes, definitions) for each in (*objects, *templates)]
    assert [each for each in complaints if each is not None] == []


def test_the_versions_are_the_oldest_that_the_chart_takes_and_the_newest_there_is() -> None:
    declared = yaml.safe_load((CHART / "Chart.yaml").read_text())["kubeVersion"]
    assert declared == f">={OLDEST}.0-0"
    assert kubernetes_validate.latest_version().startswith(f"{NEWEST}.")


@pytest.mark.parametrize(
    ("kind", "change", "named"),
    [
        pytest.param("CronJob", {"concurrencyPolicies": "Forbid"}, "concurrencyPolicies", id="job"),
        pytest.param("Deployment", {"replicas": "two"}, "spec.replicas", id="deployment"),
        pytest.param("ServiceMonitor", {"endpoints": [{"ports": "x"}]}, "ports", id="monitor"),
    ],
)
def test_the_schemas_find_what_is_wrong(
    chart: Chart,
    kind: str,
    change: dict[str, object],
    named: str,
    definitions: Mapping[str, Path],
) -> None:
    objects = chart.render(CHART / "ci" / "monitoring-values.yaml")
    found = next(each for each in objects if each["kind"] == kind)
    found["spec"].update(change)
    said = complaint(found, NEWEST, definitions)
    assert said is not None
    assert named in said


@pytest.mark.parametrize("values", CASES)
def test_every_configuration_is_one_that_an_audit_takes(chart: Chart, values: Path) -> None:
    texts = [
        each["data"]["audit.yaml"]
        for each in chart.render(values)
        if each["kind"] == "ConfigMap" and "audit.yaml" in each["data"]
    ]
    expected = 0 if values.stem.startswith(("existing-config", "receiver-only")) else 1
    assert len(texts) == expected
    for text in texts:
        validate_config(yaml.safe_load(text), "audit.yaml")
