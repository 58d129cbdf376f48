"""Records of queries that LIMIT lets end early, with what these read of what planners keep: of the
row groups of files as much as of the files."""

from __future__ import annotations

from dataclasses import replace

from prunescope.audit_jobs.early_stop import part_read, share_matching, stops_early
from prunescope.audit_jobs.findings.selectivity import share_by_bounds
from prunescope.audit_jobs.health.model import TableHealth
from prunescope.audit_jobs.pruning.summary import Funnel, ScanPlanSummary
from prunescope.audit_jobs.records import ScanRecord
from prunescope.collectors.predicates.model import all_of

STOPPED = "stopped"
"""Trait of a query that stops early, whatever its layout, beside the traits of its text."""


def as_far_as_read(record: ScanRecord, health: TableHealth | None) -> ScanRecord:
    """Record whose plans keep no more bytes than its engine reads until it has enough rows, and at
    least one file; the same one if it reads on, or if the number of matching rows is unknown."""
    if record.enough is None or health is None or record.summary is None or not health.records:
        return record
    share = _share_matching(record, health)
    part = part_read(record.enough, None if share is None else share * health.records)
    if part >= 1:
        return record
    least = health.bytes // max(1, health.data_files)
    return replace(
        record,
        traits=record.traits | {STOPPED} if stops_early(part) else record.traits,
        summary=_read(record.summary, part, least),
        potential=None if record.potential is None else _read(record.potential, part, least),
    )


def _share_matching(record: ScanRecord, health: TableHealth) -> float | None:
    found = record.matching
    predicate = all_of(*(part.counts.predicate for part in record.conjuncts))
    by_bounds = share_by_bounds(predicate, health)
    sampled, most = (None, None) if found is None else (found.share, found.high)
    return share_matching(sampled, by_bounds, most)


def _read(plan: ScanPlanSummary, part: float, least: int) -> ScanPlanSummary:
    kept = plan.bytes.kept
    if kept is None:
        return plan
    read = min(kept, max(least, round(part * kept)))
    share = read / kept if kept else 1.0
    return replace(
        plan,
        bytes=plan.bytes._replace(kept=read),
        row_groups=_of_what_is_read(plan.row_groups, share),
        row_group_bytes=_of_what_is_read(plan.row_group_bytes, share),
        row_group_records=_of_what_is_read(plan.row_group_records, share),
    )


def _of_what_is_read(groups: Funnel, share: float) -> Funnel:
    considered, kept, low, high = (
        None if count is None else round(share * count) for count in groups[1:]
    )
    return Funnel(groups.total, considered, kept, low, high)
