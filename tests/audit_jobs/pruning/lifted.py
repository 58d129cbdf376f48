"""Lifting, as text."""

import datetime as dt

from prunescope.audit_jobs.pruning.lifting import lift_inclusive, lift_strict
from prunescope.collectors.partitioning import PartitionField, PartitionSpec, result_type
from prunescope.collectors.predicates.literals import PhysicalValue
from prunescope.collectors.predicates.model import BoundComparison, Field, Predicate
from prunescope.collectors.predicates.operators import Op
from prunescope.collectors.predicates.render import render

DAY = 86_400_000_000


def partitioned(
    transform: str, type_name: str, *, source: int = 1, name: str = "p"
) -> PartitionSpec:
    """A table partitioned by one field."""
    kind = result_type(transform, type_name)
    return PartitionSpec(1, (PartitionField(1000, source, name, transform, type_name, kind),))


def leaf(op: Op, type_name: str, *values: PhysicalValue, term: str | None = None) -> Predicate:
    """A comparison of the column that partitions come from, or of a transform of it."""
    return BoundComparison(op, Field(1, "x", type_name, term), values)


def micros(text: str) -> int:
    """A timestamp as it is stored."""
    span = dt.datetime.fromisoformat(text) - dt.datetime(1970, 1, 1)
    return span // dt.timedelta(microseconds=1)


def assert_lifts(spec: PartitionSpec, part: Predicate, inclusive: str, strict: str) -> None:
    """That a comparison lifts to these texts."""
    assert render(lift_inclusive(part, spec)) == inclusive
    assert render(lift_strict(part, spec)) == strict
