"""A release of the chart in a real API server, from its installation to its end."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import yaml

from tests.cluster.control_plane import Api, ControlPlane, Object, Refused
from tests.helm.chart import CHART
from tests.helm.schemas import Loader

RESTRICTED = {"pod-security.kubernetes.io/enforce": "restricted"}
_DEFINITIONS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
_WITHIN = 60.0
"""Seconds in which controllers do what they do."""
_OWN = {
    "ConfigMap": "/api/v1/namespaces/{}/configmaps",
    "CronJob": "/apis/batch/v1/namespaces/{}/cronjobs",
    "Deployment": "/apis/apps/v1/namespaces/{}/deployments",
    "Ingress": "/apis/networking.k8s.io/v1/namespaces/{}/ingresses",
    "NetworkPolicy": "/apis/networking.k8s.io/v1/namespaces/{}/networkpolicies",
    "PersistentVolumeClaim": "/api/v1/namespaces/{}/persistentvolumeclaims",
    "PodDisruptionBudget": "/apis/policy/v1/namespaces/{}/poddisruptionbudgets",
    "PodMonitor": "/apis/monitoring.coreos.com/v1/namespaces/{}/podmonitors",
    "PrometheusRule": "/apis/monitoring.coreos.com/v1/namespaces/{}/prometheusrules",
    "Role": "/apis/rbac.authorization.k8s.io/v1/namespaces/{}/roles",
    "RoleBinding": "/apis/rbac.authorization.k8s.io/v1/namespaces/{}/rolebindings",
    "ScheduledSparkApplication": (
        "/apis/sparkoperator.k8s.io/v1beta2/namespaces/{}/scheduledsparkapplications"
    ),
    "Service": "/api/v1/namespaces/{}/services",
    "ServiceAccount": "/api/v1/namespaces/{}/serviceaccounts",
    "ServiceMonitor": "/apis/monitoring.coreos.com/v1/namespaces/{}/servicemonitors",
}
"""Where each kind of object is."""


T = TypeVar("T")


def until(what: str, found: Callable[[], T | None], seconds: float = _WITHIN) -> T:
    """The first value that is found in time."""
    deadline = time.monotonic() + seconds
    while True:
        value = found()
        if value is not None:
            return value
        if time.monotonic() > deadline:
            raise AssertionError(f"after {seconds:.0f} s, {what}")
        time.sleep(0.2)


def define(api: Api, folders: Iterable[Path]) -> None:
    """Adds the operators' definitions, and waits until the API serves them."""
    names = []
    for folder in folders:
        for path in sorted(folder.glob("*.yaml")):
            definition = yaml.load(path.read_text(), Loader)  # noqa: S506  # a SafeLoader
            if definition and definition["kind"] == "CustomResourceDefinition":
                api.create(_DEFINITIONS, definition)
                names.append(definition["metadata"]["name"])
    for name in names:
        until(f"{name} is not served", lambda name=name: _established(api, name))  # type: ignore[misc]


def _established(api: Api, name: str) -> bool | None:
    status = api.get(f"{_DEFINITIONS}/{name}").get("status", {})
    is_served = {"type": "Established", "status": "True"}
    served = [each for each in status.get("conditions", ()) if is_served.items() <= each.items()]
    return True if served else None


def furnish(api: Api) -> None:
    """What the ci values take to be there: a namespace, and a class of pods."""
    api.create("/api/v1/namespaces", _namespace("monitoring"))
    batch = {"metadata": {"name": "batch"}, "value": 1}
    api.create("/apis/scheduling.k8s.io/v1/priorityclasses", batch)


def _namespace(name: str, **labels: str) -> Object:
    return {"metadata": {"name": name, "labels": labels}}


@dataclass(frozen=True, slots=True)
class Release:
    """A release of the chart with a file of values, in a namespace of its own."""

    plane: ControlPlane
    values: Path
    name: str = "night"

    @property
    def title(self) -> str:
        """What the values are called."""
        return self.values.name.removesuffix("-values.yaml")

    @property
    def namespace(self) -> str:
        """Named as the values are."""
        return f"values-{self.title}"

    def make_namespace(self) -> None:
        """A namespace that admits restricted pods only."""
        self.plane.api.create("/api/v1/namespaces", _namespace(self.namespace, **RESTRICTED))

    def helm(self, *arguments: str | Path) -> str:
        """What a Helm command prints."""
        access = ("--kubeconfig", str(self.plane.kubeconfig), "--namespace", self.namespace)
        command = ["helm", *map(str, arguments), *access]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            raise AssertionError(f"helm {arguments[0]}: {done.stderr.strip()}")
        # The API server drops them, and Helm only warns.
        assert "unknown field" not in done.stderr, f"helm {arguments[0]}: {done.stderr.strip()}"
        return str(done.stdout)

    def install(self, chart: Path = CHART, values: Path | None = None) -> None:
        """Installs a chart, with the values or others."""
        self.helm("install", self.name, chart, "--values", values or self.values)

    def upgrade(self) -> None:
        """Upgrades to the chart."""
        self.helm("upgrade", self.name, CHART, "--values", self.values)
        self._expect_version(_version(CHART))

    def rollback(self, version: str) -> None:
        """Goes back to what was installed first, of this version."""
        self.helm("rollback", self.name, "1")
        self._expect_version(version)

    def uninstall(self) -> None:
        """Uninstalls, and expects nothing to stay but what the receiver was sent."""
        self.helm("uninstall", self.name)
        kept = [f"PersistentVolumeClaim/{self.name}-prunescope-receiver"]
        has_claim = kept[0] in self.objects()
        expected = kept if has_claim else []
        until(
            f"not {expected} is what stays after the release",
            lambda: True if self.objects() == expected else None,
        )
        self.plane.api.ask("DELETE", f"/api/v1/namespaces/{self.namespace}")

    def objects(self) -> list[str]:
        """The release's objects that there are, as `Kind/name`."""
        mine = {"labelSelector": f"app.kubernetes.io/instance={self.name}"}
        places = (self.namespace, "monitoring")
        return [
            f"{kind}/{each['metadata']['name']}"
            for kind, path in _OWN.items()
            for place in places
            for each in self.plane.api.items(path.format(place), **mine)
        ]

    def _expect_version(self, version: str) -> None:
        mine = {"labelSelector": f"app.kubernetes.io/instance={self.name}"}
        for kind, path in _OWN.items():
            for each in self.plane.api.items(path.format(self.namespace), **mine):
                told = each["metadata"]["labels"].get("app.kubernetes.io/version")
                name = f"{kind}/{each['metadata']['name']}"
                assert told == version, f"{name} is of {told} after the change to {version}"

    def items(self, kind: str) -> list[Object]:
        """The namespace's objects of a kind."""
        return self.plane.api.items(_OWN[kind].format(self.namespace))

    def pods(self, selector: str) -> list[Object]:
        """The namespace's pods that a selector selects."""
        path = f"/api/v1/namespaces/{self.namespace}/pods"
        return self.plane.api.items(path, labelSelector=selector)

    def check_deployments(self) -> None:
        """Every Deployment gets its pods, which Pod Security admits."""
        for each in self.items("Deployment"):
            labels = each["spec"]["selector"]["matchLabels"]
            selector = ",".join(f"{key}={value}" for key, value in labels.items())
            wanted = each["spec"]["replicas"]
            self._admitted(f"Deployment/{each['metadata']['name']}", selector, wanted)

    def check_cron_jobs(self) -> None:
        """A Job made from each CronJob, as `kubectl create job --from` does, gets its pod."""
        for each in self.items("CronJob"):
            name = self.run_now(each)
            self._admitted(f"CronJob/{each['metadata']['name']}", f"job-name={name}", 1)
            path = f"/apis/batch/v1/namespaces/{self.namespace}/jobs/{name}"
            self.plane.api.ask("DELETE", path, propagationPolicy="Background")

    def run_now(self, cron_job: Object) -> str:
        """Makes a Job of a CronJob, and tells its name."""
        metadata, template = cron_job["metadata"], cron_job["spec"]["jobTemplate"]
        name = f"{metadata['name']}-now"
        owner = {"apiVersion": "batch/v1", "kind": "CronJob", "controller": True}
        owner |= {"name": metadata["name"], "uid": metadata["uid"]}
        made = {
            "metadata": {
                "name": name,
                "annotations": {"cronjob.kubernetes.io/instantiate": "manual"},
                "labels": template["metadata"]["labels"],
                "ownerReferences": [owner],
            },
            "spec": template["spec"],
        }
        self.plane.api.create(f"/apis/batch/v1/namespaces/{self.namespace}/jobs", made)
        return name

    def _admitted(self, what: str, selector: str, wanted: int) -> None:
        def found() -> bool | None:
            if len(self.pods(selector)) >= wanted:
                return True
            events = self.plane.api.items(f"/api/v1/namespaces/{self.namespace}/events")
            failed = [each["message"] for each in events if each["reason"] == "FailedCreate"]
            assert not failed, f"{what} gets no pod: {failed[0]}"
            return None

        until(f"{what} has not {wanted} pods", found)

    def check_rights(self) -> None:
        """Each service account may do what Spark's driver does, if it is one, and nothing else."""
        drivers = {
            subject["name"]
            for binding in self.items("RoleBinding")
            for subject in binding["subjects"]
        }
        for each in self.items("ServiceAccount"):
            name = each["metadata"]["name"]
            account = self.plane.api.as_account(self.namespace, name)
            for verb, resource, namespace, is_for_drivers in _RIGHTS:
                expected = is_for_drivers and name in drivers
                place = self.namespace if namespace == "own" else namespace
                told = _may(account, verb, resource, place)
                says = f"{name} may{'' if told else ' not'} {verb} {resource} in {place}"
                assert told is expected, says
            # Asked what it may do, and seen to do it.
            listed = {kind for kind in ("pods", "secrets") if self._lists(account, kind)}
            assert listed == ({"pods"} if name in drivers else set()), f"{name} lists {listed}"

    def _lists(self, account: Api, kind: str) -> bool:
        try:
            account.get(f"/api/v1/namespaces/{self.namespace}/{kind}")
        except Refused as refused:
            if refused.status == 403:
                return False
            raise
        return True


_RIGHTS = [
    ("create", "pods", "own", True),
    ("deletecollection", "pods", "own", True),
    ("watch", "pods", "own", True),
    ("create", "configmaps", "own", True),
    ("list", "persistentvolumeclaims", "own", True),
    ("update", "configmaps", "own", False),
    ("create", "pods/exec", "own", False),
    ("get", "secrets", "own", False),
    ("create", "serviceaccounts/token", "own", False),
    ("create", "roles", "own", False),
    ("create", "jobs", "own", False),
    ("create", "pods", "monitoring", False),
    ("list", "pods", "monitoring", False),
    ("list", "nodes", "", False),
]
"""Verb, resource and namespace; and whether Spark's driver has that right. Others have none."""
_GROUPS = {"roles": "rbac.authorization.k8s.io", "jobs": "batch"}


def _may(account: Api, verb: str, resource: str, namespace: str) -> bool:
    resource, _, part = resource.partition("/")
    asked = {
        "verb": verb,
        "resource": resource,
        "subresource": part,
        "group": _GROUPS.get(resource, ""),
        "namespace": namespace,
    }
    review = account.create(
        "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews",
        {"spec": {"resourceAttributes": asked}},
    )
    return bool(review["status"]["allowed"])


def _version(chart: Path) -> str:
    return str(yaml.safe_load((chart / "Chart.yaml").read_text())["appVersion"])
