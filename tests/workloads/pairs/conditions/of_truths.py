"""Conditions that are compared with true, and ORs of what nothing prunes by."""

from __future__ import annotations

from tests.workloads.model import Expected, Pair
from tests.workloads.pairs.conditions.of_two_causes import parcels
from tests.workloads.rows import DAY, SPARK, each, instant, repeated

_LATE = [instant(n * DAY) for n in (46, 51, 56)]


def _asked(table: str, condition: str) -> str:
    return f"SELECT count(*) FROM lake.db.{table} WHERE {condition}"


PAIRS = (
    # As a tool writes a flag that it makes of a condition.
    Pair(
        "parcels_of_which_it_is_true",
        parcels,
        each(_asked("parcels_of_which_it_is_true", "(sent >= TIMESTAMP '{}') = true"), _LATE),
        expected=(Expected("wrapped_column", ("sent",), (0.7, 0.95), False, True),),
    ),
    Pair(
        "parcels_of_which_it_is_true_in_spark",
        parcels,
        each(
            _asked("parcels_of_which_it_is_true_in_spark", "(sent >= TIMESTAMP_NTZ '{}') <> false"),
            _LATE,
            **SPARK,
        ),
        tempting={"wrapped_column": "Spark takes the comparison with false away"},
    ),
    Pair(
        "parcels_to_either_goal",
        parcels,
        repeated(_asked("parcels_to_either_goal", "lane LIKE '%-2' OR lane LIKE '%-4'"), 4),
        expected=(Expected("like_without_prefix", ("lane",), None, False, False),),
    ),
)
