"""What teams write every day of days and times without knowing that it costs them."""

from __future__ import annotations

import datetime as dt

import numpy as np
import pyarrow as pa

from tests.workloads.model import Expected, Pair
from tests.workloads.pairs.queries.logged import job
from tests.workloads.physical import Layout
from tests.workloads.rows import (
    DAY,
    FILE_ROWS,
    SPARK,
    SPARK_35,
    dates,
    day,
    day_text,
    each,
    instant,
    laid_out,
    repeated,
    rng,
    scaled,
    table,
    texts,
    times,
)

SMALL_ROWS = 200


SMALL = scaled(SMALL_ROWS * 100)


EPOCH_DAY = (day(0) - dt.date(1970, 1, 1)).days


LAST_DAYS = (dt.date(2099, 12, 31) - day(0)).days


def buckets_and_days() -> Layout:
    """Twenty days and eight buckets of a tenant, a file each."""
    draw = rng(1001)
    count = 20 * 8 * FILE_ROWS
    return laid_out(
        table(
            {
                "tenant_id": draw.integers(0, 1_000, count),
                "ts": times(draw.uniform(0, 20 * DAY, count), "UTC"),
            }
        ),
        "bucket(8, tenant_id)",
        "days(ts)",
    )


def days_of_structs() -> Layout:
    """Thirty days of a time within a struct, a file each."""
    seconds = rng(1002).uniform(0, 30 * DAY, 30 * FILE_ROWS)
    event = pa.StructArray.from_arrays(
        [times(seconds, "UTC"), texts(np.arange(len(seconds)) % 7, "k{}")], ["ts", "kind"]
    )
    return laid_out(table({"event": event}), "days(event.ts)")


def last_days_of_a_century() -> Layout:
    """The twenty days before the night of the audit, four files each, with any of their times."""
    seconds = rng(1003).uniform((LAST_DAYS - 19) * DAY, (LAST_DAYS + 1) * DAY, 80 * FILE_ROWS)
    return laid_out(
        table({"ts": times(seconds, "UTC"), "amount": np.arange(len(seconds))}), "days(ts)"
    )


def times_of_a_day() -> Layout:
    """Sixty files with any time of the day."""
    seconds = rng(1005).integers(0, DAY, 60 * FILE_ROWS)
    return laid_out(
        table({"sold_at": pa.array(seconds * 1_000_000, pa.int64()).cast(pa.time64("us"))})
    )


def four_months() -> Layout:
    """January to April, a file for each day."""
    days = np.repeat(np.arange(31 + 28 + 31 + 30), SMALL_ROWS)
    return laid_out(
        table({"d": dates(days), "amount": np.arange(len(days))}),
        "d",
        file_rows=SMALL_ROWS,
        properties=SMALL,
    )


def closing_months() -> Layout:
    """Orders by the month in which they were closed, two files each, and two files of open ones."""
    draw = rng(1008)
    days = draw.permutation(np.repeat(np.arange(0, 360), 12 * 2 * FILE_ROWS // 360))
    closed = dates(days)
    opened = pa.nulls(2 * FILE_ROWS, pa.date32())
    return laid_out(
        table({"closed_at": pa.concat_arrays([closed, opened])}),
        "months(closed_at)",
    )


def hours_as_text() -> Layout:
    """Fifteen days of 24 hours, both as text, a file each."""
    cell = np.repeat(np.arange(15 * 24), SMALL_ROWS)
    return laid_out(
        table(
            {
                "dt": day_text(cell // 24),
                "hr": texts(cell % 24, "{:02d}"),
                "amount": np.arange(len(cell)),
            }
        ),
        "dt",
        "hr",
        file_rows=SMALL_ROWS,
        properties=SMALL,
    )


def days_since_1970() -> Layout:
    """Forty days as the number of days since 1970, a file each."""
    days = np.repeat(np.arange(40), FILE_ROWS)
    return laid_out(
        table({"event_day": (days + EPOCH_DAY).astype(np.int32), "amount": np.arange(len(days))}),
        "event_day",
    )


def days_in_utc() -> Layout:
    """Thirty days of UTC, a file each."""
    seconds = rng(1011).uniform(0, 30 * DAY, 30 * FILE_ROWS)
    return laid_out(
        table({"ts": times(seconds, "UTC"), "amount": np.arange(len(seconds))}), "days(ts)"
    )


def tenants_and_days() -> Layout:
    """A partition for each of 30 tenants and 40 days, a twentieth of a file each."""
    cell = np.repeat(np.arange(30 * 40), 30)
    seconds = (cell % 40) * DAY + rng(1013).uniform(0, DAY, len(cell))
    return laid_out(
        table(
            {
                "tenant": texts(cell // 40, "t{:02d}"),
                "ts": times(seconds),
                "amount": np.arange(len(cell)),
            }
        ),
        "tenant",
        "days(ts)",
    )


def text_days() -> Layout:
    """59 days, January and February, as text, a file each."""
    days = np.repeat(np.arange(59), FILE_ROWS)
    return laid_out(table({"dt": day_text(days), "amount": np.arange(len(days))}), "dt")


PAIRS = (
    # The tenant's bucket has twenty files, the day one of them.
    Pair(
        "tenant_days_formatted",
        buckets_and_days,
        each(
            "SELECT count(*) FROM lake.db.tenant_days_formatted"
            " WHERE tenant_id = {} AND date_format(ts, 'yyyy-MM-dd') = '{}'",
            [(n * 37, day(n)) for n in range(20)],
            **SPARK,
        ),
        expected=(Expected("wrapped_column", ("ts",), (0.9, 0.96), False, True),),
        tempting={
            "misaligned_partitioning": "both columns of the partitions are asked for",
            "unclustered_column": "a partition is one file",
        },
        never=("DROP",),
    ),
    Pair(
        "nested_days_formatted",
        days_of_structs,
        each(
            "SELECT count(*) FROM lake.db.nested_days_formatted"
            " WHERE date_format(event.ts, 'yyyy-MM-dd') = '{}'",
            map(day, range(1, 29, 2)),
            **SPARK_35,
        ),
        expected=(
            Expected(
                "wrapped_column", ("event.ts",), (0.92, 0.98), False, True, (r"event\.ts >=",)
            ),
        ),
        tempting={"misaligned_partitioning": "the partition's column is asked for"},
    ),
    # A quarter of a day, whose files hold all of its hours. Hours of their own would be scraps.
    Pair(
        "last_six_hours",
        last_days_of_a_century,
        repeated(
            "SELECT sum(amount) FROM lake.db.last_six_hours"
            " WHERE ts > current_timestamp() - INTERVAL 6 HOURS",
            24,
            **SPARK,
        ),
        expected=(Expected("unclustered_column", ("ts",), (0.4, 0.75), True, False),),
        tempting={
            "wrapped_column": "now and intervals are constants",
            "partitions_too_coarse": "hours are a sixth of a file",
        },
    ),
    # An hour of 24, in all files.
    Pair(
        "sales_by_time_of_day",
        times_of_a_day,
        each(
            "SELECT count(*) FROM lake.db.sales_by_time_of_day"
            " WHERE sold_at >= TIME '{:02d}:00:00' AND sold_at < TIME '{:02d}:00:00'",
            [(n, n + 1) for n in range(0, 22, 2)],
        ),
        expected=(Expected("unclustered_column", ("sold_at",), (0.85, 0.96), True, False),),
    ),
    # The days of a month end with the same day.
    Pair(
        "month_ends",
        four_months,
        each(
            "SELECT sum(amount) FROM lake.db.month_ends WHERE last_day(d) = DATE '{}'",
            map(day, (30, 58, 89, 119)),
            **SPARK,
        ),
        expected=(Expected("wrapped_column", ("d",), (0.72, 0.78), False, True),),
        tempting={"partitions_too_fine": "a day is a file", "type_mismatch": "d is a date"},
    ),
    # What is not closed is null, which has a partition of its own: two files of 26.
    Pair(
        "orders_open_by_coalesce",
        closing_months,
        repeated(
            "SELECT count(*) FROM lake.db.orders_open_by_coalesce"
            " WHERE coalesce(closed_at, DATE '9999-12-31') = DATE '9999-12-31'",
            10,
            **SPARK,
        ),
        expected=(
            Expected("wrapped_column", ("closed_at",), (0.85, 0.95), False, True, ("IS NULL",)),
        ),
        tempting={"no_partition_filter": "the partition's column is asked for"},
    ),
    # Four files of the day's 24 would do.
    Pair(
        "hours_cast_beside_a_day",
        hours_as_text,
        each(
            "SELECT sum(amount) FROM lake.db.hours_cast_beside_a_day"
            " WHERE dt = '{}' AND CAST(hr AS INT) BETWEEN 8 AND 11",
            map(day, range(15)),
            **SPARK,
        ),
        expected=(Expected("type_mismatch", ("hr",), None, False, says=("0|zero|pad",)),),
        tempting={
            "partitions_too_fine": "an hour is a file",
            "misaligned_partitioning": "days and hours are asked for",
        },
        never=("DROP",),
    ),
    Pair(
        "epoch_days",
        days_since_1970,
        each(
            "SELECT sum(amount) FROM lake.db.epoch_days"
            " WHERE date_add(DATE '1970-01-01', event_day) = DATE '{}'",
            map(day, range(3, 40, 4)),
            **SPARK,
        ),
        expected=(Expected("wrapped_column", ("event_day",), (0.93, 0.98), False, True),),
        tempting={"no_partition_filter": "the partition's column is asked for"},
    ),
    # A day of Tokyo is in two of 30 days.
    Pair(
        "days_of_tokyo",
        days_in_utc,
        each(
            "SELECT sum(amount) FROM lake.db.days_of_tokyo"
            " WHERE to_date(from_utc_timestamp(ts, 'Asia/Tokyo')) = DATE '{}'",
            map(day, range(2, 28, 3)),
            **SPARK_35,
        ),
        expected=(Expected("wrapped_column", ("ts",), (0.88, 0.96), False, True),),
        allowed=(Expected("local_day_boundaries", ("ts",)),),
        tempting={"unclustered_column": "a day is one file"},
    ),
    # 35 scraps for two files; but what opening them costs is a sixth of reading them, and months
    # would have scans read more: one may say so, or not.
    Pair(
        "months_of_tenants",
        tenants_and_days,
        each(
            "SELECT sum(amount) FROM lake.db.months_of_tenants"
            " WHERE tenant = 't{:02d}' AND ts >= TIMESTAMP '{}'",
            [(n, instant(5 * DAY)) for n in range(30)],
        ),
        allowed=(
            Expected("partitions_too_fine", ("ts",), None, True, False),
            Expected("small_files", ()),
        ),
        tempting={"partitions_too_coarse": "partitions are scraps"},
        never=("DROP PARTITION FIELD tenant", "REPLACE PARTITION FIELD tenant"),
    ),
    # Spark's log has the month as a piece of the day's text; half of the days are of the other one.
    Pair(
        "log_months_of_text",
        text_days,
        [
            job(
                n,
                "log_months_of_text",
                "dt IS NOT NULL",
                f"(isnotnull(dt#) AND (substring(dt#, 1, 7) = {month}))",
                version="3.5.6",
            )
            for n, month in enumerate(("2026-01", "2026-02", "2026-01", "2026-02"))
        ],
        expected=(
            Expected("wrapped_column|like_without_prefix", ("dt",), (0.45, 0.55), False, True),
        ),
        tempting={"no_partition_filter": "the partition's column is asked for"},
    ),
)
