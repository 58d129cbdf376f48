"""What planners do differently with the same statistics."""

from dataclasses import replace

import numpy as np
import pyarrow as pa
import pytest

from prunescope.audit_jobs.planning.planner_rules import rules_of
from prunescope.audit_jobs.pruning.dictionaries import Dictionaries
from prunescope.audit_jobs.pruning.literals import leaf_of
from prunescope.audit_jobs.pruning.rules import (
    FLOOR,
    ICEBERG_1_10,
    ICEBERG_1_11,
    ICEBERG_1_12,
    PYICEBERG,
    PlannerRules,
    Rules,
)
from prunescope.collectors.predicates.model import BoundComparison, Field
from prunescope.collectors.predicates.operators import Op
from prunescope.collectors.sql.planners.profiles import planner_of
from prunescope.collectors.statistics import (
    ColumnStatistics,
    Statistics,
    ValueSets,
    constant,
    from_counts,
    from_values,
)
from tests.audit_jobs.pruning.judging import DOUBLE, by_column, letters, states

X = Field(1, "x", "int")
S = Field(1, "s", "string")


@pytest.mark.parametrize(
    ("engine", "version", "iceberg", "expected"),
    [
        pytest.param("spark", "4.1.0", "1.12.0", ICEBERG_1_12, id="spark-iceberg-1.12"),
        pytest.param("spark", "4.1.0", "1.11.0", ICEBERG_1_11, id="spark-iceberg-1.11"),
        pytest.param("spark", "3.5.6", "1.10.1", ICEBERG_1_10, id="spark-iceberg-1.10"),
        pytest.param("spark", "3.5.6", "1.9.2", ICEBERG_1_10, id="spark-iceberg-1.9"),
        pytest.param("spark", "3.5.6", None, ICEBERG_1_10, id="what-all-do-if-unknown"),
        pytest.param("spark", "3.5.6", "newest", ICEBERG_1_12, id="the-newest"),
        pytest.param("pyiceberg", "0.12.0", None, PYICEBERG, id="pyiceberg"),
        pytest.param("snowflake", "9", None, ICEBERG_1_12, id="no-profile"),
    ],
)
def test_the_rules_of_planners(
    engine: str, version: str, iceberg: str | None, expected: PlannerRules
) -> None:
    assert rules_of(planner_of(engine, version, iceberg)) is expected


@pytest.mark.parametrize("version", ["482", "481", "400", "dev"])
def test_trino_plans_negations_as_ranges_and_reads_with_its_own_rules(version: str) -> None:
    rules = rules_of(planner_of("trino", version))
    for judged in (rules.summaries, rules.partitions, rules.metrics):
        assert judged.single_value_not_equal
        assert not judged.negations_match_nulls
    assert rules.metrics.in_limit == 200
    assert replace(rules.row_groups, unjudged=frozenset()) == Rules()
    assert rules.pages
    assert rules.levels_together


def letter(leaf: BoundComparison, column: ColumnStatistics, rules: Rules) -> str:
    statistics = Statistics(1, constant(False, 1), {(1, leaf.field.type): column})
    return states(leaf, statistics, rules)


def fives(nulls: int | None = 0) -> ColumnStatistics:
    count = pa.array([nulls], pa.int64())
    five = pa.array([5], pa.int64())
    return from_counts(
        five, five, null_count=count, nan_count=None, value_count=pa.array([9], pa.int64())
    )


def prefixed(nulls: int | None) -> ColumnStatistics:
    count = pa.array([nulls], pa.int64())
    return from_counts(
        pa.array([b"ab"]),
        pa.array([b"ac"]),
        null_count=count,
        nan_count=None,
        value_count=pa.array([9], pa.int64()),
    )


@pytest.mark.parametrize(
    ("rules", "not_equal", "long_list", "known_prefix", "unknown_prefix", "null_below"),
    [
        pytest.param(ICEBERG_1_12, "F", "?", "F", "?", "?", id="iceberg-1.12"),
        pytest.param(ICEBERG_1_10, "?", "?", "F", "?", "?", id="iceberg-1.10"),
        pytest.param(PYICEBERG, "?", "?", "T", "F", "F", id="pyiceberg"),
        pytest.param(FLOOR, "F", "F", "F", "F", "F", id="floor"),
    ],
)
def test_where_planners_differ(
    rules: PlannerRules,
    not_equal: str,
    long_list: str,
    known_prefix: str,
    unknown_prefix: str,
    null_below: str,
) -> None:
    many = BoundComparison(Op.IN, X, tuple(range(100, 400)))
    starts = BoundComparison(Op.NOT_STARTS_WITH, S, (b"a",))
    null = from_values(pa.array([None], pa.int64()))
    assert letter(BoundComparison(Op.NOT_EQ, X, (5,)), fives(), rules.metrics) == not_equal
    assert letter(many, fives(), rules.metrics) == long_list
    assert letter(starts, prefixed(0), rules.metrics) == known_prefix
    assert letter(starts, prefixed(None), rules.metrics) == unknown_prefix
    assert letter(BoundComparison(Op.LT, X, (5,)), null, rules.partitions) == null_below


@pytest.mark.parametrize(
    ("rules", "expected"),
    [
        pytest.param(ICEBERG_1_12, "?", id="iceberg-1.12"),
        pytest.param(ICEBERG_1_11, "F", id="iceberg-1.11"),
        pytest.param(ICEBERG_1_10, "?", id="iceberg-1.10"),
        pytest.param(FLOOR, "?", id="floor"),
    ],
)
def test_where_the_count_of_nan_is_unknown(rules: PlannerRules, expected: str) -> None:
    """NaN is unequal to all numbers, and in no bound."""
    five, count = pa.array([5.0], pa.float64()), pa.array([0], pa.int64())
    fives = from_counts(
        five,
        five,
        null_count=count,
        nan_count=pa.array([None], pa.int64()),
        value_count=pa.array([9], pa.int64()),
    )
    unequal = BoundComparison(Op.NOT_EQ, Field(1, "x", "double"), (5.0,))
    assert letter(unequal, fives, rules.metrics) == expected


@pytest.mark.parametrize(
    "type_name", ["binary", "fixed[2]", "time", "timestamptz", "timestamptz_ns", "uuid"]
)
def test_trinos_reader_asks_some_types_for_nothing_but_nulls(type_name: str) -> None:
    rules = rules_of(planner_of("trino", "483"))
    kind = pa.binary() if type_name in ("binary", "fixed[2]", "uuid") else pa.int64()
    two, five = (b"\x02" * 16, b"\x05" * 16) if kind == pa.binary() else (2, 5)
    column = Field(1, "x", type_name)
    equal, null = BoundComparison(Op.EQ, column, (two,)), BoundComparison(Op.NOT_NULL, column)
    of_five = from_values(pa.array([five], kind))
    of_null = from_values(pa.array([None], kind))
    assert letter(equal, of_five, rules.row_groups) == "?"
    assert letter(equal, of_five, rules.metrics) == letter(equal, of_five, FLOOR.metrics) == "F"
    assert (
        letter(equal, of_null, rules.row_groups) == letter(null, of_null, rules.row_groups) == "F"
    )


def test_transform_terms_are_judged_by_bounds_except_by_pyiceberg() -> None:
    leaf = BoundComparison(Op.EQ, Field(1, "x", "int", "truncate[10]"), (20,))
    assert letter(leaf, fives(), ICEBERG_1_12.metrics) == "F"
    assert letter(leaf, fives(), PYICEBERG.metrics) == "?"


ZEROS = [(0.0, 0.0), (-0.0, -0.0), (-0.0, 0.0)]
"""What files hold: zeros of one sign, of the other, and both."""


@pytest.mark.parametrize(
    ("op", "values", "iceberg", "floor"),
    [
        pytest.param(Op.LT, (0.0,), "FTT", "FFF", id="lt-zero"),
        pytest.param(Op.LT, (-0.0,), "FFF", "FFF", id="lt-negative-zero"),
        pytest.param(Op.GT, (-0.0,), "TFT", "FFF", id="gt-negative-zero"),
        pytest.param(Op.GT, (0.0,), "FFF", "FFF", id="gt-zero"),
        pytest.param(Op.NOT_EQ, (0.0,), "FTT", "FFF", id="ne-zero"),
        pytest.param(Op.NOT_EQ, (-0.0,), "TFT", "FFF", id="ne-negative-zero"),
        pytest.param(Op.NOT_IN, (0.0, 1.0), "FTT", "FFF", id="not-in"),
        # Iceberg would lose rows of these: SQL has the two be equal.
        pytest.param(Op.LT_EQ, (-0.0,), "TTT", "TTT", id="le-negative-zero"),
        pytest.param(Op.GT_EQ, (0.0,), "TTT", "TTT", id="ge-zero"),
        pytest.param(Op.EQ, (0.0,), "TTT", "TTT", id="eq-zero"),
        pytest.param(Op.IN, (-0.0, 5.0), "TTT", "TTT", id="in"),
    ],
)
def test_iceberg_has_negative_zero_below_zero_and_keeps_it_beside_it(
    op: Op, values: tuple[float, ...], iceberg: str, floor: str
) -> None:
    low, high = (pa.array(bounds) for bounds in zip(*ZEROS, strict=True))
    nulls, ones = pa.array([0] * 3), pa.array([9] * 3)
    of_files = from_counts(low, high, null_count=nulls, nan_count=nulls, value_count=ones)
    of_partitions = from_values(pa.array([0.0, -0.0]))
    sets = ValueSets(
        pa.array([0.0, -0.0, -0.0, 0.0]), np.array([0, 1, 2, 2]), *[np.ones(3, np.bool_)] * 2
    )
    leaf = leaf_of(BoundComparison(op, DOUBLE, values))
    for rules, expected in ((ICEBERG_1_12, iceberg), (FLOOR, floor)):
        assert by_column(op, values, DOUBLE, of_files, rules.metrics) == expected
        assert by_column(op, values, DOUBLE, of_partitions, rules.partitions) == expected[:2]
        of_dictionaries = Dictionaries(sets)(leaf, rules.row_groups)
        assert letters(of_dictionaries.packed(3), 3) == expected
    assert by_column(op, values, DOUBLE, of_files, ICEBERG_1_12.row_groups) in (iceberg, "???")
    assert by_column(op, values, DOUBLE, of_partitions, PYICEBERG.partitions) == floor[:2]
