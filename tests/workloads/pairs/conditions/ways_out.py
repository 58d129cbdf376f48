"""What there is to do about functions of which there is no range, or one that must keep nulls."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from tests.workloads.model import Expected, Pair
from tests.workloads.physical import Layout
from tests.workloads.rows import (
    DAY,
    FILE_ROWS,
    SPARK,
    dates,
    day,
    laid_out,
    repeated,
    rng,
    table,
    texts,
    times,
)

FILES = 40
COUNT = FILES * FILE_ROWS
_NOTES = np.array(["paid in full", "late again", "Refund asked", "sent twice"])


def notes_of_40_days() -> Layout:
    """A partition of one file for each of 40 days, with what people noted."""
    draw = rng(91)
    at = np.sort(draw.uniform(0, FILES * DAY, COUNT))
    return laid_out(
        table({"at": times(at), "note": pa.array(draw.choice(_NOTES, COUNT))}), "days(at)"
    )


def a_file_of_each_channel() -> Layout:
    """A file for each channel of 40, of which one is an empty text, and one null."""
    names = [None, "", *(f"ch{n:02d}" for n in range(2, FILES))]
    channels = [name for name in names for _ in range(FILE_ROWS)]
    return laid_out(table({"channel": pa.array(channels, pa.string()), "n": np.arange(COUNT)}))


def keys_of_days() -> Layout:
    """A file of keys for each of 40 days, with which they begin."""
    keys = [f"{day(i // FILE_ROWS)}#{i:06d}" for i in range(COUNT)]
    return laid_out(table({"key": texts(keys), "n": np.arange(COUNT)}))


def bookings_of_months() -> Layout:
    """A partition for each of 24 months, from January 2026 on."""
    draw = rng(92)
    days = np.sort(draw.integers(0, 730, 24 * FILE_ROWS))
    return laid_out(table({"booked": dates(days), "n": np.arange(len(days))}), "months(booked)")


def days_in_three_columns() -> Layout:
    """A file for each of 40 days, whose year, month and day are columns."""
    days = [day(n // FILE_ROWS) for n in range(COUNT)]
    parts = {
        "y": pa.array([d.year for d in days], pa.int32()),
        "m": pa.array([d.month for d in days], pa.int32()),
        "d": pa.array([d.day for d in days], pa.int32()),
    }
    return laid_out(table({**parts, "n": np.arange(COUNT)}), "y", "m", "d")


PAIRS = (
    # The twelve months from October 2026 on, of 24.
    Pair(
        "bookings_of_a_fiscal_year",
        bookings_of_months,
        repeated(
            "SELECT count(*) FROM lake.db.bookings_of_a_fiscal_year"
            " WHERE year(booked) + CASE WHEN quarter(booked) = 4 THEN 1 ELSE 0 END = 2027",
            5,
        ),
        expected=(
            Expected(
                "wrapped_column",
                ("booked",),
                (0.4, 0.6),
                False,
                True,
                says=("2026-10-01", "2027-10-01"),
            ),
        ),
    ),
    # A month of each of two years: two ranges say that.
    Pair(
        "bookings_of_two_junes",
        bookings_of_months,
        repeated(
            "SELECT sum(n) FROM lake.db.bookings_of_two_junes WHERE month(booked) = 6", 5, **SPARK
        ),
        expected=(
            Expected("wrapped_column", ("booked",), None, False, False, says=("each year",)),
        ),
        unsaid=("Nothing helps", "lie everywhere"),
    ),
    # Keys begin with their day, and lie in its order: a range of them does what a column would.
    Pair(
        "keys_by_the_day_they_begin_with",
        keys_of_days,
        repeated(
            "SELECT sum(n) FROM lake.db.keys_by_the_day_they_begin_with"
            " WHERE CAST(split_part(key, '#', 1) AS date) = DATE '2026-01-05'",
            5,
        ),
        expected=(
            Expected("wrapped_column", ("key",), None, False, False, says=("begins the text",)),
        ),
        unsaid=("column of its own", "No condition"),
    ),
    # What stands anywhere in a text is in no order: a copy in one case helps nobody.
    Pair(
        "notes_searched_in_one_case",
        notes_of_40_days,
        repeated(
            "SELECT at FROM lake.db.notes_searched_in_one_case WHERE lower(note) LIKE '%refund%'",
            5,
        ),
        expected=(
            Expected("wrapped_column", ("note",), None, False, False, says=("add a condition",)),
        ),
        unsaid=("normalised", "sort by it"),
    ),
    Pair(
        "notes_of_an_hour_by_label",
        notes_of_40_days,
        repeated(
            "SELECT count(*) FROM lake.db.notes_of_an_hour_by_label"
            " WHERE date_format(at, 'HH') = '07'",
            5,
            **SPARK,
        ),
        expected=(
            Expected("wrapped_column", ("at",), None, False, False, says=("Nothing helps",)),
        ),
        unsaid=("from one on and before another", ">= \\?"),
    ),
    # Nulls and empty texts are what is asked for: two files of 40 have them.
    Pair(
        "channel_that_is_missing",
        a_file_of_each_channel,
        repeated(
            "SELECT count(*) FROM lake.db.channel_that_is_missing"
            " WHERE coalesce(nullif(channel, ''), 'direct') = 'direct'",
            5,
        ),
        expected=(
            Expected("wrapped_column", ("channel",), (0.9, 0.97), False, True, says=("IS NULL",)),
        ),
    ),
    # What came within a day before the newest rows: one or two files of 40.
    Pair(
        "notes_of_the_last_day",
        notes_of_40_days,
        repeated(
            "SELECT note FROM lake.db.notes_of_the_last_day WHERE"
            " TIMESTAMP '2026-02-10 00:00:00' - at < INTERVAL '24' HOUR",
            5,
        ),
        expected=(
            Expected("wrapped_column", ("at",), (0.9, 0.99), False, True, says=("2026-02-09",)),
        ),
    ),
    # Three days of February, of which the parts are columns.
    Pair(
        "days_of_three_columns",
        days_in_three_columns,
        repeated(
            "SELECT sum(n) FROM lake.db.days_of_three_columns WHERE"
            " CAST(concat(CAST(y AS varchar), '-', CAST(m AS varchar), '-',"
            " CAST(d AS varchar)) AS date)"
            " BETWEEN DATE '2026-02-03' AND DATE '2026-02-05'",
            5,
        ),
        expected=(Expected("wrapped_column", ("y", "m", "d"), None, False, False),),
    ),
    Pair(
        "day_of_a_sum",
        days_in_three_columns,
        repeated(
            "SELECT sum(n) FROM lake.db.day_of_a_sum WHERE date_parse(CAST(y * 10000 + m * 100 + d"
            " AS varchar), '%Y%m%d') = TIMESTAMP '2026-02-03 00:00:00'",
            5,
        ),
        expected=(Expected("wrapped_column", ("y", "m", "d"), None, False, False),),
    ),
)
