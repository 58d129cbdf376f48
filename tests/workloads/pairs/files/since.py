"""Tables whose partitions, loads or rows are not what they once were."""

from __future__ import annotations

import pyarrow as pa

from tests.scenarios.lake import Query
from tests.workloads.model import Expected, Pair
from tests.workloads.physical import Commit, Layout, split
from tests.workloads.rows import (
    DAY,
    FILE_ROWS,
    TARGET_BYTES,
    each,
    instant,
    loaded,
    rng,
    scaled,
    table,
    texts,
    times,
)

BY_DAY = ("days(ts)",)
BY_HOUR = ("hours(ts)",)
BY_MONTH = ("months(ts)",)
BY_REGION = ("region",)


def _rows(seed: int, first: int, last: int, count: int) -> pa.Table:
    """Rows of days."""
    draw = rng(seed)
    return table(
        {
            "ts": times(draw.uniform(first * DAY, last * DAY, count)),
            "region": texts(draw.integers(0, 5, count), "r{}"),
            "customer_id": draw.integers(0, 3000, count),
        },
        seed,
    )


def months_of_daily_loads() -> Layout:
    """59 days in partitions of months, a load and a file for each, and 20 days since in days."""
    old = [Commit((_rows(6400 + n, n, n + 1, FILE_ROWS),), BY_MONTH) for n in range(59)]
    new = Commit(loaded(_rows(6461, 59, 79, 20 * FILE_ROWS), BY_DAY, FILE_ROWS), BY_DAY)
    return Layout((*old, new), BY_DAY, scaled())


def regions_once() -> Layout:
    """40 days in five regions of eight files each, and 20 days since in days of a file each."""
    old = Commit(loaded(_rows(6462, 0, 40, 40 * FILE_ROWS), BY_REGION, FILE_ROWS), BY_REGION)
    new = Commit(loaded(_rows(6463, 40, 60, 20 * FILE_ROWS), BY_DAY, FILE_ROWS), BY_DAY)
    return Layout((old, new), BY_DAY, scaled())


def hours_since() -> Layout:
    """40 days of an eighth of a file each, and 20 since whose hours are a file each."""
    old = Commit(loaded(_rows(6464, 0, 40, 40 * FILE_ROWS), BY_DAY, FILE_ROWS), BY_DAY)
    new = Commit(loaded(_rows(6465, 40, 60, 20 * FILE_ROWS), BY_HOUR, FILE_ROWS), BY_HOUR)
    return Layout((old, new), BY_HOUR, scaled(8 * TARGET_BYTES))


def late_scraps() -> Layout:
    """60 loads, each of a day's file, and of a few late rows for each of the seven days before."""
    commits = []
    for number in range(60):
        today = _rows(6470 + number, number, number + 1, FILE_ROWS - 30)
        late = _rows(6570 + number, max(number - 7, 0), max(number, 1), 30)
        commits.append(Commit(tuple(split(pa.concat_tables([today, late]), BY_DAY)), BY_DAY))
    return Layout(tuple(commits), BY_DAY, scaled())


def _upserted(times_: int) -> Layout:
    """30 days of a file each, and so many upserts of a row of each."""
    first = Commit(loaded(_rows(6466, 0, 30, 30 * FILE_ROWS), BY_DAY, FILE_ROWS), BY_DAY)
    upserts = [Commit((), BY_DAY, deletes=True) for _ in range(times_)]
    return Layout((first, *upserts), BY_DAY, scaled())


def upserted_often() -> Layout:
    """30 days of a file and six delete files each."""
    return _upserted(6)


def upserted_once() -> Layout:
    """30 days of a file and a delete file each."""
    return _upserted(1)


def _days(name: str, ranges: list[tuple[int, int]], more: str = "") -> list[Query]:
    return each(
        f"SELECT count(*) FROM lake.db.{name} WHERE ts >= TIMESTAMP '{{}}'"
        f" AND ts < TIMESTAMP '{{}}'{more}",
        [(instant(first * DAY), instant(last * DAY)) for first, last in ranges],
    )


PAIRS = (
    # The old files are of a day each, and their bounds say so.
    Pair(
        "months_in_order_before_days",
        months_of_daily_loads,
        _days("months_in_order_before_days", [(n, n + 2) for n in range(0, 77, 4)]),
        tempting={
            "old_spec_files": "the old files are those of a day",
            "partitions_too_coarse": "bounds tell days apart",
            "unclustered_column": "files are of a day each",
        },
        never=("rewrite_data_files",),
    ),
    # A day of a region is in eight files; by days it is in one.
    Pair(
        "regions_before_the_days",
        regions_once,
        _days(
            "regions_before_the_days",
            [(n, n + 1) for n in range(0, 40, 2)] + [(n, n + 1) for n in (44, 51, 58)],
            " AND region = 'r3'",
        ),
        expected=(Expected("old_spec_files", ("ts",), (0.72, 0.88), True, False),),
        tempting={
            "unclustered_column": "a rewrite by days is enough",
            "no_partition_filter": "the partitions are by what is asked for",
        },
        never=("PARTITION FIELD",),
    ),
    # 168 files of a week, for what was seven before.
    Pair(
        "hours_since_the_days",
        hours_since,
        _days("hours_since_the_days", [(n, n + 7) for n in range(40, 53)]),
        expected=(Expected("partitions_too_fine", ("ts",), None, True, False, (r"WITH days\(",)),),
        tempting={
            "small_files": "no file spans two hours",
            "old_spec_files": "the older files are the better ones, and nobody asks for them",
        },
    ),
    # 160 files for the rows of 20.
    Pair(
        "late_scraps_in_all_days",
        late_scraps,
        _days("late_scraps_in_all_days", [(n, n + 20) for n in range(5, 40, 4)]),
        expected=(Expected("small_files", (), None, True),),
        tempting={
            "partitions_too_fine": "a day fills a file",
            "scattered_manifests": "a load is of eight days, and all manifests fit into one",
            "unclustered_column": "whole days are asked for",
        },
        never=("PARTITION FIELD", "ORDERED BY"),
    ),
    Pair(
        "upserts_of_weeks",
        upserted_often,
        _days("upserts_of_weeks", [(n, n + 7) for n in range(0, 23, 2)]),
        expected=(Expected("many_deletes", (), None, True),),
        tempting={"small_files": "data files have their size"},
        never=("PARTITION FIELD", "ORDERED BY"),
    ),
    # A scan reads as many delete files as data files, which is what one upsert costs.
    Pair(
        "upserted_once_by_day",
        upserted_once,
        _days("upserted_once_by_day", [(n, n + 7) for n in range(0, 23, 2)]),
        tempting={
            "many_deletes": "one delete file for each data file",
            "small_files": "data files have their size",
        },
    ),
)
