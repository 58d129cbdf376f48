"""Replayed beside observed: tests whether an engine read the files that its planner should have
kept."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from enum import StrEnum

from prunescope.audit_jobs.pruning.summary import ScanPlanSummary

DATA_FILES = "result_data_files"
"""The observed counter that is compared."""

DATA_MANIFESTS = "total_data_manifests"
"""The one that tells snapshots apart, where none is reported."""

_MAX_PLANS = 4
"""Trino tries a failing task four times by default (task-retry-attempts-per-task)."""


class Agreement(StrEnum):
    """Result of comparing one scan.

    The first four compare counts. `prunes_more`: fewer files than the planner's profile keeps, and
    no fewer than the statistics allow. `over_prune`: fewer than can be justified, a result may be
    wrong, also if the planner is known to do so. The others name why the comparison proves nothing,
    though counts differ:

    `snapshot_assumed`    nobody reported which snapshot was read; also if the files are as many,
                          and the manifests are not
    `filter_unknown`      a part of the filter could not be read, or the pushed part is unknown
    `dynamic_filter`      a join can have ruled out files while the query ran
    `limit`               the engine may have stopped early
    `aggregate_push_down` the engine may have answered from metadata
    `planned_repeatedly`  counts of several plans were added up (task retries, a table read twice)
    """

    AGREES = "agrees"
    PRUNES_MORE = "prunes_more"
    OVER_READ = "over_read"
    OVER_PRUNE = "over_prune"
    SNAPSHOT_ASSUMED = "snapshot_assumed"
    FILTER_UNKNOWN = "filter_unknown"
    DYNAMIC_FILTER = "dynamic_filter"
    LIMIT = "limit"
    AGGREGATE_PUSH_DOWN = "aggregate_push_down"
    PLANNED_REPEATEDLY = "planned_repeatedly"


def agreement_of(  # noqa: PLR0913  # all that it depends on
    observed: Mapping[str, int] | None,
    plan: ScanPlanSummary,
    potential: ScanPlanSummary,
    *,
    snapshot_known: bool,
    filter_known: bool,
    has_runtime_filter: bool,
    traits: Collection[str],
) -> Agreement | None:
    """The agreement of one scan; None if the engine did not report how many data files it read, or
    the replay does not know.

    `plan` is the engine's own, by its profile, `potential` the plan by all that the statistics
    allow. `filter_known` says that all of the filter was read and that the pushed part is known,
    `has_runtime_filter` that the engine reported a runtime filter.
    """
    observed = observed or {}
    files = observed.get(DATA_FILES)
    kept, allowed = plan.data_files.kept, potential.data_files.kept
    if files is None or kept is None or allowed is None:
        return None
    if not snapshot_known and (files != kept or _is_of_another_snapshot(observed, plan)):
        return Agreement.SNAPSHOT_ASSUMED
    if files == kept >= allowed:
        return Agreement.AGREES
    if files > kept:
        if kept > 1 and files in [times * kept for times in range(2, _MAX_PLANS + 1)]:
            return Agreement.PLANNED_REPEATEDLY
        return Agreement.OVER_READ if filter_known else Agreement.FILTER_UNKNOWN
    if has_runtime_filter or "join" in traits:
        return Agreement.DYNAMIC_FILTER
    if "limit" in traits:
        return Agreement.LIMIT
    if not files and "aggregate" in traits:
        return Agreement.AGGREGATE_PUSH_DOWN
    if files >= allowed:
        return Agreement.PRUNES_MORE
    return Agreement.OVER_PRUNE if filter_known else Agreement.FILTER_UNKNOWN


def _is_of_another_snapshot(observed: Mapping[str, int], plan: ScanPlanSummary) -> bool:
    """True if the engine counted another number of manifests than the replayed snapshot has."""
    total = plan.manifests.total
    return total is not None and observed.get(DATA_MANIFESTS, total) != total
