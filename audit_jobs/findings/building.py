"""Findings as causes make them: what all have in common is filled in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Required, TypedDict, Unpack

from prunescope.audit_jobs.findings.model import KEPT, NO_WISH, Confidence, Finding, Fix, Severity
from prunescope.audit_jobs.findings.unused_conditions import is_served_later, serving_later
from prunescope.audit_jobs.findings.usage import Group, TableUsage


class Told(TypedDict, total=False):
    """Fields of a finding that a cause sets. By default, the severity follows from the bytes at
    stake, and scans and bytes read are sums over the groups."""

    confidence: Required[Confidence]
    sentence: Required[str]
    bytes_at_stake: Required[int | None]
    evidence: Required[Mapping[str, Any]]
    fix: Required[Fix]
    severity: Severity
    scans: int
    bytes_read: int
    fingerprint: str
    conjunct: str | None
    columns: tuple[str, ...]
    lost_at: str | None


def of_group(usage: TableUsage, group: Group, cause: str, **told: Unpack[Told]) -> Finding:
    """A finding about the query of one group."""
    return _finding(usage, [group], cause, {"fingerprint": group.fingerprint, **told})


def of_groups(
    usage: TableUsage, groups: Sequence[Group], cause: str, **told: Unpack[Told]
) -> Finding:
    """A finding about the queries of some groups, which its evidence names."""
    evidence = {"fingerprints": fingerprints(groups), **told["evidence"]}
    return _finding(usage, groups, cause, {**told, "evidence": evidence})


def of_table(
    usage: TableUsage, groups: Sequence[Group], cause: str, **told: Unpack[Told]
) -> Finding:
    """A finding about a table as some groups use it, whatever their queries are."""
    return _finding(usage, groups, cause, told)


def _finding(
    usage: TableUsage, groups: Sequence[Group], cause: str, told: Mapping[str, Any]
) -> Finding:
    fix: Fix = told["fix"]
    if fix.change.acts and any(is_served_later(usage, group, cause) for group in groups):
        fix = serving_later(fix)
    usual = {
        "severity": usage.thresholds.severity(told["bytes_at_stake"]),
        "scans": sum(group.count for group in groups),
        "bytes_read": sum(group.bytes_read for group in groups),
    }
    return Finding(cause=cause, table=usage.table, **{**usual, **told, "fix": fix})


def together(usage: TableUsage, findings: Sequence[Finding]) -> Finding:
    """Merges findings of one query whose filter has another shape if two of its ranges share an
    end, as those of a year and of its first month do. All say the same of their columns, but for
    literals. The most costly one is quoted."""
    worst = max(findings, key=lambda finding: (finding.bytes_at_stake or 0, finding.conjunct or ""))
    stakes = [f.bytes_at_stake for f in findings if f.bytes_at_stake is not None]
    stake = sum(stakes) if stakes else None
    return replace(
        worst,
        severity=usage.thresholds.severity(stake),
        scans=sum(finding.scans for finding in findings),
        bytes_read=sum(finding.bytes_read for finding in findings),
        bytes_at_stake=stake,
    )


def without_statements(finding: Finding, advice: str, evidence: Mapping[str, object]) -> Finding:
    """A finding that keeps its diagnosis, and asks for no change of the table any more; advice and
    evidence say why."""
    return replace(
        finding,
        severity=Severity.INFO,
        bytes_at_stake=None,
        fix=replace(finding.fix, advice=advice, change=KEPT, wish=NO_WISH),
        evidence={**finding.evidence, **evidence},
    )


def without_order(
    usage: TableUsage, finding: Finding, advice: str, evidence: Mapping[str, object]
) -> Finding:
    """Reduces a finding to its gain without an order of rows, that of rewriting the condition.
    `advice` and `evidence` say why; the bytes that the order would win become evidence as well."""
    by_order = finding.fix.wish.bytes_by_order
    left = (finding.bytes_at_stake or 0) - by_order
    return replace(
        finding,
        severity=usage.thresholds.severity(left) if left > 0 else Severity.INFO,
        bytes_at_stake=left if left > 0 else None,
        fix=replace(finding.fix, advice=advice, change=KEPT, wish=NO_WISH),
        evidence={
            **finding.evidence,
            **evidence,
            "bytes_by_this_order": min(by_order, finding.bytes_read),
        },
    )


def fingerprints(groups: Sequence[Group]) -> list[str]:
    """Sorted fingerprints of the queries of some groups."""
    return sorted({group.fingerprint or "" for group in groups})


def partition_columns(usage: TableUsage, groups: Sequence[Group]) -> tuple[str, ...]:
    """The columns of partition fields by which groups filter, each once, in order."""
    return tuple(
        dict.fromkeys(
            usage.names[field.source_id]
            for group in groups
            for condition in group.conditions
            for field in usage.partition_fields_of(condition)
            if field.source_id in usage.names
        )
    )
