"""What is made of layouts that were tried on rows: who wins, and who loses."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from prunescope.audit_jobs.findings.model import Change, Files
from prunescope.audit_jobs.findings.policy import Policy
from prunescope.audit_jobs.findings.trials import (
    Read,
    Reads,
    Trial,
    Trying,
    trial_of,
    tried,
    untried,
    usual_row_group,
)
from prunescope.audit_jobs.pruning.summary import Funnel
from prunescope.audit_jobs.records import ScanRecord
from prunescope.collectors.predicates.model import Predicate, all_of
from prunescope.collectors.predicates.operators import Op
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
BY_IDS = Change(order=("id",), files=Files.ALL)
BY_BUCKETS = Change(added=(("bucket[8]", "id"),), files=Files.ALL)
SORTED, IN_BUCKETS = BY_IDS.layout, BY_BUCKETS.layout


def by_id(kept: int, *traits: str) -> ScanRecord:
    """A scan by id that keeps so many files, of which some share match."""
    conjunct = part(compared(ID, Op.EQ, 5), pruned=FILES - kept, share=0.001)
    return scan(conjunct, kept=kept, share=0.001, fingerprint="ids", traits=frozenset(traits))


def by_name(kept: int) -> ScanRecord:
    conjunct = part(compared(NAME, Op.EQ, b"n"), pruned=FILES - kept, share=0.001)
    return scan(conjunct, kept=kept, share=0.001, fingerprint="names")


def trial(*scans: ScanRecord, change: Change) -> Trial:
    found = trial_of(Night(scans).usage, [change])
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
    before, after = (np.repeat(np.array(one, np.float64), 2) for one in (now, then))
    return Read(
        before,
        before,
        after,
        np.repeat(np.array(files or then, np.float64), 2),
        np.repeat(np.array(row_groups or then, np.float64), 2),
    )


def test_scans_of_a_table_change_as_what_they_keep_of_sampled_files_does() -> None:
    one = trial(by_id(100), by_name(400), change=BY_IDS)
    # By id a tenth of what they read, by name twice as much. What reads most comes first.
    found = tried(one, {SORTED: read([10, 50], [20, 5])}, OPENING)[SORTED]
    assert found.won == 2 * (90 - 400) * FILE
    assert (found.lost.bytes, tuple(found.lost.scans)) == (2 * 400 * FILE, ("names",))
    assert found.lost.columns == ("name",)
    assert found.is_worse
    more = {"ids": -2 * 90 * FILE, "names": 2 * 400 * FILE}
    assert found.more == tuple(more[group.fingerprint or ""] for group in one.usage.groups)


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
    assert found.won / (2 * 500 * FILE) == pytest.approx(won, abs=0.001)


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
    one = trial_of(usage, [change])
    assert one is not None
    (layout,) = one.layouts
    now = np.ones(len(one.scans))
    then = 2 * now
    found = tried(one, {layout: Read(now, now, then, then, then)}, OPENING)[layout]
    assert found.lost.columns == columns


def test_files_that_have_to_be_opened_are_a_price() -> None:
    one = trial(by_id(100), change=BY_BUCKETS)
    few, many = read([10], [9], [9]), read([10], [9], [900])
    fewer = tried(one, {IN_BUCKETS: few}, OPENING)[IN_BUCKETS]
    assert (fewer.is_worse, fewer.opening_won) == (False, 2 * 10 * OPENING)
    more = tried(one, {IN_BUCKETS: many}, OPENING)[IN_BUCKETS]
    assert (more.is_worse, more.opening_won) == (True, -2 * 8900 * OPENING)


@pytest.mark.parametrize(
    ("is_used", "names", "is_yet"),
    [
        pytest.param(False, 500, True, id="names lose what ids win only then"),
        pytest.param(False, 400, False, id="nobody loses"),
        pytest.param(True, 500, False, id="ids win now"),
    ],
)
def test_what_conditions_win_that_no_engine_uses_is_not_won_yet(
    is_used: bool, names: int, is_yet: bool
) -> None:
    unused = scan(part(compared(ID, Op.EQ, 5), pushed=is_used), fingerprint="ids")
    one = trial(unused, by_name(400), change=BY_IDS)
    found = tried(one, {SORTED: read([1000, 400], [100, names])}, OPENING)[SORTED]
    assert (found.is_worse, found.is_worse_yet) == (False, is_yet)


@pytest.mark.parametrize("is_assumed", [False, True])
def test_rows_that_were_not_read_are_assumed(is_assumed: bool) -> None:
    reads = read([10], [9])._replace(is_assumed=is_assumed)
    found = tried(trial(by_id(100), change=BY_IDS), {SORTED: reads}, OPENING)
    assert found[SORTED].is_assumed is is_assumed


def test_of_changes_of_one_layout_one_is_tried() -> None:
    usage = Night((by_id(100),)).usage
    bounded = replace(BY_IDS, modes=(("id", "full"),))
    one = trial_of(usage, [BY_IDS, bounded, BY_BUCKETS])
    assert one is not None
    assert one.modes == {SORTED: {"id": "full"}, IN_BUCKETS: {}}
    assert trial_of(usage, []) is None


def test_of_many_groups_those_are_tried_that_have_most_to_lose(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Who skips nearly all of the table today, and often, is not left out for who reads it once."""
    monkeypatch.setattr("prunescope.audit_jobs.findings.trials.SCANS_TRIED", 1)
    usage = Night((by_id(FILES), *(by_name(1),) * 3)).usage
    one = trial_of(usage, [BY_IDS])
    assert one is not None
    assert [usage.groups[scan.group].fingerprint for scan in one.scans] == ["names"]


def test_queries_that_stop_early_are_not_tried() -> None:
    stopped = by_id(100, "stopped")
    assert trial_of(Night((stopped,)).usage, [BY_IDS]) is None


def test_without_files_nothing_is_tried() -> None:
    empty = Night((by_id(100),), health=None).usage
    assert trial_of(empty, [BY_IDS]) is None


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
