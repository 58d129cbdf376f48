"""Which condition a layout fails, and how: each group's loss by layout has one cause, so that no
byte is counted twice."""

from __future__ import annotations

from dataclasses import dataclass

from audit_jobs.findings.selectivity import share_by_bounds
from audit_jobs.findings.usage import Condition, Group, TableUsage
from collectors.predicates.model import BoundComparison, Op

_SORTABLE = frozenset({Op.LT, Op.LT_EQ, Op.GT, Op.GT_EQ, Op.EQ, Op.IN, Op.STARTS_WITH})
_RANGES = frozenset({Op.LT, Op.LT_EQ, Op.GT, Op.GT_EQ, Op.STARTS_WITH})

UNCLUSTERED = "unclustered_column"
NO_PARTITION_FILTER = "no_partition_filter"
BUCKETED = "range_on_bucketed_column"
NO_METRICS = "no_column_metrics"
COMMON_PREFIX = "truncated_bounds"


@dataclass(frozen=True, slots=True)
class Blame:
    """A cause, by its id, and the condition and column that it concerns."""

    cause: str
    condition: Condition
    column: str


def layout_blame(usage: TableUsage, group: Group) -> Blame | None:
    """Why the layout makes the scans of a group read more than matches; None where they do not,
    or where nothing tells. Of several conditions, it is the most selective one that a sort order
    could serve."""
    if not group.bytes_lost_by_layout:
        return None
    candidates = [c for c in group.conditions if _is_sortable(c)]
    if not candidates:
        return None
    condition = min(candidates, key=lambda c: _share(usage, c))
    assert isinstance(condition.predicate, BoundComparison)
    return Blame(_cause(usage, group, condition), condition, condition.predicate.field.name)


def _is_sortable(condition: Condition) -> bool:
    predicate = condition.predicate
    return isinstance(predicate, BoundComparison) and predicate.op in _SORTABLE


def _share(usage: TableUsage, condition: Condition) -> float:
    """How selective a condition is; equalities come first where nothing tells."""
    known = None if usage.health is None else share_by_bounds(condition.predicate, usage.health)
    if known is not None:
        return known
    assert isinstance(condition.predicate, BoundComparison)
    return 0.9 if condition.predicate.op in _RANGES else 0.1


def _cause(usage: TableUsage, group: Group, condition: Condition) -> str:
    assert isinstance(condition.predicate, BoundComparison)
    column = None
    if usage.health is not None:
        column = usage.health.column(condition.predicate.field.name)
    if condition.reasons.get("data_files") == "missing_statistics":
        return NO_METRICS
    if column is not None and (column.common_bounds or 0) > 0.5:
        return COMMON_PREFIX
    fields = usage.partition_fields_of(condition)
    if condition.predicate.op in _RANGES and any(
        field.transform.startswith("bucket[") for field in fields
    ):
        return BUCKETED
    if usage.partition_fields and not any(usage.partition_fields_of(c) for c in group.conditions):
        return NO_PARTITION_FILTER
    return UNCLUSTERED
