"""Bloom filters that findings ask for, with what row groups would save by them, and rows in order
within files, which would save about the same."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from audit_jobs.findings.choosing import ROW_GROUPS
from audit_jobs.findings.model import Change, Finding
from audit_jobs.findings.proposing import wish_of
from audit_jobs.findings.serving import inside_of, is_about
from audit_jobs.findings.trials import Reads, Trial, Tried
from audit_jobs.findings.usage import TableUsage
from audit_jobs.findings.what_if import won_by_index
from audit_jobs.tuning import MUCH


def filtered(
    usage: TableUsage,
    findings: Sequence[Finding],
    trial: Trial | None,
    reads: Reads,
    tried: Mapping[Change, Tried],
) -> list[Finding]:
    """The findings of one table, of which those that ask for bloom filters have at stake what these
    win as sampled rows tell: none is asked for where no row was read, or where rows in order
    win clearly more within files; else that order is not. A filter is simpler, as
    it leaves rows where they are."""
    found = list(findings)
    for finding in [one for one in findings if one.fix.change.bloom_filters]:
        stake = _stake(usage, finding, trial, reads)
        ordering = [one for one in found if _is_instead(one, finding)]
        in_order = sum(_by_order(usage, one, tried) for one in ordering)
        is_asked = stake is not None and stake >= in_order - MUCH * finding.bytes_read
        instead = _with_stake(usage, finding, stake) if is_asked and stake is not None else None
        dropped = [finding, *(ordering if is_asked else ())]
        found = [one for one in found if not any(one is other for other in dropped)]
        found += [] if instead is None else [instead]
    return found


def _stake(usage: TableUsage, finding: Finding, trial: Trial | None, reads: Reads) -> int | None:
    asked = {column for column, _ in finding.fix.change.bloom_filters}
    for index in () if trial is None else trial.indexes:
        won = won_by_index(trial, reads, index) if trial is not None else None
        if index.column in asked and won is not None:
            groups = zip(usage.groups, won, strict=True)
            size = sum(size for group, size in groups if is_about(finding, group))
            return min(max(0, size), finding.bytes_at_stake or 0)
    return None


def _is_instead(finding: Finding, other: Finding) -> bool:
    """Tells whether rows in order within files are asked for of the same column."""
    is_inside = finding.lost_at == ROW_GROUPS and wish_of(finding) is not None
    return is_inside and finding.columns == other.columns


def _by_order(usage: TableUsage, finding: Finding, tried: Mapping[Change, Tried]) -> int:
    wish = wish_of(finding)
    known = None if wish is None else tried.get(wish.layout)
    return 0 if known is None else inside_of(usage, finding, known)


def _with_stake(usage: TableUsage, finding: Finding, stake: int) -> Finding:
    return replace(finding, bytes_at_stake=stake, severity=usage.thresholds.severity(stake))
