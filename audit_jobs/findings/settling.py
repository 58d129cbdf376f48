"""Which layout of a table is settled on: its rows can have one order, so the findings that ask for
others are alternatives, and what other scans lose by an order counts against it. Partitions are
settled on first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from audit_jobs.findings.building import without_order
from audit_jobs.findings.disturbance import Disturbance, disturbance
from audit_jobs.findings.model import Change, Confidence, Files, Finding
from audit_jobs.findings.ranges_of_values import are_in_ranges
from audit_jobs.findings.served_scans import of_served_scans
from audit_jobs.findings.settling_between import settled_between
from audit_jobs.findings.settling_conditions import once_written
from audit_jobs.findings.settling_old_files import settled_old_files
from audit_jobs.findings.settling_partitions import settled_partitions
from audit_jobs.findings.spreading import spread_of_old_files
from audit_jobs.findings.trials import NOTHING_TRIED, Target, Tried, target_of
from audit_jobs.findings.usage import TableUsage
from audit_jobs.findings.withheld import as_tried_already
from audit_jobs.tuning import SPREAD
from audit_jobs.units import size

_ROW_GROUPS = "row_groups"
_CONFIDENCES = list(Confidence)


def settled(
    usage: TableUsage,
    findings: Sequence[Finding],
    tried: Mapping[Target, Tried] = NOTHING_TRIED,
) -> list[Finding]:
    """The findings of one table, of which at most one order of rows has statements: the one that
    wins most bytes, net of what other scans lose by it. Partitions come before orders, unless one
    of both is all there is to do. What was tried on rows tells what is won and lost, else the sums
    of the scans do.

    A finding that asks for another order keeps its diagnosis, and has neither statements nor bytes
    at stake: `better_order` and `bytes_by_this_order` of its evidence say why, or what others lose,
    where no order wins more. One that serves others only once their conditions are written
    otherwise, and by which scans read more until then, has no statements yet. Suppressed findings
    stay as they are and decide nothing.
    """
    findings = [as_tried_already(usage, finding, tried) for finding in findings]
    findings, tried = settled_between(usage, findings, tried)
    found = _settled(usage, findings, tried)
    found = [of_served_scans(usage, finding, found, tried) for finding in found]
    return _run_once(_merged_as_well(once_written(usage, found, tried)))


def _run_once(findings: Sequence[Finding]) -> list[Finding]:
    """The findings, of which those that have statements of others say so."""
    having: dict[Change, list[Finding]] = {}
    for finding in findings:
        if finding.fix.change.acts and finding.suppressed is None:
            having.setdefault(_done(finding), []).append(finding)
    return [_of_several(having.get(_done(finding), ()), finding) for finding in findings]


def _mixes_all(change: Change) -> bool:
    """Tells whether all files are written anew, several into one."""
    return change.files is Files.ALL and not change.file_by_file


def _done(finding: Finding) -> Change:
    """Returns the change, whatever it is made for."""
    return replace(finding.fix.change, rewrites=False)


def _merged_as_well(findings: Sequence[Finding]) -> list[Finding]:
    """The findings, of which one that leaves small files as they are names the one, if any, whose
    statements merge them after all, as all files are written anew."""
    whole = next(
        (one.named for one in findings if one.suppressed is None and _mixes_all(one.fix.change)),
        None,
    )
    if whole is None:
        return list(findings)
    advice = (
        f"The statements of {whole} write all files anew, and merge these as well. Without them, "
        "leave the files as they are: queries skip some that they would have to read once these "
        "are merged with others."
    )
    return [
        replace(finding, fix=replace(finding.fix, advice=advice))
        if finding.fix.wish.keeps_files
        else finding
        for finding in findings
    ]


def _of_several(having: Sequence[Finding], finding: Finding) -> Finding:
    others = dict.fromkeys(one.named for one in having if one is not finding)
    if not others or finding.suppressed is not None:
        return finding
    is_first = having[0] is finding
    named = f"{', '.join(others)} as well" if is_first else having[0].named
    once = f"These are the statements of {named}: run them once."
    advice = f"{once} {finding.fix.advice}" if finding.fix.advice else once
    return replace(finding, fix=replace(finding.fix, advice=advice))


def _settled(
    usage: TableUsage, findings: Sequence[Finding], tried: Mapping[Target, Tried]
) -> list[Finding]:
    findings = [settled_old_files(usage, finding, tried) for finding in findings]
    findings = [_as_tried(f, findings, tried) for f in settled_partitions(usage, findings, tried)]
    return _beside_layouts(usage, _ordered(usage, findings, tried))


def _ordered(
    usage: TableUsage, findings: Sequence[Finding], tried: Mapping[Target, Tried]
) -> list[Finding]:
    """The findings, of which one order at most has statements."""
    open_ones = [finding for finding in findings if finding.suppressed is None]
    orders = list(dict.fromkeys(_order(f) for f in open_ones if f.fix.change.order))
    if not orders:
        return list(findings)
    by_partitions = spread_of_old_files(usage)
    lost = {
        order: known.lost
        if (known := tried.get(order))
        else disturbance(usage, order.order[0]).beside(by_partitions)
        for order in orders
    }
    net = {order: _won(open_ones, order) - lost[order].bytes for order in orders}
    best = max(orders, key=lambda order: (net[order], order.order))
    partitions = next((f.named for f in open_ones if f.fix.repartitions), None)
    payer = next(f for f in sorted(open_ones, key=_most_by_order) if _order(f) == best)
    is_refuted = {order: net[best] <= 0 < lost[order].bytes for order in orders}
    return [
        finding
        if finding.suppressed is not None or not finding.fix.change.order
        else _refuted(usage, finding, lost[_order(finding)])
        if is_refuted[_order(finding)]
        else _alternative(usage, finding, best.order)
        if _order(finding) != best
        else _chosen(usage, finding, lost[best] if finding is payer else None, partitions)
        for finding in findings
        if finding.suppressed is not None
        or not finding.fix.change.order
        or not is_refuted[_order(finding)]
        or not _is_told_apart(usage, finding)
    ]


def _is_told_apart(usage: TableUsage, finding: Finding) -> bool:
    """Whether most files tell the values apart that a finding says to be spread over all, or few
    hold any of them, as where rows are in ranges of that column or of another."""
    column, *_ = finding.fix.change.order
    known = None if usage.health is None else usage.health.column(column)
    overlap = None if known is None else known.overlap
    is_apart = overlap is not None and overlap < SPREAD
    return finding.fix.wish.of_spread and (is_apart or are_in_ranges(usage, [column]))


def _beside_layouts(usage: TableUsage, findings: Sequence[Finding]) -> list[Finding]:
    """The findings, of which those that win something instead of another layout of their column
    have the bytes that they win beside it where there is one."""
    laid = {
        name
        for finding in findings
        if finding.fix.change.acts and finding.suppressed is None
        if not finding.fix.wish.bytes_instead
        for name in finding.columns
    }
    return [
        _beside(usage, finding) if laid & set(finding.columns) else finding for finding in findings
    ]


def _beside(usage: TableUsage, finding: Finding) -> Finding:
    instead = finding.fix.wish.bytes_instead
    if not instead or finding.bytes_at_stake is None:
        return finding
    stake = max(0, finding.bytes_at_stake - instead)
    return replace(finding, bytes_at_stake=stake, severity=usage.thresholds.severity(stake))


def _as_tried(
    finding: Finding, findings: Sequence[Finding], tried: Mapping[Target, Tried]
) -> Finding:
    """A finding with the bytes that its order wins as they were tried, before what others lose by
    it: those that ask for one order share them as they would have them. What rests on rows is no
    assumption. What one wins of row groups, within files that are kept, trials do not tell."""
    change, by_order_now = finding.fix.change, finding.fix.wish.bytes_by_order
    known = tried.get(target_of(change)) if change.order and not change.fields else None
    if known is None or finding.suppressed is not None or finding.lost_at == _ROW_GROUPS:
        return finding
    asking = [
        one
        for one in findings
        if one.suppressed is None and one.lost_at != _ROW_GROUPS and not one.fix.change.fields
    ]
    asked = _won(asking, _order(finding))
    gross = known.won + known.lost.bytes
    by_order = round(gross * by_order_now / asked) if asked else 0
    stake = (finding.bytes_at_stake or 0) - by_order_now + by_order
    least = finding.confidence if known.is_assumed else Confidence.MEDIUM
    return replace(
        finding,
        confidence=min(finding.confidence, least, key=_CONFIDENCES.index),
        bytes_at_stake=None if finding.bytes_at_stake is None else max(0, stake),
        fix=replace(finding.fix, wish=replace(finding.fix.wish, bytes_by_order=by_order)),
    )


def _order(finding: Finding) -> Target:
    """The order that a finding asks for, in whatever partitions."""
    return target_of(finding.fix.change)._replace(fields=frozenset())


def _won(findings: Sequence[Finding], order: Target) -> int:
    return sum(f.fix.wish.bytes_by_order for f in findings if _order(f) == order)


def _most_by_order(finding: Finding) -> int:
    return -finding.fix.wish.bytes_by_order


def _alternative(usage: TableUsage, finding: Finding, best: tuple[str, ...]) -> Finding:
    advice = (
        f"A table has one order of rows: sorted by {', '.join(best)}, its queries skip more in "
        "all, which another finding asks for. Audit again after that."
    )
    return without_order(usage, finding, advice, {"better_order": list(best)})


def _refuted(usage: TableUsage, finding: Finding, lost: Disturbance) -> Finding:
    change = finding.fix.change
    won, order = finding.fix.wish.bytes_by_order, ", ".join(change.order)
    advice = (
        f"Leave the order of rows: queries skip {size(lost.bytes)} by that of "
        f"{', '.join(lost.columns)}, which a sort by {order} would undo."
        if lost.columns
        else f"Leave the order of rows: as sampled rows tell, queries would read "
        f"{size(lost.bytes)} more of a table that is sorted by {order}."
    )
    left = without_order(usage, finding, advice, lost.told)
    # Whoever loses, what the order wins, as it was tried, may be too little to be told. That bounds
    # are missing is true all the same.
    is_little = left.bytes_at_stake is None and won < usage.thresholds.min_share * left.bytes_read
    return replace(left, bytes_at_stake=won) if is_little and not change.modes else left


def _chosen(
    usage: TableUsage, finding: Finding, lost: Disturbance | None, partitions: str | None
) -> Finding:
    """The finding whose order it is; `lost` is given to the one that pays for it."""
    advice = [finding.fix.advice]
    stake, evidence, severity = finding.bytes_at_stake, dict(finding.evidence), finding.severity
    if lost is not None and lost.bytes:
        stake = max(0, (stake or 0) - lost.bytes)
        evidence |= lost.told
        severity = usage.thresholds.severity(stake)
        advice.append(f"{lost.loss}, which the bytes at stake allow for.")
    if partitions is not None and not finding.fix.repartitions:
        advice.append(
            f"Change the partitions first ({partitions}), and audit again: the order matters less "
            "then."
        )
    return replace(
        finding,
        bytes_at_stake=stake,
        severity=severity,
        fix=replace(finding.fix, advice=" ".join(part for part in advice if part) or None),
        evidence=evidence,
    )
