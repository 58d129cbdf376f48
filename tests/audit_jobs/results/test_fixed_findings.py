"""What became of what findings promised, by what was done to the table since."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from prunescope.audit_jobs.findings.history import History, PastFinding, PastWindow
from prunescope.audit_jobs.findings.rows import first_key
from prunescope.audit_jobs.records import Window
from prunescope.audit_jobs.results.fixed_findings import Found, State, mended, state_of
from prunescope.audit_jobs.results.sums import SUMMED, PassSums, RunSums, ScanSums, key_of
from prunescope.audit_jobs.sinks.published_history import past_findings
from prunescope.collectors.observed import TableName
from tests.audit_jobs.results.nights import (
    DAY,
    ORDERS,
    THEN,
    VALUES,
    File,
    Night,
    Query,
    asked,
    finding_of,
    fixed,
    grown,
    in_order,
    next_night,
    packed,
    rows_of,
    shrunk,
    thinned,
    told,
)

SPREAD = Night(
    files=tuple(File(100, {"a": (0, VALUES - 1), "b": (0, VALUES - 1)}, 1 + n) for n in range(20)),
    queries=(Query("a", 500, 3), Query("b", 500, 2), Query("a", 500, wrapped=True)),
)


@pytest.mark.parametrize(
    ("done", "expected"),
    [
        pytest.param(SPREAD, [], id="nothing"),
        pytest.param(in_order(SPREAD, "a"), ["a"], id="in order of a"),
        pytest.param(in_order(SPREAD, "b", 40), ["b"], id="in order of b, in more files"),
        pytest.param(asked(in_order(SPREAD, "a"), runs=1), ["a"], id="in order, and fewer runs"),
        pytest.param(asked(in_order(SPREAD, "a"), value=7), ["a"], id="in order, other values"),
        pytest.param(grown(in_order(SPREAD, "a"), 2), ["a"], id="in order, and grown"),
        pytest.param(replace(in_order(SPREAD, "a"), found=("a",)), [], id="found again"),
        pytest.param(replace(in_order(SPREAD, "a"), queries=()), [], id="not asked again"),
        pytest.param(
            replace(in_order(SPREAD, "a"), table=TableName("lake", ("sales",), "o2")),
            [],
            id="renamed",
        ),
        pytest.param(asked(SPREAD, value=VALUES + 1), [], id="a value that no file has"),
        pytest.param(asked(SPREAD, runs=1), [], id="fewer runs"),
        pytest.param(asked(packed(SPREAD), value=VALUES + 1), [], id="merged, another value"),
        pytest.param(asked(shrunk(SPREAD), value=VALUES + 1), [], id="shrunk, another value"),
        pytest.param(asked(thinned(SPREAD), value=VALUES + 1), [], id="rewritten, another value"),
        pytest.param(asked(grown(SPREAD, 30), value=VALUES + 1), [], id="grown, another value"),
    ],
)
def test_what_was_done_is_told(done: Night, expected: list[str]) -> None:
    assert fixed(SPREAD, next_night(done)) == expected


def test_a_longer_window_is_compared_by_shares() -> None:
    week = replace(SPREAD, window=Window(THEN.start, THEN.start + 7 * DAY))
    assert fixed(asked(week, runs=21), next_night(SPREAD)) == []
    assert fixed(asked(week, runs=21), next_night(in_order(SPREAD, "a"))) == ["a"]


def test_a_new_partition_field_is_a_change_once_files_have_it() -> None:
    """A bucket of a column: files have all of its values still."""
    field_of_a = frozenset({"bucket[16](a)"})
    night = asked(next_night(thinned(SPREAD)), value=VALUES + 1)
    assert fixed(SPREAD, replace(night, fields=field_of_a)) == ["a"]
    assert fixed(SPREAD, replace(night, fields=frozenset({"bucket[16](c)"}))) == []
    altered = asked(next_night(SPREAD), value=VALUES + 1)
    assert fixed(SPREAD, replace(altered, fields=field_of_a)) == []


@pytest.mark.parametrize(
    ("before", "since", "expected"),
    [
        pytest.param((), ("a", "b"), State.NOT_SEEN, id="set since"),
        pytest.param(("a",), ("a",), State.NOT_KEPT, id="as before"),
        pytest.param((), ("b", "a"), State.NOT_KEPT, id="of another column first"),
        pytest.param(None, ("a",), State.NOT_KEPT, id="not known then"),
        pytest.param((), None, State.NOT_KEPT, id="not known now"),
    ],
)
def test_where_an_order_was_set_nobody_knows_which_files_have_it(
    before: tuple[str, ...] | None, since: tuple[str, ...] | None, expected: State
) -> None:
    """Part of a table may have been written anew, or nothing."""
    then = replace(SPREAD, order=before)
    now = replace(asked(next_night(SPREAD), value=VALUES + 1), order=since)
    states = {one.fingerprints: one.state for one in told(then, now)}
    assert states["a",] is expected


def test_bytes_of_one_query_are_told_once() -> None:
    """Two findings of one query, both of which an order of the column serves."""
    now = next_night(in_order(SPREAD, "a"))
    (query, *_) = SPREAD.queries
    one = finding_of(SPREAD, query)
    both = [one, replace(one, cause="no_partition_filter")]
    past = past_findings(rows_of(SPREAD, both))
    assert len(past) == 2
    kept = query.kept(SPREAD.files), query.kept(now.files)
    history = History(
        queries={
            (ORDERS, "a"): (PastWindow(THEN, 3, kept[0], 3 * SPREAD.whole, 60),),
        },
        tables={ORDERS: (SPREAD.health(),)},
        findings=past,
    )
    whole = 3 * now.whole
    passes = {
        **dict.fromkeys(SUMMED, PassSums()),
        "bytes": PassSums(3, whole, whole, kept[1], None),
    }
    here = key_of(ORDERS)
    sums = RunSums(queries={here: {"a": ScanSums(3, passes=passes)}})
    found = mended(history, Found(sums, (), {here: now.health()}))
    assert [one.state for one in found] == [State.KEPT, State.KEPT]
    assert [one.bytes_saved for one in found] == [kept[0] - kept[1], 0]


@pytest.mark.parametrize(
    ("after", "is_made", "expected"),
    [
        pytest.param(0.1, True, State.KEPT, id="as promised"),
        pytest.param(0.02, True, State.KEPT, id="more than promised"),
        pytest.param(0.25, True, State.KEPT, id="four fifths, and more"),
        pytest.param(0.27, True, State.PARTLY, id="less"),
        pytest.param(0.5, True, State.PARTLY, id="half"),
        pytest.param(0.51, True, State.NOT_KEPT, id="less than half"),
        pytest.param(1.0, True, State.NOT_KEPT, id="more is kept"),
        pytest.param(0.1, False, State.NOT_KEPT, id="nothing was done"),
        pytest.param(0.1, None, State.NOT_SEEN, id="not known what was done"),
    ],
)
def test_states(*, after: float, is_made: bool | None, expected: State) -> None:
    assert state_of(before=0.9, promised=0.1, after=after, is_made=is_made) is expected


def test_a_table_of_which_no_night_tells_is_not_seen() -> None:
    past = past_findings(rows_of(SPREAD, [finding_of(SPREAD, query) for query in SPREAD.queries]))
    window = PastWindow(THEN, 3, 6_000, 6_000, 60)
    now = next_night(in_order(SPREAD, "a"))
    passes = {**dict.fromkeys(SUMMED, PassSums()), "bytes": PassSums(3, 6_000, 6_000, 300, None)}
    sums = RunSums(queries={key_of(ORDERS): {"a": ScanSums(3, passes=passes)}})
    known = {key_of(ORDERS): now.health()}
    found = mended(History({(ORDERS, "a"): (window,)}, findings=past), Found(sums, (), known))
    assert {one.state for one in found} == {State.NOT_SEEN}


def test_readings_of_one_query_are_one_promise() -> None:
    """Of the findings of a query that differ in what its literals say, the one with most at stake
    is the first, which is another one on the next night."""
    one = replace(finding_of(SPREAD, SPREAD.queries[0]), bytes_at_stake=500)
    found = past_findings(rows_of(SPREAD, [one, replace(one, bytes_at_stake=300)]))
    key = first_key(one.cause, ORDERS, "a", "?", ("a",))
    promise = PastFinding(THEN, ORDERS, one.cause, frozenset({"a"}), 800, ("a",))
    assert found == {key: promise}


_DEEDS: dict[str, Callable[[Night], Night]] = {
    "order a": lambda night: in_order(night, "a"),
    "order b": lambda night: in_order(night, "b"),
    "pack": packed,
    "grow": lambda night: grown(night, 2),
    "grow much": lambda night: grown(night, 12),
    "shrink": shrunk,
    "thin": thinned,
    "other values": lambda night: asked(night, value=VALUES + 1),
    "fewer runs": lambda night: asked(night, runs=1),
    "rename": lambda night: replace(night, table=TableName("lake", ("sales",), "o2")),
    "no query of a": lambda night: replace(
        night, queries=tuple(query for query in night.queries if query.column != "a")
    ),
}


@st.composite
def spread_tables(draw: st.DrawFn) -> Night:
    """A table whose files all have about all values, which no order of theirs could tell apart."""
    low, high = st.integers(0, 100), st.integers(VALUES - 100, VALUES - 1)
    files = draw(
        st.lists(st.tuples(st.integers(50, 150), low, high, low, high), min_size=12, max_size=16)
    )
    queries = (
        Query("a", draw(st.integers(200, 800)), draw(st.integers(1, 9))),
        Query("b", draw(st.integers(200, 800)), draw(st.integers(1, 9))),
        Query(draw(st.sampled_from("ab")), 500, draw(st.integers(1, 9)), wrapped=True),
    )
    made = (
        File(size, {"a": (first[0], first[1]), "b": (first[2], first[3])}, number + 1)
        for number, (size, *first) in enumerate(files)
    )
    days = draw(st.integers(1, 9))
    return Night(tuple(made), queries, window=Window(THEN.start, THEN.start + days * DAY))


@settings(max_examples=100)
@given(
    spread_tables(),
    st.lists(st.sampled_from(sorted(_DEEDS)), max_size=4, unique=True),
    st.sets(st.sampled_from(["a", "b", "f(a)", "f(b)"])),
)
def test_only_what_was_done_is_told_and_bytes_once(
    then: Night, deeds: list[str], found: set[str]
) -> None:
    # What comes after an order would undo it: two orders leave the last one.
    orders = [deed for deed in deeds if deed.startswith("order")][-1:]
    others = [deed for deed in deeds if not deed.startswith("order")]
    now = next_night(then)
    for deed in (*others, *orders):
        now = _DEEDS[deed](now)
    now = replace(now, found=tuple(found))

    column = orders[0][-1] if orders else None
    ran = {query.fingerprint for query in now.queries} if now.table == then.table else set()
    expected = {column} & ran - found if column else set()
    assert set(fixed(then, now)) == expected
    states = {one.fingerprints[0]: one.state for one in told(then, now)}
    assert {name for name, state in states.items() if state is State.NOT_SEEN} == (
        states.keys() - ran
    )
    by_name = {query.fingerprint: query for query in now.queries}
    won = 0.0
    for query in then.queries:
        if query.fingerprint in expected:
            again = by_name[query.fingerprint]
            share = query.kept(then.files) / (query.runs * then.whole)
            won += share * again.runs * now.whole - again.kept(now.files)
    saved = sum(one.bytes_saved for one in told(then, now))
    assert saved == pytest.approx(won, abs=1)
