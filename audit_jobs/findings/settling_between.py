"""Other partitions and an order of rows that do not add up: once one of them is there, the other
wins little. What both win together, as it was tried, decides."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from enum import Enum

from audit_jobs.findings import wording
from audit_jobs.findings.building import without_order, without_statements
from audit_jobs.findings.disturbance import UNDISTURBED, Disturbance
from audit_jobs.findings.joint_orders import in_one_order
from audit_jobs.findings.model import Finding, PartitionChange
from audit_jobs.findings.settling_partitions import is_too_little, told_change
from audit_jobs.findings.trials import Target, Tried, target_of
from audit_jobs.findings.usage import TableUsage
from audit_jobs.tuning import CLEARLY

_STAYS: PartitionChange = frozenset()
_MOST = 2
"""Changes of partitions, those first that win most, of which each is tried with orders."""


def targets_of_both(findings: Iterable[Finding], joint: Iterable[Target]) -> list[Target]:
    """The layouts of each change of partitions that findings ask for with each order of rows inside
    of them, those of several columns (`joint`) included."""
    asking = [one for one in findings if one.fix.change.acts and one.suppressed is None]
    changes = [one for one in asking if _is_change(one)]
    changes.sort(key=lambda one: -(one.bytes_at_stake or 0))
    orders = [target_of(one.fix.change) for one in asking if _is_order(one)]
    return [
        order._replace(fields=change)
        for change in [*dict.fromkeys(one.fix.change.fields for one in changes)][:_MOST]
        for order in dict.fromkeys([*orders, *joint] if orders else ())
    ]


def settled_between(
    usage: TableUsage, findings: Sequence[Finding], tried: Mapping[Target, Tried]
) -> tuple[list[Finding], Mapping[Target, Tried]]:
    """The findings of one table, of which those that ask for several orders have one, and what was
    tried, as it is known from then on.

    Where partitions and an order win clearly more than the better of both, partitions come first,
    and orders win what is left then. Else what wins more has its statements, and findings that ask
    for the other are alternatives: `better_order` or `better_change` of their evidence say why. A
    change that has no bytes of its own takes no statements from orders. What was not tried stays as
    it is.
    """
    in_order = in_one_order(findings, usage, tried)
    order = _best(filter(_is_order, in_order), tried)
    if order is None:
        return in_order, tried
    own = _best((one for one in findings if _is_change(one) and one.bytes_at_stake), tried)
    better = None if own is None else _better(usage, own, order, tried)
    if own is not None and better is _Better.BOTH:
        known = {**tried, **_then(own, tried)}
        return in_one_order(findings, usage, known), known
    if own is not None and better is _Better.CHANGE:
        return [
            _better_change(usage, one, own) if _is_asked(one) and _is_order(one) else one
            for one in findings
        ], tried
    return [
        _better_order(one, order)
        if _is_asked(one) and _is_change(one) and _better(usage, one, order, tried) is _Better.ORDER
        else one
        for one in in_order
    ], tried


class _Better(Enum):
    """What wins most of a change of partitions, an order of rows, and the order in these."""

    CHANGE = "change"
    ORDER = "order"
    BOTH = "both"


def _better(
    usage: TableUsage, change: Finding, order: Finding, tried: Mapping[Target, Tried]
) -> _Better | None:
    """None where nothing tells, or what is better is not worth it either."""
    by_change, by_order = (tried.get(target_of(one.fix.change)) for one in (change, order))
    if by_change is None or by_order is None or _is_refuted(usage, change, by_change):
        return None
    then = _then(change, tried)
    if target_of(order.fix.change) not in then:
        return None
    left = max((known.won for known in then.values() if not known.is_worse), default=0)
    if by_change.won + left > CLEARLY * max(0, by_change.won, by_order.won):
        return _Better.BOTH
    if by_change.won >= by_order.won:
        return _Better.CHANGE
    return _Better.ORDER if by_order.won > 0 else None


def _best(findings: Iterable[Finding], tried: Mapping[Target, Tried]) -> Finding | None:
    """The finding that asks for the layout that wins most, as it was tried."""
    known = [one for one in findings if _is_asked(one) and target_of(one.fix.change) in tried]
    return max(known, key=lambda one: tried[target_of(one.fix.change)].won, default=None)


def _is_refuted(usage: TableUsage, change: Finding, known: Tried) -> bool:
    return known.is_worse or is_too_little(usage, change.fix.change, known)


def _is_asked(finding: Finding) -> bool:
    return finding.fix.change.acts and finding.suppressed is None


def _is_change(finding: Finding) -> bool:
    """Whether a finding asks for other partitions, and for no order of rows in them."""
    return bool(finding.fix.change.fields) and not finding.fix.change.order


def _is_order(finding: Finding) -> bool:
    """Whether a finding asks for an order of rows in the partitions that there are."""
    return bool(finding.fix.change.order) and not finding.fix.change.fields


def _then(change: Finding, tried: Mapping[Target, Tried]) -> dict[Target, Tried]:
    """What orders win, and others lose by them, once the partitions are others."""
    before = tried[target_of(change.fix.change)]
    inside = {
        target._replace(fields=_STAYS): known
        for target, known in tried.items()
        if target.fields == change.fix.change.fields and target.order
    }
    return {
        order: replace(
            both,
            won=both.won - before.won,
            share=both.share - before.share,
            lost=_lost_then(both.lost, before.lost),
            won_by={name: won - before.won_by.get(name, 0) for name, won in both.won_by.items()},
        )
        for order, both in inside.items()
    }


def _lost_then(both: Disturbance, before: Disturbance) -> Disturbance:
    more = both.bytes - before.bytes
    return replace(both, bytes=more) if more > 0 else UNDISTURBED


def _better_change(usage: TableUsage, finding: Finding, change: Finding) -> Finding:
    told = told_change(change.fix.change.fields)
    return without_order(usage, finding, wording.other_change(change.named), told)


def _better_order(finding: Finding, order: Finding) -> Finding:
    advice = (
        f"Sort the rows as another finding asks ({order.named}), which wins more in all than other "
        "partitions, and audit again after that."
    )
    told = {
        "better_order": list(order.fix.change.order),
        "bytes_by_this_change": finding.bytes_at_stake,
    }
    return without_statements(finding, advice, told)
