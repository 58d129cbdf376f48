"""Findings as SARIF 2.1.0 (OASIS, 27 March 2020), which code review tools show beside the code."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib.metadata import version
from pathlib import Path
from types import MappingProxyType
from typing import Any
from urllib.parse import quote

from prunescope.audit_jobs.checking.limits import MAX_BYTES, MAX_SHARE, Excess
from prunescope.audit_jobs.findings.catalogue import CAUSES
from prunescope.audit_jobs.findings.entries import Entry, FileOutcome, Place
from prunescope.audit_jobs.findings.model import DOCUMENTATION, Finding, Severity
from prunescope.audit_jobs.views.finding_text import example_text
from prunescope.audit_jobs.views.place_text import INSTEAD, excess_text, from_here, paragraphs
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
_CHECK = DOCUMENTATION.replace("findings.md", "check.md") + "#limits"
_LIMITS = {
    MAX_BYTES: "File reads more bytes than allowed",
    MAX_SHARE: "Query reads a larger share of a table than allowed",
}
_HIGH = 80.0

Json = dict[str, Any]


def sarif(
    entries: Sequence[Entry],
    paths: Mapping[str, Path] = MappingProxyType({}),
    unread: Sequence[FileOutcome] = (),
    excesses: Sequence[Excess] = (),
) -> Json:
    """A SARIF run: its rules are the causes, its results the findings, each at its table and, if
    SQL files were checked, once at each of its places in them; and the files that exceed limits.
    `paths` leads from names of files to these. Files that could not be judged are notifications of
    the invocation.

    Files inside the working directory are named relative to it, as tools expect that run at the
    root of a repository.
    """
    titles = {cause.id: cause.title for cause in CAUSES}
    found = (entry.finding.cause for entry in entries)
    titles |= {cause: cause for cause in found if cause not in titles}
    titles |= {excess.limit: _LIMITS[excess.limit] for excess in excesses}
    rules = [*titles]
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
                        "rules": [_rule(rule, title) for rule, title in titles.items()],
                    }
                },
                "invocations": [
                    {
                        "executionSuccessful": True,
                        "toolExecutionNotifications": [
                            _notification(outcome, paths) for outcome in unread
                        ],
                    }
                ],
                "columnKind": "utf16CodeUnits",
                "results": [
                    *(_of_excess(excess, rules.index(excess.limit), paths) for excess in excesses),
                    *(
                        _result(entry, rules.index(entry.finding.cause), place, number, paths)
                        for entry in entries
                        for number, place in enumerate(_places(entry))
                    ),
                ],
            }
        ],
    }


def _rule(rule: str, title: str) -> Json:
    """A rule, with all that GitHub's code scanning requires of one."""
    address = _CHECK if rule in _LIMITS else f"{DOCUMENTATION}#{rule}"
    return {
        "id": rule,
        "shortDescription": {"text": title},
        "fullDescription": {"text": title},
        "help": {"text": f"{title}: {address}", "markdown": f"[{title}]({address})"},
        "helpUri": address,
    }


def _places(entry: Entry) -> Sequence[Place | None]:
    """One for each place, as each can be mended by itself; else that of the table alone."""
    files = tuple(map(Place, entry.files))
    return entry.places or files or (None,)


def _result(
    entry: Entry, rule: int, place: Place | None, number: int, paths: Mapping[str, Path]
) -> Json:
    location: Json = {
        "logicalLocations": [
            {"fullyQualifiedName": plain(str(entry.finding.table)), "kind": "resource"}
        ]
    }
    if place is not None:
        location = {"physicalLocation": _physical(paths[place.file], place), **location}
    finding = entry.finding
    result: Json = {
        "ruleId": finding.cause,
        "ruleIndex": rule,
        "level": _LEVELS[finding.severity],
        "message": {"text": "\n".join(map(plain, paragraphs(finding, place)))},
        "locations": [location],
        "partialFingerprints": {
            "prunescopeFinding/v1": entry.key,
            "prunescopePlace/v1": f"{entry.key}:{number}",
        },
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
    if place is not None and place.replacement is not None and place.line is not None:
        result["fixes"] = [_fix(paths[place.file], place)]
    if finding.suppressed is not None:
        result["suppressions"] = [{"kind": "external", "justification": finding.suppressed}]
    return result


def _rank(finding: Finding) -> float:
    """From 0 to 100, by which viewers sort: 100 for the most severe."""
    return 100.0 - 20.0 * finding.severity.rank


def _of_excess(excess: Excess, rule: int, paths: Mapping[str, Path]) -> Json:
    """A file that reads more than a limit allows."""
    whole = [
        {"fullyQualifiedName": plain(name), "kind": "resource"} for name in (excess.table,) if name
    ]
    location = {"physicalLocation": _physical(paths[excess.file], Place(excess.file))}
    key = ":".join((excess.limit, excess.file, excess.table or ""))
    return {
        "ruleId": excess.limit,
        "ruleIndex": rule,
        "level": "error",
        "message": {"text": plain(excess_text(excess))},
        "locations": [location | ({"logicalLocations": whole} if whole else {})],
        "partialFingerprints": {"prunescopePlace/v1": plain(key)},
        "rank": _HIGH,
        "properties": {"bytesRead": excess.read, "bytes": excess.total},
    }


def _fix(path: Path, place: Place) -> Json:
    """The rewrite of a condition, as editors apply it."""
    replacement = {
        "deletedRegion": _region(place),
        "insertedContent": {"text": place.replacement},
    }
    change = {"artifactLocation": {"uri": _uri(path)}, "replacements": [replacement]}
    return {"description": {"text": INSTEAD.strip(" :")}, "artifactChanges": [change]}


def _notification(outcome: FileOutcome, paths: Mapping[str, Path]) -> Json:
    return {
        "descriptor": {"id": outcome.outcome},
        "level": "error",
        "message": {"text": plain(outcome.message or outcome.outcome.replace("_", " "))},
        "locations": [{"physicalLocation": _physical(paths[outcome.path], Place(outcome.path))}],
    }


def _physical(path: Path, place: Place) -> Json:
    return {"artifactLocation": {"uri": _uri(path)}, "region": _region(place)}


def _region(place: Place) -> Json:
    """The region of a place; the first line of a file that is meant as a whole, as viewers want
    one."""
    if place.line is None:
        return {"startLine": 1, "startColumn": 1, "endLine": 1, "endColumn": 1}
    return {
        "startLine": place.line,
        "startColumn": place.column,
        "endLine": place.end_line,
        "endColumn": place.end_column,
    }


def _uri(path: Path) -> str:
    found = from_here(path)
    return found.as_uri() if found.is_absolute() else quote(found.as_posix())
