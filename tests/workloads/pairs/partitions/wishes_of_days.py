"""Days that most ask for, beside what else is asked: hours within them, keys over all of them, the
days on which something else happened."""

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
    repeated,
    rng,
    table,
    texts,
    times,
)


def baggage() -> Layout:
    """240 days of a file each, with any of 9,000 tags in each."""
    draw = rng(8911)
    count = 240 * FILE_ROWS
    return laid_out(
        table(
            {
                "seen_at": times(np.sort(draw.uniform(0, 240 * DAY, count))),
                "tag": draw.integers(0, 9000, count),
            }
        ),
        "days(seen_at)",
    )


def shuffled_days() -> Layout:
    """20 days of 16 files each, whose times are in any order within a day."""
    draw = rng(8912)
    count = 320 * FILE_ROWS
    return laid_out(
        table(
            {
                "ts": times(draw.uniform(0, 20 * DAY, count)),
                "cell": draw.integers(0, 700, count),
            }
        ),
        "days(ts)",
    )


def orders_and_shipments() -> Layout:
    """120 days of orders of two files each, which were shipped one to four days later."""
    draw = rng(8913)
    count = 240 * FILE_ROWS
    ordered = draw.uniform(0, 120 * DAY, count)
    return laid_out(
        table(
            {
                "ordered_at": times(ordered),
                "shipped_at": times(ordered + draw.uniform(DAY, 4 * DAY, count)),
            }
        ),
        "days(ordered_at)",
    )


def reports_of_months() -> Layout:
    """12 months of reports of eight files each. What a report has was booked in the month before,
    or, one in twenty, at any time before."""
    draw = rng(8914)
    count = 96 * FILE_ROWS
    months = np.sort(draw.integers(2, 14, count))
    booked = (months - 1) * 30 + draw.integers(0, 30, count)
    booked = np.where(draw.random(count) < 0.05, draw.integers(0, 60, count), booked)
    return laid_out(
        table(
            {
                "report": day_text(months * 30, "%Y-%m-%d"),
                "booked_on": dates(booked),
                "amount": draw.integers(1, 9000, count),
            }
        ),
        "report",
    )


def tenants_in_order() -> Layout:
    """60 files in order of tenants, and of time within a tenant: three of twelve files, and 24 of
    one."""
    draw = rng(8915)
    sizes = np.array([12 * FILE_ROWS] * 3 + [FILE_ROWS] * 24)
    of = np.repeat(np.arange(27), sizes)
    seconds = draw.uniform(0, 90 * DAY, len(of))
    order = np.lexsort((seconds, of))
    return laid_out(
        table({"tenant": texts(of[order], "tenant-{:03d}"), "ts": times(seconds[order])})
    )


def scans_of_customs() -> Layout:
    """Eight borders by 30 days, of one file each."""
    draw = rng(8916)
    count = 240 * FILE_ROWS
    return laid_out(
        table(
            {
                "border": texts(draw.integers(0, 8, count), "border-{}"),
                "passed_on": dates(np.sort(draw.integers(0, 30, count))),
                "container": texts(draw.integers(0, 40_000, count), "CONT{:07d}"),
            }
        ),
        "border",
        "passed_on",
    )


_LAST_HOURS = [
    (
        instant((20 - n % 3) * DAY - 3600 * (n % 24 + 1)),
        instant((20 - n % 3) * DAY - 3600 * (n % 24)),
    )
    for n in range(72)
]

PAIRS = (
    # A day has one file, so no order within days wins anything; what is asked is tags alone.
    Pair(
        "baggage_by_tag_alone",
        baggage,
        each(
            "SELECT * FROM lake.db.baggage_by_tag_alone WHERE tag = {}",
            range(17, 9000, 250),
            **SPARK,
        ),
        expected=(
            Expected(
                "misaligned_partitioning",
                ("seen_at",),
                statements=True,
                says=("WRITE ORDERED BY tag",),
            ),
        ),
        allowed=(Expected("no_partition_filter", ("tag",)),),
        unsaid=("more files",),
        tempting={"small_files": "files are as large as they should be"},
    ),
    # The board reads a day a thousand times, and tags are looked for in all of them twice.
    Pair(
        "baggage_of_today",
        baggage,
        [
            *repeated(
                "SELECT count(*) FROM lake.db.baggage_of_today"
                f" WHERE seen_at >= TIMESTAMP '{instant(239 * DAY)}'",
                1000,
            ),
            *each("SELECT * FROM lake.db.baggage_of_today WHERE tag = {}", [77, 4711]),
        ],
        allowed=(Expected("no_partition_filter", ("tag",), statements=False),),
        tempting={
            "misaligned_partitioning": "days are asked for",
            "unclustered_column": "a day is one file",
        },
        never=("PARTITION FIELD", "ORDERED BY"),
    ),
    # An hour is in all files of its day.
    Pair(
        "cells_of_the_last_hours",
        shuffled_days,
        each(
            "SELECT cell, count(*) FROM lake.db.cells_of_the_last_hours"
            " WHERE ts >= TIMESTAMP '{}' AND ts < TIMESTAMP '{}' GROUP BY cell",
            _LAST_HOURS,
        ),
        expected=(
            Expected("unclustered_column|partitions_too_coarse", ("ts",), (0.8, 0.96), True, False),
        ),
        tempting={"no_partition_filter": "days are asked for"},
        never=("DROP PARTITION FIELD",),
    ),
    # Hours of a cell: of time and cells, time rules out far more.
    Pair(
        "one_cell_of_the_last_hours",
        shuffled_days,
        each(
            "SELECT count(*) FROM lake.db.one_cell_of_the_last_hours"
            " WHERE cell < {} AND ts >= TIMESTAMP '{}' AND ts < TIMESTAMP '{}'",
            [(100 + n, *hours) for n, hours in enumerate(_LAST_HOURS)],
            **SPARK,
        ),
        expected=(
            Expected(
                "unclustered_column|partitions_too_coarse", ("ts",), (0.75, 0.96), True, False
            ),
        ),
        never=("DROP PARTITION FIELD", "ORDERED BY cell"),
    ),
    # A day of shipments is in four days of orders, as bounds tell; a day of orders is two files.
    Pair(
        "shipments_of_a_day_and_orders",
        orders_and_shipments,
        [
            *each(
                "SELECT count(*) FROM lake.db.shipments_of_a_day_and_orders"
                " WHERE shipped_at >= TIMESTAMP '{}' AND shipped_at < TIMESTAMP '{}'",
                [(instant(n * DAY), instant((n + 1) * DAY)) for n in range(10, 118, 9)],
            ),
            *each(
                "SELECT count(*) FROM lake.db.shipments_of_a_day_and_orders"
                " WHERE ordered_at >= TIMESTAMP '{}'",
                [instant((119 - n % 14) * DAY) for n in range(60)],
            ),
        ],
        allowed=(
            Expected("no_partition_filter", ("shipped_at",), (0, 0.15)),
            Expected("unclustered_column", ("shipped_at",), (0, 0.15)),
        ),
        tempting={"misaligned_partitioning": "orders are asked for"},
        never=("PARTITION FIELD",),
    ),
    # A booking is in the report after it, or, rarely, in any later one.
    Pair(
        "bookings_of_the_newest_month",
        reports_of_months,
        each(
            "SELECT sum(amount) FROM lake.db.bookings_of_the_newest_month"
            " WHERE booked_on >= DATE '{}'",
            [day(360 + n % 20) for n in range(40)],
        ),
        allowed=(
            Expected("no_partition_filter", ("booked_on",)),
            Expected("unclustered_column", ("booked_on",)),
        ),
        tempting={"misaligned_partitioning": "reports keep bookings together"},
        never=("DROP PARTITION FIELD", "REPLACE PARTITION FIELD"),
    ),
    # Tenants, and time within them, are in order.
    Pair(
        "tenants_in_order_of_time",
        tenants_in_order,
        [
            *each(
                "SELECT * FROM lake.db.tenants_in_order_of_time WHERE tenant = 'tenant-{:03d}'"
                " AND ts >= TIMESTAMP '{}'",
                [(n % 27, instant((89 - n % 5) * DAY)) for n in range(120)],
            ),
            *each(
                "SELECT tenant, count(*) FROM lake.db.tenants_in_order_of_time"
                " WHERE ts >= TIMESTAMP '{}' GROUP BY tenant",
                [instant((89 - n) * DAY) for n in range(2)],
            ),
        ],
        allowed=(Expected("unclustered_column", ("ts",), statements=False),),
        tempting={"small_files": "files are as large as they should be"},
        never=("PARTITION FIELD", "ORDERED BY"),
    ),
    # A container may be anywhere, and a partition is a file.
    Pair(
        "containers_at_any_border",
        scans_of_customs,
        [
            *each(
                "SELECT count(*) FROM lake.db.containers_at_any_border"
                " WHERE border = 'border-{}' AND passed_on >= DATE '{}'",
                [(n % 8, day(29 - n % 4)) for n in range(400)],
            ),
            *each(
                "SELECT * FROM lake.db.containers_at_any_border WHERE container = 'CONT{:07d}'",
                [17, 3100, 29_999],
            ),
        ],
        allowed=(
            Expected("no_partition_filter", ("container",), statements=False),
            Expected("row_groups_not_pruned", ("container",)),
        ),
        tempting={
            "misaligned_partitioning": "borders and days are asked for",
            "unclustered_column": "a partition is one file",
        },
        never=("PARTITION FIELD", "ORDERED BY"),
    ),
)
