"""What became of what findings promised, by nights of a table of which it is known what was done to
it: files have ranges of two columns, and scans keep those that may have a value."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from audit_jobs.findings.history import History, PastFinding, PastHealth, PastWindow
from audit_jobs.findings.model import Confidence, Finding, Fix, Severity
from audit_jobs.findings.rows import finding_row, first_key, keyed
from audit_jobs.records import Window
from audit_jobs.results.mended import FIXED, Found, Mended, State, mended, state_of
from audit_jobs.results.sums import SUMMED, PassSums, RunSums, ScanSums, key_of
from audit_jobs.sinks.published_history import past_findings
from collectors.observed import TableName

DAY = dt.timedelta(days=1)
START = dt.datetime(2026, 3, 10, tzinfo=dt.UTC)
THEN, NOW = Window(START, START + DAY), Window(START + DAY, START + 2 * DAY)
ORDERS = TableName("lake", ("sales", "eu"), "orders")
VALUES = 1_000
"""Columns have the values from 0 to this one."""

Range = tuple[int, int]


@dataclass(frozen=True)
class File:
    """A data file, and the commit that added it."""

    bytes: int
    ranges: Mapping[str, Range]
    commit: int

    def may_have(self, column: str, value: int) -> bool:
        low, high = self.ranges[column]
        return low <= value <= high


@dataclass(frozen=True)
class Query:
    """So many runs that ask for a value of a column; of one that is `wrapped`, no planner makes
    anything."""

    column: str
    value: int
    runs: int = 1
    wrapped: bool = False

    @property
    def fingerprint(self) -> str:
        return f"f({self.column})" if self.wrapped else self.column

    def kept(self, files: Sequence[File]) -> int:
        return self.runs * sum(
            one.bytes for one in files if self.wrapped or one.may_have(self.column, self.value)
        )


@dataclass(frozen=True)
class Night:
    """A table and the queries of it."""

    files: tuple[File, ...]
    queries: tuple[Query, ...]
    table: TableName = ORDERS
    window: Window = THEN
    fields: frozenset[str] = frozenset()
    found: tuple[str, ...] = ()
    """The fingerprints of the queries of which a finding is found."""

    @property
    def commit(self) -> int:
        return max(one.commit for one in self.files)

    @property
    def whole(self) -> int:
        return sum(one.bytes for one in self.files)

    def health(self) -> PastHealth:
        newest = sorted((one.commit for one in self.files), reverse=True)
        depth = {}
        for column in ("a", "b"):
            lows = [one.ranges[column][0] for one in self.files]
            holding = [sum(one.may_have(column, low) for one in self.files) for low in lows]
            depth[column] = sum(holding) / len(holding)
        return PastHealth(
            self.window,
            len(self.fields),
            len(self.files),
            0,
            1,
            depth,
            self.fields,
            self.commit,
            newest[-(-9 * len(newest) // 10) - 1],
        )


def finding_of(night: Night, query: Query) -> Finding:
    """What a night promises of a query: that it keeps no more than an order would let it."""
    kept = query.kept(night.files)
    most = max(one.bytes for one in night.files)
    return Finding(
        cause="wrapped_column" if query.wrapped else "unclustered_column",
        severity=Severity.LOW,
        confidence=Confidence.HIGH,
        table=night.table,
        sentence="",
        scans=query.runs,
        bytes_read=kept,
        bytes_at_stake=max(0, kept - query.runs * most),
        fix=Fix(),
        fingerprint=query.fingerprint,
        columns=(query.column,),
        conjunct="?",
    )


def rows_of(night: Night, findings: Sequence[Finding]) -> list[dict[str, Any]]:
    window = {"window_start": night.window.start, "window_end": night.window.end, "run_id": "r"}
    return [
        {**finding_row(key, 1, one), "evidence": "{}", **window} for key, one in keyed(findings)
    ]


def told(then: Night, now: Night) -> tuple[Mended, ...]:
    """What a night says of what the one before promised of all of its queries."""
    found = [finding_of(then, query) for query in then.queries]
    history = History(
        queries={
            (then.table, query.fingerprint): (
                PastWindow(
                    then.window,
                    query.runs,
                    query.kept(then.files),
                    query.runs * then.whole,
                    query.runs * len(then.files),
                ),
            )
            for query in then.queries
        },
        tables={then.table: (then.health(),)},
        findings=past_findings(rows_of(then, found)),
    )
    sums = {}
    for query in now.queries:
        whole = query.runs * now.whole
        kept = PassSums(query.runs, whole, whole, query.kept(now.files), None)
        passes = {**dict.fromkeys(SUMMED, PassSums()), "bytes": kept}
        sums[query.fingerprint] = ScanSums(query.runs, passes=passes)
    still = [finding_of(now, query) for query in now.queries if query.fingerprint in now.found]
    here = key_of(now.table)
    return mended(
        history, Found(RunSums(queries={here: sums}), rows_of(now, still), {here: now.health()})
    )


def fixed(then: Night, now: Night) -> list[str]:
    return sorted(one.fingerprints[0] for one in told(then, now) if one.state in FIXED)


# What is done to a table.


def in_order(night: Night, column: str, count: int | None = None) -> Night:
    """All rows written anew, in order of a column, into so many files."""
    count = count or len(night.files)
    step = VALUES / count
    other = {"a": "b", "b": "a"}[column]
    files = [
        File(
            night.whole // count,
            {column: (round(n * step), round((n + 1) * step) - 1), other: (0, VALUES - 1)},
            night.commit + 1,
        )
        for n in range(count)
    ]
    return replace(night, files=tuple(files))


def packed(night: Night) -> Night:
    """Files of which each has the rows of two."""
    pairs = [night.files[n : n + 2] for n in range(0, len(night.files), 2)]
    files = [
        File(
            sum(one.bytes for one in pair),
            {
                name: (
                    min(one.ranges[name][0] for one in pair),
                    max(one.ranges[name][1] for one in pair),
                )
                for name in ("a", "b")
            },
            night.commit + 1,
        )
        for pair in pairs
    ]
    return replace(night, files=tuple(files))


def grown(night: Night, times: int) -> Night:
    """With new rows, as those that are there."""
    files = [replace(one, commit=night.commit + n) for n in range(1, times) for one in night.files]
    return replace(night, files=(*night.files, *files))


def shrunk(night: Night) -> Night:
    """Without every other file."""
    return replace(night, files=night.files[::2])


def thinned(night: Night) -> Night:
    """With half of the rows of each file, which are written anew where they were."""
    commit = night.commit + 1
    files = [replace(one, bytes=max(1, one.bytes // 2), commit=commit) for one in night.files]
    return replace(night, files=tuple(files))


def asked(night: Night, **changes: Any) -> Night:
    return replace(night, queries=tuple(replace(one, **changes) for one in night.queries))


def next_night(night: Night) -> Night:
    return replace(night, window=NOW)


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
