"""Whose scans the chosen change of a layout serves, and what they win by it: each byte has one
finding."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from prunescope.audit_jobs.findings.attribution import layout_claim
from prunescope.audit_jobs.findings.choosing import ROW_GROUPS
from prunescope.audit_jobs.findings.model import KEPT, Change, Finding
from prunescope.audit_jobs.findings.proposing import wish_of
from prunescope.audit_jobs.findings.trials import Tried
from prunescope.audit_jobs.findings.usage import Group, TableUsage
from prunescope.audit_jobs.tuning import HALF, MUCH


@dataclass(frozen=True, slots=True)
class Won:
    """Gain of a finding by a change: bytes that its scans win, less their part of what others lose,
    and the groups of `others`, without findings, that win much of what they read."""

    bytes: int
    others: tuple[Group, ...] = ()


def is_about(finding: Finding, group: Group) -> bool:
    """Tells whether a finding is about a group's queries; one about the table is about none."""
    names = finding.evidence.get("fingerprints")
    if names is None:
        return finding.fingerprint is not None and finding.fingerprint == group.fingerprint
    return (group.fingerprint or "") in names


def is_about_queries(finding: Finding) -> bool:
    """Tells whether a finding is about some queries, and not about the table as all use it."""
    return finding.fingerprint is not None or "fingerprints" in finding.evidence


def won_of(usage: TableUsage, finding: Finding, known: Tried) -> int:
    """The bytes that a layout wins of the scans that a finding is about."""
    groups = zip(usage.groups, known.more, strict=True)
    return sum(max(0, -more) for group, more in groups if is_about(finding, group))


def is_served(
    usage: TableUsage,
    finding: Finding,
    wish: Change | None,
    change: Change,
    tried: Mapping[Change, Tried],
) -> bool:
    """Tells whether a change does what a finding asks for, or wins most of what that would for its
    scans."""
    if change == KEPT or wish is None:
        return False
    if finding.lost_at == ROW_GROUPS:
        return change.where is None and wish.order[:1] == change.order[:1]
    if wish.layout == change.layout or wish.rewrites:
        return True
    if wish.changes_fields and is_part(finding, change):
        return True
    own, known = tried.get(wish.layout), tried.get(change.layout)
    if known is None:
        return False
    if change.where is not None and is_part(finding, change):
        return won_of(usage, finding, known) > 0
    wished = won_of(usage, finding, own) if own is not None else finding.bytes_at_stake or 0
    return wished > 0 and won_of(usage, finding, known) >= HALF * wished


def is_part(finding: Finding, change: Change) -> bool:
    """Tells whether what a finding asks for is done by a change, or more of it."""
    wish = wish_of(finding)
    if wish is None:
        return False
    told_apart = {*change.order, *(name for _, name in change.added)}
    if wish.changes_fields:
        columns = {name for _, name in wish.added}
        return {*wish.dropped} <= {*change.dropped} and columns <= told_apart
    if wish.rewrites:
        return True
    if wish.keeps:
        return wish.layout == change.layout
    return wish.order[0] in told_apart


def won_by_each(
    usage: TableUsage, known: Tried, served: Sequence[Finding], beside: Sequence[Finding]
) -> list[Won]:
    """Gains of some findings. The first one also gets the groups of no other, unless a finding
    `beside` them with bytes at stake claims these: only groups that win much, or all if it is about
    the table."""
    told = {(one.cause, name) for one in beside if one.bytes_at_stake for name in one.columns}
    gross = [max(0, -more) for more in known.more]
    part = max(0.0, known.won) / max(1, sum(gross))
    least = MUCH if is_about_queries(served[0]) else 0
    sums = [0] * len(served)
    others: list[Group] = []
    for group, won in zip(usage.groups, gross, strict=True):
        claim, owner = layout_claim(usage, group), _owner(usage, group, served)
        if owner is not None:
            sums[owner] += won
        elif claim is not None and (claim.cause, claim.column) in told:
            continue
        elif won > least * group.bytes_read:
            sums[0] += won
            others.append(group)
    return [Won(round(part * won), () if n else tuple(others)) for n, won in enumerate(sums)]


def _owner(usage: TableUsage, group: Group, served: Sequence[Finding]) -> int | None:
    """The place of the finding that has what a group wins, best that of the cause which claims what
    the layout loses of it."""
    about = [
        number
        for number, one in enumerate(served)
        if is_about(one, group) and one.lost_at != ROW_GROUPS
    ]
    claim = layout_claim(usage, group)
    of_claim = [n for n in about if claim is not None and served[n].cause == claim.cause]
    return next(iter(of_claim or about), None)
