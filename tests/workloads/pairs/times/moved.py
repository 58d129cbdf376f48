"""Times that conditions shift, cut, and write as text or as seconds."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from tests.workloads.model import Expected, Pair
from tests.workloads.physical import Layout
from tests.workloads.rows import (
    DAY,
    FILE_ROWS,
    SPARK,
    SPARK_35,
    dates,
    laid_out,
    repeated,
    rng,
    table,
    times,
)

FILES = 40
COUNT = FILES * FILE_ROWS


def _days(zone: str | None, seed: int, files: int = FILES) -> Layout:
    count = files * FILE_ROWS
    seconds = np.sort(rng(seed).uniform(0, files * DAY, count))
    return laid_out(table({"ts": times(seconds, zone), "amount": np.arange(count)}), "days(ts)")


def instants() -> Layout:
    """A partition for each of 40 days of instants."""
    return _days("UTC", 1001)


def clock_times() -> Layout:
    """A partition for each of 40 days of times without zone."""
    return _days(None, 1002)


def instants_of_a_quarter() -> Layout:
    """A partition for each of 90 days of instants: January to March."""
    return _days("UTC", 1003, 90)


def dates_of_a_quarter() -> Layout:
    """A partition for each of 90 dates: January to March."""
    days = np.repeat(np.arange(90), FILE_ROWS)
    return laid_out(table({"d": dates(days), "amount": np.arange(len(days))}), "d")


def milliseconds() -> Layout:
    """40 files in order of Unix times in milliseconds, over 40 days."""
    seconds = np.sort(rng(1004).uniform(0, FILES * DAY, COUNT))
    epoch = (seconds * 1000).astype(np.int64) + 1_767_225_600_000
    return laid_out(table({"epoch_ms": epoch, "amount": np.arange(COUNT)}))


def updated_later() -> Layout:
    """40 days of orders, of which one in ten was changed within two days of its making."""
    made = np.sort(rng(1005).uniform(0, FILES * DAY, COUNT))
    later = made + rng(1006).uniform(0, 2 * DAY, COUNT)
    changed = rng(1007).uniform(0, 1, COUNT) < 0.1
    updated = times(later, "UTC").to_pylist()
    rows = table(
        {
            "created_at": times(made, "UTC"),
            "updated_at": pa.array(
                [value if kept else None for value, kept in zip(updated, changed, strict=True)],
                pa.timestamp("us", tz="UTC"),
            ),
            "amount": np.arange(COUNT),
        }
    )
    return laid_out(rows, "days(created_at)")


ONE_OF_40 = (0.94, 0.99)
TWO_OF_40 = (0.9, 0.97)
A_MONTH_OF_90_DAYS = (0.6, 0.7)

PAIRS = (
    # An hour as text lies in one day of 40.
    Pair(
        "hour_as_digits",
        instants,
        repeated(
            "SELECT sum(amount) FROM lake.db.hour_as_digits"
            " WHERE date_format(ts, 'yyyyMMddHH') = '2026011205'",
            5,
            **SPARK,
        ),
        expected=(Expected("wrapped_column", ("ts",), ONE_OF_40, statements=False, rewrite=True),),
        tempting={"partitions_too_coarse": "the filter does not even reach the days"},
        never=("DROP", "REPLACE"),
    ),
    # The day of New York begins at five: two days of UTC of 40.
    Pair(
        "day_of_new_york",
        instants,
        repeated(
            "SELECT sum(amount) FROM lake.db.day_of_new_york"
            " WHERE CAST(ts AT TIME ZONE 'America/New_York' AS date) = DATE '2026-02-03'",
            5,
        ),
        expected=(Expected("wrapped_column", ("ts",), TWO_OF_40, statements=False, rewrite=True),),
        allowed=(Expected("local_day_boundaries", ("ts",)),),
        never=("DROP", "REPLACE"),
    ),
    # The same by hand.
    Pair(
        "day_less_five_hours",
        clock_times,
        repeated(
            "SELECT sum(amount) FROM lake.db.day_less_five_hours"
            " WHERE CAST(ts - INTERVAL '5' HOUR AS date) = DATE '2026-01-20'",
            5,
        ),
        expected=(Expected("wrapped_column", ("ts",), TWO_OF_40, statements=False, rewrite=True),),
        allowed=(Expected("local_day_boundaries", ("ts",)),),
        never=("DROP", "REPLACE"),
    ),
    # Shifted, and then written as text.
    Pair(
        "shifted_day_as_text",
        instants,
        repeated(
            "SELECT sum(amount) FROM lake.db.shifted_day_as_text WHERE"
            " date_format(from_utc_timestamp(ts, 'America/New_York'), 'yyyy-MM-dd') = '2026-01-20'",
            5,
            **SPARK_35,
        ),
        expected=(Expected("wrapped_column", ("ts",), TWO_OF_40, statements=False, rewrite=True),),
        allowed=(Expected("local_day_boundaries", ("ts",)),),
        never=("DROP", "REPLACE"),
    ),
    # Spark's own function for times without zone: 23:00 to 23:00 in winter.
    Pair(
        "converted_day",
        clock_times,
        repeated(
            "SELECT sum(amount) FROM lake.db.converted_day WHERE"
            " CAST(convert_timezone('UTC', 'Europe/Berlin', ts) AS DATE) = DATE '2026-01-20'",
            5,
            **SPARK,
        ),
        expected=(Expected("wrapped_column", ("ts",), TWO_OF_40, statements=False, rewrite=True),),
        allowed=(Expected("local_day_boundaries", ("ts",)),),
        never=("DROP", "REPLACE"),
    ),
    # Spark makes a text of a time for substring() unasked.
    Pair(
        "month_by_substring",
        instants_of_a_quarter,
        repeated(
            "SELECT sum(amount) FROM lake.db.month_by_substring"
            " WHERE substring(ts, 1, 7) = '2026-02'",
            5,
            **SPARK_35,
        ),
        expected=(
            Expected(
                "wrapped_column|type_mismatch",
                ("ts",),
                A_MONTH_OF_90_DAYS,
                statements=False,
                rewrite=True,
            ),
        ),
    ),
    # The seconds of one day: 1768867200 is 20 January.
    Pair(
        "seconds_of_a_day",
        instants,
        repeated(
            "SELECT sum(amount) FROM lake.db.seconds_of_a_day"
            " WHERE unix_timestamp(ts) BETWEEN 1768867200 AND 1768953599",
            5,
            **SPARK,
        ),
        expected=(Expected("wrapped_column", ("ts",), ONE_OF_40, statements=False, rewrite=True),),
    ),
    # Milliseconds divided by 1,000, and made times: files are in order of them.
    Pair(
        "milliseconds_as_times",
        milliseconds,
        repeated(
            "SELECT sum(amount) FROM lake.db.milliseconds_as_times"
            " WHERE from_unixtime(epoch_ms / 1000) >= TIMESTAMP '2026-01-20 00:00:00 UTC'"
            " AND from_unixtime(epoch_ms / 1000) < TIMESTAMP '2026-01-21 00:00:00 UTC'",
            5,
        ),
        expected=(
            Expected("wrapped_column", ("epoch_ms",), (0.9, 0.99), statements=False, rewrite=True),
        ),
        tempting={"unclustered_column": "files are in order of it"},
    ),
    # Trino unwraps date_trunc() of an instant alone, and not beside a null check in an OR.
    Pair(
        "day_or_unknown",
        instants,
        repeated(
            "SELECT sum(amount) FROM lake.db.day_or_unknown"
            " WHERE (date_trunc('day', ts) = TIMESTAMP '2026-01-20 00:00:00 UTC' OR ts IS NULL)",
            5,
        ),
        expected=(Expected("wrapped_column", ("ts",), ONE_OF_40, statements=False, rewrite=True),),
        tempting={"or_across_columns": "it is one column"},
    ),
    # A month put together from its parts.
    Pair(
        "month_of_padded_parts",
        dates_of_a_quarter,
        repeated(
            "SELECT sum(amount) FROM lake.db.month_of_padded_parts"
            " WHERE concat(year(d), '-', lpad(month(d), 2, '0')) = '2026-02'",
            5,
            **SPARK_35,
        ),
        expected=(
            Expected("wrapped_column", ("d",), A_MONTH_OF_90_DAYS, statements=False, rewrite=True),
        ),
        tempting={"partitions_too_fine": "each is a file of the right size"},
    ),
    # The last change, or else the making: `updated_at >= x OR updated_at IS NULL AND
    # created_at >= x` keeps the last five days, and two before them.
    Pair(
        "changed_or_made",
        updated_later,
        repeated(
            "SELECT sum(amount) FROM lake.db.changed_or_made"
            " WHERE coalesce(updated_at, created_at) >= TIMESTAMP '2026-02-05 00:00:00'",
            5,
            **SPARK,
        ),
        expected=(
            Expected(
                "wrapped_column", ("created_at",), (0.75, 0.88), statements=False, rewrite=True
            ),
        ),
        tempting={
            "misaligned_partitioning": "the day of making keeps both columns together",
            "or_across_columns": "Spark pushes an OR",
        },
        never=("DROP", "REPLACE"),
    ),
    # Retention by the text of a time copies 40 files to lose two.
    Pair(
        "deleted_by_text",
        instants,
        repeated(
            "DELETE FROM lake.db.deleted_by_text WHERE CAST(ts AS STRING) < '2026-01-03'",
            5,
            **SPARK,
        ),
        expected=(
            Expected(
                "wrapped_column|type_mismatch", ("ts",), TWO_OF_40, statements=False, rewrite=True
            ),
        ),
    ),
    # What is merged is of one day, which only a text says.
    Pair(
        "merged_by_text",
        instants,
        repeated(
            "MERGE INTO lake.db.merged_by_text t USING (SELECT 17 AS amount) s"
            " ON t.amount = s.amount AND date_format(t.ts, 'yyyy-MM-dd') = '2026-02-05'"
            " WHEN MATCHED THEN UPDATE SET amount = s.amount + 1",
            5,
            **SPARK,
        ),
        expected=(Expected("wrapped_column", ("ts",), ONE_OF_40, statements=False, rewrite=True),),
        allowed=(Expected("runtime_only", ()),),
    ),
)
