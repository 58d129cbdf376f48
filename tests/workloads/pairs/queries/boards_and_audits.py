"""Workloads of boards that repeat, audits that read all, and few scans of many columns."""

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


def parcels() -> Layout:
    """90 days of a file each."""
    draw = rng(8871)
    count = 90 * FILE_ROWS
    return laid_out(
        table(
            {
                "scanned_at": times(np.sort(draw.uniform(0, 90 * DAY, count))),
                "depot": texts(draw.integers(0, 12, count), "D{:02d}"),
                "lost": draw.random(count) < 0.01,
            }
        ),
        "days(scanned_at)",
    )


def scores() -> Layout:
    """40 files of games in order of time, with any score in each."""
    draw = rng(8872)
    count = 40 * FILE_ROWS
    return laid_out(
        table(
            {
                "played_at": times(np.sort(draw.uniform(0, 40 * DAY, count))),
                "score": draw.integers(0, 1000, count),
            }
        )
    )


def lanes() -> Layout:
    """Six regions of ten files each, which have any of 60 days."""
    draw = rng(8873)
    count = 60 * FILE_ROWS
    return laid_out(
        table(
            {
                "region": texts(draw.integers(0, 6, count), "region-{}"),
                "left_at": times(draw.uniform(0, 60 * DAY, count)),
                "lane": draw.integers(0, 500, count),
            }
        ),
        "region",
    )


def impressions() -> Layout:
    """100 days of three files each, with any of 200 publishers and 5,000 creatives in each."""
    draw = rng(8874)
    count = 100 * 3 * FILE_ROWS
    return laid_out(
        table(
            {
                "ts": times(np.sort(draw.uniform(0, 100 * DAY, count))),
                "publisher": draw.integers(0, 200, count),
                "creative": draw.integers(0, 5000, count),
            }
        ),
        "days(ts)",
    )


PAIRS = (
    # A board asks for today every minute, and a clerk for what was lost once.
    Pair(
        "parcels_on_a_board",
        parcels,
        [
            *repeated(
                "SELECT depot, count(*) FROM lake.db.parcels_on_a_board"
                f" WHERE scanned_at >= TIMESTAMP '{instant(89 * DAY)}' GROUP BY depot",
                600,
            ),
            *repeated("SELECT count(*) FROM lake.db.parcels_on_a_board WHERE lost", 1),
            *repeated("SELECT depot, count(*) FROM lake.db.parcels_on_a_board GROUP BY depot", 2),
        ],
        allowed=(Expected("no_partition_filter", ("lost",), statements=False),),
        tempting={
            "unclustered_column": "one scan in 600",
            "misaligned_partitioning": "days are asked for",
            "partitions_too_fine": "a day is a file",
        },
        never=("PARTITION FIELD", "ORDERED BY"),
    ),
    # Nearly all have ten points, and half have five hundred.
    Pair(
        "scores_of_nearly_all",
        scores,
        [
            *repeated(
                "SELECT avg(score) FROM lake.db.scores_of_nearly_all WHERE score >= 10",
                20,
                **SPARK,
            ),
            *repeated(
                "SELECT max(score) FROM lake.db.scores_of_nearly_all WHERE score < 900", 20, **SPARK
            ),
        ],
        tempting={
            "unclustered_column": "most of what is read matches",
            "row_groups_not_pruned": "most of what is read matches",
            "negated_condition": "nothing is negated",
        },
        never=("PARTITION FIELD", "ORDERED BY"),
    ),
    # Two days are known: what regions are there for, nobody knows.
    Pair(
        "lanes_known_for_two_days",
        lanes,
        each(
            "SELECT lane, count(*) FROM lake.db.lanes_known_for_two_days"
            " WHERE left_at >= TIMESTAMP '{}' AND left_at < TIMESTAMP '{}' GROUP BY lane",
            [(instant(n * 9 * DAY), instant((n * 9 + 2) * DAY)) for n in range(1, 6)],
        ),
        expected=(Expected("no_partition_filter", ("left_at",), (0.6, 0.97), True, False),),
        allowed=(Expected("misaligned_partitioning", ()),),
        tempting={"unclustered_column": "partitions are what keeps it from pruning"},
        never=("DROP PARTITION FIELD", "REPLACE PARTITION FIELD"),
        days=2,
    ),
    # Publishers ask often, creatives rarely: of two orders within days the first one wins more.
    Pair(
        "publishers_before_creatives",
        impressions,
        [
            *each(
                "SELECT count(*) FROM lake.db.publishers_before_creatives WHERE publisher = {}"
                " AND ts >= TIMESTAMP '{}'",
                [(n * 3 % 200, instant(70 * DAY)) for n in range(50)],
            ),
            *each(
                "SELECT count(*) FROM lake.db.publishers_before_creatives WHERE creative = {}"
                " AND ts >= TIMESTAMP '{}'",
                [(n * 211 % 5000, instant(70 * DAY)) for n in range(12)],
            ),
        ],
        expected=(
            Expected(
                "unclustered_column|no_partition_filter", ("publisher",), (0.35, 0.7), True, False
            ),
        ),
        allowed=(
            Expected("unclustered_column", ("creative",), statements=False),
            Expected("no_partition_filter", ("creative",), statements=False),
        ),
        tempting={"partitions_too_coarse": "thirty days are asked for"},
        never=("PARTITION FIELD", r"ORDERED BY creative$"),
    ),
)
