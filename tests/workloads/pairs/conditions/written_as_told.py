"""Conditions with the range beside that a finding told to write, and what engines add by
themselves: that a column is not null."""

from __future__ import annotations

import numpy as np

from tests.workloads.model import Expected, Pair
from tests.workloads.physical import Layout
from tests.workloads.rows import (
    DAY,
    FILE_ROWS,
    SPARK,
    dates,
    day,
    each,
    instant,
    laid_out,
    rng,
    table,
    texts,
    times,
)

COUNT = 60 * FILE_ROWS


def orders() -> Layout:
    """60 files in order of 1,000 days."""
    return laid_out(
        table({"ordered": dates(np.arange(COUNT) * 1_000 // COUNT), "total": np.arange(COUNT) % 99})
    )


def calls() -> Layout:
    """Twelve days of six files each, with calls of any of 3,000 numbers, which begin alike."""
    draw = rng(7921)
    days = np.repeat(np.arange(12), 6 * FILE_ROWS)
    return laid_out(
        table(
            {
                "caller": texts(draw.integers(0, 3_000, len(days)), "+4917000{:05d}"),
                "ts": times(days * DAY + draw.uniform(0, DAY, len(days))),
            }
        ),
        "days(ts)",
    )


PAIRS = (
    # A file or two of 60, by the range: nothing is left to write.
    Pair(
        "months_with_their_range",
        orders,
        each(
            "SELECT sum(total) FROM lake.db.months_with_their_range WHERE year(ordered) = {}"
            " AND month(ordered) = {} AND ordered >= DATE '{}' AND ordered < DATE '{}'",
            [
                (day(n).year, day(n).month, day(n).replace(day=1), day(n + 31).replace(day=1))
                for n in (40, 160, 290, 380)
            ],
            **SPARK,
        ),
        tempting={
            "wrapped_column": "the range is there, and used",
            "unclustered_column": "files are in order of days",
        },
    ),
    # Half a range: the other end is wrapped, and a month is wanted.
    Pair(
        "months_with_half_their_range",
        orders,
        each(
            "SELECT sum(total) FROM lake.db.months_with_half_their_range"
            " WHERE date_format(ordered, 'yyyy-MM') = '{}' AND ordered >= DATE '{}'",
            [(day(n).strftime("%Y-%m"), day(n).replace(day=1)) for n in (40, 160, 290, 380)],
            **SPARK,
        ),
        expected=(Expected("wrapped_column", ("ordered",), None, False, True),),
        tempting={"unclustered_column": "files are in order of days"},
    ),
    # A number is in each file of a week; in order, in one of six of each day.
    Pair(
        "calls_of_a_number_that_is_known",
        calls,
        each(
            "SELECT * FROM lake.db.calls_of_a_number_that_is_known WHERE caller IS NOT NULL"
            " AND ts >= TIMESTAMP '{}' AND ts < TIMESTAMP '{}' AND caller = '+4917000{:05d}'",
            [(instant(n * DAY), instant((n + 6) * DAY), 331 * n + 7) for n in range(6)],
            **SPARK,
        ),
        expected=(Expected("unclustered_column", ("caller",), (0.7, 0.85), True, False),),
        tempting={"row_groups_not_pruned": "an order of files wins more"},
        never=(r"zorder\([^)]*ts", "PARTITION FIELD"),
    ),
)
