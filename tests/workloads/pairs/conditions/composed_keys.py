"""Keys that conditions cut, number, put together and compare by choices."""

from __future__ import annotations

import numpy as np

from tests.workloads.model import Expected, Pair
from tests.workloads.pairs.conditions.of_hive import (
    days_as_numbers,
    in_order_of_codes,
    in_order_of_price,
    quarters_of_days,
    three_numbers,
)
from tests.workloads.pairs.sound.days import forty_dates
from tests.workloads.physical import Layout
from tests.workloads.rows import DAY, FILE_ROWS, SPARK, SPARK_35, laid_out, repeated, rng, table

FILES = 40
COUNT = FILES * FILE_ROWS
ONE_OF_40 = (0.94, 0.99)
CHANGES = r"ALTER|CALL"


def ids_that_hold_times() -> Layout:
    """40 files in order of ids whose upper bits are milliseconds since 4 November 2010."""
    seconds = np.sort(rng(1301).uniform(0, FILES * DAY, COUNT))
    elapsed = (seconds * 1000).astype(np.int64) + 1_767_225_600_000 - 1_288_834_974_657
    ids = (elapsed << 22) + rng(1302).integers(0, 1 << 22, COUNT)
    return laid_out(table({"id": ids, "amount": np.arange(COUNT)}))


PAIRS = (
    # ISO dates as text, made dates of: they sort as they are.
    Pair(
        "iso_dates_of_texts",
        quarters_of_days,
        repeated(
            "SELECT sum(amount) FROM lake.db.iso_dates_of_texts"
            " WHERE from_iso8601_date(dt) >= DATE '2026-01-18'",
            5,
        ),
        expected=(Expected("type_mismatch|wrapped_column", ("dt",), statements=False),),
        # Nobody asks for quarters of days.
        allowed=(Expected("misaligned_partitioning", ("hr",), statements=False),),
        tempting={"no_partition_filter": "the filter is on a partition column"},
        never=(CHANGES,),
    ),
    # Spark 3.5 makes texts of all, where one is a text: two days of 90.
    Pair(
        "numbers_in_a_mixed_list",
        days_as_numbers,
        repeated(
            "SELECT sum(amount) FROM lake.db.numbers_in_a_mixed_list"
            " WHERE dt IN (20260120, '20260122')",
            5,
            **SPARK_35,
        ),
        expected=(
            Expected(
                "type_mismatch|wrapped_column",
                ("dt",),
                (0.95, 0.99),
                statements=False,
                rewrite=True,
            ),
        ),
        tempting={"long_in_list": "two are not many"},
        never=(CHANGES,),
    ),
    # Numbers that are padded, and put together without anything between. Of years of more digits
    # nobody knows, and Trino pushes no OR of several columns: there is advice alone.
    Pair(
        "days_of_padded_numbers",
        three_numbers,
        repeated(
            "SELECT sum(amount) FROM lake.db.days_of_padded_numbers WHERE"
            " concat(CAST(year AS varchar), lpad(CAST(month AS varchar), 2, '0'),"
            " lpad(CAST(day AS varchar), 2, '0')) BETWEEN '20260201' AND '20260207'",
            5,
        ),
        expected=(
            Expected("wrapped_column|type_mismatch", ("year", "month", "day"), statements=False),
        ),
        tempting={"no_partition_filter": "all three are partition columns"},
        never=(CHANGES,),
    ),
    # What comes before the first underscore is a quarter of the codes.
    Pair(
        "codes_by_element_at",
        in_order_of_codes,
        repeated(
            "SELECT sum(amount) FROM lake.db.codes_by_element_at"
            " WHERE element_at(split(code, '_'), 1) = 'EU'",
            5,
        ),
        expected=(
            Expected(
                "like_without_prefix|wrapped_column",
                ("code",),
                (0.68, 0.76),
                statements=False,
                rewrite=True,
            ),
        ),
        never=(CHANGES,),
    ),
    # The fifth of twenty bands is 20 to 25.
    Pair(
        "bands_by_width_bucket",
        in_order_of_price,
        repeated(
            "SELECT count(*) FROM lake.db.bands_by_width_bucket"
            " WHERE width_bucket(price, 0, 100, 20) = 5",
            5,
        ),
        expected=(
            Expected("wrapped_column", ("price",), (0.9, 0.96), statements=False, rewrite=True),
        ),
        tempting={"unclustered_column": "files are in order of it"},
        never=(CHANGES,),
    ),
    # The histogram's bin from 25 to 37.5.
    Pair(
        "bins_of_metabase",
        in_order_of_price,
        repeated(
            "SELECT count(*) FROM lake.db.bins_of_metabase"
            " WHERE (FLOOR(((price - 0.0) / 12.5)) * 12.5) + 0.0 = 25.0",
            5,
        ),
        expected=(
            Expected("wrapped_column", ("price",), (0.8, 0.89), statements=False, rewrite=True),
        ),
        tempting={"unclustered_column": "files are in order of it"},
        never=(CHANGES,),
    ),
    # The upper bits of an id are a time; one day of 40 is asked for.
    Pair(
        "times_of_snowflake_ids",
        ids_that_hold_times,
        repeated(
            "SELECT sum(amount) FROM lake.db.times_of_snowflake_ids WHERE"
            " timestamp_millis(shiftright(id, 22) + 1288834974657)"
            " >= TIMESTAMP '2026-01-20 00:00:00'"
            " AND timestamp_millis(shiftright(id, 22) + 1288834974657)"
            " < TIMESTAMP '2026-01-21 00:00:00'",
            5,
            **SPARK,
        ),
        expected=(
            Expected("wrapped_column", ("id",), (0.9, 0.99), statements=False, rewrite=True),
        ),
        tempting={"unclustered_column": "files are in order of it"},
        never=(CHANGES,),
    ),
    # IS TRUE takes null for false, and hides the comparison from Spark.
    Pair(
        "day_that_is_true",
        forty_dates,
        repeated(
            "SELECT sum(amount) FROM lake.db.day_that_is_true"
            " WHERE (d = DATE '2026-01-20') IS TRUE",
            5,
            **SPARK,
        ),
        expected=(Expected("wrapped_column", ("d",), ONE_OF_40, statements=False, rewrite=True),),
        never=(CHANGES,),
    ),
    # Spark makes structs of both, and compares these.
    Pair(
        "row_like_a_row",
        forty_dates,
        repeated(
            "SELECT sum(amount) FROM lake.db.row_like_a_row"
            " WHERE (d, region) = (DATE '2026-01-20', 'EU')",
            5,
            **SPARK,
        ),
        expected=(Expected("wrapped_column", ("d",), ONE_OF_40, statements=False, rewrite=True),),
        tempting={"unclustered_column": "a day is one file of all regions"},
        never=(CHANGES,),
    ),
)
