"""Partitions that no query reaches, as their column is compared as another type, beside conditions
on other columns: what an order of these wins, once partitions are used, is little."""

from __future__ import annotations

import numpy as np

from tests.workloads.model import Expected, Pair
from tests.workloads.physical import Layout
from tests.workloads.rows import FILE_ROWS, SPARK, day, day_text, each, laid_out, rng, table


def ledger() -> Layout:
    """A partition for each of 30 days, as text, of three files, with any amounts and accounts."""
    draw = rng(7911)
    days = np.repeat(np.arange(30), 3 * FILE_ROWS)
    return laid_out(
        table(
            {
                "dt": day_text(days),
                "amount": draw.integers(0, 1_000, len(days)),
                "account": draw.integers(0, 5_000, len(days)),
            }
        ),
        "dt",
    )


PAIRS = (
    Pair(
        "large_amounts_of_a_week",
        ledger,
        each(
            "SELECT count(*), sum(amount) FROM lake.db.large_amounts_of_a_week"
            " WHERE to_date(dt) BETWEEN DATE '{}' AND DATE '{}' AND amount > 500",
            [(day(n), day(n + 6)) for n in (3, 8, 13, 20)],
            **SPARK,
        ),
        expected=(Expected("type_mismatch", ("dt",), None, statements=False),),
        tempting={"row_groups_not_pruned": "half of all amounts are as large"},
        never=("ORDERED BY", "DROP"),
    ),
    # A day is three files, of which an order would leave one: the day alone wins 29 of 30.
    Pair(
        "accounts_of_a_day",
        ledger,
        each(
            "SELECT sum(amount) FROM lake.db.accounts_of_a_day"
            " WHERE CAST(dt AS DATE) = DATE '{}' AND account = {}",
            [(day(n), 37 * n) for n in (3, 8, 13, 20)],
            **SPARK,
        ),
        expected=(Expected("type_mismatch", ("dt",), None, statements=False),),
        tempting={
            "unclustered_column": "of what is read, the day is 1 in 30",
            "no_partition_filter": "the filter has the day",
        },
        never=("ORDERED BY", "DROP"),
    ),
)
