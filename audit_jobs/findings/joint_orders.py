"""One order of several columns instead of several sorts, for columns that are asked for one by one,
or one of which rows are in order already: a sort by one of them leaves all files to who asks for
another. Where the first of two has few values, rows of each can be in order of the second, and
where it has many, rows of each range of them; else a Z-order serves all."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import combinations, permutations

from audit_jobs.findings import wording
from audit_jobs.findings.disturbance import UNDISTURBED, columns_in_order
from audit_jobs.findings.model import Change, Files, Finding, Fix, Wish
from audit_jobs.findings.ranges_of_values import are_in_ranges, roundings
from audit_jobs.findings.trials import Target, Tried, target_of
from audit_jobs.findings.unused_conditions import serves_later, serving_later
from audit_jobs.findings.usage import TableUsage
from audit_jobs.tuning import CLEARLY, FAR_BETTER, NEARLY_ALL

_MOST = 3
"""Columns that findings ask for, of which joint orders are tried."""
_SIZES = (2, 3)
"""Numbers of columns of which Z-orders are tried: of more, each tells too little apart."""
_NOTHING = Tried(0, 0.0, UNDISTURBED, is_worse=False, won_by={})
_RANGES_ADVICE = "Rewriting reads and writes the whole table once. Trino has no such order."
_ZORDER_ADVICE = (
    "Rewriting reads and writes the whole table once. A Z-order is no sort order of a table: what "
    "is written afterwards has none, so rewrite again as it grows (`where => …` keeps that to what "
    "is new). Trino has no such order."
)


def joint_targets(findings: Iterable[Finding], usage: TableUsage) -> list[Target]:
    """The orders that may serve the queries of several findings, each of which asks for a sort by
    a column of its own, or for partitions by it, and those that skip files by the order that rows
    have: sorts by two of these columns, also by ranges of the first, and Z-orders."""
    asked = [one.columns[0] for one in _asking(findings)][:_MOST]
    beside = [*_columns_of_partitions(findings), *_column_in_order(usage)] if asked else ()
    columns = list(dict.fromkeys([*asked, *beside]))[: _MOST + 1]
    pairs = list(permutations(columns, 2))
    sorts = [Target(frozenset(), pair) for pair in pairs]
    sorts += [
        Target(frozenset(), pair, rounded=rounded)
        for pair in pairs
        if not are_in_ranges(usage, pair)
        for rounded in roundings(usage, pair[0])
    ]
    return sorts + [_zorder(some) for size in _SIZES for some in combinations(columns, size)]


def _columns_of_partitions(findings: Iterable[Finding]) -> list[str]:
    """The columns by which findings ask for other partitions."""
    return [
        name
        for finding in findings
        if finding.fix.change.acts and finding.suppressed is None
        for _, name in finding.fix.change.added
    ]


def _column_in_order(usage: TableUsage) -> list[str]:
    """The column by whose order scans skip most now, if any; often a time, as rows come."""
    return list(columns_in_order(usage)[:1])


def in_one_order(
    findings: Sequence[Finding], usage: TableUsage, tried: Mapping[Target, Tried]
) -> list[Finding]:
    """The findings, of which those that ask for several sorts, or for one that undoes an order by
    which others skip files, are one that asks for an order of their columns, where that wins
    clearly more, as it was tried, than any of the sorts, or about as much while others lose clearly
    less."""
    asking = _asking(findings)
    sorts = [tried.get(target_of(one.fix.change)) for one in asking]
    best = max([_NOTHING, *filter(None, sorts)], key=_won)
    asked = {one.columns[0] for one in asking}
    joint = {
        target: known
        for target in joint_targets(findings, usage)
        if (known := tried.get(target)) and (asked.issuperset(target.order) or _pays(usage, known))
    }
    pair = _best(joint, best, CLEARLY, is_zorder=False)
    best = best if pair is None else joint[pair]
    zorder = _best(joint, best, FAR_BETTER, is_zorder=True)
    if zorder is None and pair is not None:
        more = {target: known for target, known in joint.items() if _has_more(target, pair)}
        zorder = _best(more, best, CLEARLY, is_zorder=True)
    of_best = pair if zorder is None else zorder
    if of_best is None or None in sorts:
        return list(findings)
    joined = [one for one in asking if one.columns[0] in of_best.order]
    whole = _joined(usage, joined, of_best)
    return [
        whole if finding is joined[0] else finding
        for finding in findings
        if finding is joined[0] or not any(finding is one for one in joined)
    ]


def _has_more(target: Target, than: Target) -> bool:
    """Whether an order is by all columns of another one, and by one more."""
    return set(target.order) > set(than.order)


def _pays(usage: TableUsage, known: Tried) -> bool:
    """Whether an order is worth it for scans that have theirs now: all win much of what they keep,
    and as much as some lose, at least."""
    return known.share >= usage.thresholds.min_share and known.won >= known.lost.bytes


def _best(
    joint: Mapping[Target, Tried], than: Tried, times: float, *, is_zorder: bool
) -> Target | None:
    """The Z-order, or sort, that wins most, as it was tried, if that is so many times what another
    order wins, or is gentler than that; of those that win about as much a gentler one."""
    known = {
        target: of
        for target, of in joint.items()
        if target.is_zorder is is_zorder and not of.is_worse
        if of.won > times * than.won or _is_gentler(of, than)
    }
    most = max(known, key=lambda one: known[one].won, default=None)
    gentler = [one for one in known if most is not None and _is_gentler(known[one], known[most])]
    return max(gentler, key=lambda one: known[one].won, default=most)


def _is_gentler(order: Tried, than: Tried) -> bool:
    """Whether an order wins about as much as another one, net, while scans lose clearly less by it:
    less than half, and by as much as counts beside what is won."""
    less = than.lost.bytes - order.lost.bytes
    counts = max(than.lost.bytes / 2, (1 - NEARLY_ALL) * than.won)
    return than.won > 0 and order.won >= NEARLY_ALL * than.won and less >= counts


def _won(known: Tried) -> int:
    return known.won


def _asking(findings: Iterable[Finding]) -> list[Finding]:
    """The findings that ask for a sort alone, by one column, those first that win most by it."""
    found = [
        finding
        for finding in findings
        if finding.fix.wish.any_columns
        and finding.suppressed is None
        and finding.fix.change.order[:1] == finding.columns
    ]
    return sorted(found, key=lambda one: (-one.fix.wish.bytes_by_order, one.columns))


def _zorder(columns: Iterable[str]) -> Target:
    return Target(frozenset(), tuple(sorted(columns)), is_zorder=True)


def _joined(usage: TableUsage, findings: Sequence[Finding], target: Target) -> Finding:
    scans = sum(finding.scans for finding in findings)
    stake = sum(finding.fix.wish.bytes_by_order for finding in findings)
    fingerprints = {name for one in findings for name in one.evidence.get("fingerprints", ())}
    columns = target.order
    asked = [name for name in columns if name in {one.columns[0] for one in findings}]
    kept = [name for name in columns if name not in asked]
    named = " or ".join(part for part in (", ".join(asked[:-1]), asked[-1]) if part)
    of_spread = all(one.fix.wish.of_spread for one in findings)
    where = "all files of a partition" if usage.partition_fields else "all files"
    does = "skip files by the order of" if kept == _column_in_order(usage) else "ask for"
    beside = f", and others {does} {', '.join(kept)}" if kept else ""
    fix = _fix(target, stake, of_spread=of_spread)
    return replace(
        findings[0],
        columns=columns,
        sentence=(
            f"{wording.scans(scans, 'filter')} by {named}, whose values are spread over "
            f"{where}{beside}. A sort by one of these columns alone serves the scans that filter "
            f"by it; {_serves(target)}"
        ),
        scans=scans,
        bytes_read=sum(finding.bytes_read for finding in findings),
        bytes_at_stake=stake,
        evidence={**findings[0].evidence, "fingerprints": sorted(fingerprints)},
        fix=serving_later(fix) if any(serves_later(one.fix) for one in findings) else fix,
    )


def _serves(target: Target) -> str:
    if target.is_zorder:
        return "a Z-order by these columns lets each scan skip most files."
    first, second = target.order
    each = first if target.rounded == "identity" else f"range of {first}"
    return f"rows of each {each} in order of {second} let each scan skip most files."


def _fix(target: Target, stake: int, *, of_spread: bool) -> Fix:
    is_whole = target.rounded == "identity"
    advice = wording.SORTED_ONCE if is_whole else _RANGES_ADVICE
    return Fix(
        advice=_ZORDER_ADVICE if target.is_zorder else advice,
        change=Change(
            order=target.order,
            is_zorder=target.is_zorder,
            rounded=target.rounded,
            files=Files.ALL,
        ),
        wish=Wish(bytes_by_order=stake, of_spread=of_spread, any_columns=True),
    )
