"""What the values of the chart must be beyond the types of their defaults, as JSON schemas."""

from __future__ import annotations

from typing import Any

from prunescope.audit_jobs.findings.catalogue import BY_ID
from prunescope.audit_jobs.publishing_config import REPORT_FIELDS

Schema = dict[str, Any]

_LABEL = "[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?"
_TEXTS: Schema = {"type": "object", "additionalProperties": {"type": "string"}}
_LABEL_KEY = f"^([a-z0-9]([-a-z0-9.]{{0,251}}[a-z0-9])?/)?{_LABEL}$"
_LABELS: Schema = {
    "type": "object",
    # Of names (propertyNames) Helm tells a wrong place.
    "patternProperties": {_LABEL_KEY: {"type": "string", "pattern": f"^({_LABEL})?$"}},
    "additionalProperties": False,
}
_QUANTITY: Schema = {"type": ["string", "number"], "pattern": r"^[0-9.]+([munkMGTPE]i?)?$"}
_QUANTITIES: Schema = {"type": "object", "additionalProperties": _QUANTITY}
_PORT: Schema = {"type": "integer", "minimum": 1, "maximum": 65_535}
COUNT: Schema = {"type": "integer", "minimum": 0}
_JAVA_MEMORY: Schema = {"type": "string", "pattern": "^[0-9]+[kmgt]$"}


def _objects(**properties: Schema) -> Schema:
    """An array of what Kubernetes defines, of which these properties are needed."""
    item = {"type": "object", "properties": properties, "required": [*properties]}
    return {"type": "array", "items": item}


def closed(properties: dict[str, Schema], required: tuple[str, ...] = ()) -> Schema:
    """An object with these properties and no others."""
    schema: Schema = {
        "type": "object",
        "additionalProperties": False,
        "properties": properties,
    }
    return {**schema, "required": [*required]} if required else schema


_DNS = "[a-z0-9]([-a-z0-9]*[a-z0-9])?"
_NAMED = f"{_DNS}(\\.{_DNS})*"
_NAME: Schema = {"type": "string", "pattern": f"^{_NAMED}$", "maxLength": 253}
"""The name of a Kubernetes object."""
_NAME_OR_NONE: Schema = {**_NAME, "pattern": f"^({_NAMED})?$"}
_LABEL_OR_NONE: Schema = {"type": "string", "pattern": f"^({_DNS})?$", "maxLength": 63}
_GIVEN: Schema = {"type": "string", "minLength": 1}
_KEY: Schema = {"type": "string", "pattern": "^[-._A-Za-z0-9]+$", "maxLength": 253}
_VARIABLE = closed(
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
_VOLUME: Schema = {"type": "string", "pattern": f"^{_DNS}$", "maxLength": 63}
_BLOCK = closed(
    {"cidr": _GIVEN, "except": {"type": "array", "items": {"type": "string"}}}, ("cidr",)
)
_SELECTOR: Schema = {"type": "object"}
_PEERS: Schema = {
    "type": "array",
    "items": {
        **closed({"ipBlock": _BLOCK, "namespaceSelector": _SELECTOR, "podSelector": _SELECTOR}),
        "minProperties": 1,
    },
}
_POLICY_PORT = closed(
    {
        "port": {"type": ["integer", "string"]},
        "endPort": _PORT,
        "protocol": {"enum": ["TCP", "UDP", "SCTP"]},
    }
)
_EGRESS: Schema = {
    "type": "array",
    "items": closed({"to": _PEERS, "ports": {"type": "array", "items": _POLICY_PORT}}),
}
_SECRET_KEY = closed({"secret": _NAME, "key": _KEY}, ("secret", "key"))


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

_LONE_ZONE = "[A-Z][A-Za-z]*([0-9][A-Z]{3}|-[A-Z][A-Za-z]*)?|GMT[+-]?0"
_PLACE = "[A-Z][A-Za-z0-9]*([-_+][A-Za-z0-9]+)*"
_ZONE_OF_REGION = f"[A-Z][A-Za-z]*(/{_PLACE})+"
"""The form of names of time zones: only the cluster knows which exist."""

BY_NAME: dict[str, Schema] = {
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
    "imagePullSecrets": {"type": "array", "items": closed({"name": _NAME}, ("name",))},
    "instances": {"type": "integer", "minimum": 1},
    "interval": {"type": "string", "pattern": "^([0-9]+(ms|[smhd]))+$"},
    "key": _KEY,
    "labels": _LABELS,
    "listenAddress": {
        "type": "string",
        "pattern": r"^([0-9]+(\.[0-9]+){3}|[0-9A-Fa-f]*:[0-9A-Fa-f:.]*)$",
    },
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
    "resources": closed(
        {
            "requests": _QUANTITIES,
            "limits": _QUANTITIES,
            "claims": {"type": "array", "items": {"type": "object"}},
        }
    ),
    "schedule": {"type": "string", "pattern": f"^(@[a-z]+|{_CRON})$"},
    "size": _QUANTITY,
    "sparkLocalSizeLimit": _QUANTITY,
    "timeZone": {"type": "string", "pattern": f"^({_LONE_ZONE}|{_ZONE_OF_REGION})$"},
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
"""Rules for a value beyond the type of its default, by the last part of its name."""

AT: dict[str, Schema] = {
    # A receiver of none is one that pauses, and whose volume the audit still mounts.
    "exporter.replicas": {"type": "integer", "minimum": 1},
    "kubernetes.master": {"type": "string", "pattern": "^k8s://."},
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

_HTTP: Schema = {"pattern": "^[Hh][Tt][Tt][Pp][Ss]?://[^/?#]"}
OF_CONFIG: dict[tuple[str, str], Schema] = {
    ("AuditTables", "namespace"): {"pattern": r"^[^.]+(\.[^.]+)*$"},
    ("CacheConfig", "path"): {"pattern": "^/"},
    ("Gate", "directory"): {"pattern": "^/"},
    ("MetadataTable", "name"): {"pattern": r"^[^.]+(\.[^.]+){2,}$"},
    ("Metrics", "pushgateway"): _HTTP,
    ("Metrics", "textfile"): {"pattern": r"^/.*\.prom$"},
    ("Otlp", "endpoint"): _HTTP,
    ("Report", "path"): {"pattern": f"^(/|[a-z0-9]+://)([^{{}}]|{'|'.join(REPORT_FIELDS)})+$"},
    ("SuppressedFindings", "cause"): {"enum": [*BY_ID]},
}
"""Rules of the validators of `prunescope.audit_jobs.config`, by section and key; and refused
paths that are relative, as a pod can write nothing in the directory that it starts in."""
