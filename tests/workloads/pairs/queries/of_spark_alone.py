"""Conditions of functions and at places that Spark alone has, its event logs among them."""

from __future__ import annotations

from tests.workloads.model import Expected, Pair
from tests.workloads.pairs.conditions.of_hive import in_order_of_codes
from tests.workloads.pairs.queries.logged import clicks_of_countries, job, month_of_clicks
from tests.workloads.pairs.times.moved import dates_of_a_quarter
from tests.workloads.rows import SPARK, repeated

CHANGES = r"ALTER|CALL"

A_MONTH_OF_90_DAYS = (0.6, 0.7)

PAIRS = (
    # Ranks are within days, so that what is asked of days reaches the scan, as it is.
    Pair(
        "month_above_ranks",
        dates_of_a_quarter,
        repeated(
            "SELECT * FROM (SELECT d, amount, rank() OVER (PARTITION BY d ORDER BY amount DESC) r"
            " FROM lake.db.month_above_ranks) WHERE r <= 3 AND date_format(d, 'yyyy-MM')"
            " = '2026-02'",
            5,
            **SPARK,
        ),
        expected=(
            Expected("wrapped_column", ("d",), A_MONTH_OF_90_DAYS, statements=False, rewrite=True),
        ),
        tempting={"unclustered_column": "ranks are of whole days"},
        never=(CHANGES,),
    ),
    # What comes before the first underscore is a quarter of the codes, as Hive's scripts have it.
    Pair(
        "codes_by_substring_index",
        in_order_of_codes,
        repeated(
            "SELECT sum(amount) FROM lake.db.codes_by_substring_index"
            " WHERE substring_index(code, '_', 1) = 'EU'",
            5,
            **SPARK,
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
    # decode(country, 'DE', 1, 'FR', 2, 0) = 1, as Spark optimises it: five files of 40.
    Pair(
        "log_decoded_country",
        clicks_of_countries,
        [
            job(
                number,
                "log_decoded_country",
                "",
                f"CASE WHEN (country <=> {country}) THEN true"
                " WHEN (country <=> AT) THEN false ELSE false END",
            )
            for number, country in enumerate(("DE", "FR", "PL", "US"))
        ],
        expected=(
            Expected("wrapped_column", ("country",), (0.83, 0.9), statements=False, rewrite=True),
        ),
        tempting={
            "no_partition_filter": "the condition is on the partition's own column",
            "misaligned_partitioning": "queries do ask for countries",
        },
        never=(CHANGES,),
    ),
    # The last three days of 30.
    Pair(
        "log_days_since",
        month_of_clicks,
        [
            job(
                number,
                "log_days_since",
                "ts IS NOT NULL",
                "(isnotnull(ts) AND (datediff(2026-01-30, cast(ts as date)) < 3))",
                version=version,
            )
            for number, version in enumerate(("3.5.6", "4.0.1", "4.1.0"))
        ],
        expected=(
            Expected("wrapped_column", ("ts",), (0.86, 0.93), statements=False, rewrite=True),
        ),
        tempting={"unclustered_column": "each day is in one file"},
        never=(CHANGES,),
    ),
)
