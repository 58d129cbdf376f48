"""Tables of two halves: compacted and streamed, of an old spec and a new one, with and without
deletes."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from tests.workloads.model import Expected, Pair
from tests.workloads.physical import Commit, Layout, cut, split
from tests.workloads.rows import (
    DAY,
    FILE_ROWS,
    SPARK,
    each,
    instant,
    loaded,
    repeated,
    rng,
    scaled,
    table,
    times,
)

BY_DAY = ("days(ts)",)
BY_MONTH = ("months(ts)",)


def _pings(
    seed: int, first: float, last: float, rows_a_day: int, *, in_order: bool = False
) -> pa.Table:
    draw = rng(seed)
    count = int((last - first) * rows_a_day)
    seconds = draw.uniform(first * DAY, last * DAY, count)
    return table(
        {
            "ts": times(np.sort(seconds) if in_order else seconds),
            "device_id": draw.integers(0, 3000, count),
        },
        seed,
    )


def streamed_half() -> Layout:
    """17 days of eight files each, in order of devices, and three in 64 small files each, as they
    were streamed."""
    old = _pings(8851, 0, 17, 8 * FILE_ROWS)
    by_device = old.take(pa.array(np.argsort(old["device_id"].to_numpy(), kind="stable")))
    new = _pings(8852, 17, 20, 8 * FILE_ROWS, in_order=True)
    return Layout(
        (
            Commit(loaded(by_device, BY_DAY, FILE_ROWS), BY_DAY),
            Commit(loaded(new, BY_DAY, FILE_ROWS // 8), BY_DAY),
        ),
        BY_DAY,
        scaled(),
        declared=("device_id",),
    )


def _evolved(seed: int, *, in_order: bool) -> Layout:
    """Four months of ten files each, and 60 days since, of two files each."""
    old = _pings(seed, 0, 120, 10 * FILE_ROWS // 30, in_order=in_order)
    new = _pings(seed + 1, 120, 180, 2 * FILE_ROWS)
    return Layout(
        (
            Commit(loaded(old, BY_MONTH, FILE_ROWS), BY_MONTH),
            Commit(loaded(new, BY_DAY, FILE_ROWS), BY_DAY),
        ),
        BY_DAY,
        scaled(),
    )


def months_in_any_order() -> Layout:
    """Old months with rows in any order."""
    return _evolved(8853, in_order=False)


def months_in_order() -> Layout:
    """Old months with rows in order of time."""
    return _evolved(8855, in_order=True)


def changed_often() -> Layout:
    """40 files, of which rows were deleted seven times, a few in each file."""
    rows = _pings(8857, 0, 40, FILE_ROWS, in_order=True)
    return Layout(
        (Commit(tuple(cut(rows, FILE_ROWS))), *(Commit((), deletes=True) for _ in range(7))),
        (),
        scaled(),
    )


def changed_once() -> Layout:
    """40 files, of which rows were deleted once."""
    rows = _pings(8858, 0, 40, FILE_ROWS, in_order=True)
    return Layout((Commit(tuple(cut(rows, FILE_ROWS))), Commit((), deletes=True)), (), scaled())


def changed_thrice() -> Layout:
    """40 files, of which rows were deleted three times."""
    rows = _pings(8861, 0, 40, FILE_ROWS, in_order=True)
    return Layout(
        (Commit(tuple(cut(rows, FILE_ROWS))), *(Commit((), deletes=True) for _ in range(3))),
        (),
        scaled(),
    )


def trickled() -> Layout:
    """200 days that were compacted to a file each, and today's 90 files of a minute or two."""
    old = _pings(8859, 0, 200, FILE_ROWS, in_order=True)
    new = _pings(8860, 200, 201, FILE_ROWS, in_order=True)
    return Layout(
        (
            Commit(loaded(old, BY_DAY, FILE_ROWS), BY_DAY),
            *(
                Commit((part,), BY_DAY)
                for day in split(new, BY_DAY)
                for part in cut(day, FILE_ROWS // 90 + 1)
            ),
        ),
        BY_DAY,
        scaled(),
    )


PAIRS = (
    # The newest days are not as old ones were left, and they alone are asked for.
    Pair(
        "pings_streamed_since_friday",
        streamed_half,
        each(
            "SELECT * FROM lake.db.pings_streamed_since_friday WHERE device_id = {}"
            " AND ts >= TIMESTAMP '{}'",
            [(n * 43 % 3000, instant(17 * DAY)) for n in range(64)],
        ),
        expected=(Expected("unclustered_column", ("device_id",), (0.7, 0.93), True, False),),
        allowed=(Expected("small_files", ()),),
        tempting={
            "no_partition_filter": "days are asked for",
            "partitions_too_coarse": "days are asked for",
        },
        never=("PARTITION FIELD",),
    ),
    # Nobody asks for what is by months.
    Pair(
        "newest_days_since_months",
        months_in_any_order,
        each(
            "SELECT count(*) FROM lake.db.newest_days_since_months WHERE ts >= TIMESTAMP '{}'",
            [instant((179 - n % 7) * DAY) for n in range(50)],
        ),
        tempting={
            "old_spec_files": "old files are not read",
            "unclustered_column": "days are partitions",
            "partitions_too_coarse": "new ones are days",
        },
        never=("PARTITION FIELD", "ORDERED BY"),
    ),
    # Ten files of a month, for a third of one.
    Pair(
        "old_days_in_months",
        months_in_any_order,
        each(
            "SELECT count(*) FROM lake.db.old_days_in_months"
            " WHERE ts >= TIMESTAMP '{}' AND ts < TIMESTAMP '{}'",
            [(instant(n * DAY), instant((n + 1) * DAY)) for n in range(2, 180, 6)],
        ),
        expected=(Expected("old_spec_files", ("ts",), (0.6, 0.93), True, False),),
        tempting={"unclustered_column": "a rewrite by days is enough"},
        never=("PARTITION FIELD", "ORDERED BY"),
    ),
    # Old files are in order of time, so that a day is in one or two of them.
    Pair(
        "old_days_in_order_in_months",
        months_in_order,
        each(
            "SELECT count(*) FROM lake.db.old_days_in_order_in_months"
            " WHERE ts >= TIMESTAMP '{}' AND ts < TIMESTAMP '{}'",
            [(instant(n * DAY), instant((n + 3) * DAY)) for n in range(0, 177, 6)],
        ),
        tempting={
            "old_spec_files": "files of months are in order of time",
            "partitions_too_coarse": "files of months are in order of time",
            "unclustered_column": "files are in order of time",
        },
        never=("PARTITION FIELD", "ORDERED BY"),
    ),
    # Seven delete files for each data file, and all are read.
    Pair(
        "stock_changed_often",
        changed_often,
        repeated("SELECT sum(device_id) FROM lake.db.stock_changed_often", 12, **SPARK),
        expected=(Expected("many_deletes", (), statements=True),),
        tempting={
            "small_files": "data files are as large as they should be",
            "unclustered_column": "all is asked for",
        },
        never=("PARTITION FIELD", "ORDERED BY"),
    ),
    # One delete file for each data file that is read.
    Pair(
        "stock_changed_once",
        changed_once,
        each(
            "SELECT * FROM lake.db.stock_changed_once"
            " WHERE ts >= TIMESTAMP_NTZ '{}' AND ts < TIMESTAMP_NTZ '{}'",
            [(instant(n * DAY), instant((n + 1) * DAY)) for n in range(1, 40, 2)],
            **SPARK,
        ),
        tempting={
            "many_deletes": "a scan reads one for each data file",
            "unclustered_column": "files are in order of time",
        },
        never=("PARTITION FIELD", "ORDERED BY"),
    ),
    # A day is a file or two, each with three delete files of its own, of the 120 that are listed.
    Pair(
        "stock_changed_thrice",
        changed_thrice,
        each(
            "SELECT * FROM lake.db.stock_changed_thrice"
            " WHERE ts >= TIMESTAMP_NTZ '{}' AND ts < TIMESTAMP_NTZ '{}'",
            [(instant(n * DAY + 9000), instant(n * DAY + 12_600)) for n in range(1, 40, 2)],
            **SPARK,
        ),
        tempting={
            "many_deletes": "a scan reads three",
            "unclustered_column": "files are in order of time",
        },
        never=("PARTITION FIELD", "ORDERED BY"),
    ),
    # Here a file has seven.
    Pair(
        "stock_changed_often_by_day",
        changed_often,
        each(
            "SELECT * FROM lake.db.stock_changed_often_by_day"
            " WHERE ts >= TIMESTAMP_NTZ '{}' AND ts < TIMESTAMP_NTZ '{}'",
            [(instant(n * DAY + 9000), instant(n * DAY + 12_600)) for n in range(1, 40, 2)],
            **SPARK,
        ),
        expected=(
            Expected("many_deletes", (), statements=True, says=(r"read 1\d\d delete files",)),
        ),
        tempting={"unclustered_column": "files are in order of time"},
        never=("PARTITION FIELD", "ORDERED BY"),
    ),
    # What is small is today's alone, which compaction gets to at night.
    Pair(
        "minutes_of_a_day_not_over",
        trickled,
        [
            *each(
                "SELECT count(*) FROM lake.db.minutes_of_a_day_not_over"
                " WHERE ts >= TIMESTAMP '{}' AND ts < TIMESTAMP '{}'",
                [(instant((199 - n % 28) * DAY), instant((200 - n % 28) * DAY)) for n in range(80)],
            ),
            *repeated(
                "SELECT device_id, count(*) FROM lake.db.minutes_of_a_day_not_over"
                f" WHERE ts >= TIMESTAMP '{instant(200 * DAY)}' GROUP BY device_id",
                20,
            ),
        ],
        tempting={
            "small_files": "ninety small files of one day that is not over",
            "partitions_too_fine": "a day is a file",
            "unclustered_column": "days are partitions",
        },
        never=("PARTITION FIELD", "ORDERED BY"),
    ),
)
