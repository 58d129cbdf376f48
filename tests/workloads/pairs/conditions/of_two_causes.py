"""Queries of which two conditions are not used, each for a reason of its own."""

from __future__ import annotations

import numpy as np

from tests.workloads.model import Expected, Pair
from tests.workloads.physical import Layout
from tests.workloads.rows import DAY, FILE_ROWS, SPARK, each, laid_out, rng, table, texts, times

COUNT = 60 * FILE_ROWS
PIECE = 5 * FILE_ROWS
LANES = [f"{origin}-{goal}" for origin in ("BRE", "HAM", "OSL") for goal in "12345"]


def parcels() -> Layout:
    """Two months, in pieces of five days and five files, each in order of the lane."""
    draw = rng(34_001)
    order = np.arange(COUNT)
    within = order % PIECE
    return laid_out(
        table(
            {
                "sent": times(
                    order // PIECE * PIECE * (60 * DAY / COUNT) + draw.uniform(0, 5 * DAY, COUNT)
                ),
                "lane": texts(LANES[n * len(LANES) // PIECE] for n in within),
                "number": order * 3 + draw.integers(0, 3, COUNT),
            }
        )
    )


def _numbers(first: int) -> str:
    return ", ".join(str(n) for n in range(first, first + 260 * 5, 5))


PAIRS = (
    # Half of the days, and two or three files of five: the finding that wins more has what that
    # wins, the other one what is left.
    Pair(
        "parcels_of_a_month_from_a_town",
        parcels,
        each(
            "SELECT count(*) FROM lake.db.parcels_of_a_month_from_a_town"
            " WHERE date_format(sent, 'yyyy-MM') = '{}' AND substr(lane, 1, 3) = '{}'",
            [("2026-01", "HAM"), ("2026-02", "OSL"), ("2026-01", "OSL"), ("2026-02", "HAM")],
            **SPARK,
        ),
        expected=(Expected("wrapped_column", ("sent", "lane"), (0.65, 0.8), False, True),),
    ),
    # The list is in two files, which the month has among its thirty.
    Pair(
        "parcels_of_a_month_and_a_list",
        parcels,
        each(
            "SELECT count(*) FROM lake.db.parcels_of_a_month_and_a_list"
            " WHERE date_format(sent, 'yyyy-MM') = '{}' AND number IN ({})",
            [("2026-01", _numbers(22_000)), ("2026-02", _numbers(72_000))],
            **SPARK,
        ),
        expected=(
            Expected("wrapped_column", ("sent",), (0.45, 0.6), False, True),
            Expected("long_in_list", ("number",), (0.45, 0.55), False, True),
        ),
    ),
    # From one town's lanes to another's: both ends are one range.
    Pair(
        "parcels_between_towns",
        parcels,
        each(
            "SELECT count(*) FROM lake.db.parcels_between_towns"
            " WHERE substr(lane, 1, 3) BETWEEN '{}' AND '{}'",
            [("HAM", "HAM"), ("BRE", "BRE"), ("OSL", "OSL")],
        ),
        expected=(
            Expected(
                "wrapped_column",
                ("lane",),
                (0.5, 0.72),
                False,
                True,
                says=("lane < '(BRF|HAN|OSM)'",),
            ),
        ),
    ),
)
