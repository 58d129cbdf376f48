"""Conditions that ask for several ranges of one column, by OR or by lists of what is made of it."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from tests.workloads.model import Expected, Pair
from tests.workloads.physical import Layout
from tests.workloads.rows import DAY, FILE_ROWS, SPARK, each, laid_out, rng, table, texts, times

FIRST = "Write the conditions that the engine does not use as their findings say first"
ORDERED = r"WRITE ORDERED BY {}"


def fares() -> Layout:
    """40 files in order of riders, with fares and times of any in each."""
    draw = rng(73_001)
    count = 40 * FILE_ROWS
    return laid_out(
        table(
            {
                "rider": np.sort(draw.integers(0, 5000, count)),
                "fare": draw.integers(0, 90_000, count),
                "at": times(draw.uniform(0, 360 * DAY, count)),
            }
        )
    )


def tips() -> Layout:
    """40 files as they came, with tips of any amount in each, and some unknown."""
    draw = rng(73_003)
    count = 40 * FILE_ROWS
    known = draw.integers(0, 90_000, count)
    tip = pa.array(known, mask=draw.random(count) < 0.005)
    return laid_out(table({"tip": tip, "trip": np.arange(count)}))


def wagons() -> Layout:
    """Four depots of ten files each, with wagons of any class in each."""
    draw = rng(73_002)
    count = 40 * FILE_ROWS
    return laid_out(
        table(
            {
                "depot": np.sort(draw.integers(0, 4, count)),
                "wagon": texts(draw.integers(100_000, 999_999, count), "{}-x"),
            }
        ),
        "depot",
    )


def _in_two(name: str, column: str) -> str:
    return (
        f"SELECT count(*) FROM lake.db.{name}"
        f" WHERE {column} BETWEEN {{}} AND {{}} OR {column} BETWEEN {{}} AND {{}}"
    )


PAIRS = (
    Pair(
        "fares_in_two_ranges",
        fares,
        each(
            _in_two("fares_in_two_ranges", "fare"),
            [(low, low + 9, low + 10_000, low + 10_009) for low in range(100, 80_000, 6000)],
            **SPARK,
        ),
        expected=(
            Expected(
                "unclustered_column", ("fare",), (0.8, 0.97), True, says=(ORDERED.format("fare"),)
            ),
        ),
    ),
    Pair(
        "tips_of_an_amount_or_none",
        tips,
        each(
            "SELECT count(*) FROM lake.db.tips_of_an_amount_or_none WHERE tip = {} OR tip IS NULL",
            range(100, 80_000, 9000),
        ),
        expected=(
            Expected(
                "unclustered_column", ("tip",), (0.8, 0.97), True, says=(ORDERED.format("tip"),)
            ),
        ),
    ),
    Pair(
        "riders_in_two_ranges",
        fares,
        each(
            _in_two("riders_in_two_ranges", "rider"),
            [(low, low + 9, low + 1000, low + 1009) for low in range(100, 4000, 300)],
        ),
        tempting={"unclustered_column": "rows are in order of riders"},
    ),
    Pair(
        "fares_of_some_months",
        fares,
        [
            *each(
                "SELECT count(fare) FROM lake.db.fares_of_some_months"
                " WHERE date_format(at, '%Y-%m') IN ('2026-0{}', '2026-0{}')",
                [(1, 5), (2, 7), (3, 9), (4, 8)] * 3,
            ),
            *each(
                "SELECT fare FROM lake.db.fares_of_some_months WHERE rider = {}",
                range(7, 5000, 1200),
            ),
        ],
        expected=(
            Expected("unclustered_column", ("at",), (0.3, 0.8), False, False, (FIRST,)),
            Expected("wrapped_column", ("at",), None, False, True, ("at >= ",)),
        ),
    ),
    Pair(
        "wagons_in_two_ranges",
        wagons,
        [
            *each(
                "SELECT depot FROM lake.db.wagons_in_two_ranges"
                " WHERE wagon LIKE '{}%' OR wagon LIKE '{}%'",
                [(low, low + 300) for low in range(110, 600, 40)],
            ),
            *each("SELECT wagon FROM lake.db.wagons_in_two_ranges WHERE depot = {}", range(4)),
        ],
        expected=(Expected("no_partition_filter", ("wagon",), (0.6, 0.9), True),),
    ),
)
