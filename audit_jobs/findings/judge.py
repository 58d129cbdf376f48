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
    stake, and what is no fault last but for suppressed ones, which say why."""
    audited = (record for record in records if not policy.is_maintenance(record.user))
    usages = table_usages(audited, tables, health, policy.thresholds_of, history)
    found = [finding for usage in usages for finding in _of_table(usage)]
    return tuple(sorted((_suppressed(f, policy, day) for f in found), key=_rank))


def _of_table(usage: TableUsage) -> list[Finding]:
    size = None if usage.health is None else usage.health.bytes
    found = [finding for cause in CAUSES for finding in _united(cause.find(usage))]
    return [finding for finding in found if is_reported(finding, usage.thresholds, size)]


def _united(findings: Iterable[Finding]) -> list[Finding]:
    """Findings that say the same of the same query, as one: a query can scan a table more than
    once, with filters that differ elsewhere."""
    by_subject: dict[tuple[object, ...], Finding] = {}
    for finding in findings:
        subject = (finding.fingerprint, finding.conjunct, finding.columns, finding.sentence)
        known = by_subject.get(subject)
        by_subject[subject] = finding if known is None else _sum(known, finding)
    return list(by_subject.values())


def _sum(known: Finding, more: Finding) -> Finding:
    stakes = (known.bytes_at_stake, more.bytes_at_stake)
    return replace(
        known,
        scans=known.scans + more.scans,
        bytes_read=known.bytes_read + more.bytes_read,
        bytes_at_stake=None if None in stakes else sum(stake or 0 for stake in stakes),
    )


def _suppressed(finding: Finding, policy: Policy, day: dt.date) -> Finding:
    suppression = policy.suppressed_by(finding, day)
    return finding if suppression is None else replace(finding, suppressed=suppression.reason)


def _rank(finding: Finding) -> tuple[bool, bool, bool, int, int]:
    return (
        finding.suppressed is not None,
        finding.severity is Severity.INFO,
        finding.severity is not Severity.CRITICAL,
        -(finding.bytes_at_stake or 0),
        -finding.bytes_read,
    )
