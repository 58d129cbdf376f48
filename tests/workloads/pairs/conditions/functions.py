"""Functions of several engines around columns that are in order."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import numpy as np
import pyarrow as pa

from tests.scenarios.lake import Query
from tests.workloads.model import Expected, Pair
from tests.workloads.physical import Layout
from tests.workloads.rows import (
    DAY,
    SPARK,
    SPARK_35,
    day,
    each,
    instant,
    laid_out,
    rng,
    table,
    texts,
    times,
)


def days_of_orders() -> Layout:
    """Thirty days of UTC, a partition and a file each."""
    numbers = rng(921)
    seconds = np.sort(numbers.integers(0, 30 * DAY, 24_000))
    return laid_out(
        table(
            {
                "ts": times(seconds, "UTC"),
                "a": np.arange(24_000),
                "b": np.arange(24_000) + numbers.integers(0, 50, 24_000),
            },
            921,
        ),
        "days(ts)",
    )


def local_days_of_orders() -> Layout:
    """Thirty days without a zone, a partition and a file each."""
    seconds = np.sort(rng(922).integers(0, 30 * DAY, 24_000))
    return laid_out(table({"at": times(seconds), "n": np.arange(24_000)}, 922), "days(at)")


def codes() -> Layout:
    """Codes `ab12-000345`, in order, by their first four characters."""
    heads = np.repeat([f"ab{number:02}" for number in range(20)], 1_200)
    return laid_out(
        table(
            {
                "code": texts(f"{head}-{n:06}" for n, head in enumerate(heads)),
                "n": rng(923).integers(0, 9, 24_000),
            },
            923,
        ),
        "truncate(4, code)",
    )


def prices() -> Layout:
    """Prices from 0 to 1000 as decimals, in order."""
    cents = np.sort(rng(924).integers(0, 100_000, 24_000))
    amounts = pa.array([Decimal(int(n)).scaleb(-2) for n in cents], pa.decimal128(12, 2))
    return laid_out(table({"amount": amounts, "n": np.arange(24_000)}, 924))


def customers() -> Layout:
    """Customers in sixteen buckets of two files."""
    return laid_out(
        table(
            {
                "id": rng(925).permutation(19_200),
                "n": rng(925).integers(0, 9, 19_200),
            },
            925,
        ),
        "bucket(16, id)",
    )


def regions() -> Layout:
    """Ten regions of four files."""
    names = ("AF", "AN", "AS", "EU", "GB", "IN", "JP", "NA", "OC", "SA")
    return laid_out(
        table(
            {
                "region": texts(np.repeat(names, 2_400)),
                "n": rng(926).integers(0, 9, 24_000),
            },
            926,
        ),
        "region",
    )


def _days(sql: str, numbers: tuple[int, ...], **asked: Any) -> list[Query]:
    return each(sql, [str(day(number)) for number in numbers], **asked)


PAIRS = (
    Pair(
        "month_read_by_both",
        days_of_orders,
        _days(
            "SELECT * FROM month_read_by_both WHERE date_trunc('day', ts) = "
            "TIMESTAMP '{} 00:00:00 UTC'",
            (3, 9, 21),
        )
        + _days(
            "SELECT * FROM month_read_by_both WHERE date_trunc('DAY', ts) = "
            "TIMESTAMP '{} 00:00:00'",
            (3, 9, 21),
            **SPARK_35,
        ),
        # Trino unwraps it, and reads a day; Spark reads all thirty.
        (Expected("wrapped_column", ("ts",), (0.9, 0.96), statements=False, rewrite=True),),
    ),
    Pair(
        "week_later",
        days_of_orders,
        [
            Query(
                "SELECT * FROM week_later WHERE date_add('day', 7, ts) >= "
                f"TIMESTAMP '{instant(number * DAY)} UTC'"
            )
            for number in (34, 35, 36)
        ],
        (Expected("wrapped_column", ("ts",), (0.86, 0.97), statements=False, rewrite=True),),
        tempting={"unclustered_column": "each day is in one file"},
    ),
    Pair(
        "days_of_new_york",
        days_of_orders,
        _days(
            "SELECT * FROM days_of_new_york WHERE CAST(ts AT TIME ZONE 'America/New_York' AS date)"
            " = DATE '{}'",
            (3, 9, 21),
        ),
        # A day of New York is in two of UTC.
        (Expected("wrapped_column", ("ts",), (0.88, 0.95), statements=False, rewrite=True),),
        (Expected("local_day_boundaries", ("ts",)),),
    ),
    Pair(
        "unix_time_in_trino",
        days_of_orders,
        each(
            "SELECT * FROM unix_time_in_trino WHERE to_unixtime(ts) >= {} AND to_unixtime(ts) < {}",
            [(1767225600 + n * DAY, 1767225600 + (n + 1) * DAY) for n in (3, 9, 21)],
        ),
        (Expected("wrapped_column", ("ts",), (0.88, 0.98), statements=False, rewrite=True),),
    ),
    Pair(
        "months_formatted_in_trino",
        local_days_of_orders,
        _days(
            "SELECT * FROM months_formatted_in_trino WHERE format_datetime(at, 'yyyy-MM-dd') "
            "= '{}'",
            (3, 9, 21),
        ),
        (Expected("wrapped_column", ("at",), (0.9, 0.98), statements=False),),
    ),
    Pair(
        "next_day_in_spark",
        local_days_of_orders,
        _days(
            "SELECT * FROM next_day_in_spark WHERE date_sub(CAST(at AS DATE), 1) = DATE '{}'",
            (3, 9, 21),
            **SPARK,
        ),
        (Expected("wrapped_column", ("at",), (0.9, 0.98), statements=False, rewrite=True),),
    ),
    Pair(
        "days_of_snowflake",
        local_days_of_orders,
        [
            Query(
                "SELECT * FROM days_of_snowflake WHERE at >= DATEADD(day, -3, "
                "'2026-01-20'::timestamp) AND at < '2026-01-20'::timestamp",
                engine="snowflake",
            ),
            Query(
                "SELECT * FROM days_of_snowflake WHERE at BETWEEN "
                "TO_TIMESTAMP_NTZ('2026-01-05 00:00:00') AND '2026-01-06'::timestamp_ntz",
                engine="snowflake",
            ),
        ],
        tempting={
            "wrapped_column": "functions are around constants, not the column",
            "no_partition_filter": "at is the partition's column",
        },
    ),
    Pair(
        "casts_of_snowflake",
        local_days_of_orders,
        _days(
            "SELECT * FROM casts_of_snowflake WHERE at::date = '{}'",
            (3, 9, 21),
            engine="snowflake",
        )
        + _days(
            "SELECT * FROM casts_of_snowflake WHERE DATE_TRUNC('day', at) = '{}'::timestamp",
            (3, 9, 21),
            engine="snowflake",
        ),
        # What Snowflake's planner makes of it is its secret; the range beside it does no harm.
        (),
        (Expected("wrapped_column", ("at",), statements=False, rewrite=True),),
        tempting={"unclustered_column": "each day is in one file"},
    ),
    Pair(
        "days_of_bigquery",
        days_of_orders,
        _days(
            "SELECT * FROM days_of_bigquery WHERE DATE(ts) BETWEEN DATE_SUB(DATE '{}', "
            "INTERVAL 2 DAY) AND DATE '2026-01-20'",
            (19, 18),
            engine="bigquery",
        )
        + _days(
            "SELECT * FROM days_of_bigquery WHERE TIMESTAMP_TRUNC(ts, DAY) = TIMESTAMP('{}')",
            (3, 9),
            engine="bigquery",
        ),
        (),
        (Expected("wrapped_column", ("ts",), statements=False),),
        tempting={"unclustered_column": "each day is in one file", "no_partition_filter": "ts is"},
    ),
    Pair(
        "least_of_two",
        days_of_orders,
        each("SELECT * FROM least_of_two WHERE least(a, b) >= {}", [23_000, 23_500, 22_800]),
        # The least of both is that large only if both are.
        (Expected("wrapped_column", ("a|b",), statements=False),),
        (Expected("no_partition_filter", ("a|b",)),),
        never=("DROP PARTITION",),
    ),
    Pair(
        "case_of_a_region",
        regions,
        each(
            "SELECT * FROM case_of_a_region WHERE CASE WHEN region = '{}' THEN 1 ELSE 0 END = 1",
            ["EU", "GB", "JP"],
        ),
        (Expected("wrapped_column", ("region",), statements=False),),
        tempting={
            "no_partition_filter": "region is the partition's column",
            "misaligned_partitioning": "queries do ask for regions",
        },
        never=("DROP PARTITION",),
    ),
    Pair(
        "coalesced_region",
        regions,
        each("SELECT * FROM coalesced_region WHERE coalesce(region, 'XX') = '{}'", ["EU", "GB"])
        + each(
            "SELECT * FROM coalesced_region WHERE nullif(region, '') = '{}'", ["JP", "NA"], **SPARK
        ),
        # Two of the four each; what nullif() says of region is left to its author.
        (
            Expected("wrapped_column", ("region",), (0.43, 0.47), statements=False, rewrite=True),
            Expected("wrapped_column", ("region",), statements=False),
        ),
        never=("DROP PARTITION",),
    ),
    Pair(
        "region_in_any_case",
        regions,
        each("SELECT * FROM region_in_any_case WHERE region ILIKE '{}'", ["eu", "gb"], **SPARK)
        + each("SELECT * FROM region_in_any_case WHERE lower(region) IN ('{}')", ["jp", "na"]),
        (Expected("wrapped_column|like_without_prefix", ("region",), statements=False),),
        (Expected("wrapped_column|like_without_prefix", ("region",), statements=False),),
        never=("DROP PARTITION",),
    ),
    Pair(
        "codes_by_head_in_trino",
        codes,
        each(
            "SELECT * FROM codes_by_head_in_trino WHERE substr(code, 1, 4) = 'ab{:02}'",
            [3, 9, 17],
        ),
        (
            Expected(
                "wrapped_column|like_without_prefix",
                ("code",),
                (0.92, 0.96),
                statements=False,
                rewrite=True,
            ),
        ),
    ),
    Pair(
        "codes_by_left_in_spark",
        codes,
        each(
            "SELECT * FROM codes_by_left_in_spark WHERE left(code, 4) IN ('ab{:02}', 'ab{:02}')",
            [(3, 4), (9, 10), (16, 17)],
            **SPARK,
        ),
        (
            Expected(
                "wrapped_column|like_without_prefix",
                ("code",),
                (0.87, 0.92),
                statements=False,
                rewrite=True,
            ),
        ),
    ),
    Pair(
        "codes_by_split",
        codes,
        each("SELECT * FROM codes_by_split WHERE split_part(code, '-', 1) = 'ab{:02}'", [3, 9, 17]),
        (Expected("wrapped_column|like_without_prefix", ("code",), statements=False),),
    ),
    Pair(
        "prices_times_hundred",
        prices,
        each("SELECT * FROM prices_times_hundred WHERE amount * 100 >= {}", [99_000, 98_500]),
        (Expected("wrapped_column", ("amount",), (0.93, 0.99), statements=False, rewrite=True),),
        tempting={"unclustered_column": "rows are in order of amount"},
    ),
    Pair(
        "prices_as_doubles",
        prices,
        each("SELECT * FROM prices_as_doubles WHERE amount >= {}", ["990e0", "985e0"], **SPARK),
        (Expected("type_mismatch|wrapped_column", ("amount",), statements=False),),
        tempting={"unclustered_column": "rows are in order of amount"},
    ),
    Pair(
        "prices_compared",
        prices,
        each("SELECT * FROM prices_compared WHERE amount >= {}", ["990.00", "985", "990.5"])
        + each("SELECT * FROM prices_compared WHERE amount < {}", ["10.00", "7"], **SPARK),
        tempting={"type_mismatch": "numbers fit the decimal", "wrapped_column": "nothing is cast"},
    ),
    Pair(
        "prices_rounded",
        prices,
        each("SELECT * FROM prices_rounded WHERE round(amount) = {}", [17, 222, 900]),
        (Expected("wrapped_column", ("amount",), (0.93, 0.99), statements=False),),
    ),
    Pair(
        "customers_cast",
        customers,
        each("SELECT * FROM customers_cast WHERE CAST(id AS varchar) = '{}'", [17, 222, 9_000]),
        (Expected("type_mismatch|wrapped_column", ("id",), statements=False),),
        tempting={"range_on_bucketed_column": "single values are what buckets are for"},
        never=("DROP PARTITION",),
    ),
    Pair(
        "customers_equal",
        customers,
        each("SELECT * FROM customers_equal WHERE id = {}", [17, 222, 9_000])
        + each("SELECT * FROM customers_equal WHERE id IN ({}, {})", [(5, 6), (9, 80)], **SPARK),
        (),
        # A sort inside the buckets would halve what is read.
        (Expected("unclustered_column", ("id",)),),
        tempting={"range_on_bucketed_column": "single values are what buckets are for"},
        never=("DROP PARTITION",),
    ),
    Pair(
        "customers_modulo",
        customers,
        each("SELECT * FROM customers_modulo WHERE id % 16 = {}", [3, 9, 12]),
        (
            Expected(
                "wrapped_column",
                ("id",),
                statements=False,
                rewrite=False,
                says=(r"(?i)noth|no range|no layout|cannot",),
            ),
        ),
        never=("DROP PARTITION", "WRITE ORDERED"),
    ),
    Pair(
        "weekends",
        days_of_orders,
        [Query("SELECT * FROM weekends WHERE day_of_week(ts) IN (6, 7)")] * 3,
        (Expected("wrapped_column", ("ts",), statements=False, rewrite=False),),
        tempting={"unclustered_column": "each day is in one file"},
        never=("WRITE ORDERED", "PARTITION FIELD"),
    ),
    Pair(
        "one_in_a_hundred",
        days_of_orders,
        [Query("SELECT * FROM one_in_a_hundred WHERE rand() < 0.01")] * 3,
        tempting={
            "wrapped_column": "no column is in it",
            "misaligned_partitioning": "a sample is of all days",
        },
        never=("DROP PARTITION",),
    ),
)
