"""Lookups by keys in no order, of which bloom filters tell row groups apart, or nothing does."""

from __future__ import annotations

import numpy as np

from tests.workloads.model import Expected, Pair
from tests.workloads.physical import Layout
from tests.workloads.rows import FILE_ROWS, each, laid_out, rng, scaled, table, texts

_ROWS = 96 * FILE_ROWS


def _of_one_file(row_groups: int, times: int) -> Layout:
    """One file of so many row groups, without dictionaries, in which each receipt comes so many
    times."""
    seed, rows = 7710 + times, _ROWS // row_groups
    draw = rng(seed)
    receipts = draw.permutation(np.repeat(np.arange(_ROWS // times), times))
    return laid_out(
        table({"receipt": texts(receipts, "R{:07d}"), "total": draw.normal(0, 1, _ROWS)}, seed),
        file_rows=_ROWS,
        properties={
            **scaled(_ROWS * 120),
            "write.parquet.row-group-limit": str(rows),
            "write.parquet.row-group-size-bytes": str(rows * 100),
            "write.parquet.dict-size-bytes": "1",
        },
    )


def _receipts_of_one_row_group() -> Layout:
    return _of_one_file(1, 1)


def _receipts_of_three_lines() -> Layout:
    return _of_one_file(16, 3)


PAIRS = (
    # All receipts are there, in the one row group that there is: no filter lets it be skipped,
    # whether sampled rows have them or not.
    Pair(
        "receipts_of_one_row_group",
        _receipts_of_one_row_group,
        each(
            "SELECT * FROM lake.db.receipts_of_one_row_group WHERE receipt = 'R{:07d}'",
            range(5, _ROWS, 9000),
        ),
        tempting={
            "row_groups_not_pruned": "there is one, which has the row",
            "unclustered_column": "there is one file",
        },
        never=("bloom", "ORDERED BY"),
    ),
    # Each receipt has three lines, which lie in three of sixteen row groups at most.
    Pair(
        "receipts_of_three_lines",
        _receipts_of_three_lines,
        each(
            "SELECT * FROM lake.db.receipts_of_three_lines WHERE receipt = 'R{:07d}'",
            range(3, _ROWS // 3, 320),
        ),
        expected=(Expected("row_groups_not_pruned", ("receipt",), (0.7, 0.84), True),),
        never=("PARTITION FIELD",),
    ),
)
