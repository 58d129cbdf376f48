"""Which layout is chosen: the simplest of those that win about as much as the best."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prunescope.audit_jobs.findings.choosing import ROW_GROUPS, chosen
from prunescope.audit_jobs.findings.history import History, PastWindow
from prunescope.audit_jobs.findings.model import KEPT, Change, Files, Finding, Times, Wish
from prunescope.audit_jobs.findings.usage import TableUsage
from tests.audit_jobs.findings.groups import WINDOW
from tests.audit_jobs.findings.usages import BYTES, NAME, TABLE
from tests.audit_jobs.findings.wishes import (
    BUCKETS,
    BY_BOTH,
    BY_ID,
    BY_MONTHS,
    BY_NAME,
    CURVE,
    INSTEAD,
    MOVED,
    RANGES,
    TO_DAYS,
    WITHOUT,
    asking,
    in_all,
    usage,
)

USAGE = usage(spec=[*BY_MONTHS, (NAME, "identity")])
IN_ORDER = usage(in_order=True)
NEWEST = replace(BY_ID, where=Times("at", "timestamptz", 0, None))
TWO_FIELDS = replace(BUCKETS, added=(*BUCKETS.added, ("day", "ts")))
SORTED_BUCKETS = replace(BUCKETS, order=("name",))
SORTED_WITHOUT = replace(WITHOUT, order=("id",))
WITHOUT_NAMES = Change(dropped=(("identity", "name"),), files=Files.ALL)
ID_AND_TIME = replace(BY_ID, order=("id", "ts"))


@dataclass(frozen=True)
class Row:
    """Changes, the points that each of them wins, those by which scans cost more in all, and which
    one is chosen."""

    points: Mapping[Change, float]
    chosen: Change
    worse: frozenset[Change] = field(default_factory=frozenset)


ROWS = {
    "nothing is won": Row({BY_ID: 0}, KEPT),
    "three points are as nothing": Row({BY_ID: 3}, KEPT),
    "four are not": Row({BY_ID: 4}, BY_ID),
    "what wins most": Row({BY_ID: 40, BY_NAME: 45}, BY_NAME),
    "what scans cost more by wins nothing": Row({BY_ID: 40}, KEPT, frozenset({BY_ID})),
    "and hides nothing": Row({BY_ID: 40, BY_NAME: 9}, BY_NAME, frozenset({BY_ID})),
    "files as they are, and another width": Row({TO_DAYS: 43, MOVED: 40}, MOVED),
    "another width, and a sort": Row({BY_ID: 43, TO_DAYS: 40}, TO_DAYS),
    "a sort, and ranges": Row({RANGES: 43, BY_BOTH: 40}, BY_BOTH),
    "a sort, and a Z-order": Row({CURVE: 43, BY_ID: 40}, BY_ID),
    "a Z-order that wins more": Row({CURVE: 44, BY_ID: 40}, CURVE),
    "a sort, and other fields": Row({BUCKETS: 43, BY_ID: 40}, BY_ID),
    "a Z-order, and other fields": Row({BUCKETS: 43, CURVE: 40}, CURVE),
    "other fields that win more": Row({BUCKETS: 44, CURVE: 40}, BUCKETS),
    "a field, and two": Row({TWO_FIELDS: 43, BUCKETS: 40}, BUCKETS),
    "a field, and an order in it": Row({SORTED_BUCKETS: 43, BUCKETS: 40}, BUCKETS),
    "an order in a field, and two fields": Row(
        {TWO_FIELDS: 43, SORTED_BUCKETS: 40}, SORTED_BUCKETS
    ),
    "of sorts what wins two points more": Row({BY_ID: 40, BY_NAME: 42}, BY_NAME),
    "to a point, the fewer columns": Row({BY_BOTH: 40.4, BY_ID: 40}, BY_ID),
    "two columns that win two points more": Row({BY_BOTH: 42, BY_ID: 40}, BY_BOTH),
    "part of the table, and all of it": Row({BY_ID: 43, NEWEST: 40}, NEWEST),
    "all of it wins more": Row({BY_ID: 44, NEWEST: 40}, BY_ID),
    "part of it by a Z-order": Row(
        {replace(CURVE, where=NEWEST.where): 43, BY_ID: 40, CURVE: 43}, BY_ID
    ),
    "a time goes where that wins anything": Row({WITHOUT: 10}, WITHOUT),
    "or where nothing else does": Row({WITHOUT: 10, BY_ID: 0, BUCKETS: 1}, WITHOUT),
    "a sort wins twenty less": Row({WITHOUT: 50, BY_ID: 30}, BY_ID),
    "and twenty-one less": Row({WITHOUT: 51, BY_ID: 30}, WITHOUT),
    "another time comes for it": Row({INSTEAD: 50, BY_ID: 35}, BY_ID),
    "another width takes none away": Row({TO_DAYS: 40, BY_ID: 36}, TO_DAYS),
    "nor does a field of no time": Row({WITHOUT_NAMES: 50, BY_ID: 35}, WITHOUT_NAMES),
    "a time stays for as many fields": Row({WITHOUT: 60, BUCKETS: 45}, BUCKETS),
    "a time stays for what is harder to do": Row({SORTED_WITHOUT: 48, TWO_FIELDS: 50}, TWO_FIELDS),
    "of what keeps the time the best": Row({SORTED_WITHOUT: 50, CURVE: 45, BY_ID: 31}, CURVE),
}


def chosen_of(points: Mapping[Change, float], worse: frozenset[Change]) -> Change:
    """What is chosen of changes that were tried."""
    known = {
        change.layout: in_all(USAGE, won, is_worse=change in worse)
        for change, won in points.items()
    }
    return chosen(USAGE, [], points, known)


@pytest.mark.parametrize("row", [pytest.param(row, id=name) for name, row in ROWS.items()])
def test_the_simplest_of_the_best_is_chosen(row: Row) -> None:
    assert chosen_of(row.points, row.worse) == row.chosen
    backwards = dict(reversed([*row.points.items()]))
    assert chosen_of(backwards, row.worse) == row.chosen


changes = st.sampled_from(
    [change for row in ROWS.values() for change in row.points if change != KEPT]
)
wins = st.dictionaries(changes, st.integers(-20, 90), max_size=6)


@given(points=wins, worse=st.frozensets(changes), data=st.data())
def test_whatever_is_won(
    points: dict[Change, float], worse: frozenset[Change], data: st.DataObject
) -> None:
    found = chosen_of(points, worse)
    assert found not in worse
    shuffled = data.draw(st.permutations(list(points.items())))
    assert chosen_of(dict(shuffled), worse) == found
    won = {change: n for change, n in points.items() if change not in worse} | {KEPT: 0}
    if won[found] < max(won.values()) - 3:
        best = max(won, key=lambda change: won[change])
        assert ("month", "at") in best.dropped
        assert won[found] >= won[best] - 23
    others = [n for change, n in won.items() if not change.dropped and n > 3]
    if found in (WITHOUT, INSTEAD, SORTED_WITHOUT):
        assert won[found] > 20 + max(others, default=-20)


@pytest.mark.parametrize(
    ("of", "change", "chosen_"),
    [
        pytest.param(USAGE, BY_ID, BY_ID, id="as it asks"),
        pytest.param(IN_ORDER, BY_ID, KEPT, id="scans skip files by another order"),
        pytest.param(IN_ORDER, ID_AND_TIME, ID_AND_TIME, id="which is in it"),
        pytest.param(
            IN_ORDER, replace(BUCKETS, keeps=("ts",)), replace(BUCKETS, keeps=("ts",)), id="or kept"
        ),
    ],
)
def test_what_was_not_tried_wins_what_findings_say(
    of: TableUsage, change: Change, chosen_: Change
) -> None:
    assert chosen(of, [asking(change, "ids")], [change], {}) == chosen_


@pytest.mark.parametrize(
    ("points", "is_chosen"), [((2, 2), True), ((1, 2), False), ((4, None), True)]
)
def test_findings_of_one_layout_win_together(
    points: tuple[float | None, ...], is_chosen: bool
) -> None:
    found = [asking(BY_ID, "ids", points=n) for n in points]
    assert chosen(USAGE, found, [BY_ID], {}) == (BY_ID if is_chosen else KEPT)


def test_what_nobody_asks_for_wins_nothing_before_it_is_tried() -> None:
    assert chosen(USAGE, [asking(BY_ID, "ids", points=1)], [BY_NAME, BY_BOTH], {}) == KEPT


ANY = Wish(fewer_files=True, any_of=(TO_DAYS, WITHOUT))


@pytest.mark.parametrize(
    ("finding", "opening", "is_chosen"),
    [
        pytest.param(asking(WITHOUT, wish=Wish(fewer_files=True)), 10, True, id="fewer files"),
        pytest.param(asking(WITHOUT, wish=Wish(fewer_files=True)), 2, False, id="hardly fewer"),
        pytest.param(asking(WITHOUT, wish=ANY), 20, True, id="any of these"),
        pytest.param(asking(WITHOUT, wish=ANY), 19, False, id="any, and not clearly fewer"),
        pytest.param(asking(WITHOUT), 20, False, id="asked for otherwise"),
        pytest.param(asking(BY_ID, wish=Wish(fewer_files=True)), 20, False, id="by another"),
    ],
)
def test_files_count_where_a_change_is_asked_for_as_they_are_fewer(
    finding: Finding, opening: int, is_chosen: bool
) -> None:
    known = {WITHOUT.layout: in_all(USAGE, 0, opening=opening)}
    assert chosen(USAGE, [finding], [WITHOUT], known) == (WITHOUT if is_chosen else KEPT)


def test_what_an_order_wins_inside_of_files_is_beside_what_is_tried() -> None:
    known = {BY_ID.layout: in_all(USAGE, 0), BY_NAME.layout: in_all(USAGE, 5)}
    inside = asking(BY_ID, "ids", lost_at=ROW_GROUPS)
    assert chosen(USAGE, [inside], [BY_ID, BY_NAME], known) == BY_ID


def test_what_was_read_before_counts_once_it_is_read_no_more() -> None:
    """Three in a hundred of what is read, and of what was read before times were in order."""
    past = PastWindow(WINDOW, scans=2, bytes_kept=100, bytes_total=100, data_files_total=1)
    mended = usage(in_order=True, history=History({(TABLE, "times"): (past,)}))
    for of, found in ((IN_ORDER, BY_ID), (mended, KEPT)):
        assert chosen(of, [], [BY_ID], {BY_ID.layout: in_all(of, 2.7)}) == found


@pytest.mark.parametrize(
    ("limit", "points", "chosen_"),
    [
        pytest.param(None, 30, BY_ID, id="no limit"),
        pytest.param(1.0, 30, BY_ID, id="all of the table"),
        pytest.param(0.2, 30, NEWEST, id="as much as the part has"),
        pytest.param(0.19, 30, BY_ID, id="less: nothing else is there"),
        pytest.param(0.2, 20, BY_ID, id="too little to be told"),
    ],
)
def test_what_a_night_may_not_do_is_done_where_nothing_else_is_worth_it(
    limit: float | None, points: float, chosen_: Change
) -> None:
    of = replace(USAGE, rewrite_bytes=None if limit is None else round(limit * BYTES))
    known = {
        BY_ID.layout: in_all(of, 60),
        BY_NAME.layout: in_all(of, 50),
        NEWEST.layout: in_all(of, points, rewritten=0.2),
    }
    assert chosen(of, [], [BY_ID, BY_NAME, NEWEST], known) == chosen_
