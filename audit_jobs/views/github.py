"""Findings as workflow commands of GitHub Actions, which shows them as annotations of lines
(docs.github.com, Workflow commands for GitHub Actions, November 2026)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from prunescope.audit_jobs.findings.catalogue import title_of
from prunescope.audit_jobs.findings.entries import Entry, Place
from prunescope.audit_jobs.findings.model import Severity
from prunescope.audit_jobs.views.place_text import (
    as_text,
    excess_text,
    from_here,
    paragraphs,
)
from prunescope.collectors.safe_text import plain

if TYPE_CHECKING:
    from prunescope.audit_jobs.jobs.check import Check

_KINDS = {
    Severity.CRITICAL: "error",
    Severity.HIGH: "error",
    Severity.MEDIUM: "warning",
    Severity.LOW: "notice",
    Severity.INFO: "notice",
}
_NO_PLACE = Place("")


def workflow_commands(check: Check) -> Iterator[str]:
    """One command for each place of a finding that is neither suppressed nor known, each file that
    could not be judged, and each excess; errors first, as GitHub shows ten of a kind and step."""
    names = {name: as_text(from_here(path)) for name, path in check.paths.items()}
    for file in check.failed:
        message = file.message or file.outcome.replace("_", " ")
        yield command("error", {"file": names[file.path], "title": file.outcome}, [message])
    for excess in check.excesses:
        if not excess.is_known:
            where = {"file": names[excess.file], "title": excess.limit}
            yield command("error", where, [excess_text(excess)])
    for entry in sorted(check.entries, key=lambda each: each.finding.severity.rank):
        if entry.finding.suppressed is None and not entry.is_known:
            yield from _of_finding(entry, names)


def _of_finding(entry: Entry, names: Mapping[str, str]) -> Iterator[str]:
    finding = entry.finding
    title = f"{title_of(finding.cause)} ({finding.cause})"
    for place in entry.places or (_NO_PLACE,):
        if not place.is_known:
            where = {**_where(place, names), "title": title}
            told = [f"{finding.table}", *paragraphs(finding, place)]
            yield command(_KINDS[finding.severity], where, told)


def _where(place: Place, names: Mapping[str, str]) -> dict[str, object]:
    """The properties of a place. Columns are of one line only: GitHub refuses others."""
    if place is _NO_PLACE:
        return {}
    found: dict[str, object] = {"file": names[place.file]}
    if place.line is not None:
        found |= {"line": place.line, "endLine": place.end_line}
    if place.line is not None and place.line == place.end_line:
        found |= {"col": place.column, "endColumn": place.end_column}
    return found


def command(kind: str, properties: Mapping[str, object], lines: Sequence[str]) -> str:
    """A workflow command, whose message has some lines."""
    told = ",".join(f"{name}={_property(str(value))}" for name, value in properties.items())
    return f"::{kind} {told}::{_data(chr(10).join(map(plain, lines)))}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
