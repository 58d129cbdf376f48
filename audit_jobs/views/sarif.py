"""Findings as SARIF 2.1.0 (OASIS, 27 March 2020), which code review tools show beside the code."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any
from urllib.parse import quote

from prunescope.audit_jobs.findings.catalogue import CAUSES
from prunescope.audit_jobs.findings.entries import Entry, FileOutcome
from prunescope.audit_jobs.findings.model import DOCUMENTATION, Finding, Severity
from prunescope.audit_jobs.views.finding_text import example_text
from prunescope.collectors.safe_text import plain

SCHEMA = (
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
)

_LEVELS = {
    Severity.CRITICAL: "error",
    Severity.HIGH: "error",
    Severity.MEDIUM: "warning",
    Severity.LOW: "note",
    Severity.INFO: "note",
}
_PROJECT = DOCUMENTATION.partition("/blob/")[0]

Json = dict[str, Any]


def sarif(
    entries: Sequence[Entry], directory: Path | None = None, unread: Sequence[FileOutcome] = ()
) -> Json:
    """A SARIF run: its rules are the causes, its results the findings, each at its table and, if
    SQL files in `directory` were checked, once at each of them. Files that could not be judged are
    notifications of the invocation.

    Files inside the working directory are named relative to it, as tools expect that run at the
    root of a repository.
    """
    found = dict.fromkeys(entry.finding.cause for entry in entries)
    titles = {cause.id: cause.title for cause in CAUSES}
    rules = [*titles, *(cause for cause in found if cause not in titles)]
    return {
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [
            {
                "tool": {
                    "driver": {
                        "name": "prunescope",
                        "version": version("prunescope"),
                        "informationUri": _PROJECT,
                        "rules": [_rule(cause, titles.get(cause, cause)) for cause in rules],
                    }
                },
                "invocations": [
                    {
                        "executionSuccessful": True,
                        "toolExecutionNotifications": [
                            _notification(outcome, directory) for outcome in unread
                        ],
                    }
                ],
                "columnKind": "unicodeCodePoints",
                "results": [
                    _result(entry, rules.index(entry.finding.cause), location)
                    for entry in entries
                    for location in _locations(entry, directory)
                ],
            }
        ],
    }


def _rule(cause: str, title: str) -> Json:
    return {
        "id": cause,
        "shortDescription": {"text": title},
        "helpUri": f"{DOCUMENTATION}#{cause}",
    }


def _locations(entry: Entry, directory: Path | None) -> list[Json]:
    """One per file, as each can be mended by itself; else that of the table alone."""
    table = {"fullyQualifiedName": plain(str(entry.finding.table)), "kind": "resource"}
    files = [{"physicalLocation": _physical(file, directory)} for file in entry.files]
    return [location | {"logicalLocations": [table]} for location in files or [{}]]


def _result(entry: Entry, rule: int, location: Json) -> Json:
    finding = entry.finding
    result: Json = {
        "ruleId": finding.cause,
        "ruleIndex": rule,
        "level": _LEVELS[finding.severity],
        "message": {"text": _message(finding)},
        "locations": [location],
        "partialFingerprints": {"prunescopeFinding/v1": entry.key},
        "rank": _rank(finding),
        "properties": {
            "severity": finding.severity.value,
            "confidence": finding.confidence.value,
            "scans": finding.scans,
            "bytesRead": finding.bytes_read,
            "bytesAtStake": finding.bytes_at_stake,
            "fixSpark": list(map(plain, finding.fix.spark)),
            "fixTrino": list(map(plain, finding.fix.trino)),
        },
    }
    if finding.example is not None and not entry.files:
        result["properties"]["exampleQuery"] = plain(example_text(finding.example))
        if finding.example.link is not None:
            result["properties"]["exampleLink"] = plain(finding.example.link)
    if finding.suppressed is not None:
        result["suppressions"] = [{"kind": "external", "justification": finding.suppressed}]
    return result


def _message(finding: Finding) -> str:
    parts = [finding.sentence]
    if finding.conjunct is not None:
        parts.append(f"Condition: {finding.conjunct}")
    if finding.fix.rewrite is not None:
        parts.append(f"Write: {finding.fix.rewrite}")
    if finding.fix.advice is not None:
        parts.append(finding.fix.advice)
    return "\n".join(map(plain, parts))


def _rank(finding: Finding) -> float:
    """From 0 to 100, by which viewers sort: 100 for the most severe."""
    return 100.0 - 20.0 * finding.severity.rank


def _notification(outcome: FileOutcome, directory: Path | None) -> Json:
    return {
        "descriptor": {"id": outcome.outcome},
        "level": "error",
        "message": {"text": plain(outcome.message or outcome.outcome.replace("_", " "))},
        "locations": [{"physicalLocation": _physical(outcome.path, directory)}],
    }


def _physical(file: str, directory: Path | None) -> Json:
    path = (directory or Path()) / file
    # A whole file is meant; viewers that want a line are given the first.
    return {"artifactLocation": {"uri": _uri(path)}, "region": {"startLine": 1}}


def _uri(path: Path) -> str:
    absolute = path.resolve()
    if absolute.is_relative_to(Path.cwd()):
        return quote(absolute.relative_to(Path.cwd()).as_posix())
    return absolute.as_uri()
