"""Tables of more than a hundred days or hours, most of them asked for the newest."""

from __future__ import annotations

import numpy as np

from tests.workloads.model import Expected, Pair
from tests.workloads.physical import Layout
from tests.workloads.rows import (
    DAY,
    FILE_ROWS,
    SPARK,
    dates,
    day,
    day_text,
    each,
    instant,
    laid_out,
    rng,
    scaled,
    table,
    texts,
    times,
)

LARGE_FILES = scaled(600_000)
"""Targets of ten times the usual size, beside which a file of a few rows is nothing."""


def telemetry() -> Layout:
    """180 days of one file each, with any of 500 machines in each."""
    draw = rng(8801)
    count = 180 * FILE_ROWS
    return laid_out(
        table(
            {
                "ts": times(np.sort(draw.uniform(0, 180 * DAY, count))),
                "machine_id": draw.integers(0, 500, count),
            }
        ),
        "days(ts)",
    )


def taxi_hours() -> Layout:
    """14 days of hours, each of which is a hundredth of a file."""
    draw = rng(8802)
    count = 14 * 24 * 60
    return laid_out(
        table(
            {
                "picked_up_at": times(np.sort(draw.uniform(0, 14 * DAY, count))),
                "zone": draw.integers(0, 260, count),
            }
        ),
        "hours(picked_up_at)",
        file_rows=6000,
        properties=LARGE_FILES,
    )


def clicks_by_arrival() -> Layout:
    """150 days of arrival of one file each. Of 20 clicks one comes up to 30 days late."""
    draw = rng(8803)
    count = 150 * FILE_ROWS
    arrived = np.sort(draw.uniform(0, 150 * DAY, count))
    late = np.where(
        draw.random(count) < 0.05, draw.uniform(0, 30 * DAY, count), draw.uniform(0, 1800, count)
    )
    return laid_out(
        table(
            {
                "ingested_at": times(arrived),
                "event_at": times(arrived - late),
                "page": texts(draw.integers(0, 900, count), "page-{:04d}"),
            }
        ),
        "days(ingested_at)",
    )


def consignments() -> Layout:
    """30 days of twelve carriers, each with a twelfth of a file."""
    draw = rng(8804)
    count = 30 * 12 * 50
    return laid_out(
        table(
            {
                "shipped_on": dates(np.sort(draw.integers(0, 30, count))),
                "carrier": texts(draw.integers(0, 12, count), "CARRIER-{:02d}"),
                "weight": draw.integers(1, 3000, count),
            }
        ),
        "carrier",
        "shipped_on",
    )


def silos() -> Layout:
    """120 days of Hive's year, month and day, of two files each."""
    draw = rng(8805)
    count = 120 * 2 * FILE_ROWS
    days = np.sort(draw.integers(0, 120, count))
    return laid_out(
        table(
            {
                "year": day_text(days, "%Y"),
                "month": day_text(days, "%m"),
                "day": day_text(days, "%d"),
                "silo": draw.integers(0, 40, count),
                "fill": draw.random(count),
            }
        ),
        "year",
        "month",
        "day",
    )


def local_days() -> Layout:
    """130 days of Tokyo of one file each, whose times are those of UTC."""
    draw = rng(8806)
    count = 130 * FILE_ROWS
    seconds = np.sort(draw.uniform(DAY, 131 * DAY, count))
    return laid_out(
        table(
            {
                "dt": day_text(((seconds + 9 * 3600) // DAY).astype(int)),
                "ts": times(seconds),
                "turnstile": draw.integers(0, 300, count),
            }
        ),
        "dt",
    )


def alerts() -> Layout:
    """105 days, each in three files of a fifteenth of what they should be."""
    draw = rng(8807)
    count = 105 * 120
    return laid_out(
        table(
            {
                "raised_at": times(np.sort(draw.uniform(0, 105 * DAY, count))),
                "rule_id": draw.integers(0, 80, count),
            }
        ),
        "days(raised_at)",
        file_rows=40,
    )


PAIRS = (
    # A day is a file, and no scan can read less than one of each day it asks for.
    Pair(
        "telemetry_of_newest_days",
        telemetry,
        each(
            "SELECT * FROM lake.db.telemetry_of_newest_days WHERE machine_id = {}"
            " AND ts >= TIMESTAMP '{}'",
            [(n * 7 % 500, instant((180 - 1 - n % 3) * DAY)) for n in range(60)],
        ),
        tempting={
            "unclustered_column": "a day is one file",
            "row_groups_not_pruned": "a file is one row group of a few megabytes",
            "no_partition_filter": "days are asked for",
            "small_files": "files are as large as they should be",
        },
        never=("PARTITION FIELD", "ORDERED BY"),
    ),
    # 24 files for a day, of which one would do.
    Pair(
        "taxi_hours_asked_by_day",
        taxi_hours,
        each(
            "SELECT zone, count(*) FROM lake.db.taxi_hours_asked_by_day"
            " WHERE picked_up_at >= TIMESTAMP '{}' AND picked_up_at < TIMESTAMP '{}'"
            " GROUP BY zone",
            [(instant((13 - n % 4) * DAY), instant((14 - n % 4) * DAY)) for n in range(40)],
        ),
        expected=(Expected("partitions_too_fine", ("picked_up_at",), statements=True),),
        tempting={
            "small_files": "no file spans two partitions",
            "unclustered_column": "hours are in order",
        },
        never=("ORDERED BY", "DROP PARTITION FIELD"),
    ),
    # No click comes before it happens, so what arrived before a day has none of it.
    Pair(
        "clicks_since_yesterday",
        clicks_by_arrival,
        each(
            "SELECT page, count(*) FROM lake.db.clicks_since_yesterday"
            " WHERE event_at >= TIMESTAMP '{}' GROUP BY page",
            [instant((149 - n % 2) * DAY) for n in range(48)],
        ),
        tempting={
            "no_partition_filter": "the newest files alone may have them",
            "misaligned_partitioning": "days of arrival serve what is asked for",
            "unclustered_column": "what is read is what matches",
        },
        never=("PARTITION FIELD", "ORDERED BY"),
    ),
    # A day of clicks is in its file, and late ones in 30 more.
    Pair(
        "clicks_of_days_that_are_over",
        clicks_by_arrival,
        each(
            "SELECT page, count(*) FROM lake.db.clicks_of_days_that_are_over"
            " WHERE event_at >= TIMESTAMP '{}' AND event_at < TIMESTAMP '{}' GROUP BY page",
            [(instant(n * DAY), instant((n + 1) * DAY)) for n in range(5, 115, 4)],
        ),
        expected=(Expected("no_partition_filter", ("event_at",), (0.8, 0.97), True),),
        allowed=(Expected("misaligned_partitioning", ()),),
        tempting={"small_files": "files are as large as they should be"},
    ),
    # Nobody asks for a carrier, which cuts each day into twelve.
    Pair(
        "consignments_of_any_carrier",
        consignments,
        each(
            "SELECT sum(weight) FROM lake.db.consignments_of_any_carrier"
            " WHERE shipped_on >= DATE '{}'",
            [day(29 - n % 4) for n in range(50)],
        ),
        expected=(
            Expected("misaligned_partitioning|partitions_too_fine", ("carrier",), statements=True),
        ),
        tempting={
            "small_files": "no file spans two partitions",
            "unclustered_column": "days are partitions",
            "no_partition_filter": "days are asked for",
        },
        never=("ORDERED BY", r"DROP PARTITION FIELD shipped_on", r"bucket\("),
    ),
    # Days are asked for as they are kept.
    Pair(
        "silos_of_hive",
        silos,
        [
            *each(
                "SELECT avg(fill) FROM lake.db.silos_of_hive"
                " WHERE year = '2026' AND month = '04' AND day = '{:02d}'",
                [30 - n % 3 for n in range(40)],
                **SPARK,
            ),
            *each(
                "SELECT silo, max(fill) FROM lake.db.silos_of_hive"
                " WHERE year = '2026' AND month = '{:02d}' GROUP BY silo",
                [1, 2, 3],
            ),
        ],
        tempting={
            "partitions_too_fine": "a day is two files",
            "type_mismatch": "text is compared with text",
            "misaligned_partitioning": "all three are asked for",
            "unclustered_column": "all of a day is asked for",
        },
        never=("PARTITION FIELD", "ORDERED BY"),
    ),
    # Days of UTC lie in two days of Tokyo, as their bounds tell.
    Pair(
        "turnstiles_by_times_alone",
        local_days,
        each(
            "SELECT count(*) FROM lake.db.turnstiles_by_times_alone"
            " WHERE ts >= TIMESTAMP '{}' AND ts < TIMESTAMP '{}'",
            [(instant(n * DAY), instant((n + 3) * DAY)) for n in range(5, 128, 3)],
        ),
        tempting={
            "no_partition_filter": "bounds of times tell the days",
            "misaligned_partitioning": "its days keep times together",
            "unclustered_column": "files are in order of time",
        },
        never=("PARTITION FIELD", "ORDERED BY"),
    ),
    # Small files there are, and nobody opens more than three of them.
    Pair(
        "alerts_of_the_newest_day",
        alerts,
        each(
            "SELECT * FROM lake.db.alerts_of_the_newest_day WHERE raised_at >= TIMESTAMP '{}'",
            [instant((104 - n % 2) * DAY) for n in range(60)],
        ),
        tempting={
            "small_files": "a scan opens three to six of them",
            "partitions_too_fine": "a scan opens three to six files",
        },
        never=("PARTITION FIELD", "ORDERED BY"),
    ),
)
