"""Conditions that mean a range of days, and say none."""

from __future__ import annotations

import datetime as dt

import numpy as np

from tests.workloads.model import Expected, Pair
from tests.workloads.pairs.tables.implied import EPOCH, NEVER
from tests.workloads.pairs.times.daily import days_in_utc, four_months
from tests.workloads.physical import Layout
from tests.workloads.rows import (
    DAY,
    FILE_ROWS,
    SPARK,
    day,
    day_text,
    each,
    laid_out,
    repeated,
    rng,
    table,
    times,
)

MONTHS = (dt.date(2026, 1, 1), dt.date(2026, 2, 1), dt.date(2026, 3, 1), dt.date(2026, 4, 1))


def two_years() -> Layout:
    """24 months, two files each."""
    seconds = rng(1203).uniform(0, 730 * DAY, 48 * FILE_ROWS)
    return laid_out(table({"ts": times(seconds), "amount": np.arange(len(seconds))}), "months(ts)")


def packed_text_days() -> Layout:
    """Sixty days as 20260131 in text, a file each."""
    days = np.repeat(np.arange(60), FILE_ROWS)
    return laid_out(table({"dt": day_text(days, "%Y%m%d"), "amount": np.arange(len(days))}), "dt")


def packed_days() -> Layout:
    """Sixty days as the number 20260131, a file each."""
    days = np.repeat(np.arange(60), FILE_ROWS)
    keys = np.array([int(f"{day(int(number)):%Y%m%d}") for number in days], np.int32)
    return laid_out(table({"dt": keys, "amount": np.arange(len(days))}), "dt")


PAIRS = (
    Pair(
        "a_month_later",
        four_months,
        repeated(
            "SELECT sum(amount) FROM lake.db.a_month_later"
            " WHERE add_months(d, 1) >= DATE '2026-05-01'",
            8,
            **SPARK,
        ),
        expected=(Expected("wrapped_column", ("d",), (0.7, 0.8), False, True, ("d >=",)),),
        tempting={"no_partition_filter": "the partition's column is asked for"},
        never=NEVER,
    ),
    Pair(
        "a_month_before",
        four_months,
        repeated(
            "SELECT sum(amount) FROM lake.db.a_month_before"
            " WHERE d >= add_months(DATE '2026-04-30', -1)",
            8,
            **SPARK,
        ),
        tempting={"wrapped_column": "what is around a constant is one"},
        never=NEVER,
    ),
    Pair(
        "weeks_by_their_monday",
        four_months,
        each(
            "SELECT sum(amount) FROM lake.db.weeks_by_their_monday"
            " WHERE next_day(d, 'MON') = DATE '{}'",
            map(day, range(11, 110, 14)),
            **SPARK,
        ),
        expected=(Expected("wrapped_column", ("d",), (0.92, 0.96), False, True),),
        tempting={"no_partition_filter": "the partition's column is asked for"},
        never=NEVER,
    ),
    Pair(
        "days_by_unix_seconds",
        days_in_utc,
        each(
            "SELECT sum(amount) FROM lake.db.days_by_unix_seconds"
            " WHERE unix_timestamp(ts) BETWEEN {} AND {}",
            [(EPOCH + n * DAY, EPOCH + (n + 1) * DAY - 1) for n in range(1, 29, 3)],
            **SPARK,
        ),
        expected=(Expected("wrapped_column", ("ts",), (0.94, 0.98), False, True),),
        tempting={"no_partition_filter": "the partition's column is asked for"},
        never=NEVER,
    ),
    # The year is a range that Trino finds, the month beside it none.
    Pair(
        "a_month_of_a_year",
        two_years,
        each(
            "SELECT sum(amount) FROM lake.db.a_month_of_a_year"
            " WHERE extract(year FROM ts) = {} AND extract(month FROM ts) = {}",
            [(2026, 3), (2026, 4), (2027, 2), (2027, 9), (2027, 11)],
        ),
        expected=(Expected("wrapped_column", ("ts",), (0.88, 0.93), False, True),),
        tempting={"partitions_too_coarse": "a month is a partition"},
        never=NEVER,
    ),
    Pair(
        "months_by_trunc",
        four_months,
        each(
            "SELECT sum(amount) FROM lake.db.months_by_trunc WHERE trunc(d, 'MM') = DATE '{}'",
            MONTHS,
            **SPARK,
        ),
        expected=(Expected("wrapped_column", ("d",), (0.72, 0.78), False, True),),
        never=NEVER,
    ),
    Pair(
        "within_a_month",
        four_months,
        repeated(
            "SELECT sum(amount) FROM lake.db.within_a_month"
            " WHERE months_between(DATE '2026-05-01', d) <= 1",
            8,
            **SPARK,
        ),
        expected=(Expected("wrapped_column", ("d",), (0.68, 0.78), False, True, ("d >=?",)),),
        tempting={"no_partition_filter": "the partition's column is asked for"},
        never=NEVER,
    ),
    Pair(
        "within_a_week",
        four_months,
        repeated(
            "SELECT sum(amount) FROM lake.db.within_a_week"
            " WHERE date_diff('day', d, DATE '2026-05-01') < 7",
            8,
        ),
        expected=(Expected("wrapped_column", ("d",), (0.92, 0.97), False, True),),
        never=NEVER,
    ),
    Pair(
        "a_week_earlier",
        four_months,
        repeated(
            "SELECT sum(amount) FROM lake.db.a_week_earlier"
            " WHERE date_sub(d, 7) >= DATE '2026-04-10'",
            8,
            **SPARK,
        ),
        expected=(Expected("wrapped_column", ("d",), (0.85, 0.9), False, True),),
        never=NEVER,
    ),
    Pair(
        "packed_weeks",
        packed_text_days,
        each(
            "SELECT sum(amount) FROM lake.db.packed_weeks WHERE dt BETWEEN '{}' AND '{}'",
            [(f"{day(n):%Y%m%d}", f"{day(n + 6):%Y%m%d}") for n in range(0, 50, 7)],
            **SPARK,
        ),
        tempting={"type_mismatch": "texts are compared with texts"},
        never=NEVER,
    ),
    Pair(
        "packed_weeks_as_numbers",
        packed_text_days,
        each(
            "SELECT sum(amount) FROM lake.db.packed_weeks_as_numbers"
            " WHERE CAST(dt AS bigint) BETWEEN {} AND {}",
            [(f"{day(n):%Y%m%d}", f"{day(n + 6):%Y%m%d}") for n in range(0, 50, 7)],
        ),
        expected=(Expected("type_mismatch", ("dt",), None, False),),
        never=NEVER,
    ),
    Pair(
        "packed_days_parsed",
        packed_days,
        repeated(
            "SELECT sum(amount) FROM lake.db.packed_days_parsed"
            " WHERE date_parse(CAST(dt AS varchar), '%Y%m%d') >= TIMESTAMP '2026-02-20 00:00:00'",
            8,
        ),
        expected=(Expected("wrapped_column|type_mismatch", ("dt",), None, False, says=("dt >",)),),
        never=NEVER,
    ),
    Pair(
        "days_by_function_of_partition",
        days_in_utc,
        each(
            "SELECT sum(amount) FROM lake.db.days_by_function_of_partition"
            " WHERE lake.system.days(ts) = DATE '{}'",
            map(day, range(1, 29, 3)),
            **SPARK,
        ),
        tempting={"wrapped_column": "the function is the partition's own"},
        never=NEVER,
    ),
    # As drivers write what is bound to a column that they take for text.
    Pair(
        "clocks_as_text",
        two_years,
        [
            *each(
                "SELECT sum(amount) FROM lake.db.clocks_as_text WHERE CAST(ts AS varchar) >="
                " '2026-0{0}-01 00:00:00' AND CAST(ts AS varchar) < '2026-0{0}-15 12:00:00'",
                range(2, 8),
            ),
            *each(
                "SELECT sum(amount) FROM lake.db.clocks_as_text WHERE CAST(ts AS string) BETWEEN"
                " '2026-0{0}-01 00:00:00' AND '2026-0{0}-15 12:00:00'",
                range(2, 8),
                **SPARK,
            ),
        ],
        expected=(
            Expected("wrapped_column", ("ts",), (0.4, 0.5), False, True, ("TIMESTAMP '2026",)),
            Expected("wrapped_column", ("ts",), (0.4, 0.5), False, True, ("TIMESTAMP_NTZ '2026",)),
        ),
        never=NEVER,
    ),
)
