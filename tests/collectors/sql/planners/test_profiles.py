"""What libraries make of a bound predicate, and what PyIceberg can be asked."""

from collections.abc import Mapping

import pytest

from prunescope.collectors.predicates.bind import bind
from prunescope.collectors.predicates.literals import LiteralValue
from prunescope.collectors.predicates.model import (
    BoundComparison,
    Column,
    Comparison,
    Field,
    any_of,
    conjuncts,
)
from prunescope.collectors.predicates.operators import Op
from prunescope.collectors.predicates.render import render
from prunescope.collectors.schema import Schema, SchemaColumn
from prunescope.collectors.sql.extraction.extract import condition
from prunescope.collectors.sql.planners.profiles import (
    Planner,
    as_planned,
    as_pushed,
    bind_pushed,
    pushes,
)

SCHEMA = Schema(
    0,
    (
        SchemaColumn(1, ("id",), "int", False, False, False),
        SchemaColumn(2, ("st",), "struct", False, False, False),
        SchemaColumn(3, ("st", "needed"), "int", False, True, False),
        SchemaColumn(4, ("st", "free"), "int", False, False, False),
        SchemaColumn(5, ("d",), "double", False, False, False),
    ),
)
OLD, NEW = Planner("spark", (3, 5), (1, 10, 0)), Planner("spark", (3, 5), (1, 10, 1))


@pytest.mark.parametrize(
    ("planner", "expected"),
    [
        pytest.param(OLD, "id IS NULL OR st.free IS NULL", id="before-1.10.1"),
        pytest.param(NEW, "id IS NULL OR st.needed IS NULL OR st.free IS NULL", id="since"),
        pytest.param(
            Planner("spark"), "id IS NULL OR st.needed IS NULL OR st.free IS NULL", id="newest"
        ),
        pytest.param(Planner("pyiceberg"), "id IS NULL OR st.free IS NULL", id="pyiceberg"),
    ],
)
def test_required_fields_of_optional_structs(planner: Planner, expected: str) -> None:
    columns = (Column(path) for path in (("id",), ("st", "needed"), ("st", "free")))
    bound = bind(any_of(*(Comparison(Op.IS_NULL, column) for column in columns)), SCHEMA)
    assert render(as_planned(planner, bound, SCHEMA)) == expected


@pytest.mark.parametrize(
    ("engine", "where", "expected"),
    [
        # Spark sorts NaN last, and PyIceberg turns comparisons around.
        pytest.param("spark", "NOT (d >= 1e0)", "d IS NOT NULL AND d < 1.0", id="spark-range"),
        pytest.param("pyiceberg", "NOT (d >= 1e0)", "d < 1.0", id="pyiceberg-range"),
        pytest.param("trino", "NOT (d >= 1e0)", "TRUE", id="trino-range"),
        # Engines fold comparisons that every value satisfies; PyIceberg has its library do it.
        pytest.param("spark", "id <> 5.5", "id IS NOT NULL", id="spark-no-such-number"),
        pytest.param("trino", "id <> 5.5", "id IS NOT NULL", id="trino-no-such-number"),
        pytest.param("pyiceberg", "id < 1000000000000", "TRUE", id="pyiceberg-out-of-range"),
        pytest.param("pyiceberg", "id IS NULL OR id < 1000000000000", "TRUE", id="or-out-of-range"),
    ],
)
def test_what_planners_make_of_nan_and_nulls(engine: str, where: str, expected: str) -> None:
    planner = Planner(engine)
    found = condition(where, "trino", planner=planner)
    assert render(bind_pushed(planner, found, SCHEMA, time_zone=None)) == expected


def test_such_a_field_is_taken_for_never_null() -> None:
    bound = bind(Comparison(Op.NOT_NULL, Column(("st", "needed"))), SCHEMA)
    assert render(as_planned(OLD, bound, SCHEMA)) == "TRUE"
    assert render(as_planned(NEW, bound, SCHEMA)) == "st.needed IS NOT NULL"


@pytest.mark.parametrize(
    ("where", "expected"),
    [
        pytest.param("id = 1 AND st.free < 5", "id = 1 AND st.free < 5", id="comparisons"),
        pytest.param("id BETWEEN 1 AND 5", "id >= 1 AND id <= 5", id="between"),
        pytest.param("id IN (1, 2) OR id IS NULL", "id IN (1, 2) OR id IS NULL", id="or"),
        pytest.param("abs(id) = 1 AND id > 3", "id > 3", id="no-functions"),
        pytest.param("id + 1 = 5", "TRUE", id="no-arithmetic"),
        pytest.param("CAST(id AS double) = 5", "TRUE", id="no-casts"),
    ],
)
def test_what_pyiceberg_can_be_asked(where: str, expected: str) -> None:
    planner = Planner("pyiceberg")
    found = condition(where, "trino", planner=planner)
    assert render(bind_pushed(planner, found, SCHEMA, time_zone="UTC")) == expected


_VALUES: Mapping[str, LiteralValue] = {
    "int": 5,
    "string": "a",
    "double": 1.5,
    "boolean": True,
    "uuid": "0f8fad5b-d9cb-469f-a165-70867728950e",
}
_OPS = (
    *(Op.EQ, Op.NOT_EQ, Op.LT, Op.GT_EQ, Op.IN, Op.NOT_IN, Op.IS_NULL, Op.NOT_NULL),
    *(Op.STARTS_WITH, Op.NOT_STARTS_WITH),
)


@pytest.mark.parametrize("kind", _VALUES)
@pytest.mark.parametrize("engine", ["spark", "trino"])
def test_a_bare_comparison_is_pushed_if_the_profile_keeps_it(engine: str, kind: str) -> None:
    """As it is, or with IS NOT NULL; so it is said of findings."""
    planner, column = Planner(engine), SchemaColumn(1, ("c",), kind, False, False, False)
    schema = Schema(0, (column,))
    for op in _OPS:
        values = () if op in (Op.IS_NULL, Op.NOT_NULL) else (_VALUES[kind],)
        asked = Comparison(op, Column(("c",)), values)
        leaf = bind(asked, schema)
        if isinstance(leaf, BoundComparison):
            pushed = bind_pushed(planner, as_pushed(planner, asked), schema, time_zone=None)
            assert pushes(planner, leaf) == (leaf in conjuncts(pushed)), (op, render(pushed))


@pytest.mark.parametrize(("engine", "expected"), [("spark", False), ("trino", True)])
def test_spark_alone_says_false_by_a_negation(engine: str, expected: bool) -> None:
    """NOT (c = true), by which files of one value alone are ruled out."""
    leaf = BoundComparison(Op.EQ, Field(1, "c", "boolean"), (0,))
    assert pushes(Planner(engine), leaf) is expected
