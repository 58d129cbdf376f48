"""Days, months and weeks that were written as texts and numbers."""

from __future__ import annotations

import numpy as np

from tests.workloads.model import Expected, Pair
from tests.workloads.physical import Layout
from tests.workloads.rows import SPARK, SPARK_35, day, day_text, each, laid_out, rng, table, texts


def sales_of_us_days() -> Layout:
    """Sixty days as `01/31/2026`, a file each."""
    days = np.repeat(np.arange(60), 400)
    return laid_out(
        table(
            {
                "sale_day": day_text(days, "%m/%d/%Y"),
                "amount": rng(911).integers(0, 9_999, 24_000),
            },
            911,
        ),
        "sale_day",
    )


def sales_of_months() -> Layout:
    """Two years of months as 202601, two files each."""
    months = np.array([year * 100 + month for year in (2025, 2026) for month in range(1, 13)])
    return laid_out(
        table(
            {
                "ym": np.repeat(months, 1_200).astype(np.int32),
                "amount": rng(912).integers(0, 9_999, 28_800),
            },
            912,
        ),
        "ym",
    )


def facts_of_date_keys() -> Layout:
    """Hundred days as 20260131, a file each."""
    keys = np.array([int(day(number).strftime("%Y%m%d")) for number in range(100)])
    return laid_out(
        table(
            {
                "date_key": np.repeat(keys, 300),
                "store": rng(913).integers(0, 50, 30_000),
            },
            913,
        ),
        "date_key",
    )


def weeks_of_plans() -> Layout:
    """Twenty weeks as `2026-W07`, two files each."""
    return laid_out(
        table(
            {
                "wk": texts(np.repeat(np.arange(1, 21), 1_200), "2026-W{:02}"),
                "plan": rng(914).integers(0, 9, 24_000),
            },
            914,
        ),
        "wk",
    )


def parts_of_days() -> Layout:
    """Hive's year, month and day as texts, three months of 28 days."""
    months = np.repeat(np.arange(1, 4), 28 * 300)
    days = np.tile(np.repeat(np.arange(1, 29), 300), 3)
    return laid_out(
        table(
            {
                "year": texts(np.full(len(days), 2026)),
                "month": texts(months, "{:02}"),
                "day": texts(days, "{:02}"),
                "n": rng(915).integers(0, 9, len(days)),
            },
            915,
        ),
        "year",
        "month",
        "day",
    )


def numbered_months() -> Layout:
    """Years and months as numbers, two files each."""
    years = np.repeat((2024, 2025, 2026), 12 * 1_200)
    months = np.tile(np.repeat(np.arange(1, 13), 1_200), 3)
    return laid_out(
        table(
            {"year": years, "month": months, "n": rng(916).integers(0, 9, len(years))},
            916,
        ),
        "year",
        "month",
    )


def loads_of_days() -> Layout:
    """Days as `2026-01-31`, sixty, a file each."""
    days = np.repeat(np.arange(60), 500)
    return laid_out(
        table({"dt": day_text(days), "n": rng(917).integers(0, 9, len(days))}, 917), "dt"
    )


def stamps_of_loads() -> Layout:
    """Seconds since 1970 as a text, in order, on a table without partitions."""
    stamps = np.sort(rng(918).integers(1_767_225_600, 1_767_225_600 + 60 * 86_400, 24_000))
    return laid_out(table({"loaded": texts(stamps), "n": stamps % 7}, 918))


def stamps_as_numbers() -> Layout:
    """Milliseconds since 1970 as numbers, in order, on a table without partitions."""
    stamps = np.sort(rng(919).integers(0, 60 * 86_400_000, 24_000)) + 1_767_225_600_000
    return laid_out(table({"loaded_ms": stamps, "n": stamps % 7}, 919))


PAIRS = (
    Pair(
        "us_days_parsed",
        sales_of_us_days,
        each(
            "SELECT * FROM us_days_parsed WHERE date_parse(sale_day, '%m/%d/%Y') >= "
            "TIMESTAMP '{} 00:00:00'",
            ["2026-02-20", "2026-02-25", "2026-02-27"],
        ),
        (Expected("wrapped_column|type_mismatch", ("sale_day",), statements=False),),
        tempting={"no_partition_filter": "the condition is on the partition's column"},
        never=("DROP PARTITION",),
        # 02/… sorts behind 01/… in one year only; '>=' on such texts is no order of days.
        unsaid=(r"sale_day >= '0",),
    ),
    Pair(
        "us_days_in_spark",
        sales_of_us_days,
        each(
            "SELECT * FROM us_days_in_spark WHERE to_date(sale_day, 'MM/dd/yyyy') = DATE '{}'",
            ["2026-02-20", "2026-02-25", "2026-01-27"],
            **SPARK,
        ),
        (Expected("wrapped_column|type_mismatch", ("sale_day",), statements=False),),
        tempting={"misaligned_partitioning": "queries do ask for days"},
    ),
    Pair(
        "months_as_text_of_numbers",
        sales_of_months,
        each(
            "SELECT * FROM months_as_text_of_numbers WHERE CAST(ym AS varchar) = '{}'",
            ["202603", "202511", "202601", "202607"],
        ),
        (Expected("wrapped_column|type_mismatch", ("ym",), statements=False),),
        tempting={"partitions_too_fine": "each month is two whole files"},
    ),
    Pair(
        "months_compared_with_text",
        sales_of_months,
        each(
            "SELECT * FROM months_compared_with_text WHERE ym = '{}'",
            ["202603", "202511", "202601", "202607"],
            **SPARK,
        ),
        tempting={
            "type_mismatch": "Spark casts the text, not the column, or undoes the wider cast",
            "wrapped_column": "Spark casts the text, not the column, or undoes the wider cast",
        },
    ),
    Pair(
        "months_divided",
        sales_of_months,
        each("SELECT * FROM months_divided WHERE ym / 100 = {}", [2025, 2026, 2025])
        + each("SELECT * FROM months_divided WHERE ym % 100 = {}", [3, 7]),
        # Whole division is a range of a year; the rest of a division is none.
        (Expected("wrapped_column", ("ym",), (0.25, 0.55), statements=False),),
        (Expected("wrapped_column", ("ym",), statements=False),),
        never=("WRITE ORDERED",),
    ),
    Pair(
        "keys_parsed_to_days",
        facts_of_date_keys,
        each(
            "SELECT * FROM keys_parsed_to_days WHERE date_parse(CAST(date_key AS varchar), "
            "'%Y%m%d') BETWEEN TIMESTAMP '{} 00:00:00' AND TIMESTAMP '{} 00:00:00'",
            [("2026-01-10", "2026-01-12"), ("2026-03-01", "2026-03-02"), ("2026-02-03",) * 2],
        ),
        (Expected("wrapped_column|type_mismatch", ("date_key",), statements=False),),
        tempting={
            "unclustered_column": "each key has its partition",
            "no_partition_filter": "the condition is on the partition's column",
        },
    ),
    Pair(
        "keys_in_range",
        facts_of_date_keys,
        each(
            "SELECT * FROM keys_in_range WHERE date_key BETWEEN {} AND {}",
            [(20260110, 20260116), (20260301, 20260307), (20260120, 20260126)],
        )
        + each("SELECT * FROM keys_in_range WHERE date_key = {}", [20260220, 20260221], **SPARK),
        tempting={"partitions_too_fine": "half of a file each is no fault"},
    ),
    Pair(
        "weeks_as_text",
        weeks_of_plans,
        each(
            "SELECT * FROM weeks_as_text WHERE wk >= '{}' AND wk < '{}'",
            [("2026-W05", "2026-W07"), ("2026-W11", "2026-W12")],
            **SPARK_35,
        )
        + each("SELECT * FROM weeks_as_text WHERE wk = '{}'", ["2026-W19", "2026-W02"]),
        tempting={"type_mismatch": "texts are compared with texts"},
    ),
    Pair(
        "parts_joined_to_a_day",
        parts_of_days,
        each(
            "SELECT * FROM parts_joined_to_a_day WHERE year || '-' || month || '-' || day = '{}'",
            ["2026-01-17", "2026-03-02", "2026-02-11"],
        ),
        (
            Expected(
                "wrapped_column|type_mismatch", ("year|month|day",), statements=False, rewrite=True
            ),
        ),
        tempting={
            "no_partition_filter": "the condition is on the columns of partitions",
            "misaligned_partitioning": "queries do ask for days",
        },
        never=("DROP PARTITION",),
    ),
    Pair(
        "parts_as_numbers",
        parts_of_days,
        each(
            "SELECT * FROM parts_as_numbers WHERE year = 2026 AND month = {} AND day = {}",
            [(1, 17), (3, 2), (2, 11)],
            **SPARK,
        ),
        # Spark compares numbers, and casts all three texts.
        (Expected("type_mismatch", ("month",), statements=False),),
        never=("DROP PARTITION",),
        unsaid=(r"month = '\d'",),
    ),
    Pair(
        "parts_with_zeros",
        parts_of_days,
        each(
            "SELECT * FROM parts_with_zeros WHERE year = '2026' AND month = '{}' AND day = '{}'",
            [("01", "17"), ("03", "02"), ("02", "11")],
            **SPARK,
        ),
        tempting={
            "type_mismatch": "texts are compared with texts",
            "misaligned_partitioning": "all three fields are used",
            "partitions_too_fine": "half of a file each is no fault",
        },
    ),
    Pair(
        "year_times_hundred",
        numbered_months,
        each(
            "SELECT * FROM year_times_hundred WHERE year * 100 + month = {}",
            [202603, 202511, 202407],
        ),
        (Expected("wrapped_column", ("year|month",), statements=False),),
        tempting={"misaligned_partitioning": "queries do ask for months"},
        never=("DROP PARTITION",),
    ),
    Pair(
        "either_of_two_months",
        numbered_months,
        each(
            "SELECT * FROM either_of_two_months WHERE (year = {} AND month {}) "
            "OR (year = {} AND month {})",
            [(2025, "= 12", 2026, "= 1"), (2024, ">= 11", 2025, "<= 2")],
            **SPARK,
        ),
        tempting={"or_across_columns": "Spark pushes it whole"},
    ),
    Pair(
        "days_by_prefix",
        loads_of_days,
        each("SELECT * FROM days_by_prefix WHERE dt LIKE '{}%'", ["2026-02-", "2026-01-2"])
        + each(
            "SELECT * FROM days_by_prefix WHERE dt LIKE '{}%'", ["2026-02-1", "2026-01-"], **SPARK
        ),
        tempting={
            "like_without_prefix": "the prefix is of text and digits alone",
            "unclustered_column": "each day has its partition",
        },
    ),
    Pair(
        "days_by_substr",
        loads_of_days,
        each(
            "SELECT * FROM days_by_substr WHERE substr(dt, 1, 7) = '{}'",
            ["2026-02", "2026-01", "2026-02"],
        ),
        (
            Expected(
                "wrapped_column|like_without_prefix",
                ("dt",),
                (0.4, 0.55),
                statements=False,
                rewrite=True,
            ),
        ),
        tempting={"type_mismatch": "texts are compared with texts"},
    ),
    Pair(
        "days_cast_in_trino",
        loads_of_days,
        each(
            "SELECT * FROM days_cast_in_trino WHERE CAST(dt AS date) BETWEEN DATE '{}' AND "
            "DATE '{}'",
            [("2026-02-03", "2026-02-05"), ("2026-01-30", "2026-02-01")],
        )
        + each(
            "SELECT * FROM days_cast_in_trino WHERE date(dt) = DATE '{}'",
            ["2026-02-20", "2026-01-13"],
        ),
        (
            Expected("type_mismatch", ("dt",), statements=False),
            Expected("type_mismatch", ("dt",), statements=False),
        ),
        tempting={"no_partition_filter": "dt is the partition's column"},
        never=("DROP PARTITION",),
    ),
    Pair(
        "stamps_cast_to_numbers",
        stamps_of_loads,
        each(
            "SELECT * FROM stamps_cast_to_numbers WHERE CAST(loaded AS bigint) >= {}",
            [1_767_225_600 + 58 * 86_400, 1_767_225_600 + 59 * 86_400],
        ),
        (Expected("type_mismatch|wrapped_column", ("loaded",), statements=False),),
        tempting={"unclustered_column": "rows are in order of the text as it is"},
    ),
    Pair(
        "milliseconds_to_days",
        stamps_as_numbers,
        each(
            "SELECT * FROM milliseconds_to_days WHERE CAST(from_unixtime(loaded_ms / 1000) AS date)"
            " = DATE '{}'",
            ["2026-01-20", "2026-02-05", "2026-02-11"],
        ),
        (Expected("wrapped_column", ("loaded_ms",), (0.92, 0.985), statements=False),),
        tempting={"unclustered_column": "rows are in order of time"},
    ),
)
