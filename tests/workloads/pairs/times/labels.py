"""Dates as tools of reports and jobs label, group and age them."""

from __future__ import annotations

import numpy as np

from tests.workloads.model import Expected, Pair
from tests.workloads.pairs.times.moved import clock_times, dates_of_a_quarter
from tests.workloads.physical import Layout
from tests.workloads.rows import FILE_ROWS, SPARK, dates, laid_out, repeated, table

ONE_OF_40 = (0.94, 0.99)
A_MONTH_OF_90_DAYS = (0.6, 0.7)
CHANGES = r"ALTER|CALL"


def dates_of_spring() -> Layout:
    """A partition for each of 90 dates from 15 February on; 45 are in the second quarter."""
    days = np.repeat(np.arange(45, 135), FILE_ROWS)
    return laid_out(table({"d": dates(days), "amount": np.arange(len(days))}), "d")


PAIRS = (
    # Weeks that begin on Sunday: seven days of 40.
    Pair(
        "sunday_weeks_in_superset",
        clock_times,
        repeated(
            "SELECT sum(amount) FROM lake.db.sunday_weeks_in_superset WHERE"
            " date_trunc('week', ts + INTERVAL '1' DAY) - INTERVAL '1' DAY"
            " = TIMESTAMP '2026-01-18 00:00:00'",
            5,
        ),
        expected=(
            Expected("wrapped_column", ("ts",), (0.79, 0.85), statements=False, rewrite=True),
        ),
        tempting={"partitions_too_fine": "a week reads seven files of the right size"},
        never=(CHANGES,),
    ),
    # A fiscal year that begins in February: its first quarter has 59 of the 90 days.
    Pair(
        "fiscal_quarter_of_shifted_months",
        dates_of_a_quarter,
        repeated(
            "SELECT sum(amount) FROM lake.db.fiscal_quarter_of_shifted_months WHERE"
            " year(add_months(d, -1)) = 2026 AND quarter(add_months(d, -1)) = 1",
            5,
            **SPARK,
        ),
        expected=(Expected("wrapped_column", ("d",), (0.3, 0.37), statements=False, rewrite=True),),
        never=(CHANGES,),
    ),
    # Each arm is a month, of which the table has one.
    Pair(
        "month_beside_that_of_last_year",
        dates_of_a_quarter,
        repeated(
            "SELECT year(d), sum(amount) FROM lake.db.month_beside_that_of_last_year WHERE"
            " (year(d) = 2026 AND month(d) = 2) OR (year(d) = 2025 AND month(d) = 2) GROUP BY 1",
            5,
            **SPARK,
        ),
        expected=(
            Expected("wrapped_column", ("d",), A_MONTH_OF_90_DAYS, statements=False, rewrite=True),
        ),
        tempting={"or_across_columns": "both arms are of one column"},
        never=(CHANGES,),
    ),
    # Whole months that have gone by at the end of March: one is all of February.
    Pair(
        "months_ago_by_date_diff",
        dates_of_a_quarter,
        repeated(
            "SELECT sum(amount) FROM lake.db.months_ago_by_date_diff"
            " WHERE date_diff('month', d, DATE '2026-03-31') = 1",
            5,
        ),
        expected=(
            Expected("wrapped_column", ("d",), A_MONTH_OF_90_DAYS, statements=False, rewrite=True),
        ),
        never=(CHANGES,),
    ),
    # A time is written as the text of its day, and that is read again.
    Pair(
        "day_parsed_from_its_text",
        clock_times,
        repeated(
            "SELECT sum(amount) FROM lake.db.day_parsed_from_its_text WHERE"
            " date_parse(date_format(ts, '%Y-%m-%d'), '%Y-%m-%d')"
            " = TIMESTAMP '2026-01-20 00:00:00'",
            5,
        ),
        expected=(Expected("wrapped_column", ("ts",), ONE_OF_40, statements=False, rewrite=True),),
        tempting={"type_mismatch": "the column is a time, and is compared with one"},
        never=(CHANGES,),
    ),
    # HAVING on what is grouped by is a condition on rows; its range belongs into WHERE.
    Pair(
        "weeks_having",
        dates_of_a_quarter,
        repeated(
            "SELECT date_trunc('week', d), sum(amount) FROM lake.db.weeks_having"
            " GROUP BY date_trunc('week', d) HAVING date_trunc('week', d) = DATE '2026-03-02'",
            5,
            engine_version="483",
        ),
        expected=(
            Expected("wrapped_column", ("d",), (0.88, 0.95), statements=False, rewrite=True),
        ),
        tempting={"no_partition_filter": "the week is asked for"},
        never=(CHANGES,),
    ),
    # The label of a report: 45 of 90 days.
    Pair(
        "quarter_label",
        dates_of_spring,
        repeated(
            "SELECT sum(amount) FROM lake.db.quarter_label WHERE"
            " CAST(year(d) AS varchar) || '-Q' || CAST(quarter(d) AS varchar) = '2026-Q2'",
            5,
        ),
        expected=(
            Expected("wrapped_column", ("d",), (0.45, 0.55), statements=False, rewrite=True),
        ),
        never=(CHANGES,),
    ),
    # Names of months have no order, and yet this is one month.
    Pair(
        "month_by_its_name",
        dates_of_a_quarter,
        repeated(
            "SELECT sum(amount) FROM lake.db.month_by_its_name"
            " WHERE date_format(d, 'MMM yyyy') = 'Feb 2026'",
            5,
            **SPARK,
        ),
        expected=(
            Expected("wrapped_column", ("d",), A_MONTH_OF_90_DAYS, statements=False, rewrite=True),
        ),
        never=(CHANGES,),
    ),
    # 29 days are older: the job looks for them in all.
    Pair(
        "deleted_by_age",
        dates_of_a_quarter,
        repeated(
            "DELETE FROM lake.db.deleted_by_age WHERE date_diff('day', d, DATE '2026-03-31') > 60",
            5,
        ),
        expected=(
            Expected("wrapped_column", ("d",), A_MONTH_OF_90_DAYS, statements=False, rewrite=True),
        ),
        never=(CHANGES,),
    ),
)
