"""Rows in order of the column that partitions are by, and who asks for parts of a partition."""

from __future__ import annotations

import numpy as np

from tests.scenarios.lake import Query
from tests.workloads.model import Expected, Pair
from tests.workloads.physical import Layout
from tests.workloads.rows import (
    DAY,
    FILE_ROWS,
    dates,
    day,
    each,
    instant,
    laid_out,
    rng,
    table,
    texts,
    times,
)

HOUR = 3600
JANUARY = instant(0), instant(31 * DAY)
FEBRUARY = instant(31 * DAY), instant(59 * DAY)


def pings_of_months() -> Layout:
    """Three months of 40 files each, in order of time."""
    draw = rng(8501)
    count = 120 * FILE_ROWS
    return laid_out(
        table(
            {
                "ts": times(np.sort(draw.uniform(0, 90 * DAY, count))),
                "device_id": draw.integers(0, 3000, count),
            }
        ),
        "months(ts)",
    )


def events_of_regions() -> Layout:
    """Five regions of eight days of six files each, in order of time."""
    draw = rng(8502)
    count = 240 * FILE_ROWS
    return laid_out(
        table(
            {
                "ts": times(np.sort(draw.uniform(0, 8 * DAY, count))),
                "region": texts(draw.integers(0, 5, count), "R{}"),
                "user_id": draw.integers(0, 4000, count),
            }
        ),
        "region",
        "days(ts)",
    )


def quotes_of_forty_days() -> Layout:
    """40 days of eight files each, in order of time. Any symbol is quoted all day."""
    draw = rng(8505)
    count = 320 * FILE_ROWS
    return laid_out(
        table(
            {
                "ts": times(np.sort(draw.uniform(0, 40 * DAY, count))),
                "symbol": texts(draw.integers(0, 500, count), "S{:03d}"),
            }
        ),
        "days(ts)",
    )


def bookings_in_buckets() -> Layout:
    """Eight buckets of ten files each, in order of accounts."""
    draw = rng(8503)
    count = 80 * FILE_ROWS
    return laid_out(
        table(
            {
                "account_id": np.sort(draw.integers(0, 9000, count)),
                "booked_on": dates(draw.integers(0, 30, count)),
            }
        ),
        "bucket(8, account_id)",
    )


def orders_by_ten_thousand() -> Layout:
    """Eight ranges of numbers of eight files each, in order of numbers."""
    draw = rng(8504)
    count = 64 * FILE_ROWS
    return laid_out(
        table(
            {
                "order_no": np.sort(draw.choice(80_000, count, replace=False)),
                "customer_id": draw.integers(0, 3000, count),
            }
        ),
        "truncate(10000, order_no)",
    )


def _windows(name: str, count: int) -> list[Query]:
    return each(
        f"SELECT count(user_id) FROM lake.db.{name} WHERE region = 'R{{}}'"
        " AND ts >= TIMESTAMP '{}' AND ts < TIMESTAMP '{}'",
        [(n % 5, instant(n * 4591), instant(n * 4591 + 2 * HOUR)) for n in range(count)],
    )


def _users(name: str, count: int) -> list[Query]:
    return each(
        f"SELECT * FROM lake.db.{name} WHERE user_id = {{}} AND region = 'R{{}}'"
        " AND ts >= TIMESTAMP '{}' AND ts < TIMESTAMP '{}'",
        [
            (n * 61, n % 5, instant(n % 8 * DAY), instant((n % 8 + 1) * DAY))
            for n in range(1, count + 1)
        ],
    )


def _accounts(name: str, step: int) -> list[Query]:
    return each(f"SELECT * FROM lake.db.{name} WHERE account_id = {{}}", range(11, 9000, step))


def _bookings(name: str) -> list[Query]:
    return each(
        f"SELECT count(*) FROM lake.db.{name} WHERE booked_on = DATE '{{}}'",
        [day(n) for n in range(2, 22)],
    )


PAIRS = (
    # A device would be in one file of a month in place of 40, and six hours in 40 in place of two.
    Pair(
        "six_hours_of_months",
        pings_of_months,
        [
            *each(
                "SELECT count(device_id) FROM lake.db.six_hours_of_months"
                " WHERE ts >= TIMESTAMP '{}' AND ts < TIMESTAMP '{}'",
                [(instant(n * 38_000), instant(n * 38_000 + 6 * HOUR)) for n in range(200)],
            ),
            *each(
                "SELECT * FROM lake.db.six_hours_of_months WHERE device_id = {}"
                " AND ts >= TIMESTAMP '{}' AND ts < TIMESTAMP '{}'",
                [
                    (
                        n * 70,
                        *((instant(0), instant(31 * DAY)), (instant(31 * DAY), instant(59 * DAY)))[
                            n % 2
                        ],
                    )
                    for n in range(1, 41)
                ],
            ),
        ],
        allowed=(Expected("unclustered_column", ("device_id",), statements=False),),
        tempting={"partitions_too_coarse": "files of a month are in order of time"},
        never=("PARTITION FIELD", "ORDERED BY"),
    ),
    # Users would win 300 files, and two hours lose 670.
    Pair(
        "two_hours_of_regions_often",
        events_of_regions,
        [
            *_windows("two_hours_of_regions_often", 150),
            *_users("two_hours_of_regions_often", 60),
        ],
        allowed=(Expected("unclustered_column", ("user_id",), statements=False),),
        never=("PARTITION FIELD", "ORDERED BY"),
    ),
    # Users would win 300 files, and two hours lose 390.
    Pair(
        "two_hours_of_regions_sometimes",
        events_of_regions,
        [
            *_windows("two_hours_of_regions_sometimes", 80),
            *_users("two_hours_of_regions_sometimes", 60),
        ],
        allowed=(
            Expected("unclustered_column", ("user_id",), statements=False),
            # Of few sampled files, some days seem to win 8 % in order of times; they win nothing.
            Expected("unclustered_column", ("region", "ts"), (0, 0.1)),
        ),
        never=("PARTITION FIELD", "ORDERED BY `user_id`"),
    ),
    # Users win 300 files, and two hours lose 90.
    Pair(
        "two_hours_of_regions_rarely",
        events_of_regions,
        [
            *_windows("two_hours_of_regions_rarely", 20),
            *_users("two_hours_of_regions_rarely", 60),
        ],
        expected=(Expected("unclustered_column", ("user_id",), (0.45, 0.8), True, False),),
        never=("PARTITION FIELD",),
    ),
    # Of more files than anybody reads rows of: symbols would win 840 files, and windows lose 2,000.
    Pair(
        "windows_of_quotes_and_symbols",
        quotes_of_forty_days,
        [
            *each(
                "SELECT * FROM lake.db.windows_of_quotes_and_symbols WHERE symbol = 'S{:03d}'"
                " AND ts >= TIMESTAMP '{}' AND ts < TIMESTAMP '{}'",
                [(n * 4, instant(n % 40 * DAY), instant((n % 40 + 1) * DAY)) for n in range(120)],
            ),
            *each(
                "SELECT count(symbol) FROM lake.db.windows_of_quotes_and_symbols"
                " WHERE ts >= TIMESTAMP '{}' AND ts < TIMESTAMP '{}'",
                [(instant(n * 11_447), instant(n * 11_447 + HOUR // 2)) for n in range(300)],
            ),
        ],
        allowed=(Expected("unclustered_column", ("symbol",), statements=False),),
        never=("PARTITION FIELD", "ORDERED BY"),
    ),
    # Days would win 1,400 files, and accounts lose 2,700.
    Pair(
        "accounts_in_order_within_buckets",
        bookings_in_buckets,
        [
            *_accounts("accounts_in_order_within_buckets", 30),
            *_bookings("accounts_in_order_within_buckets"),
        ],
        allowed=(Expected("no_partition_filter", ("booked_on",), statements=False),),
        tempting={"misaligned_partitioning": "accounts are asked for"},
        never=("PARTITION FIELD", "ORDERED BY"),
    ),
    # Days win 1,400 files, and accounts lose 270.
    Pair(
        "few_accounts_in_order_within_buckets",
        bookings_in_buckets,
        [
            *_accounts("few_accounts_in_order_within_buckets", 300),
            *_bookings("few_accounts_in_order_within_buckets"),
        ],
        expected=(Expected("no_partition_filter", ("booked_on",), (0.6, 0.92), True, False),),
        never=("DROP PARTITION FIELD", "REPLACE PARTITION FIELD"),
    ),
    # A user of six lies in all files, and hours would be lost: not days, nor regions.
    Pair(
        "hours_of_regions_and_six_users",
        events_of_regions,
        [
            *each(
                "SELECT count(*) FROM lake.db.hours_of_regions_and_six_users"
                " WHERE region = 'R{}' AND ts >= TIMESTAMP '{}' AND ts < TIMESTAMP '{}'",
                [
                    (n % 5, instant(n % 8 * DAY + n * HOUR), instant(n % 8 * DAY + (n + 1) * HOUR))
                    for n in range(24)
                ]
                * 20,
            ),
            *each(
                "SELECT * FROM lake.db.hours_of_regions_and_six_users WHERE user_id = {}",
                range(3, 4000, 700),
            ),
        ],
        allowed=(Expected("no_partition_filter", ("user_id",), statements=False),),
        never=("PARTITION FIELD", "ORDERED BY"),
        unsaid=("by that of region",),
    ),
    # Customers would win 560 files, and numbers lose 1,400.
    Pair(
        "numbers_in_order_within_ranges",
        orders_by_ten_thousand,
        [
            *each(
                "SELECT * FROM lake.db.numbers_in_order_within_ranges WHERE order_no = {}",
                range(123, 80_000, 400),
            ),
            *each(
                "SELECT * FROM lake.db.numbers_in_order_within_ranges WHERE customer_id = {}",
                range(5, 3000, 300),
            ),
        ],
        allowed=(Expected("no_partition_filter", ("customer_id",), statements=False),),
        tempting={"misaligned_partitioning": "numbers are asked for"},
        never=("PARTITION FIELD", "ORDERED BY"),
    ),
)
