"""Lifting and bounds of terms against single values, whatever the value and the predicate."""

import operator
from collections.abc import Callable
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from prunescope.audit_jobs.pruning.lifting import lift_inclusive, lift_strict
from prunescope.audit_jobs.pruning.rules import Rules
from prunescope.audit_jobs.pruning.transforms import apply, in_range, transform_bounds
from prunescope.collectors.partitioning import PartitionField, PartitionSpec, result_type
from prunescope.collectors.predicates.model import BoundComparison, Field, Predicate
from prunescope.collectors.predicates.operators import Op
from prunescope.collectors.statistics import Statistics, constant, from_counts, from_values
from prunescope.collectors.types import arrow_type, from_unscaled
from tests.audit_jobs.pruning.judging import states

_COMPARE: dict[Op, Callable[[Any, Any], bool]] = {
    Op.LT: operator.lt,
    Op.LT_EQ: operator.le,
    Op.GT: operator.gt,
    Op.GT_EQ: operator.ge,
    Op.EQ: operator.eq,
    Op.NOT_EQ: operator.ne,
}
LONGS = st.integers(-60, 60) | st.integers(-(2**63), 2**63 - 1)
DAY = 86_400_000_000
TIMES = st.builds(
    lambda days, offset: days * DAY + offset,
    st.integers(-40, 40) | st.integers(-30_000, 60_000),
    st.sampled_from([0, 1, -1, DAY // 2, 3_600_000_000]) | st.integers(0, DAY),
)
TEXT = st.text(st.sampled_from("aäz😀"), max_size=5).map(str.encode)
CASES: dict[tuple[str, str], st.SearchStrategy[Any]] = {
    ("identity", "long"): LONGS,
    ("truncate[10]", "long"): LONGS,
    ("truncate[7]", "int"): st.integers(-60, 60) | st.integers(-(2**31), 2**31 - 1),
    ("bucket[4]", "long"): LONGS,
    ("truncate[25]", "decimal(38,2)"): (
        st.integers(-300, 300) | st.integers(1 - 10**38, 10**38 - 1)
    ).map(lambda number: from_unscaled(number, 2)),
    ("truncate[2]", "string"): TEXT,
    ("bucket[4]", "string"): TEXT,
    ("truncate[2]", "binary"): st.binary(max_size=4),
    ("hour", "timestamp"): TIMES,
    ("day", "timestamp"): TIMES,
    ("month", "timestamp"): TIMES,
    ("year", "timestamptz"): TIMES,
    ("day", "date"): st.integers(-800, 800),
    ("month", "date"): st.integers(-800, 800),
    ("year", "date"): st.integers(-800, 800),
}


def matches(op: Op, literals: tuple[Any, ...], value: Any) -> bool:
    """As SQL has it: of nulls, only IS NULL is true."""
    match op:
        case Op.IS_NULL:
            return value is None
        case Op.NOT_NULL:
            return value is not None
        case _ if value is None:
            return False
        case Op.IN | Op.NOT_IN:
            return (value in literals) == (op is Op.IN)
        case Op.STARTS_WITH | Op.NOT_STARTS_WITH:
            starts: bool = value.startswith(literals[0])
            return starts == (op is Op.STARTS_WITH)
        case _:
            return _COMPARE[op](value, literals[0])


def operators(type_name: str) -> st.SearchStrategy[Op]:
    prefixes = [Op.STARTS_WITH, Op.NOT_STARTS_WITH] if type_name == "string" else []
    others = [*_COMPARE, Op.IN, Op.NOT_IN, Op.IS_NULL, Op.NOT_NULL]
    return st.sampled_from([*others, *prefixes])


@st.composite
def comparisons(draw: st.DrawFn, transform: str, type_name: str) -> BoundComparison:
    op = draw(operators(type_name))
    values = CASES[transform, type_name]
    if op in (Op.IS_NULL, Op.NOT_NULL):
        literals: list[Any] = []
    elif op in (Op.IN, Op.NOT_IN):
        literals = sorted(draw(st.sets(values, min_size=2, max_size=4)))
    else:
        literals = [draw(values.filter(bool) if "STARTS" in op.name else values)]
    return BoundComparison(op, Field(1, "x", type_name), tuple(literals))


def state(lifted: Predicate, kind: str, partition_value: Any) -> bool | None:
    column = from_values(pa.array([partition_value], arrow_type(kind)))
    statistics = Statistics(1, constant(False, 1), {(1000, kind): column})
    return {"T": True, "F": False, "?": None}[states(lifted, statistics, Rules())]


@pytest.mark.parametrize(("transform", "type_name"), CASES)
@given(data=st.data())
def test_partition_values_follow_their_values(
    transform: str, type_name: str, data: st.DataObject
) -> None:
    leaf = data.draw(comparisons(transform, type_name))
    value = data.draw(
        st.none() | st.sampled_from(leaf.values or (None,)) | CASES[transform, type_name]
    )
    kind = result_type(transform, type_name)
    assert kind is not None
    spec = PartitionSpec(0, (PartitionField(1000, 1, "p", transform, type_name, kind),))
    partition_value = None if value is None else apply(transform, type_name, value)
    assume(partition_value is None or in_range(partition_value, kind))
    if matches(leaf.op, leaf.values, value):
        assert state(lift_inclusive(leaf, spec), kind, partition_value) is not False
    if state(lift_strict(leaf, spec), kind, partition_value):
        assert matches(leaf.op, leaf.values, value)


@pytest.mark.parametrize(("transform", "type_name"), CASES)
@given(data=st.data())
def test_bounds_of_terms_hold_all_their_values(
    transform: str, type_name: str, data: st.DataObject
) -> None:
    values = data.draw(st.lists(CASES[transform, type_name], min_size=1, max_size=5))
    kind = arrow_type(type_name)
    column = from_counts(
        pa.array([min(values)], kind),
        pa.array([max(values)], kind),
        null_count=pa.array([0], pa.int64()),
        nan_count=None,
        value_count=pa.array([len(values)], pa.int64()),
    )
    found = transform_bounds(column, Field(1, "x", type_name, transform))
    assert found is not None
    (lower,), (upper,) = found.lower.to_pylist(), found.upper.to_pylist()
    terms: list[Any] = [apply(transform, type_name, value) for value in values]
    assert lower is None or all(lower <= term for term in terms)
    assert upper is None or all(term <= upper for term in terms)
