"""Ranges that are whole days, months or years of some time zone."""

from __future__ import annotations

import datetime as dt
from dataclasses import replace

import pytest

from prunescope.audit_jobs.findings.local_days import shifted_scans
from prunescope.audit_jobs.findings.usage import Group
from prunescope.audit_jobs.pruning.summary import ConjunctSummary
from prunescope.audit_jobs.records import ConjunctRecord, ScanRecord
from prunescope.collectors.predicates.model import BoundComparison, Field
from prunescope.collectors.predicates.operators import Op
from tests.audit_jobs.findings.groups import group_of
from tests.audit_jobs.sinks.results import replayed

EPOCH = dt.datetime(1970, 1, 1)
AT = Field(7, "at", "timestamptz")


def group(*ranges: tuple[str, str], last: Op = Op.LT) -> Group:
    """A scan for each range of `at`."""
    return group_of([scan(number, *ends, last) for number, ends in enumerate(ranges)])


def scan(number: int, start: str, end: str, last: Op) -> ScanRecord:
    """The scan of a range of `at`."""
    predicates = [
        BoundComparison(
            op, AT, ((dt.datetime.fromisoformat(text) - EPOCH) // dt.timedelta(0, 0, 1),)
        )
        for op, text in ((Op.GT_EQ, start), (last, end))
    ]
    parts = tuple(
        ConjunctRecord("", "unenforced", True, ConjunctSummary(predicate, 0, 0, 0))
        for predicate in predicates
    )
    return replace(replayed(f"{number}/0"), conjuncts=parts)


@pytest.mark.parametrize(
    ("transform", "start", "end", "minutes", "units"),
    [
        ("day", "2024-03-04 05:00", "2024-03-06 05:00", 300, 2),
        ("day", "2024-03-03 18:30", "2024-03-04 18:30", -330, 1),
        # The clocks go forward, and back.
        ("day", "2024-03-09 05:00", "2024-03-11 04:00", 300, 2),
        ("day", "2024-11-02 04:00", "2024-11-04 05:00", 240, 2),
        ("month", "2024-03-01 05:00", "2024-04-01 04:00", 300, 1),
        ("month", "2023-12-31 13:00", "2024-01-31 13:00", -660, 1),
        ("year", "2023-12-31 23:00", "2024-12-31 23:00", -60, 1),
        ("year", "2022-01-01 14:00", "2024-01-01 14:00", 840, 2),
        ("hour", "2024-03-04 05:30", "2024-03-04 08:30", -30, 3),
    ],
)
def test_shifted(transform: str, start: str, end: str, minutes: int, units: int) -> None:
    (found,) = shifted_scans(group((start, end)), AT, transform)
    assert found.seconds == minutes * 60
    assert found.units == units


@pytest.mark.parametrize(
    ("transform", "start", "end"),
    [
        ("day", "2024-03-04 00:00", "2024-03-06 00:00"),
        ("day", "2024-03-04 00:00", "2024-03-05 01:00"),
        ("day", "2024-03-04 05:00", "2024-03-06 09:00"),
        ("day", "2024-03-04 05:00", "2024-03-04 17:00"),
        ("day", "2024-03-04 05:07", "2024-03-06 05:07"),
        ("day", "2024-03-06 05:00", "2024-03-04 05:00"),
        ("month", "2024-03-05 05:00", "2024-04-05 05:00"),
        ("year", "2024-02-01 00:00", "2025-02-01 00:00"),
        ("hour", "2024-03-04 05:00", "2024-03-04 08:00"),
        ("identity", "2024-03-04 05:00", "2024-03-06 05:00"),
        ("year", "0001-01-01 05:00", "9999-12-31 20:00"),
    ],
)
def test_not_shifted(transform: str, start: str, end: str) -> None:
    assert shifted_scans(group((start, end)), AT, transform) == []


def test_the_last_microsecond_of_a_day_ends_it() -> None:
    (found,) = shifted_scans(
        group(("2024-03-04 05:00", "2024-03-06 04:59:59.999999"), last=Op.LT_EQ), AT, "day"
    )
    low, high = found.beyond
    assert (high - low) // 1_000_000 == 5 * 3600


def test_columns_without_a_zone_have_no_days_but_their_own() -> None:
    plain = Field(7, "at", "timestamp")
    assert shifted_scans(group(("2024-03-04 05:00", "2024-03-06 05:00")), plain, "day") == []


def test_windows_that_move_with_the_hour_are_days_of_no_zone() -> None:
    hourly = [(f"2024-03-04 {hour:02d}:00", f"2024-03-05 {hour:02d}:00") for hour in range(24)]
    assert shifted_scans(group(*hourly), AT, "day") == []
    # Before and after a zone's clocks change.
    assert len(shifted_scans(group(hourly[5], hourly[5], hourly[4]), AT, "day")) == 3
