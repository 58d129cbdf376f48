"""From scans to findings: every cause, over every table."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Mapping
from dataclasses import replace

from audit_jobs.findings.catalogue import CAUSES
from audit_jobs.findings.history import NO_HISTORY, History
from audit_jobs.findings.model import Finding, Severity
from audit_jobs.findings.policy import Policy, is_reported
from audit_jobs.findings.usage import TableUsage, table_usages
from audit_jobs.health.model import TableHealth
from audit_jobs.records import ScanRecord
from collectors.queries.observed import TableName
from collectors.tables.metadata import TableMetadata


def judge(
    records: Iterable[ScanRecord],
    tables: Mapping[TableName, TableMetadata],
    health: Mapping[TableName, TableHealth],
    policy: Policy,
    day: dt.date,
    history: History = NO_HISTORY,
) -> tuple[Finding, ...]:
    """The findings of a window that ends on a day: what may be wrong first, then by bytes at
    stake. Suppressed ones are among them, and say why."""
    audited = (record for record in records if not policy.is_maintenance(record.user))
    usages = table_usages(audited, tables, health, policy.thresholds_of, history)
    found = [finding for usage in usages for finding in _of_table(usage)]
    return tuple(sorted((_suppressed(f, policy, day) for f in found), key=_rank))


def _of_table(usage: TableUsage) -> list[Finding]:
    size = None if usage.health is None else usage.health.bytes
    return [
        finding
        for cause in CAUSES
        for finding in cause.find(usage)
        if is_reported(finding, usage.thresholds, size)
    ]


def _suppressed(finding: Finding, policy: Policy, day: dt.date) -> Finding:
    suppression = policy.suppressed_by(finding, day)
    return finding if suppression is None else replace(finding, suppressed=suppression.reason)


def _rank(finding: Finding) -> tuple[bool, bool, int, int]:
    return (
        finding.suppressed is not None,
        finding.severity is not Severity.CRITICAL,
        -(finding.bytes_at_stake or 0),
        -finding.bytes_read,
    )
