"""Files that are skipped as few rows match, which is no order of rows, beside those that are in
one."""

from __future__ import annotations

import numpy as np

from tests.scenarios.lake import Query
from tests.workloads.model import Expected, Pair
from tests.workloads.physical import Layout
from tests.workloads.rows import DAY, FILE_ROWS, each, instant, laid_out, rng, table, times


def weighings() -> Layout:
    """60 files in order of time. One of 1,000 bags weighs much, and scales come in any order."""
    draw = rng(9931)
    count = 60 * FILE_ROWS
    rows = {
        "weighed_at": times(np.sort(draw.uniform(0, 60 * DAY, count))),
        "scale_id": draw.integers(0, 400, count),
        "grams": draw.integers(0, 100_000, count),
    }
    return laid_out(table(rows))


def _asked(name: str) -> list[Query]:
    days = (
        f"SELECT avg(grams) FROM lake.db.{name}"
        " WHERE weighed_at >= TIMESTAMP '{}' AND weighed_at < TIMESTAMP '{}'"
    )
    return [
        *each(days, [(instant(n % 59 * DAY), instant((n % 59 + 1) * DAY)) for n in range(118)]),
        *each(f"SELECT * FROM lake.db.{name} WHERE grams > {{}}", range(99_900, 99_912)),
        *each(f"SELECT count(*) FROM lake.db.{name} WHERE scale_id = {{}}", range(0, 400, 80)),
    ]


PAIRS = (
    # Half of the files hold no bag that is so heavy, in whatever order bags come: days alone lose
    # by an order of scales.
    Pair(
        "days_heavy_bags_and_scales",
        weighings,
        _asked("days_heavy_bags_and_scales"),
        allowed=(Expected("unclustered_column", (), statements=False),),
        tempting={"small_files": "files are whole"},
        never=("ORDERED BY",),
        unsaid=("weighed_at, grams", "that of grams", "order of grams"),
    ),
)
