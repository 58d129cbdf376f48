"""Sums over all scans of a group that causes need, and a sample of the scans.

Sums of two parts merge in any order to those of the whole (a commutative monoid): tasks sum up what
they replay, and the driver merges. All are integers, largest values, sets and smallest hashes.
"""

from __future__ import annotations

import datetime as dt
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import NamedTuple

from prunescope.audit_jobs.agreement import DATA_FILES
from prunescope.audit_jobs.findings.additive import added, added_known
from prunescope.audit_jobs.findings.disagreement import (
    Disagreements,
    disagreements,
    merge_disagreements,
)
from prunescope.audit_jobs.findings.many_files import (
    ManyDeletes,
    ManyFiles,
    many_deletes,
    many_files,
)
from prunescope.audit_jobs.findings.sample import SampledScans, merge_samples, sample_of
from prunescope.audit_jobs.findings.selectivity import share_by_bounds
from prunescope.audit_jobs.health.model import TableHealth
from prunescope.audit_jobs.pruning.row_groups import STATISTICS
from prunescope.audit_jobs.pruning.summary import ScanPlanSummary
from prunescope.audit_jobs.records import ConjunctRecord, ScanRecord
from prunescope.collectors.predicates.model import BoundComparison, Predicate, all_of
from prunescope.collectors.predicates.operators import Op
from prunescope.collectors.predicates.walks import comparisons
from prunescope.collectors.sql.planners.profiles import planner_of

_SHARE_BITS = 60
"""Shares add up as integers, in units of 2^-60."""


class ReadMost(NamedTuple):
    """The scan that reads most, and of several one by its key: the larger of two is that of both
    parts."""

    bytes_read: int
    scan_key: str
    source: str
    query_id: str | None
    place: str | None
    user: str | None
    started_at: dt.datetime | None
    engine: str | None


class Totals(NamedTuple):
    """Sums over all scans; bytes and files that are not known are left out.

    `bytes_total` and `files_total` are those of the snapshots, `bytes_read` are kept by the
    engine's planner, `bytes_allowed` also by all that the statistics allow; `bytes_ideal` hold the
    rows that match, of the scans of which that is known (`ideal_known`). `sampled` scans have
    sampled rows. Of `observed` scans the engine told the data files that it read
    (`files_observed`), of `files_planned` that its planner keeps.
    """

    scans: int
    bytes_total: int
    files_total: int
    bytes_read: int
    bytes_allowed: int
    bytes_ideal: int
    ideal_known: int
    sampled: int
    observed: int
    files_observed: int
    files_planned: int


class PotentialTotals(NamedTuple):
    """Sums over the plans by all that the statistics allow; what is not known is left out.

    `bytes_by_footers` are bytes of kept data files that bounds as good as those in the footers
    would rule out: the share of the bytes of row groups that their own statistics rule out (not
    dictionaries and bloom filters), of the plans whose footers are all known (`footers_known`).
    """

    plans: int
    files_total: int
    files_kept: int
    manifests_total: int
    manifests_kept: int
    old_spec_files: int
    old_spec_bytes: int
    row_groups_considered: int
    row_groups_kept: int
    row_group_bytes: int
    bytes_by_footers: int
    footers_known: int


@dataclass(frozen=True, slots=True)
class ConjunctSums:
    """Sums over the conjuncts at one place of the filter: the containers that they alone rule out,
    as far as known, and the `reasons` why none, by pass and reason. `shares` of the rows match, of
    those that were `sampled`. `longest_list` is the largest number of values of an IN. Of
    `data_files_unmeasured` of the files that the scans keep, metadata does not tell."""

    manifests_pruned: int
    data_files_pruned: int
    row_groups_pruned: int
    shares: int
    sampled: int
    longest_list: int
    data_files_unmeasured: int
    reasons: Mapping[tuple[str, str], int]

    @property
    def share(self) -> float | None:
        """The mean share of rows that match; None where no rows were sampled."""
        return self.shares / (self.sampled << _SHARE_BITS) if self.sampled else None

    @property
    def usual_reasons(self) -> dict[str, str]:
        """Most frequent reason, for each pass, why scans pruned nothing."""
        found: dict[str, tuple[int, str]] = {}
        for (name, reason), count in self.reasons.items():
            found[name] = max(found.get(name, (0, "")), (count, reason))
        return {name: reason for name, (_, reason) in found.items()}


@dataclass(frozen=True, slots=True)
class GroupSums:
    """All that is kept of the scans of a group, one or more. Of sampled rows, at most
    `highest_share` match in any scan. The sets tell what was in use, `catalogs` how many scans call
    the table's catalog what."""

    totals: Totals
    potential: PotentialTotals
    conjuncts: tuple[ConjunctSums, ...]
    many_files: ManyFiles | None
    many_deletes: ManyDeletes | None
    disagreements: Disagreements
    highest_share: float
    engine_versions: frozenset[str]
    planners: frozenset[str]
    snapshot_ids: frozenset[int]
    catalogs: Mapping[str, int]
    example: ReadMost
    sample: SampledScans


def sums_of(records: Sequence[ScanRecord], health: TableHealth | None) -> GroupSums:
    """The sums of replayed scans of one group, one or more, of a table whose health is known, or
    not."""
    plans = [record.summary for record in records if record.summary is not None]
    potential = [record.potential for record in records if record.potential is not None]
    shares = [_share_matching(record, health) for record in records]
    matching = [record.matching for record in records if record.matching is not None]
    ideal = [
        size
        for record, share in zip(records, shares, strict=True)
        if (size := _ideal(record.potential, share, health)) is not None
    ]
    observed = [
        (r.observed[DATA_FILES], r.summary.data_files.kept)
        for r in records
        if not _logs_plans(r.engine)
        and r.summary is not None
        and r.summary.data_files.kept is not None
        and r.observed is not None
        and DATA_FILES in r.observed
    ]
    return GroupSums(
        Totals(
            scans=len(records),
            bytes_total=sum(p.bytes.total or p.bytes.considered or 0 for p in plans),
            files_total=sum(p.data_files.total or 0 for p in plans),
            bytes_read=sum(p.bytes.kept or 0 for p in plans),
            bytes_allowed=sum(
                min(r.potential.bytes.kept or 0, r.summary.bytes.kept or 0)
                for r in records
                if r.potential is not None and r.summary is not None
            ),
            bytes_ideal=sum(ideal),
            ideal_known=len(ideal),
            sampled=len(matching),
            observed=len(observed),
            files_observed=sum(files for files, _ in observed),
            files_planned=sum(files for _, files in observed),
        ),
        _potential(potential),
        tuple(map(_conjunct, zip(*(record.conjuncts for record in records), strict=True))),
        many_files(plans),
        many_deletes(records, health),
        disagreements(records, health),
        max((found.high for found in matching), default=0.0),
        frozenset(r.engine_version for r in records if r.engine_version),
        frozenset(r.planner for r in records if r.planner),
        frozenset(p.snapshot_id for p in plans if p.snapshot_id is not None),
        dict(Counter(r.named_catalog for r in records if r.named_catalog)),
        _read_most(records),
        sample_of(records, shares),
    )


def merge(some: GroupSums, others: GroupSums) -> GroupSums:
    """The sums of two parts of a group."""
    return GroupSums(
        added(some.totals, others.totals),
        added(some.potential, others.potential),
        tuple(map(_merge_conjuncts, some.conjuncts, others.conjuncts)),
        added_known(some.many_files, others.many_files),
        added_known(some.many_deletes, others.many_deletes),
        merge_disagreements(some.disagreements, others.disagreements),
        max(some.highest_share, others.highest_share),
        some.engine_versions | others.engine_versions,
        some.planners | others.planners,
        some.snapshot_ids | others.snapshot_ids,
        dict(Counter(some.catalogs) + Counter(others.catalogs)),
        max(some.example, others.example, key=_by_bytes),
        merge_samples(some.sample, others.sample),
    )


def _read_most(records: Sequence[ScanRecord]) -> ReadMost:
    def read(record: ScanRecord) -> tuple[int, str]:
        return (0 if record.summary is None else record.summary.bytes.kept or 0), record.scan_key

    most = max(records, key=read)
    return ReadMost(
        *read(most),
        source=most.source,
        query_id=None if most.place else most.query_id,
        place=most.place,
        user=most.user,
        started_at=most.started_at,
        engine=most.engine,
    )


def _by_bytes(one: ReadMost) -> tuple[int, str]:
    return one[:2]


def _logs_plans(engine: str | None) -> bool:
    planner = planner_of(engine, None)
    return planner is not None and planner.profile.planning.logs_plans


def _share_matching(record: ScanRecord, health: TableHealth | None) -> float | None:
    """At most this share of the table's rows matches the whole filter, as far as known."""
    if record.matching is not None:
        plan = record.potential
        if plan is None or health is None:
            return record.matching.high
        size = plan.row_group_bytes
        by_footers = share_by_footers(plan.bytes.kept or 0, size.considered, size.kept, health)
        return min(record.matching.high, by_footers)
    if health is None:
        return None
    return share_by_bounds(all_of(*(part.counts.predicate for part in record.conjuncts)), health)


def share_by_footers(
    kept: int, considered: int | None, groups_kept: int | None, health: TableHealth
) -> float:
    """Share of a table's bytes in row groups that their own statistics do not rule out: the share
    of row group bytes, applied to the `kept` bytes of files. 1 if footers are unknown."""
    if not considered or groups_kept is None or not health.bytes:
        return 1.0
    return kept * groups_kept / considered / health.bytes


def _ideal(
    plan: ScanPlanSummary | None, share: float | None, health: TableHealth | None
) -> int | None:
    """Bytes of the rows that match, in no less than one file; None where nothing tells how many
    rows match."""
    if plan is None or share is None or health is None:
        return None
    return ideal_bytes(plan.bytes.kept or 0, share, health)


def ideal_bytes(kept: int, share: float, health: TableHealth) -> int:
    """Bytes that match if the share `share` of the table's rows does: at least one file, at most
    `kept`."""
    one_file = health.bytes / max(1, health.data_files)
    return min(kept, round(max(share * health.bytes, one_file)))


def _potential(plans: Sequence[ScanPlanSummary]) -> PotentialTotals:
    by_footers = [found for plan in plans if (found := _bytes_by_footers(plan)) is not None]
    return PotentialTotals(
        plans=len(plans),
        files_total=sum(plan.data_files.total or 0 for plan in plans),
        files_kept=sum(plan.data_files.kept or 0 for plan in plans),
        manifests_total=sum(plan.manifests.total or 0 for plan in plans),
        manifests_kept=sum(plan.manifests.kept or 0 for plan in plans),
        old_spec_files=sum(plan.old_spec_files for plan in plans),
        old_spec_bytes=sum(plan.old_spec_bytes for plan in plans),
        row_groups_considered=sum(plan.row_groups.considered or 0 for plan in plans),
        row_groups_kept=sum(plan.row_groups.kept or 0 for plan in plans),
        row_group_bytes=sum(plan.row_group_bytes.considered or 0 for plan in plans),
        bytes_by_footers=sum(by_footers),
        footers_known=len(by_footers),
    )


def _bytes_by_footers(plan: ScanPlanSummary) -> int | None:
    """Bytes of files that bounds of row groups rule out, without those by dictionaries and bloom
    filters; None if unknown."""
    size = plan.row_group_bytes
    if size.considered is None or size.kept is None:
        return None
    ruled_out = sum(plan.row_groups_by.values())
    by_bounds = plan.row_groups_by.get(STATISTICS, 0) / ruled_out if ruled_out else 1
    share = by_bounds * (1 - size.kept / size.considered) if size.considered else 0
    return round((plan.bytes.kept or 0) * share)


def _conjunct(records: Sequence[ConjunctRecord]) -> ConjunctSums:
    """The sums of the conjuncts at one place of several filters."""
    counts = [record.counts for record in records]
    shares = [record.matching.share for record in records if record.matching is not None]
    return ConjunctSums(
        sum(found.manifests_pruned for found in counts),
        sum(found.data_files_pruned for found in counts),
        sum(found.row_groups_pruned or 0 for found in counts),
        sum(round(share * (1 << _SHARE_BITS)) for share in shares),
        len(shares),
        max(_longest_list(found.predicate) for found in counts),
        sum(found.data_files_unmeasured for found in counts),
        dict(Counter(chain.from_iterable(found.reasons.items() for found in counts))),
    )


def _longest_list(predicate: Predicate) -> int:
    if isinstance(predicate, BoundComparison):
        return len(predicate.values) if predicate.op is Op.IN else 0
    lists = (len(leaf.values) for leaf in comparisons(predicate) if leaf.op is Op.IN)
    return max(lists, default=0)


def _merge_conjuncts(some: ConjunctSums, others: ConjunctSums) -> ConjunctSums:
    return ConjunctSums(
        some.manifests_pruned + others.manifests_pruned,
        some.data_files_pruned + others.data_files_pruned,
        some.row_groups_pruned + others.row_groups_pruned,
        some.shares + others.shares,
        some.sampled + others.sampled,
        max(some.longest_list, others.longest_list),
        some.data_files_unmeasured + others.data_files_unmeasured,
        dict(Counter(some.reasons) + Counter(others.reasons)),
    )
