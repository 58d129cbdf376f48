"""What is text stays text: YAML would take some of it for a number, a boolean or nothing."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import yaml

from tests.helm.chart import NEWEST, RECEIVING, Chart, Values, audited, merged

pytestmark = pytest.mark.slow

TEXTS = ("123", "1e3", "null", "no")


def of_a_pod(text: str) -> Values:
    return {
        "annotations": {"a": text},
        "labels": {"a": text},
        "nodeSelector": {"a": text},
        "priorityClassName": text,
        "extraEnv": [{"name": "B", "value": text}],
        "extraVolumes": [{"name": text, "secret": {"secretName": text}}],
        "extraVolumeMounts": [{"name": text, "mountPath": text}],
    }


def everywhere(text: str) -> Values:
    """Values with a text in place of each that may be one."""
    variable = text if text[0].isalpha() else "A"
    named = {"name": text, "annotations": {"a": text}}
    monitor = {"enabled": True, "namespace": text, "labels": {"a": text}, "job": text}
    return {
        "nameOverride": text,
        "commonLabels": {"b": text},
        "image": {"repository": text, "tag": text},
        "imagePullSecrets": [{"name": text}],
        "serviceAccount": named,
        "credentials": {
            "envFromSecrets": [text],
            "env": {variable: {"secret": text, "key": text}},
            "pyicebergSecret": text,
        },
        "tmpSizeLimit": "123",
        "audit": {"pod": of_a_pod(text), "extraArgs": [text], "sparkLocalSizeLimit": "123"}
        | {"operator": {"sparkVersion": text}, "executors": {"pod": of_a_pod(text)}},
        "maintenance": {"pod": of_a_pod(text)},
        "exporter": {
            "enabled": True,
            "service": {"annotations": {"a": text}},
            "serviceMonitor": monitor,
            "pod": of_a_pod(text),
        },
        "receiver": {
            "enabled": True,
            "tokenSecret": {"name": text, "key": text},
            "tlsSecret": text,
            "extraArgs": [text],
            "serviceAccount": named,
            "persistence": {"storageClass": text, "annotations": {"a": text}, "size": "123"},
            "landing": {
                "enabled": True,
                "destination": "s3://logs/received",
                "envFromSecrets": [text],
                "extraEnv": [{"name": variable, "value": text}],
            },
            "ingress": {"enabled": True, "className": text, "host": text}
            | {"tls": [{"secretName": text, "hosts": [text]}], "annotations": {"a": text}},
            "podMonitor": monitor | {"tlsConfig": {"serverName": text}},
            "pod": of_a_pod(text),
        },
        "prometheusRule": {
            "enabled": True,
            "namespace": text,
            "labels": {"a": text},
            "settings": {"selector": f'job="{text}"', "labels": {"a": text}},
        },
        "dashboards": {"enabled": True, "namespace": text, "labels": {"a": text}}
        | {"annotations": {"a": text}},
        "networkPolicy": {"enabled": True},
    }


def unquoted(node: yaml.Node, text: str, place: str = "") -> Iterator[str]:
    """Where a document has a text without quotes."""
    match node:
        case yaml.MappingNode():
            for key, value in node.value:
                yield from unquoted(key, text, f"{place}/{key.value} as a key")
                yield from unquoted(value, text, f"{place}/{key.value}")
        case yaml.SequenceNode():
            for index, item in enumerate(node.value):
                yield from unquoted(item, text, f"{place}/{index}")
        case yaml.ScalarNode(value=value, style=None) if value == text:
            yield place


def rendered(chart: Chart, values: Values, release: str) -> list[yaml.Node]:
    version = ("--kube-version", f"{NEWEST}.0", "--namespace", release)
    text = chart.run("template", release, *version, values=values)
    return list(yaml.compose_all(text, yaml.SafeLoader))


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize(
    "more",
    [
        pytest.param({}, id="local"),
        pytest.param({"audit": {"mode": "kubernetes"}}, id="kubernetes"),
        pytest.param({"audit": {"mode": "operator"}}, id="operator"),
    ],
)
def test_every_text_is_quoted(chart: Chart, more: Values, text: str) -> None:
    # A Service's name begins with a letter.
    values = merged(everywhere(text), merged(audited(fullnameOverride="night"), more))
    documents = rendered(chart, values, text)
    assert [place for each in documents for place in unquoted(each, text)] == []


@pytest.mark.parametrize("text", TEXTS)
def test_the_name_of_a_release_is_quoted(chart: Chart, text: str) -> None:
    rules = {"prometheusRule": {"enabled": True}, "networkPolicy": {"enabled": True}}
    documents = rendered(chart, audited(fullnameOverride=text, **rules), text)
    assert [place for each in documents for place in unquoted(each, text)] == []


@pytest.mark.parametrize("text", TEXTS)
def test_the_name_of_what_is_there_already_is_quoted(chart: Chart, text: str) -> None:
    receiver = merged(RECEIVING, {"persistence": {"existingClaim": text}})
    values = {"existingConfigMap": text, "receiver": receiver}
    documents = rendered(chart, values, "night")
    assert [place for each in documents for place in unquoted(each, text)] == []


@pytest.mark.parametrize(
    ("values", "place"),
    [
        pytest.param({"fullnameOverride": "My_Name"}, "/fullnameOverride", id="release"),
        pytest.param({"fullnameOverride": "-a"}, "/fullnameOverride", id="dash-first"),
        pytest.param({"nameOverride": "Bad Name"}, "/nameOverride", id="chart"),
        pytest.param({"nameOverride": "x" * 41}, "/nameOverride", id="long"),
        pytest.param(
            {"serviceAccount": {"name": "Bad Name"}}, "/serviceAccount/name", id="account"
        ),
        pytest.param(
            {"credentials": {"envFromSecrets": ["Bad Name"]}},
            "/credentials/envFromSecrets/0",
            id="secret",
        ),
        pytest.param(
            {"credentials": {"env": {"A": {"secret": "a", "key": "b c"}}}},
            "/credentials/env/A/key",
            id="key-of-a-secret",
        ),
        pytest.param(
            {"receiver": merged(RECEIVING, {"tlsSecret": "Bad Name"})},
            "/receiver/tlsSecret",
            id="certificate",
        ),
        pytest.param(
            {"receiver": {"ingress": {"host": "not a host"}}}, "/receiver/ingress/host", id="host"
        ),
        pytest.param(
            {"audit": {"pod": {"extraEnv": [{"name": "A", "value": 1}]}}},
            "/audit/pod/extraEnv/0/value",
            id="number-as-a-variable",
        ),
        pytest.param(
            {"audit": {"pod": {"extraEnv": [{"name": "A B", "value": "1"}]}}},
            "/audit/pod/extraEnv/0/name",
            id="name-of-a-variable",
        ),
        pytest.param(
            {"audit": {"pod": {"extraVolumes": [{"name": "tmp", "emptyDir": {}}]}}},
            "/audit/pod/extraVolumes/0/name",
            id="volume-of-the-chart",
        ),
        pytest.param({"dashboards": {"namespace": "a.b"}}, "/dashboards/namespace", id="namespace"),
        pytest.param({"commonLabels": {"a": 1}}, "/commonLabels/a", id="number-as-a-label"),
    ],
)
def test_a_name_that_kubernetes_refuses_is_refused(
    chart: Chart, values: Values, place: str
) -> None:
    assert f"at '{place}'" in chart.refusal(audited(**values))
