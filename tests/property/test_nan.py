"""No pruned file or partition holds a row that a condition matches by IEEE 754, in which every
comparison with NaN is false but `<>`, so that NOT of it is true.

SQL engines that could be asked sort NaN above all numbers (DuckDB, PostgreSQL, Spark), so rows are
judged here.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Mapping, Sequence
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from prunescope.audit_jobs.planning.planner_rules import rules_of
from prunescope.audit_jobs.pruning.rules import FLOOR, PlannerRules
from prunescope.collectors.predicates.bind import bind
from prunescope.collectors.predicates.column_domains import tightened
from prunescope.collectors.predicates.model import Predicate
from prunescope.collectors.schema import Schema, SchemaColumn
from prunescope.collectors.sql.extraction.extract import condition
from prunescope.collectors.sql.planners.profiles import as_expression, bind_pushed, planner_of
from prunescope.collectors.statistics import (
    ColumnStatistics,
    Statistics,
    constant,
    from_counts,
    from_values,
)
from tests.audit_jobs.pruning.judging import states

TYPES = {"d": "double", "f": "float"}
ARROW = {"d": pa.float64(), "f": pa.float32()}
SCHEMA = Schema(
    0,
    tuple(
        SchemaColumn(number, (name,), kind, False, False, False)
        for number, (name, kind) in enumerate(TYPES.items(), 1)
    ),
)
Row = Mapping[str, float | None]
Tree = tuple[Any, ...]

NUMBERS = [-math.inf, -1.0, -0.0, 0.0, 0.1, 1.0, 2.0, math.inf, math.nan]
SINGLE = [struct.unpack("f", struct.pack("f", number))[0] for number in NUMBERS]

rows = st.fixed_dictionaries(
    {"d": st.none() | st.sampled_from(NUMBERS), "f": st.none() | st.sampled_from(SINGLE)}
)
names, numbers = st.sampled_from(["d", "f"]), st.sampled_from(NUMBERS)
leaves = st.one_of(
    st.tuples(st.sampled_from(["<", "<=", ">", ">=", "=", "<>"]), names, numbers),
    st.tuples(st.sampled_from(["BETWEEN", "NOT BETWEEN"]), names, numbers, numbers),
    st.tuples(st.sampled_from(["IN", "NOT IN"]), names, st.lists(numbers, min_size=1, max_size=3)),
    st.tuples(st.just("IS NULL"), names),
)
trees = st.recursive(
    leaves,
    lambda inner: st.one_of(
        st.tuples(st.sampled_from(["NOT", "NOT", "IS NOT TRUE", "IS FALSE"]), inner),
        st.tuples(st.sampled_from(["AND", "OR"]), inner, inner),
    ),
    max_leaves=5,
)


def sql(tree: Tree) -> str:
    match tree:
        case ("NOT", inner):
            return f"NOT ({sql(inner)})"
        case ("AND" | "OR" as word, left, right):
            return f"({sql(left)}) {word} ({sql(right)})"
        case ("BETWEEN" | "NOT BETWEEN" as word, name, low, high):
            return f"{name} {word} {_literal(low)} AND {_literal(high)}"
        case ("IN" | "NOT IN" as word, name, values):
            return f"{name} {word} ({', '.join(map(_literal, values))})"
        case ("IS NULL", name):
            return f"{name} IS NULL"
        case ("IS NOT TRUE" | "IS FALSE" as word, inner):
            return f"({sql(inner)}) {word}"
        case (op, name, value):
            return f"{name} {op} {_literal(value)}"
    raise AssertionError(tree)


def _literal(value: float) -> str:
    return f"CAST('{value}' AS DOUBLE)"


def truth(tree: Tree, row: Row) -> bool | None:
    """SQL's verdict, None for unknown. Python compares by IEEE 754."""
    match tree:
        case ("NOT", inner):
            return _not(truth(inner, row))
        case ("AND", left, right):
            return _both(truth(left, row), truth(right, row))
        case ("OR", left, right):
            return _not(_both(_not(truth(left, row)), _not(truth(right, row))))
        case ("NOT BETWEEN" | "NOT IN" as word, *rest):
            return _not(truth((word.removeprefix("NOT "), *rest), row))
        case ("BETWEEN", name, low, high):
            return _both(truth((">=", name, low), row), truth(("<=", name, high), row))
        case ("IN", name, values):
            value = row[name]
            return None if value is None else any(value == one for one in values)
        case ("IS NULL", name):
            return row[name] is None
        case ("IS NOT TRUE", inner):
            return truth(inner, row) is not True
        case ("IS FALSE", inner):
            return truth(inner, row) is False
        case (op, name, literal):
            value = row[name]
            return None if value is None else _compared(op, value, literal)
    raise AssertionError(tree)


def _not(value: bool | None) -> bool | None:
    return None if value is None else not value


def _both(left: bool | None, right: bool | None) -> bool | None:
    if left is False or right is False:
        return False
    return None if left is None or right is None else True


def _compared(op: str, value: float, literal: float) -> bool:
    return {
        "<": value < literal,
        "<=": value <= literal,
        ">": value > literal,
        ">=": value >= literal,
        "=": value == literal,
        "<>": value != literal,
    }[op]


def plans(where: str) -> list[tuple[Predicate, PlannerRules]]:
    """What the floor and every Trino plan by."""
    found = [(tightened(bind(condition(where, "trino"), SCHEMA)), FLOOR)]
    for version in ("477", "482"):
        trino = planner_of("trino", version)
        assert trino is not None
        pushed = condition(where, "trino", planner=trino)
        bound = bind_pushed(trino, pushed, SCHEMA, time_zone=None)
        found.append((as_expression(trino, bound), rules_of(trino)))
    return found


def statistics(columns: Mapping[str, ColumnStatistics], count: int) -> Statistics:
    keyed = {(SCHEMA.by_path((name,))[0].field_id, TYPES[name]): columns[name] for name in TYPES}
    return Statistics(count, constant(False, count), keyed)


def of_files(files: Sequence[Sequence[Row]], counted: Sequence[bool]) -> Statistics:
    """Bounds and counts as writers make them, NaN counts only where `counted`."""
    columns = {}
    for name, kind in ARROW.items():
        values = [[row[name] for row in file] for file in files]
        bounded = [[v for v in file if v is not None and not math.isnan(v)] for file in values]
        nans = [sum(v is not None and math.isnan(v) for v in file) for file in values]
        columns[name] = from_counts(
            pa.array([min(file, default=None) for file in bounded], kind),
            pa.array([max(file, default=None) for file in bounded], kind),
            null_count=pa.array([file.count(None) for file in values], pa.int64()),
            nan_count=pa.array(
                [n if known else None for n, known in zip(nans, counted, strict=True)], pa.int64()
            ),
            value_count=pa.array([len(file) for file in files], pa.int64()),
        )
    return statistics(columns, len(files))


@given(
    tree=trees,
    files=st.lists(
        st.tuples(st.lists(rows, min_size=1, max_size=3), st.booleans()), min_size=1, max_size=4
    ),
)
@pytest.mark.slow
def test_no_pruned_file_holds_a_row_that_matches_by_ieee(
    tree: Tree, files: list[tuple[list[Row], bool]]
) -> None:
    held = of_files([file for file, _ in files], [counted for _, counted in files])
    needed = [any(truth(tree, row) is True for row in file) for file, _ in files]
    for predicate, rules in plans(sql(tree)):
        for judged in (rules.metrics, rules.row_groups):
            kept = states(predicate, held, judged)
            assert all(k != "F" for k, n in zip(kept, needed, strict=True) if n), rules.name


@given(tree=trees, partitions=st.lists(rows, min_size=1, max_size=4))
def test_no_pruned_partition_matches_by_ieee(tree: Tree, partitions: list[Row]) -> None:
    columns = {
        name: from_values(pa.array([row[name] for row in partitions], kind))
        for name, kind in ARROW.items()
    }
    held = statistics(columns, len(partitions))
    for predicate, rules in plans(sql(tree)):
        kept = states(predicate, held, rules.partitions)
        for row, verdict in zip(partitions, kept, strict=True):
            assert verdict != "F" or truth(tree, row) is not True, rules.name
