"""Partitions that are too small or too large for what queries ask, and some that are right."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from tests.workloads.model import Expected, Pair
from tests.workloads.physical import Layout
from tests.workloads.rows import (
    DAY,
    FILE_ROWS,
    dates,
    each,
    instant,
    laid_out,
    rng,
    scaled,
    table,
    texts,
    times,
)

TINY = 40
"""Rows of a file so small beside `LARGE` that opening it costs more than its bytes."""
LARGE = scaled(1024 * 1024)

MONTHS = [(f"2026-{month:02d}-01", f"2026-{month:02d}-28") for month in range(1, 12)]


def daily_dates() -> Layout:
    """A tiny partition for each of 360 dates."""
    days = np.repeat(np.arange(360), TINY)
    return laid_out(
        table({"day": dates(days), "amount": np.arange(len(days))}), "day", properties=LARGE
    )


def date_keys() -> Layout:
    """A tiny partition for each of 360 date keys, as of TPC-DS."""
    keys = np.repeat(np.arange(360), TINY) + 2_450_816
    return laid_out(
        table({"sk": pa.array(keys, pa.int32()), "amount": np.arange(len(keys))}),
        "sk",
        properties=LARGE,
    )


def hourly() -> Layout:
    """A tiny partition for each hour of 15 days."""
    seconds = np.repeat(np.arange(360) * 3_600, TINY) + rng(31).uniform(0, 3_600, 360 * TINY)
    return laid_out(
        table({"ts": times(seconds), "amount": np.arange(len(seconds))}),
        "hours(ts)",
        properties=LARGE,
    )


def customers() -> Layout:
    """A tiny partition for each of 300 customers, a hundred and seventieth of a file each."""
    ids = np.repeat(np.arange(300), 60)
    state = rng(32).choice(["open", "done"], len(ids))
    return laid_out(
        table({"customer_id": ids, "state": texts(state), "amount": np.arange(len(ids))}),
        "customer_id",
        properties=LARGE,
    )


def region_and_days() -> Layout:
    """A tiny partition for each of four regions and 90 days."""
    count = 360 * TINY
    seconds = rng(33).uniform(0, 90 * DAY, count)
    regions = rng(34).choice(["north", "east", "south", "west"], count)
    return laid_out(
        table({"region": texts(regions), "ts": times(seconds), "amount": np.arange(count)}),
        "region",
        "days(ts)",
        properties=LARGE,
    )


def store_and_dates() -> Layout:
    """A tiny partition for each of six stores and 60 dates."""
    count = 360 * TINY
    draw = rng(35)
    return laid_out(
        table(
            {
                "store": draw.integers(0, 6, count),
                "day": dates(draw.integers(0, 60, count)),
                "amount": np.arange(count),
            }
        ),
        "store",
        "day",
        properties=LARGE,
    )


def good_days() -> Layout:
    """A partition of two whole files for each of 40 days."""
    seconds = np.sort(rng(36).uniform(0, 40 * DAY, 80 * FILE_ROWS))
    return laid_out(
        table({"ts": times(seconds), "amount": np.arange(len(seconds))}),
        "days(ts)",
    )


def years_of_months() -> Layout:
    """A partition for each of three years, whose 12 files each hold days of the whole year."""
    seconds = rng(37).uniform(0, 1096 * DAY, 36 * FILE_ROWS)
    return laid_out(table({"ts": times(seconds), "amount": np.arange(len(seconds))}), "years(ts)")


def months_in_order() -> Layout:
    """A partition for each of three months, whose 14 files are in order of time."""
    seconds = np.sort(rng(38).uniform(0, 90 * DAY, 42 * FILE_ROWS))
    return laid_out(table({"ts": times(seconds), "amount": np.arange(len(seconds))}), "months(ts)")


PAIRS = (
    # A month is 28 partitions of 5 kB where a file should have 1,000: months are one file each.
    Pair(
        "daily_dates",
        daily_dates,
        each(
            "SELECT sum(amount) FROM lake.db.daily_dates WHERE day BETWEEN DATE '{}' AND DATE '{}'",
            MONTHS,
        ),
        expected=(Expected("partitions_too_fine", ("day",), None, True, False, (r"months\(",)),),
        tempting={"small_files": "no file spans partitions, so compaction wins nothing"},
        never=(r"DROP",),
    ),
    Pair(
        "date_keys",
        date_keys,
        each(
            "SELECT sum(amount) FROM lake.db.date_keys WHERE sk BETWEEN {} AND {}",
            [(2_450_816 + start, 2_450_845 + start) for start in range(0, 330, 30)],
        ),
        expected=(Expected("partitions_too_fine", ("sk",), None, True, False, (r"truncate\(",)),),
        tempting={"small_files": "no file spans partitions"},
        never=(r"DROP",),
    ),
    Pair(
        "hourly",
        hourly,
        each(
            "SELECT sum(amount) FROM lake.db.hourly"
            " WHERE ts >= TIMESTAMP '{}' AND ts < TIMESTAMP '{}'",
            [(instant(number * DAY), instant((number + 1) * DAY)) for number in range(15)],
        ),
        expected=(Expected("partitions_too_fine", ("ts",), None, True, False, (r"days\(",)),),
        tempting={"small_files": "no file spans partitions"},
    ),
    # Reports read all customers, 300 files of 6 kB where two would do; lookups of single customers
    # do want the field. Buckets, or ranges of ids, serve both.
    Pair(
        "customers_reported",
        customers,
        [
            *each(
                "SELECT customer_id, sum(amount) FROM lake.db.customers_reported"
                " WHERE state = '{}' GROUP BY 1",
                ["open", "done"] * 6,
            ),
            *each(
                "SELECT sum(amount) FROM lake.db.customers_reported WHERE customer_id = {}",
                range(5, 300, 60),
            ),
        ],
        expected=(
            Expected(
                "partitions_too_fine",
                ("customer_id",),
                None,
                True,
                False,
                (r"(truncate|bucket)\(",),
            ),
        ),
        tempting={
            "small_files": "no file spans partitions",
            "no_partition_filter": "half of all rows match state, wherever they are",
            "unclustered_column": "half of all rows match state, wherever they are",
        },
        never=(r"DROP",),
    ),
    # Each query reads the one small file that it wants. Larger partitions would read more.
    Pair(
        "customers_looked_up",
        customers,
        each(
            "SELECT sum(amount) FROM lake.db.customers_looked_up WHERE customer_id = {}",
            range(5, 300, 15),
        ),
        tempting={
            "partitions_too_fine": "every scan opens one file and reads what it needs",
            "small_files": "every scan opens one file",
        },
    ),
    # 30 days of one region are 30 files of 5 kB: one of a month.
    Pair(
        "region_and_days",
        region_and_days,
        each(
            "SELECT sum(amount) FROM lake.db.region_and_days WHERE region = '{}'"
            " AND ts >= TIMESTAMP '{}' AND ts < TIMESTAMP '{}'",
            [
                (region, instant(start * DAY), instant(end * DAY))
                for region in ("north", "east", "south", "west")
                for start, end in ((0, 31), (31, 59), (59, 90))
            ],
        ),
        expected=(Expected("partitions_too_fine", ("ts",), None, True, False, (r"months\(",)),),
        tempting={"small_files": "no file spans partitions"},
        never=("DROP PARTITION FIELD region",),
    ),
    # As in the fact tables of TPC-DS: two fields, 360 partitions, and a month of a store asked for.
    Pair(
        "store_and_dates",
        store_and_dates,
        each(
            "SELECT sum(amount) FROM lake.db.store_and_dates"
            " WHERE store = {} AND day BETWEEN DATE '{}' AND DATE '{}'",
            [
                (store, start, end)
                for store in range(6)
                for start, end in (("2026-01-01", "2026-01-31"), ("2026-02-01", "2026-02-28"))
            ],
        ),
        expected=(Expected("partitions_too_fine", ("day",), None, True, False, (r"months\(",)),),
        tempting={"small_files": "no file spans partitions"},
        never=("DROP PARTITION FIELD store",),
    ),
    Pair(
        "good_days",
        good_days,
        each(
            "SELECT sum(amount) FROM lake.db.good_days"
            " WHERE ts >= TIMESTAMP '{}' AND ts < TIMESTAMP '{}'",
            [(instant(number * DAY), instant((number + 1) * DAY)) for number in range(0, 40, 2)],
        ),
        tempting={"partitions_too_fine": "a day fills two files", "small_files": "files are whole"},
    ),
    Pair(
        "good_days_for_months",
        good_days,
        each(
            "SELECT sum(amount) FROM lake.db.good_days_for_months"
            " WHERE ts >= TIMESTAMP '{}' AND ts < TIMESTAMP '{}'",
            [(instant(start * DAY), instant((start + 30) * DAY)) for start in range(10)],
        ),
        tempting={"partitions_too_fine": "a day fills two files, so months save no file"},
    ),
    # A month is asked for, a year is read: 11 of 12 parts for nothing, and a month fills a file.
    Pair(
        "years_for_months",
        years_of_months,
        each(
            "SELECT sum(amount) FROM lake.db.years_for_months"
            " WHERE ts >= TIMESTAMP '{}' AND ts < TIMESTAMP '{}'",
            [
                (f"{year}-{month:02d}-01 00:00:00", f"{year}-{month + 1:02d}-01 00:00:00")
                for year in (2026, 2027, 2028)
                for month in (2, 5, 9, 11)
            ],
        ),
        expected=(
            Expected("partitions_too_coarse", ("ts",), (0.82, 0.95), True, False, (r"months\(",)),
        ),
        tempting={"unclustered_column": "one judgement of one layout: the bytes are the months'"},
    ),
    # Files inside the month are in order of time, so a day is two files of 14 anyway.
    Pair(
        "months_in_order",
        months_in_order,
        each(
            "SELECT sum(amount) FROM lake.db.months_in_order"
            " WHERE ts >= TIMESTAMP '{}' AND ts < TIMESTAMP '{}'",
            [(instant(number * DAY), instant((number + 1) * DAY)) for number in range(0, 90, 6)],
        ),
        tempting={
            "partitions_too_coarse": "files tell days apart",
            "unclustered_column": "files are in order",
        },
    ),
)
