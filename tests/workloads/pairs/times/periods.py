"""Days, weeks and months by functions of times."""

from __future__ import annotations

import datetime as dt

import numpy as np

from tests.workloads.model import Expected, Pair
from tests.workloads.pairs.tables.periods import (
    FIRSTS,
    NEVER,
    ONE_OF_TWELVE,
    sixty_days,
    thirty_days,
    thirty_days_with_zone,
    twelve_months,
)
from tests.workloads.physical import Layout
from tests.workloads.rows import (
    DAY,
    FILE_ROWS,
    SPARK,
    SPARK_35,
    START,
    dates,
    day,
    day_text,
    each,
    laid_out,
    repeated,
    rng,
    scaled,
    table,
    texts,
    times,
)

EPOCH = int(START.replace(tzinfo=dt.UTC).timestamp())
FEW = 100
"""Rows of a file in tables of many partitions."""
FEW_AT_A_TIME = scaled(FEW * 100)


def twelve_weeks() -> Layout:
    """84 days, a file each."""
    days = np.repeat(np.arange(84), FILE_ROWS)
    return laid_out(table({"d": dates(days), "amount": np.arange(len(days))}), "d")


def twelve_weeks_of_times() -> Layout:
    """84 days of times, a file each."""
    seconds = rng(3002).uniform(0, 84 * DAY, 84 * FILE_ROWS)
    return laid_out(table({"ts": times(seconds), "amount": np.arange(len(seconds))}), "days(ts)")


def days_and_hours() -> Layout:
    """Ten days of 24 hours as Hive writes them."""
    hours = np.repeat(np.arange(240), FEW)
    return laid_out(
        table(
            {
                "dt": day_text(hours // 24),
                "hr": texts(hours % 24, "{:02d}"),
                "amount": np.arange(len(hours)),
            }
        ),
        "dt",
        "hr",
        file_rows=FEW,
        properties=FEW_AT_A_TIME,
    )


PAIRS = (
    # Of a month beside its year, Trino makes the range of the year, Spark none.
    Pair(
        "months_of_two_engines",
        twelve_months,
        [
            *each(
                "SELECT sum(amount) FROM lake.db.months_of_two_engines"
                " WHERE year(ts) = 2026 AND month(ts) = {}",
                (2, 5, 9, 11),
                **SPARK,
            ),
            *each(
                "SELECT sum(amount) FROM lake.db.months_of_two_engines"
                " WHERE year(ts) = 2026 AND month(ts) = {}",
                (2, 5, 9, 11),
            ),
        ],
        expected=(Expected("wrapped_column", ("ts",), (0.44, 0.47), False, True),) * 2,
        tempting={"partitions_too_coarse": "queries ask for months"},
        never=NEVER,
    ),
    Pair(
        "hours_as_numbers",
        days_and_hours,
        [
            *each(
                "SELECT sum(amount) FROM lake.db.hours_as_numbers"
                " WHERE dt = '2026-01-05' AND CAST(hr AS INT) = {}",
                (5, 9, 17),
                **SPARK,
            )
        ],
        # What the text means is not known.
        expected=(Expected("type_mismatch", ("hr",), None, False, None, ("hr",)),),
        tempting={"partitions_too_fine": "queries ask for hours, which fill files"},
        never=NEVER,
    ),
    Pair(
        "iso_weeks_of_iso_years",
        twelve_weeks,
        each(
            "SELECT sum(amount) FROM lake.db.iso_weeks_of_iso_years"
            " WHERE year_of_week(d) = 2026 AND week_of_year(d) = {}",
            (3, 6, 10),
        ),
        expected=(Expected("wrapped_column", ("d",), ONE_OF_TWELVE, False, True),),
        tempting={"partitions_too_fine": "queries ask for days that fill files"},
        never=NEVER,
    ),
    Pair(
        "weeks_cut_off",
        twelve_weeks_of_times,
        each(
            "SELECT sum(amount) FROM lake.db.weeks_cut_off"
            " WHERE date_trunc('week', ts) = TIMESTAMP '{} 00:00:00'",
            (day(11), day(32), day(60)),
            engine_version="483",
        ),
        expected=(Expected("wrapped_column", ("ts",), ONE_OF_TWELVE, False, True),),
        tempting={"unclustered_column": "times are by day"},
        never=NEVER,
    ),
    Pair(
        "two_months_as_texts",
        twelve_months,
        repeated(
            "SELECT sum(amount) FROM lake.db.two_months_as_texts"
            " WHERE date_format(ts, 'yyyy-MM') IN ('2026-02', '2026-07')",
            4,
            **SPARK_35,
        ),
        expected=(Expected("wrapped_column", ("ts",), (0.8, 0.85), False, True),),
        tempting={"partitions_too_coarse": "queries ask for months"},
        never=NEVER,
    ),
    Pair(
        "a_week_before",
        sixty_days,
        repeated(
            "SELECT sum(amount) FROM lake.db.a_week_before"
            " WHERE date_sub(d, 7) >= DATE '2026-02-20'",
            4,
            **SPARK,
        ),
        expected=(Expected("wrapped_column", ("d",), (0.92, 0.96), False, True),),
        never=NEVER,
    ),
    Pair(
        "days_of_berlin_by_function",
        thirty_days_with_zone,
        each(
            "SELECT sum(amount) FROM lake.db.days_of_berlin_by_function"
            " WHERE CAST(ts AT TIME ZONE 'Europe/Berlin' AS date) = DATE '{}'",
            (day(5), day(12), day(20)),
        ),
        expected=(Expected("wrapped_column", ("ts",), (0.9, 0.96), False, True),),
        allowed=(Expected("local_day_boundaries", ("ts",)),),
        never=NEVER,
    ),
    # Half an hour beside the hour.
    Pair(
        "three_days_of_kolkata",
        thirty_days_with_zone,
        each(
            "SELECT sum(amount) FROM lake.db.three_days_of_kolkata"
            " WHERE ts >= TIMESTAMP '{} 00:00:00' AND ts < TIMESTAMP '{} 00:00:00'",
            [(day(n), day(n + 3)) for n in (4, 11, 20)],
            time_zone="Asia/Kolkata",
            **SPARK,
        ),
        expected=(Expected("local_day_boundaries", ("ts",), (0.15, 0.26)),),
    ),
    Pair(
        "a_month_as_it_was",
        twelve_months,
        each(
            "SELECT sum(amount) FROM lake.db.a_month_as_it_was"
            " TIMESTAMP AS OF '2099-06-01 00:00:00' WHERE date_format(ts, 'yyyy-MM') = '{}'",
            FIRSTS,
            **SPARK,
        ),
        expected=(Expected("wrapped_column", ("ts",), None, False, False),),
        never=NEVER,
    ),
    Pair(
        "seconds_of_two_engines",
        thirty_days_with_zone,
        [
            *repeated(
                "SELECT sum(amount) FROM lake.db.seconds_of_two_engines"
                f" WHERE unix_timestamp(ts) >= {EPOCH + 27 * DAY}",
                3,
                **SPARK,
            ),
            *repeated(
                "SELECT sum(amount) FROM lake.db.seconds_of_two_engines"
                f" WHERE to_unixtime(ts) >= {EPOCH + 27 * DAY}e0",
                3,
            ),
        ],
        # One finding or two.
        expected=(Expected("wrapped_column", ("ts",), (0.43, 0.91), False, True),),
        allowed=(Expected("wrapped_column", ("ts",), (0.43, 0.46), False, True),),
        never=NEVER,
    ),
    Pair(
        "hours_before_a_time",
        thirty_days,
        repeated(
            "SELECT sum(amount) FROM lake.db.hours_before_a_time WHERE"
            " date_diff('hour', ts, TIMESTAMP '2026-01-28 00:00:00') BETWEEN 0 AND 23",
            4,
        ),
        expected=(Expected("wrapped_column", ("ts",), (0.88, 0.97), False, True),),
        never=NEVER,
    ),
    Pair(
        "due_in_a_month",
        sixty_days,
        repeated(
            "SELECT sum(amount) FROM lake.db.due_in_a_month"
            " WHERE d + INTERVAL '1' MONTH > DATE '2026-03-25'",
            4,
        ),
        expected=(Expected("wrapped_column", ("d",), (0.88, 0.95), False, True),),
        never=NEVER,
    ),
    Pair(
        "three_dates_of_times",
        thirty_days,
        repeated(
            "SELECT sum(amount) FROM lake.db.three_dates_of_times WHERE CAST(ts AS DATE)"
            " IN (DATE '2026-01-05', DATE '2026-01-12', DATE '2026-01-19')",
            4,
            **SPARK,
        ),
        expected=(Expected("wrapped_column", ("ts",), (0.86, 0.91), False, True),),
        never=NEVER,
    ),
    Pair(
        "quarters_cut_off",
        twelve_months,
        each(
            "SELECT sum(amount) FROM lake.db.quarters_cut_off"
            " WHERE date_trunc('quarter', ts) = TIMESTAMP '{} 00:00:00'",
            ("2026-04-01", "2026-07-01"),
            engine_version="483",
        ),
        expected=(Expected("wrapped_column", ("ts",), (0.72, 0.77), False, True),),
        never=NEVER,
    ),
    Pair(
        "months_between_functions",
        twelve_months,
        repeated(
            "SELECT sum(amount) FROM lake.db.months_between_functions WHERE date_trunc('month', ts)"
            " BETWEEN TIMESTAMP '2026-02-01 00:00:00' AND TIMESTAMP '2026-03-01 00:00:00'",
            4,
        ),
        expected=(Expected("wrapped_column", ("ts",), (0.8, 0.85), False, True),),
        never=NEVER,
    ),
)
