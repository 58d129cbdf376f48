"""One Z-order instead of several sorts, for columns that are asked for one by one: a sort by one of
them leaves all files to who asks for another."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from audit_jobs.findings import wording
from audit_jobs.findings.model import Finding, Fix, Layout
from audit_jobs.findings.statements import spark_rewrite_by_zorder
from audit_jobs.findings.trials import Target, Tried, target_of
from audit_jobs.findings.usage import TableUsage

_SIZES = (2, 3)
"""Numbers of columns of which Z-orders are tried: of more, each tells too little apart."""
_BETTER = 1.2
"""So many times what the best sort wins, at least: a Z-order is none that a table keeps."""
_ADVICE = (
    "Rewriting reads and writes the whole table once. A Z-order is no sort order of a table: what "
    "is written afterwards has none, so rewrite again as it grows (`where => …` keeps that to what "
    "is new). Trino has no such order."
)


def joint_targets(findings: Iterable[Finding]) -> list[Target]:
    """The Z-orders that may serve the queries of several findings, each of which asks for a sort by
    a column of its own: those of the columns that win most."""
    columns = [one.columns[0] for one in _asking(findings)]
    return [_target(columns[:size]) for size in _SIZES if size <= len(columns)]


def in_one_order(
    findings: Sequence[Finding], usage: TableUsage, tried: Mapping[Target, Tried]
) -> list[Finding]:
    """The findings, of which those that ask for several sorts are one that asks for a Z-order,
    where that wins clearly more, as it was tried, than any of the sorts."""
    asking = _asking(findings)
    sorts = [tried.get(target_of(one.fix.layout)) for one in asking]
    best, of_best = _BETTER * max((known.won for known in sorts if known), default=0), None
    for target in joint_targets(findings):
        known = tried.get(target)
        if known is not None and not known.is_worse and known.won > best:
            best, of_best = known.won, target
    if of_best is None or None in sorts:
        return list(findings)
    joined = [one for one in asking if one.columns[0] in of_best.order]
    whole = _joined(usage, joined, of_best)
    return [
        whole if finding is joined[0] else finding
        for finding in findings
        if finding is joined[0] or not any(finding is one for one in joined)
    ]


def _asking(findings: Iterable[Finding]) -> list[Finding]:
    """The findings that ask for a sort alone, by one column, those first that win most by it."""
    found = [
        finding
        for finding in findings
        if finding.fix.layout.of_spread
        and finding.suppressed is None
        and finding.fix.layout.order[:1] == finding.columns
    ]
    return sorted(found, key=lambda one: (-one.fix.layout.bytes_by_order, one.columns))


def _target(columns: Iterable[str]) -> Target:
    return Target(frozenset(), tuple(sorted(columns)), is_zorder=True)


def _joined(usage: TableUsage, findings: Sequence[Finding], target: Target) -> Finding:
    scans = sum(finding.scans for finding in findings)
    stake = sum(finding.fix.layout.bytes_by_order for finding in findings)
    fingerprints = {name for one in findings for name in one.evidence.get("fingerprints", ())}
    columns = target.order
    named = f"{', '.join(columns[:-1])} or {columns[-1]}"
    return replace(
        findings[0],
        columns=columns,
        sentence=(
            f"{wording.scans(scans, 'filter')} by {named}, each by one of them, whose values are "
            "spread over all files. A sort serves the scans that filter by its column alone; a "
            "Z-order by these columns lets each scan skip most files."
        ),
        scans=scans,
        bytes_read=sum(finding.bytes_read for finding in findings),
        bytes_at_stake=stake,
        evidence={**findings[0].evidence, "fingerprints": sorted(fingerprints)},
        fix=Fix(
            spark=(spark_rewrite_by_zorder(usage.table, columns),),
            advice=_ADVICE,
            layout=Layout(order=columns, is_zorder=True, bytes_by_order=stake, of_spread=True),
        ),
    )
