"""Rendering the chart with Helm, and finding objects in what comes out."""

from __future__ import annotations

import json
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import yaml

CHART = Path(__file__).parents[2] / "helm" / "prunescope"
CI_VALUES = sorted((CHART / "ci").glob("*-values.yaml"))
VERSION: str = yaml.safe_load((CHART / "Chart.yaml").read_text())["appVersion"]
OLDEST, NEWEST = "1.29", "1.37"
"""Kubernetes versions: the oldest that Chart.yaml allows, and the newest with a schema."""

CONFIG: dict[str, Any] = {
    "catalogs": {"lake": {"properties": {"type": "rest", "uri": "https://catalog.example.com"}}},
    "sources": [{"type": "trino_events", "paths": ["s3://logs/trino/"]}],
    "audit": {"catalog": "lake"},
}
"""The least that an audit needs to know."""

Values = dict[str, Any]
Object = dict[str, Any]


RECEIVING: Values = {"enabled": True, "tokenSecret": {"name": "tokens"}}
LANDING: Values = {
    "persistence": {"enabled": False},
    "landing": {"enabled": True, "destination": "s3://logs/received"},
}
CASES = [pytest.param(path, id=path.stem.removesuffix("-values")) for path in CI_VALUES]


@dataclass(frozen=True, slots=True)
class Chart:
    """The chart, and a Helm to render it; releases are called `night` in namespace `lakehouse`."""

    helm: Path
    folder: Path = CHART

    def run(self, command: str, *arguments: str | Path, values: Values | Path) -> str:
        """What a Helm command prints; CalledProcessError has what it complains about."""
        given = values if isinstance(values, Path) else "-"
        try:
            return subprocess.run(
                [self.helm, command, *arguments, self.folder, "--values", given],
                # JSON, which is YAML of which each text has quotes.
                input=None if isinstance(values, Path) else json.dumps(values),
                capture_output=True,
                text=True,
                check=True,
            ).stdout
        except subprocess.CalledProcessError as error:
            error.add_note(error.stderr or error.stdout)
            raise

    def render(
        self, values: Values | Path, *more: str, kubernetes: str = NEWEST, release: str = "night"
    ) -> list[Object]:
        """The objects that `helm template` makes of values, or of a file of them."""
        version = ("--kube-version", f"{kubernetes}.0", "--namespace", "lakehouse")
        text = self.run("template", release, *version, *more, values=values)
        documents = yaml.load_all(text, yaml.CSafeLoader)
        return [document for document in documents if document]

    def refusal(self, values: Values) -> str:
        """What Helm says of values that it must not render."""
        try:
            self.render(values)
        except subprocess.CalledProcessError as error:
            return str(error.stderr)
        raise AssertionError("helm template accepts the values")


def names(objects: list[Object]) -> set[str]:
    """Each object as `Kind/name`."""
    return {f"{each['kind']}/{each['metadata']['name']}" for each in objects}


def only(objects: list[Object], kind: str, name: str | None = None) -> Object:
    """The one object of a kind (and name)."""
    [found] = [
        each
        for each in objects
        if each["kind"] == kind and name in (None, each["metadata"]["name"])
    ]
    return found


def pod_spec(workload: Object) -> Object:
    """The pod of a CronJob or Deployment."""
    spec: Object = workload["spec"]
    if workload["kind"] == "CronJob":
        spec = spec["jobTemplate"]["spec"]
    pod: Object = spec["template"]["spec"]
    return pod


def pods(objects: list[Object]) -> dict[str, Object]:
    """The pods of all workloads, by the name of the workload, those that Spark starts, and the
    test's."""
    found = {
        each["metadata"]["name"]: each["spec"] if each["kind"] == "Pod" else pod_spec(each)
        for each in objects
        if each["kind"] in ("CronJob", "Deployment", "Pod")
    }
    return found | {name: template["spec"] for name, template in spark_pods(objects).items()}


def spark_pods(objects: list[Object]) -> dict[str, Object]:
    """The templates of the pods that Spark starts: of executors, and the operator's driver."""
    found = {}
    for each in objects:
        name = each["metadata"]["name"]
        if each["kind"] == "ConfigMap" and "pod.yaml" in each["data"]:
            found[name] = yaml.safe_load(each["data"]["pod.yaml"])
        if each["kind"] == "ScheduledSparkApplication":
            application = each["spec"]["template"]
            found[name] = application["driver"]["template"]
            found[name.replace("-audit", "-executor")] = application["executor"]["template"]
    return found


def containers(pod: Object) -> list[Object]:
    """All containers of a pod."""
    return [*pod.get("initContainers", ()), *pod["containers"]]


def merged(base: Values, change: Values) -> Values:
    """Values with some changed, key by key."""
    result = dict(base)
    for key, value in change.items():
        old = result.get(key)
        both = isinstance(old, dict) and isinstance(value, dict)
        result[key] = merged(old or {}, value) if both else value
    return result


def audited(**values: Any) -> Values:
    """Values with the least configuration, and these."""
    return merged({"config": CONFIG}, values)


def with_config(**change: Any) -> Values:
    """Values with the least configuration, some of its keys changed."""
    return audited(config=change)


def environment(name: str, value: str) -> Values:
    """A pod with a variable more."""
    return {"extraEnv": [{"name": name, "value": value}]}
