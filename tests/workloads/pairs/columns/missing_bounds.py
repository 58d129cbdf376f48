"""Bounds that are missing or cut short in partitions that keep values apart, and times whose rows
are in few of the files that have such times."""

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
    rng,
    table,
    texts,
    times,
)

COUNT = 60 * FILE_ROWS
PAGE = "https://shop.example.com/products/{:06d}"
NONE = "write.metadata.metrics.column.seq"


def pages_in_order_of_days() -> Layout:
    """60 days of a file each; pages grow with time, and begin alike for 34 characters."""
    seconds = np.sort(rng(5701).uniform(0, 60 * DAY, COUNT))
    return laid_out(
        table({"ts": times(seconds), "url": texts(map(int, np.arange(COUNT) // 6), PAGE)}),
        "days(ts)",
    )


def numbers_in_large_days() -> Layout:
    """20 days of three files each; numbers of which no bounds are kept grow with time."""
    seconds = np.sort(rng(5702).uniform(0, 20 * DAY, COUNT))
    return laid_out(
        table({"ts": times(seconds), "seq": np.arange(COUNT)}),
        "days(ts)",
        properties={NONE: "none"},
    )


def numbers_anyhow_in_days() -> Layout:
    """60 days of a file each; numbers of which no bounds are kept are in no order."""
    draw = rng(5703)
    return laid_out(
        table({"ts": times(draw.uniform(0, 60 * DAY, COUNT)), "seq": draw.permutation(COUNT)}),
        "days(ts)",
        properties={NONE: "none"},
    )


def hours_of_arrival() -> Layout:
    """Three days by hours of arrival, of a file each. Nine rows of ten happened in the minutes
    before, the others in the six hours before."""
    draw = rng(5704)
    count = 72 * FILE_ROWS
    arrived = draw.uniform(0, 3 * DAY, count)
    late = draw.random(count) < 0.1
    lag = np.where(late, draw.uniform(0, 6 * 3600, count), draw.uniform(0, 300, count))
    return laid_out(
        table({"event_at": times(arrived - lag), "arrived_at": times(arrived)}),
        "hours(arrived_at)",
    )


PAIRS = (
    # Days keep the pages apart; the bounds `https://shop.exa` do not show it.
    Pair(
        "pages_in_order_of_days",
        pages_in_order_of_days,
        each(
            "SELECT * FROM lake.db.pages_in_order_of_days WHERE url = '{}'",
            [PAGE.format(n) for n in range(100, 6000, 500)],
        ),
        expected=(Expected("truncated_bounds", ("url",), (0.9, 0.985), True, False),),
        never=("DROP", "REPLACE"),
    ),
    Pair(
        "numbers_in_large_days",
        numbers_in_large_days,
        each(
            "SELECT * FROM lake.db.numbers_in_large_days WHERE seq BETWEEN {0} AND {0} + 50",
            range(50, 36_000, 3000),
            **SPARK,
        ),
        # One or two files of 60.
        expected=(Expected("no_column_metrics", ("seq",), (0.9, 0.985), True, False),),
        never=("DROP", "REPLACE"),
    ),
    # Bounds would rule out nothing, and an order inside a file neither.
    Pair(
        "numbers_anyhow_in_days",
        numbers_anyhow_in_days,
        each(
            "SELECT * FROM lake.db.numbers_anyhow_in_days WHERE seq BETWEEN {0} AND {0} + 50",
            range(50, 36_000, 3000),
            **SPARK,
        ),
        # Whether the days may go, nothing here tells.
        allowed=(
            Expected("no_column_metrics", ("seq",), (0.0, 0.05)),
            Expected("misaligned_partitioning", ()),
        ),
    ),
    # An hour of events is in seven files, of which one has nine rows of ten.
    Pair(
        "hours_of_events_by_arrival",
        hours_of_arrival,
        each(
            "SELECT count(*) FROM lake.db.hours_of_events_by_arrival"
            " WHERE event_at >= TIMESTAMP '{}' AND event_at < TIMESTAMP '{}'",
            [(instant(n * 3600), instant((n + 1) * 3600)) for n in range(2, 60, 3)],
        ),
        expected=(Expected("no_partition_filter", ("event_at",), (0.55, 0.87), True, False),),
        allowed=(Expected("misaligned_partitioning", ()),),
    ),
)
