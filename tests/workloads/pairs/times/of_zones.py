"""Days of sessions that are not in UTC, of times with a zone in partitions of UTC."""

from __future__ import annotations

import numpy as np

from tests.workloads.model import Expected, Pair
from tests.workloads.physical import Layout
from tests.workloads.rows import DAY, FILE_ROWS, SPARK, laid_out, repeated, rng, table, times

DAYS = 50
COUNT = DAYS * FILE_ROWS


def trips() -> Layout:
    """Fifty days of trips, a file each."""
    draw = rng(8_209)
    days = np.repeat(np.arange(DAYS), FILE_ROWS)
    begun = times(days * DAY + draw.uniform(0, DAY, COUNT), "UTC")
    return laid_out(
        table({"begun": begun, "metres": draw.integers(1, 9_000, COUNT)}, 8_209), "days(begun)"
    )


def _asked(name: str, where: str) -> str:
    return f"SELECT sum(metres) FROM lake.db.{name} WHERE {where}"


PAIRS = (
    # Spark's days are those of its session, which no partition of UTC is.
    Pair(
        "trips_of_a_day_in_sydney",
        trips,
        repeated(
            _asked("trips_of_a_day_in_sydney", "date_format(begun, 'yyyy-MM-dd') = '2026-01-20'"),
            4,
            time_zone="Australia/Sydney",
            **SPARK,
        ),
        expected=(
            Expected(
                "wrapped_column",
                ("begun",),
                (0.9, 0.99),
                False,
                True,
                ("begun >= TIMESTAMP '2026-01-19 13:00:00 UTC'",),
            ),
        ),
        allowed=(Expected("local_day_boundaries", ("begun",)),),
        unsaid=(r"system\.days",),
    ),
    Pair(
        "trips_of_a_day_of_utc",
        trips,
        repeated(
            _asked("trips_of_a_day_of_utc", "date_format(begun, 'yyyy-MM-dd') = '2026-01-20'"),
            4,
            **SPARK,
        ),
        expected=(
            Expected(
                "wrapped_column", ("begun",), (0.9, 0.99), False, True, (r"system\.days\(begun\)",)
            ),
        ),
    ),
    # Trino reads the column in UTC, and writes its days whatever the session's are.
    Pair(
        "trips_of_a_day_in_trino",
        trips,
        repeated(
            _asked("trips_of_a_day_in_trino", "date_format(begun, '%Y-%m-%d') = '2026-01-20'"),
            4,
            time_zone="Australia/Sydney",
        ),
        expected=(
            Expected(
                "wrapped_column",
                ("begun",),
                (0.9, 0.99),
                False,
                True,
                (
                    "begun >= TIMESTAMP '2026-01-19 23:59:59.9995 UTC'",
                    "begun < TIMESTAMP '2026-01-20 23:59:59.9995 UTC'",
                ),
            ),
        ),
    ),
)
