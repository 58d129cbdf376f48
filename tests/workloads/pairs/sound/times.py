"""Tables of days and times that are as they should be, whatever they look like."""

from __future__ import annotations

import datetime as dt

import numpy as np

from tests.workloads.model import Expected, Pair
from tests.workloads.pairs.queries.logged import job
from tests.workloads.pairs.times.daily import (
    SMALL,
    SMALL_ROWS,
    buckets_and_days,
    days_of_structs,
    last_days_of_a_century,
)
from tests.workloads.physical import Layout
from tests.workloads.rows import (
    DAY,
    FILE_ROWS,
    SPARK,
    dates,
    day,
    each,
    instant,
    laid_out,
    repeated,
    rng,
    table,
    texts,
    times,
)

LAST_DAY = dt.date(2099, 12, 31)


def keys_to_the_last_day() -> Layout:
    """Sixty days up to the night of the audit, as 20991231, a file each."""
    keys = [int((LAST_DAY - dt.timedelta(days=number)).strftime("%Y%m%d")) for number in range(60)]
    days = np.repeat(np.array(keys[::-1], np.int32), FILE_ROWS)
    return laid_out(table({"dt": days, "amount": np.arange(len(days))}), "dt")


def facts_of_days() -> Layout:
    """Forty days, a file each; regions and notes are anywhere."""
    draw = rng(1103)
    days = np.repeat(np.arange(40), FILE_ROWS)
    return laid_out(
        table(
            {
                "day": dates(days),
                "region": texts(draw.integers(0, 8, len(days)), "r{}"),
                "note": texts(draw.integers(0, 10_000, len(days)), "asked for refund {}"),
                "amount": np.arange(len(days)),
            },
            row_bytes=130,
        ),
        "day",
        properties={"write.metadata.metrics.column.note": "none"},
    )


def sixty_days() -> Layout:
    """Sixty days, a file each."""
    seconds = rng(1112).uniform(0, 60 * DAY, 60 * FILE_ROWS)
    return laid_out(
        table({"ts": times(seconds), "amount": np.arange(len(seconds))}),
        "days(ts)",
    )


def whole_hours() -> Layout:
    """Ten days of hours, each of which is a file."""
    seconds = rng(1114).uniform(0, 10 * DAY, 240 * SMALL_ROWS)
    return laid_out(
        table({"ts": times(seconds, "UTC"), "amount": np.arange(len(seconds))}),
        "hours(ts)",
        file_rows=SMALL_ROWS,
        properties=SMALL,
    )


NEVER = ("PARTITION FIELD", "ORDERED BY")

PAIRS = (
    Pair(
        "tenant_days_asked",
        buckets_and_days,
        each(
            "SELECT count(*) FROM lake.db.tenant_days_asked WHERE tenant_id = {}"
            " AND ts >= TIMESTAMP '{} UTC' AND ts < TIMESTAMP '{} UTC'",
            [(n * 37, instant(n * DAY), instant((n + 1) * DAY)) for n in range(20)],
        ),
        tempting={
            "unclustered_column": "a partition is one file",
            "range_on_bucketed_column": "one value is asked for",
        },
        never=NEVER,
    ),
    Pair(
        "nested_days_asked",
        days_of_structs,
        each(
            "SELECT count(*) FROM lake.db.nested_days_asked"
            " WHERE event.ts >= TIMESTAMP '{}' AND event.ts < TIMESTAMP '{}'",
            [(instant(n * DAY), instant((n + 2) * DAY)) for n in range(0, 28, 3)],
            **SPARK,
        ),
        tempting={"no_partition_filter": "the struct's time is the partition's column"},
        never=NEVER,
    ),
    # What is computed of today's date is a constant.
    Pair(
        "last_week_by_key",
        keys_to_the_last_day,
        repeated(
            "SELECT sum(amount) FROM lake.db.last_week_by_key WHERE dt >="
            " CAST(date_format(current_date - INTERVAL '7' DAY, '%Y%m%d') AS integer)",
            20,
        ),
        tempting={
            "type_mismatch": "numbers are compared with a number",
            "wrapped_column": "nothing is around the column",
            "no_partition_filter": "the partition's column is asked for",
        },
        never=NEVER,
    ),
    Pair(
        "last_week_by_key_in_spark",
        keys_to_the_last_day,
        repeated(
            "SELECT sum(amount) FROM lake.db.last_week_by_key_in_spark WHERE dt >="
            " CAST(date_format(date_sub(current_date(), 7), 'yyyyMMdd') AS INT)",
            20,
            **SPARK,
        ),
        tempting={
            "type_mismatch": "numbers are compared with a number",
            "wrapped_column": "nothing is around the column",
        },
        never=NEVER,
    ),
    # A date against a time with a zone is cast, not the column.
    Pair(
        "last_three_days",
        last_days_of_a_century,
        repeated(
            "SELECT sum(amount) FROM lake.db.last_three_days"
            " WHERE ts >= date_sub(current_date(), 2)",
            20,
            **SPARK,
        ),
        tempting={
            "type_mismatch": "Spark casts the date, which is a constant",
            "unclustered_column": "all that is read matches",
        },
        never=NEVER,
    ),
    # The calendar restricts days at run time; no order of regions helps in a day of one file.
    Pair(
        "dated_by_a_join",
        facts_of_days,
        each(
            "SELECT sum(f.amount) FROM lake.db.dated_by_a_join f"
            " JOIN shop.public.calendar c ON f.day = c.day"
            " WHERE c.week = {} AND f.region = 'r3'",
            range(1, 6),
        ),
        allowed=(Expected("runtime_only", ()),),
        tempting={
            "no_partition_filter": "the join is on the partition's column",
            "misaligned_partitioning": "the join is on the partition's column",
            "unclustered_column": "a day is one file",
        },
        never=NEVER,
    ),
    # What tools write for filters that nobody has set is a constant.
    Pair(
        "filters_not_set",
        facts_of_days,
        [
            *each(
                "SELECT sum(amount) FROM lake.db.filters_not_set"
                " WHERE ('' = '' OR region = '') AND day = DATE '{}'",
                map(day, range(0, 40, 3)),
            ),
            *each(
                "SELECT sum(amount) FROM lake.db.filters_not_set"
                " WHERE ('r3' IS NULL OR region = 'r3') AND day BETWEEN DATE '{}' AND DATE '{}'",
                [(day(n), day(n + 6)) for n in range(0, 33, 3)],
            ),
        ],
        tempting={
            "or_across_columns": "one arm is a constant",
            "unclustered_column": "a day is one file",
        },
        never=NEVER,
    ),
    # The day leaves one file; that bounds of notes are missing costs nothing.
    Pair(
        "notes_of_a_day",
        facts_of_days,
        each(
            "SELECT count(*) FROM lake.db.notes_of_a_day"
            " WHERE day = DATE '{}' AND note LIKE '%refund 7%'",
            map(day, range(0, 40, 3)),
        ),
        tempting={
            "like_without_prefix": "the day leaves one file",
            "no_column_metrics": "no bounds help a pattern",
        },
        never=NEVER,
    ),
    # Midnight is of the next day, which costs a file; no layout can mend that.
    Pair(
        "between_two_midnights",
        sixty_days,
        each(
            "SELECT sum(amount) FROM lake.db.between_two_midnights"
            " WHERE ts BETWEEN TIMESTAMP '{}' AND TIMESTAMP '{}'",
            [(instant(n * DAY), instant((n + 1) * DAY)) for n in range(0, 58, 3)],
        ),
        tempting={
            "partitions_too_coarse": "whole days are asked for",
            "local_day_boundaries": "the ends are midnights of the table",
            "unclustered_column": "a day is one file",
        },
        never=NEVER,
    ),
    # A day goes each night, as a whole.
    Pair(
        "old_days_deleted",
        sixty_days,
        each(
            "DELETE FROM lake.db.old_days_deleted WHERE ts < TIMESTAMP_NTZ '{}'",
            [instant(n * DAY) for n in range(1, 8)],
            **SPARK,
        ),
        tempting={"misaligned_partitioning": "retention is by the partitions"},
        never=NEVER,
    ),
    # Shifts of eight hours, each hour a file.
    Pair(
        "shifts",
        whole_hours,
        each(
            "SELECT sum(amount) FROM lake.db.shifts"
            " WHERE ts >= TIMESTAMP '{} UTC' AND ts < TIMESTAMP '{} UTC'",
            [(instant(n * DAY / 3), instant((n + 1) * DAY / 3)) for n in range(0, 30, 2)],
        ),
        tempting={
            "partitions_too_fine": "an hour is a file",
            "local_day_boundaries": "shifts are no days",
        },
        never=NEVER,
    ),
    # What rows are checked for is what was pushed.
    Pair(
        "log_hours_pushed",
        whole_hours,
        [
            job(
                n,
                "log_hours_pushed",
                f"ts IS NOT NULL, ts >= {1767225600000000 + n * 3600 * 1000000}, "
                f"ts < {1767225600000000 + (n + 2) * 3600 * 1000000}",
                f"((isnotnull(ts) AND (ts >= {instant(n * 3600)})) AND (ts < "
                f"{instant((n + 2) * 3600)}))",
                version="3.5.6",
            )
            for n in range(0, 200, 17)
        ],
        tempting={
            "wrapped_column": "the range was pushed",
            "partitions_too_fine": "an hour is a file",
        },
        never=NEVER,
    ),
)
