"""Times of events and of arrival, hours and months, and rows that come late."""

from __future__ import annotations

import numpy as np

from tests.workloads.model import Expected, Pair
from tests.workloads.physical import Commit, Layout
from tests.workloads.rows import (
    DAY,
    FILE_ROWS,
    dates,
    day,
    each,
    instant,
    laid_out,
    loaded,
    repeated,
    rng,
    scaled,
    table,
    times,
)

DAYS = 60
COUNT = DAYS * FILE_ROWS


def by_arrival() -> Layout:
    """A partition for each of 60 days of arrival, which is one file. Nineteen rows of twenty are of
    the hour before; the others of the five days before."""
    draw = rng(301)
    arrived = np.sort(draw.uniform(0, DAYS * DAY, COUNT))
    late = draw.random(COUNT) < 0.05
    lag = np.where(late, draw.uniform(0, 5 * DAY, COUNT), draw.uniform(0, 3_600, COUNT))
    return laid_out(
        table(
            {
                "event_at": times(np.maximum(arrived - lag, 0)),
                "arrived_at": times(arrived),
                "amount": np.arange(COUNT),
            }
        ),
        "days(arrived_at)",
    )


def late_loads() -> Layout:
    """A partition for each of 30 days. Each has one file of its day, and five of eight rows that
    came on the days after."""
    draw = rng(302)
    commits = []
    for load in range(30):
        own = load * DAY + draw.uniform(0, DAY, 560)
        late = [(load - back) * DAY + draw.uniform(0, DAY, 8) for back in range(1, 6)]
        seconds = np.concatenate([own, *(part for part in late if part.min() >= 0)])
        rows = table({"ts": times(seconds), "amount": np.arange(len(seconds))}, load)
        commits.append(Commit(loaded(rows, ("days(ts)",), FILE_ROWS), ("days(ts)",)))
    return Layout(tuple(commits), ("days(ts)",), scaled())


def streamed_today() -> Layout:
    """A partition for each of 40 days. 39 are one file; today has 180 of three rows, as a stream
    writes them."""
    old = np.repeat(np.arange(39), FILE_ROWS)
    today = np.full(540, 39)
    days = np.concatenate([old, today])
    rows = table({"day": dates(days), "amount": np.arange(len(days))})
    files = loaded(rows.slice(0, len(old)), ("day",), FILE_ROWS)
    newest = loaded(rows.slice(len(old)), ("day",), 3)
    return Layout((Commit(files, ("day",)), Commit(newest, ("day",))), ("day",), scaled())


def hours_of_a_month() -> Layout:
    """A partition for each of 672 hours, of ten rows: a sixtieth of a file, footer and all."""
    seconds = np.repeat(np.arange(672), 10) * 3_600 + 60.0
    return laid_out(
        table({"ts": times(seconds), "amount": np.arange(len(seconds))}, row_bytes=1_000),
        "hours(ts)",
        properties=scaled(600_000),
    )


def half_a_year() -> Layout:
    """A partition for each of six months, of 20 files with any times of it."""
    seconds = rng(303).uniform(0, 181 * DAY, 120 * FILE_ROWS)
    return laid_out(table({"ts": times(seconds), "amount": np.arange(len(seconds))}), "months(ts)")


def two_months_a_day_late() -> Layout:
    """60 files in order of arrival, without partitions; events are of the two hours before."""
    draw = rng(304)
    arrived = np.sort(draw.uniform(0, DAYS * DAY, COUNT))
    return laid_out(
        table({"event_at": times(arrived - draw.uniform(0, 7_200, COUNT)), "n": np.arange(COUNT)})
    )


def dated_months() -> Layout:
    """A partition for each of 24 months of a date, of two files in order of nothing."""
    days = rng(305).integers(0, 730, 48 * FILE_ROWS)
    return laid_out(table({"day": dates(days), "amount": np.arange(len(days))}), "months(day)")


DAYS_OF_EVENTS = [(instant(n * DAY), instant((n + 1) * DAY)) for n in range(2, 54, 4)]

PAIRS = (
    # Rows of the five days before are in each file, so a day is in six files, of which one holds
    # nearly all of it. Days of the event would be right.
    Pair(
        "days_of_events_by_arrival",
        by_arrival,
        each(
            "SELECT sum(amount) FROM lake.db.days_of_events_by_arrival"
            " WHERE event_at >= TIMESTAMP '{}' AND event_at < TIMESTAMP '{}'",
            DAYS_OF_EVENTS,
        ),
        expected=(Expected("no_partition_filter", ("event_at",), (0.6, 0.87)),),
        allowed=(Expected("misaligned_partitioning", ()),),
        tempting={"unclustered_column": "partitions are of one file; no order inside them helps"},
    ),
    # Whoever knows the table asks for the days of arrival as well.
    Pair(
        "days_of_events_and_arrival",
        by_arrival,
        each(
            "SELECT sum(amount) FROM lake.db.days_of_events_and_arrival"
            " WHERE event_at >= TIMESTAMP '{0}' AND event_at < TIMESTAMP '{1}'"
            " AND arrived_at >= TIMESTAMP '{0}' AND arrived_at < TIMESTAMP '{1}'",
            DAYS_OF_EVENTS,
        ),
        tempting={
            "no_partition_filter": "the partition column is in the filter",
            "unclustered_column": "one file of 60 is read",
        },
        never=("DROP",),
    ),
    # Reports of the month open 165 files for 30; bytes are right.
    Pair(
        "late_rows_in_files_of_their_own",
        late_loads,
        repeated(
            "SELECT sum(amount) FROM lake.db.late_rows_in_files_of_their_own"
            " WHERE ts >= TIMESTAMP '2026-01-01 00:00:00'"
            " AND ts < TIMESTAMP '2026-01-31 00:00:00'",
            10,
        ),
        expected=(Expected("small_files", (), None, True),),
        tempting={"partitions_too_fine": "a day is nearly a file"},
        never=("DROP", "REPLACE"),
    ),
    # The stream's day alone has small files; the others are as they should be.
    Pair(
        "streamed_today",
        streamed_today,
        [
            *each(
                "SELECT sum(amount) FROM lake.db.streamed_today WHERE day = DATE '{}'",
                map(day, range(10, 39, 3)),
            ),
            *repeated(
                f"SELECT sum(amount) FROM lake.db.streamed_today WHERE day = DATE '{day(39)}'", 20
            ),
        ],
        expected=(Expected("small_files", (), None, True, says=("where",)),),
        tempting={"partitions_too_fine": "a day is a file"},
        never=("DROP", "REPLACE", "rewrite-all"),
    ),
    # Weeks of hours: 168 files of ten rows each time. Days cost the one hour that is asked for
    # little.
    Pair(
        "weeks_of_hours",
        hours_of_a_month,
        [
            *each(
                "SELECT sum(amount) FROM lake.db.weeks_of_hours"
                " WHERE ts >= TIMESTAMP '{}' AND ts < TIMESTAMP '{}'",
                [(instant(n % 21 * DAY), instant((n % 21 + 7) * DAY)) for n in range(20)],
            ),
            *each(
                "SELECT sum(amount) FROM lake.db.weeks_of_hours"
                " WHERE ts >= TIMESTAMP '{}' AND ts < TIMESTAMP '{}'",
                [(instant(27 * DAY), instant(27 * DAY + 3_600))],
            ),
        ],
        expected=(Expected("partitions_too_fine", ("ts",), None, True, says=(r"days\(ts\)",)),),
        allowed=(Expected("small_files", (), None, False),),
    ),
    # An hour of a month whose 20 files have any hour: one file would do.
    Pair(
        "hours_of_months",
        half_a_year,
        each(
            "SELECT sum(amount) FROM lake.db.hours_of_months"
            " WHERE ts >= TIMESTAMP '{}' AND ts < TIMESTAMP '{}'",
            [(instant(n * DAY + 7_200), instant(n * DAY + 10_800)) for n in range(0, 180, 9)],
        ),
        expected=(
            Expected("partitions_too_coarse|unclustered_column", ("ts",), (0.85, 0.97), True),
        ),
        never=("DROP",),
    ),
    # Nothing is partitioned, and nothing needs to be: files are in order of time.
    Pair(
        "natural_order",
        two_months_a_day_late,
        each(
            "SELECT sum(n) FROM lake.db.natural_order"
            " WHERE event_at >= TIMESTAMP '{}' AND event_at < TIMESTAMP '{}'",
            DAYS_OF_EVENTS,
        ),
        tempting={"unclustered_column": "two or three files of 60 are read"},
    ),
    # year() is unwrapped, month() is not: twelve months are read for one.
    Pair(
        "year_and_month_in_trino",
        dated_months,
        repeated(
            "SELECT sum(amount) FROM lake.db.year_and_month_in_trino"
            " WHERE year(day) = 2026 AND month(day) = 3",
            8,
        ),
        expected=(
            Expected("wrapped_column", ("day",), (0.85, 0.93), statements=False, rewrite=True),
        ),
        tempting={"partitions_too_coarse": "a month is asked for"},
        never=("DROP", "REPLACE"),
    ),
    # Months, given by their days, are what the partitions are.
    Pair(
        "months_given_by_days",
        dated_months,
        each(
            "SELECT sum(amount) FROM lake.db.months_given_by_days"
            " WHERE day BETWEEN DATE '{}' AND DATE '{}'",
            [(day(0), day(30)), (day(31), day(58)), (day(59), day(89)), (day(90), day(119))],
        ),
        tempting={
            "partitions_too_coarse": "whole months are asked for",
            "unclustered_column": "all that is read matches",
        },
    ),
)
