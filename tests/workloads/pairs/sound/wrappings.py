"""Queries as tools generate them, whose conditions reach the planner: nothing is to be said."""

from __future__ import annotations

from tests.scenarios.lake import Query
from tests.workloads.model import Expected, Pair
from tests.workloads.pairs.conditions.of_hive import in_order_of_price
from tests.workloads.pairs.queries.logged import job, month_of_clicks
from tests.workloads.pairs.sound.days import forty_dates
from tests.workloads.pairs.times.moved import instants
from tests.workloads.rows import SPARK, repeated

CHANGES = r"ALTER|CALL"
"""What no statement is to do to a table that is as it should be."""


def _both(name: str, query: str) -> list[Query]:
    """The same query three times of each engine."""
    text = query.format(f"lake.db.{name}")
    return [*repeated(text, 3), *repeated(text, 3, **SPARK)]


PAIRS = (
    # Parameters as a dashboard writes them: what is not set compares constants.
    Pair(
        "parameters_that_default_to_all",
        forty_dates,
        _both(
            "parameters_that_default_to_all",
            "SELECT sum(amount) FROM {} WHERE (1 = 1) AND ('all' = 'EU' OR region = 'EU')"
            " AND ('2026-01-20' IS NULL OR d = DATE '2026-01-20') AND ('x' = 'x' OR id = 5)",
        ),
        tempting={
            "or_across_columns": "one arm of each is a constant",
            "wrapped_column": "no function is around a column",
            "unclustered_column": "a day is one file of all regions",
        },
        never=(CHANGES,),
    ),
    # The same by CASE and COALESCE, which engines decide before they push conditions.
    Pair(
        "parameters_that_choose_a_day",
        forty_dates,
        _both(
            "parameters_that_choose_a_day",
            "SELECT sum(amount) FROM {} WHERE CASE WHEN '2026-01-20' = 'all' THEN true"
            " ELSE d = DATE '2026-01-20' END AND region = coalesce(nullif('EU', 'all'), region)",
        ),
        tempting={
            "wrapped_column": "constants decide which condition is left",
            "unclustered_column": "a day is one file of all regions",
        },
        never=(CHANGES,),
    ),
    # NOT of an OR of what differs is an AND of equalities.
    Pair(
        "nothing_but_one",
        forty_dates,
        _both(
            "nothing_but_one",
            "SELECT sum(amount) FROM {} WHERE NOT (region <> 'EU' OR d <> DATE '2026-01-20')",
        ),
        tempting={
            "negated_condition": "two negations are none",
            "or_across_columns": "NOT of an OR is an AND",
            "unclustered_column": "a day is one file of all regions",
        },
        never=(CHANGES,),
    ),
    # Ranks are within days, so that the day is asked of the scan.
    Pair(
        "ranks_within_a_day",
        forty_dates,
        _both(
            "ranks_within_a_day",
            "SELECT * FROM (SELECT d, id, rank() OVER (PARTITION BY region, d ORDER BY amount) r"
            " FROM {}) x WHERE r <= 3 AND d = DATE '2026-01-20'",
        ),
        tempting={"no_partition_filter": "the day reaches the scan"},
        never=(CHANGES,),
    ),
    # The day stands in ON, on the side that may have none; who has no order has no day.
    Pair(
        "customers_without_an_order",
        forty_dates,
        _both(
            "customers_without_an_order",
            "SELECT c.id FROM shop.public.customers c LEFT JOIN {} o"
            " ON o.id = c.id AND o.d = DATE '2026-01-20' WHERE o.id IS NULL",
        ),
        tempting={
            "runtime_only": "the day is a literal",
            "unclustered_column": "IS NULL is asked after the join",
        },
        never=(CHANGES,),
    ),
    # No row of the second arm is called a.
    Pair(
        "arm_that_is_never_read",
        forty_dates,
        [
            *repeated(
                "SELECT sum(amount) FROM (SELECT 'a' AS kind, amount"
                " FROM lake.db.arm_that_is_never_read WHERE d = DATE '2026-01-20' UNION ALL"
                " SELECT 'b' AS kind, amount FROM lake.db.arm_that_is_never_read) x"
                " WHERE kind = 'a'",
                3,
            ),
            *repeated(
                "SELECT sum(amount) FROM (SELECT 'a' AS kind, amount"
                " FROM lake.db.arm_that_is_never_read WHERE d = DATE '2026-01-20' UNION ALL"
                " SELECT 'b' AS kind, amount FROM lake.db.arm_that_is_never_read"
                " WHERE date_format(d, 'yyyy-MM') = '2026-02') x WHERE kind = 'a'",
                3,
                **SPARK,
            ),
        ],
        tempting={
            "wrapped_column": "the arm that has it is not read",
            "no_partition_filter": "the arm without is not read",
        },
        never=(CHANGES,),
    ),
    # Both ends of it are there: the tenth of the files that has such prices.
    Pair(
        "large_prices_that_are_numbers",
        in_order_of_price,
        repeated(
            "SELECT count(*) FROM lake.db.large_prices_that_are_numbers"
            " WHERE NOT isnan(price) AND price > 90",
            5,
            **SPARK,
        ),
        tempting={
            "negated_condition": "the price is a range beside it",
            "wrapped_column": "the price is a range beside it",
        },
        never=(CHANGES,),
    ),
    # Power BI casts both sides; both engines undo that of the column.
    Pair(
        "dates_cast_on_both_sides",
        instants,
        [
            *repeated(
                "SELECT sum(amount) FROM lake.db.dates_cast_on_both_sides WHERE"
                " CAST(ts AS date) >= CAST('2026-02-05' AS date) AND CAST(ts AS date)"
                " < CAST(date_add('day', 1, DATE '2026-02-05') AS date)",
                3,
            ),
            *repeated(
                "SELECT sum(amount) FROM lake.db.dates_cast_on_both_sides WHERE"
                " CAST(ts AS DATE) >= CAST('2026-02-05' AS DATE)"
                " AND CAST(ts AS DATE) < date_add(DATE '2026-02-05', 1)",
                3,
                **SPARK,
            ),
        ],
        tempting={"wrapped_column": "engines undo casts to date"},
        never=(CHANGES,),
    ),
    # Two days, and the same of a year before, which the table has not.
    Pair(
        "days_and_those_of_last_year",
        forty_dates,
        _both(
            "days_and_those_of_last_year",
            "SELECT sum(amount) FROM {} WHERE d BETWEEN DATE '2026-01-20' AND DATE '2026-01-21'"
            " OR d BETWEEN DATE '2026-01-20' - INTERVAL '1' YEAR"
            " AND DATE '2026-01-21' - INTERVAL '1' YEAR",
        ),
        tempting={
            "or_across_columns": "both arms are of one column",
            "wrapped_column": "the intervals are taken from constants",
        },
        never=(CHANGES,),
    ),
    # A test of the data: it looks for what nobody can list, and there is none of it.
    Pair(
        "accepted_regions",
        forty_dates,
        repeated(
            "SELECT * FROM (SELECT region AS value_field, count(*) AS n_records"
            " FROM lake.db.accepted_regions GROUP BY region) all_values"
            " WHERE value_field NOT IN ('EU', 'US', 'AP')",
            5,
        ),
        # Nobody asks for days in a week. In order of regions, files have one each, and are skipped.
        allowed=(Expected("misaligned_partitioning", ("d",), (0.9, 0.97), True),),
        tempting={
            "negated_condition": "what is looked for cannot be listed",
        },
    ),
    # Another one: every number is counted.
    Pair(
        "numbers_that_come_twice",
        forty_dates,
        repeated(
            "SELECT id AS unique_field, count(*) AS n_records"
            " FROM lake.db.numbers_that_come_twice WHERE id IS NOT NULL"
            " GROUP BY id HAVING count(*) > 1",
            5,
        ),
        # Whether partitions serve anybody, a week of nothing else does ask.
        allowed=(Expected("misaligned_partitioning", ("d",), statements=False),),
        tempting={
            "unclustered_column": "all rows are read on purpose",
            "no_partition_filter": "all rows are read on purpose",
        },
        never=(CHANGES,),
    ),
    # LIMIT comes first, so that the day is asked of the hundred rows that it leaves.
    Pair(
        "above_a_limit",
        forty_dates,
        _both(
            "above_a_limit",
            "SELECT * FROM (SELECT d, id, amount FROM {} LIMIT 100) x WHERE d = DATE '2026-01-20'",
        ),
        tempting={
            "no_partition_filter": "a hundred rows are read, whichever",
            "wrapped_column": "no function is around a column",
        },
        never=(CHANGES,),
    ),
    # Rows without an order have no day: the condition holds of joined rows only.
    Pair(
        "a_day_or_no_order",
        forty_dates,
        _both(
            "a_day_or_no_order",
            "SELECT c.id FROM shop.public.customers c LEFT JOIN {} o ON o.id = c.id"
            " WHERE o.d = DATE '2026-01-20' OR o.d IS NULL",
        ),
        allowed=(Expected("runtime_only", (), statements=False),),
        tempting={
            "or_across_columns": "both arms are of one column, and neither is the scan's",
            "wrapped_column": "no function is around a column",
        },
        never=(CHANGES,),
    ),
    # Spark knows that an equality which is true is the equality.
    Pair(
        "true_is_the_day",
        forty_dates,
        repeated(
            "SELECT sum(amount) FROM lake.db.true_is_the_day WHERE TRUE = (d = DATE '2026-01-20')",
            5,
            **SPARK,
        ),
        tempting={"wrapped_column": "Spark pushes the equality"},
        never=(CHANGES,),
    ),
    # The day is pushed, and the sample is taken of its rows.
    Pair(
        "log_sample_of_a_day",
        month_of_clicks,
        [
            job(
                number,
                "log_sample_of_a_day",
                "ts IS NOT NULL, ts >= 1768176000000000, ts < 1768262400000000",
                "(((isnotnull(ts) AND (ts >= 2026-01-12 00:00:00))"
                " AND (ts < 2026-01-13 00:00:00)) AND (pmod(hash(user_id, 42), 10) = 3))",
            )
            for number in range(4)
        ],
        tempting={
            "wrapped_column": "a hash has no order, and the day prunes",
            "unclustered_column": "a day is one file",
        },
        never=(CHANGES,),
    ),
    # What a calendar of a tool asks for when all boxes are ticked.
    Pair(
        "clicks_of_every_weekday",
        month_of_clicks,
        repeated(
            "SELECT count(*) FROM lake.db.clicks_of_every_weekday"
            " WHERE day_of_week(ts) BETWEEN 1 AND 7 AND hour(ts) >= 0",
            4,
        ),
        tempting={"wrapped_column": "all rows match"},
        never=(CHANGES,),
    ),
)
