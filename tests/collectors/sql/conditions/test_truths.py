"""Conditions on columns that are true, false or null."""

from __future__ import annotations

import duckdb
import pytest

from collectors.predicates.bind import bind
from collectors.predicates.model import Unsupported
from collectors.predicates.render import render
from collectors.predicates.walks import comparisons, leaves
from collectors.schema import Schema, SchemaColumn
from collectors.sql.extraction.extract import condition
from collectors.sql.planners.profiles import Planner, bind_pushed

_SCHEMA = Schema(0, (SchemaColumn(1, ("f",), "boolean", False, False, False),))


def _told(where: str, dialect: str) -> str:
    return render(bind(condition(where, dialect), _SCHEMA))


def _pushed(where: str, planner: Planner) -> str:
    pushed = condition(where, planner.engine, planner=planner)
    return render(bind_pushed(planner, pushed, _SCHEMA, time_zone="UTC"))


_BOTH = [
    ("coalesce(f, false)", "f = TRUE"),
    ("coalesce(f, false) = true", "f = TRUE"),
    ("true = coalesce(f, false)", "f = TRUE"),
    ("coalesce(f, false) <> false", "f = TRUE"),
    ("coalesce(f, NULL, false) = true", "f = TRUE"),
    ("coalesce(f, false) IS TRUE", "f = TRUE"),
    ("coalesce(f, false) = false", "f = FALSE OR f IS NULL"),
    ("coalesce(f, false) <> true", "f = FALSE OR f IS NULL"),
    ("NOT (coalesce(f, false) = true)", "f = FALSE OR f IS NULL"),
    ("NOT coalesce(f, false)", "f = FALSE OR f IS NULL"),
    ("coalesce(f, false) IS NOT TRUE", "f = FALSE OR f IS NULL"),
    ("coalesce(f, true)", "f = TRUE OR f IS NULL"),
    ("coalesce(f, true) = false", "f = FALSE"),
    ("NOT coalesce(f, true)", "f = FALSE"),
    ("CAST(f AS integer) = 1", "f = TRUE"),
    ("CAST(f AS bigint) > 0", "f = TRUE"),
    ("CAST(f AS double) <> 1", "f = FALSE"),
    ("CAST(f AS decimal(3, 1)) = 0", "f = FALSE"),
    ("CAST(f AS integer) < 5", "f IS NOT NULL"),
    ("CAST(f AS integer) = 2", "FALSE"),
    ("CAST(f AS integer) IN (1, 2)", "f = TRUE"),
    ("coalesce(CAST(f AS integer), 0) = 0", "f = FALSE OR f IS NULL"),
    ("coalesce(CAST(f AS integer), 0) < 2", "TRUE"),
    ("f IS NOT TRUE", "f != TRUE OR f IS NULL"),
]


@pytest.mark.parametrize("dialect", ["trino", "spark"])
@pytest.mark.parametrize(("where", "expected"), _BOTH)
def test_they_are_conditions_on_the_column(where: str, expected: str, dialect: str) -> None:
    assert _told(where, dialect) == expected


@pytest.mark.parametrize("where", [where for where, _ in _BOTH])
def test_duckdb_selects_the_same_rows(where: str) -> None:
    conditions = f"coalesce({where}, false), coalesce({_told(where, 'trino')}, false)"
    rows = "VALUES (true), (false), (NULL)"
    found = duckdb.execute(f"SELECT {conditions} FROM ({rows}) t(f)").fetchall()
    assert all(asked == told for asked, told in found)


@pytest.mark.parametrize(
    ("where", "expected"),
    [
        # As Spark 4.1 pushed them.
        ("CAST(f AS integer) = 1", "f IS NOT NULL AND f = TRUE"),
        ("CAST(f AS integer) = 0", "f IS NOT NULL AND f != TRUE"),
        ("CAST(f AS integer) > 0", "f IS NOT NULL AND f = TRUE"),
        ("CAST(f AS bigint) = 1", "f IS NOT NULL AND f = TRUE"),
        ("coalesce(f, false)", "TRUE"),
        ("coalesce(f, false) = true", "TRUE"),
        ("coalesce(f, false) = false", "TRUE"),
        ("NOT coalesce(f, false)", "TRUE"),
        ("coalesce(f, true)", "TRUE"),
    ],
)
def test_spark_undoes_casts_alone(where: str, expected: str) -> None:
    assert _pushed(where, Planner("spark", (4, 1, 4))) == expected
    assert _pushed(where, Planner("trino")) == "TRUE"


_CONDITIONS = [
    ("(n >= 5) = true", "n >= 5"),
    ("true = (n >= 5)", "n >= 5"),
    ("(n >= 5) = false", "n < 5"),
    ("(n >= 5) <> false", "n >= 5"),
    ("NOT ((n >= 5) = true)", "n < 5"),
    ("(n BETWEEN 2 AND 7) = true", "n >= 2 AND n <= 7"),
    ("(n >= 5 OR s = 'a') = true", "n >= 5 OR s = 'a'"),
    ("(n >= 5 AND s = 'a') = false", "n < 5 OR s != 'a'"),
    ("(s LIKE 'a%') <> true", "s NOT LIKE 'a%'"),
    ("(n IS NULL) = true", "n IS NULL"),
    ("((n >= 5) = true) = true", "n >= 5"),
]
_DISTINGUISHED = [
    ("(n >= 5) IS TRUE", "n >= 5"),
    ("(n >= 5) IS FALSE", "n < 5"),
    ("(n >= 5 AND s = 'a') IS TRUE", "n >= 5 AND s = 'a'"),
    ("(n >= 5) IS NOT DISTINCT FROM true", "n >= 5"),
    ("false IS NOT DISTINCT FROM (n >= 5)", "n < 5"),
    ("NOT ((n >= 5) IS DISTINCT FROM true)", "n >= 5"),
]
_OR_NULL = ["(n >= 5) IS DISTINCT FROM false", "NOT ((n >= 5) IS TRUE)", "(n >= 5) = f"]


@pytest.mark.parametrize("dialect", ["trino", "spark"])
@pytest.mark.parametrize(("where", "expected"), _CONDITIONS + _DISTINGUISHED)
def test_what_is_true_is_the_condition(where: str, expected: str, dialect: str) -> None:
    found = condition(where, dialect)
    assert render(found) == expected
    assert all(leaf.written is not None for leaf in comparisons(found)), "the leaf is the query's"


@pytest.mark.parametrize("where", _OR_NULL)
def test_what_may_be_null_is_not(where: str) -> None:
    for dialect in ("trino", "spark"):
        assert all(isinstance(leaf, Unsupported) for leaf in leaves(condition(where, dialect)))


@pytest.mark.parametrize("where", [where for where, _ in _CONDITIONS + _DISTINGUISHED])
def test_duckdb_selects_the_same_rows_by_it(where: str) -> None:
    told = render(condition(where, "trino"))
    rows = "VALUES (1, 'a'), (4, 'b'), (5, 'a'), (8, 'ab'), (9, NULL), (NULL, 'a'), (NULL, NULL)"
    conditions = f"coalesce({where}, false), coalesce({told}, false)"
    found = duckdb.execute(f"SELECT {conditions} FROM ({rows}) t(n, s)").fetchall()
    assert all(asked == same for asked, same in found)


@pytest.mark.parametrize(
    ("where", "expected"),
    [
        # As Spark 3.5, 4.0 and 4.1 pushed them to Parquet.
        ("(n >= 5) = true", "n IS NOT NULL AND n >= 5"),
        ("(n >= 5) <> true", "n IS NOT NULL AND n < 5"),
        ("NOT ((n >= 5) = true)", "n IS NOT NULL AND n < 5"),
        ("(n >= 5 OR s = 'a') = true", "n >= 5 OR s = 'a'"),
    ],
)
def test_spark_takes_what_equals_true_for_the_condition(where: str, expected: str) -> None:
    assert render(condition(where, "spark", planner=Planner("spark"))) == expected
    # As Trino 483 was seen to.
    assert render(condition(where, "trino", planner=Planner("trino"))) == "TRUE"


def test_spark_undoes_them_since_3_3() -> None:
    found = _pushed("CAST(f AS integer) = 1", Planner("spark", (3, 2, 4)))
    assert found == "f IS NOT NULL"
