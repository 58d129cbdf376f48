"""What the program refuses at night, the chart refuses when it is installed."""

from __future__ import annotations

import json
from typing import Any

import pytest

from prunescope.audit_jobs.config import parse_config
from prunescope.audit_jobs.errors import BadConfiguration
from tests.helm.chart import CONFIG, Chart, audited, merged

pytestmark = pytest.mark.slow


@pytest.mark.parametrize(
    ("change", "place"),
    [
        pytest.param(
            {"catalogs": {"lake": {"properties": {"uri": "${CATALOG_URI}"}}}},
            "config.catalogs.lake.properties.uri names an environment variable",
            id="variable",
        ),
        pytest.param(
            {"sources": [{"type": "trino_events", "paths": ["s3://b/", "$LOGS"]}]},
            "config.sources[0].paths[1] names an environment variable",
            id="variable-without-braces",
        ),
        pytest.param({"report": {"path": "/srv/{window}.html"}}, "/config/report/path", id="field"),
        pytest.param(
            {"findings": {"suppress": [{"table": "*", "reason": "x", "cause": "nope"}]}},
            "/config/findings/suppress/0/cause",
            id="cause",
        ),
        pytest.param(
            {"metrics": {"pushgateway": "pushgateway:9091"}},
            "/config/metrics/pushgateway",
            id="pushgateway",
        ),
        pytest.param({"otlp": {"endpoint": "collector:4318"}}, "/config/otlp/endpoint", id="otlp"),
        pytest.param({"cache": {"path": "cache"}}, "/config/cache/path", id="relative-cache"),
        pytest.param(
            {"tables": [{"name": "orders", "metadata": "x"}]},
            "/config/tables/0/name",
            id="part-of-a-name",
        ),
        pytest.param({"audit": {"namespace": ""}}, "/config/audit/namespace", id="no-namespace"),
        pytest.param({"audit": {"namespace": "a."}}, "/config/audit/namespace", id="half-a-name"),
    ],
)
def test_the_chart_refuses_what_the_program_does(
    chart: Chart, change: dict[str, Any], place: str
) -> None:
    config = merged(CONFIG, change)
    with pytest.raises(BadConfiguration):
        parse_config(json.dumps(config), "audit.yaml")
    assert place in chart.refusal(audited(config=config))


@pytest.mark.parametrize(
    "change",
    [
        pytest.param({"spark": {"conf": {"spark.x": "${env:HOME}/x"}}}, id="variable-of-spark"),
        pytest.param({"report": {"path": "s3://b/{window_start}_{run_id}.html"}}, id="report"),
        pytest.param(
            {"metrics": {"pushgateway": "HTTP://gateway:9091", "textfile": "/var/x.prom"}},
            id="metrics",
        ),
        pytest.param({"otlp": {"endpoint": "https://[::1]:4318"}}, id="otlp"),
        pytest.param({"tables": [{"name": "a.b.c.d", "metadata": "s3://b/x"}]}, id="deep-name"),
        pytest.param({"audit": {"namespace": "ops.audit"}}, id="namespace-in-another"),
    ],
)
def test_the_chart_takes_what_the_program_does(chart: Chart, change: dict[str, Any]) -> None:
    config = merged(CONFIG, change)
    parse_config(json.dumps(config), "audit.yaml")
    chart.render(audited(config=config))
