"""Reporting policy of a team: thresholds by table, and suppressions."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase

from prunescope.audit_jobs.findings.model import Files, Finding, Severity
from prunescope.audit_jobs.findings.thresholds import Thresholds
from prunescope.collectors.observed import TableName


@dataclass(frozen=True, slots=True)
class Suppression:
    """Findings that are not to be reported, up to and including the day `until`. `table` is a
    glob over `catalog.namespace.table`; `cause` and `fingerprint` None mean any."""

    table: str
    reason: str
    until: dt.date
    cause: str | None = None
    fingerprint: str | None = None

    def covers(self, finding: Finding, day: dt.date) -> bool:
        """True if the suppression holds for a finding on a day."""
        return (
            day <= self.until
            and fnmatchcase(str(finding.table), self.table)
            and self.cause in (None, finding.cause)
            and self.fingerprint in (None, finding.fingerprint)
        )


@dataclass(frozen=True, slots=True)
class Policy:
    """Thresholds by glob over `catalog.namespace.table`, of which the first that matches counts;
    suppressions; the users, by glob, whose queries are maintenance: they read all they can on
    purpose; templates of links to queries, by engine; and the bytes of files that may be written
    anew of a table in a night, None where there is no limit."""

    thresholds: Sequence[tuple[str, Thresholds]] = ()
    suppressions: Sequence[Suppression] = ()
    maintenance_users: Sequence[str] = ()
    query_links: Mapping[str, str] = field(default_factory=dict)
    rewrite_bytes: int | None = None

    def thresholds_of(self, table: TableName) -> Thresholds:
        """The thresholds of a table."""
        name = str(table)
        return next((t for glob, t in self.thresholds if fnmatchcase(name, glob)), Thresholds())

    def is_maintenance(self, user: str | None) -> bool:
        """True if a user's queries are left out, as maintenance."""
        return user is not None and any(fnmatchcase(user, glob) for glob in self.maintenance_users)

    def suppressed_by(self, finding: Finding, day: dt.date) -> Suppression | None:
        """The first suppression that holds for a finding on a day."""
        return next((s for s in self.suppressions if s.covers(finding, day)), None)


def is_reported(finding: Finding, thresholds: Thresholds, table_bytes: int | None) -> bool:
    """True if a finding is worth reporting. Results that may be wrong always are. Rare queries are
    if much is at stake and no file has to be written anew: only repeated scans pay back a
    rewrite."""
    if finding.severity is Severity.CRITICAL:
        return True
    if table_bytes is not None and table_bytes < thresholds.small_table_bytes:
        return False
    stake = finding.bytes_at_stake
    change = finding.fix.wish.withheld or finding.fix.change
    is_high = stake is not None and stake >= thresholds.high_bytes
    if is_high and change.files is Files.NONE:
        return True
    if finding.scans < thresholds.min_scans:
        return False
    if stake is None:
        return finding.bytes_read >= thresholds.min_bytes_at_stake
    return is_high or (
        stake >= thresholds.min_bytes_at_stake
        and stake >= thresholds.min_share * finding.bytes_read
    )
