"""Which change of a table's partitions is settled on: several would undo each other, or leave
partitions of little data, and what other scans lose by one counts against it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import inf

from audit_jobs.findings import wording
from audit_jobs.findings.building import without_statements
from audit_jobs.findings.disturbance import Disturbance
from audit_jobs.findings.model import Change, Finding, PartitionChange
from audit_jobs.findings.spreading import finer_fields, spread
from audit_jobs.findings.trials import NOTHING_TRIED, Target, Tried, target_of
from audit_jobs.findings.usage import TableUsage
from audit_jobs.units import size


def settled_partitions(
    usage: TableUsage,
    findings: Sequence[Finding],
    tried: Mapping[Target, Tried] = NOTHING_TRIED,
) -> list[Finding]:
    """The findings of one table, of which those with statements that change its partitions go
    together: they ask for the change that wins most bytes, net of what other scans lose by it, for
    a part of it, or for more.

    A finding that asks for another change, or for one by which others lose more, keeps its
    diagnosis, and has neither statements nor bytes at stake: `better_change` and
    `bytes_by_this_change`, or `bytes_lost_by_others`, of its evidence say why. Suppressed findings
    stay as they are and decide nothing.
    """
    findings = [_as_tried(finding, findings, tried) for finding in findings]
    open_ones = [finding for finding in findings if finding.suppressed is None]
    choices = _choices(usage, open_ones, tried)
    if not choices:
        return list(findings)
    best = max(
        choices.values(),
        key=lambda one: (not one.is_refuted, one.net, len(one.change), sorted(one.change)),
    )
    return [
        finding
        if finding.suppressed is not None or not finding.fix.change.fields
        else _settled(usage, finding, choices[finding.fix.change.fields], best, open_ones)
        for finding in findings
    ]


def is_too_little(usage: TableUsage, change: Change, known: Tried) -> bool:
    """Whether more partitions win less than is worth telling: fewer are easier to keep."""
    return not change.dropped and known.share < usage.thresholds.min_share


def told_change(change: PartitionChange) -> dict[str, object]:
    """How the evidence of findings that ask for something else tells of a change."""
    return {
        "better_change": [
            f"{verb} {transform}({name})" for verb, (transform, name) in sorted(change)
        ]
    }


@dataclass(frozen=True, slots=True)
class _Choice:
    """A change of partitions: the finding that asks for it and has most bytes at stake, as others
    name it, how many bytes it wins net of what others lose, these, and whether they are more, or
    scans cost more."""

    change: PartitionChange
    named: str
    stake: int
    net: float
    lost: Disturbance
    is_refuted: bool


def _as_tried(
    finding: Finding, findings: Sequence[Finding], tried: Mapping[Target, Tried]
) -> Finding:
    """A finding with the bytes that its change wins as they were tried, before what others lose by
    it: those that ask for one change share them as they would have them."""
    target = target_of(finding.fix.change)
    known = tried.get(target) if target.fields else None
    if known is None or finding.suppressed is not None or not finding.bytes_at_stake:
        return finding
    asked = sum(
        one.bytes_at_stake or 0
        for one in findings
        if one.suppressed is None and target_of(one.fix.change) == target
    )
    stake = round(max(0, known.won + known.lost.bytes) * finding.bytes_at_stake / asked)
    return replace(finding, bytes_at_stake=stake)


def _choices(
    usage: TableUsage, findings: Sequence[Finding], tried: Mapping[Target, Tried]
) -> dict[PartitionChange, _Choice]:
    found: dict[PartitionChange, _Choice] = {}
    for finding in sorted(findings, key=lambda finding: -(finding.bytes_at_stake or 0)):
        change = finding.fix.change
        if change.fields and change.fields not in found:
            known = tried.get(target_of(change))
            net: float
            if known is not None:
                net, lost = known.won, known.lost
                is_refuted = known.is_worse or is_too_little(usage, change, known)
            else:
                lost = spread(usage, change.added, change.dropped)
                won = _won(findings, finding)
                net = -inf if won is None else won - lost.bytes
                is_refuted = net <= 0 < lost.bytes
            stake = finding.bytes_at_stake or 0
            choice = _Choice(change.fields, finding.named, stake, net, lost, is_refuted)
            found[change.fields] = choice
    return found


def _won(findings: Sequence[Finding], of: Finding) -> int | None:
    """What a change wins: the bytes of what asks for it, for a part of it, or for an order of a
    column that it adds. None where all that has bytes of such a column asks for another change."""
    change = of.fix.change
    names = {name for _, name in finer_fields(change.added, change.dropped)}
    others = [
        finding
        for finding in findings
        if (finding.fix.change.fields and finding.fix.change.fields <= change.fields)
        or (finding.fix.change.order and names.issuperset(finding.columns))
    ]
    won = sum(finding.bytes_at_stake or 0 for finding in others)
    is_elsewhere = any(
        finding.bytes_at_stake and names & set(finding.columns) for finding in findings
    )
    return None if not won and is_elsewhere else won


def _settled(
    usage: TableUsage, finding: Finding, own: _Choice, best: _Choice, findings: Sequence[Finding]
) -> Finding:
    if best.is_refuted:
        lost = own.lost if own.is_refuted else best.lost
        return _refuted(finding, lost, _advised(finding, findings))
    if own.is_refuted or not (own.change <= best.change or best.change <= own.change):
        return _alternative(finding, best)
    if not own.lost.bytes or finding.named != own.named:
        return finding
    told = replace(
        finding,
        fix=replace(finding.fix, advice=f"{finding.fix.advice} {own.lost.loss}."),
        evidence={**finding.evidence, **own.lost.told},
    )
    if finding.bytes_at_stake is None:
        return told
    stake = max(0, finding.bytes_at_stake - own.lost.bytes)
    advice = f"{finding.fix.advice} {own.lost.loss}, which the bytes at stake allow for."
    return replace(
        told,
        bytes_at_stake=stake,
        severity=usage.thresholds.severity(stake),
        fix=replace(finding.fix, advice=advice),
    )


def _alternative(finding: Finding, best: _Choice) -> Finding:
    evidence = {**told_change(best.change), "bytes_by_this_change": finding.bytes_at_stake}
    return without_statements(finding, wording.other_change(best.named), evidence)


def _advised(finding: Finding, findings: Sequence[Finding]) -> str | None:
    """The finding that advises other partitions for a column of one, without statements."""
    return next(
        (
            one.named
            for one in findings
            if one.fix.repartitions and not one.fix.change.fields
            if one.bytes_at_stake and set(one.columns) & set(finding.columns)
        ),
        None,
    )


def _refuted(finding: Finding, lost: Disturbance, advised: str | None) -> Finding:
    added = ", ".join(f"{transform}({name})" for transform, name in finding.fix.change.added)
    if advised is not None:
        advice = f"Not beside the partitions that there are: {advised} says what serves instead."
    elif lost.columns and lost.bytes:
        advice = (
            "Leave the partitions: by the order that rows have, queries by "
            f"{', '.join(lost.columns)} skip {size(lost.bytes)} that they would read if each were "
            f"cut by {added}."
        )
    else:
        advice = wording.LEAVE_PARTITIONS
    evidence = {**lost.told, "bytes_by_this_change": finding.bytes_at_stake}
    return without_statements(finding, advice, evidence)
