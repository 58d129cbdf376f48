"""Partitions of platforms that are too fine, too coarse, or of no use."""

from __future__ import annotations

import numpy as np

from tests.workloads.model import Expected, Pair
from tests.workloads.physical import Layout
from tests.workloads.rows import (
    DAY,
    FILE_ROWS,
    ROW_BYTES,
    TARGET_BYTES,
    each,
    instant,
    laid_out,
    rng,
    scaled,
    table,
    texts,
    times,
)


def impressions() -> Layout:
    """Ten days of 24 hours of four buckets, with eight wide rows in each."""
    draw = rng(8301)
    count = 960 * 8
    return laid_out(
        table(
            {
                "ts": times(draw.uniform(0, 10 * DAY, count)),
                "campaign_id": draw.integers(0, 3000, count),
            },
            row_bytes=10 * ROW_BYTES,
        ),
        "hours(ts)",
        "bucket(4, campaign_id)",
        properties=scaled(10 * TARGET_BYTES),
    )


def sensors_of_months() -> Layout:
    """Three months of 60 files each, in order of sensors: a job wrote them from a vendor's dump."""
    draw = rng(8302)
    count = 180 * FILE_ROWS
    sensors = np.sort(draw.integers(0, 4000, count))
    return laid_out(
        table({"ts": times(draw.uniform(0, 90 * DAY, count)), "sensor_id": sensors}),
        "months(ts)",
    )


def orders_in_buckets() -> Layout:
    """16 buckets of six files each, in no order."""
    draw = rng(8303)
    count = 96 * FILE_ROWS
    return laid_out(table({"order_id": draw.permutation(count)}), "bucket(16, order_id)")


def sessions_of_countries() -> Layout:
    """25 countries, of 26 files to one, each in order of time."""
    draw = rng(8304)
    sizes = (26 * FILE_ROWS / np.arange(1, 26)).astype(np.int64)
    count = int(sizes.sum())
    return laid_out(
        table(
            {
                "ts": times(np.sort(draw.uniform(0, 60 * DAY, count))),
                "country": texts(draw.permutation(np.repeat(np.arange(25), sizes)), "C{:02d}"),
            }
        ),
        "country",
    )


def posts_in_buckets() -> Layout:
    """Eight buckets of users of 20 files each, with any of 20 days in each."""
    draw = rng(8305)
    count = 160 * FILE_ROWS
    return laid_out(
        table(
            {
                "ts": times(draw.uniform(0, 20 * DAY, count)),
                "user_id": draw.integers(0, 9000, count),
            }
        ),
        "bucket(8, user_id)",
    )


PAIRS = (
    # A scan of a day opens 96 files of eight rows; opening one costs as much as five rows.
    Pair(
        "impressions_of_hours_and_buckets",
        impressions,
        [
            *each(
                "SELECT count(*) FROM lake.db.impressions_of_hours_and_buckets"
                " WHERE ts >= TIMESTAMP '{}' AND ts < TIMESTAMP '{}'",
                [(instant(n * DAY), instant((n + 1) * DAY)) for n in range(10)] * 4,
            ),
            *each(
                "SELECT count(*) FROM lake.db.impressions_of_hours_and_buckets"
                " WHERE ts >= TIMESTAMP '{}' AND ts < TIMESTAMP '{}' AND campaign_id = {}",
                [
                    (instant(n % 10 * DAY), instant((n % 10 + 1) * DAY), n * 70)
                    for n in range(1, 41)
                ],
            ),
        ],
        expected=(Expected("partitions_too_fine", ("ts",), None, True, False, (r"days\(ts\)",)),),
        tempting={"small_files": "no file spans two partitions"},
        never=("DROP PARTITION FIELD", "ORDERED BY", r"months\("),
    ),
    # A day is in 60 files, and would be in two; a sensor is in three, and would be in 90.
    Pair(
        "days_of_sensors_in_months",
        sensors_of_months,
        [
            *each(
                "SELECT avg(sensor_id) FROM lake.db.days_of_sensors_in_months"
                " WHERE ts >= TIMESTAMP '{}' AND ts < TIMESTAMP '{}'",
                [(instant(n * DAY), instant((n + 1) * DAY)) for n in range(15, 75)],
            ),
            *each(
                "SELECT * FROM lake.db.days_of_sensors_in_months WHERE sensor_id = {}",
                range(100, 4000, 400),
            ),
        ],
        expected=(Expected("partitions_too_coarse", ("ts",), (0.65, 0.97), True, False),),
        allowed=(Expected("misaligned_partitioning", ()),),
        tempting={"no_partition_filter": "sensors are in one file of each month"},
        never=("WRITE ORDERED BY ts",),
    ),
    # Buckets serve 400 lookups; an order within them serves both.
    Pair(
        "ranges_and_lookups_in_buckets",
        orders_in_buckets,
        [
            *each(
                "SELECT * FROM lake.db.ranges_and_lookups_in_buckets"
                " WHERE order_id BETWEEN {} AND {}",
                [(n, n + 499) for n in range(600, 56_600, 1400)],
            ),
            *each(
                "SELECT * FROM lake.db.ranges_and_lookups_in_buckets WHERE order_id = {}",
                range(77, 57_600, 144),
            ),
        ],
        expected=(
            Expected("range_on_bucketed_column", ("order_id",), (0.4, 0.6), True, False),
            Expected("unclustered_column", ("order_id",), (0.2, 0.4)),
        ),
        tempting={"misaligned_partitioning": "buckets are used"},
        never=("DROP PARTITION FIELD", "REPLACE PARTITION FIELD"),
    ),
    # A day is in a file of each country, or two, and would be in two.
    Pair(
        "days_of_all_countries",
        sessions_of_countries,
        each(
            "SELECT country, count(*) FROM lake.db.days_of_all_countries"
            " WHERE ts >= TIMESTAMP '{}' AND ts < TIMESTAMP '{}' GROUP BY country",
            [(instant(n % 60 * DAY), instant((n % 60 + 1) * DAY)) for n in range(80)],
        ),
        expected=(Expected("misaligned_partitioning", (), None, True),),
        allowed=(Expected("no_partition_filter", ("ts",)),),
        tempting={"unclustered_column": "rows of a country are in order of time"},
        never=("ORDERED BY",),
    ),
    # What the first night sees is no reason to take the buckets away.
    Pair(
        "days_of_posts_on_the_first_night",
        posts_in_buckets,
        each(
            "SELECT count(*) FROM lake.db.days_of_posts_on_the_first_night"
            " WHERE ts >= TIMESTAMP '{}' AND ts < TIMESTAMP '{}'",
            [(instant(n % 19 * DAY), instant((n % 19 + 2) * DAY)) for n in range(50)],
        ),
        expected=(Expected("no_partition_filter", ("ts",), (0.78, 0.93), True, False),),
        allowed=(Expected("misaligned_partitioning", ()),),
        never=("DROP PARTITION FIELD", "REPLACE PARTITION FIELD"),
        days=1,
    ),
)
