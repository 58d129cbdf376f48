"""Patterns in which `_` stands where texts have one."""

from __future__ import annotations

import numpy as np

from tests.workloads.model import Expected, Pair
from tests.workloads.physical import Layout
from tests.workloads.rows import FILE_ROWS, SPARK, each, laid_out, rng, table, texts

COUNT = 40 * FILE_ROWS


def skus() -> Layout:
    """40 files in order of units like `SKU_004217-M`, of ten thousand."""
    numbers = np.sort(rng(7901).integers(0, 10_000, COUNT))
    return laid_out(table({"sku": texts(numbers, "SKU_{:06d}-M"), "sold": np.arange(COUNT) % 90}))


PAIRS = (
    # Of the pattern only SKU is known, with which all begin. That the character is meant, the
    # author has to say.
    Pair(
        "units_of_a_hundred",
        skus,
        each(
            "SELECT sum(sold) FROM lake.db.units_of_a_hundred WHERE sku LIKE 'SKU_{:04d}%'",
            range(3, 100, 9),
            **SPARK,
        ),
        expected=(
            Expected(
                "like_without_prefix",
                ("sku",),
                statements=False,
                rewrite=False,
                says=(r"stands for any character", r"startswith\(sku,"),
            ),
        ),
        tempting={"unclustered_column": "files are in order of units"},
        unsaid=("begins with a wildcard",),
    ),
    Pair(
        "units_of_a_hundred_in_trino",
        skus,
        each(
            "SELECT sum(sold) FROM lake.db.units_of_a_hundred_in_trino"
            " WHERE sku LIKE 'SKU_{:04d}%'",
            range(3, 100, 9),
        ),
        expected=(
            Expected(
                "like_without_prefix",
                ("sku",),
                statements=False,
                rewrite=False,
                says=(r"ESCAPE '!'",),
            ),
        ),
        tempting={"unclustered_column": "files are in order of units"},
    ),
    # What is beside it says how it begins, and is pushed.
    Pair(
        "units_as_they_begin",
        skus,
        each(
            "SELECT sum(sold) FROM lake.db.units_as_they_begin"
            " WHERE sku LIKE 'SKU_{0:04d}%' AND startswith(sku, 'SKU_{0:04d}')",
            range(3, 100, 9),
            **SPARK,
        ),
        tempting={"like_without_prefix": "the engine uses the beginning that is beside it"},
    ),
    Pair(
        "units_by_an_escaped_mark",
        skus,
        each(
            "SELECT sum(sold) FROM lake.db.units_by_an_escaped_mark"
            " WHERE sku LIKE 'SKU!_{:04d}%' ESCAPE '!'",
            range(3, 100, 9),
        ),
        tempting={"like_without_prefix": "Trino pushes it"},
    ),
)
