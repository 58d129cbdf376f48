"""Conditions that look like a cause, and lose nothing."""

from __future__ import annotations

import numpy as np

from tests.workloads.model import Expected, Pair
from tests.workloads.pairs.sound.days import forty_dates
from tests.workloads.pairs.times.moved import dates_of_a_quarter, milliseconds
from tests.workloads.physical import Layout
from tests.workloads.rows import (
    DAY,
    FILE_ROWS,
    SPARK,
    dates,
    day,
    each,
    laid_out,
    repeated,
    rng,
    table,
    times,
)

CHANGES = r"ALTER|CALL"
"""What no statement is to do to a table that is as it should be."""


def month_in_order() -> Layout:
    """Sixty files of thirty days, in order of time, of their days, and of numbers."""
    count = 60 * FILE_ROWS
    seconds = np.sort(rng(31_001).uniform(0, 30 * DAY, count))
    columns = {
        "ts": times(seconds),
        "d": dates(seconds // DAY),
        "id": np.arange(count),
        "user_id": rng(31_002).integers(0, 1_000_000, count),
    }
    return laid_out(table(columns), "days(ts)")


PAIRS = (
    # A number is in one file, and a day in one partition: no condition on times prunes more.
    Pair(
        "hours_of_one_number",
        month_in_order,
        each(
            "SELECT * FROM lake.db.hours_of_one_number WHERE id = {} AND hour(ts) = 3",
            range(100, 30_000, 2500),
            **SPARK,
        ),
        tempting={"wrapped_column": "a number is in one file, whatever is asked of its time"},
        never=(CHANGES,),
    ),
    Pair(
        "hours_of_one_day",
        month_in_order,
        each(
            "SELECT * FROM lake.db.hours_of_one_day WHERE d = DATE '{}' AND hour(ts) = 3",
            map(day, range(12)),
            **SPARK,
        ),
        tempting={"wrapped_column": "a day is one partition, of which every hour has rows"},
        never=(CHANGES,),
    ),
    Pair(
        "users_as_texts_in_few_numbers",
        month_in_order,
        each(
            "SELECT * FROM lake.db.users_as_texts_in_few_numbers"
            " WHERE id BETWEEN {} AND {} AND cast(user_id AS string) = '{}'",
            [(number, number + 300, number) for number in range(100, 30_000, 2500)],
            **SPARK,
        ),
        tempting={"wrapped_column": "numbers leave a file or two, and no order of users less"},
        never=(CHANGES,),
    ),
    # The functions are around constants, and what comes out is compared as a whole number.
    Pair(
        "milliseconds_from_times",
        milliseconds,
        [
            *repeated(
                "SELECT sum(amount) FROM lake.db.milliseconds_from_times WHERE"
                " epoch_ms >= to_unixtime(TIMESTAMP '2026-01-20 00:00:00 UTC') * 1000"
                " AND epoch_ms < to_unixtime(TIMESTAMP '2026-01-21 00:00:00 UTC') * 1000",
                3,
            ),
            *repeated(
                "SELECT sum(amount) FROM lake.db.milliseconds_from_times WHERE"
                " epoch_ms >= unix_timestamp('2026-01-20 00:00:00') * 1000"
                " AND epoch_ms < unix_millis(TIMESTAMP '2026-01-21 00:00:00')",
                3,
                **SPARK,
            ),
        ],
        tempting={
            "type_mismatch": "Trino knows that doubles so small are whole numbers",
            "wrapped_column": "no function is around a column",
        },
        never=(CHANGES,),
    ),
    # Subqueries without tables are lists.
    Pair(
        "days_of_values",
        forty_dates,
        [
            *repeated(
                "SELECT sum(amount) FROM lake.db.days_of_values"
                " WHERE d IN (VALUES DATE '2026-01-20', DATE '2026-01-21')",
                3,
            ),
            *repeated(
                "SELECT sum(amount) FROM lake.db.days_of_values"
                " WHERE d = ANY (VALUES DATE '2026-01-20', DATE '2026-01-21')",
                3,
            ),
        ],
        tempting={
            "runtime_only": "the values are in the text",
            "no_partition_filter": "the days are asked for",
        },
        never=(CHANGES,),
    ),
    # One in twenty customers of a day, by a hash: the day is a file.
    Pair(
        "hashed_sample_of_a_day",
        forty_dates,
        repeated(
            "SELECT sum(amount) FROM lake.db.hashed_sample_of_a_day"
            " WHERE d = DATE '2026-01-20' AND pmod(hash(id), 100) < 5",
            5,
            **SPARK,
        ),
        tempting={
            "wrapped_column": "a hash has no order, and the day prunes",
            "unclustered_column": "a day is one file",
        },
        never=(CHANGES,),
    ),
    # The number may be in any file, so that the day need not be pushed.
    Pair(
        "a_day_or_a_number",
        forty_dates,
        repeated(
            "SELECT sum(amount) FROM lake.db.a_day_or_a_number"
            " WHERE d = DATE '2026-01-20' OR id = 50000",
            5,
        ),
        tempting={
            "or_across_columns": "the second half of it reads all days anyway",
            "unclustered_column": "a day is one file, which has ids of all sizes",
        },
        never=(CHANGES,),
    ),
    # The subquery takes rows of the day away, and none of another day comes in.
    Pair(
        "refunded_on_a_day",
        forty_dates,
        repeated(
            "UPDATE lake.db.refunded_on_a_day SET amount = 0"
            " WHERE d = DATE '2026-01-20' AND id IN (SELECT id FROM shop.public.refunds)",
            5,
            **SPARK,
        ),
        tempting={"runtime_only": "the day is a literal", "unclustered_column": "a day is a file"},
        never=(CHANGES,),
    ),
    # All three regions that there are.
    Pair(
        "every_region_in_small",
        forty_dates,
        repeated(
            "SELECT sum(amount) FROM lake.db.every_region_in_small"
            " WHERE lower(region) IN ('eu', 'us', 'ap')",
            5,
        ),
        tempting={
            "wrapped_column": "all rows match",
            "no_partition_filter": "all rows match",
            "misaligned_partitioning": "a report of all days says nothing against days",
        },
        never=(CHANGES,),
    ),
    # What is asked within is of the same day, by the equality.
    Pair(
        "above_the_mean_of_the_day",
        forty_dates,
        repeated(
            "SELECT o.id FROM lake.db.above_the_mean_of_the_day o WHERE o.d = DATE '2026-01-20'"
            " AND o.amount > (SELECT avg(i.amount) FROM lake.db.above_the_mean_of_the_day i"
            " WHERE i.d = o.d)",
            5,
        ),
        allowed=(Expected("runtime_only", (), statements=False),),
        tempting={"no_partition_filter": "the day is that of the outer query"},
        never=(CHANGES,),
    ),
    # Both days are literals, though NOT EXISTS is around one of them.
    Pair(
        "new_since_the_day_before",
        forty_dates,
        repeated(
            "SELECT a.id FROM lake.db.new_since_the_day_before a WHERE a.d = DATE '2026-01-20'"
            " AND NOT EXISTS (SELECT 1 FROM lake.db.new_since_the_day_before b"
            " WHERE b.id = a.id AND b.d = date_sub(DATE '2026-01-20', 1))",
            5,
            **SPARK,
        ),
        tempting={
            "negated_condition": "the negation is of a join",
            "runtime_only": "each side has its day",
            "unclustered_column": "a day is one file",
        },
        never=(CHANGES,),
    ),
    # Spark 4 casts the texts of a list to the column's type, as those of a comparison.
    Pair(
        "dates_listed_as_texts_in_spark_4",
        dates_of_a_quarter,
        repeated(
            "SELECT sum(amount) FROM lake.db.dates_listed_as_texts_in_spark_4"
            " WHERE d IN ('2026-01-20', '2026-01-22')",
            5,
            **SPARK,
        ),
        tempting={"type_mismatch": "the texts are cast, not the column"},
        never=(CHANGES,),
    ),
)
