"""NULL, NOT and <>."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from tests.workloads.model import Expected, Pair
from tests.workloads.physical import Layout
from tests.workloads.rows import (
    DAY,
    FILE_ROWS,
    SPARK,
    SPARK_35,
    laid_out,
    repeated,
    rng,
    table,
    texts,
    times,
)

COUNT = 40 * FILE_ROWS


def few_deleted() -> Layout:
    """40 files; one row of 200 was deleted at some time, anywhere."""
    draw = rng(61)
    deleted = draw.random(COUNT) < 0.005
    at = times(draw.uniform(0, 100 * DAY, COUNT)).to_pylist()
    values = [value if gone else None for value, gone in zip(at, deleted, strict=True)]
    return laid_out(
        table({"id": np.arange(COUNT), "deleted_at": pa.array(values, pa.timestamp("us"))})
    )


def few_unprocessed() -> Layout:
    """40 files; one row of 200 was not processed yet, anywhere."""
    draw = rng(62)
    waiting = draw.random(COUNT) < 0.005
    at = times(draw.uniform(0, 100 * DAY, COUNT)).to_pylist()
    values = [None if waits else value for value, waits in zip(at, waiting, strict=True)]
    return laid_out(
        table({"id": np.arange(COUNT), "processed_at": pa.array(values, pa.timestamp("us"))})
    )


def deleted_apart() -> Layout:
    """40 files, of which only the last has rows that were deleted."""
    at = times(rng(63).uniform(0, 100 * DAY, 100)).to_pylist()
    values = [None] * (COUNT - 100) + at
    return laid_out(
        table({"id": np.arange(COUNT), "deleted_at": pa.array(values, pa.timestamp("us"))})
    )


def mostly_done() -> Layout:
    """40 files; one row of 20 is in one of three states that are not `done`, anywhere."""
    draw = rng(64)
    states = draw.choice(["done", "new", "open", "failed"], COUNT, p=[0.94, 0.02, 0.02, 0.02])
    return laid_out(table({"id": np.arange(COUNT), "state": texts(states)}))


def few_cancelled() -> Layout:
    """40 files; one row of 20 was cancelled, anywhere."""
    states = rng(65).choice(["done", "cancelled"], COUNT, p=[0.95, 0.05])
    return laid_out(table({"id": np.arange(COUNT), "state": texts(states)}))


def by_state() -> Layout:
    """A partition for each of four states: `done` has 36 files of 40."""
    count = 40 * FILE_ROWS
    states = rng(66).choice(["done", "new", "open", "failed"], count, p=[0.9, 0.04, 0.04, 0.02])
    return laid_out(table({"id": np.arange(count), "state": texts(states)}), "state")


def states_in_order() -> Layout:
    """40 files in order of states, not partitioned: 36 hold nothing but `done`."""
    states = ["done"] * (36 * FILE_ROWS) + ["new"] * (2 * FILE_ROWS) + ["open"] * (2 * FILE_ROWS)
    return laid_out(table({"id": np.arange(COUNT), "state": texts(states)}))


def in_order() -> Layout:
    """40 files in order of a number."""
    return laid_out(table({"score": np.sort(rng(67).integers(0, 1_000, COUNT))}))


PAIRS = (
    # 120 rows are wanted; after a sort they are in one file, or its neighbour too.
    Pair(
        "deleted_rows",
        few_deleted,
        repeated("SELECT * FROM lake.db.deleted_rows WHERE deleted_at IS NOT NULL", 10),
        expected=(Expected("unclustered_column", ("deleted_at",), (0.9, 0.98), True, False),),
        tempting={"negated_condition": "IS NOT NULL prunes by counts of nulls, once they differ"},
    ),
    Pair(
        "unprocessed_rows",
        few_unprocessed,
        repeated("SELECT * FROM lake.db.unprocessed_rows WHERE processed_at IS NULL", 10, **SPARK),
        expected=(Expected("unclustered_column", ("processed_at",), (0.9, 0.98), True, False),),
    ),
    Pair(
        "deleted_rows_apart",
        deleted_apart,
        repeated("SELECT * FROM lake.db.deleted_rows_apart WHERE deleted_at IS NOT NULL", 10),
        tempting={"unclustered_column": "39 of 40 files are ruled out by their counts"},
    ),
    # Nearly all rows match.
    Pair(
        "rows_not_deleted",
        few_deleted,
        repeated("SELECT * FROM lake.db.rows_not_deleted WHERE deleted_at IS NULL", 10),
        tempting={"unclustered_column": "199 of 200 rows match"},
    ),
    # Six of 100 rows are wanted, and can be named. With a sort they are in three files of 40.
    Pair(
        "not_done",
        mostly_done,
        repeated("SELECT * FROM lake.db.not_done WHERE state <> 'done'", 10, **SPARK),
        expected=(Expected("negated_condition", ("state",), (0.8, 0.97), True),),
        rewritten={
            "negated_condition": repeated(
                "SELECT * FROM lake.db.not_done WHERE state IN ('new', 'open', 'failed')",
                10,
                **SPARK,
            )
        },
        tempting={"unclustered_column": "these bytes are those of the negated condition"},
    ),
    Pair(
        "not_cancelled",
        few_cancelled,
        repeated("SELECT * FROM lake.db.not_cancelled WHERE state <> 'cancelled'", 10, **SPARK),
        tempting={"negated_condition": "19 of 20 rows match"},
    ),
    # A partition has one value, which planners compare exactly.
    Pair(
        "not_done_by_partition",
        by_state,
        repeated("SELECT * FROM lake.db.not_done_by_partition WHERE state <> 'done'", 10, **SPARK),
        tempting={"negated_condition": "identity partitions answer <>"},
    ),
    # The files are right. Iceberg 1.10 does not look at single values, 1.11 does.
    Pair(
        "not_done_before_1_11",
        states_in_order,
        repeated(
            "SELECT * FROM lake.db.not_done_before_1_11 WHERE state <> 'done'", 10, **SPARK_35
        ),
        expected=(Expected("negated_condition", ("state",), (0.85, 0.95)),),
        rewritten={
            "negated_condition": repeated(
                "SELECT * FROM lake.db.not_done_before_1_11 WHERE state IN ('new', 'open')",
                10,
                **SPARK_35,
            )
        },
        tempting={"unclustered_column": "files are in order of state"},
    ),
    # NOT of a range is a range.
    Pair(
        "not_above",
        in_order,
        repeated("SELECT count(*) FROM lake.db.not_above WHERE NOT (score > 20)", 10, **SPARK),
        tempting={"negated_condition": "it is score <= 20"},
    ),
)
