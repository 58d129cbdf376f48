"""One finding of several columns, where one order of rows serves those that ask for a sort each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from prunescope.audit_jobs.findings import wording
from prunescope.audit_jobs.findings.model import Change, Finding, Fix, Wish
from prunescope.audit_jobs.findings.unused_conditions import serves_later, serving_later
from prunescope.audit_jobs.findings.usage import TableUsage


def united(usage: TableUsage, served: Sequence[Finding], change: Change) -> list[Finding]:
    """Merges the findings that a change with an order of several columns serves, if they may as
    well have such an order and their column is in it. The merged one takes the place of the
    first."""
    joined = [
        one
        for one in served
        if one.fix.wish.any_columns and one.columns[0] in change.order and len(change.order) > 1
    ]
    if not joined:
        return list(served)
    whole = _as_one(usage, joined, change)
    return [
        whole if one is joined[0] else one
        for one in served
        if one is joined[0] or not any(one is other for other in joined)
    ]


def _as_one(usage: TableUsage, findings: Sequence[Finding], change: Change) -> Finding:
    scans = sum(finding.scans for finding in findings)
    stake = sum(finding.fix.wish.bytes_by_order for finding in findings)
    names = {name for one in findings for name in one.evidence.get("fingerprints", ())}
    asked = [name for name in change.order if name in {one.columns[0] for one in findings}]
    kept = [name for name in change.order if name not in asked]
    named = " or ".join(part for part in (", ".join(asked[:-1]), asked[-1]) if part)
    where = "all files of a partition" if usage.partition_fields else "all files"
    beside = f", and others skip files by the order of {', '.join(kept)}" if kept else ""
    fix = Fix(
        advice=wording.advice_of(change),
        change=change,
        wish=Wish(bytes_by_order=stake, of_spread=True, any_columns=True),
    )
    return replace(
        findings[0],
        columns=change.order,
        sentence=(
            f"{wording.scans(scans, 'filter')} by {named}, whose values are spread over "
            f"{where}{beside}. A sort by one of these columns alone serves the scans that filter "
            f"by it; {_serves(change)}"
        ),
        scans=scans,
        bytes_read=sum(finding.bytes_read for finding in findings),
        bytes_at_stake=stake,
        evidence={**findings[0].evidence, "fingerprints": sorted(names)},
        fix=serving_later(fix) if any(serves_later(one.fix) for one in findings) else fix,
    )


def _serves(change: Change) -> str:
    if change.is_zorder:
        return "a Z-order by these columns lets each scan skip most files."
    first, second, *_ = change.order
    each = first if change.rounded == "identity" else f"range of {first}"
    return f"rows of each {each} in order of {second} let each scan skip most files."
