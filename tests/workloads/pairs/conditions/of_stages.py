"""Conditions that no engine uses, on columns whose values are in all files of each partition. Until
they are written otherwise, an order of these columns undoes that of customers, and wins nothing."""

from __future__ import annotations

import numpy as np

from tests.scenarios.lake import Query
from tests.workloads.model import Expected, Pair
from tests.workloads.physical import Layout
from tests.workloads.rows import FILE_ROWS, SPARK, each, laid_out, rng, table, texts

STAGES = np.array(["won", "lost", "asked", "offered", "silent", "called"])
FIRST = "Write the conditions that the engine does not use as their findings say first"


def deals() -> Layout:
    """Eight buckets of ten files each, with deals of any stage and number in each file."""
    draw = rng(71_001)
    count = 80 * FILE_ROWS
    return laid_out(
        table(
            {
                "customer": np.sort(draw.integers(0, 9000, count)),
                "stage": texts(STAGES[draw.integers(0, 6, count)]),
                "number": draw.integers(10_000, 99_999, count),
            }
        ),
        "bucket(8, customer)",
    )


def _customers(name: str) -> list[Query]:
    """Who uses the buckets."""
    return each(f"SELECT stage FROM lake.db.{name} WHERE customer = {{}}", range(5, 9000, 2000))


PAIRS = (
    Pair(
        "deals_of_a_stage_or_none",
        deals,
        [
            *each(
                "SELECT count(customer) FROM lake.db.deals_of_a_stage_or_none"
                " WHERE COALESCE(stage, '') = '{}'",
                STAGES,
            ),
            *_customers("deals_of_a_stage_or_none"),
        ],
        expected=(
            Expected("no_partition_filter", ("stage",), (0.5, 0.85), False, False, (FIRST,)),
            Expected("wrapped_column", ("stage",), None, False, True, ("stage = '",)),
        ),
    ),
    Pair(
        "deals_by_leading_digits",
        deals,
        [
            *each(
                "SELECT count(*) FROM lake.db.deals_by_leading_digits WHERE number / 100 = {}",
                range(101, 990, 90),
            ),
            *_customers("deals_by_leading_digits"),
        ],
        expected=(
            Expected("no_partition_filter", ("number",), (0.7, 0.95), False, False, (FIRST,)),
            Expected("wrapped_column", ("number",), None, False, True, ("number >= ",)),
        ),
    ),
    Pair(
        "deals_by_letter",
        deals,
        [
            *each(
                "SELECT count(customer) FROM lake.db.deals_by_letter WHERE left(stage, 2) = '{}'",
                ["wo", "lo", "as", "of"],
                **SPARK,
            ),
            *_customers("deals_by_letter"),
        ],
        allowed=(Expected("wrapped_column", ("stage",), None, False, True),),
        expected=(
            Expected("no_partition_filter", ("stage",), (0.5, 0.85), False, False, (FIRST,)),
        ),
    ),
)
