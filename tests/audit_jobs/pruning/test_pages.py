"""Pages over one row group of 10 rows: column `x` has pages of 4 and 6 rows, `y` of 5 and 5."""

from dataclasses import asdict
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from prunescope.audit_jobs.pruning.pages import PageCounts, prune_pages
from prunescope.audit_jobs.pruning.scans import Scan
from prunescope.audit_jobs.pruning.shapes import shapes
from prunescope.collectors.partitioning import PartitionField, PartitionSpec
from prunescope.collectors.predicates.model import And, BoundComparison, Field, Or, Predicate
from prunescope.collectors.predicates.operators import Op
from prunescope.collectors.statistics import (
    ColumnStatistics,
    PageBatch,
    RowGroupBatch,
    Statistics,
    constant,
    from_counts,
    from_values,
)

X, Y = Field(1, "x", "long"), Field(2, "y", "long")
SPEC = PartitionSpec(1, (PartitionField(1000, 1, "p", "truncate[10]", "long", "long"),))


def bounds(*pairs: tuple[int, int]) -> ColumnStatistics:
    count = len(pairs)
    return from_counts(
        pa.array([low for low, _ in pairs], pa.int64()),
        pa.array([high for _, high in pairs], pa.int64()),
        null_count=pa.array([0] * count),
        nan_count=None,
        value_count=pa.array([5] * count),
    )


def pages() -> PageBatch:
    """Slices of 4, 1 and 5 rows: x in 0 to 3 in the first, in 4 to 9 in the others; y in 0 to 4 in
    the first two, in 50 to 90 in the last."""
    return PageBatch(
        row_group=np.zeros(3, np.int64),
        records=np.array([4, 1, 5]),
        metrics=Statistics(
            3,
            constant(False, 3),
            {
                (1, "long"): bounds((0, 3), (4, 9), (4, 9)),
                (2, "long"): bounds((0, 4), (0, 4), (50, 90)),
            },
        ),
        columns=((1, "long"), (2, "long")),
        column=np.array([0, 0, 1, 1]),
        first_slice=np.array([0, 1, 0, 2]),
        end_slice=np.array([1, 3, 2, 3]),
        size=np.array([40, 60, 500, 700]),
    )


def row_groups() -> RowGroupBatch:
    """One row group of a file of partition 0."""
    nothing = Statistics(1, constant(False, 1), {})
    partition = from_values(pa.array([0], pa.int64()))
    return RowGroupBatch(
        spec_id=1,
        file=np.array([0]),
        records=np.array([10]),
        size=np.array([1300]),
        partition=Statistics(1, constant(False, 1), {(1000, "long"): partition}),
        metrics=nothing,
    )


def counted(predicate: Predicate, *, reached: bool = True) -> list[PageCounts]:
    kept = np.array([[reached]])
    return list(prune_pages(shapes([Scan(0, predicate)]), pages(), row_groups(), SPEC, kept))


def verdict(predicate: Predicate) -> dict[str, int]:
    (found,) = counted(predicate)
    return {name: numbers.item() for name, numbers in asdict(found).items()}


def x(op: Op, *values: Any) -> BoundComparison:
    return BoundComparison(op, X, values)


def y(op: Op, *values: Any) -> BoundComparison:
    return BoundComparison(op, Y, values)


@pytest.mark.parametrize(
    ("predicate", "pages_kept", "rows", "size"),
    [
        pytest.param(And((x(Op.GT, 3), y(Op.LT, 5))), 2, 1, 560, id="both-columns"),
        pytest.param(And((x(Op.LT, 3), y(Op.GT, 60))), 0, 0, 0, id="nothing-left"),
        pytest.param(Or((x(Op.LT, 3), y(Op.GT, 60))), 4, 9, 1300, id="either-column"),
    ],
)
def test_pages(predicate: Predicate, pages_kept: int, rows: int, size: int) -> None:
    found = verdict(predicate)
    assert (found["pages_considered"], found["records_considered"], found["bytes_considered"]) == (
        4,
        10,
        1300,
    )
    assert (found["pages_kept"], found["records_kept"], found["bytes_kept"]) == (
        pages_kept,
        rows,
        size,
    )


@pytest.mark.parametrize(
    ("predicate", "considered", "kept", "rows", "size"),
    [
        pytest.param(x(Op.LT, 3), 2, 1, 4, 40, id="x"),
        pytest.param(y(Op.GT, 60), 2, 1, 5, 700, id="y"),
        pytest.param(x(Op.LT, 10), 2, 2, 10, 100, id="proven-by-the-partition"),
        pytest.param(x(Op.EQ, 70), 2, 0, 0, 0, id="disproved-by-the-partition"),
    ],
)
def test_only_pages_of_compared_columns_count(
    predicate: Predicate, considered: int, kept: int, rows: int, size: int
) -> None:
    found = verdict(predicate)
    assert (found["pages_considered"], found["records_considered"]) == (considered, 10)
    assert (found["pages_kept"], found["records_kept"], found["bytes_kept"]) == (kept, rows, size)


def test_row_groups_without_an_index_of_a_compared_column_are_not_considered() -> None:
    assert counted(BoundComparison(Op.EQ, Field(3, "z", "long"), (1,))) == []


def test_pages_of_row_groups_that_are_not_kept_are_not_considered() -> None:
    assert counted(x(Op.LT, 3), reached=False) == []
