"""Which findings of earlier windows are mended, by what their queries kept then and keep now."""

from __future__ import annotations

import datetime as dt
from dataclasses import replace
from typing import Any

import pytest

from audit_jobs.findings.history import History, PastFinding, PastWindow
from audit_jobs.findings.model import Confidence, Finding, Fix, Severity
from audit_jobs.findings.rows import finding_row, keyed
from audit_jobs.results.mended import mended
from audit_jobs.results.sums import SUMMED, PassSums, RunSums, ScanSums, TableKey
from audit_jobs.sinks.published_history import past_findings
from collectors.observed import TableName

NIGHT = dt.datetime(2026, 3, 10, tzinfo=dt.UTC)
EARLIER = NIGHT - dt.timedelta(days=7)
ORDERS = TableName("lake", ("sales", "eu"), "orders")
KEY = TableKey("lake", "sales.eu", "orders")


def past(
    shapes: set[str], stake: int | None, start: dt.datetime = NIGHT, **changes: Any
) -> PastFinding:
    cause = changes.get("cause", "unclustered_column")
    return PastFinding(start, ORDERS, cause, frozenset(shapes), stake)


def then(kept: int, whole: int = 1_000, start: dt.datetime = NIGHT) -> PastWindow:
    return PastWindow(start, 2, kept, whole, 10)


def now(**kept: tuple[int, int | None]) -> RunSums:
    """Bytes kept, and those of the table: one scan of each query."""

    def scans(kept: int, total: int | None) -> ScanSums:
        bytes_ = PassSums(1, total, 2_000, kept, None)
        return ScanSums(1, passes={**dict.fromkeys(SUMMED, PassSums()), "bytes": bytes_})

    queries = {shape: scans(*numbers) for shape, numbers in kept.items()}
    return RunSums(queries={KEY: queries})


def history(finding: PastFinding, **windows: PastWindow) -> History:
    queries = {(ORDERS, shape): (window,) for shape, window in windows.items()}
    return History(queries=queries, findings={"k": finding})


@pytest.mark.parametrize(
    ("finding", "sums", "expected"),
    [
        pytest.param(past({"a"}, 800), now(a=(100, 1_000)), (0.9, 0.1, 0.1, 800), id="kept"),
        pytest.param(past({"a"}, 800), now(a=(500, 1_000)), (0.9, 0.1, 0.5, 400), id="half"),
        pytest.param(past({"a"}, 800), now(a=(501, 1_000)), None, id="less than half"),
        pytest.param(past({"a"}, 800), now(a=(400, 4_000)), (0.9, 0.1, 0.1, 3_200), id="grown"),
        pytest.param(past({"a"}, 800), now(a=(200, None)), (0.9, 0.1, 0.1, 1_600), id="no total"),
        pytest.param(past({"a"}, None), now(a=(450, 1_000)), (0.9, None, 0.45, 450), id="unknown"),
        pytest.param(past({"a"}, None), now(a=(460, 1_000)), None, id="unknown, and not half"),
        pytest.param(past({"a"}, 0), now(a=(900, 1_000)), None, id="nothing promised or won"),
        pytest.param(past({"a"}, 800), now(b=(100, 1_000)), None, id="did not run again"),
        pytest.param(past({"a"}, 800), now(a=(0, 0)), None, id="an empty table"),
        pytest.param(past({"b"}, 800), now(a=(100, 1_000)), None, id="another query"),
        pytest.param(past({"a"}, 800, EARLIER), now(a=(1, 1_000)), None, id="no window of then"),
        pytest.param(
            past({"a"}, 800, cause="pruning_regressed"), now(a=(1, 1_000)), None, id="repeated"
        ),
    ],
)
def test_a_query(
    finding: PastFinding, sums: RunSums, expected: tuple[float, float | None, float, int] | None
) -> None:
    found = mended(history(finding, a=then(900)), sums, set())
    told = [(m.before, m.promised, m.after, m.bytes_saved) for m in found]
    assert told == ([] if expected is None else [pytest.approx(expected)])


def test_what_is_found_still_is_not_mended() -> None:
    assert mended(history(past({"a"}, 800), a=then(900)), now(a=(100, 1_000)), {"k"}) == ()


def test_a_finding_of_a_table_is_about_its_queries_that_ran_both_times() -> None:
    """One kept everything, one a tenth; a third did not run again, and promised its part."""
    known = history(past(set(), 900), a=then(1_000), b=then(100), c=then(700))
    (found,) = mended(known, now(a=(100, 2_000), b=(100, 1_000), d=(5, 10)), set())
    assert (found.table, found.fingerprints, found.scans) == (KEY, (), 2)
    assert found.before == pytest.approx((1.0 * 2_000 + 0.1 * 1_000) / 3_000)
    assert found.promised == pytest.approx(found.before * (1 - 900 / 1_800))
    assert found.after == pytest.approx(200 / 3_000)
    assert found.bytes_saved == 1_900


def test_most_bytes_saved_come_first() -> None:
    few, many = past({"a"}, 800), past({"b"}, 800)
    known = History(
        queries={(ORDERS, "a"): (then(900),), (ORDERS, "b"): (then(900),)},
        findings={"few": few, "many": many},
    )
    found = mended(known, now(a=(100, 1_000), b=(100, 9_000)), set())
    assert [m.fingerprints for m in found] == [("b",), ("a",)]


def test_readings_of_one_query_are_mended_together() -> None:
    """Of the findings of a query that differ in what its literals say, the one with most at stake
    is the first, which is another one on the next night."""
    finding = Finding(
        cause="wrapped_column",
        severity=Severity.LOW,
        confidence=Confidence.HIGH,
        table=ORDERS,
        sentence="",
        scans=1,
        bytes_read=900,
        bytes_at_stake=500,
        fix=Fix(),
        fingerprint="a",
        conjunct="coalesce(id, ?) >= ?",
        columns=("id",),
    )
    readings = [finding, replace(finding, bytes_at_stake=300)]
    rows = [
        {**finding_row(key, 1, one), "evidence": "{}", "window_start": NIGHT, "run_id": run}
        for run in ("1", "2")
        for key, one in keyed(readings)
    ]
    found = past_findings(rows)
    (first, _), (second, _) = keyed(readings)
    assert found == {first: past({"a"}, 800, cause="wrapped_column")}
    of_query = History({(ORDERS, "a"): (then(900),)}, findings=found)
    # One of them is left, whichever that is.
    ((left, _),) = keyed(readings[1:])
    assert left != second
    assert mended(of_query, now(a=(450, 1_000)), {left}) == ()
    (both,) = mended(of_query, now(a=(100, 1_000)), set())
    assert both.bytes_saved == 800
