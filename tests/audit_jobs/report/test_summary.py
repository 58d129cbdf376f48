"""What the report says first, and where it is written."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest

from prunescope.audit_jobs.findings.model import Severity
from prunescope.audit_jobs.report.path import report_path
from prunescope.audit_jobs.report.summary import summary_of, window_text
from tests.audit_jobs.report.made_runs import MadeTable, finding, made_run, regression
from tests.audit_jobs.sinks.results import DAY, HOUR, MIDNIGHT


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


WRAPPED = finding("wrapped_column", Severity.HIGH, 3 * 10**11)
FREE = finding("unclustered_column", Severity.LOW, None)
WRONG = finding("over_prune", Severity.CRITICAL, None)
WORSE = regression(10**9, 0.1, 0.9)
HIDDEN = {"suppressed": "known"}


@pytest.mark.parametrize(
    ("findings", "expected"),
    [
        pytest.param([], "No findings in this window", id="none"),
        pytest.param([FREE], "1 finding, avoidable bytes unknown", id="unknown"),
        pytest.param([FREE, WRAPPED], "1 fix would skip 300.0 GB of 1.1 TB read (28%)", id="stake"),
        pytest.param([WRAPPED, WORSE], "1 query regressed", id="one worse"),
        pytest.param([WORSE, WORSE], "2 queries regressed", id="two worse"),
        pytest.param([WORSE, WRONG], "Results may be wrong: 1 critical finding", id="critical"),
        pytest.param([WRONG | HIDDEN], "No findings in this window", id="suppressed"),
    ],
)
def test_the_headline_says_what_matters_most(findings: list[Any], expected: str) -> None:
    made = made_run([MadeTable(("lake", "a", "b"), 0.9, 0.1, findings=tuple(findings))])
    summary = summary_of(made)
    assert summary.sentence == expected
    told = [f for f in findings if f.get("suppressed") is None]
    assert len(summary.worse) == sum(f["cause"] == "pruning_regressed" for f in told)
    assert len(summary.top) == sum(
        f["cause"] != "pruning_regressed" and f["bytes_at_stake"] is not None for f in told
    )


@pytest.mark.parametrize(
    ("kept", "allowed", "expected"),
    [
        (0.5, 0.25, "Best case with current layouts: 300.0 GB (50% of the bytes)."),
        (0.5, 0.5, "Pruning uses all available statistics. To read less, change the layout."),
    ],
)
def test_the_lead_compares_with_what_the_statistics_allow(
    kept: float, allowed: float, expected: str
) -> None:
    made = made_run([MadeTable(("lake", "a", "b"), kept, allowed)])
    assert summary_of(made).lead == f"2 scans of 1 table. {expected}"


REWRITTEN = finding("wrapped_column", Severity.HIGH, 10**11, fix_spark=[], fix_trino=[])
UNFIXED = REWRITTEN | {"rewrite": None}


def test_bytes_are_told_by_the_kind_of_fix() -> None:
    """The share is of what all scans read, 600 GB."""
    findings = (REWRITTEN, finding("small_files", Severity.LOW, 2 * 10**11), UNFIXED)
    summary = summary_of(made_run([MadeTable(("lake", "a", "b"), 0.5, 0.5, findings=findings)]))
    assert summary.sentence == "2 fixes would skip 300.0 of 600.0 GB read (50%)"
    assert [(kind.name, kind.stake, kind.findings) for kind in summary.kinds] == [
        ("change queries", "100.0 GB", "1 finding"),
        ("change tables", "200.0 GB", "1 finding"),
        ("no fix known", "100.0 GB", "1 finding"),
    ]
