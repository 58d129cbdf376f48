"""Days of several files each, of which one meter, or one version of an app, is asked for."""

from __future__ import annotations

import numpy as np

from tests.workloads.model import Expected, Pair
from tests.workloads.physical import Layout
from tests.workloads.rows import (
    DAY,
    FILE_ROWS,
    Numbers,
    each,
    instant,
    laid_out,
    repeated,
    rng,
    table,
    times,
)


def meter_days() -> Layout:
    """120 days of two files each, with any of 1,200 meters in each."""
    draw = rng(8808)
    count = 120 * 2 * FILE_ROWS
    return laid_out(
        table(
            {
                "read_at": times(np.sort(draw.uniform(0, 120 * DAY, count))),
                "meter_id": draw.integers(0, 1200, count),
            }
        ),
        "days(read_at)",
    )


def builds_of(days: Numbers, draw: np.random.Generator) -> Numbers:
    """The builds of an app that run on days: a new one every week, on most phones within two."""
    newest = days // 7
    behind = np.minimum(draw.geometric(0.6, len(days)) - 1, newest)
    return 1000 + newest - behind


def crashes() -> Layout:
    """112 days of three files each, of builds that grow with time."""
    draw = rng(8809)
    count = 112 * 3 * FILE_ROWS
    seconds = np.sort(draw.uniform(0, 112 * DAY, count))
    builds = builds_of((seconds // DAY).astype(np.int64), draw)
    return laid_out(
        table({"ts": times(seconds), "build": builds, "signal": draw.integers(0, 12, count)}),
        "days(ts)",
    )


PAIRS = (
    # A meter is in both files of each of 90 days: in one of them, where rows are in order.
    Pair(
        "meter_histories_over_days",
        meter_days,
        [
            *each(
                "SELECT * FROM lake.db.meter_histories_over_days WHERE meter_id = {}"
                " AND read_at >= TIMESTAMP '{}'",
                [(n * 31 % 1200, instant(30 * DAY)) for n in range(20)],
            ),
            *repeated(
                "SELECT count(*) FROM lake.db.meter_histories_over_days"
                f" WHERE read_at >= TIMESTAMP '{instant(119 * DAY)}'",
                100,
            ),
        ],
        expected=(
            Expected(
                "unclustered_column|no_partition_filter", ("meter_id",), (0.35, 0.97), True, False
            ),
        ),
        tempting={
            "partitions_too_coarse": "days are asked for",
            "small_files": "files are as large as they should be",
        },
        never=("DROP PARTITION FIELD",),
    ),
    # A build is in the days of its time, and in a file or two of each once these are in order. Few
    # of a day's files are sampled, in which builds seem to be in more of its files than they are.
    Pair(
        "crashes_of_a_build",
        crashes,
        each(
            "SELECT signal, count(*) FROM lake.db.crashes_of_a_build WHERE build = {}"
            " GROUP BY signal",
            [1000 + n % 14 for n in range(28)],
        ),
        expected=(
            Expected(
                "unclustered_column|no_partition_filter", ("build",), (0.3, 0.88), True, False
            ),
        ),
        allowed=(Expected("misaligned_partitioning", ()),),
        tempting={"partitions_too_fine": "a day is three files"},
    ),
)
