"""Functions, casts and arithmetic around a column."""

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
    each,
    laid_out,
    repeated,
    rng,
    table,
    texts,
    times,
)

FILES = 40
COUNT = FILES * FILE_ROWS


def three_years() -> Layout:
    """A partition for each of 36 months, which is one file."""
    seconds = np.sort(rng(1).uniform(0, 1096 * DAY, 36 * FILE_ROWS))
    return laid_out(table({"ts": times(seconds), "amount": np.arange(len(seconds))}), "months(ts)")


def forty_days() -> Layout:
    """A partition for each of 40 days, by the date itself."""
    days = np.repeat(np.arange(FILES), FILE_ROWS)
    return laid_out(table({"day": dates(days), "amount": np.arange(COUNT)}), "day")


def days_of_times() -> Layout:
    """A partition for each of 40 days of a time."""
    seconds = np.sort(rng(2).uniform(0, FILES * DAY, COUNT))
    return laid_out(table({"ts": times(seconds), "amount": np.arange(COUNT)}), "days(ts)")


def in_order_of_amount() -> Layout:
    """40 files in order of a whole number from 0 to 999."""
    return laid_out(table({"amount": np.sort(rng(3).integers(0, 1000, COUNT))}))


def in_order_of_delta() -> Layout:
    """40 files in order of a number from -999 to 999."""
    return laid_out(table({"delta": np.sort(rng(4).integers(-999, 1000, COUNT))}))


def in_order_of_code() -> Layout:
    """40 files in order of a code from 0 to 599; the last one of 20 rows has none."""
    codes = np.sort(rng(5).integers(0, 600, COUNT)).tolist()
    codes[-20:] = [None] * 20
    return laid_out(table({"code": pa.array(codes, pa.int32())}))


def in_order_of_price() -> Layout:
    """40 files in order of a price below 100."""
    return laid_out(table({"price": np.sort(rng(6).uniform(0, 100, COUNT))}))


def by_country() -> Layout:
    """A partition for each of eight countries, of five files each."""
    countries = rng(7).choice(["DE", "FR", "IT", "ES", "PL", "NL", "SE", "AT"], COUNT)
    return laid_out(table({"country": texts(countries), "amount": np.arange(COUNT)}), "country")


def in_order_of_mail() -> Layout:
    """40 files in order of addresses."""
    people = np.sort(rng(8).integers(0, 100_000, COUNT))
    return laid_out(table({"email": texts(people, "P{:06d}@Example.com")}))


NO_RANGE = r"[Rr]ange|>= \?"
"""What is not to be said of conditions that no range follows from."""

PAIRS = (
    # year() is not pushed by Spark. 12 of 36 months hold 2027: two thirds are read for nothing.
    Pair(
        "year_in_spark",
        three_years,
        repeated("SELECT sum(amount) FROM lake.db.year_in_spark WHERE year(ts) = 2027", 5, **SPARK),
        expected=(Expected("wrapped_column", ("ts",), (0.6, 0.7), statements=False, rewrite=True),),
        tempting={"partitions_too_coarse": "the months are right; the filter does not reach them"},
    ),
    # Trino makes a range of year() itself.
    Pair(
        "year_in_trino",
        three_years,
        repeated("SELECT sum(amount) FROM lake.db.year_in_trino WHERE year(ts) = 2027", 5),
        tempting={"wrapped_column": "Trino unwraps year()"},
    ),
    # date_format is a text to Trino: one month of 36 is wanted, all are read.
    Pair(
        "month_as_text",
        three_years,
        repeated(
            "SELECT sum(amount) FROM lake.db.month_as_text"
            " WHERE date_format(ts, '%Y-%m') = '2026-03'",
            5,
        ),
        expected=(
            Expected("wrapped_column", ("ts",), (0.93, 0.99), statements=False, rewrite=True),
        ),
    ),
    # Nothing says which spellings there are, so no range does; but eight times too much is read,
    # and it is the filter, not the table, that is at fault.
    Pair(
        "upper_of_country",
        by_country,
        repeated(
            "SELECT sum(amount) FROM lake.db.upper_of_country WHERE upper(country) = 'DE'",
            5,
            **SPARK,
        ),
        expected=(Expected("wrapped_column", ("country",), statements=False, rewrite=False),),
        tempting={"misaligned_partitioning": "queries want the very field that is there"},
        never=("DROP",),
        unsaid=(NO_RANGE,),
    ),
    # amount > 990 are 9 of 1,000 values: the last of 40 files.
    Pair(
        "twice_the_amount",
        in_order_of_amount,
        repeated("SELECT count(*) FROM lake.db.twice_the_amount WHERE amount * 2 > 1980", 5),
        expected=(
            Expected("wrapped_column", ("amount",), (0.92, 0.99), statements=False, rewrite=True),
        ),
        tempting={"unclustered_column": "files are in order of the amount"},
    ),
    Pair(
        "minus_the_amount",
        in_order_of_amount,
        repeated("SELECT count(*) FROM lake.db.minus_the_amount WHERE -amount < -990", 5, **SPARK),
        expected=(
            Expected("wrapped_column", ("amount",), (0.92, 0.99), statements=False, rewrite=True),
        ),
        tempting={"unclustered_column": "files are in order of the amount"},
    ),
    # Two ranges of one column, one at each end: two files of 40. Both engines push such an OR.
    Pair(
        "absolute_delta",
        in_order_of_delta,
        repeated("SELECT count(*) FROM lake.db.absolute_delta WHERE abs(delta) > 990", 5, **SPARK),
        expected=(
            Expected("wrapped_column", ("delta",), (0.9, 0.98), statements=False, rewrite=True),
        ),
        tempting={"or_across_columns": "it is one column"},
    ),
    # -1 is not 503, so it is code = 503.
    Pair(
        "coalesced_code",
        in_order_of_code,
        repeated(
            "SELECT count(*) FROM lake.db.coalesced_code WHERE coalesce(code, -1) = 503", 5, **SPARK
        ),
        expected=(
            Expected("wrapped_column", ("code",), (0.92, 0.99), statements=False, rewrite=True),
        ),
    ),
    Pair(
        "day_after",
        forty_days,
        repeated(
            "SELECT sum(amount) FROM lake.db.day_after WHERE date_add(day, 1) = DATE '2026-01-21'",
            5,
            **SPARK,
        ),
        expected=(
            Expected("wrapped_column", ("day",), (0.94, 0.99), statements=False, rewrite=True),
        ),
    ),
    # Spark's cast cuts towards zero: 42 <= price < 43, which is one file or two of 40.
    Pair(
        "whole_price",
        in_order_of_price,
        repeated(
            "SELECT count(*) FROM lake.db.whole_price WHERE CAST(price AS INT) = 42", 5, **SPARK
        ),
        expected=(
            Expected("wrapped_column", ("price",), (0.9, 0.99), statements=False, rewrite=True),
        ),
        tempting={"type_mismatch": "a number is compared with a number"},
    ),
    # Every day has its three o'clock. One may be told so; nothing is to be done.
    Pair(
        "hour_of_day",
        days_of_times,
        repeated("SELECT sum(amount) FROM lake.db.hour_of_day WHERE hour(ts) = 3", 5, **SPARK),
        allowed=(Expected("wrapped_column", ("ts",), statements=False, rewrite=False),),
        tempting={
            "unclustered_column": "no order of ts brings hours of day together",
            "partitions_too_coarse": "hours as partitions read as much in more files",
        },
        unsaid=(NO_RANGE,),
    ),
    # The range beside the function prunes all that there is to prune.
    Pair(
        "range_beside",
        days_of_times,
        repeated(
            "SELECT sum(amount) FROM lake.db.range_beside"
            " WHERE ts >= TIMESTAMP '2026-01-10 00:00:00' AND ts < TIMESTAMP '2026-01-11 00:00:00'"
            " AND date_format(ts, '%Y-%m-%d') = '2026-01-10'",
            5,
        ),
        tempting={"wrapped_column": "the bare range is there already"},
    ),
    # No range of email has all spellings. A column of the lower case is what helps.
    Pair(
        "lower_mail",
        in_order_of_mail,
        each(
            "SELECT * FROM lake.db.lower_mail WHERE lower(email) = 'p{:06d}@example.com'",
            range(500, 100_000, 5_000),
        ),
        expected=(Expected("wrapped_column", ("email",), statements=False, rewrite=False),),
        tempting={"unclustered_column": "files are in order of email"},
        unsaid=(NO_RANGE,),
    ),
)
