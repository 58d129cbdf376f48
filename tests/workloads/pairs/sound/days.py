"""Tables and queries of which nothing is to be said, though their SQL looks like a cause."""

from __future__ import annotations

import numpy as np

from tests.workloads.model import Expected, Pair
from tests.workloads.pairs.conditions.of_hive import by_state, days_as_numbers, in_buckets
from tests.workloads.physical import Layout
from tests.workloads.rows import (
    DAY,
    FILE_ROWS,
    SPARK,
    SPARK_35,
    dates,
    laid_out,
    repeated,
    rng,
    table,
    texts,
    times,
)

FILES = 40
COUNT = FILES * FILE_ROWS


def hours() -> Layout:
    """A partition for each hour of three days of instants, which is one file."""
    count = 72 * FILE_ROWS
    seconds = np.sort(rng(1201).uniform(0, 3 * DAY, count))
    rows = table({"ts": times(seconds, "UTC"), "amount": np.arange(count)})
    return laid_out(rows, "hours(ts)")


def forty_dates() -> Layout:
    """A partition for each of 40 dates, which is one file of three regions and many ids."""
    days = np.repeat(np.arange(FILES), FILE_ROWS)
    rows = table(
        {
            "d": dates(days),
            "region": texts(rng(1202).choice(["EU", "US", "AP"], COUNT)),
            "id": rng(1203).integers(0, 100_000, COUNT),
            "parent_id": rng(1204).integers(0, 100_000, COUNT),
            "amount": np.arange(COUNT),
        }
    )
    return laid_out(rows, "d")


def versions() -> Layout:
    """40 files of versions in order of the day from which they hold; nine in ten hold still."""
    start = np.sort(rng(1205).integers(0, 40, COUNT))
    end = start + rng(1206).integers(1, 30, COUNT)
    end[rng(1207).uniform(0, 1, COUNT) < 0.9] = 2_000_000
    return laid_out(
        table(
            {"valid_from": dates(start), "valid_to": dates(end), "id": np.arange(COUNT)},
        )
    )


CHANGES = r"ALTER|CALL"
"""What no statement is to do to a table that is as it should be."""

PAIRS = (
    # Days of Berlin are 24 hours each, whatever their names are: hours as partitions fit them.
    Pair(
        "berlin_by_hours",
        hours,
        repeated(
            "SELECT sum(amount) FROM lake.db.berlin_by_hours WHERE to_date(ts) = DATE '2026-01-02'",
            5,
            time_zone="Europe/Berlin",
            **SPARK,
        ),
        tempting={
            "local_day_boundaries": "local days end with an hour",
            "wrapped_column": "Spark unwraps a cast to date",
        },
        never=(CHANGES,),
    ),
    # Functions around literals are literals.
    Pair(
        "functions_of_literals",
        forty_dates,
        [
            *repeated(
                "SELECT sum(amount) FROM lake.db.functions_of_literals WHERE d >="
                " date_sub(DATE '2026-02-05', 7) AND d <= last_day(add_months("
                "DATE '2026-03-01', -1))",
                3,
                **SPARK,
            ),
            *repeated(
                "SELECT sum(amount) FROM lake.db.functions_of_literals WHERE d >="
                " date_add('day', -7, DATE '2026-02-05')"
                " AND d < date_trunc('month', DATE '2026-03-17')",
                3,
            ),
            *repeated(
                "SELECT sum(amount) FROM lake.db.functions_of_literals"
                " WHERE d >= DATEADD('day', -7, '2026-02-05'::date)",
                3,
                engine="snowflake",
            ),
        ],
        tempting={"wrapped_column": "no function is around a column"},
        never=(CHANGES,),
    ),
    # Spark makes a number of the text, once.
    Pair(
        "number_in_quotes",
        days_as_numbers,
        repeated(
            "SELECT sum(amount) FROM lake.db.number_in_quotes"
            " WHERE dt BETWEEN '20260210' AND '20260212'",
            5,
            **SPARK_35,
        ),
        tempting={"type_mismatch": "the literal is cast, not the column"},
        never=(CHANGES,),
    ),
    # Each arm has both columns, so that each column has a list: two dates of 40.
    Pair(
        "or_of_pairs_by_day",
        forty_dates,
        repeated(
            "SELECT sum(amount) FROM lake.db.or_of_pairs_by_day"
            " WHERE (region = 'EU' AND d = DATE '2026-01-10')"
            " OR (region = 'US' AND d = DATE '2026-01-12')",
            5,
        ),
        tempting={
            "or_across_columns": "the dates are pushed, and regions are in every file",
            "unclustered_column": "a date is one file",
        },
        never=(CHANGES,),
    ),
    # The newest row of each id, if it is of these days: what window functions see is all rows.
    Pair(
        "newest_of_each",
        forty_dates,
        [
            *repeated(
                "SELECT id, amount FROM (SELECT id, amount, d, row_number() OVER"
                " (PARTITION BY id ORDER BY d DESC) AS n FROM lake.db.newest_of_each) t"
                " WHERE n = 1 AND d >= DATE '2026-02-05'",
                3,
            ),
            *repeated(
                "SELECT id, amount FROM (SELECT id, amount, d, row_number() OVER"
                " (PARTITION BY id ORDER BY d DESC) AS n FROM lake.db.newest_of_each) t"
                " WHERE n = 1 AND d >= DATE '2026-02-05'",
                3,
                **SPARK,
            ),
        ],
        tempting={
            "wrapped_column": "the column is bare",
            "no_partition_filter": "no filter may go below the window",
        },
        never=(CHANGES,),
    ),
    # What is in ON does not take rows from the side that is kept whole.
    Pair(
        "on_of_the_kept_side",
        forty_dates,
        repeated(
            "SELECT count(*) FROM lake.db.on_of_the_kept_side a"
            " LEFT JOIN lake.db.on_of_the_kept_side b"
            " ON a.id = b.parent_id AND a.d = DATE '2026-02-05'",
            5,
            **SPARK,
        ),
        allowed=(Expected("runtime_only", (), statements=False),),
        tempting={"no_partition_filter": "the join keeps all days"},
        never=(CHANGES,),
    ),
    # A condition on what is grouped by goes below the grouping.
    Pair(
        "having_a_day",
        forty_dates,
        [
            *repeated(
                "SELECT d, sum(amount) FROM lake.db.having_a_day GROUP BY d"
                " HAVING d >= DATE '2026-02-05'",
                3,
            ),
            *repeated(
                "SELECT d, sum(amount) FROM lake.db.having_a_day GROUP BY d"
                " HAVING d >= DATE '2026-02-05'",
                3,
                **SPARK,
            ),
        ],
        tempting={"no_partition_filter": "HAVING on the date is a filter"},
        never=(CHANGES,),
    ),
    # What held on a late day is nearly all.
    Pair(
        "what_held_then",
        versions,
        repeated(
            "SELECT count(*) FROM lake.db.what_held_then"
            " WHERE DATE '2026-02-08' BETWEEN valid_from AND valid_to",
            5,
        ),
        tempting={
            "wrapped_column": "both columns are bare, though on the right",
            "unclustered_column": "most of what is read matches",
        },
        never=(CHANGES,),
    ),
    # The day of the rows to merge stands in ON.
    Pair(
        "merged_into_a_day",
        forty_dates,
        repeated(
            "MERGE INTO lake.db.merged_into_a_day t"
            " USING (SELECT 17 AS id, DATE '2026-02-05' AS d, 3 AS amount) s"
            " ON t.id = s.id AND t.d = s.d AND t.d = DATE '2026-02-05'"
            " WHEN MATCHED THEN UPDATE SET amount = s.amount"
            " WHEN NOT MATCHED THEN INSERT (id, d, amount) VALUES (s.id, s.d, s.amount)",
            5,
            **SPARK,
        ),
        tempting={
            "runtime_only": "the day stands in ON",
            "unclustered_column": "a day is one file",
        },
        never=(CHANGES,),
    ),
    # Both sides have the same day, so that a day of the one is one of the other.
    Pair(
        "day_of_both_sides",
        forty_dates,
        repeated(
            "SELECT count(*) FROM lake.db.day_of_both_sides a"
            " JOIN lake.db.day_of_both_sides b ON a.d = b.d AND a.id = b.parent_id"
            " WHERE b.d = DATE '2026-02-05'",
            5,
            **SPARK,
        ),
        tempting={"runtime_only": "Spark infers the day of the other side"},
        never=(CHANGES,),
    ),
    # Partitions answer it, nulls and all: what is read is what is asked for.
    Pair(
        "anything_but_done",
        by_state,
        repeated(
            "SELECT * FROM lake.db.anything_but_done WHERE status IS DISTINCT FROM 'done'",
            5,
            **SPARK,
        ),
        tempting={"negated_condition": "the partition of the state is left out"},
        never=(CHANGES,),
    ),
    # 300 customers drawn at random are in every bucket and every file.
    Pair(
        "customers_everywhere",
        in_buckets,
        repeated(
            "SELECT sum(amount) FROM lake.db.customers_everywhere WHERE customer_id IN ("
            + ", ".join(map(str, sorted(rng(1208).choice(5_000, 300, replace=False))))
            + ")",
            5,
            **SPARK,
        ),
        tempting={
            "long_in_list": "shorter lists read the same files",
            "range_on_bucketed_column": "a list is no range",
            "unclustered_column": "in order, every file would have some of them",
        },
        never=("DROP", "REPLACE"),
    ),
)
