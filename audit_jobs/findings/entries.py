"""Findings as they are listed: in the order of their run, chosen by what somebody asks for."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Any

from prunescope.audit_jobs.findings.model import Finding, Severity
from prunescope.audit_jobs.findings.rows import finding_row, keyed


@dataclass(frozen=True, slots=True)
class Entry:
    """A finding, its key and its rank in its run, and the SQL files that it is about: paths as
    they were found; none where a log was audited, or where it is about the table alone."""

    key: str
    rank: int
    finding: Finding
    files: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class FileOutcome:
    """Outcome of an SQL file: `replayed`, or a code for why it was not replayed, and its message;
    and the bytes of the data files that its scans of Iceberg tables keep, None if unknown."""

    path: str
    outcome: str
    message: str | None = None
    bytes_kept: int | None = None


@dataclass(frozen=True, slots=True)
class Selection:
    """Selection of findings to show: by a glob over `catalog.namespace.table`, by cause, by the
    least severity, by fingerprint; None means any. Suppressed ones only on request."""

    table: str | None = None
    cause: str | None = None
    severity: Severity = Severity.INFO
    fingerprint: str | None = None
    suppressed: bool = False

    def is_of_table(self, finding: Finding) -> bool:
        """True if a finding is about one of the wanted tables."""
        return self.table is None or fnmatchcase(str(finding.table), self.table)

    def takes(self, finding: Finding) -> bool:
        """True if a finding is to be shown."""
        return (
            (self.suppressed or finding.suppressed is None)
            and self.is_of_table(finding)
            and self.cause in (None, finding.cause)
            and finding.severity.rank <= self.severity.rank
            and self.fingerprint in (None, *shapes(finding))
        )


def shapes(finding: Finding) -> Sequence[str]:
    """The fingerprints of the queries that a finding is about: its own, or those that it names
    as evidence."""
    if finding.fingerprint is not None:
        return [finding.fingerprint]
    named: Sequence[str] = finding.evidence.get("fingerprints", ())
    return named


def reported(findings: Iterable[Finding]) -> list[Finding]:
    """The findings that are not suppressed."""
    return [finding for finding in findings if finding.suppressed is None]


def entries(findings: Iterable[Finding]) -> list[Entry]:
    """Findings of one run, in its order."""
    return [
        Entry(key, rank, finding) for rank, (key, finding) in enumerate(keyed(findings), start=1)
    ]


def document(entry: Entry) -> dict[str, Any]:
    """A finding as JSON: the columns of the audit table `findings`, and `files`."""
    row = finding_row(entry.key, entry.rank, entry.finding)
    started_at = row["example_started_at"]
    told = {"example_started_at": started_at and started_at.astimezone(dt.UTC).isoformat()}
    return {**row, **told, "files": list(entry.files)}
