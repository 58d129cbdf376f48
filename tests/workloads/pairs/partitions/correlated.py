"""Partitions by one column that keep another one together: dropping them does harm."""

from __future__ import annotations

import numpy as np

from tests.workloads.model import Expected, Pair
from tests.workloads.physical import Layout
from tests.workloads.rows import (
    DAY,
    FILE_ROWS,
    dates,
    day,
    day_text,
    each,
    instant,
    laid_out,
    rng,
    table,
    texts,
    times,
)

DAYS = 60
COUNT = DAYS * FILE_ROWS


def hive_days() -> Layout:
    """A partition of text (year, month, day) for each of 60 days, which is one file; its rows
    arrived in any order."""
    days = np.repeat(np.arange(DAYS), FILE_ROWS)
    seconds = days * DAY + rng(41).uniform(0, DAY, COUNT)
    return laid_out(
        table(
            {
                "year": day_text(days, "%Y"),
                "month": day_text(days, "%m"),
                "day": day_text(days, "%d"),
                "ts": times(seconds),
                "amount": np.arange(COUNT),
            }
        ),
        "year",
        "month",
        "day",
    )


def shop_orders() -> Layout:
    """A partition for each date of an order, which was made at `created_at`, on that date. Loads
    bring any dates."""
    seconds = rng(42).uniform(0, DAYS * DAY, COUNT)
    return laid_out(
        table(
            {
                "order_date": dates(seconds // DAY),
                "created_at": times(seconds),
                "amount": np.arange(COUNT),
            }
        ),
        "order_date",
    )


def orders_by_day() -> Layout:
    """A partition for each of 150 days; order numbers grow with time, but loads bring rows in any
    order."""
    seconds = np.sort(rng(43).uniform(0, 150 * DAY, COUNT))
    rows = table({"order_id": np.arange(COUNT) * 3, "ts": times(seconds)})
    shuffled = rows.take(rng(44).permutation(COUNT))
    return laid_out(shuffled, "days(ts)")


def shipped() -> Layout:
    """A partition for each of 60 order dates; shipping takes up to three days."""
    seconds = rng(45).uniform(0, DAYS * DAY, COUNT)
    shipping = seconds + rng(46).uniform(0, 3 * DAY, COUNT)
    return laid_out(
        table(
            {
                "order_date": dates(seconds // DAY),
                "ship_date": dates(shipping // DAY),
                "amount": np.arange(COUNT),
            }
        ),
        "order_date",
    )


def stores_of_cities() -> Layout:
    """A partition for each of 40 stores, each in one of ten cities."""
    store = rng(47).integers(0, 40, 40 * FILE_ROWS)
    return laid_out(
        table({"store_id": store, "city": texts(store % 10, "city {}")}),
        "store_id",
    )


def regions() -> Layout:
    """A partition for each of eight regions, whose five files each hold all of 100 days."""
    count = 40 * FILE_ROWS
    draw = rng(48)
    return laid_out(
        table(
            {
                "region": texts(draw.integers(0, 8, count), "r{}"),
                "ts": times(draw.uniform(0, 100 * DAY, count)),
                "amount": np.arange(count),
            }
        ),
        "region",
    )


RANGE = (
    "SELECT sum(amount) FROM lake.db.{table} WHERE {column} >= TIMESTAMP '{{}}'"
    " AND {column} < TIMESTAMP '{{}}'"
)
KEEPS_TOGETHER = "without the field files no longer hold a day each, and ranges read all of them"
MISALIGNED = (Expected("misaligned_partitioning", ()),)
"""Naming the field is allowed (hidden partitions are better); taking it away is not."""

PAIRS = (
    # Bounds of ts rule out all other days, and they do so because of the partitions.
    Pair(
        "hive_days",
        hive_days,
        each(
            RANGE.format(table="hive_days", column="ts"),
            [(instant(n * DAY), instant((n + 3) * DAY)) for n in range(0, 57, 3)],
        ),
        allowed=MISALIGNED,
        tempting={
            "no_partition_filter": "the bounds of ts leave three files of 60",
            "unclustered_column": "the partitions order ts",
        },
        never=("DROP",),
    ),
    Pair(
        "hive_days_one_window",
        hive_days,
        each(
            RANGE.format(table="hive_days_one_window", column="ts"),
            [(instant(n * DAY), instant((n + 3) * DAY)) for n in range(0, 57, 3)],
        ),
        allowed=MISALIGNED,
        tempting={"no_partition_filter": "the bounds of ts leave three files of 60"},
        never=("DROP",),
        days=1,
    ),
    # One query of 30 days among those of one: few files are ruled out by it.
    Pair(
        "hive_days_long_ranges",
        hive_days,
        each(
            RANGE.format(table="hive_days_long_ranges", column="ts"),
            [(instant(n * DAY), instant((n + 57) * DAY)) for n in range(3)],
        ),
        allowed=MISALIGNED,
        tempting={"no_partition_filter": "nearly all rows match"},
        never=("DROP",),
    ),
    Pair(
        "shop_orders",
        shop_orders,
        each(
            RANGE.format(table="shop_orders", column="created_at"),
            [(instant(n * DAY), instant((n + 2) * DAY)) for n in range(0, 58, 3)],
        ),
        allowed=MISALIGNED,
        tempting={
            "no_partition_filter": KEEPS_TOGETHER,
            "unclustered_column": "each partition holds one day of created_at",
        },
        never=("DROP",),
    ),
    # Order numbers are in order of days, as far as files go.
    Pair(
        "numbers_by_day",
        orders_by_day,
        each(
            "SELECT * FROM lake.db.numbers_by_day WHERE order_id BETWEEN {} AND {}",
            [(n * 3, n * 3 + 600) for n in range(500, COUNT, 3_600)],
        ),
        allowed=MISALIGNED,
        tempting={"no_partition_filter": KEEPS_TOGETHER},
        never=("DROP",),
    ),
    # Five days of ship_date are in the partitions of eight order dates.
    Pair(
        "shipped",
        shipped,
        each(
            "SELECT sum(amount) FROM lake.db.shipped"
            " WHERE ship_date BETWEEN DATE '{}' AND DATE '{}'",
            [(day(n), day(n + 4)) for n in range(5, 55, 4)],
        ),
        allowed=(
            *MISALIGNED,
            # Four files of eight hold what matches; whether that is worth a sort is open.
            Expected("no_partition_filter", ("ship_date",), (0.0, 0.5)),
        ),
        tempting={"unclustered_column": "order dates keep ship dates together"},
        never=("DROP",),
    ),
    # A city is four stores, and each file has the city of its store.
    Pair(
        "stores_of_cities",
        stores_of_cities,
        each(
            "SELECT count(*) FROM lake.db.stores_of_cities WHERE city = 'city {}'",
            [*range(10), *range(10)],
        ),
        allowed=MISALIGNED,
        tempting={"no_partition_filter": "files hold one city each"},
        never=("DROP",),
    ),
    # Regions do nothing for days, and no query of a week asks for one: each day is in all 40 files.
    Pair(
        "regions_unasked",
        regions,
        each(
            RANGE.format(table="regions_unasked", column="ts"),
            [(instant(n * DAY), instant((n + 1) * DAY)) for n in range(0, 100, 5)],
        ),
        expected=(
            Expected("no_partition_filter", ("ts",), (0.7, 0.99), True, False),
            Expected("misaligned_partitioning", (), None, True),
        ),
        tempting={"partitions_too_coarse": "regions are no time"},
    ),
    # The same, and nobody knows yet what other days bring.
    Pair(
        "regions_one_window",
        regions,
        each(
            RANGE.format(table="regions_one_window", column="ts"),
            [(instant(n * DAY), instant((n + 1) * DAY)) for n in range(0, 100, 5)],
        ),
        expected=(Expected("no_partition_filter", ("ts",), (0.7, 0.99), True, False),),
        allowed=MISALIGNED,
        never=("DROP", "REPLACE PARTITION FIELD region"),
        days=1,
    ),
    # Half of the queries want a region, so it stays; the others want days, which are sorted within.
    Pair(
        "regions_for_some",
        regions,
        [
            *each(
                RANGE.format(table="regions_for_some", column="ts"),
                [(instant(n * DAY), instant((n + 1) * DAY)) for n in range(0, 100, 10)],
            ),
            *each(
                "SELECT sum(amount) FROM lake.db.regions_for_some WHERE region = 'r{}'",
                [*range(8), 1, 2],
            ),
        ],
        # 10 scans of 40 files become 8 files or fewer each; 10 of 5 files stay.
        expected=(Expected("no_partition_filter", ("ts",), (0.6, 0.9), True, False),),
        allowed=MISALIGNED,
        never=("DROP", "REPLACE PARTITION FIELD region"),
    ),
)
