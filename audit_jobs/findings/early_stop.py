"""How much of what a planner keeps is read before a query has the rows that LIMIT lets it have.

Engines take rows of one split after the other, and stop once they have as many as LIMIT asks for:
Spark runs more and more tasks until it has them (CollectLimitExec), Trino cancels the splits that
are left. So neither a layout nor another filter wins what lies behind: of m rows that match, in the
files that planning keeps, k are found in about k / m of these, and never in less than one file.
"""

from __future__ import annotations

from dataclasses import replace

from audit_jobs.findings.selectivity import share_by_bounds
from audit_jobs.health.model import TableHealth
from audit_jobs.pruning.summary import ScanPlanSummary
from audit_jobs.records import ScanRecord
from collectors.predicates.model import all_of

STOPPED = "stopped"
"""Of a query that had enough rows before all that its planner keeps was read: beside the traits of
its text."""


def as_far_as_read(record: ScanRecord, health: TableHealth | None) -> ScanRecord:
    """A record whose plans keep no more bytes than its engine reads until it has enough rows; the
    same one where it reads on, or nothing tells how many rows match."""
    if record.enough is None or health is None or record.summary is None:
        return record
    share = _share_matching(record, health)
    if share is None or not health.records:
        return record
    part = record.enough / max(1.0, share * health.records)
    if part >= 1:
        return record
    least = health.bytes // max(1, health.data_files)
    return replace(
        record,
        traits=record.traits | {STOPPED},
        summary=_read(record.summary, part, least),
        potential=None if record.potential is None else _read(record.potential, part, least),
    )


def _share_matching(record: ScanRecord, health: TableHealth) -> float | None:
    """The share of rows that match: where no sampled row does, as bounds tell, and what may be at
    most if these tell nothing either."""
    found = record.matching
    if found is not None and found.share:
        return found.share
    by_bounds = share_by_bounds(
        all_of(*(part.counts.predicate for part in record.conjuncts)), health
    )
    if by_bounds is None:
        return None if found is None else found.high
    return by_bounds if found is None else min(by_bounds, found.high)


def _read(plan: ScanPlanSummary, part: float, least: int) -> ScanPlanSummary:
    kept = plan.bytes.kept
    if kept is None:
        return plan
    return replace(plan, bytes=plan.bytes._replace(kept=min(kept, max(least, round(part * kept)))))
