"""What causes need of all scans of a group, summed up, and a sample of the scans.

Sums of two parts merge in any order to those of the whole (a commutative monoid): tasks sum up what
they replay, and the driver merges. All are integers, largest values, sets and smallest hashes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from audit_jobs.findings.additive import added, added_known
from audit_jobs.findings.disagreement import Disagreements, disagreements, merge_disagreements
from audit_jobs.findings.many_files import ManyDeletes, ManyFiles, many_deletes, many_files
from audit_jobs.findings.sample import Sample, merge_samples, sampled
from audit_jobs.findings.selectivity import share_by_bounds
from audit_jobs.health.model import TableHealth
from audit_jobs.pruning.scans import comparisons
from audit_jobs.pruning.summary import ScanPlanSummary
from audit_jobs.records import ConjunctRecord, ScanRecord
from collectors.predicates.model import BoundComparison, Op, Predicate, all_of

_SHARE_BITS = 60
"""Shares add up as integers, in units of 2^-60."""


class Totals(NamedTuple):
    """Sums over all scans; bytes and files that are not known are left out.

    `bytes_total` and `files_total` are those of the snapshots, `bytes_read` are kept by the
    engine's planner, `bytes_allowed` also by all that the statistics allow; `bytes_ideal` hold the
    rows that match, of the scans of which that is known (`ideal_known`). `sampled` scans have
    sampled rows.
    """

    scans: int
    bytes_total: int
    files_total: int
    bytes_read: int
    bytes_allowed: int
    bytes_ideal: int
    ideal_known: int
    sampled: int


class PotentialTotals(NamedTuple):
    """Sums over the plans by all that the statistics allow; what is not known is left out.

    `bytes_by_footers` are bytes of kept data files that bounds as good as those in the footers
    would rule out: the share of the bytes of row groups that their own statistics rule out, of the
    plans whose footers are all known (`footers_known`).
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
    those that were `sampled`. `longest_list` is the largest number of values of an IN."""

    manifests_pruned: int
    data_files_pruned: int
    row_groups_pruned: int
    shares: int
    sampled: int
    longest_list: int
    reasons: Mapping[tuple[str, str], int]

    @property
    def share(self) -> float | None:
        """The mean share of rows that match; None where no rows were sampled."""
        return self.shares / (self.sampled << _SHARE_BITS) if self.sampled else None

    @property
    def usual_reasons(self) -> dict[str, str]:
        """For each pass the reason that most scans have why nothing was pruned."""
        found: dict[str, tuple[int, str]] = {}
        for (name, reason), count in self.reasons.items():
            found[name] = max(found.get(name, (0, "")), (count, reason))
        return {name: reason for name, (_, reason) in found.items()}


@dataclass(frozen=True, slots=True)
class GroupSums:
    """All that is kept of the scans of a group, one or more. Of sampled rows, at most
    `highest_share` match in any scan. The sets tell what was in use."""

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
    sample: Sample


_NO_PLAN = PotentialTotals(*[0] * len(PotentialTotals._fields))


def sums_of(
    record: ScanRecord, health: TableHealth | None, *, is_sampled: bool = True
) -> GroupSums:
    """The sums of one replayed scan of a table whose health is known, or not. It is its own sample
    unless it is known to be in none."""
    plan, potential = record.summary, record.potential
    assert plan is not None
    share = _share_matching(record, health)
    allowed = None if potential is None else potential.bytes.kept or 0
    ideal = _ideal(share, allowed, health)
    read = plan.bytes.kept or 0
    return GroupSums(
        Totals(
            scans=1,
            bytes_total=plan.bytes.total or plan.bytes.considered or 0,
            files_total=plan.data_files.total or 0,
            bytes_read=read,
            bytes_allowed=min(allowed or 0, read),
            bytes_ideal=ideal or 0,
            ideal_known=0 if ideal is None else 1,
            sampled=0 if record.matching is None else 1,
        ),
        _NO_PLAN if potential is None else _potential(potential),
        tuple(map(_conjunct, record.conjuncts)),
        many_files(plan),
        many_deletes(plan),
        disagreements(record, health),
        0.0 if record.matching is None else record.matching.high,
        frozenset({record.engine_version} if record.engine_version else ()),
        frozenset({record.planner} if record.planner else ()),
        frozenset(() if plan.snapshot_id is None else {plan.snapshot_id}),
        (sampled(record, share),) if is_sampled else (),
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
        merge_samples(some.sample, others.sample),
    )


def _share_matching(record: ScanRecord, health: TableHealth | None) -> float | None:
    """At most this share of the table's rows matches the whole filter, as far as known."""
    if record.matching is not None:
        return record.matching.high
    if health is None:
        return None
    return share_by_bounds(all_of(*(part.counts.predicate for part in record.conjuncts)), health)


def _ideal(share: float | None, allowed: int | None, health: TableHealth | None) -> int | None:
    """Bytes of the rows that match, in no less than one file; None where nothing tells how many
    rows match."""
    if share is None or allowed is None or health is None:
        return None
    one_file = health.bytes / max(1, health.data_files)
    return min(allowed, round(max(share * health.bytes, one_file)))


def _potential(plan: ScanPlanSummary) -> PotentialTotals:
    size = plan.row_group_bytes
    by_footers = 0
    if size.considered and size.kept is not None:
        by_footers = round((plan.bytes.kept or 0) * (1 - size.kept / size.considered))
    return PotentialTotals(
        plans=1,
        files_total=plan.data_files.total or 0,
        files_kept=plan.data_files.kept or 0,
        manifests_total=plan.manifests.total or 0,
        manifests_kept=plan.manifests.kept or 0,
        old_spec_files=plan.old_spec_files,
        old_spec_bytes=plan.old_spec_bytes,
        row_groups_considered=plan.row_groups.considered or 0,
        row_groups_kept=plan.row_groups.kept or 0,
        row_group_bytes=size.considered or 0,
        bytes_by_footers=by_footers,
        footers_known=0 if size.considered is None or size.kept is None else 1,
    )


def _conjunct(record: ConjunctRecord) -> ConjunctSums:
    counts, matching = record.counts, record.matching
    return ConjunctSums(
        counts.manifests_pruned,
        counts.data_files_pruned,
        counts.row_groups_pruned or 0,
        0 if matching is None else round(matching.share * (1 << _SHARE_BITS)),
        0 if matching is None else 1,
        _longest_list(counts.predicate),
        dict.fromkeys(counts.reasons.items(), 1),
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
        {
            **some.reasons,
            **{found: some.reasons.get(found, 0) + n for found, n in others.reasons.items()},
        },
    )
