"""The part of SARIF 2.1.0 (OASIS, 27 March 2020) that is written here, by its sections: members
that objects must have and may have. Its schema allows no others."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit

LEVELS = {"none", "note", "warning", "error"}

# kind of object: (required members, further members); a kind in brackets is an array of it.
_OBJECTS: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "sarifLog": ({"version": str, "runs": ["run"]}, {"$schema": "uri"}),  # §3.13
    "run": (  # §3.14
        {"tool": "tool"},
        {"invocations": ["invocation"], "results": ["result"], "columnKind": str},
    ),
    "tool": ({"driver": "toolComponent"}, {}),  # §3.18
    "toolComponent": (  # §3.19
        {"name": str},
        {"version": str, "informationUri": "uri", "rules": ["reportingDescriptor"]},
    ),
    "reportingDescriptor": (
        {"id": str},
        {"shortDescription": "message", "helpUri": "uri"},
    ),  # §3.49
    "invocation": (  # §3.20
        {"executionSuccessful": bool},
        {"toolExecutionNotifications": ["notification"]},
    ),
    "notification": (  # §3.58
        {"message": "message"},
        {"descriptor": "descriptorReference", "level": str, "locations": ["location"]},
    ),
    "descriptorReference": ({"id": str}, {}),  # §3.52
    "result": (  # §3.27
        {"message": "message"},
        {
            "ruleId": str,
            "ruleIndex": int,
            "level": str,
            "locations": ["location"],
            "partialFingerprints": dict,
            "rank": float,
            "suppressions": ["suppression"],
            "properties": dict,
        },
    ),
    "suppression": ({"kind": str}, {"justification": str}),  # §3.35
    "location": (  # §3.28
        {},
        {"physicalLocation": "physicalLocation", "logicalLocations": ["logicalLocation"]},
    ),
    "logicalLocation": ({}, {"fullyQualifiedName": str, "kind": str}),  # §3.33
    "physicalLocation": ({"artifactLocation": "artifactLocation"}, {"region": "region"}),  # §3.29
    "artifactLocation": ({"uri": "reference"}, {}),  # §3.4
    "region": ({"startLine": int}, {}),  # §3.30
    "message": ({"text": str}, {}),  # §3.11
}


def check(log: dict[str, Any]) -> list[dict[str, Any]]:
    """Asserts that a log is well-formed; its results."""
    _check(log, "sarifLog", "$")
    assert log["version"] == "2.1.0"
    (run,) = log["runs"]
    assert run["columnKind"] in {"utf16CodeUnits", "unicodeCodePoints"}
    rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
    assert len(rules) == len(set(rules))
    results: list[dict[str, Any]] = run["results"]
    for result in results:
        assert rules[result["ruleIndex"]] == result["ruleId"]
        assert 0 <= result["rank"] <= 100
    notified = run["invocations"][0]["toolExecutionNotifications"]
    assert {item["level"] for item in [*results, *notified]} <= LEVELS
    for suppression in (s for result in results for s in result.get("suppressions", [])):
        assert suppression["kind"] in {"inSource", "external"}
    return results


def _check(value: Any, kind: Any, path: str) -> None:
    if isinstance(kind, list):
        assert isinstance(value, list), path
        for place, item in enumerate(value):
            _check(item, kind[0], f"{path}[{place}]")
    elif isinstance(kind, type):
        assert type(value) is kind, f"{path} is no {kind.__name__}"
    elif kind in {"uri", "reference"}:
        parts = urlsplit(value)
        assert parts.scheme or kind == "reference", path
        assert not set(value) & set(" \\"), path
    else:
        required, further = _OBJECTS[kind]
        assert isinstance(value, dict), path
        assert set(required) <= set(value), f"{path} lacks {set(required) - set(value)}"
        assert set(value) <= set(required) | set(further), f"{path} has {set(value)}"
        for name, of_member in {**required, **further}.items():
            if name in value:
                _check(value[name], of_member, f"{path}.{name}")
