"""Which layouts are tried: what findings ask for, and what may serve several of them at once."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations, permutations
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prunescope.audit_jobs.findings.model import KEPT, Change, Files, Finding, Wish
from prunescope.audit_jobs.findings.proposing import in_steady_fields, proposed, wish_of
from prunescope.audit_jobs.findings.usage import TableUsage
from tests.audit_jobs.findings.usages import (
    AT,
    ID,
    MONTH,
    NAME,
    TS,
    column,
    days_before,
    partitioned,
    table,
)
from tests.audit_jobs.findings.wishes import (
    BUCKETS,
    BY_ID,
    BY_MONTHS,
    BY_NAME,
    INSTEAD,
    MOVED,
    TO_DAYS,
    asking,
    usage,
)

USAGE = usage()
OF_IDS = asking(BY_ID, "ids")
BY_TIME = Change(order=("ts",), files=Files.ALL)
OF_TIMES = asking(BY_TIME, "times")
BY_DAYS = Change(added=(("day", "ts"),), files=Files.ALL)
UNREAD = usage(spec=[(MONTH, "identity")], health=partitioned(12), history=days_before(7))
OPEN = table(column(TS, with_null=0.1), column(AT, with_null=0.1))
WITHOUT_MONTH = Change(dropped=(("identity", "month"),), files=Files.ALL)


def sort(*columns: str, **changes: Any) -> Change:
    return replace(Change(order=columns, files=Files.ALL), **changes)


def test_without_a_wish_nothing_is_tried() -> None:
    silent = [asking(KEPT), asking(Change(files=Files.ALL)), replace(OF_IDS, suppressed="known")]
    assert [wish_of(one) for one in silent] == [None] * 3
    assert proposed(USAGE, silent) == ()


def test_a_sort_is_tried_beside_orders_of_what_filters_compare() -> None:
    """Of ids in a thousand files there are ranges of 16, 32 and 63 of them, of names one letter."""
    others = ["name", "at", "ts"]
    pairs = [*(("id", one) for one in others), *((one, "id") for one in others)]
    curves = (
        sort(*sorted(some), is_zorder=True)
        for size in (2, 3)
        for some in combinations(["id", *others], size)
    )
    ranges = [
        sort("id", one, rounded=f"truncate[{width}]")
        for one in others
        for width in (63_000, 32_000, 16_000)
    ]
    found = proposed(USAGE, [OF_IDS])
    assert found[0] == BY_ID
    assert len(found) == len({*found})
    of_names = sort("name", "id", rounded="truncate[1]")
    assert {*found} == {BY_ID, *(sort(*pair) for pair in pairs), *ranges, of_names, *curves}


def test_what_is_asked_for_most_is_first_as_it_is() -> None:
    wishes = [
        asking(BY_ID, "ids", points=2),
        asking(MOVED, "names", points=None),
        asking(replace(BUCKETS, keeps=("ts",)), "ids", points=9),
    ]
    assert proposed(USAGE, wishes)[:3] == (replace(BUCKETS, keeps=("ts",)), BY_ID, MOVED)


def test_what_waits_for_more_windows_is_tried() -> None:
    waits = asking(KEPT, "times", wish=Wish(withheld=INSTEAD))
    found = proposed(usage(spec=BY_MONTHS, health=partitioned(12)), [waits])
    assert found[0] == INSTEAD
    assert replace(INSTEAD, order=("ts",)) in found


@pytest.mark.parametrize(("days", "dropped"), [(6, INSTEAD.dropped), (5, ())])
def test_an_order_takes_the_place_of_a_field_whose_values_change(
    days: int, dropped: tuple[tuple[str, str], ...]
) -> None:
    """The field to be replaced is dropped if a week has shown that nobody uses it."""
    of = usage(spec=BY_MONTHS, health=partitioned(12), history=days_before(days))
    of = replace(of, changing=frozenset({"ts"}))
    assert in_steady_fields(of, INSTEAD) == replace(BY_TIME, dropped=dropped)


def test_buckets_are_no_order() -> None:
    assert proposed(USAGE, [asking(BUCKETS, "ids")]) == (BUCKETS,)


def test_in_other_partitions_orders_are_sorts() -> None:
    found = proposed(USAGE, [asking(BUCKETS, "ids"), asking(BY_NAME, "names")])
    inside = {one.order for one in found if one.added}
    assert {(), ("name",), ("name", "id"), ("id", "name")} <= inside
    assert all(not one.is_zorder and one.rounded == "identity" for one in found if one.added)


@pytest.mark.parametrize(
    ("other", "together"),
    [
        pytest.param(BY_DAYS, replace(BUCKETS, added=(*BUCKETS.added, ("day", "ts"))), id="two"),
        pytest.param(
            TO_DAYS,
            replace(TO_DAYS, added=(*BUCKETS.added, *TO_DAYS.added)),
            id="one in the place of another",
        ),
        pytest.param(
            Change(added=(("identity", "id"),), files=Files.ALL), None, id="of the same column"
        ),
        pytest.param(WITHOUT_MONTH, None, id="one that only goes"),
    ],
)
def test_fields_that_are_asked_for_are_tried_together(
    other: Change, together: Change | None
) -> None:
    found = proposed(USAGE, [asking(BUCKETS, "ids", points=9), asking(other, "times", points=8)])
    assert {BUCKETS, other} <= {*found}
    both = [
        one
        for one in found
        if len(one.added) > 1 or (one.added and WITHOUT_MONTH.dropped[0] in one.dropped)
    ]
    assert [one for one in both if not one.order] == ([] if together is None else [together])


@pytest.mark.parametrize(
    ("of", "dropped"),
    [
        pytest.param(USAGE, (), id="no partitions"),
        pytest.param(UNREAD, WITHOUT_MONTH.dropped, id="partitions that nobody reads"),
    ],
)
def test_a_time_that_is_asked_for_may_cut_the_table(
    of: TableUsage, dropped: tuple[tuple[str, str], ...]
) -> None:
    found = proposed(of, [OF_TIMES])
    by_time = [one for one in found if "ts" in {name for _, name in one.added}]
    assert by_time
    assert {one.dropped for one in by_time} == {dropped}
    assert {(), ("ts",), ("name", "ts")} <= {one.order for one in by_time}


@pytest.mark.parametrize(
    "of",
    [
        pytest.param(usage(health=OPEN), id="rows may be without"),
        pytest.param(usage(health=None), id="nothing is known"),
        pytest.param(replace(USAGE, overwrites=1), id="partitions are overwritten"),
        pytest.param(replace(USAGE, changing=frozenset({"ts"})), id="statements change the time"),
        pytest.param(usage(spec=[(NAME, "identity")], health=partitioned(12)), id="by names"),
        pytest.param(replace(UNREAD, overwrites=1), id="that nobody reads, and some overwrite"),
    ],
)
def test_no_field_comes_or_goes_unasked(of: TableUsage) -> None:
    assert not any(one.changes_fields for one in proposed(of, [OF_TIMES]))


@pytest.mark.parametrize(
    ("wish", "changing", "instead"),
    [
        pytest.param(BY_DAYS, {"ts"}, BY_TIME, id="days of a time"),
        pytest.param(INSTEAD, {"ts"}, BY_TIME, id="the fields that there are stay"),
        pytest.param(
            replace(BUCKETS, added=(*BUCKETS.added, ("identity", "name"))),
            {"name"},
            replace(BUCKETS, order=("name",)),
            id="one of two",
        ),
        pytest.param(replace(BY_DAYS, order=("id",)), {"ts"}, sort("ts", "id"), id="in an order"),
        pytest.param(TO_DAYS, {"at"}, TO_DAYS, id="rows move by that column anyway"),
        pytest.param(BY_DAYS, {"at"}, BY_DAYS, id="of another column"),
        pytest.param(BY_ID, {"id"}, BY_ID, id="an order"),
    ],
)
def test_what_statements_change_is_an_order_and_no_field(
    wish: Change, changing: set[str], instead: Change
) -> None:
    of = replace(USAGE, changing=frozenset(changing))
    found = proposed(of, [asking(wish, "ids")])
    assert found[0] == instead
    assert proposed(of, [asking(instead, "ids")])[0] == instead
    waits = asking(KEPT, "ids", wish=Wish(withheld=wish))
    assert proposed(of, [waits]) == found


def test_of_buckets_that_would_change_nothing_is_left() -> None:
    of = replace(USAGE, changing=frozenset({"id"}))
    assert proposed(of, [asking(BUCKETS, "ids")]) == ()
    assert proposed(of, [asking(BUCKETS, "ids"), OF_TIMES]) == proposed(of, [OF_TIMES])


def test_partitions_that_nobody_reads_may_go_with_any_order() -> None:
    found = proposed(UNREAD, [OF_IDS])
    assert {WITHOUT_MONTH, replace(WITHOUT_MONTH, order=("id",))} <= {*found}
    few = usage(spec=[(MONTH, "identity")], health=partitioned(12), history=days_before(3))
    assert not any(one.changes_fields for one in proposed(few, [OF_IDS]))


def test_the_order_that_rows_have_is_beside_what_is_asked_for() -> None:
    """Of six columns that are asked for, three and the time."""
    in_order = usage(in_order=True)
    asked = [asking(sort(name), "ids") for name in ("at", "id", "key", "month", "name")]
    pairs = {one.order for one in proposed(in_order, asked) if len(one.order) == 2}
    assert pairs == {*permutations(["at", "id", "key", "ts"], 2)}


def test_rows_that_are_in_ranges_stay_in_those() -> None:
    depths = [column(of, depth=10.0) for of in (ID, NAME, TS)]
    found = proposed(usage(health=table(*depths)), [OF_IDS])
    rounded = {one.order for one in found if one.rounded != "identity"}
    assert rounded == {("id", "at")}


wishes = st.sampled_from([BY_ID, BY_NAME, BY_TIME, BUCKETS, BY_DAYS, MOVED, WITHOUT_MONTH, KEPT])
asked = st.lists(
    st.builds(
        lambda change, points, suppressed: asking(
            change, "ids", points=points, suppressed=suppressed
        ),
        wishes,
        st.sampled_from([None, 0, 3, 20]),
        st.sampled_from([None, None, "known"]),
    ),
    max_size=5,
)
usages = st.sampled_from([USAGE, UNREAD, usage(in_order=True), replace(UNREAD, overwrites=1)])


@given(
    of=usages, findings=asked, changing=st.frozensets(st.sampled_from(sorted(USAGE.names.values())))
)
def test_no_field_is_of_what_statements_change(
    of: TableUsage, findings: list[Finding], changing: frozenset[str]
) -> None:
    found = proposed(replace(of, changing=changing), findings)
    assert not {name for one in found for _, name in one.added} & changing
    by_changing = sort(*sorted(changing)[:1])
    assert not changing or by_changing in proposed(of, [asking(by_changing)])


@given(of=usages, findings=asked, random=st.randoms())
def test_whatever_is_asked_for(of: TableUsage, findings: list[Finding], random: Random) -> None:
    found = proposed(of, findings)
    wanted = [wish for one in findings if (wish := wish_of(one)) is not None]
    assert len(found) == len({*found})
    assert {*found[: len({*wanted})]} == {*wanted}
    assert all(one.moves_rows and one.files is Files.ALL for one in found)
    assert all(
        not (one.changes_fields and (one.is_zorder or one.rounded != "identity")) for one in found
    )
    told = [one for one in findings if one.suppressed is None]
    assert proposed(of, told) == found
    assert proposed(of, random.sample(findings, len(findings))) == found
