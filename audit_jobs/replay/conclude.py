"""From counts to ScanPlanSummary, with the reasons why a conjunct pruned nothing."""

from __future__ import annotations

from collections.abc import Mapping

from audit_jobs.pruning.counts import Counts
from audit_jobs.pruning.row_groups import may_prune_row_groups
from audit_jobs.pruning.rules import PlannerRules, Rules
from audit_jobs.pruning.scans import Scan, comparisons, inclusive
from audit_jobs.pruning.shapes import tree_of
from audit_jobs.pruning.summary import (
    ConjunctSummary,
    ScanPlanSummary,
    SnapshotTotals,
    Tally,
    summarize,
)
from collectors.partitioning import PartitionSpec
from collectors.predicates.model import (
    TRUE,
    And,
    Op,
    Or,
    Predicate,
    Unsupported,
)


def conclude(
    scan: Scan,
    table_specs: Mapping[int, PartitionSpec],
    snapshot_id: int | None,
    schema_id: int,
    totals: SnapshotTotals,
    counted: tuple[Counts, int],
) -> ScanPlanSummary:
    """The summary of one scan from all counts of its work, and its position in them."""
    specs = tuple(table_specs[spec_id] for spec_id in totals.spec_ids)
    counts, position = counted
    tally = counts.of_scan(position)
    return summarize(
        snapshot_id=snapshot_id,
        schema_id=schema_id,
        totals=totals,
        tally=tally,
        conjuncts=tuple(
            _conjunct(part, scan.rules, specs, tally, own)
            for part, own in zip(scan.conjuncts, counts.of_conjuncts(position), strict=True)
        ),
    )


def _conjunct(
    part: Predicate,
    rules: PlannerRules,
    specs: tuple[PartitionSpec, ...],
    scan: Tally,
    own: Tally,
) -> ConjunctSummary:
    reasons = {}
    if not own.manifests_pruned and (reason := _manifest_reason(part, rules, specs)):
        reasons["manifests"] = reason
    if not own.data_files_pruned and scan.data_files_considered:
        unknown = own.data_files_unknown == scan.data_files_considered
        reasons["data_files"] = _metrics_reason(part, rules.metrics, unknown)
    judged = scan.sampled_files > 0
    if not own.row_groups_pruned and judged:
        if may_prune_row_groups(tree_of(part), rules):
            read = scan.row_groups_considered - scan.whole_row_groups
            reasons["row_groups"] = _metrics_reason(
                part, rules.row_groups, unknown=own.row_groups_unknown >= read
            )
        else:
            reasons["row_groups"] = _unsupported_reason(part) or "not_equal"
    return ConjunctSummary(
        predicate=part,
        manifests_pruned=own.manifests_pruned,
        data_files_pruned=own.data_files_pruned,
        row_groups_pruned=own.row_groups_pruned if judged else None,
        reasons=reasons,
    )


def _manifest_reason(
    part: Predicate, rules: PlannerRules, specs: tuple[PartitionSpec, ...]
) -> str | None:
    """Why a conjunct rules out no manifest."""
    if reason := _unsupported_reason(part):
        return reason
    if not specs:
        return None
    if not any(spec.fields for spec in specs):
        return "unpartitioned"
    if any(inclusive(part, spec, old_rounding=rules.old_rounding) != TRUE for spec in specs):
        return "ranges_overlap"
    sources = {field.source_id for spec in specs for field in spec.fields}
    if sources & {leaf.field.field_id for leaf in comparisons(part)}:
        return "transform_not_liftable"
    return "not_a_partition_column"


def _metrics_reason(part: Predicate, rules: Rules, unknown: bool) -> str:
    """Why a conjunct rules out no data file, or no row group."""
    if reason := _unsupported_reason(part):
        return reason
    leaves = list(comparisons(part))
    if any(rules.gives_up(leaf) for leaf in leaves):
        return "in_list_too_long"
    not_equal = bool(leaves) and all(leaf.op in (Op.NOT_EQ, Op.NOT_IN) for leaf in leaves)
    if not_equal and not rules.single_value_not_equal:
        return "not_equal"
    if unknown:
        return "missing_statistics"
    if not_equal:
        return "not_equal"
    return "ranges_overlap"


def _unsupported_reason(part: Predicate) -> str | None:
    """The reason why no part of a conjunct can ever prune, or None if some part can."""
    match part:
        case Unsupported(reason):
            return reason.value
        case Or(children):
            return next((r for c in children if (r := _unsupported_reason(c))), None)
        case And(children):
            reasons = [_unsupported_reason(child) for child in children]
            return reasons[0] if all(reasons) else None
        case _:
            return None
