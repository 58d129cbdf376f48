"""What became of files over the years: small ones, old specs, orders that were kept once."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from tests.workloads.model import Expected, Pair
from tests.workloads.physical import Commit, Layout, cut
from tests.workloads.rows import (
    DAY,
    FILE_ROWS,
    SPARK,
    TARGET_BYTES,
    each,
    instant,
    laid_out,
    loaded,
    repeated,
    rng,
    scaled,
    table,
    times,
)

COUNT = 60 * FILE_ROWS
BY_DAY = ("days(ts)",)


def _rows(seed: int, first: int, last: int, count: int, *, sort: bool = False) -> pa.Table:
    """Rows of the days from `first` until `last`."""
    draw = rng(seed)
    seconds = draw.uniform(first * DAY, last * DAY, count)
    return table(
        {
            "ts": times(np.sort(seconds) if sort else seconds),
            "customer_id": draw.integers(0, 3000, count),
        },
        seed,
    )


def streamed_today() -> Layout:
    """20 days of a file each, and one day of 160 files of ten rows, as a stream writes them."""
    old = Commit(loaded(_rows(5301, 0, 20, 20 * FILE_ROWS), BY_DAY, FILE_ROWS), BY_DAY)
    new = cut(_rows(5302, 20, 21, 1600, sort=True), 10)
    commits = [Commit(tuple(new[n : n + 40]), BY_DAY) for n in range(0, 160, 40)]
    return Layout((old, *commits), BY_DAY, scaled())


def streamed_for_days() -> Layout:
    """Eight days of 60 files of ten rows each."""
    days = [cut(_rows(5310 + n, n, n + 1, 600, sort=True), 10) for n in range(8)]
    return Layout(tuple(Commit(tuple(day), BY_DAY) for day in days), BY_DAY, scaled())


def hours() -> Layout:
    """20 days, each hour of which is a file that is a hundredth of what it should be."""
    return laid_out(
        _rows(5320, 0, 20, 20 * FILE_ROWS), "hours(ts)", properties=scaled(8 * TARGET_BYTES)
    )


def partitioned_since() -> Layout:
    """40 days in 40 files without partitions or order, and 20 days since in a file each."""
    old = Commit(tuple(cut(_rows(5321, 0, 40, 40 * FILE_ROWS), FILE_ROWS)))
    new = Commit(loaded(_rows(5322, 40, 60, 20 * FILE_ROWS), BY_DAY, FILE_ROWS), BY_DAY)
    return Layout((old, new), BY_DAY, scaled())


def days_since() -> Layout:
    """40 days in partitions of months, and 20 days since in a file each."""
    by_month = ("months(ts)",)
    old = Commit(loaded(_rows(5323, 0, 40, 40 * FILE_ROWS), by_month, FILE_ROWS), by_month)
    new = Commit(loaded(_rows(5324, 40, 60, 20 * FILE_ROWS), BY_DAY, FILE_ROWS), BY_DAY)
    return Layout((old, new), BY_DAY, scaled())


def year_in_order() -> Layout:
    """A partition of one year, whose 60 files are in order of time."""
    return laid_out(_rows(5325, 0, 365, COUNT, sort=True), "years(ts)")


def sorted_once() -> Layout:
    """30 files in order of customers, as a job left them, and 30 as rows arrived since."""
    old = _rows(5326, 0, 30, COUNT // 2)
    files = cut(old.sort_by("customer_id"), FILE_ROWS)
    new = cut(_rows(5327, 30, 60, COUNT // 2), FILE_ROWS)
    return Layout((Commit(tuple(files)), Commit(tuple(new))), (), scaled())


def shuffled_days() -> Layout:
    """Eight days of eight files each, in which times are in no order."""
    return laid_out(_rows(5328, 0, 8, 64 * FILE_ROWS), "days(ts)")


def days_in_order() -> Layout:
    """Eight days of eight files each, of three hours each."""
    return laid_out(_rows(5329, 0, 8, 64 * FILE_ROWS, sort=True), "days(ts)")


PAIRS = (
    # 160 files are opened for the rows of three, all of them of today.
    Pair(
        "today_in_small_files",
        streamed_today,
        [
            *repeated(
                "SELECT count(*) FROM lake.db.today_in_small_files"
                f" WHERE ts >= TIMESTAMP '{instant(20 * DAY)}'",
                20,
            ),
            *each(
                "SELECT count(*) FROM lake.db.today_in_small_files"
                " WHERE ts >= TIMESTAMP '{}' AND ts < TIMESTAMP '{}'",
                [(instant(n * DAY), instant((n + 7) * DAY)) for n in (0, 6, 12)],
            ),
        ],
        expected=(Expected("small_files", (), None, True, None, (r"(?i)\bwhere\b",)),),
        tempting={"partitions_too_fine": "a day fills a file or more"},
        never=("PARTITION FIELD", "ORDERED BY"),
    ),
    # The small files are there, and no query opens them.
    Pair(
        "small_files_that_nobody_opens",
        streamed_today,
        each(
            "SELECT count(*) FROM lake.db.small_files_that_nobody_opens"
            " WHERE ts >= TIMESTAMP '{}' AND ts < TIMESTAMP '{}'",
            [(instant(n * DAY), instant((n + 2) * DAY)) for n in range(18)],
        ),
        tempting={
            "small_files": "no query opens one",
            "partitions_too_fine": "a day fills a file",
        },
    ),
    Pair(
        "small_files_in_all_days",
        streamed_for_days,
        each(
            "SELECT count(*) FROM lake.db.small_files_in_all_days"
            " WHERE ts >= TIMESTAMP '{}' AND ts < TIMESTAMP '{}'",
            [(instant(n * DAY), instant((n + 3) * DAY)) for n in range(6)],
            **SPARK,
        ),
        expected=(Expected("small_files", (), None, True),),
        tempting={"partitions_too_fine": "a day would fill a file"},
        never=("PARTITION FIELD",),
    ),
    # 168 files for a week, none of which compaction can merge with another.
    Pair(
        "weeks_of_tiny_hours",
        hours,
        each(
            "SELECT count(*) FROM lake.db.weeks_of_tiny_hours"
            " WHERE ts >= TIMESTAMP '{}' AND ts < TIMESTAMP '{}'",
            [(instant(n * DAY), instant((n + 7) * DAY)) for n in range(13)],
        ),
        expected=(Expected("partitions_too_fine", ("ts",), None, True, False, (r"WITH days\(",)),),
        tempting={"small_files": "no file spans two hours"},
    ),
    # 40 old files for each day, where one would do; of the days since, one is read.
    Pair(
        "history_before_the_days",
        partitioned_since,
        each(
            "SELECT count(*) FROM lake.db.history_before_the_days"
            " WHERE ts >= TIMESTAMP '{}' AND ts < TIMESTAMP '{}'",
            [(instant(n * DAY), instant((n + 1) * DAY)) for n in range(0, 60, 3)],
        ),
        expected=(Expected("old_spec_files", ("ts",), (0.85, 0.98), True, False),),
        tempting={"unclustered_column": "a rewrite by days is enough"},
    ),
    # Files of months are there, and no query reads them.
    Pair(
        "only_days_since",
        days_since,
        each(
            "SELECT count(*) FROM lake.db.only_days_since"
            " WHERE ts >= TIMESTAMP '{}' AND ts < TIMESTAMP '{}'",
            [(instant(n * DAY), instant((n + 2) * DAY)) for n in range(40, 58)],
        ),
        tempting={
            "old_spec_files": "no query reads an old file",
            "partitions_too_coarse": "days are days now",
        },
        never=("rewrite_data_files",),
    ),
    # One partition, but its files are in order: one or two of 60 are read.
    Pair(
        "a_year_in_order",
        year_in_order,
        each(
            "SELECT count(*) FROM lake.db.a_year_in_order"
            " WHERE ts >= TIMESTAMP '{}' AND ts < TIMESTAMP '{}'",
            [(instant(n * DAY), instant((n + 3) * DAY)) for n in range(0, 360, 24)],
        ),
        tempting={
            "partitions_too_coarse": "bounds of times leave one file or two",
            "unclustered_column": "times are in order",
        },
        never=("PARTITION FIELD", "ORDERED BY"),
    ),
    # Of the files in order one is read, of the others all 30.
    Pair(
        "sorted_once_and_not_since",
        sorted_once,
        each(
            "SELECT * FROM lake.db.sorted_once_and_not_since WHERE customer_id = {}",
            range(40, 3000, 250),
            **SPARK,
        ),
        expected=(Expected("unclustered_column", ("customer_id",), (0.85, 0.97), True, False),),
        tempting={"small_files": "files have their size"},
    ),
    # An hour is a third of a file, and eight are read.
    Pair(
        "hours_of_shuffled_days",
        shuffled_days,
        each(
            "SELECT count(*) FROM lake.db.hours_of_shuffled_days"
            " WHERE ts >= TIMESTAMP '{}' AND ts < TIMESTAMP '{}'",
            [(instant(n * 3600), instant((n + 1) * 3600)) for n in range(0, 192, 7)],
        ),
        expected=(
            Expected("unclustered_column|partitions_too_coarse", ("ts",), (0.7, 0.88), True, False),
        ),
        never=("DROP", r"hours\("),
    ),
    Pair(
        "hours_of_days_in_order",
        days_in_order,
        each(
            "SELECT count(*) FROM lake.db.hours_of_days_in_order"
            " WHERE ts >= TIMESTAMP '{}' AND ts < TIMESTAMP '{}'",
            [(instant(n * 3600), instant((n + 1) * 3600)) for n in range(0, 192, 7)],
        ),
        tempting={
            "partitions_too_coarse": "an hour is in one file or two",
            "unclustered_column": "times are in order",
        },
        never=("PARTITION FIELD", "ORDERED BY"),
    ),
)
