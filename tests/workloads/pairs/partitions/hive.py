"""Tables that came from Hive: years, months, days and hours in columns of their own, or as text."""

from __future__ import annotations

import datetime as dt

import numpy as np

from tests.workloads.model import Expected, Pair
from tests.workloads.physical import Layout
from tests.workloads.rows import (
    FILE_ROWS,
    SPARK,
    SPARK_35,
    Numbers,
    day,
    day_text,
    each,
    laid_out,
    repeated,
    table,
)

DAYS = 60
COUNT = DAYS * FILE_ROWS
DAY_OF_ROW = np.repeat(np.arange(DAYS), FILE_ROWS)


def _part(form: str) -> Numbers:
    """A number of each row's date, as `strftime` writes it."""
    return np.array([int(day(int(number)).strftime(form)) for number in DAY_OF_ROW])


def day_numbers() -> Layout:
    """A partition of whole numbers (year, month, day) for each of 60 days, which is one file."""
    return laid_out(
        table(
            {
                "year": _part("%Y"),
                "month": _part("%m"),
                "day": _part("%d"),
                "amount": np.arange(COUNT),
            }
        ),
        "year",
        "month",
        "day",
    )


def day_texts() -> Layout:
    """The same as text with zeros before."""
    return laid_out(
        table(
            {
                "year": day_text(DAY_OF_ROW, "%Y"),
                "month": day_text(DAY_OF_ROW, "%m"),
                "day": day_text(DAY_OF_ROW, "%d"),
                "amount": np.arange(COUNT),
            }
        ),
        "year",
        "month",
        "day",
    )


def dt_texts() -> Layout:
    """A partition for each of 60 days, as text, which is one file."""
    return laid_out(table({"dt": day_text(DAY_OF_ROW), "amount": np.arange(COUNT)}), "dt")


def dt_compact() -> Layout:
    """A partition for each of 60 days, as text without dashes, which is one file."""
    return laid_out(table({"dt": day_text(DAY_OF_ROW, "%Y%m%d"), "amount": np.arange(COUNT)}), "dt")


def dt_numbers() -> Layout:
    """A partition for each of 60 days, as a number yyyymmdd, which is one file."""
    return laid_out(table({"dt": _part("%Y%m%d"), "amount": np.arange(COUNT)}), "dt")


def dt_and_hour() -> Layout:
    """A partition for each hour of ten days, as text and a number, of a third of a file."""
    hours = np.repeat(np.arange(240), 200)
    return laid_out(
        table(
            {
                "dt": day_text(hours // 24, "%Y%m%d"),
                "hr": hours % 24,
                "amount": np.arange(len(hours)),
            }
        ),
        "dt",
        "hr",
    )


def month_texts() -> Layout:
    """A partition for each of twelve months, as text without a year, of five files."""
    months = np.repeat(np.arange(12), 5 * FILE_ROWS)
    labels = np.array([dt.date(2026, int(number) + 1, 1).toordinal() for number in months])
    first = dt.date(2026, 1, 1).toordinal()
    return laid_out(
        table({"month": day_text(labels - first, "%m"), "amount": np.arange(len(months))}), "month"
    )


PAIRS = (
    # All that is read matches, whatever of the three columns a query uses.
    Pair(
        "some_of_three_numbers",
        day_numbers,
        [
            *repeated(
                "SELECT sum(amount) FROM lake.db.some_of_three_numbers"
                " WHERE year = 2026 AND month = 2",
                6,
            ),
            *each(
                "SELECT sum(amount) FROM lake.db.some_of_three_numbers"
                " WHERE year = 2026 AND day BETWEEN {} AND {}",
                [(1, 7), (8, 14), (15, 21)],
            ),
        ],
        tempting={
            "partitions_too_coarse": "a month is asked for, and a month is read",
            "misaligned_partitioning": "all three fields serve filters",
        },
        never=("DROP",),
    ),
    # The three columns glued together: nothing reaches the partitions, one of 60 is wanted.
    Pair(
        "glued_date",
        day_texts,
        each(
            "SELECT sum(amount) FROM lake.db.glued_date"
            " WHERE concat(year, '-', month, '-', day) = '{}'",
            map(day, range(20, 30)),
            **SPARK,
        ),
        expected=(Expected("wrapped_column", ("year|month|day",), None, statements=False),),
        tempting={"misaligned_partitioning": "queries want the very fields that are there"},
        never=("DROP",),
    ),
    # A number is matched as text: 31 days of 60 are wanted.
    Pair(
        "number_like_a_month",
        dt_numbers,
        repeated(
            "SELECT sum(amount) FROM lake.db.number_like_a_month"
            " WHERE CAST(dt AS varchar) LIKE '202601%'",
            8,
        ),
        expected=(Expected("type_mismatch|wrapped_column", ("dt",), None, statements=False),),
        tempting={
            "like_without_prefix": "the pattern has a prefix; the cast is at fault",
            "partitions_too_coarse": "partitions are days",
        },
        never=("DROP",),
    ),
    Pair(
        "number_between",
        dt_numbers,
        each(
            "SELECT sum(amount) FROM lake.db.number_between WHERE dt BETWEEN {} AND {}",
            [(20260110, 20260112), (20260131, 20260201), (20260201, 20260214)],
        ),
        tempting={"type_mismatch": "a number is compared with numbers"},
    ),
    # A pattern with a prefix, or text between texts, is a range of dt.
    Pair(
        "text_like_a_month",
        dt_texts,
        [
            *repeated(
                "SELECT sum(amount) FROM lake.db.text_like_a_month WHERE dt LIKE '2026-02%'", 5
            ),
            *repeated(
                "SELECT sum(amount) FROM lake.db.text_like_a_month WHERE dt LIKE '2026-02%'",
                5,
                **SPARK,
            ),
            *repeated(
                "SELECT sum(amount) FROM lake.db.text_like_a_month"
                " WHERE dt BETWEEN '2026-01-05' AND '2026-01-11'",
                5,
            ),
        ],
        tempting={
            "like_without_prefix": "it has a prefix",
            "type_mismatch": "text is compared with text",
        },
    ),
    # 29 days of 60 are wanted in one form, 31 in the other; all are read.
    Pair(
        "text_cut_to_a_month",
        dt_texts,
        repeated(
            "SELECT sum(amount) FROM lake.db.text_cut_to_a_month"
            " WHERE substring(dt, 1, 7) = '2026-01'",
            6,
        ),
        expected=(
            Expected("wrapped_column", ("dt",), (0.45, 0.5), statements=False, rewrite=True),
        ),
        never=("DROP",),
    ),
    # What stands beside dt is known before the query runs.
    Pair(
        "text_against_constants",
        dt_texts,
        [
            *repeated(
                "SELECT sum(amount) FROM lake.db.text_against_constants"
                " WHERE dt >= concat('2026-02', '-25')",
                5,
            ),
            *repeated(
                "SELECT sum(amount) FROM lake.db.text_against_constants"
                " WHERE dt = date_format(DATE '2026-01-20', '%Y-%m-%d')",
                5,
            ),
        ],
        tempting={"wrapped_column": "no function is around the column"},
    ),
    # Spark casts the text to a number: nothing reaches the partitions.
    Pair(
        "text_month_as_number",
        month_texts,
        each(
            "SELECT sum(amount) FROM lake.db.text_month_as_number WHERE month = {}",
            [3, 3, 4, 5],
            **SPARK,
        ),
        expected=(Expected("type_mismatch", ("month",), None, statements=False),),
        never=("DROP",),
    ),
    Pair(
        "text_day_as_number",
        dt_compact,
        each(
            "SELECT sum(amount) FROM lake.db.text_day_as_number WHERE dt >= {}",
            [20260225, 20260226, 20260227],
            **SPARK_35,
        ),
        expected=(Expected("type_mismatch", ("dt",), None, statements=False),),
        never=("DROP",),
    ),
    # Day and hour glued together: the last nine hours of 240 are wanted, all are read.
    Pair(
        "glued_hour",
        dt_and_hour,
        repeated(
            "SELECT sum(amount) FROM lake.db.glued_hour"
            " WHERE concat(dt, lpad(CAST(hr AS STRING), 2, '0')) >= '2026011015'",
            6,
            **SPARK,
        ),
        expected=(),
        tempting={"misaligned_partitioning": "queries want the very fields that are there"},
        never=("DROP",),
    ),
    Pair(
        "hours_of_a_text_day",
        dt_and_hour,
        each(
            "SELECT sum(amount) FROM lake.db.hours_of_a_text_day WHERE dt = '{}'"
            " AND hr BETWEEN 8 AND 11",
            ["20260103", "20260104", "20260110"],
        ),
        tempting={
            "partitions_too_fine": "four hours are asked for, of a third of a file each",
            "small_files": "a scan opens four files",
        },
    ),
    # The newest day, found by the query itself. Trino's join does the rest at run time.
    Pair(
        "newest_text_day",
        dt_texts,
        repeated(
            "SELECT sum(amount) FROM lake.db.newest_text_day"
            " WHERE dt = (SELECT max(dt) FROM lake.db.newest_text_day)",
            8,
        ),
        allowed=(Expected("runtime_only", (), None, False),),
        tempting={"no_partition_filter": "the filter is on the partition column"},
        never=("DROP",),
    ),
    # An identifier of text digits against a number that Spark reads as one: no column is cast.
    Pair(
        "number_as_quoted",
        dt_numbers,
        each(
            "SELECT sum(amount) FROM lake.db.number_as_quoted WHERE dt = '{}'",
            [20260110, 20260111, 20260214],
            **SPARK,
        ),
        tempting={"type_mismatch": "Spark casts the literal, or undoes the cast that widens"},
    ),
)
