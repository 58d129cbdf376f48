"""Why a layout that a finding asks for is left: what the finding says instead."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from prunescope.audit_jobs.findings import wording
from prunescope.audit_jobs.findings.building import without_order, without_statements
from prunescope.audit_jobs.findings.disturbance import UNDISTURBED, Disturbance, columns_in_order
from prunescope.audit_jobs.findings.model import KEPT, Change, Finding, Wish
from prunescope.audit_jobs.findings.proposing import (
    columns_that_move,
    in_steady_fields,
    merges_in_order,
    wish_of,
)
from prunescope.audit_jobs.findings.ranges_of_values import are_in_ranges
from prunescope.audit_jobs.findings.trials import Tried
from prunescope.audit_jobs.findings.usage import TableUsage
from prunescope.audit_jobs.tuning import SPREAD
from prunescope.audit_jobs.units import size

_OVERWRITTEN = (
    "Do not repartition yet: jobs in this window overwrite or drop whole partitions. With other "
    "partitions they could fail, delete rows, or leave stale rows. First change them to MERGE, or "
    "to DELETE … WHERE before INSERT. Then audit again. Jobs that replace the whole table (INSERT "
    "OVERWRITE without PARTITION and without dynamic overwrites) need no partitions."
)


def overwriting(usage: TableUsage, finding: Finding) -> Finding:
    """A finding that asks for no other partitions where statements of the window overwrite or drop
    some: where fields go, such a statement has more in each partition that it replaces, up to the
    whole table, or names a field that is no more; where fields come, what it has no rows of stays
    (Spark 4.1, Iceberg 1.11)."""
    wish = wish_of(finding)
    if not usage.overwrites or wish is None or not wish.changes_fields:
        return finding
    evidence = {"overwrites": usage.overwrites, "bytes_by_this_change": finding.bytes_at_stake}
    return without_statements(finding, _OVERWRITTEN, evidence)


def moving(usage: TableUsage, finding: Finding) -> Finding:
    """A finding that asks for partitions by columns that statements change, as one that asks for
    rows in order of these instead, in whatever other partitions it asks for; or that is left."""
    wish = wish_of(finding)
    names = () if wish is None else columns_that_move(usage, wish)
    if wish is None or not names:
        return finding
    instead, told = in_steady_fields(usage, wish), {"changing_columns": [*names]}
    if instead == KEPT:
        stake = {"bytes_by_this_change": finding.bytes_at_stake}
        return without_statements(finding, wording.moving(names), {**stake, **told})
    by_order = 0 if instead.changes_fields else finding.bytes_at_stake or 0
    fix = replace(
        finding.fix,
        change=instead,
        advice=f"{wording.moving(names)} {wording.advice_of(instead)}",
        wish=Wish(bytes_by_order=by_order, moving=names),
    )
    return replace(finding, fix=fix, evidence={**finding.evidence, **told})


def merging(finding: Finding, tried: Mapping[Change, Tried]) -> Finding:
    """A finding that has small files merged, with what scans lose by it; it leaves them as they are
    where that is more than opening fewer files wins. Any other finding stays."""
    known = tried.get(finding.fix.change.layout) if merges_in_order(finding) else None
    if known is None or not known.lost.bytes:
        return finding
    lost, fix = known.lost, finding.fix
    if not known.is_worse:
        told = replace(fix, advice=f"{fix.advice} {lost.loss}.")
        return replace(finding, fix=told, evidence={**finding.evidence, **lost.told})
    advice = (
        f"Do not compact: queries on {', '.join(fix.change.keeps)} would read {size(lost.bytes)} "
        f"more, because compaction mixes files they skip now."
    )
    left = without_statements(finding, advice, lost.told)
    return replace(left, fix=replace(left.fix, wish=Wish(keeps_files=True)))


def for_another(
    usage: TableUsage, finding: Finding, change: Change, named: str, won: int, *, is_won: bool
) -> Finding:
    """A finding that is left for a change which others ask for, so named, by which its scans win as
    much (`is_won`), or all scans win more; by its own wish they win so many bytes."""
    fields = [f"add {wording.field(field)}" for field in change.added]
    fields += [f"drop {wording.field(field)}" for field in change.dropped]
    told: dict[str, object] = {"better_change": fields} if fields else {}
    if change.order:
        told["better_order"] = list(change.order)
    wish = wish_of(finding)
    assert wish is not None
    why = "these scans skip as much" if is_won else "its scans skip more in all"
    advice = (
        f"Not {wording.layout(wish)}: a table has one layout, and {wording.layout(change)}, as "
        f"asked for otherwise ({named}), {why}."
    )
    return _as_little(usage, _left(usage, finding, advice, told), won)


def for_nothing(
    usage: TableUsage, finding: Finding, known: Tried | None, won: int
) -> list[Finding]:
    """A finding that is left as the layout stays: others lose as much as its scans win (`won`), or
    that is little of what the table's scans read. None is, where files tell its values apart, or
    where several changes were tried and none does what is wished."""
    wish = wish_of(finding)
    assert wish is not None
    if finding.fix.wish.any_of and known is not None:
        return []
    lost = UNDISTURBED if known is None else known.lost
    if known is not None and not known.is_worse and known.won > lost.bytes:
        left = _left(usage, finding, _hardly(usage, wish, known.won), {})
    elif _is_told_apart(usage, finding, wish):
        return []
    elif known is None:
        left = _left(usage, finding, _why_untried(usage, wish, won), {})
    else:
        left = _left(usage, finding, _why(wish, lost), lost.told)
    return [_as_little(usage, left, won)]


def _as_little(usage: TableUsage, left: Finding, won: int) -> Finding:
    """Returns what is left of a finding, with the bytes that its own wish wins where these are too
    few to be told, whatever else is done."""
    is_little = left.bytes_at_stake is None and won < usage.thresholds.min_share * left.bytes_read
    return replace(left, bytes_at_stake=won) if is_little else left


def _left(usage: TableUsage, finding: Finding, advice: str, evidence: dict[str, object]) -> Finding:
    wish, names = wish_of(finding), finding.fix.wish.moving
    if names:
        advice = f"{wording.moving(names)} {advice}"
    if wish is not None and wish.order and not wish.changes_fields:
        return without_order(usage, finding, advice, evidence)
    told = {"bytes_by_this_change": finding.bytes_at_stake, **evidence}
    return without_statements(finding, advice, told)


def _why_untried(usage: TableUsage, wish: Change, won: int) -> str:
    """Reason to leave the layout if no rows are read: without rows, correlations of columns are
    unknown."""
    others = [name for name in columns_in_order(usage) if name not in (*wish.order, *wish.keeps)]
    if others:
        return (
            f"Keep the layout: queries skip files by the order of {', '.join(others)}, and no "
            f"rows tell what they would read {wording.layout(wish)}."
        )
    return _hardly(usage, wish, won)


def _hardly(usage: TableUsage, wish: Change, won: int) -> str:
    read = usage.bytes_read
    return (
        f"Keep the layout: {wording.layout(wish)}, queries would skip {size(won)} more, about "
        f"{won / max(1, read):.1%} of what all scans of the table read, for which it is hardly "
        "written anew."
    )


def _why(wish: Change, lost: Disturbance) -> str:
    if not lost.bytes:
        return wording.LEAVE_LAYOUT
    if lost.columns:
        return (
            f"Keep the layout: queries skip {size(lost.bytes)} by the order of "
            f"{', '.join(lost.columns)}, which they would read {wording.layout(wish)}."
        )
    return (
        f"Keep the layout: as sampled rows tell, queries would read {size(lost.bytes)} more "
        f"{wording.layout(wish)}."
    )


def _is_told_apart(usage: TableUsage, finding: Finding, wish: Change) -> bool:
    """True if most files tell apart the values that a finding says to be spread over all, or few
    files hold any of them, as if rows are in ranges of that column or of another."""
    if not finding.fix.wish.of_spread:
        return False
    column, *_ = wish.order
    known = usage.column(column)
    overlap = None if known is None else known.overlap
    return (overlap is not None and overlap < SPREAD) or are_in_ranges(usage, [column])
