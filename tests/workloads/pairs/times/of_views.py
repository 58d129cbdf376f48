"""Times and numbers behind functions, as reports, views and tools of business write them."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from tests.workloads.model import Expected, Pair
from tests.workloads.physical import Layout
from tests.workloads.rows import (
    DAY,
    FILE_ROWS,
    SPARK,
    SPARK_35,
    START,
    dates,
    day,
    each,
    instant,
    laid_out,
    repeated,
    rng,
    table,
    times,
)

DAYS = 40
COUNT = DAYS * FILE_ROWS
EPOCH = int((START - START.__class__(1970, 1, 1)).total_seconds())


def days_of_times() -> Layout:
    """A partition for each of 40 days, which is one file."""
    seconds = np.sort(rng(361).uniform(0, DAYS * DAY, COUNT))
    return laid_out(table({"ts": times(seconds), "amount": np.arange(COUNT)}), "days(ts)")


def days_of_zoned_times() -> Layout:
    """The same, of times with a zone."""
    seconds = np.sort(rng(362).uniform(0, DAYS * DAY, COUNT))
    return laid_out(table({"ts": times(seconds, "UTC"), "amount": np.arange(COUNT)}), "days(ts)")


def days_of_dates() -> Layout:
    """A partition for each of 40 dates, which is one file."""
    days = np.repeat(np.arange(DAYS), FILE_ROWS)
    return laid_out(table({"day": dates(days), "amount": np.arange(COUNT)}), "day")


def epoch_in_order() -> Layout:
    """40 files in order of seconds since 1970."""
    seconds = np.sort(rng(363).integers(0, DAYS * DAY, COUNT)) + EPOCH
    return laid_out(table({"epoch": seconds, "n": np.arange(COUNT)}))


def epoch_millis_anywhere() -> Layout:
    """40 files of milliseconds since 1970 as they come."""
    millis = (rng(364).integers(0, DAYS * DAY, COUNT) + EPOCH) * 1_000
    return laid_out(table({"epoch_ms": millis, "n": np.arange(COUNT)}))


def created_and_updated() -> Layout:
    """40 files in order of `created_at`; three rows of ten were updated within five days."""
    draw = rng(365)
    created = np.sort(draw.uniform(0, DAYS * DAY, COUNT))
    updated = times(created + draw.uniform(0, 5 * DAY, COUNT))
    known = pa.array(draw.random(COUNT) < 0.3)
    return laid_out(
        table(
            {
                "created_at": times(created),
                "updated_at": pc.if_else(known, updated, None),
                "n": np.arange(COUNT),
            }
        )
    )


def in_order_of_number() -> Layout:
    """40 files in order of a number."""
    return laid_out(table({"order_id": np.arange(COUNT) * 3, "n": np.arange(COUNT)}))


NO_LOSS = {
    "wrapped_column": "the engine pushes it",
    "partitions_too_coarse": "days are asked for",
    "local_day_boundaries": "days of UTC are asked for",
}

PAIRS = (
    # Days of a zone eight hours ahead, by arithmetic: two of 40.
    Pair(
        "shifted_by_hours",
        days_of_times,
        repeated(
            "SELECT sum(amount) FROM lake.db.shifted_by_hours"
            " WHERE ts + INTERVAL '8' HOUR >= TIMESTAMP '2026-01-20 00:00:00'"
            " AND ts + INTERVAL '8' HOUR < TIMESTAMP '2026-01-21 00:00:00'",
            8,
        ),
        expected=(
            Expected("wrapped_column", ("ts",), (0.92, 0.98), statements=False, rewrite=True),
        ),
        never=("DROP",),
    ),
    # One day of 40, in files of one day each.
    Pair(
        "epoch_as_time",
        epoch_in_order,
        repeated(
            "SELECT sum(n) FROM lake.db.epoch_as_time"
            " WHERE from_unixtime(epoch) >= TIMESTAMP '2026-01-20 00:00:00'"
            " AND from_unixtime(epoch) < TIMESTAMP '2026-01-21 00:00:00'",
            6,
        ),
        expected=(
            Expected("wrapped_column", ("epoch",), (0.9, 0.98), statements=False, rewrite=True),
        ),
        tempting={"unclustered_column": "files are in order of the epoch"},
    ),
    # Text of an expression of a number: nothing is pushed, and nothing would help by itself.
    Pair(
        "epoch_as_text",
        epoch_millis_anywhere,
        each(
            "SELECT sum(n) FROM lake.db.epoch_as_text"
            " WHERE from_unixtime(epoch_ms / 1000, 'yyyy-MM-dd') = '{}'",
            map(day, range(3, 33, 5)),
            **SPARK,
        ),
        expected=(Expected("wrapped_column", ("epoch_ms",), None, statements=False),),
        allowed=(Expected("unclustered_column", ("epoch_ms",)),),
    ),
    Pair(
        "epoch_millis",
        epoch_millis_anywhere,
        each(
            "SELECT sum(n) FROM lake.db.epoch_millis WHERE epoch_ms >= {} AND epoch_ms < {}",
            [((EPOCH + n * DAY) * 1_000, (EPOCH + (n + 1) * DAY) * 1_000) for n in range(0, 40, 3)],
        ),
        expected=(Expected("unclustered_column", ("epoch_ms",), (0.9, 0.98), True, False),),
    ),
    Pair(
        "time_as_epoch",
        days_of_times,
        repeated(
            "SELECT sum(amount) FROM lake.db.time_as_epoch"
            f" WHERE to_unixtime(ts) >= {EPOCH + 38 * DAY}",
            6,
        ),
        # The last two days of 40.
        expected=(Expected("wrapped_column", ("ts",), (0.9, 0.96), statements=False),),
        never=("DROP",),
    ),
    # Updates of the last two days are in the last seven files of 40: the OR of both columns is a
    # range of one or the other, which Spark pushes.
    Pair(
        "updated_or_created",
        created_and_updated,
        repeated(
            "SELECT sum(n) FROM lake.db.updated_or_created"
            f" WHERE coalesce(updated_at, created_at) >= TIMESTAMP_NTZ '{instant(38 * DAY)}'",
            6,
            **SPARK,
        ),
        expected=(Expected("wrapped_column", ("updated_at|created_at",), None, statements=False),),
    ),
    # Trino takes casts to dates apart, alone and in ranges; date() is one.
    Pair(
        "dates_of_times_in_trino",
        days_of_times,
        [
            *repeated(
                "SELECT sum(amount) FROM lake.db.dates_of_times_in_trino"
                f" WHERE date(ts) = DATE '{day(20)}'",
                5,
            ),
            *repeated(
                "SELECT sum(amount) FROM lake.db.dates_of_times_in_trino"
                f" WHERE CAST(ts AS date) BETWEEN DATE '{day(3)}' AND DATE '{day(9)}'",
                5,
            ),
        ],
        tempting=NO_LOSS,
    ),
    # In lists it does not, before trinodb/trino#31207 of September 2026: two days of 40.
    Pair(
        "listed_dates_of_times",
        days_of_times,
        repeated(
            "SELECT sum(amount) FROM lake.db.listed_dates_of_times"
            f" WHERE CAST(ts AS date) IN (DATE '{day(3)}', DATE '{day(30)}')",
            5,
            engine_version="476",
        ),
        expected=(
            Expected("wrapped_column", ("ts",), (0.92, 0.97), statements=False, rewrite=True),
        ),
        never=("DROP",),
    ),
    # The literal is a date's midnight, so Trino compares dates.
    Pair(
        "date_against_midnight",
        days_of_dates,
        repeated(
            "SELECT sum(amount) FROM lake.db.date_against_midnight"
            f" WHERE day = TIMESTAMP '{instant(20 * DAY)}'",
            5,
        ),
        tempting={**NO_LOSS, "type_mismatch": "Trino undoes the cast"},
    ),
    Pair(
        "time_against_date",
        days_of_times,
        repeated(
            "SELECT sum(amount) FROM lake.db.time_against_date"
            f" WHERE ts >= DATE '{day(20)}' AND ts < DATE '{day(22)}'",
            5,
        ),
        tempting={**NO_LOSS, "type_mismatch": "only the literal is cast"},
    ),
    # Text of a day without dashes, as a range: three days of 40.
    Pair(
        "days_as_compact_text",
        days_of_times,
        repeated(
            "SELECT sum(amount) FROM lake.db.days_as_compact_text"
            " WHERE date_format(ts, 'yyyyMMdd') BETWEEN '20260110' AND '20260112'",
            6,
            **SPARK_35,
        ),
        expected=(
            Expected("wrapped_column", ("ts",), (0.9, 0.94), statements=False, rewrite=True),
        ),
        never=("DROP",),
    ),
    # A view gives the day as text, and the report filters the view.
    Pair(
        "day_of_a_view",
        days_of_times,
        repeated(
            "WITH v AS (SELECT date_format(ts, '%Y-%m-%d') AS d, amount"
            " FROM lake.db.day_of_a_view) SELECT sum(amount) FROM v WHERE d = '2026-01-20'",
            6,
        ),
        expected=(
            Expected("wrapped_column", ("ts",), (0.93, 0.98), statements=False, rewrite=True),
        ),
        never=("DROP",),
        rewritten={
            "wrapped_column": repeated(
                "WITH v AS (SELECT date_format(ts, '%Y-%m-%d') AS d, amount"
                " FROM lake.db.day_of_a_view WHERE ts >= TIMESTAMP '2026-01-20 00:00:00'"
                " AND ts < TIMESTAMP '2026-01-21 00:00:00')"
                " SELECT sum(amount) FROM v WHERE d = '2026-01-20'",
                6,
            )
        },
    ),
    # The same with the time as it is: the filter goes through.
    Pair(
        "time_of_a_view",
        days_of_times,
        repeated(
            "WITH v AS (SELECT ts AS at, amount FROM lake.db.time_of_a_view)"
            " SELECT sum(amount) FROM (SELECT * FROM v) w"
            f" WHERE w.at >= TIMESTAMP '{instant(20 * DAY)}'"
            f" AND w.at < TIMESTAMP '{instant(21 * DAY)}'",
            6,
        ),
        tempting=NO_LOSS,
    ),
    # A number as text is that number: one file of 40.
    Pair(
        "number_as_text",
        in_order_of_number,
        each(
            "SELECT * FROM lake.db.number_as_text WHERE CAST(order_id AS varchar) = '{}'",
            range(30, 72_000, 6_000),
        ),
        expected=(Expected("type_mismatch|wrapped_column", ("order_id",), None, statements=False),),
        tempting={"unclustered_column": "files are in order of the number"},
    ),
    # What tools add to be able to append AND says nothing.
    Pair(
        "filters_of_a_tool",
        days_of_times,
        [
            *repeated(
                "SELECT sum(amount) FROM lake.db.filters_of_a_tool WHERE 1 = 1"
                f" AND (('all' = 'all') OR (amount = 7)) AND ((ts >= TIMESTAMP '{instant(DAY)}')"
                f" AND (ts < TIMESTAMP '{instant(2 * DAY)}'))",
                8,
            ),
            *repeated(
                "SELECT sum(amount) FROM lake.db.filters_of_a_tool WHERE TRUE"
                f" AND NOT (ts < TIMESTAMP '{instant(37 * DAY)}')",
                4,
            ),
        ],
        tempting={
            **NO_LOSS,
            "or_across_columns": "one arm is always true",
            "negated_condition": "the negation is a range",
        },
    ),
    # Weeks of another zone touch eight days for seven; that is what they cost.
    Pair(
        "weeks_of_new_york",
        days_of_zoned_times,
        each(
            "SELECT sum(amount) FROM lake.db.weeks_of_new_york"
            " WHERE ts >= TIMESTAMP '{} 00:00:00' AND ts < TIMESTAMP '{} 00:00:00'",
            [(day(n), day(n + 7)) for n in range(1, 31, 3)],
            time_zone="America/New_York",
        ),
        allowed=(Expected("local_day_boundaries", ("ts",), (0.0, 0.16)),),
        tempting={"partitions_too_coarse": "seven days of eight are asked for"},
        never=("DROP",),
    ),
)
