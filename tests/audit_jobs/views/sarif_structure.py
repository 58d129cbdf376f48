"""SARIF 2.1.0 by its JSON schema (OASIS, as SchemaStore has it, without the descriptions), and what
GitHub's code scanning requires beyond that (docs.github.com, SARIF support for code scanning)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from jsonschema import Draft4Validator

_SCHEMA = Path(__file__).parents[2] / "data/check/sarif-schema-2.1.0.json"
_LONGEST = 1024
"""Characters of descriptions that GitHub takes."""


def check(log: dict[str, Any]) -> list[dict[str, Any]]:
    """Asserts that a log is well-formed; its results."""
    problems = Draft4Validator(json.loads(_SCHEMA.read_text())).iter_errors(log)
    assert [f"{list(each.absolute_path)}: {each.message}" for each in problems] == []
    (run,) = log["runs"]
    described = run["tool"]["driver"]["rules"]
    rules = [rule["id"] for rule in described]
    assert len(rules) == len(set(rules))
    for rule in described:
        for member in ("shortDescription", "fullDescription", "help"):
            assert 0 < len(rule[member]["text"]) <= _LONGEST
    results: list[dict[str, Any]] = run["results"]
    for result in results:
        assert rules[result["ruleIndex"]] == result["ruleId"]
        assert result["message"]["text"]
        assert result["partialFingerprints"]
        assert len(result["locations"]) == 1
    return results


def check_places(results: list[dict[str, Any]]) -> None:
    """Asserts that all results have places that GitHub can show."""
    for result in results:
        physical = result["locations"][0]["physicalLocation"]
        assert physical["artifactLocation"]["uri"]
        assert set(physical["region"]) == {"startLine", "startColumn", "endLine", "endColumn"}
