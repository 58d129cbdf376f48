"""Whether a layout comes before the conditions that it serves are written otherwise: what other
scans lose by it until then counts against it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from audit_jobs.findings.model import KEPT, NO_WISH, Change, Finding
from audit_jobs.findings.trials import Target, Tried, columns_of, target_of
from audit_jobs.findings.unused_conditions import waiting_for_writing
from audit_jobs.findings.usage import TableUsage


def once_written(
    usage: TableUsage, findings: Sequence[Finding], tried: Mapping[Target, Tried]
) -> list[Finding]:
    """The findings, of which those whose statements leave scans with more to read, as long as
    conditions are as they are, are without these: what both win together stays at stake. One that
    has the condition to write beside its statements keeps both."""
    early = {target for target, known in tried.items() if known.is_worse_yet}
    early |= _early_by_sums(usage, findings, tried)
    return [
        _later(finding)
        if _is_asked(finding) and target_of(finding.fix.change) in early
        else finding
        for finding in findings
    ]


def _is_asked(finding: Finding) -> bool:
    fix = finding.fix
    is_open = fix.change.acts and finding.suppressed is None
    return is_open and fix.change.moves_rows and fix.rewrite is None


def _early_by_sums(
    usage: TableUsage, findings: Sequence[Finding], tried: Mapping[Target, Tried]
) -> set[Target]:
    """The layouts that were not tried, by which others lose something, and whoever has findings
    that ask for them wins nothing yet."""
    asking: dict[Target, set[str]] = {}
    losing = set()
    for finding in filter(_is_asked, findings):
        target, told = target_of(finding.fix.change), finding.evidence
        of_query = (finding.fingerprint or "",)
        asking.setdefault(target, set()).update(told.get("fingerprints", of_query))
        if target not in tried and told.get("bytes_lost_by_others"):
            losing.add(target)
    return {target for target in losing if _all_wait(usage, target, asking[target])}


def _all_wait(usage: TableUsage, target: Target, fingerprints: set[str]) -> bool:
    waiting = zip(usage.groups, waiting_for_writing(usage, columns_of(target)), strict=True)
    own = [waits for group, waits in waiting if (group.fingerprint or "") in fingerprints]
    return bool(own) and all(own)


def _later(finding: Finding) -> Finding:
    fix = finding.fix
    advice = (
        "Write the conditions that the engine does not use as their findings say first, and audit "
        f"again: {_serves(fix.change)} them only then, and others lose more by it than is won "
        "until then."
    )
    return replace(finding, fix=replace(fix, advice=advice, change=KEPT, wish=NO_WISH))


def _serves(change: Change) -> str:
    if change.order:
        kind = "a Z-order" if change.is_zorder else "a sort"
        return f"{kind} by {', '.join(change.order)} serves"
    added = ", ".join(f"{transform}({name})" for transform, name in change.added)
    return f"partitions by {added} serve" if added else "the present partitions serve"
