"""Conditions that an engine does not use, where using them would win little yet, as files do not
tell values of their columns apart. Another layout wins nothing either, as long as they are not
used."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from prunescope.audit_jobs.findings.attribution import cause_of, layout_claim
from prunescope.audit_jobs.findings.condition import Condition
from prunescope.audit_jobs.findings.model import Fix
from prunescope.audit_jobs.findings.selectivity import share_by_bounds
from prunescope.audit_jobs.findings.usage import Group, TableUsage
from prunescope.collectors.predicates.model import all_of
from prunescope.collectors.predicates.operators import ORDERED, Op
from prunescope.collectors.predicates.walks import comparisons

ONLY_THEN = (
    " It prunes once rows are in the order of the column, or files otherwise separate its values."
)

_SERVES_LATER = (
    "It serves conditions that the engine does not use only once they are written as their "
    "findings say."
)


def waiting_for_layout(usage: TableUsage, group: Group, cause: str) -> list[Condition]:
    """Conditions on the column by which another layout would serve a group, if the engine does not
    use them for a cause: both ends of a range. None if using them wins more, if another layout wins
    little because other conditions prune, or if what the engine uses of the column is about as
    selective."""
    little = usage.thresholds.min_share * group.bytes_read
    asked = _served_by_layout(usage, group, little)
    if (group.bytes_lost_by_query or 0) > little or asked is None:
        return []
    same = [c for c in group.conditions if c.field_ids == asked.field_ids]
    unused = [c for c in same if cause_of(usage, group, c) == cause]
    return unused if _says_more(usage, group, same) else []


def _served_by_layout(usage: TableUsage, group: Group, little: float) -> Condition | None:
    """The condition for which another layout wins more than little. For what is open still, or
    until later, no finding asks for one, nor for nulls of which planners are told nothing: one
    that others ask for serves these as well."""
    claim = layout_claim(usage, group)
    if claim is not None:
        is_little = claim.bytes_won is not None and claim.bytes_won < little
        return None if is_little else claim.condition
    if (group.bytes_lost_by_layout or 0) < little:
        return None
    return next(filter(_is_of_nulls, group.conditions), None)


def _is_of_nulls(condition: Condition) -> bool:
    """True if a condition asks for nulls of a column, alone or beside ranges."""
    ops = {leaf.op for leaf in comparisons(condition.predicate)}
    return condition.field is not None and Op.IS_NULL in ops and ops - {Op.IS_NULL} <= ORDERED


def waiting_for_writing(usage: TableUsage, columns: Collection[str]) -> list[bool]:
    """Flags, one per group, of whether a layout by some columns serves the group only once
    conditions on these are rewritten as their findings say, as the conditions that the engine uses
    select clearly less. Includes columns of the current partitions, if the group reads files of old
    specs."""
    cut = {usage.names.get(field.source_id, "") for field in usage.partition_fields}
    return [
        _waits(usage, group, {*columns, *cut} if group.sums.potential.old_spec_bytes else columns)
        for group in usage.groups
    ]


def _waits(usage: TableUsage, group: Group, columns: Collection[str]) -> bool:
    own = [c for c in group.conditions if not set(columns).isdisjoint(c.columns)]
    is_told = any(cause_of(usage, group, c) is not None for c in own)
    return is_told and _says_more(usage, group, own)


def _says_more(usage: TableUsage, group: Group, conditions: Sequence[Condition]) -> bool:
    """True if conditions leave clearly fewer rows than those of them that planners use."""
    used = [c for c in conditions if _is_used(usage, group, c)]
    most = (1 - usage.thresholds.min_share) * _share(usage, used)
    return not used or _share(usage, conditions) < most


def _is_used(usage: TableUsage, group: Group, condition: Condition) -> bool:
    """True if planners use a condition: it is pushed, no cause claims it, and it is not IS NOT NULL
    alone, which engines infer from other conditions."""
    if condition.pushed is False or condition.says_not_null:
        return False
    return cause_of(usage, group, condition) is None


def _share(usage: TableUsage, conditions: Sequence[Condition]) -> float:
    """The share of rows that conditions on one column match together, at most: as bounds tell, or
    sampled rows of each."""
    shares = [c.share for c in conditions]
    if usage.health is not None:
        shares.append(share_by_bounds(all_of(*(c.predicate for c in conditions)), usage.health))
    return min((share for share in shares if share is not None), default=1.0)


def is_served_later(usage: TableUsage, group: Group, cause: str) -> bool:
    """True if the layout that a cause asks for serves a group only once its condition is
    rewritten."""
    claim = layout_claim(usage, group)
    return claim is not None and claim.cause == cause and _waits(usage, group, {claim.column})


def serves_later(fix: Fix) -> bool:
    """True if the advice of a fix says that it serves some scans only after a rewrite."""
    return fix.advice is not None and _SERVES_LATER in fix.advice


def serving_later(fix: Fix) -> Fix:
    """A fix whose layout serves some scans only once their conditions are written otherwise."""
    if serves_later(fix):
        return fix
    return replace(fix, advice=f"{fix.advice} {_SERVES_LATER}" if fix.advice else _SERVES_LATER)
