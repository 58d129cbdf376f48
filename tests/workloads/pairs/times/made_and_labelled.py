"""Dates that conditions make of others, label, read back and group by, and bands of numbers."""

from __future__ import annotations

from tests.workloads.model import Expected, Pair
from tests.workloads.pairs.conditions.of_hive import in_order_of_price, in_order_of_stores
from tests.workloads.pairs.times.moved import clock_times, dates_of_a_quarter, instants_of_a_quarter
from tests.workloads.rows import SPARK, repeated

ONE_OF_40 = (0.94, 0.99)
A_MONTH_OF_90_DAYS = (0.6, 0.7)
CHANGES = r"ALTER|CALL"


def _wrapped(column: str, share: tuple[float, float]) -> tuple[Expected, ...]:
    return (Expected("wrapped_column", (column,), share, statements=False, rewrite=True),)


PAIRS = (
    # Each condition on groups is one on rows.
    Pair(
        "month_having",
        dates_of_a_quarter,
        repeated(
            "SELECT year(d), month(d), sum(amount) FROM lake.db.month_having"
            " GROUP BY year(d), month(d) HAVING year(d) = 2026 AND month(d) = 2",
            5,
            **SPARK,
        ),
        expected=_wrapped("d", A_MONTH_OF_90_DAYS),
        tempting={"no_partition_filter": "the month is asked for"},
        never=(CHANGES,),
    ),
    # A day as Germans write it.
    Pair(
        "german_day",
        clock_times,
        repeated(
            "SELECT sum(amount) FROM lake.db.german_day"
            " WHERE date_format(ts, '%d.%m.%Y') = '20.01.2026'",
            5,
        ),
        expected=_wrapped("ts", ONE_OF_40),
        never=(CHANGES,),
    ),
    # The first day of the month, by way of a text.
    Pair(
        "first_day_of_the_month_by_text",
        dates_of_a_quarter,
        repeated(
            "SELECT sum(amount) FROM lake.db.first_day_of_the_month_by_text"
            " WHERE CAST(date_format(d, '%Y-%m-01') AS date) = DATE '2026-02-01'",
            5,
        ),
        expected=_wrapped("d", A_MONTH_OF_90_DAYS),
        tempting={"type_mismatch": "dates are compared"},
        never=(CHANGES,),
    ),
    # A month that is called by the next one.
    Pair(
        "month_before_as_text",
        dates_of_a_quarter,
        repeated(
            "SELECT sum(amount) FROM lake.db.month_before_as_text"
            " WHERE date_format(d + INTERVAL '1' MONTH, '%Y-%m') = '2026-03'",
            5,
        ),
        expected=_wrapped("d", A_MONTH_OF_90_DAYS),
        never=(CHANGES,),
    ),
    # The last day of the month, as Trino had no function for it once.
    Pair(
        "last_day_of_the_month_by_intervals",
        dates_of_a_quarter,
        repeated(
            "SELECT sum(amount) FROM lake.db.last_day_of_the_month_by_intervals WHERE"
            " date_trunc('month', d) + INTERVAL '1' MONTH - INTERVAL '1' DAY = DATE '2026-02-28'",
            5,
        ),
        expected=_wrapped("d", A_MONTH_OF_90_DAYS),
        never=(CHANGES,),
    ),
    # Whole months that have gone by, in Spark.
    Pair(
        "months_ago_by_timestampdiff",
        dates_of_a_quarter,
        repeated(
            "SELECT sum(amount) FROM lake.db.months_ago_by_timestampdiff"
            " WHERE timestampdiff(MONTH, d, DATE '2026-03-31') = 1",
            5,
            **SPARK,
        ),
        expected=_wrapped("d", A_MONTH_OF_90_DAYS),
        never=(CHANGES,),
    ),
    # February in Berlin begins an hour before that of UTC: 29 days of 90.
    Pair(
        "year_and_month_of_berlin",
        instants_of_a_quarter,
        repeated(
            "SELECT sum(amount) FROM lake.db.year_and_month_of_berlin"
            " WHERE year(ts AT TIME ZONE 'Europe/Berlin') = 2026"
            " AND month(ts AT TIME ZONE 'Europe/Berlin') = 2",
            5,
        ),
        expected=_wrapped("ts", A_MONTH_OF_90_DAYS),
        allowed=(Expected("local_day_boundaries", ("ts",)),),
        never=(CHANGES,),
    ),
    # Bins of numbers that are no whole ones.
    Pair(
        "bins_by_fractions",
        in_order_of_price,
        repeated(
            "SELECT count(*) FROM lake.db.bins_by_fractions WHERE floor(price / 2.5) = 8",
            5,
            **SPARK,
        ),
        expected=_wrapped("price", (0.9, 0.96)),
        never=(CHANGES,),
    ),
    # Pages of 32 stores.
    Pair(
        "pages_by_shifted_bits",
        in_order_of_stores,
        repeated(
            "SELECT sum(amount) FROM lake.db.pages_by_shifted_bits"
            " WHERE shiftright(store_id, 5) = 7",
            5,
            **SPARK,
        ),
        expected=_wrapped("store_id", (0.88, 0.96)),
        never=(CHANGES,),
    ),
)
