"""Columns that are asked for one by one have one order, where that wins more than any sort."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from itertools import permutations

import pytest
from audit_jobs.findings.joint_orders import joint_targets
from audit_jobs.findings.settling import settled

from audit_jobs.findings.disturbance import UNDISTURBED, Disturbance
from audit_jobs.findings.model import KEPT, Change, Files, Finding, Fix, Wish
from audit_jobs.findings.ranges_of_values import roundings
from audit_jobs.findings.trials import Target, Tried
from audit_jobs.findings.unused_conditions import serves_later, serving_later
from tests.audit_jobs.findings.test_settling import BY_ID, BY_TS, finding, of_spread, scan, usage

SORTED = {name: Target(frozenset(), (name,)) for name in "abc"}
A_AND_B = Target(frozenset(), ("a", "b"), is_zorder=True)
A_THEN_B = Target(frozenset(), ("a", "b"))
B_THEN_A = Target(frozenset(), ("b", "a"))
ALL = Target(frozenset(), ("a", "b", "c"), is_zorder=True)
USAGE = usage(scan("q", BY_ID, 0))
IN_ORDER_OF_ID = usage(scan("q", BY_ID, 90))
IN_ORDER_OF_TIME = usage(scan("q", BY_TS, 90))
B_AND_ID = Target(frozenset(), ("b", "id"), is_zorder=True)
BY_ID_ALONE = Target(frozenset(), ("id",))
BY_RANGES = Target(frozenset(), ("id", "ts"), rounded="truncate[100000]")


def asking(column: str, won: int) -> Finding:
    """A finding whose queries filter by one column, and would be served by a sort."""
    found = replace(of_spread(finding(column, won)), columns=(column,), scans=10)
    return replace(found, lost_at="data_files", evidence={"fingerprints": [f"of {column}"]})


def known(won: int, *, share: float = 0.5, lost: int = 0, is_worse: bool = False) -> Tried:
    undone = Disturbance(lost, {"q": 1}, ("id",)) if lost else UNDISTURBED
    return Tried(won, share, undone, is_worse, {"of b": won + lost})


TWO = [asking("b", 90), asking("a", 80)]
WITHHELD = Fix(wish=Wish(withheld=Change(added=(("identity", "a"),), files=Files.ALL)))
SORTS = {SORTED["a"]: known(80), SORTED["b"]: known(90)}


def sorts_of(columns: Iterable[str]) -> list[Target]:
    return [Target(frozenset(), pair) for pair in permutations(columns, 2)]


def zorders_of(*names: Iterable[str]) -> list[Target]:
    return [Target(frozenset(), tuple(columns), is_zorder=True) for columns in names]


def test_the_columns_that_win_most_are_tried_together() -> None:
    three = [asking("c", 1), *TWO]
    found = joint_targets(three, USAGE)
    assert found == [*sorts_of("bac"), *zorders_of("ab", "bc", "ac", "abc")]
    assert joint_targets([asking("d", 0), *three], USAGE) == found
    assert joint_targets(TWO, USAGE) == [B_THEN_A, A_THEN_B, A_AND_B]
    assert joint_targets(TWO[:1], USAGE) == []


def test_the_order_that_rows_have_is_tried_beside_one_that_would_undo_it() -> None:
    """Also that of a time, in which rows come."""
    beside = [one for one in joint_targets(TWO[:1], IN_ORDER_OF_ID) if one.rounded == "identity"]
    assert beside == [*sorts_of(["b", "id"]), *zorders_of(["b", "id"])]
    assert joint_targets([], IN_ORDER_OF_ID) == []
    times = joint_targets(TWO[:1], IN_ORDER_OF_TIME)
    assert times == [*sorts_of(["b", "ts"]), *zorders_of(["b", "ts"])]


def test_ranges_of_what_is_asked_for_are_tried_with_the_order_that_rows_have() -> None:
    by_id = asking("id", 90)
    found = [one for one in joint_targets([by_id], IN_ORDER_OF_TIME) if one.rounded != "identity"]
    assert [one.rounded for one in found] == roundings(IN_ORDER_OF_TIME, "id")
    assert {one.order for one in found} == {("id", "ts")}
    assert BY_RANGES in found
    assert joint_targets([by_id], IN_ORDER_OF_ID) == []


def test_ranges_of_either_are_tried_where_both_are_asked_for() -> None:
    both = [asking("id", 90), asking("ts", 80)]
    found = [one for one in joint_targets(both, USAGE) if one.rounded != "identity"]
    assert [one.rounded for one in found] == roundings(USAGE, "id")
    assert {one.order for one in found} == {("id", "ts")}


def test_rows_that_are_in_ranges_of_it_are_not_told_other_widths() -> None:
    in_ranges = usage(scan("q", BY_TS, 90), depth=12)
    found = joint_targets([asking("id", 90)], in_ranges)
    assert {one.order for one in found} == {("id", "ts"), ("ts", "id")}
    assert {one.rounded for one in found} == {"identity"}


def test_ranges_of_the_order_that_rows_have_are_tried_with_what_is_asked_for() -> None:
    """Of a sensor's readings, a day is asked for."""
    by_time = asking("ts", 90)
    found = [one for one in joint_targets([by_time], IN_ORDER_OF_ID) if one.rounded != "identity"]
    assert [one.rounded for one in found] == roundings(IN_ORDER_OF_ID, "id")
    assert {one.order for one in found} == {("id", "ts")}
    whole = known(-20, lost=110)
    tried = {Target(frozenset(), ("ts",)): whole, BY_RANGES: known(60, lost=10)}
    (told,) = settled(IN_ORDER_OF_ID, [by_time], tried)
    assert told.columns == ("id", "ts")
    assert "filter by ts, whose values are spread over all files, and others" in told.sentence
    assert "skip files by the order of id. A sort" in told.sentence
    assert "rows of each range of id in order of ts" in told.sentence


@pytest.mark.parametrize(
    "other",
    [
        replace(TWO[1], suppressed="known"),
        replace(TWO[1], fix=finding("a", 80).fix),
        replace(TWO[1], fix=WITHHELD),
    ],
)
def test_of_other_findings_there_is_no_joint_order(other: Finding) -> None:
    assert joint_targets([TWO[0], other], USAGE) == []


def test_a_joint_order_is_one_finding() -> None:
    (found,) = settled(USAGE, TWO, {**SORTS, A_AND_B: known(150)})
    assert found.columns == ("a", "b")
    assert (found.scans, found.bytes_at_stake) == (20, 150)
    assert found.evidence["fingerprints"] == ["of a", "of b"]
    assert found.fix.change == Change(order=("a", "b"), is_zorder=True, files=Files.ALL)


def test_a_z_order_keeps_some_of_the_order_that_a_sort_would_undo() -> None:
    tried = {SORTED["b"]: known(-20, lost=110), B_AND_ID: known(60, lost=10)}
    (found,) = settled(IN_ORDER_OF_ID, TWO[:1], tried)
    assert found.columns == ("b", "id")
    assert found.bytes_at_stake == 60
    assert "filter by b, whose values are spread over all files, and others" in found.sentence
    assert "skip files by the order of id. A sort" in found.sentence
    assert found.fix.change == Change(order=("b", "id"), is_zorder=True, files=Files.ALL)
    assert found.fix.advice is not None
    assert "1 scan by id loses" in found.fix.advice


@pytest.mark.parametrize(
    "tried",
    [
        pytest.param(known(60, lost=70), id="who has an order loses more than all win"),
        pytest.param(known(60, share=0.1), id="all win little"),
    ],
)
def test_the_order_that_rows_have_stays_where_another_does_not_pay(tried: Tried) -> None:
    known_orders = {SORTED["b"]: known(-20, lost=110), B_AND_ID: tried}
    assert [f for f in settled(IN_ORDER_OF_ID, TWO[:1], known_orders) if f.fix.change.acts] == []


def test_a_sort_by_two_columns_is_one_finding() -> None:
    """As of a column of few values, and of another one in each."""
    (found,) = settled(USAGE, TWO, {**SORTS, B_THEN_A: known(95), A_THEN_B: known(150)})
    assert found.columns == ("a", "b")
    assert (found.scans, found.bytes_at_stake) == (20, 150)
    assert "rows of each a in order of b" in found.sentence
    assert found.fix.change == Change(order=("a", "b"), files=Files.ALL)


@pytest.mark.parametrize(
    ("order", "won", "columns"),
    [
        pytest.param(ALL, 160, ("a", "b", "c"), id="a third column is served as well"),
        pytest.param(ALL, 155, ("a", "b"), id="by about as much"),
        pytest.param(A_AND_B, 160, ("a", "b"), id="the same columns"),
        pytest.param(A_AND_B, 190, ("a", "b"), id="the same columns, clearly better"),
    ],
)
def test_a_z_order_that_serves_one_more_column_need_not_win_clearly_more(
    order: Target, won: int, columns: tuple[str, ...]
) -> None:
    tried = {**SORTS, SORTED["c"]: known(70), A_THEN_B: known(150), order: known(won)}
    found = settled(USAGE, [*TWO, asking("c", 70)], tried)
    (told,) = (one for one in found if one.fix.change.acts)
    assert told.columns == columns
    assert told.fix.change.is_zorder is (columns == ALL.order or won == 190)


def test_rows_of_ranges_keep_some_of_the_order_that_a_sort_would_undo() -> None:
    by_ranges = replace(known(90, lost=10), won_by={"of id": 100})
    tried = {BY_ID_ALONE: known(60, lost=70), BY_RANGES: by_ranges}
    (found,) = settled(IN_ORDER_OF_TIME, [asking("id", 80)], tried)
    assert found.columns == ("id", "ts")
    assert found.bytes_at_stake == 90
    assert "rows of each range of id in order of ts" in found.sentence
    assert found.fix.change == Change(
        order=("id", "ts"), rounded="truncate[100000]", files=Files.ALL
    )


def test_a_joint_order_serves_what_waits_for_its_condition_only_then() -> None:
    waiting = replace(TWO[0], fix=serving_later(TWO[0].fix))
    (found,) = settled(USAGE, [waiting, TWO[1]], {**SORTS, A_AND_B: known(150)})
    assert serves_later(found.fix)
    (found,) = settled(USAGE, TWO, {**SORTS, A_AND_B: known(150)})
    assert not serves_later(found.fix)


@pytest.mark.parametrize(
    ("won", "lost", "is_told"),
    [
        pytest.param(92, 30, True, id="less than half is lost"),
        pytest.param(88, 30, False, id="less is won than about as much"),
        pytest.param(92, 45, False, id="half is lost as well"),
        pytest.param(106, 45, True, id="more is won"),
    ],
)
def test_of_orders_that_win_about_as_much_one_is_told_by_which_others_lose_less(
    won: int, lost: int, *, is_told: bool
) -> None:
    tried = {BY_ID_ALONE: known(100, lost=80), BY_RANGES: known(won, lost=lost)}
    (found,) = settled(IN_ORDER_OF_TIME, [asking("id", 180)], tried)
    assert (found.columns == ("id", "ts")) is is_told


def test_what_few_lose_beside_much_that_is_won_decides_nothing() -> None:
    tried = {BY_ID_ALONE: known(100, lost=9), BY_RANGES: known(99)}
    (found,) = settled(IN_ORDER_OF_TIME, [asking("id", 109)], tried)
    assert found.columns == ("id",)


def test_a_z_order_is_told_where_it_wins_clearly_more_than_a_sort_by_two_columns() -> None:
    both = {**SORTS, A_THEN_B: known(120), A_AND_B: known(140)}
    (found,) = settled(USAGE, TWO, both)
    assert found.fix.change == Change(order=("a", "b"), files=Files.ALL)
    (found,) = settled(USAGE, TWO, {**both, A_AND_B: known(150)})
    assert found.fix.change.is_zorder


def test_the_best_of_several_is_told() -> None:
    third = asking("c", 70)
    best = {**SORTS, SORTED["c"]: known(70), A_AND_B: known(150), ALL: known(170)}
    (found,) = settled(USAGE, [*TWO, third], best)
    assert found.columns == ("a", "b", "c")
    joined, left = settled(USAGE, [*TWO, third], {**best, ALL: known(140)})
    assert joined.columns == ("a", "b")
    assert (left.columns, left.fix.change) == (("c",), KEPT)
    assert left.evidence["better_order"] == ["a", "b"]


@pytest.mark.parametrize(
    "tried",
    [
        pytest.param({**SORTS, A_AND_B: known(107)}, id="hardly better"),
        pytest.param({**SORTS, A_AND_B: known(150, is_worse=True)}, id="more files"),
        pytest.param({**SORTS, A_THEN_B: known(94)}, id="a sort that is hardly better"),
        pytest.param(SORTS, id="not tried"),
        pytest.param({SORTED["b"]: known(90), A_AND_B: known(150)}, id="a sort not tried"),
    ],
)
def test_else_the_best_sort_is(tried: dict[Target, Tried]) -> None:
    best, other = settled(USAGE, TWO, tried)
    assert best.columns == ("b",)
    assert best.fix.change == Change(order=("b",), files=Files.ALL)
    assert other.fix.change == KEPT


def test_what_a_sort_wins_for_scans_that_wait_for_it_is_at_stake() -> None:
    read = TWO[0].bytes_read
    both = usage(scan("of a", BY_ID, 0), scan("of b", BY_TS, 0))
    won = {"of a": read // 2, "of b": read}
    by_b = replace(known(read + read // 2), won_by=won)
    best, other = settled(both, TWO, {SORTED["a"]: known(read // 2), SORTED["b"]: by_b})
    assert best.bytes_at_stake == read + read // 2
    assert (best.scans, best.bytes_read) == (11, 2 * read)
    assert best.sentence.endswith("Scans that ask for id skip files by it as well.")
    assert (other.bytes_at_stake, other.scans) == (None, 10)


def test_no_more_is_at_stake_than_is_read() -> None:
    (found,) = settled(USAGE, TWO[:1], {SORTED["b"]: known(2 * TWO[0].bytes_read)})
    assert (found.bytes_at_stake, found.scans) == (found.bytes_read, 10)
