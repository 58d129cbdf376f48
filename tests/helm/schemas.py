"""Schemas of what the chart makes: Kubernetes' own, and those of operators from their releases."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema
import kubernetes_validate
import yaml
from jsonschema.protocols import Validator
from jsonschema.validators import validator_for

OPERATORS = {
    "monitoring.coreos.com": (
        "github.com/prometheus-operator/prometheus-operator@v0.85.0",
        "example/prometheus-operator-crd",
    ),
    "sparkoperator.k8s.io": ("github.com/kubeflow/spark-operator/v2@v2.4.0", "config/crd/bases"),
}
"""By API group, the Go module of the operator's release, and the folder of its definitions."""


def download_definitions(go: Path) -> dict[str, Path]:
    """The folder of each operator's definitions, by API group; raises CalledProcessError without
    a module proxy."""
    folders = {}
    for group, (module, folder) in OPERATORS.items():
        downloaded = subprocess.run(
            [go, "mod", "download", "-json", module], capture_output=True, text=True, check=True
        )
        folders[group] = Path(json.loads(downloaded.stdout)["Dir"], folder)
    return folders


def complaint(
    document: dict[str, Any], kubernetes: str, definitions: Mapping[str, Path]
) -> str | None:
    """What is wrong with an object for a version of Kubernetes and these operators, properties
    that it does not know included; None if nothing is."""
    group, _, version = document["apiVersion"].rpartition("/")
    try:
        if group in OPERATORS:
            _of_operator(definitions[group], version, document["kind"]).validate(document)
        else:
            kubernetes_validate.validate(document, kubernetes, strict=True)
    except jsonschema.ValidationError as error:
        place = ".".join(map(str, error.absolute_path))
        return f"{document['kind']}/{document['metadata']['name']}: {place}: {error.message}"
    return None


class Loader(yaml.CSafeLoader):
    """Takes a lone `=` for the text that it is, and not for what YAML 1.1 says."""


Loader.add_constructor("tag:yaml.org,2002:value", lambda _, node: node.value)


@cache
def _of_operator(folder: Path, version: str, kind: str) -> Validator:
    for path in folder.glob("*.yaml"):
        text = path.read_text()
        if f"kind: {kind}\n" not in text:
            continue
        definition = yaml.load(text, Loader)  # noqa: S506  # a SafeLoader
        if definition["spec"]["names"]["kind"] == kind:
            [schema] = [
                each["schema"]["openAPIV3Schema"]
                for each in definition["spec"]["versions"]
                if each["name"] == version
            ]
            strict = _strict(schema, is_root=True)
            validator = validator_for(strict)
            validator.check_schema(strict)
            return validator(strict)
    raise LookupError(f"{folder} defines no {kind}")


def _strict(schema: dict[str, Any], *, is_root: bool = False) -> dict[str, Any]:
    """An OpenAPI schema as JSON schema that allows no properties but its own: the API server
    would drop others without a word."""
    result = dict(schema)
    if "(?i)" in schema.get("pattern", ""):  # Go takes flags in the middle, Python does not
        result["pattern"] = "(?i)" + schema["pattern"].replace("(?i)", "")
    if "properties" in schema:
        result["properties"] = {k: _strict(v) for k, v in schema["properties"].items()}
        if not (is_root or schema.get("x-kubernetes-preserve-unknown-fields")):
            result.setdefault("additionalProperties", False)
    if isinstance(schema.get("additionalProperties"), dict):
        result["additionalProperties"] = _strict(schema["additionalProperties"])
    if "items" in schema:
        result["items"] = _strict(schema["items"])
    return result
