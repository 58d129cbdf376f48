"""Findings come from sums and a sample: in any order, in any parts, of any number of scans."""

from __future__ import annotations

import pickle
import random
from collections.abc import Iterable, Sequence
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prunescope.audit_jobs.findings.aggregates import Aggregates, aggregate
from prunescope.audit_jobs.findings.catalogue import CAUSES
from prunescope.audit_jobs.findings.history import History, PastWindow
from prunescope.audit_jobs.findings.judge import Judgement, judge
from prunescope.audit_jobs.findings.policy import Policy
from prunescope.audit_jobs.findings.thresholds import Thresholds
from prunescope.audit_jobs.findings.usage import KnownTable
from prunescope.audit_jobs.health.model import TableHealth
from prunescope.audit_jobs.records import ScanRecord, Window
from prunescope.audit_jobs.tuning import SCANS_OF_GROUP
from prunescope.collectors.observed import TableName
from tests.audit_jobs.findings.groups import START, WINDOW
from tests.audit_jobs.findings.strategies import TABLE
from tests.audit_jobs.findings.workloads import BYTES, HEALTH, METADATA, scan
from tests.audit_jobs.sinks.results import UNPARSEABLE

pytestmark = pytest.mark.slow

EVERYTHING = Policy([("*", Thresholds(0, 0, 0, 0, 0.0, 1))], maintenance_users=["etl-*"])
OTHER = TableName("lake", ("db",), "other")
KNOWN: dict[TableName, TableHealth] = {TABLE: HEALTH, OTHER: replace(HEALTH, table=OTHER)}
BEFORE = PastWindow(Window(START, START), 10, 10 * BYTES // 100, 10 * BYTES, 10)
HISTORY = History({(TABLE, name): (BEFORE,) * 4 for name in ("id", "list", "month")})

SAMPLED = frozenset(
    {
        "no_partition_filter",
        "partitions_too_fine",
        "row_groups_not_pruned",
        "scattered_manifests",
        "unclustered_column",
    }
)
"""Causes whose bytes at stake are extrapolated from single scans."""


def judged(workload: Aggregates) -> Judgement:
    tables = {name: KnownTable(METADATA, health) for name, health in KNOWN.items()}
    return judge(workload, tables, EVERYTHING, WINDOW, HISTORY)


def aggregated(records: Iterable[ScanRecord]) -> Aggregates:
    return aggregate(records, KNOWN, EVERYTHING)


def merged(parts: Iterable[Aggregates]) -> Aggregates:
    found = Aggregates()
    for part in parts:
        found.add(part)
    return found


@given(
    numbers=st.lists(st.integers(0, 10**6), unique=True, max_size=200),
    cuts=st.tuples(st.integers(0, 200), st.integers(0, 200)),
    order=st.randoms(use_true_random=False),
)
def test_the_sums_of_parts_merge_to_those_of_the_whole(
    numbers: Sequence[int], cuts: tuple[int, int], order: random.Random
) -> None:
    records = [scan(number) for number in numbers]
    whole = aggregated(records)
    order.shuffle(records)
    first, last = sorted(cuts)
    one, two, three = (
        aggregated(part) for part in (records[:first], records[first:last], records[last:])
    )
    assert merged([one, two, three]).groups == whole.groups
    assert merged([three, merged([two, one])]).groups == whole.groups
    assert merged([Aggregates(), whole]).groups == whole.groups


def test_findings_do_not_depend_on_the_order_of_scans() -> None:
    records = [scan(number) for number in range(1_000)]
    records += [replace(scan(number), table=OTHER) for number in range(1_000, 2_000)]
    found = judged(aggregated(records))
    assert not found.failed
    assert {finding.table for finding in found.findings} == {TABLE, OTHER}
    records.reverse()
    assert judged(aggregated(records)) == found
    assert judged(aggregated(records[1::2] + records[::2])) == found


def test_a_workload_many_times_over_has_so_many_times_the_findings() -> None:
    kinds, times = 50, 200
    once = judged(aggregated(scan(number, number) for number in range(kinds)))
    often = judged(aggregated(scan(number, number % kinds) for number in range(kinds * times)))
    assert not often.failed
    single = {(f.cause, f.fingerprint, f.columns): f for f in once.findings}
    many = {(f.cause, f.fingerprint, f.columns): f for f in often.findings}
    assert {cause for cause, *_ in single} >= {
        "long_in_list",
        "many_deletes",
        "over_prune",
        "over_read",
        "pruning_regressed",
        "small_files",
        "wrapped_column",
    }
    assert {cause for cause, *_ in single} & SAMPLED
    assert single.keys() == many.keys()
    for key, finding in many.items():
        other = single[key]
        assert finding.scans == times * other.scans
        assert finding.bytes_read == pytest.approx(times * other.bytes_read, rel=1e-9)
        assert (finding.bytes_at_stake is None) == (other.bytes_at_stake is None)
        if other.bytes_at_stake is not None:
            error = 0.3 if finding.cause in SAMPLED else 1e-9
            assert finding.bytes_at_stake == pytest.approx(times * other.bytes_at_stake, rel=error)


def test_what_is_kept_does_not_grow_with_scans() -> None:
    some, many = (aggregated(map(scan, range(count))) for count in (1_000, 10_000))
    assert some.groups.keys() == many.groups.keys()
    assert sum(sums.totals.scans for sums in many.groups.values()) == 10_000
    assert {len(sums.sample) for sums in many.groups.values()} == {SCANS_OF_GROUP}
    assert len(pickle.dumps(many.groups)) < 1.1 * len(pickle.dumps(some.groups))


def test_up_to_the_size_of_a_sample_all_scans_are_in_it() -> None:
    found = aggregated(scan(number, kind=1) for number in range(SCANS_OF_GROUP))
    (sums,) = found.groups.values()
    assert sums.totals.scans == len(sums.sample) == SCANS_OF_GROUP


def test_what_was_not_replayed_or_maintains_a_table_is_left_out() -> None:
    records = [scan(0), UNPARSEABLE, replace(scan(1), user="etl-7")]
    assert aggregated(records).groups == aggregated(records[:1]).groups


def test_a_scan_that_cannot_be_added_is_the_outcome_of_its_table() -> None:
    bad = scan(0)
    conjunct = replace(bad.conjuncts[0], counts=None)  # type: ignore[arg-type]
    records = [replace(bad, conjuncts=(conjunct,)), *map(scan, range(1, 100))]
    records += [replace(scan(number), table=OTHER) for number in range(100, 200)]
    parts = (aggregated(records[place::3]) for place in range(3))
    found = judged(merged(parts))
    assert found.failed.keys() == {f"{cause.id} of {TABLE}" for cause in CAUSES}
    assert {finding.table for finding in found.findings} == {OTHER}
