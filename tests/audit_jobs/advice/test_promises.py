"""What became of advice, by rows alone. The cases are those of the issue: advice is kept; once the
table's layout changed that way, what was promised is compared with what the same queries keep."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping

import pytest

from audit_jobs.advice.intervals import Interval
from audit_jobs.advice.promises import (
    Advised,
    Followed,
    Kept,
    Kind,
    Layout,
    Promise,
    Seen,
    State,
    followed,
    hit_rate,
)

NIGHT = dt.datetime(2026, 3, 1, tzinfo=dt.UTC)
DAY = dt.timedelta(days=1)
TABLE = ("lake", "shop", "orders")
BY_DAY = Advised(("day(ts)",), "sort", ("ts",))
BY_ID = Advised((), "sort", ("id",))
CURVE = Advised((), "zorder", ("x", "y"))
FILTERED = Advised(("day(ts)",), bloom_filters=("id",))
SMALLER = Advised(("day(ts)",), "sort", ("id",), row_group_bytes=1_000)
MANIFESTS = Advised(manifests_by=("ts_day",))
KINDS = {FILTERED: Kind.INSIDE, SMALLER: Kind.INSIDE, MANIFESTS: Kind.MANIFESTS}
PLAIN = Layout((), ())
AS_ADVISED = Layout(("day(ts)",), ("ts",))


def promise(
    night: float,
    advised: Advised | None = BY_DAY,
    layout: Layout = PLAIN,
    sequence: int = 5,
    kind: Kind | None = None,
) -> Promise:
    interval = None if advised is None else Interval(0.10, 0.05, 0.20)
    runs = {"often": 8.0, "seldom": 2.0}
    kind = kind or (Kind.LAYOUT if advised is None else KINDS.get(advised, Kind.LAYOUT))
    at = NIGHT + night * DAY
    return Promise(TABLE, kind, at, advised, layout, sequence, 0.9, interval, runs)


def seen(
    night: float, layout: Layout = PLAIN, since: int | None = 3, listed: int | None = None
) -> Seen:
    return Seen(NIGHT + night * DAY, layout, since, listed)


def days(sort: tuple[str, ...] = (), size: int | None = None, *filters: str) -> Layout:
    return Layout(("day(ts)",), sort, size, filters)


def nothing(*_: object) -> Mapping[str, Kept]:
    return {}


def states(promises: list[Promise], nights: list[Seen]) -> list[State]:
    """Oldest first."""
    return [one.state for one in reversed(followed(promises, {TABLE: nights}, nothing))]


@pytest.mark.parametrize(
    ("promises", "nights", "expected"),
    [
        pytest.param([promise(0)], [], [State.OPEN], id="no audit since"),
        pytest.param([promise(0)], [seen(1)], [State.OPEN], id="nothing changed"),
        pytest.param([promise(0)], [seen(1, since=9)], [State.OPEN], id="rewritten as it was"),
        pytest.param([promise(0)], [seen(1, AS_ADVISED)], [State.STARTED], id="files are old"),
        pytest.param(
            [promise(0)], [seen(1, AS_ADVISED, None)], [State.STARTED], id="nobody can tell"
        ),
        pytest.param([promise(0)], [seen(1, AS_ADVISED, 6)], [State.APPLIED], id="rewritten"),
        pytest.param(
            [promise(0)], [seen(1, AS_ADVISED, 5)], [State.STARTED], id="the commit of that time"
        ),
        pytest.param(
            [promise(1)], [seen(0, AS_ADVISED, 6)], [State.OPEN], id="an audit before the advice"
        ),
        pytest.param(
            [promise(0, sequence=0)],
            [seen(1, AS_ADVISED, 6)],
            [State.STARTED],
            id="commits had no numbers then",
        ),
        pytest.param(
            [promise(0)],
            [seen(1, Layout(("day(ts)",), ()), 6)],
            [State.OPEN],
            id="partitioned, not sorted",
        ),
        pytest.param(
            [promise(0)],
            [seen(1, Layout(("day(ts)",), ("ts", "id")), 6)],
            [State.APPLIED],
            id="sorted by more",
        ),
        pytest.param(
            [promise(0)],
            [seen(1, Layout(("day(ts)",), ("id", "ts")), 6)],
            [State.OPEN],
            id="sorted by another first",
        ),
        pytest.param(
            [promise(0)], [seen(1, Layout(None, ("ts",)), 6)], [State.OPEN], id="unknown fields"
        ),
        pytest.param(
            [promise(0, Advised(("a", "b"), "sort", ("ts",)))],
            [seen(1, Layout(("b", "a"), ("ts",)), 6)],
            [State.APPLIED],
            id="fields in any order",
        ),
        pytest.param([promise(0), promise(1)], [], [State.OPEN], id="said twice is one piece"),
        pytest.param(
            [promise(0), promise(1, BY_ID)], [], [State.SUPERSEDED, State.OPEN], id="other advice"
        ),
        pytest.param(
            [promise(0), promise(1, None)], [], [State.SUPERSEDED], id="keep it after all"
        ),
        pytest.param([promise(0, None)], [seen(1)], [], id="to keep it promises nothing"),
        pytest.param(
            [promise(0), promise(2, None, AS_ADVISED, 6)],
            [seen(1, AS_ADVISED, 6)],
            [State.APPLIED],
            id="followed, then nothing more to do",
        ),
        pytest.param(
            [promise(0), promise(1, None, AS_ADVISED, 6)],
            [seen(2, AS_ADVISED, 6)],
            [State.APPLIED],
            id="followed, advised again, and audited last",
        ),
        pytest.param(
            [promise(0), promise(1, sequence=6)],
            [seen(2, AS_ADVISED, 6)],
            [State.APPLIED],
            id="said again after the rewrite, before an audit saw it",
        ),
        pytest.param(
            [promise(0), promise(2, BY_ID, AS_ADVISED, 6)],
            [seen(1, AS_ADVISED, 6), seen(3, AS_ADVISED, 6)],
            [State.APPLIED, State.OPEN],
            id="followed, then other advice",
        ),
        pytest.param([promise(0, CURVE)], [seen(1, PLAIN, 6)], [State.REWRITTEN], id="a curve"),
        pytest.param([promise(0, CURVE)], [seen(1, PLAIN, 3)], [State.OPEN], id="no curve yet"),
        pytest.param(
            [promise(0, CURVE), promise(1, BY_ID)], [], [State.SUPERSEDED, State.OPEN], id="curves"
        ),
        pytest.param(
            [promise(0, FILTERED)], [seen(1, days(), 6)], [State.OPEN], id="rewritten without"
        ),
        pytest.param(
            [promise(0, FILTERED)],
            [seen(1, days((), None, "id"))],
            [State.STARTED],
            id="old files have no filters",
        ),
        pytest.param(
            [promise(0, FILTERED)],
            [seen(1, days((), 9, "x", "id"), 6)],
            [State.APPLIED],
            id="files with filters",
        ),
        pytest.param(
            [promise(0, FILTERED)],
            [seen(1, Layout((), (), None, ("id",)), 6)],
            [State.OPEN],
            id="filters in other partitions",
        ),
        pytest.param(
            [promise(0, SMALLER)],
            [seen(1, days(("id",), 1_000), 6)],
            [State.APPLIED],
            id="smaller row groups in order",
        ),
        pytest.param(
            [promise(0, SMALLER)],
            [seen(1, days(("id",)), 6), seen(2, days((), 1_000), 6)],
            [State.OPEN],
            id="order or size alone",
        ),
        pytest.param(
            [promise(0, FILTERED), promise(1, None, kind=Kind.INSIDE)],
            [],
            [State.SUPERSEDED],
            id="no filters after all",
        ),
        pytest.param(
            [promise(0, FILTERED), promise(1, None)],
            [],
            [State.OPEN],
            id="to keep the layout says nothing of filters",
        ),
        pytest.param(
            [promise(0, MANIFESTS)], [seen(1, listed=5)], [State.OPEN], id="manifests of that time"
        ),
        pytest.param(
            [promise(0, MANIFESTS)], [seen(1, listed=6)], [State.APPLIED], id="new manifests"
        ),
        pytest.param(
            [promise(0, MANIFESTS)],
            [seen(1, since=None, listed=6)],
            [State.APPLIED],
            id="new manifests of files that were added nobody knows when",
        ),
        pytest.param(
            [promise(0, MANIFESTS)],
            [seen(1, since=6, listed=6)],
            [State.OPEN],
            id="new manifests of new files",
        ),
        pytest.param(
            [promise(0, MANIFESTS, sequence=0)],
            [seen(1, listed=6)],
            [State.OPEN],
            id="new manifests, commits without numbers",
        ),
    ],
)
def test_states(promises: list[Promise], nights: list[Seen], expected: list[State]) -> None:
    assert states(promises, nights) == expected


def applied(kept: Mapping[str, Kept], advised: Advised = BY_DAY) -> Followed:
    layout = AS_ADVISED if advised is BY_DAY else PLAIN
    (found,) = followed([promise(0, advised)], {TABLE: [seen(1, layout, 6)]}, lambda *_: kept)
    return found


@pytest.mark.parametrize(
    ("kept", "share", "within"),
    [
        ({"often": Kept(4, 10, 100)}, 0.1, True),
        ({"often": Kept(4, 5, 100)}, 0.05, True),
        ({"often": Kept(4, 20, 100)}, 0.2, True),
        ({"often": Kept(4, 21, 100)}, 0.21, False),
        ({"often": Kept(4, 4, 100)}, 0.04, False),
        # a ratio of sums
        ({"often": Kept(1, 0, 300), "seldom": Kept(1, 60, 100)}, 0.15, True),
        # of other queries nothing was promised
        ({"often": Kept(1, 10, 100), "new": Kept(9, 900, 900)}, 0.1, True),
        # two in ten runs are too few to say
        ({"seldom": Kept(4, 10, 100)}, None, None),
        ({"new": Kept(4, 10, 100)}, None, None),
        ({"often": Kept(4, 0, 0)}, None, None),
        ({}, None, None),
    ],
)
def test_promised_and_kept(kept: dict[str, Kept], share: float | None, within: bool | None) -> None:
    found = applied(kept)
    assert found.kept == (None if share is None else pytest.approx(share))
    assert found.within is within


def test_a_curve_is_shown_and_counts_for_nothing() -> None:
    found = applied({"often": Kept(4, 10, 100)}, CURVE)
    assert (found.state, found.kept, found.within) == (State.REWRITTEN, 0.1, None)


def test_scans_count_from_the_audit_that_saw_the_layout_until_it_is_left() -> None:
    asked: list[tuple[object, ...]] = []

    def read(*span: object) -> Mapping[str, Kept]:
        asked.append(span)
        return {}

    nights = [seen(1), seen(2, AS_ADVISED, 6), seen(3, AS_ADVISED, 7)]
    followed([promise(0)], {TABLE: nights}, read)
    followed([promise(0)], {TABLE: [*nights, seen(9)]}, read)
    start = NIGHT + 2 * DAY
    assert asked == [
        (TABLE, Kind.LAYOUT, start, start + 28 * DAY),
        (TABLE, Kind.LAYOUT, start, NIGHT + 9 * DAY),
    ]


def test_the_hit_rate_is_of_what_can_be_judged() -> None:
    hit, miss = applied({"often": Kept(1, 10, 100)}), applied({"often": Kept(1, 90, 100)})
    unknown, curve = applied({}), applied({"often": Kept(1, 10, 100)}, CURVE)
    assert hit_rate([hit, miss, unknown, curve, hit]) == (2, 3)
    assert hit_rate([]) == (0, 0)


def test_what_was_promised_is_what_was_said_last_before_the_rewrite() -> None:
    nights = {TABLE: [seen(2.5, AS_ADVISED, 6)]}
    promises = [promise(night) for night in (0, 1, 2, 3)]
    found = followed(promises, nights, nothing)
    assert [one.promise.at for one in found if one.state is State.APPLIED] == [NIGHT + 2 * DAY]
