"""Partitions of two to four files, whose rows are in an order of another column, or in none."""

from __future__ import annotations

import numpy as np

from tests.workloads.model import Expected, Pair
from tests.workloads.physical import Layout
from tests.workloads.rows import FILE_ROWS, dates, laid_out, repeated, rng, table, texts

DAYS = 30


def _days(files: int, *, is_sorted: bool = False) -> Layout:
    """Days of so many files each, with keys in no order, or in order within each day."""
    count = DAYS * files * FILE_ROWS
    keys = rng(7401 + files).integers(0, 100_000, count).reshape(DAYS, -1)
    if is_sorted:
        keys = np.sort(keys, axis=1)
    return laid_out(
        table(
            {
                "d": dates(np.repeat(np.arange(DAYS), files * FILE_ROWS)),
                "key": keys.ravel(),
                "name": texts([f"n {key:06}" for key in keys.ravel()]),
                "amount": np.arange(count),
            }
        ),
        "d",
    )


def days_of_two() -> Layout:
    """Two files a day, keys in no order."""
    return _days(2)


def days_of_three() -> Layout:
    """Three."""
    return _days(3)


def days_of_four() -> Layout:
    """Four."""
    return _days(4)


def sorted_days() -> Layout:
    """Three files a day, keys in order."""
    return _days(3, is_sorted=True)


def days_of_one() -> Layout:
    """One file a day, in which no order tells files apart."""
    return _days(1)


_MISALIGNED = (Expected("misaligned_partitioning", ("d",)),)


PAIRS = (
    Pair(
        "keys_in_days_of_two",
        days_of_two,
        repeated(
            "SELECT sum(amount) FROM lake.db.keys_in_days_of_two WHERE key BETWEEN 40000 AND 40400",
            5,
        ),
        # One of two files at best, and both for what lies where they meet.
        allowed=(Expected("no_partition_filter", ("key",), statements=True), *_MISALIGNED),
    ),
    Pair(
        "keys_in_days_of_three",
        days_of_three,
        repeated(
            "SELECT sum(amount) FROM lake.db.keys_in_days_of_three"
            " WHERE key BETWEEN 40000 AND 40400",
            5,
        ),
        (Expected("no_partition_filter", ("key",), (0.9, 1.0), statements=True),),
        _MISALIGNED,
    ),
    Pair(
        "names_in_days_of_four",
        days_of_four,
        repeated(
            "SELECT sum(amount) FROM lake.db.names_in_days_of_four WHERE name LIKE 'n 0404%'", 5
        ),
        (Expected("no_partition_filter", ("name",), (0.9, 1.0), statements=True),),
        _MISALIGNED,
    ),
    Pair(
        "keys_in_sorted_days",
        sorted_days,
        repeated(
            "SELECT sum(amount) FROM lake.db.keys_in_sorted_days WHERE key BETWEEN 40000 AND 40400",
            5,
        ),
        allowed=_MISALIGNED,
        tempting={
            "no_partition_filter": "each day is in order of its keys",
            "unclustered_column": "likewise",
        },
    ),
    Pair(
        "keys_in_days_of_one",
        days_of_one,
        repeated(
            "SELECT sum(amount) FROM lake.db.keys_in_days_of_one WHERE key BETWEEN 40000 AND 40400",
            5,
        ),
        allowed=_MISALIGNED,
        tempting={"no_partition_filter": "a day is one file, whatever its order is"},
    ),
)
