"""More conditions on times that are moved and on texts that are put together, as other teams write
them: what was mended for the first ones holds for these."""

from __future__ import annotations

from tests.workloads.model import Expected, Pair
from tests.workloads.pairs.conditions.of_hive import (
    days_as_numbers,
    quarters_of_days,
    three_numbers,
    three_texts,
)
from tests.workloads.pairs.times.moved import dates_of_a_quarter, instants, instants_of_a_quarter
from tests.workloads.rows import SPARK, SPARK_35, repeated

ONE_OF_40 = (0.94, 0.99)
TWO_OF_40 = (0.9, 0.97)
A_MONTH_OF_90_DAYS = (0.6, 0.7)
IN_ORDER = "partitions are in order of it"


def _wrapped(column: str, share: tuple[float, float]) -> tuple[Expected, ...]:
    return (Expected("wrapped_column", (column,), share, statements=False, rewrite=True),)


PAIRS = (
    # Trino's function for what AT TIME ZONE is.
    Pair(
        "day_by_at_timezone",
        instants,
        repeated(
            "SELECT sum(amount) FROM lake.db.day_by_at_timezone"
            " WHERE date(at_timezone(ts, 'Asia/Kolkata')) = DATE '2026-02-03'",
            5,
        ),
        expected=_wrapped("ts", TWO_OF_40),
        allowed=(Expected("local_day_boundaries", ("ts",)),),
    ),
    # A month of Berlin is cut at 23:00, and lies in 29 of 90 days.
    Pair(
        "month_of_berlin_as_text",
        instants_of_a_quarter,
        repeated(
            "SELECT sum(amount) FROM lake.db.month_of_berlin_as_text"
            " WHERE date_format(ts AT TIME ZONE 'Europe/Berlin', '%Y-%m') = '2026-02'",
            5,
        ),
        expected=_wrapped("ts", A_MONTH_OF_90_DAYS),
        allowed=(Expected("local_day_boundaries", ("ts",)),),
    ),
    # The shop's day begins at six.
    Pair(
        "day_that_begins_at_six",
        instants,
        repeated(
            "SELECT sum(amount) FROM lake.db.day_that_begins_at_six"
            " WHERE date_trunc('DAY', ts - INTERVAL 6 HOURS) = TIMESTAMP '2026-01-20 00:00:00'",
            5,
            **SPARK,
        ),
        expected=_wrapped("ts", TWO_OF_40),
        allowed=(Expected("local_day_boundaries", ("ts",)),),
    ),
    # Spark makes a text of the time, of which ten days begin so.
    Pair(
        "times_like_a_text",
        instants_of_a_quarter,
        repeated(
            "SELECT sum(amount) FROM lake.db.times_like_a_text WHERE ts LIKE '2026-02-1%'",
            5,
            **SPARK,
        ),
        expected=(
            Expected(
                "wrapped_column|type_mismatch|like_without_prefix",
                ("ts",),
                None,
                statements=False,
                rewrite=False,
            ),
        ),
    ),
    # The same of a text is what Spark pushes.
    Pair(
        "texts_like_a_text",
        quarters_of_days,
        repeated(
            "SELECT sum(amount) FROM lake.db.texts_like_a_text"
            " WHERE dt LIKE '2026-01-1%' AND hr = '06'",
            5,
            **SPARK,
        ),
        tempting={"like_without_prefix": "Spark pushes how it begins", "type_mismatch": "texts"},
        never=("ALTER|CALL",),
    ),
    Pair(
        "month_of_bare_parts",
        dates_of_a_quarter,
        repeated(
            "SELECT sum(amount) FROM lake.db.month_of_bare_parts"
            " WHERE CAST(year(d) AS varchar) || '-' || CAST(month(d) AS varchar) = '2026-2'",
            5,
        ),
        expected=_wrapped("d", A_MONTH_OF_90_DAYS),
        tempting={"unclustered_column": IN_ORDER},
    ),
    Pair(
        "day_of_three_texts_with_separator",
        three_texts,
        repeated(
            "SELECT sum(amount) FROM lake.db.day_of_three_texts_with_separator"
            " WHERE concat_ws('-', year, month, day) = '2026-02-03'",
            5,
            **SPARK_35,
        ),
        expected=_wrapped("year", ONE_OF_40),
        tempting={"misaligned_partitioning": "queries want these very fields"},
        never=("DROP", "REPLACE"),
    ),
    Pair(
        "days_of_a_sum",
        three_numbers,
        repeated(
            "SELECT sum(amount) FROM lake.db.days_of_a_sum"
            " WHERE year * 10000 + month * 100 + day BETWEEN 20260201 AND 20260207",
            5,
            **SPARK,
        ),
        expected=_wrapped("year", (0.75, 0.85)),
        tempting={"misaligned_partitioning": "queries want these very fields"},
        never=("DROP", "REPLACE"),
    ),
    # No OR of columns is pushed by Trino, and of a day none is needed.
    Pair(
        "day_cast_of_numbers",
        three_numbers,
        repeated(
            "SELECT sum(amount) FROM lake.db.day_cast_of_numbers WHERE CAST(concat("
            "CAST(year AS varchar), '-', lpad(CAST(month AS varchar), 2, '0'), '-',"
            " lpad(CAST(day AS varchar), 2, '0')) AS date) = DATE '2026-02-03'",
            5,
        ),
        expected=(Expected("wrapped_column", ("year",), None, False, False),),
        tempting={"or_across_columns": "each column has its own condition"},
        never=("DROP", "REPLACE"),
    ),
    # Digits of a number as text: the range is that of the number.
    Pair(
        "month_by_first_digits",
        days_as_numbers,
        repeated(
            "SELECT sum(amount) FROM lake.db.month_by_first_digits"
            " WHERE left(CAST(dt AS STRING), 6) = '202602'",
            5,
            **SPARK,
        ),
        expected=_wrapped("dt", A_MONTH_OF_90_DAYS),
    ),
    # Spark casts the number by itself.
    Pair(
        "digits_unasked",
        days_as_numbers,
        repeated(
            "SELECT sum(amount) FROM lake.db.digits_unasked WHERE left(dt, 6) = '202602'",
            5,
            **SPARK_35,
        ),
        expected=_wrapped("dt", A_MONTH_OF_90_DAYS),
    ),
)
