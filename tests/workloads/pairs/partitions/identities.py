"""Conditions on identity fields that planners do not use: Trino asks them of partitions' values."""

from __future__ import annotations

import numpy as np

from tests.workloads.model import Expected, Pair
from tests.workloads.physical import Layout
from tests.workloads.rows import FILE_ROWS, SPARK, laid_out, repeated, rng, table, texts

COUNT = 60 * FILE_ROWS


def depots() -> Layout:
    """Six depots of ten files each."""
    draw = rng(7311)
    names = np.array(["ber", "ham", "muc", "cgn", "fra", "str"])
    return laid_out(
        table({"depot": texts(names[draw.integers(0, 6, COUNT)]), "kg": draw.normal(9, 2, COUNT)}),
        "depot",
    )


SQL = "SELECT sum(kg) FROM lake.db.{} WHERE CASE WHEN depot = 'muc' THEN 1 ELSE 0 END = 1"

PAIRS = (
    Pair(
        "parcels_in_trino",
        depots,
        repeated(SQL.format("parcels_in_trino"), 8),
        expected=(
            Expected("wrapped_column", ("depot",), (0.7, 0.9), False, True, ("planned, not read",)),
        ),
    ),
    Pair(
        "parcels_in_spark",
        depots,
        repeated(SQL.format("parcels_in_spark"), 8, **SPARK),
        expected=(Expected("wrapped_column", ("depot",), (0.7, 0.9), False, True),),
        unsaid=("planned, not read",),
    ),
)
