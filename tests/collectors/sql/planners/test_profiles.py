"""What libraries make of a bound predicate, and what PyIceberg can be asked."""

import pytest

from collectors.predicates.bind import bind
from collectors.predicates.model import Column, Comparison, any_of
from collectors.predicates.operators import Op
from collectors.predicates.render import render
from collectors.schema import Schema, SchemaColumn
from collectors.sql.extraction.extract import condition
from collectors.sql.planners.profiles import Planner, as_planned, bind_pushed

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
