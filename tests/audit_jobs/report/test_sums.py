"""Scans summed up for the report: what is unknown is no zero."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from typing import Any

import pytest

from audit_jobs.findings.model import Severity
from audit_jobs.report.path import report_path
from audit_jobs.report.summary import summary_of, window_text
from audit_jobs.report.sums import SCAN_COLUMNS, PassSums, Reason, summed
from audit_jobs.sinks.audit_schemas import SCAN_PLANS
from tests.audit_jobs.report.made_runs import MadeTable, finding, made_run, regression
from tests.audit_jobs.sinks.results import DAY, HOUR, MIDNIGHT

Counts = tuple[int | None, int | None, int | None, int | None]


def scan(counts: Counts, **columns: Any) -> Mapping[str, Any]:
    total, considered, kept, allowed = counts
    return (
        dict.fromkeys(SCAN_COLUMNS)
        | {
            "table": "t",
            "outcome": "replayed",
            "bytes_total": total,
            "bytes_considered": considered,
            "bytes_kept": kept,
            "potential_bytes_kept": allowed,
        }
        | columns
    )


@pytest.mark.parametrize(
    ("scans", "expected"),
    [
        pytest.param([], PassSums(), id="no scans"),
        pytest.param([(9, 5, 3, 1), (9, 9, 9, 9)], PassSums(2, 18, 14, 12, 10), id="all known"),
        pytest.param([(None, 5, 3, 1), (9, 5, 3, 1)], PassSums(2, None, 10, 6, 2), id="no total"),
        pytest.param([(9, 5, 3, None), (9, 5, 3, 1)], PassSums(2, 18, 10, 6, None), id="no floor"),
        pytest.param([(9, 5, None, 1), (9, 5, 3, 1)], PassSums(1, 9, 5, 3, 1), id="one unknown"),
        pytest.param([(9, None, None, None)], PassSums(0, 0, 0, 0, 0), id="all unknown"),
        pytest.param([(0, 0, 0, 0)], PassSums(1, 0, 0, 0, 0), id="an empty table"),
    ],
)
def test_unknown_counts_are_left_out_or_spread(scans: list[Counts], expected: PassSums) -> None:
    sums = summed(scan(counts) for counts in scans)
    found = sums.tables["t"].passes["bytes"] if scans else PassSums()
    assert found == expected


def test_the_columns_exist() -> None:
    assert set(SCAN_COLUMNS) <= {column.name for column in SCAN_PLANS.columns}


def test_queries_are_summed_by_shape_and_reasons_by_outcome() -> None:
    lost = {"outcome": "table_not_found", "query_outcome": "table_not_found", "source": "s"}
    sums = summed(
        [
            scan((9, 5, 3, 1), fingerprint="f1", predicate="b = ?"),
            scan((9, 5, 3, 1), fingerprint="f1", predicate="a = ?"),
            scan((9, 5, 3, 1), fingerprint=None),
            scan((None,) * 4, **lost, message="no t", location="log:7"),
            scan((None,) * 4, **lost, message="no t", location="log:3"),
            scan((None,) * 4, **lost, message="no u", location=None),
            scan((None,) * 4, **lost, message="no v", query_id="q9"),
            scan((None,) * 4, **lost, message=None),
        ]
    )
    assert {s: (q.scans, q.predicate) for s, q in sums.queries["t"].items()} == {"f1": (2, "a = ?")}
    assert sums.tables["t"].scans == 3
    assert sums.reasons == {
        "table_not_found": (
            Reason("no t", 2, "log:3"),
            Reason("no u", 1, "s"),
            Reason("no v", 1, "q9"),
        )
    }


@pytest.mark.parametrize(
    ("start", "end", "expected"),
    [
        (MIDNIGHT, MIDNIGHT + DAY, "6 May 2024 (UTC)"),
        (MIDNIGHT, MIDNIGHT + 7 * DAY, "6 May 2024 to 12 May 2024 (UTC)"),
        (MIDNIGHT, MIDNIGHT + HOUR, "6 May 2024, 00:00 to 6 May 2024, 01:00 UTC"),
        (
            MIDNIGHT.astimezone(dt.timezone(dt.timedelta(hours=5))),
            MIDNIGHT + DAY,
            "6 May 2024 (UTC)",
        ),
    ],
)
def test_a_window_is_told_as_people_do(start: dt.datetime, end: dt.datetime, expected: str) -> None:
    assert window_text(start, end) == expected


@pytest.mark.parametrize(
    ("template", "start", "expected"),
    [
        ("out/{window_start}.html", MIDNIGHT, "out/2024-05-06.html"),
        ("{run_id}-{window_end}.html", MIDNIGHT, "run-1-2024-05-07.html"),
        ("{window_start}.html", MIDNIGHT + HOUR, "2024-05-06T010000.html"),
        ("latest.html", MIDNIGHT, "latest.html"),
    ],
)
def test_a_path_names_its_window(template: str, start: dt.datetime, expected: str) -> None:
    run = {"run_id": "run-1", "window_start": start, "window_end": MIDNIGHT + DAY}
    assert str(report_path(template, run)) == expected


WRAPPED = finding("wrapped_column", Severity.HIGH, 3 * 10**12)
FREE = finding("unclustered_column", Severity.LOW, None)
WRONG = finding("over_prune", Severity.CRITICAL, None)
WORSE = regression(10**9, 0.1, 0.9)
HIDDEN = {"suppressed": "known"}


@pytest.mark.parametrize(
    ("findings", "expected"),
    [
        pytest.param([], "No findings in this window", id="none"),
        pytest.param([FREE], "1 finding, and nobody can tell what they cost", id="unknown"),
        pytest.param([FREE, WRAPPED], "3.0 TB of reads are at stake", id="stake"),
        pytest.param([WRAPPED, WORSE], "1 query reads more than before", id="one worse"),
        pytest.param([WORSE, WORSE], "2 queries read more than before", id="two worse"),
        pytest.param([WORSE, WRONG], "Results may be wrong: 1 critical finding", id="critical"),
        pytest.param([WRONG | HIDDEN], "No findings in this window", id="suppressed"),
    ],
)
def test_the_headline_says_what_matters_most(findings: list[Any], expected: str) -> None:
    made = made_run([MadeTable(("lake", "a", "b"), 0.9, 0.1, findings=tuple(findings))])
    summary = summary_of(made, summed(made.scan_plans))
    assert summary.sentence == expected
    told = [f for f in findings if f.get("suppressed") is None]
    assert len(summary.worse) == sum(f["cause"] == "pruning_regressed" for f in told)
    assert len(summary.top) == sum(
        f["cause"] != "pruning_regressed" and f["bytes_at_stake"] is not None for f in told
    )


@pytest.mark.parametrize(
    ("kept", "allowed", "expected"),
    [
        (0.5, 0.25, ". The statistics that the tables have would allow 300.0 GB, or 50%."),
        (
            0.5,
            0.5,
            (
                ": all that the statistics of the tables allow. What more there is to gain takes "
                "another layout."
            ),
        ),
    ],
)
def test_the_lead_compares_with_what_the_statistics_allow(
    kept: float, allowed: float, expected: str
) -> None:
    made = made_run([MadeTable(("lake", "a", "b"), kept, allowed)])
    told = "2 scans of 1 table kept 600.0 GB of data files"
    assert summary_of(made, summed(made.scan_plans)).lead == told + expected
