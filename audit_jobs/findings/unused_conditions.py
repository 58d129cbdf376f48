"""Conditions that an engine does not use, where using them would win little yet, as rows have no
order of their columns. An order wins nothing either, as long as they are not used."""

from __future__ import annotations

from audit_jobs.findings.blame import UNCLUSTERED, layout_blame
from audit_jobs.findings.query_blame import LIKE, LONG_LIST, WRAPPED, cause_of
from audit_jobs.findings.usage import Condition, Group, TableUsage

ONLY_IN_ORDER = " It prunes once rows are in the order of the column."


def unordered(usage: TableUsage, group: Group, cause: str) -> list[Condition]:
    """The conditions on the column of which an order of rows would serve a group, if the engine
    does not use them for a cause: both ends of a range. None are, where using them wins more, or
    where nearly all rows match them: what the engine uses says more of the column then."""
    if (group.bytes_lost_by_query or 0) > usage.thresholds.min_share * group.bytes_read:
        return []
    blame = layout_blame(usage, group)
    if blame is None or blame.cause != UNCLUSTERED or cause_of(group, blame.condition) != cause:
        return []
    same = (c for c in group.conditions if c.field_ids == blame.condition.field_ids)
    unused = [c for c in same if cause_of(group, c) == cause]
    least = 1 - usage.thresholds.min_share
    return unused if any(c.share is None or c.share <= least for c in unused) else []


def needs_rewrite(usage: TableUsage, group: Group) -> bool:
    """Whether an order of rows serves a group only once its condition is written otherwise."""
    return any(unordered(usage, group, cause) for cause in (WRAPPED, LIKE, LONG_LIST))
