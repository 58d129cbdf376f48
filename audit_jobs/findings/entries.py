"""Findings as they are listed: in the order of their run, chosen by what somebody asks for."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from fnmatch import fnmatchcase
from typing import Any

from prunescope.audit_jobs.findings.model import Finding, Severity
from prunescope.audit_jobs.findings.rows import finding_row, keyed


@dataclass(frozen=True, slots=True)
class Place:
    """A place of a finding in a file: its first line and column, and the line of its last character
    with the column after that, from 1 and in UTF-16 code units; None where the place is not known,
    as in a template that was compiled. `is_condition` tells that the condition to blame stands
    there, and not only a statement that has it. `replacement` selects the same rows and can be
    written instead; `addition` holds more, and belongs beside it. `shape` is what stands there
    without literals. `is_known` tells that a baseline has it."""

    file: str
    line: int | None = None
    column: int | None = None
    end_line: int | None = None
    end_column: int | None = None
    is_condition: bool = False
    replacement: str | None = None
    addition: str | None = None
    shape: str = ""
    is_known: bool = False


@dataclass(frozen=True, slots=True)
class Entry:
    """A finding, its key and its rank in its run, and the SQL files that it is about: paths as
    they were found; none where a log was audited, or where it is about the table alone. `places`
    are in these files; of a finding about the table alone, in one that reads it. `is_known` tells
    that a baseline has it at all of its places."""

    key: str
    rank: int
    finding: Finding
    files: tuple[str, ...] = ()
    places: tuple[Place, ...] = ()
    is_known: bool = False


@dataclass(frozen=True, slots=True)
class FileOutcome:
    """Outcome of an SQL file: `replayed`, or a code for why it was not replayed, and its message;
    and the bytes of the data files that its scans of Iceberg tables keep, None if unknown. Of a
    model of dbt, its name, and its owner if it has one."""

    path: str
    outcome: str
    message: str | None = None
    bytes_kept: int | None = None
    model: str | None = None
    owner: str | None = None


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


def placed_document(entry: Entry) -> dict[str, Any]:
    """A finding of files as JSON: with its places in them, and whether a baseline knows it."""
    places = [asdict(place) for place in entry.places]
    for place in places:
        del place["shape"]
    return {**document(entry), "places": places, "is_known": entry.is_known}
