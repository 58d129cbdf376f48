"""Queries of two tables with columns of one name: what is to be written says whose it is."""

from __future__ import annotations

import numpy as np

from tests.workloads.model import Expected, Pair
from tests.workloads.physical import Layout
from tests.workloads.rows import DAY, FILE_ROWS, SPARK, laid_out, repeated, rng, table, times

DAYS = 50
COUNT = DAYS * FILE_ROWS


def visits() -> Layout:
    """Fifty days of visits, a file each."""
    draw = rng(6_131)
    days = np.repeat(np.arange(DAYS), FILE_ROWS)
    return laid_out(
        table(
            {
                "at": times(days * DAY + draw.uniform(0, DAY, COUNT)),
                "visitor": draw.integers(0, 4_000, COUNT),
            },
            6_131,
        ),
        "days(at)",
    )


_LIKE_THE_QUERY = (r"\bv\.at >= ", r"\bv\.at < ")

PAIRS = (
    Pair(
        "visits_before_orders",
        visits,
        repeated(
            "SELECT count(*) FROM lake.db.visits_before_orders v JOIN shop.public.orders o"
            " ON o.visitor = v.visitor AND o.at > v.at"
            " WHERE date_format(v.at, '%Y-%m') = '2026-02'",
            4,
        ),
        expected=(Expected("wrapped_column", ("at",), (0.55, 0.7), False, True, _LIKE_THE_QUERY),),
        tempting={"runtime_only": "the month restricts the table"},
    ),
    Pair(
        "visits_merged",
        visits,
        repeated(
            "MERGE INTO lake.db.visits_merged v USING stage.public.visits s"
            " ON v.visitor = s.visitor AND date_format(v.at, 'yyyy-MM-dd') = '2026-02-01'"
            " WHEN MATCHED THEN UPDATE SET v.visitor = s.visitor",
            4,
            **SPARK,
        ),
        expected=(Expected("wrapped_column", ("at",), (0.9, 0.99), False, True, _LIKE_THE_QUERY),),
        allowed=(Expected("runtime_only", ()),),
    ),
    # One table twice: each of the two is another one's.
    Pair(
        "visits_of_a_day_and_the_next",
        visits,
        repeated(
            "SELECT count(*) FROM lake.db.visits_of_a_day_and_the_next one"
            " JOIN lake.db.visits_of_a_day_and_the_next two ON one.visitor = two.visitor"
            " WHERE date_format(one.at, 'yyyy-MM-dd') = '2026-01-20'"
            " AND date_format(two.at, 'yyyy-MM-dd') = '2026-01-21'",
            4,
            **SPARK,
        ),
        expected=(
            Expected(
                "wrapped_column",
                ("at",),
                (0.9, 0.99),
                False,
                True,
                (r"\b(one|two)\.at >= ", "is called (one|two)"),
            ),
        ),
    ),
)
