"""Dates and times within functions that reports and jobs put around them."""

from __future__ import annotations

from tests.workloads.model import Expected, Pair
from tests.workloads.pairs.times.moved import (
    clock_times,
    dates_of_a_quarter,
    instants,
    milliseconds,
    updated_later,
)
from tests.workloads.rows import SPARK, SPARK_35, repeated

ONE_OF_40 = (0.94, 0.99)
TWO_OF_40 = (0.9, 0.97)
A_MONTH_OF_90_DAYS = (0.6, 0.7)
CHANGES = r"ALTER|CALL"

PAIRS = (
    # 28 days of 90. Spark makes year() and month() of it, and pushes neither.
    Pair(
        "month_by_date_part",
        dates_of_a_quarter,
        repeated(
            "SELECT sum(amount) FROM lake.db.month_by_date_part"
            " WHERE date_part('YEAR', d) = 2026 AND date_part('MONTH', d) = 2",
            5,
            **SPARK,
        ),
        expected=(
            Expected("wrapped_column", ("d",), A_MONTH_OF_90_DAYS, statements=False, rewrite=True),
        ),
        tempting={"partitions_too_fine": "each day is a file of the right size"},
        never=(CHANGES,),
    ),
    # A time as seconds, and these as the text of a day: in UTC it is the day.
    Pair(
        "round_trip_of_seconds",
        instants,
        repeated(
            "SELECT sum(amount) FROM lake.db.round_trip_of_seconds"
            " WHERE from_unixtime(unix_timestamp(ts), 'yyyy-MM-dd') = '2026-01-20'",
            5,
            **SPARK,
        ),
        expected=(Expected("wrapped_column", ("ts",), ONE_OF_40, statements=False, rewrite=True),),
        tempting={"partitions_too_coarse": "the filter does not even reach the days"},
        never=(CHANGES,),
    ),
    # Seconds count in no zone: those of a day of UTC are one file of 40, wherever they are asked.
    Pair(
        "milliseconds_of_a_day_abroad",
        instants,
        repeated(
            "SELECT sum(amount) FROM lake.db.milliseconds_of_a_day_abroad"
            " WHERE unix_millis(ts) >= 1768867200000 AND unix_timestamp(ts) < 1768953600",
            5,
            time_zone="America/New_York",
            **SPARK,
        ),
        expected=(Expected("wrapped_column", ("ts",), (0.97, 0.98), False, True),),
        tempting={"local_day_boundaries": "the day is one of UTC"},
        never=(CHANGES,),
    ),
    # Days of UTC by their number.
    Pair(
        "days_by_division",
        instants,
        repeated(
            "SELECT sum(amount) FROM lake.db.days_by_division"
            " WHERE floor(unix_timestamp(ts) / 86400) = 20473",
            5,
            time_zone="Asia/Kolkata",
            **SPARK,
        ),
        expected=(Expected("wrapped_column", ("ts",), (0.97, 0.98), False, True),),
        tempting={"local_day_boundaries": "the day is one of UTC"},
        never=(CHANGES,),
    ),
    # The bare end keeps 20 days; that an end two hours on is after noon leaves one of them.
    Pair(
        "alive_at_noon",
        instants,
        repeated(
            "SELECT count(*) FROM lake.db.alive_at_noon WHERE"
            " TIMESTAMP '2026-01-20 12:00:00 UTC' BETWEEN ts AND ts + INTERVAL '2' HOUR",
            5,
        ),
        expected=(
            Expected("wrapped_column", ("ts",), (0.9, 0.97), statements=False, rewrite=True),
        ),
        tempting={"partitions_too_coarse": "two hours are asked for, but of all days before"},
        never=(CHANGES,),
    ),
    # Trino pushes the year; days by their number in it are a range beside it.
    Pair(
        "days_of_the_year_by_number",
        instants,
        repeated(
            "SELECT sum(amount) FROM lake.db.days_of_the_year_by_number"
            " WHERE year(ts) = 2026 AND day_of_year(ts) BETWEEN 20 AND 22",
            5,
        ),
        expected=(
            Expected("wrapped_column", ("ts",), (0.88, 0.95), statements=False, rewrite=True),
        ),
        never=(CHANGES,),
    ),
    # Spark undoes casts to date, but not for <=>.
    Pair(
        "day_that_is_the_same",
        clock_times,
        repeated(
            "SELECT sum(amount) FROM lake.db.day_that_is_the_same"
            " WHERE CAST(ts AS DATE) <=> DATE '2026-01-20'",
            5,
            **SPARK,
        ),
        expected=(Expected("wrapped_column", ("ts",), ONE_OF_40, statements=False, rewrite=True),),
        tempting={"negated_condition": "it is an equality that knows null"},
        never=(CHANGES,),
    ),
    # Nor in a list of dates: an UPDATE reads, and may write, what the scan keeps.
    Pair(
        "two_days_corrected",
        instants,
        repeated(
            "UPDATE lake.db.two_days_corrected SET amount = 0"
            " WHERE to_date(ts) IN (DATE '2026-01-10', DATE '2026-01-12')",
            5,
            **SPARK,
        ),
        expected=(Expected("wrapped_column", ("ts",), TWO_OF_40, statements=False, rewrite=True),),
        never=(CHANGES,),
    ),
    # COALESCE spelled out.
    Pair(
        "changed_or_made_by_case",
        updated_later,
        repeated(
            "SELECT sum(amount) FROM lake.db.changed_or_made_by_case WHERE CASE"
            " WHEN updated_at IS NOT NULL THEN updated_at ELSE created_at END"
            " >= TIMESTAMP '2026-02-05 00:00:00'",
            5,
            **SPARK,
        ),
        expected=(
            Expected(
                "wrapped_column", ("created_at",), (0.75, 0.88), statements=False, rewrite=True
            ),
        ),
        tempting={
            "misaligned_partitioning": "the day of making keeps both columns together",
            "or_across_columns": "Spark pushes an OR",
        },
        never=("DROP", "REPLACE"),
    ),
    # Spark's greatest() passes over nulls: either time is that late.
    Pair(
        "later_of_two_times",
        updated_later,
        repeated(
            "SELECT sum(amount) FROM lake.db.later_of_two_times"
            " WHERE greatest(created_at, updated_at) >= TIMESTAMP '2026-02-05 00:00:00'",
            5,
            **SPARK,
        ),
        expected=(
            Expected(
                "wrapped_column",
                ("created_at|updated_at",),
                (0.75, 0.88),
                statements=False,
                rewrite=True,
            ),
        ),
        tempting={"or_across_columns": "Spark pushes an OR"},
        never=("DROP", "REPLACE"),
    ),
    # Milliseconds, as Trino's finest function of Unix times takes them.
    Pair(
        "milliseconds_as_nanoseconds",
        milliseconds,
        repeated(
            "SELECT sum(amount) FROM lake.db.milliseconds_as_nanoseconds"
            " WHERE from_unixtime_nanos(epoch_ms * 1000000) >= TIMESTAMP '2026-01-20 00:00:00 UTC'"
            " AND from_unixtime_nanos(epoch_ms * 1000000) < TIMESTAMP '2026-01-21 00:00:00 UTC'",
            5,
        ),
        expected=(
            Expected("wrapped_column", ("epoch_ms",), (0.9, 0.99), statements=False, rewrite=True),
        ),
        tempting={"unclustered_column": "files are in order of it"},
        never=(CHANGES,),
    ),
    # Spark 3.5 compares a single text as a date, but in a list it makes text of the dates.
    Pair(
        "dates_listed_as_texts",
        dates_of_a_quarter,
        repeated(
            "SELECT sum(amount) FROM lake.db.dates_listed_as_texts"
            " WHERE d IN ('2026-01-20', '2026-01-22')",
            5,
            **SPARK_35,
        ),
        expected=(
            Expected(
                "type_mismatch|wrapped_column",
                ("d",),
                (0.95, 0.99),
                statements=False,
                rewrite=True,
            ),
        ),
        tempting={"long_in_list": "two are not many"},
        never=(CHANGES,),
    ),
)
