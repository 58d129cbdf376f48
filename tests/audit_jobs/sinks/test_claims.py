"""Two runs at once, in every order of their commits, over a real catalog."""

from __future__ import annotations

import datetime as dt
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, islice

import pytest
from pyiceberg.catalog.sql import SqlCatalog

from prunescope.audit_jobs.errors import WindowTaken
from prunescope.audit_jobs.records import Window
from prunescope.audit_jobs.results.result import AuditResult
from prunescope.audit_jobs.sinks import audit_tables
from prunescope.audit_jobs.sinks.audit_tables import (
    files_by_table,
    mark_failed,
    publish,
    publishing,
)
from prunescope.audit_jobs.sinks.claims import Claim
from prunescope.audit_jobs.sinks.published_rows import overlapping_runs
from tests.audit_jobs.sinks.results import DAY, HOUR, MIDNIGHT, audit_result, replayed

pytestmark = pytest.mark.slow

BEFORE, FIRST, SECOND = "before", "first", "second"

Steps = Iterator[None]


def run(run_id: str, start: dt.datetime = MIDNIGHT, length: dt.timedelta = DAY) -> AuditResult:
    """A run with two scans of two conjuncts each."""
    scans = (replayed("0/0"), replayed("1/0"))
    return audit_result(*scans, run_id=run_id, start=start, length=length)


def shown(catalog: SqlCatalog, namespace: str) -> dict[str, int]:
    """Of each visible run, its rows in conjuncts."""

    def rows(name: str) -> list[str]:
        table = catalog.load_table(f"{namespace}.{name}")
        found: list[str] = table.scan(selected_fields=("run_id",)).to_arrow()["run_id"].to_pylist()
        return found

    conjuncts = Counter(rows("conjuncts"))
    return {run_id: conjuncts[run_id] for run_id in rows("audit_runs")}


def copy_tables(catalog: SqlCatalog, old: str, new: str) -> None:
    """Has a namespace begin with the tables of another as they are."""
    catalog.create_namespace(new)
    for _, name in catalog.list_tables(old):
        location = catalog.load_table((old, name)).metadata_location
        catalog.register_table((new, name), location)


def advance(steps: dict[str, Steps], name: str, ended: dict[str, str]) -> None:
    if name in ended:
        return
    try:
        next(steps[name])
    except StopIteration:
        ended[name] = "published"
    except WindowTaken as error:
        ended[name] = str(error)


WINDOWS = {
    "the-same": (MIDNIGHT, DAY),
    "within": (MIDNIGHT + HOUR, HOUR),
    "around": (MIDNIGHT - HOUR, DAY + 2 * HOUR),
}


def standing(published: Sequence[str], windows: Mapping[str, Claim]) -> set[str]:
    """Of runs in the order in which they were published, those that none after them replaces."""
    return {
        name
        for place, name in enumerate(published)
        if not any(
            windows[later].replaces(windows[name].window) for later in published[place + 1 :]
        )
    }


@pytest.mark.parametrize(
    ("second", "orders"),
    [
        pytest.param(WINDOWS["the-same"], range(0, 20, 5), id="the-same-in-some-orders"),
        pytest.param(WINDOWS["the-same"], range(20), id="the-same", marks=pytest.mark.exhaustive),
        pytest.param(WINDOWS["within"], range(20), id="within", marks=pytest.mark.exhaustive),
        pytest.param(WINDOWS["around"], range(20), id="around", marks=pytest.mark.exhaustive),
    ],
)
def test_in_every_order_one_run_is_whole_and_the_other_says_that_it_lost(
    second: tuple[dt.datetime, dt.timedelta],
    orders: range,
    catalog: SqlCatalog,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Each run has a claim, a table, and its own row: 20 orders of 2 × 3 commits, after which rows
    are deleted that were replaced. Whoever commits has loaded the table before the other's last
    commit: nothing is seen in time. At each moment all runs that are shown are whole, and one of
    them has what was published before."""
    monkeypatch.setattr(
        audit_tables, "files_by_table", lambda *asked: islice(files_by_table(*asked), 1, 2)
    )
    monkeypatch.setattr(audit_tables, "LONGEST_WAIT", 0)
    of_run, losses = 3, 0
    rest = (FIRST, SECOND) * 4  # what is left where commits have failed, and deleting
    windows = {
        BEFORE: Claim(BEFORE, Window(MIDNIGHT, MIDNIGHT + DAY)),
        FIRST: Claim(FIRST, Window(MIDNIGHT, MIDNIGHT + DAY)),
        SECOND: Claim(SECOND, Window(second[0], second[0] + second[1])),
    }
    # Tables that are there: making them is no part of the race.
    publish(run("earlier", MIDNIGHT - 9 * DAY), catalog, "made")
    publish(run(BEFORE), catalog, "made")
    possible = list(combinations(range(2 * of_run), of_run))
    for number in orders:
        places = possible[number]
        namespace = f"n{number}"
        copy_tables(catalog, "made", namespace)
        steps = {
            FIRST: publishing(run(FIRST), catalog, namespace),
            SECOND: publishing(run(SECOND, *second), catalog, namespace),
        }
        ended: dict[str, str] = {}
        for name in steps:
            advance(steps, name, ended)  # up to before the first commit
        published = [BEFORE]
        for name in (*(FIRST if place in places else SECOND for place in range(2 * of_run)), *rest):
            advance(steps, name, ended)
            found = shown(catalog, namespace)
            assert set(found.values()) == {4}, (places, found, ended)
            published += [one for one in steps if one in found and one not in published]
            # A run that began after another was there may replace that.
            assert set(found) == {"earlier", *standing(published, windows)}, (places, found, ended)
        assert set(ended) == set(steps)
        assert {name for name, how in ended.items() if how == "published"} == {*published[1:]}
        for loser in {FIRST, SECOND} - set(published):
            losses += 1
            assert f"run {loser} was not published" in ended[loser]
            assert published[-1] in ended[loser]
    assert losses >= len(orders) / 2


def test_a_run_that_loses_changes_nothing_more(catalog: SqlCatalog) -> None:
    slow = publishing(run("slow"), catalog, "audit")
    for _ in range(3):
        next(slow)
    publish(run("quick"), catalog, "audit")
    before = shown(catalog, "audit")
    with pytest.raises(WindowTaken, match=r"run slow was not published.*run quick"):
        list(slow)
    assert shown(catalog, "audit") == before == {"quick": 4}


def test_a_failed_run_takes_no_window(catalog: SqlCatalog) -> None:
    ours = publishing(run("ours"), catalog, "audit")
    for _ in range(3):
        next(ours)
    mark_failed(run("failed"), catalog, "audit")
    list(ours)
    assert shown(catalog, "audit")["ours"] == 4


@pytest.mark.parametrize(
    ("start", "length"),
    [
        pytest.param(MIDNIGHT + 23 * HOUR, 2 * HOUR, id="across-the-end"),
        pytest.param(MIDNIGHT - HOUR, 2 * HOUR, id="across-the-start"),
        pytest.param(MIDNIGHT - DAY, 3 * DAY, id="around"),
    ],
)
def test_overlapping_runs_are_told_and_stay_or_go_on_demand(
    start: dt.datetime, length: dt.timedelta, catalog: SqlCatalog
) -> None:
    window = Window(MIDNIGHT, MIDNIGHT + DAY)
    assert overlapping_runs(catalog, "audit", window) == []
    publish(run("other", start, length), catalog, "audit")
    publish(run("beside", MIDNIGHT + 9 * DAY), catalog, "audit")
    (told,) = overlapping_runs(catalog, "audit", window)
    assert told["run_id"] == "other"
    publish(run("ours"), catalog, "audit")
    assert set(shown(catalog, "audit")) == {"other", "beside", "ours"}
    publish(run("again"), catalog, "audit", replace_overlapping=True)
    assert shown(catalog, "audit") == {"beside": 4, "again": 4}
    assert overlapping_runs(catalog, "audit", window) == []


def test_windows_that_only_touch_are_no_overlap(catalog: SqlCatalog) -> None:
    publish(run("before", MIDNIGHT - DAY), catalog, "audit")
    publish(run("after", MIDNIGHT + DAY), catalog, "audit")
    assert overlapping_runs(catalog, "audit", Window(MIDNIGHT, MIDNIGHT + DAY)) == []
    publish(run("ours"), catalog, "audit", replace_overlapping=True)
    assert set(shown(catalog, "audit")) == {"before", "after", "ours"}
