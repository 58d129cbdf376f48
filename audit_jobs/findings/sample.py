"""Single scans of a group, drawn by the hashes of their keys: the same ones in whatever order and
in however many parts the scans come."""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from dataclasses import dataclass
from operator import attrgetter

from prunescope.audit_jobs.health.sketch import hash_of
from prunescope.audit_jobs.pruning.row_groups import STATISTICS
from prunescope.audit_jobs.pruning.summary import ConjunctSummary, Funnel, ScanPlanSummary
from prunescope.audit_jobs.records import ConjunctRecord, Matching, ScanRecord
from prunescope.audit_jobs.tuning import SCANS_OF_GROUP
from prunescope.collectors.predicates.model import Predicate
from prunescope.collectors.table_scans import UNPLACED, TextPlace


@dataclass(frozen=True, slots=True)
class SampledConjunct:
    """A conjunct of a sampled scan, as its ConjunctRecord has it. `kept` is the share of the
    table's files that it alone leaves. `share` of the table's rows match it alone at most, as
    sampled; None where no rows were sampled. `matching` is what these tell."""

    predicate: Predicate
    text: str
    conjunct_class: str
    pushed: bool | None
    data_files_pruned: int
    kept: float
    share: float | None
    matching: Matching | None = None


@dataclass(frozen=True, slots=True)
class SampledPlan:
    """The plan of a sampled scan by all that the statistics allow. What is not optional counts as 0
    where it is unknown. Dictionaries and bloom filters rule out `row_groups_filtered` of those that
    statistics leave."""

    bytes_kept: int
    files_total: int | None
    files_considered: int
    files_kept: int
    old_spec_bytes: int
    manifests_kept: int | None
    row_groups_considered: int | None
    row_groups_kept: int | None
    row_groups_filtered: int
    row_group_bytes_considered: int | None
    row_group_bytes_kept: int | None

    @property
    def share_read(self) -> float | None:
        """The share of the files that are kept which is in row groups that are: of bytes, or of row
        groups, where those of some files need no judging. None where it is not known."""
        kept, considered = self.row_group_bytes_kept, self.row_group_bytes_considered
        if kept is None or considered is None:
            kept, considered = self.row_groups_kept, self.row_groups_considered
        return None if kept is None or not considered else kept / considered

    @property
    def share_left_by_filters(self) -> float:
        """Share of the row groups left by statistics that dictionaries and bloom filters leave."""
        left = (self.row_groups_kept or 0) + self.row_groups_filtered
        return 1 - self.row_groups_filtered / left if left else 1.0


@dataclass(frozen=True, slots=True)
class SampledScan:
    """A scan of a group with the literals of its filter.

    `share` of the table's rows match the whole filter at most, as far as known, and `matching` is
    what sampled rows tell of it. `bytes_read` and
    `files_read` are those that the engine's planner keeps, `potential` is what the statistics
    allow, None where that was not planned.
    """

    hash: int
    engine: str | None
    traits: frozenset[str]
    conjuncts: tuple[SampledConjunct, ...]
    share: float | None
    bytes_read: int
    files_read: int
    potential: SampledPlan | None
    matching: Matching | None = None
    text_place: TextPlace = UNPLACED

    @property
    def bytes_allowed(self) -> int | None:
        """Bytes that the statistics allow a planner to keep, at most those that are read."""
        return None if self.potential is None else min(self.potential.bytes_kept, self.bytes_read)


SampledScans = tuple[SampledScan, ...]
"""The scans of the smallest hashes, in their order."""


def sample_of(records: Sequence[ScanRecord], shares: Sequence[float | None]) -> SampledScans:
    """The sample of replayed scans, of whose table at most these shares match."""
    hashed = ((hash_of(record.scan_key), place) for place, record in enumerate(records))
    chosen = heapq.nsmallest(SCANS_OF_GROUP, hashed)
    return tuple(_scan(hash_, records[place], shares[place]) for hash_, place in chosen)


def merge_samples(some: SampledScans, others: SampledScans) -> SampledScans:
    """The sample of two parts of a group."""
    return tuple(sorted(some + others, key=attrgetter("hash"))[:SCANS_OF_GROUP])


def _scan(hash_: int, record: ScanRecord, share: float | None) -> SampledScan:
    assert record.summary is not None
    files = (record.potential or record.summary).data_files
    return SampledScan(
        hash_,
        record.engine,
        record.traits,
        tuple(_conjunct(part, files) for part in record.conjuncts),
        share,
        record.summary.bytes.kept or 0,
        record.summary.data_files.kept or 0,
        None if record.potential is None else _plan(record.potential),
        record.matching,
        record.text_place,
    )


def _conjunct(part: ConjunctRecord, files: Funnel) -> SampledConjunct:
    return SampledConjunct(
        part.counts.predicate,
        part.text,
        part.conjunct_class,
        part.pushed,
        part.counts.data_files_pruned,
        _kept(part.counts, files),
        None if part.matching is None else part.matching.high,
        part.matching,
    )


def _kept(counts: ConjunctSummary, files: Funnel) -> float:
    """Share of files that a conjunct leaves. A conjunct that rules out manifests leaves none of the
    files in manifests that are not opened, and another one the same share of these as of the
    others."""
    of = files.total if counts.manifests_pruned else files.considered
    if not of or files.considered is None:
        return 1.0
    return max(0.0, (files.considered - counts.data_files_pruned) / of)


def _plan(plan: ScanPlanSummary) -> SampledPlan:
    return SampledPlan(
        bytes_kept=plan.bytes.kept or 0,
        files_total=plan.data_files.total,
        files_considered=plan.data_files.considered or 0,
        files_kept=plan.data_files.kept or 0,
        old_spec_bytes=plan.old_spec_bytes,
        manifests_kept=plan.manifests.kept,
        row_groups_considered=plan.row_groups.considered,
        row_groups_kept=plan.row_groups.kept,
        row_groups_filtered=sum(
            count for level, count in plan.row_groups_by.items() if level != STATISTICS
        ),
        row_group_bytes_considered=plan.row_group_bytes.considered,
        row_group_bytes_kept=plan.row_group_bytes.kept,
    )
