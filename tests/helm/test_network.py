"""Who reaches whom."""

from __future__ import annotations

import pytest
import yaml

from tests.helm.chart import CHART, LANDING, RECEIVING, Chart, Object, Values, audited, merged, only

pytestmark = pytest.mark.slow


def test_the_ingress_leads_to_what_is_posted_and_to_nothing_else(chart: Chart) -> None:
    objects = chart.render(CHART / "ci" / "receiver-values.yaml")
    [rule] = only(objects, "Ingress")["spec"]["rules"]
    [path] = rule["http"]["paths"]
    assert (rule["host"], path["path"]) == ("prunescope.example.com", "/v1/")
    service = only(objects, "Service", path["backend"]["service"]["name"])
    assert path["backend"]["service"]["port"]["name"] in {
        port["name"] for port in service["spec"]["ports"]
    }


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


CATALOG = {"to": [{"ipBlock": {"cidr": "10.9.9.9/32"}}], "ports": [{"port": 9083}]}
STORE = {"to": [{"ipBlock": {"cidr": "10.1.1.0/24"}}], "ports": [{"port": 9000}]}


@pytest.mark.parametrize(
    ("landing", "policy", "ports"),
    [
        pytest.param({}, {}, [], id="none"),
        pytest.param(LANDING, {}, [[53], [443]], id="landing"),
        pytest.param(
            LANDING, {"receiverEgress": [STORE]}, [[53], [9000]], id="landing-in-a-store-of-ours"
        ),
    ],
)
def test_the_receiver_reaches_nothing_but_where_files_land(
    chart: Chart, landing: Values, policy: Values, ports: list[list[int]]
) -> None:
    of_audits: Values = {"enabled": True, "egressPorts": [443, 5432], "egress": [CATALOG]}
    values = audited(networkPolicy=of_audits | policy, receiver=merged(RECEIVING, landing))
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
