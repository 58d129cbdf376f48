"""Which condition a layout fails, and how: each group's loss by layout has one cause, so that no
byte is counted twice."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from audit_jobs.findings.beginnings import are_told_apart
from audit_jobs.findings.engines import pushes
from audit_jobs.findings.footers import bytes_lost_by_bounds
from audit_jobs.findings.granularity import finer_transform
from audit_jobs.findings.local_days import is_shifted
from audit_jobs.findings.partitions_asked import values_of
from audit_jobs.findings.repartition import is_in_order
from audit_jobs.findings.selectivity import share_by_bounds
from audit_jobs.findings.sorting import bytes_lost_by_order, left_together, share_within
from audit_jobs.findings.usage import Condition, Group, TableUsage
from audit_jobs.findings.uuid_lookups import bytes_lost_by_buckets, is_lookup
from audit_jobs.health.model import ColumnHealth
from audit_jobs.pruning.scans import comparisons, inclusive
from collectors.partitioning import PartitionSpec
from collectors.predicates.model import BoundComparison, Or, Reason, Unsupported, all_of
from collectors.predicates.operators import Op
from collectors.types import NANOS_PER_UNIT

_SORTABLE = frozenset({Op.LT, Op.LT_EQ, Op.GT, Op.GT_EQ, Op.EQ, Op.IN, Op.STARTS_WITH})
_RANGES = frozenset({Op.LT, Op.LT_EQ, Op.GT, Op.GT_EQ, Op.STARTS_WITH})
_NULLS = frozenset({Op.IS_NULL, Op.NOT_NULL})
_FEW = 0.5
_NEGATIONS = frozenset({Op.NOT_EQ, Op.NOT_IN, Op.NOT_STARTS_WITH})
_KNOWN = frozenset({Op.NOT_NULL})

_IN_NO_ORDER = ("uuid",)
"""Types whose bounds are not used, as libraries order them in different ways: nobody knows whether
bounds or an order win anything. Buckets do, in Spark."""

UNCLUSTERED = "unclustered_column"
NO_PARTITION_FILTER = "no_partition_filter"
BUCKETED = "range_on_bucketed_column"
NO_METRICS = "no_column_metrics"
COMMON_PREFIX = "truncated_bounds"
OLD_SPEC = "old_spec_files"
LOCAL_DAYS = "local_day_boundaries"
NEGATED = "negated_condition"
TOO_COARSE = "partitions_too_coarse"


@dataclass(frozen=True, slots=True)
class Blame:
    """A cause, by its id, and the condition and column that it concerns."""

    cause: str
    condition: Condition
    column: str


def blamed_columns(usage: TableUsage, cause: str) -> dict[str, list[Group]]:
    """The groups whose loss by layout has a cause, by the column that it concerns."""
    found: dict[str, list[Group]] = {}
    for group in usage.groups:
        blame = layout_blame(usage, group)
        if blame is not None and blame.cause == cause:
            found.setdefault(blame.column, []).append(group)
    return found


def layout_blame(usage: TableUsage, group: Group) -> Blame | None:
    """Why the layout makes the scans of a group read more than matches; None where they do not,
    or where nothing tells. Of several conditions, it is the most selective one that a sort order
    could serve."""
    return group.once("layout_blame", lambda: _layout_blame(usage, group))


def _layout_blame(usage: TableUsage, group: Group) -> Blame | None:
    if not group.bytes_lost_by_layout:
        return None
    condition = most_selective(usage, group)
    if condition is None:
        return _negation(group)
    assert isinstance(condition.predicate, BoundComparison)
    if condition.predicate.field.type in _IN_NO_ORDER:
        is_served = is_lookup(condition) and pushes(group, condition.predicate)
        return Blame(UNCLUSTERED, condition, condition.columns[0]) if is_served else None
    return Blame(_cause(usage, group, condition), condition, condition.predicate.field.name)


def most_selective(usage: TableUsage, group: Group) -> Condition | None:
    """The most selective of the conditions that a sort order could serve: comparisons of one
    column, of which a file holds several values. None while a partition column is compared as
    another type: what partitions leave of a table, once it is not, nobody knows."""
    if any(_is_mismatch(c) and usage.partition_fields_of(c) for c in group.conditions):
        return None
    is_partitioned = not _reads_old_files(usage, group)
    candidates = [
        condition
        for condition in group.conditions
        if _is_sortable(condition) and not (is_partitioned and _is_constant(usage, condition))
    ]
    return min(candidates, key=lambda c: _share(usage, c, candidates), default=None)


def bytes_claimed(usage: TableUsage, group: Group) -> int | None:
    """The part of what planners keep that the fix of the blamed cause lets them skip; None where
    nothing tells how many rows match."""
    blame = layout_blame(usage, group)
    if blame is not None and is_lookup(blame.condition):
        return bytes_lost_by_buckets(usage, group, blame.condition)
    if blame is not None and blame.cause == UNCLUSTERED:
        return bytes_lost_by_order(group, blame.column)
    if blame is not None and blame.cause == NO_PARTITION_FILTER and not _is_of_time(blame):
        if is_in_order(usage, blame.column):
            return 0
        return bytes_lost_by_order(group, blame.column)
    if blame is not None and blame.cause in (NO_METRICS, COMMON_PREFIX):
        return bytes_lost_by_bounds(group, blame.column)
    return 0 if group.bytes_ideal is not None and blame is None else group.bytes_lost_by_layout


def _is_of_time(blame: Blame) -> bool:
    """Whether partitions by the column might be what its cause asks for."""
    predicate = blame.condition.predicate
    return isinstance(predicate, BoundComparison) and predicate.field.type in NANOS_PER_UNIT


def negations(group: Group) -> list[Condition]:
    """The conditions of a filter that says what is not wanted, and nothing else."""
    negated = [c for c in group.conditions if _is_negated(c)]
    others = [c for c in group.conditions if not _is_negated(c) and not _has_op(c, _KNOWN)]
    return [] if others else negated


def takes_nulls(condition: Condition) -> bool:
    """Whether a condition selects nulls beside what is negated, as IS DISTINCT FROM does."""
    match condition.predicate:
        case Or((BoundComparison(op, field), BoundComparison(Op.IS_NULL, of_null))):
            return op in _NEGATIONS and field == of_null
    return False


def _is_negated(condition: Condition) -> bool:
    return _has_op(condition, _NEGATIONS) or takes_nulls(condition)


def _negation(group: Group) -> Blame | None:
    found = next(iter(negations(group)), None)
    if found is None:
        return None
    return Blame(NEGATED, found, found.columns[0])


def _has_op(condition: Condition, ops: frozenset[Op]) -> bool:
    return isinstance(condition.predicate, BoundComparison) and condition.predicate.op in ops


def _is_sortable(condition: Condition) -> bool:
    """Nulls are put together by a sort as well, which is worth it where few rows are asked for."""
    predicate = condition.predicate
    if not isinstance(predicate, BoundComparison):
        return False
    few = condition.share is not None and condition.share < _FEW
    return predicate.op in _SORTABLE or (predicate.op in _NULLS and few)


def _is_mismatch(condition: Condition) -> bool:
    predicate = condition.predicate
    return isinstance(predicate, Unsupported) and predicate.reason is Reason.TYPE_MISMATCH


def _is_constant(usage: TableUsage, condition: Condition) -> bool:
    """Whether files hold one value of the column: whatever sampled rows tell, all rows match of
    each file that is kept."""
    fields = usage.partition_fields_of(condition)
    return any(field.transform == "identity" for field in fields)


def _share(usage: TableUsage, condition: Condition, candidates: Sequence[Condition]) -> float:
    """How selective a condition is of what it leaves, together with the others on its column:
    both ends of a range belong together. Equalities come first where nothing tells."""
    same = [c for c in candidates if c.field_ids == condition.field_ids]
    known = condition.share if len(same) == 1 else None
    if not known and usage.health is not None:  # of none, the sample tells less than bounds do
        by_bounds = share_by_bounds(all_of(*(c.predicate for c in same)), usage.health)
        known = known if by_bounds is None else by_bounds
    if known is not None:
        return share_within(known, left_together(c.kept for c in same))
    assert isinstance(condition.predicate, BoundComparison)
    return 0.9 if condition.predicate.op in _RANGES else 0.1


def _cause(usage: TableUsage, group: Group, condition: Condition) -> str:
    assert isinstance(condition.predicate, BoundComparison)
    column = None
    if usage.health is not None:
        column = usage.health.column(condition.predicate.field.name)
    if _reads_old_files(usage, group):
        return OLD_SPEC
    if _is_unmeasured(group, condition, column):
        return NO_METRICS
    begins_alike = column is not None and (column.common_bounds or 0) > 0.5
    if begins_alike and not are_told_apart(usage, condition.predicate.field.name):
        return COMMON_PREFIX
    fields = usage.partition_fields_of(condition)
    if any(is_shifted(group, condition.predicate.field, field.transform) for field in fields):
        return LOCAL_DAYS
    buckets = [field for field in fields if field.transform.startswith("bucket[")]
    name = condition.predicate.field.name
    # The bucket of a range of one value is known, whether an engine looks for it alone or not.
    is_of_one = all(values_of(scan, name) == 1 for scan in group.sample)
    if buckets == list(fields) != [] and condition.predicate.op in _RANGES and not is_of_one:
        return BUCKETED
    told_apart = column is not None and column.is_clustered
    if not told_apart and any(finer_transform(usage, [group], field) for field in fields):
        return TOO_COARSE
    if usage.partition_fields and not any(usage.partition_fields_of(c) for c in group.conditions):
        return NO_PARTITION_FILTER
    return UNCLUSTERED


def _is_unmeasured(group: Group, condition: Condition, column: ColumnHealth | None) -> bool:
    """Whether most files that planners keep are there because nothing tells whether they match: of
    all files, or of those of one writer, while the others are told apart. Of a list that is too
    long, or where null counts are missing, planners may not say either, whatever bounds there
    are."""
    reason = condition.reasons.get("data_files")
    if reason in ("missing_statistics", "in_list_too_long"):
        return reason == "missing_statistics"
    if column is not None and column.bounded == 1:
        return False
    return 2 * condition.data_files_unmeasured > group.sums.potential.files_kept


def _reads_old_files(usage: TableUsage, group: Group) -> bool:
    """Whether most of what planners keep was written under other specs, in use still, that lack a
    field onto which some condition lifts."""
    old_bytes = group.sums.potential.old_spec_bytes
    if usage.health is None or 2 * old_bytes < group.bytes_allowed:
        return False
    others = [
        spec
        for spec_id, spec in usage.metadata.specs(usage.schema).items()
        if spec_id != usage.spec.spec_id and usage.health.files_by_spec.get(spec_id)
    ]
    return any(
        _lifted_fields(condition, usage.spec) - _lifted_fields(condition, spec)
        for condition in group.conditions
        for spec in others
    )


def _lifted_fields(condition: Condition, spec: PartitionSpec) -> frozenset[int]:
    lifted = inclusive(condition.predicate, spec, old_rounding=False)
    return frozenset(leaf.field.field_id for leaf in comparisons(lifted))
