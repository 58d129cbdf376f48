"""Whose scans a layout serves, as it was tried: what it wins for others is told with them, and not
as if the scans that a finding is about won it."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from audit_jobs.findings.attribution import layout_claim
from audit_jobs.findings.building import fingerprints
from audit_jobs.findings.condition import columns_in
from audit_jobs.findings.model import Finding
from audit_jobs.findings.trials import Target, Tried, columns_of, target_of
from audit_jobs.findings.unused_conditions import serving_later, waiting_for_writing
from audit_jobs.findings.usage import Group, TableUsage
from audit_jobs.tuning import MUCH


def of_served_scans(
    usage: TableUsage, finding: Finding, findings: Sequence[Finding], tried: Mapping[Target, Tried]
) -> Finding:
    """A finding about all scans that its layout serves, with no more at stake than these win by it
    (less what others lose) and read. Of several that ask for a layout, the one with most at stake
    is about the scans of others, but for those of whose loss by layout another finding tells."""
    before = finding.bytes_at_stake
    if before is None or finding.suppressed is not None:
        return finding
    if (
        finding.fix.change.acts
        and finding.fix.change.moves_rows
        and finding.lost_at != "row_groups"
    ):
        known = tried.get(target_of(finding.fix.change))
        finding = finding if known is None else _served(usage, finding, findings, known)
    stake = min(finding.bytes_at_stake or 0, finding.bytes_read)
    if stake == before:
        return finding
    return replace(finding, bytes_at_stake=stake, severity=usage.thresholds.severity(stake))


def _served(
    usage: TableUsage, finding: Finding, findings: Sequence[Finding], known: Tried
) -> Finding:
    change, stake = finding.fix.change, finding.bytes_at_stake or 0
    same = [one for one in findings if _asks_for(one, target_of(change))]
    is_first = finding is max(same, key=lambda one: one.bytes_at_stake or 0)
    asking = set[str]().union(*map(_fingerprints, same))
    others = _won_by_others(usage, known, asking | _told_of(usage, findings)) if is_first else []
    served = {*_fingerprints(finding), *fingerprints(others)}
    won = sum(known.won_by.get(name, 0) for name in served)
    is_order = bool(change.order) and not change.fields
    lost = known.lost.bytes if is_first else 0
    by_layout = finding.fix.wish.bytes_by_order if is_order else stake + lost
    finding = replace(finding, bytes_at_stake=max(0, stake - max(0, by_layout - won)))
    if not others:
        return finding
    asked = dict.fromkeys(name for group in others for name in columns_in(group.conditions))
    waiting = zip(
        usage.groups, waiting_for_writing(usage, columns_of(target_of(change))), strict=True
    )
    later = {group.fingerprint for group, waits in waiting if waits}
    fix = finding.fix
    if any(group.fingerprint in later for group in others):
        fix = serving_later(fix)
    return replace(
        finding,
        scans=finding.scans + sum(group.count for group in others),
        bytes_read=finding.bytes_read + sum(group.bytes_read for group in others),
        sentence=f"{finding.sentence} Scans that ask for {', '.join(asked)} skip files by it as "
        "well.",
        fix=fix,
        evidence={**finding.evidence, "fingerprints": sorted(served)},
    )


def _asks_for(finding: Finding, target: Target) -> bool:
    is_open = finding.fix.change.acts and finding.suppressed is None
    return is_open and finding.fix.change.moves_rows and target_of(finding.fix.change) == target


def _told_of(usage: TableUsage, findings: Sequence[Finding]) -> set[str]:
    """The queries whose loss by layout a finding has at stake, whatever it asks for: of them, a
    list may win what another order would as well."""
    told = {
        (finding.cause, column, name)
        for finding in findings
        if finding.bytes_at_stake and finding.suppressed is None
        for column in finding.columns
        for name in _fingerprints(finding)
    }
    return {
        name
        for group in usage.groups
        if (claim := layout_claim(usage, group)) is not None
        if (claim.cause, claim.column, name := group.fingerprint or "") in told
    }


def _won_by_others(usage: TableUsage, known: Tried, asking: Collection[str]) -> list[Group]:
    """The groups of other queries that win much of what they read."""
    read: dict[str, int] = {}
    for group in usage.groups:
        name = group.fingerprint or ""
        read[name] = read.get(name, 0) + group.bytes_read
    winning = {
        name
        for name, size in read.items()
        if name not in asking and known.won_by.get(name, 0) > MUCH * size
    }
    return [group for group in usage.groups if (group.fingerprint or "") in winning]


def _fingerprints(finding: Finding) -> frozenset[str]:
    """The queries that a finding is about."""
    return frozenset(finding.evidence.get("fingerprints", (finding.fingerprint or "",)))
