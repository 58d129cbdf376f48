"""Orders of few values, two conditions of Spark, and keys of which bloom filters alone tell."""

from __future__ import annotations

import numpy as np

from tests.workloads.model import Expected, Pair
from tests.workloads.physical import Layout
from tests.workloads.rows import (
    DAY,
    FILE_ROWS,
    SPARK,
    each,
    instant,
    laid_out,
    repeated,
    rng,
    table,
    texts,
    times,
)

LEVELS = np.array(["DEBUG", "FATAL", "INFO", "WARN"])
WITHOUT_DICTIONARIES = {"write.parquet.dict-size-bytes": "1"}


def alarms() -> Layout:
    """20 days of eight files each, in order of time, of which one row in fifty is fatal."""
    draw = rng(8901)
    count = 160 * FILE_ROWS
    return laid_out(
        table(
            {
                "ts": times(np.sort(draw.uniform(0, 20 * DAY, count))),
                "level": texts(LEVELS[draw.choice(4, count, p=[0.5, 0.02, 0.38, 0.1])]),
                "host": draw.integers(0, 300, count),
            }
        ),
        "days(ts)",
    )


def tolls() -> Layout:
    """20 days of four files each, with any of 3,000 plates in each."""
    draw = rng(8902)
    count = 80 * FILE_ROWS
    return laid_out(
        table(
            {
                "passed_at": times(draw.uniform(0, 20 * DAY, count)),
                "plate": texts(draw.integers(0, 3000, count), "PLATE-{:05d}"),
                "toll": draw.integers(1, 40, count),
            }
        ),
        "days(passed_at)",
    )


def tokens() -> Layout:
    """60 files of logins in order of time, of tokens that are used ten times. There are no
    dictionaries."""
    draw = rng(8903)
    count = 60 * FILE_ROWS
    return laid_out(
        table(
            {
                "ts": times(np.sort(draw.uniform(0, 60 * DAY, count))),
                "token": texts(draw.permutation(np.repeat(np.arange(count // 10), 10)), "t{:07d}"),
            }
        ),
        properties=WITHOUT_DICTIONARIES,
    )


def three_ways() -> Layout:
    """64 files of stars in order of a curve through three coordinates."""
    draw = rng(8904)
    count = 64 * FILE_ROWS
    at = draw.integers(0, 16, (3, count))
    curve = sum(((at[place] >> bit) & 1) << (3 * bit + place) for bit in range(4) for place in range(3))
    order = np.argsort(curve, kind="stable")
    return laid_out(table({"x": at[0][order], "y": at[1][order], "z": at[2][order]}))


def matches() -> Layout:
    """60 files in order of players, who are ten of each match. There are no dictionaries."""
    draw = rng(8842)
    count = 60 * FILE_ROWS
    players = np.sort(draw.integers(0, 1000, count))
    return laid_out(
        table(
            {
                "player_id": players,
                "match_id": draw.permutation(np.repeat(np.arange(count // 10), 10)) * 7 + 11,
                "kills": draw.integers(0, 40, count),
            }
        ),
        properties={"write.parquet.dict-size-bytes": "1"},
    )


def berths() -> Layout:
    """80 files of ships in order of time, which a report has of each week, and pilots of a ship."""
    draw = rng(8843)
    count = 80 * FILE_ROWS
    return laid_out(
        table(
            {
                "seen_at": times(np.sort(draw.uniform(0, 80 * DAY, count))),
                "imo": draw.integers(9_000_000, 9_003_000, count),
            }
        )
    )


PAIRS = (
    # What is fatal fills one file of a day; that the rest stays in order of time wins less than
    # orders of rows which are drawn differ by.
    Pair(
        "alarms_that_are_fatal",
        alarms,
        [
            *each(
                "SELECT * FROM lake.db.alarms_that_are_fatal WHERE level = 'FATAL' AND host < {}",
                range(150, 300, 3),
                **SPARK,
            ),
            *each(
                "SELECT count(*) FROM lake.db.alarms_that_are_fatal"
                " WHERE ts >= TIMESTAMP_NTZ '{}' AND ts < TIMESTAMP_NTZ '{}'",
                [
                    (instant(20 * DAY - (n + 3) * 3600), instant(20 * DAY - n * 3600))
                    for n in range(40)
                ],
                **SPARK,
            ),
        ],
        expected=(
            Expected(
                "unclustered_column|no_partition_filter",
                ("level",),
                (0.7, 0.9),
                True,
                False,
                says=("ORDERED BY level",),
            ),
        ),
        allowed=(Expected("misaligned_partitioning", ()),),
        never=("PARTITION FIELD",),
    ),
    # A plate is in a file of each day, once days are in order; tolls tell nothing.
    Pair(
        "plates_and_tolls",
        tolls,
        each(
            "SELECT * FROM lake.db.plates_and_tolls WHERE plate = 'PLATE-{:05d}' AND toll > 5",
            range(7, 3000, 80),
            **SPARK,
        ),
        expected=(
            Expected("unclustered_column|no_partition_filter", ("plate",), (0.9, 1.0), True, False),
        ),
        allowed=(Expected("misaligned_partitioning", ()),),
        never=("ADD PARTITION FIELD",),
    ),
    # Ten files have a token, of which bloom filters tell, and days stay in order.
    Pair(
        "tokens_beside_days",
        tokens,
        [
            *each(
                "SELECT * FROM lake.db.tokens_beside_days WHERE token = 't{:07d}'",
                range(3, 3600, 90),
                **SPARK,
            ),
            *repeated(
                "SELECT count(*) FROM lake.db.tokens_beside_days"
                f" WHERE ts >= TIMESTAMP_NTZ '{instant(59 * DAY)}'",
                300,
                **SPARK,
            ),
        ],
        expected=(Expected("row_groups_not_pruned", ("token",), (0.5, 0.8), True, False),),
        allowed=(Expected("unclustered_column", ("token",), statements=False),),
        never=("PARTITION FIELD", "ORDERED BY"),
    ),
    # Where all is read by tokens, an order of them wins more than filters do.
    Pair(
        "tokens_alone",
        tokens,
        each(
            "SELECT * FROM lake.db.tokens_alone WHERE token = 't{:07d}'",
            range(3, 3600, 90),
            **SPARK,
        ),
        expected=(Expected("unclustered_column", ("token",), (0.85, 0.99), True, False),),
        tempting={"row_groups_not_pruned": "once rows are in order, a file is read"},
        never=("PARTITION FIELD",),
    ),
    # A coordinate alone is in a quarter of all files; no order serves all three as well.
    Pair(
        "stars_by_any_coordinate",
        three_ways,
        [
            *each("SELECT * FROM lake.db.stars_by_any_coordinate WHERE x = {}", range(16)),
            *each("SELECT * FROM lake.db.stars_by_any_coordinate WHERE y = {}", range(16)),
            *each("SELECT * FROM lake.db.stars_by_any_coordinate WHERE z = {}", range(16)),
        ],
        tempting={
            "unclustered_column": "an order of one of them loses two",
            "row_groups_not_pruned": "a file is one row group of a few megabytes",
        },
        never=("PARTITION FIELD", "ORDERED BY"),
    ),
    # Ten files have a match, and a bloom filter says which; any other order loses players.
    Pair(
        "matches_in_order_of_players",
        matches,
        [
            *each(
                "SELECT * FROM lake.db.matches_in_order_of_players WHERE player_id = {}",
                range(1, 1000, 5),
                **SPARK,
            ),
            *each(
                "SELECT * FROM lake.db.matches_in_order_of_players WHERE match_id = {}",
                [7 * n + 11 for n in range(5, 3600, 120)],
                **SPARK,
            ),
        ],
        expected=(Expected("row_groups_not_pruned", ("match_id",), (0.5, 0.85), True, False),),
        allowed=(Expected("unclustered_column", ("match_id",), statements=False),),
        never=("PARTITION FIELD", "ORDERED BY"),
    ),
    # An order of ships would have each week read half of all files, and weeks are asked for more.
    Pair(
        "berths_of_weeks_and_of_ships",
        berths,
        [
            *each(
                "SELECT imo, count(*) FROM lake.db.berths_of_weeks_and_of_ships"
                " WHERE seen_at >= TIMESTAMP '{}' AND seen_at < TIMESTAMP '{}' GROUP BY imo",
                [(instant((79 - n % 10) * DAY), instant((80 - n % 10) * DAY)) for n in range(150)],
            ),
            *repeated("SELECT * FROM lake.db.berths_of_weeks_and_of_ships WHERE imo = 9001234", 5),
        ],
        allowed=(
            Expected("unclustered_column", ("imo",), statements=False),
            Expected("row_groups_not_pruned", ("imo",)),
        ),
        never=("PARTITION FIELD", "ORDERED BY"),
    ),
)
