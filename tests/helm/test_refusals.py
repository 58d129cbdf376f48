"""Values that cannot be meant end `helm template` with a sentence that names them."""

from __future__ import annotations

import re

import pytest

from prunescope.dashboards.settings import OWN_LABELS
from tests.helm.chart import CONFIG, RECEIVING, Chart, Values, audited, merged, with_config

pytestmark = pytest.mark.slow

RECEIVER = {"receiver": RECEIVING}


@pytest.mark.parametrize(
    ("values", "named"),
    [
        pytest.param(audited(audit={"schedul": "@daily"}), "'/audit': .*'schedul'", id="misspelt"),
        pytest.param(audited(exporters={}), "additional properties 'exporters'", id="top-level"),
        pytest.param(
            audited(exporter={"pod": {"tolerance": []}}),
            "'/exporter/pod': .*'tolerance'",
            id="within-a-pod",
        ),
        pytest.param(
            audited(exporter={"replicas": "two"}),
            "'/exporter/replicas': got string, want integer",
            id="wrong-type",
        ),
        pytest.param(
            audited(audit={"mode": "cluster"}),
            "'/audit/mode': value must be one of 'local', 'kubernetes', 'operator'",
            id="unknown-mode",
        ),
        pytest.param(
            audited(image={"digest": "latest"}), "'/image/digest': .* does not match", id="digest"
        ),
        pytest.param(
            audited(audit={"schedule": "at night"}),
            "'/audit/schedule': .* does not match",
            id="schedule",
        ),
        pytest.param(
            audited(audit={"schedule": "99 1 * * *"}),
            "'/audit/schedule': .* does not match",
            id="minute-99",
        ),
        pytest.param(
            audited(audit={"startingDeadlineSeconds": 5}),
            "'/audit/startingDeadlineSeconds': minimum: got 5, want 10",
            id="less-than-between-two-looks",
        ),
        pytest.param(
            audited(receiver={"terminationGracePeriodSeconds": 10}),
            "'/receiver/terminationGracePeriodSeconds': minimum: got 10, want 30",
            id="less-than-requests-get",
        ),
        pytest.param(audited(audit={"pod": None}), "'/audit': missing property 'pod'", id="no-pod"),
        pytest.param(
            audited(exporter={"serviceMonitor": None}),
            "'/exporter': missing property 'serviceMonitor'",
            id="no-monitor",
        ),
        pytest.param({"config": None}, "missing property 'config'", id="null-for-a-configuration"),
        pytest.param(
            audited(receiver={"landing": {"destination": "https://bucket.example.com"}}),
            "'/receiver/landing/destination': .* does not match",
            id="no-object-store",
        ),
        pytest.param(
            audited(prometheusRule={"settings": {"thresholds": {"bytes": 1}}}),
            "'/prometheusRule/settings/thresholds': .*'bytes'",
            id="misspelt-threshold",
        ),
        pytest.param(
            audited(prometheusRule={"settings": {"thresholds": {"regression": 25}}}),
            "'/prometheusRule/settings/thresholds/regression': maximum: got 25, want 1",
            id="points-for-percent",
        ),
        *(
            pytest.param(
                audited(prometheusRule={"settings": settings}),
                f"'/prometheusRule/settings/{place}': .* does not match",
                id=f"rules-{number}",
            )
            for number, (place, settings) in enumerate(
                (
                    ("selector", {"selector": '{job="prunescope"}'}),
                    ("selector", {"selector": "job=prunescope"}),
                    ("selector", {"selector": ""}),
                    ("evaluation_interval", {"evaluation_interval": "0s"}),
                    ("baseline_step", {"baseline_step": "0s"}),
                    ("thresholds/success_age", {"thresholds": {"success_age": "500ms"}}),
                    ("thresholds/success_age", {"thresholds": {"success_age": "0s"}}),
                )
            )
        ),
        pytest.param(
            audited(prometheusRule={"settings": {"labels": {"a-b": "x"}}}),
            "'/prometheusRule/settings/labels': .*'a-b'",
            id="label-that-prometheus-does-not-take",
        ),
        pytest.param(
            audited(prometheusRule={"settings": {"hold": None}}),
            "'/prometheusRule/settings': missing property 'hold'",
            id="no-duration",
        ),
        pytest.param(
            audited(commonLabels={"team": "a b c!"}),
            "'/commonLabels/team': .* does not match",
            id="label",
        ),
        pytest.param(
            audited(commonLabels={"a b": "c"}), "'/commonLabels': .*'a b'", id="name-of-a-label"
        ),
        pytest.param(
            audited(exporter={"pod": {"labels": {"team": "-"}}}),
            "'/exporter/pod/labels/team': .* does not match",
            id="label-of-a-pod",
        ),
        pytest.param(
            audited(maintenance={"activeDeadlineSeconds": 0}),
            "'/maintenance/activeDeadlineSeconds': minimum: got 0, want 1",
            id="no-time-at-all",
        ),
        pytest.param(
            audited(audit={"timeZone": "Berlin/Europe!"}),
            "'/audit/timeZone': .* does not match",
            id="time-zone",
        ),
        pytest.param(
            audited(audit={"extraArgs": ["--config", "/x.yaml"]}),
            "'/audit/extraArgs/0': 'not' failed",
            id="another-configuration",
        ),
        pytest.param(
            audited(audit={"extraArgs": ["--config=/x.yaml"]}),
            "'/audit/extraArgs/0': 'not' failed",
            id="another-configuration-in-one-word",
        ),
        pytest.param(
            audited(receiver={"extraArgs": ["--token-file=/x"]}),
            "'/receiver/extraArgs/0': 'not' failed",
            id="other-tokens",
        ),
        pytest.param(
            audited(networkPolicy={"egress": [{"too": []}]}),
            "'/networkPolicy/egress/0': .*'too'",
            id="misspelt-rule-of-a-policy",
        ),
        pytest.param(
            audited(networkPolicy={"receiverFrom": [{"podSelektor": {}}]}),
            "'/networkPolicy/receiverFrom/0': .*'podSelektor'",
            id="misspelt-peer",
        ),
        pytest.param(
            with_config(metrics={"textfile": "/x/y.txt"}),
            "'/config/metrics/textfile'",
            id="metrics-that-nobody-collects",
        ),
        pytest.param(
            with_config(literal="keep"), "'/config': .*'literal'", id="misspelt-configuration"
        ),
        pytest.param(
            with_config(max_footers="many"),
            "'/config/max_footers': got string, want integer",
            id="configuration-of-a-wrong-type",
        ),
        pytest.param(
            with_config(sources=[{"type": "trino_event", "paths": ["x"]}]),
            "'/config/sources/0/type': value must be one of .*'trino_events'",
            id="unknown-source",
        ),
        pytest.param(
            with_config(sources=[{"type": "trino_events", "path": "x"}]),
            "'/config/sources/0': .*'path'",
            id="misspelt-key-of-a-source",
        ),
        pytest.param(
            {"config": {"catalogs": {}, "sources": CONFIG["sources"]}},
            "'/config': missing property 'audit'",
            id="configuration-without-audit-tables",
        ),
    ],
)
def test_the_schema_names_the_value(chart: Chart, values: Values, named: str) -> None:
    assert re.search(named, chart.refusal(values))


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        pytest.param({}, "config is empty: say which catalogs", id="no-configuration"),
        pytest.param(
            audited(existingConfigMap="mine"),
            "existingConfigMap and config are both set",
            id="two-configurations",
        ),
        pytest.param(
            {"existingConfigMap": "mine", "audit": {"mode": "kubernetes"}},
            "existingConfigMap cannot be used with audit.mode=kubernetes",
            id="executors-without-configuration",
        ),
        pytest.param(
            with_config(audit={"catalog": "sea"}),
            'config.audit.catalog is "sea", which is not one of config.catalogs (lake).',
            id="unknown-catalog",
        ),
        pytest.param(
            audited(audit={"mode": "kubernetes"}, config={"spark": {"master": "local[4]"}}),
            'config.spark.master is "local[4]", but audit.mode is "kubernetes"',
            id="two-masters",
        ),
        pytest.param(
            with_config(spark={"master": "k8s://https://kubernetes.default.svc"}),
            'config.spark.master is "k8s://https://kubernetes.default.svc", but audit.mode is',
            id="executors-in-local-mode",
        ),
        pytest.param(
            audited(audit={"mode": "operator"}, rbac={"create": False}),
            "rbac.create is false, but audit.mode=operator",
            id="executors-that-nobody-may-start",
        ),
        pytest.param(
            audited(audit={"mountReceived": True}),
            "audit.mountReceived is true, but there is no volume to mount",
            id="nothing-received",
        ),
        pytest.param(
            audited(audit={"mode": "kubernetes", "mountReceived": True}, **RECEIVER),
            "receiver.persistence.accessModes has no ReadWriteMany",
            id="volume-on-one-node",
        ),
        pytest.param(
            merged(
                audited(
                    audit={"mountReceived": True},
                    receiver={"persistence": {"accessModes": ["ReadWriteOncePod"]}},
                ),
                RECEIVER,
            ),
            "receiver.persistence.accessModes has ReadWriteOncePod",
            id="volume-of-one-pod",
        ),
        pytest.param(
            audited(receiver={"enabled": True}),
            "receiver.tokenSecret.name is empty",
            id="receiver-without-token",
        ),
        pytest.param(
            merged(audited(receiver={"replicas": 3}), RECEIVER),
            "receiver.replicas is 3, but one process at a time may write to the volume",
            id="two-writers-of-a-volume",
        ),
        pytest.param(
            merged(
                audited(receiver={"persistence": {"enabled": False}}),
                RECEIVER,
            ),
            "receiver.persistence.enabled and receiver.landing.enabled are both false",
            id="received-and-lost",
        ),
        pytest.param(
            merged(audited(receiver={"landing": {"enabled": True}}), RECEIVER),
            "receiver.landing.destination is empty",
            id="landing-nowhere",
        ),
        pytest.param(
            merged(
                audited(
                    audit={"mountReceived": True},
                    receiver={"landing": {"enabled": True, "destination": "s3://b/p"}},
                ),
                RECEIVER,
            ),
            "audit.mountReceived and receiver.landing.enabled are both true",
            id="mounted-and-moved-away",
        ),
        pytest.param(
            audited(receiver={"ingress": {"enabled": True}}),
            "receiver.ingress.enabled is true, but receiver.enabled is false",
            id="ingress-to-nothing",
        ),
        pytest.param(
            merged(audited(receiver={"ingress": {"enabled": True}}), RECEIVER),
            "receiver.ingress.host is empty",
            id="ingress-without-host",
        ),
        pytest.param(
            audited(
                exporter={
                    "enabled": True,
                    "serviceMonitor": {"enabled": True},
                    "podMonitor": {"enabled": True},
                }
            ),
            "exporter.serviceMonitor.enabled and exporter.podMonitor.enabled are both true",
            id="scraped-twice",
        ),
        pytest.param(
            audited(receiver={"podMonitor": {"enabled": True}}),
            "receiver.podMonitor.enabled is true, but receiver.enabled is false",
            id="nothing-to-scrape",
        ),
        pytest.param(
            audited(exporter={"enabled": True, "podDisruptionBudget": {"enabled": True}}),
            "exporter.podDisruptionBudget.enabled is true with exporter.replicas=1",
            id="no-node-can-be-drained",
        ),
        pytest.param(
            audited(
                exporter={"enabled": True, "podMonitor": {"enabled": True, "job": "night"}},
                prometheusRule={"enabled": True},
            ),
            'prometheusRule.settings.selector is job="prunescope", but exporter.podMonitor.job '
            'is "night"',
            id="rules-without-samples",
        ),
        pytest.param(
            audited(fullnameOverride="1abc", exporter={"enabled": True}),
            "exporter.enabled is true, but its Service would be named 1abc-exporter",
            id="name-of-a-service",
        ),
        *(
            pytest.param(
                audited(prometheusRule={"enabled": True, "settings": {"labels": {label: "x"}}}),
                f"prometheusRule.settings.labels has {label}, which alerts have of their own",
                id=f"label-{label}-of-alerts",
            )
            for label in OWN_LABELS
        ),
        pytest.param(
            audited(commonLabels={"app.kubernetes.io/part-of": "lake"}),
            "commonLabels has the label app.kubernetes.io/part-of, which the chart sets",
            id="label-of-the-chart",
        ),
        pytest.param(
            audited(receiver={"pod": {"labels": {"app.kubernetes.io/component": "x"}}}),
            "receiver.pod.labels has the label app.kubernetes.io/component",
            id="label-that-selects",
        ),
    ],
)
def test_a_sentence_names_the_values_that_contradict_each_other(
    chart: Chart, values: Values, sentence: str
) -> None:
    assert sentence in chart.refusal(values)
