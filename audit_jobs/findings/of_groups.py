"""Findings about several groups of scans of a table, which have much in common."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from audit_jobs.findings.model import Confidence, Finding, Fix
from audit_jobs.findings.usage import Group, TableUsage


def finding_of(  # noqa: PLR0913  # a finding has this many parts
    usage: TableUsage,
    groups: Sequence[Group],
    cause: str,
    *,
    bytes_at_stake: int | None,
    confidence: Confidence,
    sentence: str,
    fix: Fix,
    lost_at: str | None = None,
    columns: Sequence[str] = (),
    evidence: Mapping[str, Any],
) -> Finding:
    """A finding about all scans of some groups, as severe as the bytes at stake make it; its
    evidence names their fingerprints."""
    return Finding(
        cause=cause,
        severity=usage.thresholds.severity(bytes_at_stake),
        confidence=confidence,
        table=usage.table,
        columns=tuple(columns),
        lost_at=lost_at,
        sentence=sentence,
        scans=sum(group.count for group in groups),
        bytes_read=sum(group.bytes_read for group in groups),
        bytes_at_stake=bytes_at_stake,
        evidence={"fingerprints": fingerprints(groups), **evidence},
        fix=fix,
    )


def fingerprints(groups: Sequence[Group]) -> list[str]:
    """Those of the queries of some groups."""
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
