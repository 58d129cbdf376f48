"""Tables that several teams ask for different things, of which one costs what another wins."""

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
    each,
    instant,
    laid_out,
    rng,
    table,
    texts,
    times,
)

MONTH_STARTS = (0, 31, 59, 90, 120, 151, 181)


def baskets() -> Layout:
    """Ten days of eight files each, in order of stores within a day."""
    draw = rng(7301)
    count = 80 * FILE_ROWS
    return laid_out(
        table(
            {
                "ts": times(draw.uniform(0, 10 * DAY, count)),
                "store_id": np.sort(draw.integers(0, 400, count)),
                "product_id": draw.integers(0, 3000, count),
            }
        ),
        "days(ts)",
    )


def laboratory() -> Layout:
    """20 wards, of six files to one and a half, in order of time. A patient may be anywhere."""
    draw = rng(7302)
    sizes = np.repeat([6.0, 3.0, 1.5], [4, 8, 8]) * FILE_ROWS
    count = int(sizes.sum())
    wards = draw.permutation(np.repeat(np.arange(20), sizes.astype(np.int64)))
    return laid_out(
        table(
            {
                "ward": texts(wards, "W{:02d}"),
                "mrn": texts(draw.integers(0, 6000, count), "MRN-{:07d}"),
                "taken_at": times(np.sort(draw.uniform(0, 60 * DAY, count)), "UTC"),
            }
        ),
        "ward",
    )


def fleet() -> Layout:
    """14 days of 16 buckets of devices, a quarter of a file each, in order of time."""
    draw = rng(7303)
    count = 14 * 16 * 150
    return laid_out(
        table(
            {
                "ts": times(np.sort(draw.uniform(0, 14 * DAY, count))),
                "device_id": draw.integers(0, 2000, count),
                "reading": draw.random(count),
            }
        ),
        "bucket(16, device_id)",
        "days(ts)",
    )


def sales_of_sellers() -> Layout:
    """32 buckets of sellers of two files each, in order of time."""
    draw = rng(7304)
    count = 64 * FILE_ROWS
    return laid_out(
        table(
            {
                "sold_at": times(np.sort(draw.uniform(0, 60 * DAY, count))),
                "seller_id": draw.integers(0, 800, count),
            }
        ),
        "bucket(32, seller_id)",
    )


def flights() -> Layout:
    """90 days of a file each, with all 15 carriers in each."""
    draw = rng(7305)
    count = 90 * FILE_ROWS
    return laid_out(
        table(
            {
                "flight_date": dates(draw.integers(0, 90, count)),
                "carrier": texts(draw.integers(0, 15, count), "C{:02d}"),
                "delay": draw.integers(-10, 300, count).astype(np.int32),
            }
        ),
        "flight_date",
    )


def service_logs() -> Layout:
    """24 hours of five files each, with any of 20 services in each."""
    draw = rng(7306)
    count = 120 * FILE_ROWS
    kinds = np.array(["timeout after 30 s", "connection reset", "ok", "retry 3 of 5"])
    return laid_out(
        table(
            {
                "ts": times(draw.uniform(0, DAY, count)),
                "service": texts(draw.integers(0, 20, count), "svc-{:02d}"),
                "message": texts(kinds[draw.integers(0, 4, count)]),
            }
        ),
        "hours(ts)",
    )


def tickets() -> Layout:
    """Six months of eight files each, in no order."""
    draw = rng(7307)
    count = 48 * FILE_ROWS
    return laid_out(
        table(
            {
                "opened_at": times(draw.uniform(0, 181 * DAY, count)),
                "ticket_id": draw.permutation(count),
            }
        ),
        "months(opened_at)",
    )


PAIRS = (
    # 15 products would win 70 files each, and 25 stores lose nearly as many.
    Pair(
        "stores_in_order_and_products",
        baskets,
        [
            *each(
                "SELECT * FROM lake.db.stores_in_order_and_products WHERE store_id = {}"
                f" AND ts >= TIMESTAMP '{instant(0)}'",
                range(7, 400, 16),
            ),
            *each(
                "SELECT * FROM lake.db.stores_in_order_and_products WHERE product_id = {}"
                f" AND ts >= TIMESTAMP '{instant(0)}'",
                range(100, 3000, 193),
                user="buyer",
            ),
        ],
        # Bloom filters leave the order as it is.
        allowed=(
            Expected("unclustered_column", ("product_id",), statements=False),
            Expected("row_groups_not_pruned", ("product_id",)),
        ),
        tempting={"no_partition_filter": "all days are asked for"},
        never=("PARTITION FIELD", "ORDERED BY"),
    ),
    # Doctors ask for a patient in all wards: 60 files, of which 20 would do. Nurses and reports ask
    # for times, and lose 50 or so each.
    Pair(
        "patients_of_all_wards",
        laboratory,
        [
            *each(
                "SELECT * FROM lake.db.patients_of_all_wards WHERE mrn = 'MRN-{:07d}'",
                range(5, 6000, 150),
                user="doctor",
            ),
            *each(
                "SELECT * FROM lake.db.patients_of_all_wards WHERE ward = 'W{:02d}'"
                " AND taken_at >= TIMESTAMP '{} UTC' AND taken_at < TIMESTAMP '{} UTC'",
                [(n, instant(n * 2 * DAY), instant((n * 2 + 1) * DAY)) for n in range(20)],
                user="nurse",
            ),
            *each(
                "SELECT ward, count(*) FROM lake.db.patients_of_all_wards"
                " WHERE taken_at >= TIMESTAMP '{} UTC' AND taken_at < TIMESTAMP '{} UTC'"
                " GROUP BY ward",
                [(instant(n * DAY), instant((n + 1) * DAY)) for n in range(3, 59, 10)],
                user="report",
            ),
        ],
        expected=(Expected("no_partition_filter", ("mrn",), (0.38, 0.66), True, False),),
        allowed=(
            Expected("misaligned_partitioning", (), statements=False),
            Expected("no_partition_filter", ("taken_at",), statements=False),
        ),
        tempting={"truncated_bounds": "numbers are shorter"},
        never=("DROP PARTITION FIELD", "REPLACE PARTITION FIELD"),
    ),
    # A device's week is seven files; the last hour of all devices is in the 16 of today.
    Pair(
        "devices_and_the_last_hour",
        fleet,
        [
            *each(
                "SELECT * FROM lake.db.devices_and_the_last_hour WHERE device_id = {}"
                " AND ts >= TIMESTAMP '{}' AND ts < TIMESTAMP '{}'",
                [
                    (n * 31 % 2000, instant(n % 8 * DAY), instant((n % 8 + 7) * DAY))
                    for n in range(1, 50)
                ],
            ),
            *each(
                "SELECT max(reading) FROM lake.db.devices_and_the_last_hour"
                " WHERE ts >= TIMESTAMP '{}'",
                [instant(13 * DAY + n * 3600) for n in range(5, 23)],
                user="alerts",
            ),
        ],
        tempting={
            "partitions_too_coarse": "an hour of a bucket is nine rows",
            "partitions_too_fine": "they hold a quarter of a file",
            "small_files": "sixteen files are few",
            "no_partition_filter": "both fields are asked for",
            "unclustered_column": "a file is the least of a partition",
        },
        never=("PARTITION FIELD", "ORDERED BY"),
    ),
    # A day is in a file of each bucket. By days, a seller would be in all 64 files.
    Pair(
        "sellers_and_single_days",
        sales_of_sellers,
        [
            *each(
                "SELECT * FROM lake.db.sellers_and_single_days WHERE seller_id = {}",
                range(3, 800, 20),
            ),
            *each(
                "SELECT count(*) FROM lake.db.sellers_and_single_days"
                " WHERE sold_at >= TIMESTAMP '{}' AND sold_at < TIMESTAMP '{}'",
                [(instant(n * DAY), instant((n + 1) * DAY)) for n in range(2, 58, 6)],
                user="finance",
            ),
        ],
        allowed=(
            # A seller is in two files where one would do, which is to be left so.
            Expected("unclustered_column", ("seller_id",), statements=False, says=(r"Leave",)),
            Expected("no_partition_filter", ("sold_at",), statements=False),
            Expected("misaligned_partitioning", (), statements=False),
        ),
        never=("PARTITION FIELD", "ORDERED BY"),
    ),
    # By months in order of carriers, carriers would win 80 files each, and days lose 29.
    Pair(
        "carriers_of_a_season",
        flights,
        [
            *each(
                "SELECT avg(delay) FROM lake.db.carriers_of_a_season WHERE carrier = 'C{:02d}'"
                " AND flight_date BETWEEN DATE '2026-01-01' AND DATE '2026-03-31'",
                range(8),
            ),
            *each(
                "SELECT carrier, avg(delay) FROM lake.db.carriers_of_a_season"
                " WHERE flight_date = DATE '{}' GROUP BY carrier",
                [day(n) for n in range(0, 90, 2)],
                **SPARK,
            ),
        ],
        allowed=(Expected("unclustered_column", ("carrier",), (0, 0.05), statements=False),),
        tempting={
            "partitions_too_fine": "a day fills a file",
            "row_groups_not_pruned": "each row group has all carriers",
        },
        never=("PARTITION FIELD", "ORDERED BY"),
    ),
    # Ten files for two hours, of which two or three have a service once they are in its order.
    Pair(
        "errors_of_a_service_within_hours",
        service_logs,
        each(
            "SELECT * FROM lake.db.errors_of_a_service_within_hours WHERE service = 'svc-{:02d}'"
            " AND message LIKE '%timeout%'"
            " AND ts >= TIMESTAMP '{}' AND ts < TIMESTAMP '{}'",
            [(n % 20, instant(n % 22 * 3600), instant((n % 22 + 2) * 3600)) for n in range(44)],
        ),
        expected=(Expected("unclustered_column", ("service",), (0.6, 0.82), True, False),),
        tempting={
            "like_without_prefix": "hours rule out most of the table",
            "partitions_too_coarse": "whole hours are asked for",
        },
        never=("PARTITION FIELD",),
    ),
    # Reports make texts of months, and lose 40 files; lookups want one row, and read 48 files.
    Pair(
        "months_as_texts_and_tickets",
        tickets,
        [
            *each(
                "SELECT count(*) FROM lake.db.months_as_texts_and_tickets"
                " WHERE date_format(opened_at, 'yyyy-MM') = '2026-{:02d}'",
                [1, 2, 3, 4, 5, 6, 2, 3, 4, 5],
                user="bi",
                **SPARK,
            ),
            *each(
                "SELECT * FROM lake.db.months_as_texts_and_tickets WHERE ticket_id = {}",
                range(50, 48 * FILE_ROWS, 1950),
                user="support",
            ),
        ],
        expected=(
            Expected("wrapped_column", ("opened_at",), (0.28, 0.4), False, True),
            Expected("no_partition_filter", ("ticket_id",), (0.42, 0.58), True, False),
        ),
        allowed=(Expected("misaligned_partitioning", (), statements=False),),
        tempting={"partitions_too_coarse": "whole months are asked for"},
        never=("DROP PARTITION FIELD", "REPLACE PARTITION FIELD"),
    ),
)
