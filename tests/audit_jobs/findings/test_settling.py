"""One order of rows per table: which of several, and at whose cost."""

from __future__ import annotations

from dataclasses import replace

import pytest
from audit_jobs.findings.settling import settled
from audit_jobs.findings.ties import keeping_ties

from audit_jobs.findings.disturbance import Disturbance, disturbance
from audit_jobs.findings.model import (
    KEPT,
    Change,
    Confidence,
    Field,
    Files,
    Finding,
    Fix,
    Severity,
    Wish,
)
from audit_jobs.findings.policy import is_reported
from audit_jobs.findings.thresholds import Thresholds
from audit_jobs.findings.trials import Tried, target_of
from audit_jobs.findings.usage import TableUsage
from audit_jobs.health.model import TableHealth
from audit_jobs.pruning.summary import ConjunctSummary, Funnel
from audit_jobs.records import ConjunctRecord, ScanRecord
from collectors.predicates.model import BoundComparison, Predicate
from collectors.predicates.operators import Op
from tests.audit_jobs.findings.groups import usage_of
from tests.audit_jobs.findings.strategies import ID, SPECS, TABLE, TS, metadata
from tests.audit_jobs.findings.workloads import HEALTH
from tests.audit_jobs.sinks.results import replayed, summary

FILES, FILE = 100, 1_000_000
YEAR = 365 * 86_400_000_000
BY_MONTH = SPECS[3]


def scan(name: str, predicate: Predicate, pruned: int) -> ScanRecord:
    """A scan of FILES files whose only condition rules out so many by their bounds."""
    plan = replace(
        summary(
            data_files=Funnel(FILES, FILES, FILES - pruned),
            data=Funnel(FILES * FILE, FILES * FILE, (FILES - pruned) * FILE),
        ),
        snapshot_id=1,
    )
    counted = ConjunctSummary(predicate, 0, pruned, 0, {})
    conjunct = ConjunctRecord("x = ?", "unenforced", True, counted)
    record = replayed(f"{name}/0", TABLE, plan)
    return replace(record, fingerprint=name, conjuncts=(conjunct,), potential=plan)


def usage(
    *scans: ScanRecord, spec: int = 0, partitions: int | None = None, depth: float | None = None
) -> TableUsage:
    columns = tuple(replace(column, depth=depth) for column in HEALTH.columns)
    health: TableHealth = replace(
        HEALTH,
        data_files=FILES,
        bytes=FILES * FILE,
        partitions=partitions,
        partition_files=None if partitions is None else FILES / partitions,
        columns=columns,
    )
    return usage_of(TABLE, scans, metadata(SPECS[spec], {}), health, Thresholds())


def finding(column: str, won: int, *, rewrite: int = 0, repartitions: bool = False) -> Finding:
    asked = Change(added=(("identity", column),)) if repartitions else Change(order=(column,))
    return Finding(
        cause=f"sort_{column}",
        severity=Severity.MEDIUM,
        confidence=Confidence.MEDIUM,
        table=TABLE,
        sentence=column,
        scans=1,
        bytes_read=100 * FILE,
        bytes_at_stake=won + rewrite,
        fix=Fix(
            advice="Once.",
            change=replace(asked, files=Files.ALL),
            wish=Wish(bytes_by_order=0 if repartitions else won),
        ),
    )


def of_spread(found: Finding) -> Finding:
    """A finding that says nothing but that values are spread over all files."""
    return replace(
        found,
        fix=replace(found.fix, wish=replace(found.fix.wish, of_spread=True, any_columns=True)),
    )


def change(won: int | None, *added: Field, dropped: tuple[Field, ...] = ()) -> Finding:
    """A finding that asks for other partition fields."""
    return Finding(
        cause=f"partition_{added[0][1] if added else 'less'}",
        severity=Severity.MEDIUM,
        confidence=Confidence.MEDIUM,
        table=TABLE,
        sentence="other partitions",
        scans=1,
        bytes_read=100 * FILE,
        bytes_at_stake=won,
        columns=tuple(name for _, name in added),
        fix=Fix(advice="Once.", change=Change(added=added, dropped=dropped, files=Files.ALL)),
    )


BY_DAY: Field = ("day", "ts")
BUCKETS: Field = ("bucket[8]", "id")
BY_TS = BoundComparison(Op.GT_EQ, TS, (5,))
BY_ID = BoundComparison(Op.EQ, ID, (5,))


def test_one_of_several_orders_has_statements_and_bytes() -> None:
    first, other = settled(usage(scan("q", BY_ID, 0)), [finding("a", 90), finding("b", 97)])
    assert first.fix.change == KEPT
    assert first.bytes_at_stake is None
    assert first.severity is Severity.INFO
    assert first.evidence == {"better_order": ["b"], "bytes_by_this_order": 90}
    assert other == finding("b", 97)


def test_findings_that_ask_for_one_order_agree() -> None:
    found = settled(
        usage(scan("q", BY_ID, 0)), [finding("a", 50), finding("b", 70), finding("a", 40)]
    )
    assert [f.fix.change.order for f in found] == [("a",), (), ("a",)]
    once = "These are the statements of sort_a as well: run them once. Once."
    assert found[0].fix.advice == once
    assert found[2].fix.advice == "These are the statements of sort_a: run them once. Once."


def test_what_a_rewrite_of_the_condition_wins_is_left_without_the_order() -> None:
    loser, _ = settled(usage(scan("q", BY_ID, 0)), [finding("a", 50, rewrite=7), finding("b", 70)])
    assert loser.bytes_at_stake == 7


def test_partitions_come_before_orders() -> None:
    order, partitions = settled(
        usage(scan("q", BY_ID, 0)), [finding("a", 50), finding("p", 10, repartitions=True)]
    )
    assert order.fix.change.acts
    assert "Change the partitions first (sort_p)" in (order.fix.advice or "")
    assert partitions == finding("p", 10, repartitions=True)


def test_a_finding_of_the_same_cause_is_named_with_its_columns() -> None:
    partitions = replace(finding("a", 10, repartitions=True), columns=("p", "q"))
    order, _ = settled(usage(scan("q", BY_ID, 0)), [finding("a", 50), partitions])
    assert "Change the partitions first (sort_a of p, q)" in (order.fix.advice or "")


def test_suppressed_findings_decide_nothing() -> None:
    hidden = replace(finding("a", 99), suppressed="we know")
    assert settled(usage(scan("q", BY_ID, 0)), [hidden, finding("b", 1)]) == [
        hidden,
        finding("b", 1),
    ]


def test_an_order_that_costs_others_more_is_not_recommended() -> None:
    ordered = usage(scan("by ts", BY_TS, 90), scan("by id", BY_ID, 0), depth=1.0)
    (refuted,) = settled(ordered, [finding("id", 80 * FILE)])
    assert refuted.fix.change == KEPT
    assert refuted.bytes_at_stake is None
    assert refuted.evidence["losing_fingerprints"] == ["by ts"]
    assert refuted.evidence["bytes_lost_by_others"] == 90 * FILE
    assert "Leave the order of rows" in (refuted.fix.advice or "")


def test_what_keeps_rows_in_an_order_stays_where_that_order_is_not_recommended() -> None:
    ordered = usage(scan("by ts", BY_TS, 90), scan("by id", BY_ID, 0), depth=1.0)
    asked = finding("old files", 10 * FILE)
    rewrites = Change(rewrites=True, keeps=("id",), files=Files.ALL)
    keeping = replace(asked, fix=replace(asked.fix, change=rewrites, wish=Wish()))
    refuted, kept = settled(ordered, [finding("id", 80 * FILE), keeping])
    assert "Leave the order of rows" in (refuted.fix.advice or "")
    assert kept.fix.change == rewrites


def test_rows_of_one_value_stay_in_the_order_by_which_others_skip() -> None:
    ordered = usage(scan("by ts", BY_TS, 20), scan("by id", BY_ID, 0), depth=1.0)
    asked = finding("id", 80 * FILE)
    longer = replace(asked.fix.change, order=("id", "ts"))
    assert keeping_ties(ordered, asked) == replace(asked, fix=replace(asked.fix, change=longer))
    assert keeping_ties(usage(scan("by id", BY_ID, 0)), asked) == asked


@pytest.mark.parametrize(("pruned", "stake"), [(0, 30), (90, 70)])
def test_what_serves_without_an_order_counts_what_it_wins_beside_one(
    pruned: int, stake: int
) -> None:
    ordered = usage(scan("by ts", BY_TS, pruned), scan("by id", BY_ID, 0), depth=1.0)
    fix = Fix(
        change=Change(bloom_filter=("id", 4096), files=Files.ALL),
        wish=Wish(bytes_instead=40 * FILE),
    )
    instead = replace(finding("id", 70 * FILE), cause="bloom", columns=("id",), fix=fix)
    order = replace(finding("id", 80 * FILE), columns=("id",))
    found, _ = settled(ordered, [instead, order])
    assert found.bytes_at_stake == stake * FILE
    assert found.fix.change == fix.change


def test_of_two_orders_that_cost_others_more_neither_is_the_better_one() -> None:
    ordered = usage(scan("by ts", BY_TS, 90), scan("by id", BY_ID, 90), depth=1.0)
    for found in settled(ordered, [finding("id", 80 * FILE), finding("ts", 70 * FILE)]):
        assert found.fix.change == KEPT
        assert "Leave the order of rows" in (found.fix.advice or "")
        assert "better_order" not in found.evidence


def test_an_order_that_wins_little_is_too_little_to_tell_whoever_loses() -> None:
    ordered = usage(scan("by ts", BY_TS, 90), scan("by id", BY_ID, 0), depth=1.0)
    (found,) = settled(ordered, [finding("id", 10 * FILE)])
    assert found.fix.change == KEPT
    assert not is_reported(found, ordered.thresholds, None)
    (found,) = settled(ordered, [finding("id", 30 * FILE)])
    assert found.fix.change == KEPT
    assert found.bytes_at_stake is None


def test_what_others_lose_is_taken_off() -> None:
    ordered = usage(scan("by ts", BY_TS, 20), scan("by id", BY_ID, 0), depth=1.0)
    (chosen,) = settled(ordered, [finding("id", 80 * FILE)])
    assert chosen.bytes_at_stake == 60 * FILE
    assert chosen.fix.change.acts
    assert "lose" in (chosen.fix.advice or "")


@pytest.mark.parametrize(
    ("spec", "partitions", "depth", "lost"),
    [
        (0, None, 1.0, 90),  # in order over the whole table
        (0, None, None, 90),  # nothing tells: taken for lost
        (4, 10, 10.0, 90),  # in order inside each of ten buckets
        (4, 10, 1.0, 10),  # follows the partitions: one more of ten files a scan
        (4, 100, 1.0, 0),  # a file each: nothing moves
    ],
)
def test_what_a_sort_undoes(
    spec: int, partitions: int | None, depth: float | None, lost: int
) -> None:
    found = disturbance(
        usage(scan("by ts", BY_TS, 90), spec=spec, partitions=partitions, depth=depth), "id"
    )
    assert found.bytes == lost * FILE


@pytest.mark.parametrize(
    ("pruned", "depth", "lost"),
    [
        (90, 1.0, 0),  # the filter asks for the days that it reads
        (99, 1.0, 9),  # and reads one of ten files of them
        (99, 9.0, 0),  # which are in no order
    ],
)
def test_days_that_are_in_order_of_time_lose_it(pruned: int, depth: float, lost: int) -> None:
    """A tenth of a year is asked for, of ten partitions of ten files each."""
    last = BoundComparison(Op.GT_EQ, TS, (YEAR - YEAR // 10,))
    by_day = usage(scan("by ts", last, pruned), spec=1, partitions=10, depth=depth)
    assert disturbance(by_day, "id").bytes == pytest.approx(lost * FILE, rel=0.02)
    assert disturbance(by_day, "ts").bytes == 0


def test_buckets_that_are_in_order_of_keys_lose_it() -> None:
    """One of four buckets of 25 files, of which a key is in one."""
    ordered = usage(scan("by id", BY_ID, 99), partitions=4, depth=4.0)
    assert disturbance(in_buckets(ordered, 4), "ts").bytes == 24 * FILE


def in_buckets(of: TableUsage, count: int) -> TableUsage:
    return replace(of, metadata=metadata([{**SPECS[4][0], "transform": f"bucket[{count}]"}], {}))


def test_what_partitions_rule_out_anyway_is_not_lost() -> None:
    """Of ten partitions in order of time the filter asks for one, in which nine of ten files are
    ruled out by time."""
    plan = scan("both", BY_TS, 99)
    of_partition = replace(
        plan.conjuncts[0], counts=ConjunctSummary(BY_ID, 0, 90, 0, {}), text="id = ?"
    )
    of_time = replace(plan.conjuncts[0], counts=ConjunctSummary(BY_TS, 0, 90, 0, {}))
    both = replace(plan, conjuncts=(of_partition, of_time))
    ordered = usage(both, partitions=10, depth=10.0)
    assert disturbance(in_buckets(ordered, 10), "name").bytes == 9 * FILE


def test_few_files_may_be_ruled_out_by_chance() -> None:
    assert disturbance(usage(scan("by ts", BY_TS, 5)), "id").bytes == 0


def test_an_order_does_not_disturb_itself() -> None:
    assert disturbance(usage(scan("by id", BY_ID, 90)), "id").bytes == 0


def test_one_of_several_changes_of_partitions_has_statements_and_bytes() -> None:
    first, other = settled(usage(scan("q", BY_ID, 0)), [change(9, BUCKETS), change(7, BY_DAY)])
    assert first == change(9, BUCKETS)
    assert other.fix.change == KEPT
    assert other.bytes_at_stake is None
    assert other.evidence == {"better_change": ["add bucket[8](id)"], "bytes_by_this_change": 7}


def test_a_change_and_more_of_it_go_together() -> None:
    found = [change(9, BUCKETS), change(None, BUCKETS, dropped=(BY_DAY,))]
    assert settled(usage(scan("q", BY_ID, 0)), found) == found


def test_what_has_no_bytes_gives_way_to_another_change_for_its_column() -> None:
    """However little that wins."""
    late = change(1, BY_DAY, dropped=(("day", "arrived_at"),))
    kept, other = settled(usage(scan("q", BY_TS, 0)), [late, change(None, ("year", "ts"))])
    assert kept == late
    assert other.fix.change == KEPT


def test_partitions_that_cost_others_more_are_not_recommended() -> None:
    ordered = usage(scan("by ts", BY_TS, 98), scan("by id", BY_ID, 0))
    (refuted,) = settled(ordered, [change(FILE // 2, ("bucket[1024]", "id"))])
    assert refuted.fix.change == KEPT
    assert refuted.bytes_at_stake is None
    assert refuted.evidence["losing_fingerprints"] == ["by ts"]
    assert "Leave the partitions" in (refuted.fix.advice or "")


def test_what_others_lose_by_partitions_is_taken_off() -> None:
    ordered = usage(scan("by ts", BY_TS, 98), scan("by id", BY_ID, 0))
    (chosen,) = settled(ordered, [change(99 * FILE, ("bucket[8]", "id"))])
    assert chosen.fix.change.acts
    lost = chosen.evidence["bytes_lost_by_others"]
    assert 0 < lost < 99 * FILE
    assert chosen.bytes_at_stake == 99 * FILE - lost


@pytest.mark.parametrize("stake", [None, 60 * FILE])
def test_who_loses_by_partitions_is_told_whatever_is_at_stake(stake: int | None) -> None:
    asked = change(stake, BUCKETS)
    lost = Disturbance(5 * FILE, {"by ts": 1}, ("ts",))
    tried = {target_of(asked.fix.change): Tried(55 * FILE, 0.5, lost, is_worse=False, won_by={})}
    (chosen,) = settled(usage(scan("by ts", BY_TS, 98), scan("by id", BY_ID, 0)), [asked], tried)
    assert chosen.fix.change.acts
    assert "Once. 1 scan by ts loses 5.0 MB by it" in (chosen.fix.advice or "")
    assert chosen.evidence["bytes_lost_by_others"] == 5 * FILE
    assert ("allow for" in (chosen.fix.advice or "")) is (stake is not None)


LEFT = Fix(advice="Leave the files as they are.", wish=Wish(keeps_files=True))


@pytest.mark.parametrize(
    ("suppressed", "named"),
    [(None, "The statements of sort_id of id write all files anew"), ("known", "Leave the files")],
)
def test_small_files_that_stay_are_merged_by_who_writes_all_anew(
    suppressed: str | None, named: str
) -> None:
    left = replace(
        finding("", 0),
        cause="small_files",
        columns=(),
        fix=LEFT,
    )
    sort = replace(finding("id", 90 * FILE), columns=("id",), suppressed=suppressed)
    _, told = settled(usage(scan("q", BY_ID, 0)), [sort, left])
    assert told.cause == "small_files"
    assert told.fix.advice is not None
    assert told.fix.advice.startswith(named)


def test_files_that_are_written_each_by_itself_are_not_merged() -> None:
    filters = Fix(change=Change(bloom_filter=("id", 32), files=Files.ALL, file_by_file=True))
    written = replace(finding("", 0), cause="row_groups", columns=("id",), fix=filters)
    left = replace(finding("", 0), cause="small_files", columns=(), fix=LEFT)
    assert left in settled(usage(scan("q", BY_ID, 0)), [written, left])
