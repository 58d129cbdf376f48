"""How many values of partition fields filters ask for, counted by hand."""

from __future__ import annotations

import pytest

from prunescope.audit_jobs.findings.partitions_asked import values_of_field
from prunescope.collectors.partitioning import PartitionField
from prunescope.collectors.predicates.model import TRUE, And, BoundComparison, Field, Or, Predicate
from prunescope.collectors.predicates.operators import Op

TENANT = Field(1, "tenant", "string", None)
DAY = Field(2, "day", "date", None)
BY_TENANT = PartitionField(1000, 1, "tenant", "identity", "string", "string")
BY_MONTH = PartitionField(1001, 2, "day_month", "month", "date", "int")
BY_BUCKET = PartitionField(1002, 1, "tenant_bucket", "bucket[8]", "string", "int")


def _is(field: Field, op: Op, *values: object) -> Predicate:
    return BoundComparison(op, field, values)  # type: ignore[arg-type]


ONE = _is(TENANT, Op.EQ, b"a")
THREE = _is(TENANT, Op.IN, b"a", b"b", b"c")
# From 1970-01-16 until 1970-03-15.
THREE_MONTHS = And((_is(DAY, Op.GT_EQ, 15), _is(DAY, Op.LT, 73)))


@pytest.mark.parametrize(
    ("predicate", "field", "count"),
    [
        (ONE, BY_TENANT, 1),
        (THREE, BY_TENANT, 3),
        (THREE_MONTHS, BY_MONTH, 3),
        (And((THREE, THREE_MONTHS)), BY_MONTH, 3),
        (ONE, BY_BUCKET, 1),
        (And((ONE, THREE)), BY_TENANT, 1),
        (Or((ONE, _is(TENANT, Op.IS_NULL))), BY_TENANT, 2),
        (_is(TENANT, Op.GT, b"a"), BY_TENANT, None),
        (_is(DAY, Op.GT_EQ, 15), BY_MONTH, None),
        (ONE, BY_MONTH, None),
        (TRUE, BY_TENANT, None),
    ],
)
def test_values_that_a_filter_asks_for(
    predicate: Predicate, field: PartitionField, count: int | None
) -> None:
    assert values_of_field(predicate, field) == count
