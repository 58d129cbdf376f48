"""The condition of a filter that a layout would serve best, and whether files say of its column
what they should."""

from __future__ import annotations

from collections.abc import Sequence

from prunescope.audit_jobs.findings.condition import Condition
from prunescope.audit_jobs.findings.selectivity import share_by_bounds
from prunescope.audit_jobs.findings.sorting import RANGES, left_together, share_within
from prunescope.audit_jobs.findings.usage import Group, TableUsage
from prunescope.audit_jobs.findings.uuid_lookups import has_no_order
from prunescope.audit_jobs.pruning.scans import inclusive
from prunescope.audit_jobs.tuning import ENOUGH_VALUES, FEW, HALF, NEARLY_ALL
from prunescope.collectors.partitioning import PartitionSpec
from prunescope.collectors.predicates.model import BoundComparison, Reason, Unsupported, all_of
from prunescope.collectors.predicates.operators import ORDERED, Op
from prunescope.collectors.predicates.walks import comparisons
from prunescope.collectors.tables.metrics_modes import USUAL_LENGTH

_SORTABLE = ORDERED | {Op.EQ, Op.IN, Op.STARTS_WITH}
_NULLS = frozenset({Op.IS_NULL, Op.NOT_NULL})


def most_selective(usage: TableUsage, group: Group) -> Condition | None:
    """Most selective of the conditions that a sort order could serve: comparisons of one column of
    which a file holds several values. None while a partition column is compared as another type, as
    it is unknown what partitions leave of the table without that conversion."""
    return group.once("most_selective", lambda: _most_selective(usage, group))


def most_selective_in_order(usage: TableUsage, group: Group) -> Condition | None:
    """Most selective condition, unless its column's type has no known order."""
    condition = most_selective(usage, group)
    return None if condition is None or has_no_order(condition) else condition


def most_selective_as_measured(usage: TableUsage, group: Group) -> Condition | None:
    """Most selective condition, if most of what planners keep is under the current partitioning and
    has bounds that tell values of the column apart, if files do: then the order of rows is why the
    scans lose."""
    condition = most_selective_in_order(usage, group)
    if (
        condition is None
        or reads_old_files(usage, group)
        or is_unmeasured(usage, group, condition)
        or begins_alike(usage, group, condition)
    ):
        return None
    return condition


def reads_old_files(usage: TableUsage, group: Group) -> bool:
    """True if most of what planners keep was written under other specs, in use still, that lack a
    field onto which some condition lifts."""
    return group.once("reads_old_files", lambda: _reads_old_files(usage, group))


def is_unmeasured(usage: TableUsage, group: Group, condition: Condition) -> bool:
    """True if planners keep most files because statistics are missing: of all files, or of those of
    one writer, while the others are told apart. If a list is too long, or null counts are missing,
    planners may not say either, whatever bounds there are."""
    column = usage.column(condition.columns[0])
    reason = condition.reasons.get("data_files")
    if reason in ("missing_statistics", "in_list_too_long"):
        return reason == "missing_statistics"
    if column is not None and column.bounded == 1:
        return False
    return 2 * condition.data_files_unmeasured > group.sums.potential.files_kept


def begins_alike(usage: TableUsage, group: Group, condition: Condition) -> bool:
    """True if the bounds of a condition's column are truncated to the same value in most files, and
    most of a group's scans ask for longer values that these bounds do not tell apart."""
    column = usage.column(condition.columns[0])
    if column is None or (column.common_bounds or 0) <= HALF:
        return False
    return not _asks_for_little(group, condition) and not are_told_apart(
        usage, condition.columns[0]
    )


def _asks_for_little(group: Group, condition: Condition) -> bool:
    """True if bounds keep as many characters as a condition has in most scans of its group."""
    example = condition.predicate
    if not isinstance(example, BoundComparison):
        return False
    same = [
        is_kept_whole(leaf)
        for scan in group.sample
        for part in scan.conjuncts
        if isinstance(leaf := part.predicate, BoundComparison)
        and (leaf.field, leaf.op) == (example.field, example.op)
    ]
    return 2 * sum(same) > len(same) if same else is_kept_whole(example)


def _most_selective(usage: TableUsage, group: Group) -> Condition | None:
    if any(_is_mismatch(c) and usage.partition_fields_of(c) for c in group.conditions):
        return None
    is_partitioned = not reads_old_files(usage, group)
    candidates = [
        condition
        for condition in group.conditions
        if _is_sortable(condition) and not (is_partitioned and _is_constant(usage, condition))
    ]
    return min(candidates, key=lambda c: _share(usage, c, candidates), default=None)


def _is_sortable(condition: Condition) -> bool:
    """Several ranges of one column are in a few places of an order, and nulls beside values in one
    more; but what is open still, or until later, gets an end, and no order of it lasts. Nulls alone
    are put together by a sort as well, which is worth it where few rows are asked for, and the
    engine uses the condition."""
    predicate = condition.predicate
    if not isinstance(predicate, BoundComparison):
        ops = {leaf.op for leaf in comparisons(predicate)}
        lasting = _SORTABLE if Op.IS_NULL not in ops else _SORTABLE - ORDERED
        values = ops - {Op.IS_NULL}
        return condition.field is not None and bool(values) and values <= lasting
    few = condition.share is not None and condition.share < HALF
    of_nulls = predicate.op in _NULLS and few and condition.pushed is not False
    return predicate.op in _SORTABLE or of_nulls


def _is_mismatch(condition: Condition) -> bool:
    predicate = condition.predicate
    return isinstance(predicate, Unsupported) and predicate.reason is Reason.TYPE_MISMATCH


def _is_constant(usage: TableUsage, condition: Condition) -> bool:
    """True if files hold one value of the column: all rows match in each file that is kept,
    whatever sampled rows tell."""
    fields = usage.partition_fields_of(condition)
    return any(field.transform == "identity" for field in fields)


def _share(usage: TableUsage, condition: Condition, candidates: Sequence[Condition]) -> float:
    """Selectivity of a condition within the files that it keeps, together with the others on its
    column: both ends of a range belong together. If unknown, equalities come first."""
    same = [c for c in candidates if c.field_ids == condition.field_ids]
    known = condition.share if len(same) == 1 else None
    if not known and usage.health is not None:  # of none, the sample tells less than bounds do
        by_bounds = share_by_bounds(all_of(*(c.predicate for c in same)), usage.health)
        known = known if by_bounds is None else by_bounds
    if known is not None:
        return share_within(known, left_together(c.kept for c in same))
    asks_for_range = any(leaf.op in RANGES for leaf in comparisons(condition.predicate))
    return NEARLY_ALL if asks_for_range else FEW


def _reads_old_files(usage: TableUsage, group: Group) -> bool:
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
    lifted = inclusive(condition.predicate, spec)
    return frozenset(leaf.field.field_id for leaf in comparisons(lifted))


def are_told_apart(usage: TableUsage, column: str) -> bool:
    """True if the texts that queries ask for differ within the length that bounds keep. If files
    begin with one value then, many rows have it, and longer bounds would not help. With few such
    texts, none may begin as the table's lowest does, and most files must overlap."""
    values = usage.texts_asked.get(column, frozenset())
    cut = {_cut(value) for value in values}
    if len(values) >= ENOUGH_VALUES:
        return len(cut) >= NEARLY_ALL * len(values)
    known = usage.column(column)
    if known is None or (known.overlap or 0) <= HALF or not isinstance(known.low, bytes):
        return False
    return bool(cut) and _cut(known.low) not in cut


def is_kept_whole(condition: BoundComparison) -> bool:
    """True if bounds keep all characters of a condition's texts. True for a condition on nulls,
    which has no text."""
    texts = [value for value in condition.values if isinstance(value, bytes)]
    return all(len(text.decode(errors="replace")) <= USUAL_LENGTH for text in texts)


def _cut(value: bytes) -> str:
    return value.decode(errors="replace")[:USUAL_LENGTH]
