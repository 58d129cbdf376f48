"""Partitions of banks, meters, parcels, hospitals and tables that came from Hive."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from tests.workloads.model import Expected, Pair
from tests.workloads.physical import Commit, Layout
from tests.workloads.rows import (
    DAY,
    FILE_ROWS,
    SPARK,
    TARGET_BYTES,
    day_text,
    each,
    instant,
    laid_out,
    loaded,
    rng,
    scaled,
    table,
    texts,
    times,
)

MONTH_STARTS = (0, 31, 59, 90, 120, 151, 181)


def ledger() -> Layout:
    """90 days of eight buckets of accounts, of 60 rows each, where a file has room for 4,800."""
    draw = rng(7401)
    count = 90 * 8 * 60
    return laid_out(
        table(
            {
                "booked_at": times(draw.uniform(0, 90 * DAY, count)),
                "account_id": draw.integers(0, 1500, count),
            }
        ),
        "bucket(8, account_id)",
        "days(booked_at)",
        properties=scaled(8 * TARGET_BYTES),
    )


def parcels() -> Layout:
    """Six months of eight files each, in no order. A parcel arrives within one to five days."""
    draw = rng(7403)
    count = 48 * FILE_ROWS
    created = draw.uniform(0, 181 * DAY, count)
    return laid_out(
        table(
            {
                "created_at": times(created),
                "delivered_at": times(created + draw.uniform(DAY, 5 * DAY, count)),
            }
        ),
        "months(created_at)",
    )


def clicks_of_countries() -> Layout:
    """20 days of twelve countries. One has four fifths of the rows, and one has no name."""
    draw = rng(7404)
    count = 20 * FILE_ROWS
    names = np.array(["US", *(f"X{n}" for n in range(10)), None], dtype=object)
    chosen = np.where(draw.random(count) < 0.8, 0, draw.integers(1, 12, count))
    return laid_out(
        table(
            {
                "dt": day_text(draw.integers(0, 20, count)),
                "country": pa.array(names[chosen], pa.string()),
            }
        ),
        "dt",
        "country",
    )


def _stays(seed: int, first: int, last: int) -> pa.Table:
    draw = rng(seed)
    count = (last - first) * FILE_ROWS
    return table(
        {
            "ts": times(draw.uniform(first * DAY, last * DAY, count)),
            "region": texts(draw.integers(0, 5, count), "r{}"),
        },
        seed,
    )


def regions_left_out() -> Layout:
    """30 days of five regions each, and 30 days since that have no regions. A table of version 1
    keeps the field that was dropped."""
    before, since = ("days(ts)", "region"), ("days(ts)",)
    old = Commit(loaded(_stays(7405, 0, 30), before, FILE_ROWS), before)
    new = Commit(loaded(_stays(7406, 30, 60), since, FILE_ROWS), since)
    return Layout((old, new), since, scaled(), format_version=1)


def admissions() -> Layout:
    """Three months of 40 files each, in no order. A day fills more than a file."""
    draw = rng(7407)
    count = 120 * FILE_ROWS
    return laid_out(
        table(
            {
                "admitted_at": times(draw.uniform(0, 90 * DAY, count)),
                "ward": texts(draw.integers(0, 20, count), "W{:02d}"),
            }
        ),
        "months(admitted_at)",
    )


PAIRS = (
    # 30 files of 60 rows for a month of an account, where one would do.
    Pair(
        "accounts_of_months_in_buckets_of_days",
        ledger,
        each(
            "SELECT * FROM lake.db.accounts_of_months_in_buckets_of_days WHERE account_id = {}"
            " AND booked_at >= TIMESTAMP '{}' AND booked_at < TIMESTAMP '{}'",
            [
                (
                    n * 47 % 1500,
                    instant(MONTH_STARTS[n % 3] * DAY),
                    instant(MONTH_STARTS[n % 3 + 1] * DAY),
                )
                for n in range(1, 31)
            ],
        ),
        expected=(
            Expected("partitions_too_fine", ("booked_at",), None, True, False, (r"WITH months\(",)),
        ),
        tempting={
            "small_files": "no file spans two partitions",
            "unclustered_column": "a month of a bucket is less than a file",
        },
        never=("DROP PARTITION FIELD", "ORDERED BY"),
    ),
    # A day of deliveries is in one file or two of a month, once these are in order.
    Pair(
        "deliveries_days_after_creation",
        parcels,
        [
            *each(
                "SELECT count(*) FROM lake.db.deliveries_days_after_creation"
                " WHERE delivered_at >= TIMESTAMP '{}' AND delivered_at < TIMESTAMP '{}'",
                [(instant(n * DAY), instant((n + 1) * DAY)) for n in range(8, 180, 7)],
            ),
            *each(
                "SELECT count(*) FROM lake.db.deliveries_days_after_creation"
                " WHERE created_at >= TIMESTAMP '{}' AND created_at < TIMESTAMP '{}'",
                [
                    (instant(MONTH_STARTS[n] * DAY), instant(MONTH_STARTS[n + 1] * DAY))
                    for n in range(6)
                ],
                user="finance",
            ),
        ],
        expected=(
            Expected(
                "no_partition_filter|unclustered_column",
                ("delivered_at",),
                (0.5, 0.76),
                True,
                False,
            ),
        ),
        allowed=(Expected("misaligned_partitioning", (), statements=False),),
        tempting={"partitions_too_coarse": "whole months of creation are asked for"},
        never=("DROP PARTITION FIELD", "REPLACE PARTITION FIELD"),
    ),
    # 84 files for a week, where seven would do.
    Pair(
        "countries_that_hive_had",
        clicks_of_countries,
        [
            *each(
                "SELECT count(*) FROM lake.db.countries_that_hive_had"
                " WHERE dt BETWEEN '2026-01-{:02d}' AND '2026-01-{:02d}'",
                [(n, n + 6) for n in range(1, 15)],
            ),
            *each(
                "SELECT * FROM lake.db.countries_that_hive_had WHERE dt = '2026-01-{:02d}'",
                range(1, 20, 2),
                **SPARK,
            ),
        ],
        expected=(
            Expected(
                "misaligned_partitioning",
                ("country",),
                None,
                True,
                False,
                (r"DROP PARTITION FIELD country",),
            ),
        ),
        tempting={
            "small_files": "no file spans two partitions",
            "type_mismatch": "texts are compared with texts",
        },
        never=("ORDERED BY", "DROP PARTITION FIELD dt"),
    ),
    # The older files have a field more, which costs nothing that is worth a rewrite.
    Pair(
        "regions_left_out_of_days",
        regions_left_out,
        each(
            "SELECT count(*) FROM lake.db.regions_left_out_of_days"
            " WHERE ts >= TIMESTAMP '{}' AND ts < TIMESTAMP '{}'",
            [(instant(n * DAY), instant((n + 3) * DAY)) for n in range(0, 57, 2)],
        ),
        tempting={
            "old_spec_files": "older files have the day as well",
            "small_files": "fifteen files are few",
            "partitions_too_fine": "a day fills a file",
            "misaligned_partitioning": "regions are no field any more",
        },
        never=("PARTITION FIELD", "ORDERED BY", "rewrite_data_files"),
    ),
    Pair(
        "days_of_admissions_in_months",
        admissions,
        [
            *each(
                "SELECT * FROM lake.db.days_of_admissions_in_months"
                " WHERE admitted_at >= TIMESTAMP '{}' AND admitted_at < TIMESTAMP '{}'",
                [(instant(n * DAY), instant((n + 1) * DAY)) for n in range(2, 88, 4)],
            ),
            *each(
                "SELECT ward, count(*) FROM lake.db.days_of_admissions_in_months"
                " WHERE admitted_at >= TIMESTAMP '{}' AND admitted_at < TIMESTAMP '{}'"
                " GROUP BY ward",
                [
                    (instant(MONTH_STARTS[n] * DAY), instant(MONTH_STARTS[n + 1] * DAY))
                    for n in range(3)
                ],
                user="report",
            ),
        ],
        expected=(
            Expected(
                "partitions_too_coarse",
                ("admitted_at",),
                (0.7, 0.88),
                True,
                False,
                (r"WITH days\(",),
            ),
        ),
        tempting={"unclustered_column": "days are what is asked for"},
        never=("ORDERED BY",),
    ),
)
