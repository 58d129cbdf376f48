"""UUIDs, whose order engines do not agree on: what needs no order is told all the same.

An expectation has one letter per container: T can match, F cannot, ? unknown. Only F prunes.
"""

import pyarrow as pa
import pytest

from prunescope.audit_jobs.planning.planner_rules import rules_of
from prunescope.audit_jobs.pruning.rules import FLOOR, ICEBERG_1_12, Rules
from prunescope.collectors.predicates.model import Field
from prunescope.collectors.predicates.operators import Op
from prunescope.collectors.sql.planners.profiles import planner_of
from prunescope.collectors.statistics import from_counts, from_summaries, from_values
from tests.audit_jobs.pruning.judging import by_column, flags, ints

UUID = Field(1, "u", "uuid")
A, B = b"\x0f" * 16, b"\xf0" * 16
READER = rules_of(planner_of("trino", "483")).row_groups

CASES = [
    pytest.param(Op.LT, (A,), "FF??", id="lt-itself"),
    pytest.param(Op.GT, (A,), "FF??", id="gt-itself"),
    pytest.param(Op.LT, (B,), "F???", id="lt-another"),
    pytest.param(Op.GT, (B,), "F???", id="gt-another"),
    pytest.param(Op.LT_EQ, (A,), "F???", id="le"),
    pytest.param(Op.GT_EQ, (A,), "F???", id="ge"),
    pytest.param(Op.EQ, (A,), "FT??", id="eq-itself"),
    pytest.param(Op.EQ, (B,), "FF??", id="eq-another"),
    pytest.param(Op.IN, (A, B), "FT??", id="in"),
]


@pytest.mark.parametrize(("op", "values", "expected"), CASES)
@pytest.mark.parametrize("rules", [FLOOR.metrics, ICEBERG_1_12.metrics, ICEBERG_1_12.row_groups])
def test_files_and_row_groups(
    op: Op, values: tuple[bytes, ...], expected: str, rules: Rules
) -> None:
    """Of nulls only, of one value, and of which nothing is told but how many nulls; or not even
    that."""
    one = pa.array([None, A, None, None], pa.binary())
    column = from_counts(
        one, one, null_count=ints(9, 0, 0, None), nan_count=None, value_count=ints(9, 9, 9, 9)
    )
    assert by_column(op, values, UUID, column, rules) == expected


@pytest.mark.parametrize(("op", "values", "expected"), CASES)
@pytest.mark.parametrize("rules", [FLOOR.summaries, ICEBERG_1_12.summaries])
def test_manifests(op: Op, values: tuple[bytes, ...], expected: str, rules: Rules) -> None:
    """Of nulls only, of one value, of several, and without a summary."""
    one = pa.array([None, A, None, None], pa.binary())
    there = flags("FTT?")
    column = from_summaries(
        one,
        one,
        has_lower=there,
        has_upper=there,
        contains_null=flags("TFF?"),
        contains_nan=None,
    )
    assert by_column(op, values, UUID, column, rules) == expected


@pytest.mark.parametrize(
    ("op", "iceberg", "floor"),
    [
        # A null sorts before all values in Iceberg.
        (Op.LT, "?F?", "FF?"),
        (Op.LT_EQ, "???", "F??"),
        (Op.GT, "FF?", "FF?"),
        (Op.GT_EQ, "F??", "F??"),
        (Op.EQ, "FTF", "FTF"),
        (Op.NOT_EQ, "TFT", "FFT"),
    ],
)
def test_partition_values(op: Op, iceberg: str, floor: str) -> None:
    """Null, the value itself, and another one."""
    column = from_values(pa.array([None, A, B], pa.binary()))
    assert by_column(op, (A,), UUID, column, ICEBERG_1_12.partitions) == iceberg
    assert by_column(op, (A,), UUID, column, FLOOR.partitions) == floor


@pytest.mark.parametrize("op", [Op.LT, Op.GT, Op.LT_EQ, Op.GT_EQ, Op.EQ])
def test_trinos_reader_asks_for_nothing_but_nulls(op: Op) -> None:
    column = from_values(pa.array([None, A], pa.binary()))
    assert by_column(op, (A,), UUID, column, READER) == "F?"
