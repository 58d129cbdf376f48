"""All causes, in the order of the documentation, in which they are asked for their claims."""

from __future__ import annotations

from prunescope.audit_jobs.findings.cause import Asks, Cause
from prunescope.audit_jobs.findings.causes import (
    impossible_statistics,
    like_without_prefix,
    local_day_boundaries,
    long_in_list,
    many_deletes,
    misaligned_partitioning,
    negated_condition,
    no_column_metrics,
    no_partition_filter,
    old_spec_files,
    or_across_columns,
    over_prune,
    over_read,
    partitions_too_coarse,
    partitions_too_fine,
    pruning_regressed,
    range_on_bucketed_column,
    row_groups_not_pruned,
    runtime_only,
    scattered_manifests,
    small_files,
    truncated_bounds,
    type_mismatch,
    unclustered_column,
    wrapped_column,
)

CAUSES: tuple[Cause, ...] = (
    wrapped_column.CAUSE,
    type_mismatch.CAUSE,
    no_partition_filter.CAUSE,
    local_day_boundaries.CAUSE,
    range_on_bucketed_column.CAUSE,
    negated_condition.CAUSE,
    long_in_list.CAUSE,
    or_across_columns.CAUSE,
    like_without_prefix.CAUSE,
    runtime_only.CAUSE,
    misaligned_partitioning.CAUSE,
    partitions_too_coarse.CAUSE,
    partitions_too_fine.CAUSE,
    no_column_metrics.CAUSE,
    truncated_bounds.CAUSE,
    scattered_manifests.CAUSE,
    old_spec_files.CAUSE,
    unclustered_column.CAUSE,
    row_groups_not_pruned.CAUSE,
    small_files.CAUSE,
    many_deletes.CAUSE,
    impossible_statistics.CAUSE,
    over_read.CAUSE,
    over_prune.CAUSE,
    pruning_regressed.CAUSE,
)

BY_ID = {cause.id: cause for cause in CAUSES}


def is_repeated(cause: str) -> bool:
    """True if a cause's bytes at stake are also those of other causes, so that sums leave them out.
    False for an unknown cause, found by another version of prunescope."""
    return cause in BY_ID and BY_ID[cause].repeats


def asked_by(cause: str) -> Asks | None:
    """Kind of change that a cause's gain depends on (`Cause.asks`); None for an unknown cause,
    found by another version of prunescope."""
    return BY_ID[cause].asks if cause in BY_ID else None


def title_of(cause: str) -> str:
    """A few words for a cause; its id where another version of prunescope found it."""
    return BY_ID[cause].title if cause in BY_ID else cause
