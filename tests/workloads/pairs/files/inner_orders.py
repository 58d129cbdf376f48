"""Files of several row groups, whose rows are in an order inside of files, or in none."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from tests.scenarios.lake import Query
from tests.workloads.model import Expected, Pair
from tests.workloads.physical import Commit, Layout
from tests.workloads.rows import DAY, FILE_ROWS, SPARK, each, instant, laid_out, rng, table, times

COUNT = 48 * FILE_ROWS
ROW_GROUPS = {"write.parquet.row-group-limit": str(FILE_ROWS)}
"""Of files of 3,600 rows, which have six of them."""
WITHOUT_DICTIONARIES = {"write.parquet.dict-size-bytes": "1"}


def calls_of_ships() -> Layout:
    """8 files of calls in order of time, whose rows have none inside. There are no dictionaries."""
    draw = rng(9711)
    columns = {
        "called_at": times(np.sort(draw.uniform(0, 48 * DAY, COUNT))),
        "ship_id": draw.integers(0, 4000, COUNT),
        "draught": draw.uniform(2, 20, COUNT),
    }
    properties = {**ROW_GROUPS, **WITHOUT_DICTIONARIES}
    return laid_out(table(columns), file_rows=6 * FILE_ROWS, properties=properties)


def calls_by_ship() -> Layout:
    """The same, whose rows are in order of ships inside of each file."""
    whole = calls_of_ships()
    return replace(whole, commits=tuple(map(_by_ship, whole.commits)))


def _by_ship(commit: Commit) -> Commit:
    return replace(commit, files=tuple(file.sort_by("ship_id") for file in commit.files))


def _ships(name: str, count: int) -> list[Query]:
    sql = f"SELECT * FROM lake.db.{name} WHERE ship_id = {{}}"
    return [*each(sql, range(3, 4000, 4000 // count), **SPARK)]


def _days(name: str, count: int) -> list[Query]:
    sql = (
        f"SELECT avg(draught) FROM lake.db.{name}"
        " WHERE called_at >= TIMESTAMP_NTZ '{}' AND called_at < TIMESTAMP_NTZ '{}'"
    )
    days = [(instant(n * DAY), instant((n + 1) * DAY)) for n in range(count)]
    return [*each(sql, days, **SPARK)]


PAIRS = (
    # A ship is in a row group of each file, and a day in one file: in order of ships, days
    # would be in all row groups of all files.
    Pair(
        "ships_and_days_inside_of_files",
        calls_by_ship,
        [
            *_ships("ships_and_days_inside_of_files", 80),
            *_days("ships_and_days_inside_of_files", 24),
        ],
        allowed=(
            Expected("unclustered_column", ("ship_id",), None, False),
            Expected("row_groups_not_pruned", ("called_at",)),
        ),
        never=("ORDERED BY ship_id",),
    ),
    # Nobody asks for days: one row group of one file has a ship, not of each.
    Pair(
        "ships_alone_inside_of_files",
        calls_by_ship,
        _ships("ships_alone_inside_of_files", 80),
        expected=(Expected("unclustered_column", ("ship_id",), (0.7, 0.9), True, False),),
    ),
    # Ships are in all row groups: what days lose is less than what they win.
    Pair(
        "ships_and_days_in_all_row_groups",
        calls_of_ships,
        [
            *_ships("ships_and_days_in_all_row_groups", 80),
            *_days("ships_and_days_in_all_row_groups", 24),
        ],
        expected=(
            Expected(
                "unclustered_column", ("ship_id",), (0.4, 0.8), True, False, says=("ORDERED BY",)
            ),
        ),
        allowed=(Expected("row_groups_not_pruned", ()),),
    ),
)
