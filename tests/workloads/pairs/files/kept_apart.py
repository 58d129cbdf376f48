"""Small files that are each of one thing, so that who asks for that opens one of them."""

from __future__ import annotations

import numpy as np

from tests.workloads.model import Expected, Pair
from tests.workloads.physical import Commit, Layout
from tests.workloads.rows import DAY, each, instant, repeated, rng, scaled, table, texts, times

_ROWS = 50
"""Rows of a small file, a tenth of a whole one."""


def _of_stations(days: int, each_day: int) -> tuple[Commit, ...]:
    """A commit for each day, of a file of each of so many stations, in the order in which they
    came."""
    draw = rng(9301)
    commits = []
    for day in range(days):
        files = tuple(
            table(
                {
                    "station": texts(np.full(_ROWS, 37 * (day * each_day + number)), "ST-{:05d}"),
                    "ts": times(np.sort(draw.uniform(day * DAY, (day + 1) * DAY, _ROWS))),
                    "value": draw.normal(0, 1, _ROWS),
                },
                number,
            )
            for number in draw.permutation(each_day).tolist()
        )
        commits.append(Commit(files))
    return tuple(commits)


def stations() -> Layout:
    """400 files of a station each: ten days on which 40 stations were set up and read out."""
    return Layout(_of_stations(10, 40), (), scaled())


def parcels() -> Layout:
    """Eight days of 50 depots, a file of each depot and day, in no order of depots."""
    draw = rng(9302)
    files = tuple(
        table(
            {
                "depot": np.full(_ROWS, depot),
                "ts": times(draw.uniform(day * DAY, (day + 1) * DAY, _ROWS)),
                "weight": draw.uniform(0, 30, _ROWS),
            },
            day * 50 + depot,
        )
        for day in range(8)
        for depot in draw.permutation(50).tolist()
    )
    return Layout((Commit(files, ("days(ts)",)),), ("days(ts)",), scaled())


def with_deletes() -> Layout:
    """The files of stations, each of which has three delete files."""
    deletes = tuple(Commit((), (), (), True) for _ in range(3))
    return Layout((*_of_stations(10, 40), *deletes), (), scaled())


PAIRS = (
    # Nearly all that is read is read from one file; of any order, a whole file is ten stations.
    Pair(
        "stations_asked_one_by_one",
        stations,
        [
            *each(
                "SELECT * FROM lake.db.stations_asked_one_by_one WHERE station = 'ST-{:05d}'",
                range(0, 400 * 37, 2 * 37),
            ),
            *repeated("SELECT avg(value) FROM lake.db.stations_asked_one_by_one", 4),
        ],
        allowed=(Expected("small_files", (), None, False, False, ("station",)),),
        never=("rewrite_data_files",),
    ),
    # All files are read all day; merged by station, one of them costs hardly more than before.
    Pair(
        "stations_read_as_a_whole",
        stations,
        [
            *each(
                "SELECT * FROM lake.db.stations_read_as_a_whole WHERE station = 'ST-{:05d}'",
                range(0, 400 * 37, 20 * 37),
            ),
            *repeated("SELECT avg(value) FROM lake.db.stations_read_as_a_whole", 20),
        ],
        expected=(Expected("small_files", (), None, True, False, ("sort_order => 'station",)),),
        tempting={"unclustered_column": "a station is in one file"},
    ),
    # Whole days are read, and depots of a week that are in one small file of each day.
    Pair(
        "depots_of_days",
        parcels,
        [
            *each(
                "SELECT sum(weight) FROM lake.db.depots_of_days"
                " WHERE ts >= TIMESTAMP '{}' AND ts < TIMESTAMP '{}'",
                [(instant(0), instant(8 * DAY))] * 30,
            ),
            *each(
                "SELECT * FROM lake.db.depots_of_days WHERE depot = {} AND ts >= TIMESTAMP '{}'",
                [(n, instant(DAY)) for n in range(0, 50, 10)],
            ),
        ],
        expected=(Expected("small_files", (), None, True, False, ("sort_order => 'depot",)),),
        tempting={"unclustered_column": "a depot is in one file of each day"},
    ),
    # What is deleted has to go, and every station stay in a file of its own.
    Pair(
        "deletes_of_stations",
        with_deletes,
        [
            *each(
                "SELECT * FROM lake.db.deletes_of_stations WHERE station = 'ST-{:05d}'",
                range(0, 400 * 37, 2 * 37),
            ),
            *repeated("SELECT avg(value) FROM lake.db.deletes_of_stations", 4),
        ],
        expected=(
            Expected("many_deletes", (), None, True, False, ("'max-file-group-size-bytes', '1'",)),
        ),
        allowed=(Expected("small_files", (), None, False, False),),
    ),
)
