"""Conditions that an engine does not use, where using them would win little yet, as rows have no
order of their columns. An order wins nothing either, as long as they are not used."""

from __future__ import annotations

from collections.abc import Sequence

from audit_jobs.findings.blame import UNCLUSTERED, layout_blame
from audit_jobs.findings.query_blame import LIKE, LONG_LIST, WRAPPED, cause_of
from audit_jobs.findings.selectivity import share_by_bounds
from audit_jobs.findings.usage import Condition, Group, TableUsage
from collectors.predicates.model import BoundComparison, all_of
from collectors.predicates.operators import Op

ONLY_IN_ORDER = " It prunes once rows are in the order of the column."


def unordered(usage: TableUsage, group: Group, cause: str) -> list[Condition]:
    """The conditions on the column of which an order of rows would serve a group, if the engine
    does not use them for a cause: both ends of a range. None are, where using them wins more, or
    where what the engine uses of the column says about as much."""
    if (group.bytes_lost_by_query or 0) > usage.thresholds.min_share * group.bytes_read:
        return []
    blame = layout_blame(usage, group)
    if blame is None or blame.cause != UNCLUSTERED or cause_of(group, blame.condition) != cause:
        return []
    same = [c for c in group.conditions if c.field_ids == blame.condition.field_ids]
    unused = [c for c in same if cause_of(group, c) == cause]
    used = [c for c in same if _is_used(group, c)]
    most = (1 - usage.thresholds.min_share) * _share(usage, used)
    return unused if not used or _share(usage, same) < most else []


def _is_used(group: Group, condition: Condition) -> bool:
    """Whether planners make something of a condition: of that a column is not null, which engines
    infer from others, they make nothing more."""
    predicate = condition.predicate
    is_known = isinstance(predicate, BoundComparison) and predicate.op is Op.NOT_NULL
    return condition.pushed is not False and cause_of(group, condition) is None and not is_known


def _share(usage: TableUsage, conditions: Sequence[Condition]) -> float:
    """The share of rows that conditions on one column match together, at most: as bounds tell, or
    sampled rows of each."""
    shares = [c.share for c in conditions]
    if usage.health is not None:
        shares.append(share_by_bounds(all_of(*(c.predicate for c in conditions)), usage.health))
    return min((share for share in shares if share is not None), default=1.0)


def needs_rewrite(usage: TableUsage, group: Group) -> bool:
    """Whether an order of rows serves a group only once its condition is written otherwise."""
    return any(unordered(usage, group, cause) for cause in (WRAPPED, LIKE, LONG_LIST))
