"""ScanPlanSummary: containers that planning one scan considers and keeps, pass by pass."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from prunescope.collectors.predicates.model import Predicate


class Funnel(NamedTuple):
    """Numbers of containers of one kind in the snapshot, reaching a pass, and surviving it; None if
    unknown.

    `low` and `high` are set if `kept` is estimated from a sample: its 95 % interval.
    """

    total: int | None
    considered: int | None
    kept: int | None
    low: int | None = None
    high: int | None = None


@dataclass(frozen=True, slots=True)
class SnapshotTotals:
    """Totals of a whole snapshot, from the manifest list and the snapshot summary. Counts are None
    if a manifest does not carry them. `bytes` comes from the snapshot summary, which includes
    delete files: None if there are any."""

    manifests: int
    delete_manifests: int
    data_files: int | None
    delete_files: int | None
    records: int | None
    bytes: int | None
    spec_ids: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class ConjunctSummary:
    """One conjunct of a scan's filter: the number of containers that it alone rules out among those
    that the scan considers, and a reason for each pass in which it rules out none.

    `reasons` maps pass names (`manifests`, `data_files`, `row_groups`) to reason codes.
    `selects_partitions` is Iceberg's test (see `prunescope.audit_jobs.pruning.selection`).
    `data_files_unmeasured` is the number of files kept by the whole filter for which the conjunct
    is unknown from metadata.
    """

    predicate: Predicate
    manifests_pruned: int
    data_files_pruned: int
    row_groups_pruned: int | None
    reasons: Mapping[str, str] = field(default_factory=dict)
    selects_partitions: bool = False
    data_files_unmeasured: int = 0


class Footers(NamedTuple):
    """Kept files whose footers a scan needs, those whose footers were read for it, those that the
    run's budget left out, and those that could not be read."""

    needed: int
    read: int
    skipped: int
    unread: int = 0


@dataclass(frozen=True, slots=True)
class ScanPlanSummary:
    """The plan of one scan.

    Bytes and records are those of data files; `row_group_bytes` and `row_group_records` those of
    row groups. Of delete files, `kept` are those that the planner indexes, `delete_files_by` the
    numbers of each kind (DELETE_KINDS), and `dangling_delete_files` the number of these known to
    apply to no data file of the snapshot. `row_groups_by` counts row groups by the level that ruled
    them out first (`statistics`, `dictionary`, `bloom`). `old_spec_files` and `old_spec_bytes` are
    kept data files under another partition spec than the table's current one. `pages` and
    `page_bytes` are those of the columns that the filter compares, in kept row groups that have
    column indexes, and `page_records` all their rows: a reader that uses column indexes skips them.
    `unread` maps causes to numbers of kept files whose row groups are unknown.
    """

    snapshot_id: int | None
    schema_id: int
    spec_ids: tuple[int, ...]
    manifests: Funnel
    delete_manifests: Funnel
    data_files: Funnel
    delete_files: Funnel
    bytes: Funnel
    records: Funnel
    row_groups: Funnel
    row_group_bytes: Funnel
    row_group_records: Funnel
    pages: Funnel
    page_bytes: Funnel
    page_records: Funnel
    delete_files_by: Mapping[str, int]
    dangling_delete_files: Mapping[str, int]
    row_groups_by: Mapping[str, int]
    old_spec_files: int
    old_spec_bytes: int
    footers: Footers
    conjuncts: tuple[ConjunctSummary, ...]
    unread: Mapping[str, int]


_PLANNED = ("manifests", "delete_manifests", "data_files", "delete_files", "bytes", "records")
_READ = (
    *("row_groups", "row_group_bytes", "row_group_records"),
    *("pages", "page_bytes", "page_records"),
)


def without_plan(plan: ScanPlanSummary, potential: ScanPlanSummary) -> ScanPlanSummary:
    """The plan of an engine of which only the reader is known: what is kept is unknown, and lies
    between what all statistics together keep and what the reader keeps of all files."""

    def between(name: str, *, reached: bool) -> Funnel:
        most, least = getattr(plan, name), getattr(potential, name).kept
        low = None if None in (most.kept, least) else min(least, most.kept)
        considered = most.considered if reached else None
        return Funnel(most.total, considered, None, low, most.kept)

    whole = ("manifests", "delete_manifests")
    funnels: dict[str, Any] = {
        name: between(name, reached=name in whole) for name in (*_PLANNED, *_READ)
    }
    return replace(plan, **funnels)


def conjuncts_within(whole: ScanPlanSummary, plan: ScanPlanSummary) -> tuple[ConjunctSummary, ...]:
    """The conjuncts of the whole filter, each limited to the containers that the plan of the pushed
    filter considers. That may be less: of a long list, Trino pushes the range."""
    if plan is whole:
        return whole.conjuncts
    return tuple(
        replace(
            part,
            manifests_pruned=_at_most(part.manifests_pruned, plan.manifests),
            data_files_pruned=_at_most(part.data_files_pruned, plan.data_files),
            row_groups_pruned=(
                None
                if part.row_groups_pruned is None
                else _at_most(part.row_groups_pruned, plan.row_groups)
            ),
        )
        for part in whole.conjuncts
    )


def _at_most(pruned: int, of: Funnel) -> int:
    return pruned if of.considered is None else min(pruned, of.considered)
