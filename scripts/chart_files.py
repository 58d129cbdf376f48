"""`python -m scripts.chart_files`: writes the files of the Helm chart that follow from others.

values.schema.json follows from values.yaml (names, types, comments) and the rules below, of
`config` from `audit_jobs.config`, and of `prometheusRule.settings` from `dashboards.settings`; the
table of the README from values.yaml. Dashboards are copies of dashboards/generated, as a chart
holds all of its files; the rules are those of dashboards/, with `@@setting@@` where one stands.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml
from pydantic import TypeAdapter

from audit_jobs.config import AuditConfig
from audit_jobs.findings.catalogue import BY_ID
from audit_jobs.publishing_config import REPORT_FIELDS
from dashboards.rules import FILE, rules_document
from dashboards.settings import Settings, Thresholds, seconds

ROOT = Path(__file__).parent.parent
CHART = ROOT / "helm" / "prunescope"
GENERATED = ROOT / "dashboards" / "generated"
_TABLE = ("<!-- values: written by scripts/chart_files.py -->\n", "<!-- end of values -->\n")

_Schema = dict[str, Any]

_LABEL = "[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?"
_TEXTS: _Schema = {"type": "object", "additionalProperties": {"type": "string"}}
_LABEL_KEY = f"^([a-z0-9]([-a-z0-9.]{{0,251}}[a-z0-9])?/)?{_LABEL}$"
_LABELS: _Schema = {
    "type": "object",
    # Of names (propertyNames) Helm tells a wrong place.
    "patternProperties": {_LABEL_KEY: {"type": "string", "pattern": f"^({_LABEL})?$"}},
    "additionalProperties": False,
}
_QUANTITY: _Schema = {"type": ["string", "number"], "pattern": r"^[0-9.]+([munkMGTPE]i?)?$"}
_QUANTITIES: _Schema = {"type": "object", "additionalProperties": _QUANTITY}
_PORT: _Schema = {"type": "integer", "minimum": 1, "maximum": 65_535}
_COUNT: _Schema = {"type": "integer", "minimum": 0}
_JAVA_MEMORY: _Schema = {"type": "string", "pattern": "^[0-9]+[kmgt]$"}


def _objects(**properties: _Schema) -> _Schema:
    """An array of what Kubernetes defines, of which these properties are needed."""
    item = {"type": "object", "properties": properties, "required": [*properties]}
    return {"type": "array", "items": item}


def _closed(properties: dict[str, _Schema], required: tuple[str, ...] = ()) -> _Schema:
    schema: _Schema = {
        "type": "object",
        "additionalProperties": False,
        "properties": properties,
    }
    return {**schema, "required": [*required]} if required else schema


_DNS = "[a-z0-9]([-a-z0-9]*[a-z0-9])?"
_NAMED = f"{_DNS}(\\.{_DNS})*"
_NAME: _Schema = {"type": "string", "pattern": f"^{_NAMED}$", "maxLength": 253}
"""Of an object of Kubernetes."""
_NAME_OR_NONE: _Schema = {**_NAME, "pattern": f"^({_NAMED})?$"}
_LABEL_OR_NONE: _Schema = {"type": "string", "pattern": f"^({_DNS})?$", "maxLength": 63}
_GIVEN: _Schema = {"type": "string", "minLength": 1}
_KEY: _Schema = {"type": "string", "pattern": "^[-._A-Za-z0-9]+$", "maxLength": 253}
_VARIABLE = _closed(
    {
        "name": {"type": "string", "pattern": "^[-._A-Za-z][-._A-Za-z0-9]*$"},
        "value": {"type": "string"},
        "valueFrom": {"type": "object"},
    },
    ("name",),
)
_OWN_VOLUMES = (
    *("config", "executor", "pyiceberg", "received", "spark-local", "tls", "tmp", "token"),
)
_VOLUME: _Schema = {"type": "string", "pattern": f"^{_DNS}$", "maxLength": 63}
_BLOCK = _closed(
    {"cidr": _GIVEN, "except": {"type": "array", "items": {"type": "string"}}}, ("cidr",)
)
_SELECTOR: _Schema = {"type": "object"}
_PEERS: _Schema = {
    "type": "array",
    "items": {
        **_closed({"ipBlock": _BLOCK, "namespaceSelector": _SELECTOR, "podSelector": _SELECTOR}),
        "minProperties": 1,
    },
}
_POLICY_PORT = _closed(
    {
        "port": {"type": ["integer", "string"]},
        "endPort": _PORT,
        "protocol": {"enum": ["TCP", "UDP", "SCTP"]},
    }
)
_EGRESS: _Schema = {
    "type": "array",
    "items": _closed({"to": _PEERS, "ports": {"type": "array", "items": _POLICY_PORT}}),
}
_SECRET_KEY = _closed({"secret": _NAME, "key": _KEY}, ("secret", "key"))


def _of_cron(number: str) -> str:
    """A field of a cron expression whose numbers or names are these."""
    item = rf"([*?]|{number}(-{number})?)(/[0-9]+)?"
    return f"{item}(,{item})*"


_CRON = " ".join(
    map(
        _of_cron,
        (
            *("[0-5]?[0-9]", "([01]?[0-9]|2[0-3])", "([0-2]?[0-9]|3[01])"),
            *("(0?[1-9]|1[0-2]|[A-Za-z]{3})", "([0-7]|[A-Za-z]{3})"),
        ),
    )
)

BY_NAME: dict[str, _Schema] = {
    "accessModes": {
        "type": "array",
        "minItems": 1,
        "items": {"enum": ["ReadWriteOnce", "ReadWriteOncePod", "ReadWriteMany"]},
    },
    "activeDeadlineSeconds": {"type": "integer", "minimum": 1},
    "affinity": {"type": "object"},
    "annotations": _TEXTS,
    "className": _NAME_OR_NONE,
    "commonLabels": _LABELS,
    "containerPort": {**_PORT, "minimum": 1024},
    "containerSecurityContext": {"type": "object"},
    "cores": {"type": "integer", "minimum": 1},
    "digest": {"type": "string", "pattern": "^(sha256:[0-9a-f]{64})?$"},
    "egress": _EGRESS,
    "egressPorts": {"type": "array", "items": _PORT},
    "env": {
        "type": "object",
        "propertyNames": {"pattern": "^[A-Za-z_][A-Za-z0-9_]*$"},
        "additionalProperties": _SECRET_KEY,
    },
    "envFromSecrets": {"type": "array", "items": _NAME},
    "everySeconds": {"type": "integer", "minimum": 1},
    "existingClaim": _NAME_OR_NONE,
    "existingConfigMap": _NAME_OR_NONE,
    "exporterFrom": _PEERS,
    "extraArgs": {
        "type": "array",
        # What the chart mounts is what it names: its configuration, its tokens.
        "items": {"type": "string", "not": {"pattern": "^--(config|token-file)(=|$)"}},
    },
    "extraEnv": {"type": "array", "items": _VARIABLE},
    "extraVolumeMounts": _objects(name=_VOLUME, mountPath=_GIVEN),
    "extraVolumes": _objects(name={**_VOLUME, "not": {"enum": [*_OWN_VOLUMES]}}),
    "fullnameOverride": {**_LABEL_OR_NONE, "maxLength": 40},
    "host": {**_NAME, "pattern": f"^((\\*\\.)?{_NAMED})?$"},
    "imagePullSecrets": {"type": "array", "items": _closed({"name": _NAME}, ("name",))},
    "instances": {"type": "integer", "minimum": 1},
    "interval": {"type": "string", "pattern": "^([0-9]+(ms|[smhd]))+$"},
    "key": _KEY,
    "labels": _LABELS,
    "memory": _JAVA_MEMORY,
    "memoryOverhead": _JAVA_MEMORY,
    "mode": {"enum": ["local", "kubernetes", "operator"]},
    "name": _NAME_OR_NONE,
    "nameOverride": {**_LABEL_OR_NONE, "maxLength": 40},
    "namespace": _LABEL_OR_NONE,
    "nodeSelector": _LABELS,
    "podSecurityContext": {"type": "object"},
    "port": _PORT,
    "priorityClassName": _NAME_OR_NONE,
    "pullPolicy": {"enum": ["Always", "IfNotPresent", "Never"]},
    "pyicebergSecret": _NAME_OR_NONE,
    "receiverEgress": _EGRESS,
    "receiverFrom": _PEERS,
    "refreshSeconds": {"type": "integer", "minimum": 1},
    "resources": _closed(
        {
            "requests": _QUANTITIES,
            "limits": _QUANTITIES,
            "claims": {"type": "array", "items": {"type": "object"}},
        }
    ),
    "schedule": {"type": "string", "pattern": f"^(@[a-z]+|{_CRON})$"},
    "size": _QUANTITY,
    "sparkLocalSizeLimit": _QUANTITY,
    "timeZone": {"type": "string", "pattern": "^[A-Za-z]+(/[A-Za-z0-9_+-]+)*$"},
    "startingDeadlineSeconds": {
        "type": "integer",
        "minimum": 10,
    },  # CronJobs are looked at so often
    "storageClass": {**_NAME, "pattern": f"^(-|{_NAMED})?$"},
    # Requests in progress get 25 seconds of them.
    "terminationGracePeriodSeconds": {"type": "integer", "minimum": 30},
    "tls": {"type": "array", "items": {"type": "object"}},
    "tlsConfig": {"type": "object"},
    "tlsSecret": _NAME_OR_NONE,
    "tmpSizeLimit": _QUANTITY,
    "tolerations": {"type": "array", "items": {"type": "object"}},
    "topologySpreadConstraints": _objects(topologyKey=_GIVEN),
    "type": {"enum": ["ClusterIP", "NodePort", "LoadBalancer"]},
}
"""What a value must be beyond the type of its default, by the last part of its name."""

AT: dict[str, _Schema] = {
    "landing.destination": {
        "type": "string",
        "pattern": "^((s3a?|gs|abfss?|wasbs?|oss|hdfs)://.+)?$",
    },
    "settings.labels": {
        "type": "object",
        # The names of Prometheus, which are fewer than those of Kubernetes.
        "patternProperties": {"^[A-Za-z_][A-Za-z0-9_]*$": {"type": "string"}},
        "additionalProperties": False,
    },
}
"""Likewise, by its last two parts."""

_HTTP: _Schema = {"pattern": "^[Hh][Tt][Tt][Pp][Ss]?://[^/?#]"}
OF_CONFIG: dict[tuple[str, str], _Schema] = {
    ("AuditTables", "namespace"): {"pattern": r"^[^.]+(\.[^.]+)*$"},
    ("CacheConfig", "path"): {"pattern": "^/"},
    ("MetadataTable", "name"): {"pattern": r"^[^.]+(\.[^.]+){2,}$"},
    ("Metrics", "pushgateway"): _HTTP,
    ("Metrics", "textfile"): {"pattern": r"\.prom$"},
    ("Otlp", "endpoint"): _HTTP,
    ("Report", "path"): {"pattern": f"^([^{{}}]|{'|'.join(REPORT_FIELDS)})+$"},
    ("SuppressedFindings", "cause"): {"enum": [*BY_ID]},
}
"""What the validators of `audit_jobs.config` refuse as well, by section and key."""

_CONSTRAINTS = {"type", "pattern", "minimum", "maximum"}
_AGE = "864127s"
"""A duration that stands for the setting of one, of a length that is nowhere else."""


def comments(text: str) -> dict[str, str]:
    """The `# --` comment of each value by its full name, in order."""
    found: dict[str, str] = {}
    parents: list[tuple[int, str]] = []
    told = ""
    for line in text.splitlines():
        stripped = line.strip()
        if stripped.startswith("# -- "):
            told = stripped.removeprefix("# -- ")
            continue
        if not stripped or stripped.startswith("#"):
            continue
        indent = len(line) - len(line.lstrip())
        while parents and parents[-1][0] >= indent:
            parents.pop()
        parents.append((indent, stripped.partition(":")[0]))
        if told:
            found[".".join(name for _, name in parents)] = told
        told = ""
    return found


def values_schema() -> _Schema:
    """The schema of the chart's values, strict at every level that is the chart's own."""
    text = (CHART / "values.yaml").read_text(encoding="utf-8")
    schema = _schema(yaml.safe_load(text), "", comments(text))
    definitions, config = _config_schema()
    schema["properties"]["config"].update(config)
    of_rules = schema["properties"]["prometheusRule"]["properties"]["settings"]
    _constrain(of_rules, _settings_schema())
    schema["properties"]["global"] = {"type": "object"}  # Helm's own, of charts that include this
    return {
        "$schema": "http://json-schema.org/draft-07/schema#",
        **schema,
        "definitions": definitions,
    }


def _schema(value: Any, name: str, told: dict[str, str]) -> _Schema:
    description = {"description": told[name]} if name in told else {}
    parts = name.split(".")
    special = AT.get(".".join(parts[-2:])) or BY_NAME.get(parts[-1])
    if special is not None:
        return {**description, **special}
    match value:
        case dict() if name == "config":
            return {**description, "type": "object"}
        case dict():
            prefix = f"{name}." if name else ""
            children = {key: _schema(child, prefix + key, told) for key, child in value.items()}
            # All are needed: Helm drops those that are null.
            return {**description, **_closed(children, tuple(children))}
        case bool():
            return {**description, "type": "boolean"}
        case int():
            return {**description, **_COUNT}
        case float():
            return {**description, "type": "number"}
        case str():
            return {**description, "type": "string"}
    raise TypeError(f"values.yaml: {name} needs a rule in scripts/chart_files.py")


def _config_schema() -> tuple[_Schema, _Schema]:
    """Definitions, and what `config` must be: nothing, or what audit.yaml must."""
    schema = AuditConfig.model_json_schema(ref_template="#/definitions/{model}")
    definitions = schema.pop("$defs")
    sources = schema["properties"]["sources"]
    sources["items"] = _by_type(sources["items"])
    for (section, key), rule in OF_CONFIG.items():
        part = definitions[section]["properties"][key]
        part.get("anyOf", [part])[0].update(rule)
    given = {"if": {"minProperties": 1}, "then": {"$ref": "#/definitions/AuditConfig"}}
    return {**definitions, "AuditConfig": schema}, given


def _settings_schema() -> _Schema:
    """What the rules' settings must be, with definitions in place of references to them."""
    schema = TypeAdapter(Settings).json_schema()
    properties = schema["properties"]
    properties["thresholds"] = thresholds = schema["$defs"]["Thresholds"]
    # The chart has no null, as Helm takes it for "no such value".
    pattern = properties["lookback"].pop("anyOf")[0]["pattern"]
    properties["lookback"] |= {"type": "string", "pattern": f"^$|{pattern}"}
    ratios = thresholds["properties"]["kept_ratio"]
    one = ratios.pop("additionalProperties")
    ratios["properties"] = dict.fromkeys(ratios.pop("propertyNames")["enum"], one)
    return schema


def _constrain(part: _Schema, by: _Schema) -> None:
    """Adds to a part of the chart's schema what another schema says of its values."""
    properties = part.get("properties", {})
    assert properties.keys() == by.get("properties", {}).keys(), "settings of the rules differ"
    part |= {key: value for key, value in by.items() if key in _CONSTRAINTS}
    for name, each in properties.items():
        _constrain(each, by["properties"][name])


def _by_type(union: _Schema) -> _Schema:
    """A union by its discriminator, whose messages are of the one type that was meant."""
    mapping = union["discriminator"]["mapping"]
    return {
        "type": "object",
        "required": ["type"],
        "properties": {"type": {"enum": sorted(mapping)}},
        "allOf": [
            {
                "if": {"properties": {"type": {"const": kind}}, "required": ["type"]},
                "then": {"$ref": reference},
            }
            for kind, reference in sorted(mapping.items())
        ],
    }


def values_table() -> str:
    """The README's table: name, default and comment of each value."""
    text = (CHART / "values.yaml").read_text(encoding="utf-8")
    values = yaml.safe_load(text)
    rows = "".join(
        f"| `{name}` | {_default(values, name)} | {told.replace('|', chr(92) + '|')} |\n"
        for name, told in comments(text).items()
    )
    return f"| value | default | meaning |\n|---|---|---|\n{rows}"


def _default(values: Any, name: str) -> str:
    for part in name.split("."):
        values = values[part]
    if isinstance(values, dict) and len(values) > 3:
        return "see `values.yaml`"
    return f"`{json.dumps(values)}`"


def rules_template() -> str:
    """The rules, with `@@name@@` in place of each setting."""

    def named(value: Any, prefix: str = "") -> Any:
        return {key: f"@@{prefix}{key}@@" for key in value}

    ratios = named(Thresholds().kept_ratio, "thresholds.kept_ratio.")
    thresholds = named(Thresholds.__slots__, "thresholds.")
    thresholds |= {"kept_ratio": ratios, "success_age": _AGE}
    settings = named(Settings.__slots__) | {"labels": {}, "thresholds": Thresholds(**thresholds)}
    document = rules_document(Settings(**settings))
    text = yaml.safe_dump(document, sort_keys=False, width=100, allow_unicode=True)
    text = text.replace(_AGE, "@@thresholds.success_age@@")
    text = text.replace(f"{seconds(_AGE):.0f}", "@@seconds.success_age@@")
    return (
        "# Written by `python -m scripts.chart_files`; change dashboards/, not this file.\n"
        f"# Templates put prometheusRule.settings in place of @@name@@.\n{text}"
    )


def chart_files() -> Iterator[tuple[Path, str]]:
    """Every file that follows from others, and its text."""
    yield CHART / "values.schema.json", json.dumps(values_schema(), indent=2) + "\n"
    readme = CHART / "README.md"
    head, _, rest = readme.read_text(encoding="utf-8").partition(_TABLE[0])
    _, _, tail = rest.partition(_TABLE[1])
    yield readme, f"{head}{_TABLE[0]}\n{values_table()}\n{_TABLE[1]}{tail}"
    yield CHART / "files" / "rules" / FILE, rules_template()
    for path in sorted(GENERATED.glob("*.json")):
        yield CHART / "files" / "dashboards" / path.name, path.read_text(encoding="utf-8")


def stale_copies() -> list[Path]:
    """Copies of files that are generated no more."""
    current = {path for path, _ in chart_files()}
    return [path for path in (CHART / "files").rglob("*.*") if path not in current]


def main() -> None:
    """Writes them, and removes stale copies."""
    for path, text in list(chart_files()):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    for path in stale_copies():
        path.unlink()


if __name__ == "__main__":
    main()
