"""What no pod of the chart can be given ends `helm template` with its place, and what to do."""

from __future__ import annotations

import json
import re
import zoneinfo
from typing import Any

import pytest

from tests.helm.chart import (
    CHART,
    LANDING,
    RECEIVING,
    Chart,
    Values,
    audited,
    environment,
    merged,
    with_config,
)

pytestmark = pytest.mark.slow


@pytest.mark.parametrize(
    ("values", "named"),
    [
        pytest.param(
            audited(exporter={"replicas": 0}),
            "'/exporter/replicas': minimum: got 0, want 1",
            id="an exporter of no pod",
        ),
        *(
            pytest.param(
                audited(exporter={"listenAddress": address}),
                "'/exporter/listenAddress': .* does not match",
                id=f"listens on {address}",
            )
            for address in ("somewhere", "fe", "0.0.0.0:9898")
        ),
        pytest.param(
            audited(audit={"kubernetes": {"master": "http://x"}}),
            "'/audit/kubernetes/master': .* does not match",
            id="a master that is none of Kubernetes",
        ),
        pytest.param(
            audited(prometheusRule={"settings": {"runbook_url": "nope"}}),
            "'/prometheusRule/settings/runbook_url': .* does not match",
            id="a runbook without an address",
        ),
        pytest.param(
            with_config(metrics={"textfile": "relative.prom"}),
            "'/config/metrics/textfile': .* does not match",
            id="metrics in the directory of the start",
        ),
        pytest.param(
            with_config(report={"path": "{run_id}.html"}),
            "'/config/report/path': .* does not match",
            id="a report in the directory of the start",
        ),
        pytest.param(
            with_config(gate={"directory": "gate"}),
            "'/config/gate/directory': .* does not match",
            id="results in the directory of the start",
        ),
    ],
)
def test_the_schema_names_the_value(chart: Chart, values: Values, named: str) -> None:
    assert re.search(named, chart.refusal(values))


def mounted(name: str, *volumes: str) -> Values:
    """A pod with a mount, and volumes of these names."""
    return {
        "extraVolumeMounts": [{"name": name, "mountPath": "/x"}],
        "extraVolumes": [{"name": volume, "emptyDir": {}} for volume in volumes],
    }


CREDENTIALS = {"env": {"TOKEN": {"secret": "keys", "key": "token"}}}


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        pytest.param(
            audited(audit={"extraArgs": ["--json", "--window 2026-03-10"]}),
            'audit.extraArgs[1] is "--window 2026-03-10", an option and its value in one argument: '
            'write "--window=2026-03-10", or two arguments',
            id="two words in one",
        ),
        pytest.param(
            audited(receiver={"extraArgs": ["--rate 10"]}),
            "receiver.extraArgs[0] is",
            id="two words of the receiver",
        ),
        *(
            pytest.param(
                audited(**{name: {"pod": mounted("nosuch", "other")}}),
                f"{name}.pod.extraVolumeMounts[0] mounts nosuch, and there is no such volume: "
                f"add it to {name}.pod.extraVolumes",
                id=f"no volume of {name}",
            )
            for name in ("audit", "maintenance", "exporter", "receiver")
        ),
        pytest.param(
            audited(audit={"executors": {"pod": mounted("nosuch")}}),
            "audit.executors.pod.extraVolumeMounts[0] mounts nosuch",
            id="no volume of executors",
        ),
        pytest.param(
            audited(exporter={"pod": environment("HOME", "/x")}),
            "exporter.pod.extraEnv has HOME, which the chart sets: leave it out",
            id="a home of its own",
        ),
        pytest.param(
            audited(receiver=merged(RECEIVING, {"landing": environment("HOME", "/x")})),
            "receiver.landing.extraEnv has HOME, which the chart sets",
            id="a home of the sidecar",
        ),
        pytest.param(
            audited(audit={"mode": "kubernetes", "pod": environment("POD_NAME", "x")}),
            "audit.pod.extraEnv has POD_NAME, which the chart sets",
            id="what executors find their driver by",
        ),
        pytest.param(
            audited(audit={"pod": environment("SPARK_LOCAL_DIRS", "/x")}),
            "audit.pod.extraEnv has SPARK_LOCAL_DIRS, which the chart sets",
            id="another scratch space",
        ),
        pytest.param(
            audited(
                credentials={"pyicebergSecret": "catalogs"},
                maintenance={"pod": environment("PYICEBERG_HOME", "/x")},
            ),
            "maintenance.pod.extraEnv has PYICEBERG_HOME, which the chart sets",
            id="another place of catalogs",
        ),
        pytest.param(
            audited(credentials=CREDENTIALS, audit={"pod": environment("TOKEN", "$(OTHER)")}),
            "audit.pod.extraEnv has TOKEN, and so has credentials.env: leave one of them out",
            id="a variable of two places",
        ),
        pytest.param(
            audited(audit={"pod": {"extraEnv": [{"name": "A", "value": v} for v in "xy"]}}),
            "audit.pod.extraEnv has A twice",
            id="a variable twice",
        ),
        pytest.param(
            audited(podSecurityContext={"runAsUser": 0}),
            "podSecurityContext.runAsUser is 0, but runAsNonRoot is true",
            id="root that must not be",
        ),
        pytest.param(
            audited(containerSecurityContext={"privileged": True}),
            "containerSecurityContext.privileged is true, but allowPrivilegeEscalation is false",
            id="privileged and not",
        ),
    ],
)
def test_a_sentence_says_what_to_do(chart: Chart, values: Values, sentence: str) -> None:
    assert sentence in chart.refusal(values)


@pytest.mark.parametrize(
    "values",
    [
        pytest.param(
            audited(
                audit={
                    "extraArgs": ["--window", "2026-03-10", "--zone=Europe/Berlin"],
                    "pod": mounted("mine", "mine") | environment("POD_NAME", "x"),
                },
                exporter={"enabled": True, "listenAddress": "::", "pod": mounted("tmp")},
            ),
            id="pods",
        ),
        pytest.param(
            {
                "receiver": merged(
                    merged(RECEIVING, LANDING),
                    {
                        "replicas": 0,
                        "pod": environment("TOKEN", "$(T)"),
                        "listenAddress": "10.0.0.1",
                    },
                ),
                **audited(credentials=CREDENTIALS),
            },
            id="a receiver, which has no credentials of catalogs, and pauses",
        ),
        pytest.param(
            audited(
                podSecurityContext={"runAsUser": 0, "runAsNonRoot": False},
                containerSecurityContext={"privileged": True, "allowPrivilegeEscalation": True},
            ),
            id="root that is meant",
        ),
        pytest.param(
            with_config(
                report={"path": "s3://b/{run_id}.html"},
                metrics={"textfile": "/metrics/x.prom"},
                gate={"directory": "/gate"},
            ),
            id="places that can be written",
        ),
    ],
)
def test_what_pods_can_be_given_is_rendered(chart: Chart, values: Values) -> None:
    chart.render(values)


def test_every_time_zone_is_taken_and_what_cannot_be_one_is_not() -> None:
    schema: dict[str, Any] = json.loads((CHART / "values.schema.json").read_text())
    form = schema["properties"]["audit"]["properties"]["timeZone"]["pattern"]
    # `localtime` is a link of a machine, and no name.
    known = zoneinfo.available_timezones() - {"localtime"}
    assert {zone for zone in known if not re.search(form, zone)} == set()
    for no_zone in ("", "europe/berlin", "UTC+2", "+02:00", "Europe/", "Europe Berlin", "Etc//UTC"):
        assert not re.search(form, no_zone), no_zone
