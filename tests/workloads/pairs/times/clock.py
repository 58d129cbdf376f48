"""Days of another zone than that of partitions."""

from __future__ import annotations

import numpy as np

from tests.workloads.model import Expected, Pair
from tests.workloads.physical import Layout
from tests.workloads.rows import (
    DAY,
    FILE_ROWS,
    SPARK,
    day,
    each,
    instant,
    laid_out,
    repeated,
    rng,
    table,
    times,
)


def zoned_days() -> Layout:
    """A partition for each of 20 days of UTC, of four files each, with any hours in each."""
    count = 20 * 4 * FILE_ROWS
    draw = rng(81)
    seconds = np.repeat(np.arange(20), 4 * FILE_ROWS) * DAY + draw.uniform(0, DAY, count)
    return laid_out(table({"ts": times(seconds, "UTC"), "amount": np.arange(count)}), "days(ts)")


def zoned_days_in_order() -> Layout:
    """The same, with the files of a day in order of time."""
    count = 20 * 4 * FILE_ROWS
    seconds = np.sort(rng(82).uniform(0, 20 * DAY, count))
    return laid_out(table({"ts": times(seconds, "UTC"), "amount": np.arange(count)}), "days(ts)")


def zoned_hours() -> Layout:
    """A partition of one whole file for each hour of ten days."""
    count = 240 * 150
    seconds = np.sort(rng(83).uniform(0, 10 * DAY, count))
    return laid_out(
        table({"ts": times(seconds, "UTC"), "amount": np.arange(count)}, row_bytes=100),
        "hours(ts)",
        file_rows=400,
        properties={"write.target-file-size-bytes": "16000", "read.split.open-file-cost": "125"},
    )


def days_of_two_years() -> Layout:
    """A partition for each month of two years, of two files each."""
    count = 48 * FILE_ROWS
    seconds = np.sort(rng(84).uniform(0, 730 * DAY, count))
    return laid_out(table({"ts": times(seconds), "amount": np.arange(count)}), "months(ts)")


def files_of_hours() -> Layout:
    """A file for each hour of two days."""
    hours = np.repeat(np.arange(48), FILE_ROWS) * 3_600
    seconds = hours + np.sort(rng(85).uniform(1, 3_599, (48, FILE_ROWS))).ravel()
    return laid_out(table({"ts": times(seconds), "amount": np.arange(len(seconds))}))


BERLIN = (
    "SELECT sum(amount) FROM lake.db.{table} WHERE ts >= TIMESTAMP '{{}} 00:00:00 Europe/Berlin'"
    " AND ts < TIMESTAMP '{{}} 00:00:00 Europe/Berlin'"
)
UTC = BERLIN.replace("Europe/Berlin", "UTC")
DAYS = [(day(n), day(n + 1)) for n in range(2, 18)]

PAIRS = (
    # A day of Berlin is the last hour of a partition and 23 hours of the next: two for one.
    Pair(
        "days_of_berlin",
        zoned_days,
        each(BERLIN.format(table="days_of_berlin"), DAYS),
        expected=(Expected("local_day_boundaries", ("ts",), (0.45, 0.55), says=("hour",)),),
        rewritten={"local_day_boundaries": each(UTC.format(table="days_of_berlin"), DAYS)},
        tempting={
            "partitions_too_coarse": "a day is asked for; it is the zone that does not fit",
            "unclustered_column": "all but one hour of a day match",
        },
    ),
    # The zone of the session does the same without a word in the text.
    Pair(
        "session_in_berlin",
        zoned_days,
        each(
            "SELECT sum(amount) FROM lake.db.session_in_berlin WHERE ts >= TIMESTAMP '{} 00:00:00'"
            " AND ts < TIMESTAMP '{} 00:00:00'",
            DAYS,
            time_zone="Europe/Berlin",
            **SPARK,
        ),
        expected=(Expected("local_day_boundaries", ("ts",), (0.45, 0.55), says=("hour",)),),
        rewritten={
            "local_day_boundaries": each(UTC.format(table="session_in_berlin"), DAYS, **SPARK)
        },
        tempting={"partitions_too_coarse": "a day is asked for"},
    ),
    # Where files are in order, the day before leaves one of five, an hour of which matches.
    Pair(
        "days_of_berlin_in_order",
        zoned_days_in_order,
        each(BERLIN.format(table="days_of_berlin_in_order"), DAYS),
        allowed=(Expected("local_day_boundaries", ("ts",), (0.0, 0.25)),),
        tempting={"unclustered_column": "files are in order of ts"},
    ),
    # Whole hours of UTC are whole hours of Berlin.
    Pair(
        "hours_for_berlin",
        zoned_hours,
        each(BERLIN.format(table="hours_for_berlin"), [(day(n), day(n + 1)) for n in range(2, 9)]),
        tempting={
            "local_day_boundaries": "partitions of hours fit every whole hour",
            "partitions_too_fine": "an hour is a file",
            "small_files": "files are whole",
        },
    ),
    Pair(
        "days_of_utc",
        zoned_days,
        each(
            "SELECT sum(amount) FROM lake.db.days_of_utc WHERE ts >= TIMESTAMP '{} 00:00:00 UTC'"
            " AND ts < TIMESTAMP '{} 00:00:00 UTC'",
            DAYS,
        ),
        tempting={"local_day_boundaries": "days of UTC are what partitions are"},
    ),
    # As a dashboard writes it: the cast is to the type that there is, and Trino drops it.
    Pair(
        "days_cast_to_their_own_type",
        days_of_two_years,
        [
            *each(
                "SELECT sum(amount) FROM lake.db.days_cast_to_their_own_type"
                " WHERE CAST(EXTRACT(YEAR FROM ts) AS BIGINT) = {}",
                (2026, 2027),
            ),
            *each(
                "SELECT sum(amount) FROM lake.db.days_cast_to_their_own_type"
                " WHERE CAST(date_trunc('month', ts) AS timestamp(6)) = TIMESTAMP '{}'",
                [instant(0), instant(31 * DAY), instant(59 * DAY)],
            ),
        ],
        tempting={"wrapped_column": "the engine unwraps the year and the month"},
    ),
    # Years that follow one another are a range of years to Trino, which it does not unwrap.
    Pair(
        "winters",
        days_of_two_years,
        repeated(
            "SELECT sum(amount) FROM lake.db.winters WHERE (year(ts) = 2026 AND month(ts) = 12)"
            " OR (year(ts) = 2027 AND month(ts) = 1)",
            5,
            engine_version="483",
        ),
        expected=(Expected("wrapped_column", ("ts",), (0.88, 0.94), False, True),),
    ),
    Pair(
        "hours_as_text",
        files_of_hours,
        each(
            "SELECT sum(amount) FROM lake.db.hours_as_text"
            " WHERE date_format(ts, '%Y-%m-%d %H') = '2026-01-02 {:02}'",
            range(3, 24, 4),
        ),
        expected=(Expected("wrapped_column", ("ts",), (0.97, 0.985), False, True),),
        tempting={"unclustered_column": "files are in order of ts"},
    ),
)
