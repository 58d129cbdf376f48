"""Few values that are asked for often, beside lookups that the order of rows serves now."""

from __future__ import annotations

import numpy as np

from tests.workloads.model import Expected, Pair
from tests.workloads.physical import Layout
from tests.workloads.rows import (
    DAY,
    FILE_ROWS,
    each,
    instant,
    laid_out,
    repeated,
    rng,
    table,
    texts,
    times,
)


def payments() -> Layout:
    """80 files in order of time; one payment in a hundred is doubted, of any day."""
    draw = rng(27_001)
    count = 80 * FILE_ROWS
    return laid_out(
        table(
            {
                "ts": times(np.sort(draw.uniform(0, 80 * DAY, count))),
                "is_doubted": draw.uniform(0, 1, count) < 0.01,
            }
        )
    )


def tickets() -> Layout:
    """60 files in order of their numbers, of four priorities, of which P1 is one in fifty."""
    draw = rng(27_002)
    count = 60 * FILE_ROWS
    drawn = draw.choice(4, count, p=(0.02, 0.1, 0.3, 0.58))
    return laid_out(table({"ticket": np.arange(count), "priority": texts(drawn + 1, "P{}")}))


def lists() -> Layout:
    """16 buckets of a file each."""
    draw = rng(27_003)
    count = 16 * FILE_ROWS
    return laid_out(
        table({"item": draw.integers(0, 50_000, count), "price": draw.uniform(0, 9, count)}),
        "bucket(16, item)",
    )


def unmeasured() -> Layout:
    """60 days of a file each, of which the writer keeps no bounds but partitions."""
    draw = rng(27_004)
    count = 60 * FILE_ROWS
    return laid_out(
        table(
            {
                "ts": times(draw.uniform(0, 60 * DAY, count)),
                "host": texts(draw.integers(0, 90, count), "h{}"),
            }
        ),
        "days(ts)",
        properties={"write.metadata.metrics.default": "none"},
    )


def wells() -> Layout:
    """60 files of places in a square, in no order."""
    draw = rng(27_009)
    count = 60 * FILE_ROWS
    places = {name: draw.uniform(0, 1000, count) for name in ("east", "north")}
    return laid_out(table({**places, "depth": draw.uniform(5, 90, count)}))


BEGINS = range(350, 550, 15)

PAIRS = (
    # Doubted ones would be in one file or two, in order of time; a day reads these beside its own.
    Pair(
        "doubted_payments_and_days",
        payments,
        [
            *repeated("SELECT * FROM lake.db.doubted_payments_and_days WHERE is_doubted", 25),
            *each(
                "SELECT count(*) FROM lake.db.doubted_payments_and_days"
                " WHERE ts >= TIMESTAMP '{}' AND ts < TIMESTAMP '{}'",
                [(instant(n * DAY), instant((n + 1) * DAY)) for n in range(80)],
            ),
        ],
        expected=(Expected("unclustered_column", ("is_doubted",), (0.75, 0.93), True, False),),
        never=("PARTITION FIELD",),
    ),
    # A number is in one file now, and would be looked for in six or seven: files of two priorities
    # reach far.
    Pair(
        "first_priority_and_numbers",
        tickets,
        [
            *repeated("SELECT * FROM lake.db.first_priority_and_numbers WHERE priority = 'P1'", 20),
            *each(
                "SELECT * FROM lake.db.first_priority_and_numbers WHERE ticket = {}",
                range(77, 36_000, 359),
            ),
        ],
        expected=(Expected("unclustered_column", ("priority",), (0.4, 0.6), True, False),),
        never=("PARTITION FIELD",),
    ),
    Pair(
        "items_of_short_lists",
        lists,
        each(
            "SELECT * FROM lake.db.items_of_short_lists WHERE item IN ({}, {}, {})",
            [(n, n + 7001, n + 19_003) for n in range(5, 30_000, 1200)],
        ),
        tempting={
            "unclustered_column": "a bucket is one file",
            "long_in_list": "there are three",
            "range_on_bucketed_column": "lists are no ranges",
        },
        never=("PARTITION FIELD", "ORDERED BY"),
    ),
    Pair(
        "days_without_any_metrics",
        unmeasured,
        each(
            "SELECT host, count(*) FROM lake.db.days_without_any_metrics"
            " WHERE ts >= TIMESTAMP '{}' AND ts < TIMESTAMP '{}' GROUP BY host",
            [(instant(n * DAY), instant((n + 2) * DAY)) for n in range(0, 58, 4)],
        ),
        tempting={"no_column_metrics": "partitions answer all that is asked"},
        never=("TBLPROPERTIES", "ORDERED BY", "PARTITION FIELD"),
    ),
    # Each end of a range leaves most rows; both ranges leave a fiftieth.
    Pair(
        "wells_in_boxes",
        wells,
        each(
            "SELECT * FROM lake.db.wells_in_boxes"
            " WHERE east BETWEEN {} AND {} AND north BETWEEN {} AND {}",
            [(x, x + 150, y, y + 120) for x, y in zip(BEGINS, reversed(BEGINS), strict=True)],
        ),
        expected=(
            Expected("unclustered_column", ("north",), (0.6, 0.9), True, False, ("zorder",)),
        ),
    ),
)
