"""Estimates from sampled rows for the scans of a group together, if the rows cannot tell for one
scan.

Rows of few files are sampled, so those of a selective scan are often not among them even once. The
files that it keeps may be full of them then, for all that its own sample tells; but scans of one
shape ask for similar shares of what they keep, and some of them meet the sample.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from math import sqrt

from prunescope.audit_jobs.findings.sample import SampledConjunct, SampledScan
from prunescope.audit_jobs.findings.selectivity import share_by_bounds
from prunescope.audit_jobs.findings.sums import GroupSums, ideal_bytes, share_by_footers
from prunescope.audit_jobs.health.model import TableHealth
from prunescope.audit_jobs.records import Matching
from prunescope.audit_jobs.tuning import FEW_FILES
from prunescope.collectors.predicates.model import Predicate, all_of

_Z = 1.959964  # of the normal distribution, for 95 %


def pooled(sums: GroupSums, health: TableHealth | None) -> GroupSums:
    """The sums of a group in which the share of a scan of whose rows none was sampled is that of
    the group: at most so many of the rows match in the files that a scan keeps, by all scans of the
    sample together. What few sampled files tell of a scan is no less than what the scans tell
    together, and many scans match no more on average than they tell together. Where these keep no
    sampled file, conditions that rule out no file match as bounds tell, and others all that is
    kept. No more match than row groups hold that may have such rows.
    """
    if health is None or not health.bytes:
        return sums
    of_scans = _together((_filter(scan), scan.matching) for scan in sums.sample)
    of_places = [
        _together((part.predicate, part.matching) for part in places)
        for places in zip(*(scan.conjuncts for scan in sums.sample), strict=True)
    ]
    sample = tuple(_scan(scan, of_scans, of_places, health) for scan in sums.sample)
    sample = _at_most_together(sample, of_scans, health)
    won = sum(map(_difference, sums.sample, sample, [health] * len(sample)))
    if not won:
        return replace(sums, sample=sample)
    scans = sums.totals.scans
    ideal = sums.totals.bytes_ideal - round(won * scans / len(sample))
    return replace(sums, sample=sample, totals=sums.totals._replace(bytes_ideal=max(0, ideal)))


def _scan(
    scan: SampledScan,
    of_scans: Together | None,
    of_places: Sequence[Together | None],
    health: TableHealth,
) -> SampledScan:
    if scan.matching is None or scan.share is None or scan.potential is None:
        return scan
    plan = scan.potential
    kept = min(1.0, plan.bytes_kept / health.bytes)
    by_footers = share_by_footers(
        plan.bytes_kept, plan.row_group_bytes_considered, plan.row_group_bytes_kept, health
    )
    share = _share(scan.matching, of_scans, kept, _share_of_kept(scan, health))
    return replace(
        scan,
        share=min(share, by_footers),
        conjuncts=tuple(
            _conjunct(part, together)
            for part, together in zip(scan.conjuncts, of_places, strict=True)
        ),
    )


def _at_most_together(
    sample: Sequence[SampledScan], together: Together | None, health: TableHealth
) -> tuple[SampledScan, ...]:
    """Scans of which all together match at most as much of what they keep as filters of one shape
    do on average: the upper ends of many shares sum up to more than that of their sum. Of filters
    that are asked more than once, the share counts more than once, so that they stay."""
    if together is None or together.filters < max(FEW_FILES, len(sample)):
        return tuple(sample)
    kept = [
        min(1.0, scan.potential.bytes_kept / health.bytes)
        for scan in sample
        if scan.potential is not None
    ]
    known = [scan.share for scan in sample if scan.share is not None]
    if len(kept) < len(sample) or len(known) < len(sample):
        return tuple(sample)
    shares = [min(pair) for pair in zip(known, kept, strict=True)]
    most = together.high * sum(kept)
    if sum(shares) <= most:
        return tuple(sample)
    less = most / sum(shares)
    return tuple(
        replace(scan, share=max(less * share, 0.0 if scan.matching is None else scan.matching.low))
        for scan, share in zip(sample, shares, strict=True)
    )


def _conjunct(part: SampledConjunct, together: Together | None) -> SampledConjunct:
    if part.matching is None:
        return part
    return replace(part, share=_share(part.matching, together, part.kept, 1.0))


def _share_of_kept(scan: SampledScan, health: TableHealth) -> float:
    """Share of the bytes kept by a scan that match, as far as bounds tell. Ignores conditions that
    skip files: these may match all rows of the other files."""
    spread = [part.predicate for part in scan.conjuncts if not part.data_files_pruned]
    known = share_by_bounds(all_of(*spread), health)
    return 1.0 if known is None else known


def _share(matching: Matching, together: Together | None, kept: float, by_bounds: float) -> float:
    """Upper limit of the share of the table's rows that match. Files with the share `kept` are
    kept; of these, `by_bounds` match if rows cannot tell."""
    if matching.low == matching.high:
        return matching.high  # no file is left to be estimated
    if together is not None:
        if not matching.share:
            return min(matching.high, together.high * kept)
        if matching.candidates < FEW_FILES:
            return max(matching.high, together.share * min(kept, together.candidates))
    if not matching.share:
        return min(matching.high, kept * by_bounds)
    return max(matching.high, min(kept, _as_kept(matching, kept)))


def _as_kept(matching: Matching, kept: float) -> float:
    """The share that matches if what is kept is more than the sample has of it."""
    if not matching.candidate_rows:
        return 0.0
    return matching.high * kept * matching.rows / matching.candidate_rows


@dataclass(frozen=True, slots=True)
class Together:
    """The share of rows that match filters of one shape, in files that bounds do not rule out, and
    the upper end of its 95 % interval. `candidates` is at most the share of rows in such files:
    less than is kept where metadata has no bounds, or too short ones. So many different `filters`
    keep a sampled file."""

    share: float
    high: float
    candidates: float
    filters: int


def _together(filters: Iterable[tuple[Predicate, Matching | None]]) -> Together | None:
    """Pooled estimate of the share of rows that filters of one shape match; None if bounds rule out
    all sampled files.

    The interval is Wilson's score interval. Files are drawn at random, but rows of one file are
    alike; filters differ in literals, but meet the same files. So there are as many independent
    draws as filters, or as files of one filter, whichever is more; equal filters count once.
    """
    distinct = {predicate: found for predicate, found in filters if found is not None}
    told = [found for found in distinct.values() if found.candidates]
    rows = sum(found.candidate_rows for found in told)
    if not rows:
        return None
    share = min(1.0, sum(found.share * found.rows for found in told) / rows)
    draws = max(len(told), *(found.candidates for found in told))
    # What few filters tell of files they tell with the few files of one.
    in_candidates = rows / sum(found.rows for found in distinct.values())
    return Together(
        share, _at_most(share, draws), _at_most(in_candidates, len(distinct)), len(told)
    )


def _at_most(share: float, draws: int) -> float:
    spread = _Z * sqrt(share * (1 - share) / draws + (_Z / draws) ** 2 / 4)
    return (share + _Z**2 / draws / 2 + spread) / (1 + _Z**2 / draws)


def _difference(before: SampledScan, after: SampledScan, health: TableHealth) -> int:
    """Decrease of the bytes that may match of those that a scan keeps."""
    if before.share is None or after.share is None or before.potential is None:
        return 0
    kept = before.potential.bytes_kept
    return ideal_bytes(kept, before.share, health) - ideal_bytes(kept, after.share, health)


def _filter(scan: SampledScan) -> Predicate:
    return all_of(*(part.predicate for part in scan.conjuncts))
