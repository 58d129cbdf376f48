"""Columns compared as another type than they have."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from tests.workloads.model import Expected, Pair
from tests.workloads.physical import Layout
from tests.workloads.rows import (
    DAY,
    FILE_ROWS,
    SPARK,
    SPARK_35,
    day,
    day_text,
    each,
    laid_out,
    repeated,
    rng,
    table,
    texts,
    times,
)

DAYS = 40
COUNT = DAYS * FILE_ROWS


def text_days() -> Layout:
    """A table from Hive: a partition of text for each of 40 days."""
    days = np.repeat(np.arange(DAYS), FILE_ROWS)
    return laid_out(table({"dt": day_text(days), "amount": np.arange(COUNT)}), "dt")


def number_days() -> Layout:
    """A partition for each of 40 days, as a number like 20260131."""
    keys = [int(day(number).strftime("%Y%m%d")) for number in range(DAYS)]
    days = pa.array(np.repeat(keys, FILE_ROWS), pa.int32())
    return laid_out(table({"dk": days, "amount": np.arange(COUNT)}), "dk")


def year_and_month() -> Layout:
    """A partition of text for each year and month, 36 in all."""
    months = np.repeat(np.arange(36), FILE_ROWS)
    return laid_out(
        table(
            {
                "year": texts(2024 + months // 12),
                "month": texts(months % 12 + 1, "{:02d}"),
                "amount": np.arange(len(months)),
            }
        ),
        "year",
        "month",
    )


def accounts() -> Layout:
    """40 files in order of account numbers, kept as text."""
    numbers = np.sort(rng(11).integers(10_000, 99_999, COUNT))
    return laid_out(table({"account": texts(numbers), "amount": np.arange(COUNT)}))


def times_without_zone() -> Layout:
    """A partition for each of 40 days of a time without zone."""
    seconds = np.sort(rng(12).uniform(0, DAYS * DAY, COUNT))
    return laid_out(table({"ts": times(seconds), "amount": np.arange(COUNT)}), "days(ts)")


HARMLESS = {"misaligned_partitioning": "the field is the one that queries want"}

PAIRS = (
    # Casting text makes Trino forget the partition: 1 of 40 is wanted. What the text means is not
    # known for sure, so nobody promises bytes.
    Pair(
        "text_day_cast",
        text_days,
        repeated(
            "SELECT sum(amount) FROM lake.db.text_day_cast"
            " WHERE CAST(dt AS date) = DATE '2026-01-21'",
            5,
        ),
        expected=(Expected("type_mismatch", ("dt",)),),
        tempting=HARMLESS,
        never=("DROP",),
    ),
    Pair(
        "text_day_parsed",
        text_days,
        repeated(
            "SELECT sum(amount) FROM lake.db.text_day_parsed"
            " WHERE to_date(dt) BETWEEN DATE '2026-01-10' AND DATE '2026-01-12'",
            5,
            **SPARK,
        ),
        expected=(Expected("type_mismatch", ("dt",)),),
        tempting=HARMLESS,
        never=("DROP",),
    ),
    # Spark casts the text of the partition to a date for the comparison.
    Pair(
        "text_day_literal",
        text_days,
        repeated(
            "SELECT sum(amount) FROM lake.db.text_day_literal WHERE dt >= DATE '2026-02-05'",
            5,
            **SPARK,
        ),
        expected=(Expected("type_mismatch", ("dt",)),),
        tempting=HARMLESS,
        never=("DROP",),
    ),
    # A number, made text, made a date. Two names for one fault.
    Pair(
        "number_day_parsed",
        number_days,
        repeated(
            "SELECT sum(amount) FROM lake.db.number_day_parsed"
            " WHERE to_date(CAST(dk AS STRING), 'yyyyMMdd') = DATE '2026-01-21'",
            5,
            **SPARK,
        ),
        expected=(Expected("wrapped_column|type_mismatch", ("dk",)),),
        tempting=HARMLESS,
        never=("DROP",),
    ),
    Pair(
        "year_and_month_cast",
        year_and_month,
        repeated(
            "SELECT sum(amount) FROM lake.db.year_and_month_cast"
            " WHERE CAST(year AS integer) = 2025 AND CAST(month AS integer) = 3",
            5,
        ),
        expected=(Expected("type_mismatch|wrapped_column", ("year", "month")),),
        tempting=HARMLESS,
        never=("DROP",),
    ),
    # ISO dates as text sort as they should: nothing is wrong.
    Pair(
        "text_day_as_text",
        text_days,
        each(
            "SELECT sum(amount) FROM lake.db.text_day_as_text WHERE dt = '{}'",
            [day(number) for number in range(0, 40, 4)],
        ),
        tempting={"type_mismatch": "text is compared with text"},
    ),
    # Spark casts each account to a number; files are in order of the text, and of no use.
    Pair(
        "account_as_number",
        accounts,
        each(
            "SELECT sum(amount) FROM lake.db.account_as_number WHERE account = {}",
            range(12_345, 99_999, 10_000),
            **SPARK,
        ),
        expected=(Expected("type_mismatch", ("account",)),),
        tempting={"unclustered_column": "files are in order of account"},
    ),
    # Spark 4.1 sees through a widening cast.
    Pair(
        "widened_number",
        number_days,
        repeated(
            "SELECT sum(amount) FROM lake.db.widened_number WHERE CAST(dk AS BIGINT) = 20260121",
            5,
            **SPARK,
        ),
        tempting={
            "wrapped_column": "Spark 4.1 pushes it",
            "type_mismatch": "both are whole numbers",
        },
    ),
    # TIMESTAMP '…' has a zone in Spark 3.5, so the column is cast.
    Pair(
        "zoned_literal_old",
        times_without_zone,
        repeated(
            "SELECT sum(amount) FROM lake.db.zoned_literal_old"
            " WHERE ts >= TIMESTAMP '2026-02-09 00:00:00'",
            5,
            **SPARK_35,
        ),
        expected=(Expected("wrapped_column|type_mismatch", ("ts",), (0.9, 0.99), rewrite=True),),
    ),
    # A literal without zone is of the column's type, in every Spark that has it.
    Pair(
        "literal_without_zone",
        times_without_zone,
        repeated(
            "SELECT sum(amount) FROM lake.db.literal_without_zone"
            " WHERE ts >= TIMESTAMP_NTZ '2026-02-09 00:00:00'",
            5,
            **SPARK_35,
        ),
        tempting={"wrapped_column": "the types are the same"},
    ),
    Pair(
        "zoned_literal_new",
        times_without_zone,
        repeated(
            "SELECT sum(amount) FROM lake.db.zoned_literal_new"
            " WHERE ts >= TIMESTAMP '2026-02-09 00:00:00'",
            5,
            **SPARK,
        ),
        tempting={"wrapped_column": "Spark 4.1 pushes it"},
    ),
)
