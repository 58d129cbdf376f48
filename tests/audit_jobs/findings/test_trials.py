"""What is made of layouts that were tried on rows: who wins, who loses, and what is told then."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from audit_jobs.findings.settling import settled

from audit_jobs.findings.model import (
    KEPT,
    Change,
    Confidence,
    Files,
    Finding,
    Fix,
    Severity,
    Wish,
)
from audit_jobs.findings.policy import Policy
from audit_jobs.findings.trials import (
    Read,
    Reads,
    Target,
    Trial,
    Trying,
    trial_of,
    tried,
    untried,
    usual_row_group,
)
from audit_jobs.pruning.summary import Funnel
from audit_jobs.records import ScanRecord
from collectors.predicates.model import Predicate, all_of
from collectors.predicates.operators import Op
from tests.audit_jobs.findings.usages import (
    FILE,
    FILES,
    ID,
    MB,
    NAME,
    TS,
    Night,
    compared,
    part,
    partitioned,
    plan,
    scan,
)

OPENING = 4 * MB
SORTED = Target(frozenset(), ("id",))
IN_BUCKETS = Target(frozenset({("add", ("bucket[8]", "id"))}), ())
BY_IDS = Change(order=("id",), files=Files.ALL)
BY_BUCKETS = Change(added=(("bucket[8]", "id"),), files=Files.ALL)


def by_id(kept: int, *traits: str) -> ScanRecord:
    """A scan by id that keeps so many files, of which some share match."""
    conjunct = part(compared(ID, Op.EQ, 5), pruned=FILES - kept, share=0.001)
    return scan(conjunct, kept=kept, share=0.001, fingerprint="ids", traits=frozenset(traits))


def by_name(kept: int) -> ScanRecord:
    conjunct = part(compared(NAME, Op.EQ, b"n"), pruned=FILES - kept, share=0.001)
    return scan(conjunct, kept=kept, share=0.001, fingerprint="names")


def finding(change: Change, stake: int | None, by_order: int = 0) -> Finding:
    return Finding(
        cause="c",
        severity=Severity.MEDIUM,
        confidence=Confidence.MEDIUM,
        table=Night(()).usage.table,
        sentence="s",
        scans=2,
        bytes_read=FILES * FILE,
        bytes_at_stake=stake,
        fix=Fix(advice="Once.", change=change, wish=Wish(bytes_by_order=by_order)),
        evidence={"fingerprints": ["ids"]},
    )


def order(stake: int, by_order: int | None = None) -> Finding:
    """A finding that asks for an order of ids, which wins so many of its bytes, or all."""
    return finding(BY_IDS, stake, stake if by_order is None else by_order)


def trial(*scans: ScanRecord, change: Change) -> Trial:
    found = trial_of(Night(scans).usage, [finding(change, 1)])
    assert found is not None
    return found


def read(
    now: Sequence[float],
    then: Sequence[float],
    files: Sequence[float] | None = None,
    row_groups: Sequence[float] | None = None,
) -> Read:
    """Bytes of two scans each of groups, now and then; as many files as bytes, or others then, and
    all of their row groups, or some."""
    of_each = (now, now, then, files or then, row_groups or then)
    return Read(*(np.repeat(np.array(one, np.float64), 2) for one in of_each))


def test_scans_of_a_table_change_as_what_they_keep_of_sampled_files_does() -> None:
    one = trial(by_id(100), by_name(400), change=BY_IDS)
    # By id a tenth of what they read, by name twice as much. What reads most comes first.
    found = tried(one, {SORTED: read([10, 50], [20, 5])}, OPENING)[SORTED]
    assert found.won == 2 * (90 - 400) * FILE
    assert (found.lost.bytes, tuple(found.lost.scans)) == (2 * 400 * FILE, ("names",))
    assert found.lost.columns == ("name",)
    assert found.is_worse


@pytest.mark.parametrize(
    ("engine", "asked"),
    [
        ("spark", compared(ID, Op.IN, 5, 6, 7)),
        ("trino", all_of(compared(ID, Op.GT_EQ, 5), compared(ID, Op.LT_EQ, 7))),
    ],
)
def test_layouts_are_tried_on_what_planners_are_given(engine: str, asked: Predicate) -> None:
    """Trino makes a range of a list without gaps, of which buckets tell nothing."""
    conjunct = part(compared(ID, Op.IN, 5, 6, 7), pruned=900, share=0.001)
    one = trial(scan(conjunct, kept=100, share=0.001, engine=engine), change=BY_IDS)
    assert {one.scan.predicate for one in one.scans} == {asked}


def inside(kept: int, by: str = "statistics", of: int = 10) -> ScanRecord:
    """A scan by id that keeps so many files of ten row groups, and reads a tenth of them."""
    whole = plan(kept)
    known = replace(
        whole,
        row_groups=Funnel(None, of * kept, of * kept // 10),
        row_group_bytes=Funnel(None, kept * FILE, kept * FILE // 10),
        row_groups_by={**whole.row_groups_by, by: of * kept - of * kept // 10},
    )
    return replace(by_id(kept), summary=known, potential=known)


@pytest.mark.parametrize(
    ("one", "then", "row_groups", "won"),
    [
        # Names read all of 400 files, and ids a tenth of 100.
        pytest.param(inside(100), [400, 10], [400, 1], 9 / 410, id="as much of both"),
        pytest.param(inside(100), [300, 10], [300, 10], 100 / 410, id="no row group is skipped"),
        pytest.param(by_id(100), [390, 10], [390, 1], 100 / 500, id="not known what is read now"),
        pytest.param(
            inside(100, "dictionary"), [400, 10], [400, 10], 9 / 410, id="dictionaries skip"
        ),
        pytest.param(
            inside(100, "dictionary"), [400, 0.5], [400, 0.5], 9.9 / 410, id="one row group is read"
        ),
    ],
)
def test_what_is_won_is_no_more_than_of_what_row_groups_read(
    one: ScanRecord, then: Sequence[float], row_groups: Sequence[float], won: float
) -> None:
    of = trial(one, by_name(400), change=BY_IDS)
    reads = read(
        [400 * FILE, 100 * FILE],
        [FILE * size for size in then],
        None,
        [FILE * n for n in row_groups],
    )
    found = tried(of, {SORTED: reads}, OPENING)[SORTED]
    assert found.share == pytest.approx(won, abs=0.001)


def test_an_order_that_ends_what_readers_skip_inside_of_files_wins_nothing() -> None:
    """Half of the files, and all of each, where one row group of ten was read."""
    of = trial(inside(100), change=BY_IDS)
    found = tried(of, {SORTED: read([10], [5])}, OPENING)[SORTED]
    assert found.won == -2 * 40 * FILE
    assert found.lost.bytes == 2 * 40 * FILE
    assert found.is_worse


@pytest.mark.parametrize(
    ("scans", "size"),
    [
        pytest.param((inside(100), inside(7)), FILE // 10, id="ten in each file"),
        pytest.param((inside(100, of=1),), None, id="one in each file"),
        pytest.param((by_id(100),), None, id="not known"),
    ],
)
def test_row_groups_of_files(scans: Sequence[ScanRecord], size: int | None) -> None:
    assert usual_row_group(Night(tuple(scans)).usage) == size


@pytest.mark.parametrize(
    ("kept", "is_told"),
    [pytest.param(100, False, id="a half of what is read"), pytest.param(20, True, id="less")],
)
def test_nothing_is_told_where_most_is_of_groups_that_keep_no_sampled_file(
    kept: int, is_told: bool
) -> None:
    one = trial(by_id(100), by_name(kept), change=BY_IDS)
    found = tried(one, {SORTED: read([50, 0], [5, 20])}, OPENING)
    assert (SORTED in found) == is_told
    # What is not told does not change.
    assert not is_told or found[SORTED].won == 2 * 90 * FILE


def test_scans_that_read_old_files_are_by_themselves() -> None:
    """What they win is no share of what the others read, of which few files were sampled."""
    old = replace(plan(400), old_spec_files=400, old_spec_bytes=400 * FILE)
    one = trial(replace(by_id(100), potential=old, summary=old), by_id(100), change=BY_IDS)
    assert {scan.group for scan in one.scans} == {0}
    now = np.array([400.0 if scan.reads_old else 10.0 for scan in one.scans])
    then = np.array([4.0 if scan.reads_old else 10.0 for scan in one.scans])
    found = tried(one, {SORTED: Read(now, now, then, then, then)}, OPENING)[SORTED]
    assert found.won == 2 * 396 * FILE


@pytest.mark.parametrize(
    ("change", "columns"),
    [
        pytest.param(
            Change(order=("id", "ts"), files=Files.ALL), ("ts",), id="the order that is lost"
        ),
        pytest.param(
            Change(order=("ts", "id"), files=Files.ALL), (), id="the order that there will be"
        ),
        pytest.param(
            replace(BY_IDS, dropped=(("identity", "name"),)),
            ("name", "ts"),
            id="partitions that are lost",
        ),
    ],
)
def test_what_scans_lose_is_named_by_what_they_skip_files_by(
    change: Change, columns: tuple[str, ...]
) -> None:
    lately = scan(
        part(compared(NAME, Op.EQ, b"n"), pruned=900, share=0.1),
        part(compared(TS, Op.GT_EQ, 0), pruned=900, share=0.1),
        part(compared(ID, Op.EQ, 7), pruned=FILES // 20, share=0.9),
        kept=10,
        share=0.01,
    )
    usage = Night((lately,), spec=[(NAME, "identity")], health=partitioned(10)).usage
    one = trial_of(usage, [finding(change, 1)])
    assert one is not None
    (target,) = one.targets
    now = np.ones(len(one.scans))
    found = tried(one, {target: Read(now, now, *3 * [2 * now])}, OPENING)[target]
    assert found.lost.columns == columns


def test_files_that_have_to_be_opened_are_a_price() -> None:
    one = trial(by_id(100), change=BY_BUCKETS)
    few, many = read([10], [9], [9]), read([10], [9], [900])
    assert not tried(one, {IN_BUCKETS: few}, OPENING)[IN_BUCKETS].is_worse
    assert tried(one, {IN_BUCKETS: many}, OPENING)[IN_BUCKETS].is_worse


@pytest.mark.parametrize(
    "of",
    [
        pytest.param(finding(Change(files=Files.ALL), 1), id="the layout stays"),
        pytest.param(finding(KEPT, 1), id="nothing is done"),
        pytest.param(replace(order(1), suppressed="known"), id="suppressed"),
    ],
)
def test_what_nobody_is_to_run_is_not_tried(of: Finding) -> None:
    assert trial_of(Night((by_id(100),)).usage, [of]) is None


def test_of_many_groups_those_are_tried_that_have_most_to_lose(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Who skips nearly all of the table today, and often, is not left out for who reads it once."""
    monkeypatch.setattr("audit_jobs.findings.trials.MAX_SCANS", 1)
    usage = Night((by_id(FILES), *(by_name(1),) * 3)).usage
    one = trial_of(usage, [order(1)])
    assert one is not None
    assert [usage.groups[scan.group].fingerprint for scan in one.scans] == ["names"]


def test_queries_that_stop_early_are_not_tried() -> None:
    stopped = by_id(100, "stopped")
    assert trial_of(Night((stopped,)).usage, [order(1)]) is None


def test_without_files_nothing_is_tried() -> None:
    empty = Night((by_id(100),), health=None).usage
    assert trial_of(empty, [order(1)]) is None


def settled_of(*findings: Finding, read_: Read, target: Target = SORTED) -> list[Finding]:
    usage = Night((by_id(100), by_name(400))).usage
    one = trial_of(usage, findings)
    assert one is not None
    return settled(usage, findings, tried(one, {target: read_}, OPENING))


def test_findings_of_one_order_share_what_it_wins() -> None:
    less, more = order(10), replace(order(50, 30), cause="d")
    found = settled_of(less, more, read_=read([10, 50], [10, 5]))
    won = 2 * 90 * FILE
    # 20 of the other one's bytes are those of a rewrite of its condition.
    assert [one.bytes_at_stake for one in found] == [won // 4, 20 + won * 3 // 4]


@pytest.mark.parametrize(
    ("before", "then"),
    [(Confidence.HIGH, Confidence.HIGH), (Confidence.LOW, Confidence.MEDIUM)],
)
def test_what_was_tried_is_no_assumption(before: Confidence, then: Confidence) -> None:
    asked = replace(order(10), confidence=before)
    (found,) = settled_of(asked, read_=read([10, 50], [10, 5]))
    assert found.confidence is then


def test_what_an_order_wins_for_others_is_told_with_their_scans() -> None:
    """An order of ids wins names 2 x 360 files as well."""
    own = replace(order(10), bytes_read=2 * 100 * FILE)
    (found,) = settled_of(own, read_=read([10, 40], [1, 5]))
    assert found.bytes_at_stake == (175 + 720) * FILE
    assert (found.scans, found.bytes_read) == (4, 2 * 500 * FILE)
    assert found.sentence == "s Scans that ask for name skip files by it as well."
    assert found.evidence["fingerprints"] == ["ids", "names"]


def test_what_scans_win_that_are_not_told_is_not_at_stake() -> None:
    """Names win a tenth: too little to be told."""
    own = replace(order(10), bytes_read=2 * 100 * FILE)
    (found,) = settled_of(own, read_=read([40, 10], [36, 1]))
    assert (found.bytes_at_stake, found.scans) == (2 * 90 * FILE, 2)


def test_an_order_by_which_others_lose_more_is_not_to_be_made() -> None:
    (found,) = settled_of(order(10), read_=read([10, 50], [20, 5]))
    assert found.fix.change == KEPT
    assert found.evidence["losing_fingerprints"] == ["names"]
    assert "name" in (found.fix.advice or "")


def test_who_skips_no_file_now_is_named_as_others() -> None:
    """Scans of a name that keep all files now, and more of new ones, which are larger."""
    usage = Night((by_id(100), by_name(FILES))).usage
    one = trial_of(usage, [order(10)])
    assert one is not None
    for then, says in (
        ([20, 50], "of a table that is sorted by id"),
        ([1, 50], "other scans lose"),
    ):
        known = tried(one, {SORTED: read([10, 40], then)}, OPENING)
        (found,) = settled(usage, [order(10)], known)
        assert says in (found.fix.advice or "")


def test_partitions_by_which_scans_cost_more_are_not_to_be_made() -> None:
    for stake in (10, None):
        told = settled_of(
            finding(BY_BUCKETS, stake), read_=read([10, 50], [20, 50]), target=IN_BUCKETS
        )
        assert told[0].fix.change == KEPT


def test_what_wins_nothing_is_not_told() -> None:
    """The findings of a night, of which a trial finds that rows are in order already."""
    night = Night((by_id(FILES),))

    def same(trials: Sequence[Trial]) -> Reads:
        ones = np.ones(len(trials[0].scans))
        return {trials[0].table: {SORTED: Read(ones, ones, ones, ones, ones)}}

    def told(trying: Trying) -> list[str]:
        return [one.cause for one in night.judged(Policy(), trying).findings]

    assert "unclustered_column" in told(untried)
    assert "unclustered_column" not in told(same)
