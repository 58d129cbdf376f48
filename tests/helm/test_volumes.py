"""What the receiver keeps: who writes it, who reads it, and what it outlives."""

from __future__ import annotations

import pytest

from tests.helm.chart import LANDING, RECEIVING, Chart, audited, merged, only, pods

pytestmark = pytest.mark.slow


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


@pytest.mark.parametrize(
    ("storage_class", "expected"),
    [
        pytest.param("", None, id="default-of-the-cluster"),
        pytest.param("-", "", id="none"),
        pytest.param("fast", "fast", id="named"),
    ],
)
def test_the_claim_names_a_storage_class(
    chart: Chart, storage_class: str, expected: str | None
) -> None:
    receiver = merged(RECEIVING, {"persistence": {"storageClass": storage_class}})
    claim = only(chart.render(audited(receiver=receiver)), "PersistentVolumeClaim")
    assert claim["spec"].get("storageClassName") == expected
