"""What sampled rows tell of the scans of a group together."""

from __future__ import annotations

from dataclasses import replace

import pytest

from prunescope.audit_jobs.findings.pooling import pooled
from prunescope.audit_jobs.findings.sums import GroupSums, sums_of
from prunescope.audit_jobs.pruning.summary import ConjunctSummary, Funnel
from prunescope.audit_jobs.records import ConjunctRecord, Matching, ScanRecord
from prunescope.collectors.predicates.model import BoundComparison
from prunescope.collectors.predicates.operators import Op
from tests.audit_jobs.findings.strategies import ID, TABLE, TS
from tests.audit_jobs.findings.workloads import BYTES, FILES, HEALTH
from tests.audit_jobs.plans import UNKNOWN
from tests.audit_jobs.sinks.results import replayed, summary

KEPT = 100
"""Files of 10,000 that each scan keeps: a hundredth of the table."""
SHARE_KEPT = KEPT / FILES

NOT_MET = Matching(0.0, 0.0, 0.2, 1_600, 0, 0)
"""What 16 sampled files tell of a scan that keeps none of them."""
NOT_FOUND = Matching(0.0, 0.0, 0.2, 1_600, 1, 100)
"""The same of one that keeps one, in which no row matches."""
FOUND = Matching(0.05, 0.01, 0.1, 1_600, 1, 100)
"""The same of one that keeps one, of which eighty rows match."""

WIDE = Matching(0.2 * SHARE_KEPT, 0.0, 0.1, 1_600, 8, 16)
"""The same of one that keeps eight, of whose rows few are sampled and a fifth match."""


def scans(*found: Matching | None, equal: bool = False, kept: int = KEPT) -> GroupSums:
    """The sums of scans for values of their own, or all for one."""
    return sums_of([_scan(0 if equal else n, told, kept) for n, told in enumerate(found)], HEALTH)


def _scan(
    value: int, told: Matching | None, kept: int = KEPT, groups: Funnel = UNKNOWN
) -> ScanRecord:
    predicate = BoundComparison(Op.EQ, ID, (value,))
    files, size = Funnel(FILES, FILES, kept), Funnel(BYTES, BYTES, BYTES * kept // FILES)
    plan = replace(summary(data_files=files, data=size), row_group_bytes=groups)
    counts = ConjunctSummary(predicate, 0, FILES - kept, None, {})
    return replace(
        replayed("0/0", TABLE, plan),
        conjuncts=(ConjunctRecord("id = ?", "unenforced", True, counts, told),),
        potential=plan,
        matching=told,
    )


def highest(sums: GroupSums) -> float:
    """The largest share of the table that any scan of a pooled group matches."""
    return max(scan.share or 0.0 for scan in pooled(sums, HEALTH).sample)


def test_a_scan_that_the_sample_does_not_meet_is_like_the_others_of_its_group() -> None:
    together = highest(scans(NOT_MET, *[NOT_FOUND] * 20))
    assert 0 < together < 0.2 * SHARE_KEPT


def test_the_more_scans_tell_the_less_may_match() -> None:
    assert highest(scans(*[NOT_FOUND] * 40)) < highest(scans(*[NOT_FOUND] * 10)) < SHARE_KEPT


def test_what_equal_filters_tell_counts_once() -> None:
    assert highest(scans(*[NOT_FOUND] * 40, equal=True)) == pytest.approx(highest(scans(NOT_FOUND)))


def test_few_sampled_files_of_a_scan_tell_no_less_than_all_scans_do() -> None:
    sums = scans(replace(FOUND, share=0.0001, high=0.0002), *[FOUND] * 9)
    shares = [scan.share or 0.0 for scan in pooled(sums, HEALTH).sample]
    assert min(shares) > 0.5 * SHARE_KEPT


def test_what_all_files_of_a_table_tell_is_certain() -> None:
    certain = replace(FOUND, share=0.0001, low=0.0001, high=0.0001)
    shares = [scan.share or 0.0 for scan in pooled(scans(certain, *[FOUND] * 9), HEALTH).sample]
    assert min(shares) == 0.0001


def test_many_sampled_files_of_a_scan_tell_enough() -> None:
    many = replace(FOUND, share=0.0001, high=0.0002, candidates=16, candidate_rows=1_600)
    assert pooled(scans(many), HEALTH).sample[0].share == 0.0002


def test_scans_together_match_no_more_than_they_tell_together() -> None:
    """The upper end of each says that all may match of what it keeps, which cannot be so of all."""
    shares = [scan.share or 0.0 for scan in pooled(scans(*[WIDE] * 20), HEALTH).sample]
    assert 0.2 * SHARE_KEPT < sum(shares) / 20 < 0.5 * SHARE_KEPT


@pytest.mark.parametrize("equal", [True, False])
def test_few_scans_and_equal_ones_may_all_match(equal: bool) -> None:
    sums = scans(*[WIDE] * (20 if equal else 5), equal=equal)
    assert highest(sums) >= SHARE_KEPT


def test_where_no_scan_meets_the_sample_all_that_is_kept_may_match() -> None:
    """Recent days hold more rows than others, for all that bounds tell."""
    assert highest(scans(NOT_MET, NOT_MET)) == pytest.approx(SHARE_KEPT)


def test_but_of_conditions_that_skip_no_files_bounds_tell() -> None:
    skipping = _scan(0, NOT_MET)
    counts = ConjunctSummary(BoundComparison(Op.EQ, TS, (7,)), 0, 0, None, {})
    lookup = ConjunctRecord("ts = ?", "unenforced", True, counts, None)
    both = replace(skipping, conjuncts=(*skipping.conjuncts, lookup))
    share = pooled(sums_of([both], HEALTH), HEALTH).sample[0].share
    assert share == pytest.approx(0, abs=SHARE_KEPT / 1_000)


def test_bytes_of_matching_rows_follow_the_shares() -> None:
    sums = scans(*[NOT_FOUND] * 20)
    assert sums.totals.bytes_ideal == 20 * BYTES * KEPT // FILES
    assert pooled(sums, HEALTH).totals.bytes_ideal < 0.3 * sums.totals.bytes_ideal


def test_rows_are_in_row_groups_that_may_hold_them() -> None:
    one_of_fifty = _scan(0, NOT_FOUND, groups=Funnel(None, 1_000, 20))
    sums = sums_of([one_of_fifty], HEALTH)
    assert highest(sums) == pytest.approx(SHARE_KEPT / 50)
    assert highest(sums) < 0.1 * highest(scans(NOT_FOUND))


def test_without_sampled_rows_or_health_nothing_changes() -> None:
    sums = scans(None, None)
    assert pooled(sums, HEALTH) == sums
    assert pooled(scans(NOT_MET), None) == scans(NOT_MET)


def test_files_that_only_short_bounds_keep_hold_no_rows_that_match() -> None:
    # All files are kept, but the values of most rule them out; of the others all rows match.
    whole = Matching(1 / 16, 0.0, 0.2, 1_600, 1, 100)
    few = highest(scans(*[whole] * 20, *[NOT_MET] * 20, kept=FILES))
    assert 1 / 16 < few <= 0.2
    # A single filter may have met none of many such files by chance.
    assert few < highest(scans(whole, kept=FILES)) < 1.0
