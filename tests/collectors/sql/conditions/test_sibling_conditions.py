"""Conditions beside others that hold, however many of these there are."""

from __future__ import annotations

import pytest

from prunescope.collectors.observed import TableName
from prunescope.collectors.predicates.model import Predicate, Unsupported
from prunescope.collectors.predicates.walks import leaves
from prunescope.collectors.sql.conditions.sibling_conditions import ALONE
from prunescope.collectors.sql.extraction.extract import condition, extract
from prunescope.collectors.sql.text.boolean import Formula, conjuncts_of, formula
from prunescope.collectors.sql.text.parse import parse, parse_condition

TABLE = TableName("c", ("s",), "t")
TYPES = {"a": "int", "b": "int", "d": "date", "ts": "timestamp"}


def of_query(sql: str) -> Predicate:
    """The predicate of the table in a query with a condition."""
    text = f"SELECT * FROM t WHERE {sql}"
    (scan,) = extract(
        parse(text, "trino"),
        dialect="trino",
        columns={TABLE: TYPES},
        catalog="c",
        schema="s",
    )
    return scan.predicate


@pytest.mark.parametrize(
    "sql",
    [
        "year(d) = 2024 OR year(d) = 2026",
        "a % 5 = 1 AND a BETWEEN 0 AND 9",
        "(month(d) = 3 AND year(d) = 2024) OR d = DATE '2020-01-01'",
        "year(ts) = 2024 AND (month(ts) = 3 OR month(ts) = 5)",
    ],
)
def test_a_condition_of_a_query_is_not_beside_itself(sql: str) -> None:
    found = condition(sql, "trino", types=TYPES)
    assert of_query(sql) == found
    assert not any(isinstance(leaf, Unsupported) for leaf in leaves(found))


def parts(sql: str) -> tuple[Formula, ...]:
    return tuple(conjuncts_of(formula(parse_condition(sql, "trino"))))


def test_of_many_conditions_the_first_ones_count() -> None:
    many = parts(" AND ".join(f"a + {n} > b" for n in range(50)))
    beside = ALONE.with_conditions(many)
    assert beside.of(many[0]) == many[1:9]
    assert beside.of(many[40]) == many[:9]


def test_inner_conditions_come_first() -> None:
    outer, inner = parts("a > 1 AND b > 1"), parts("a < 9 AND a <> 4")
    beside = ALONE.with_conditions(outer).with_conditions(inner)
    assert beside.of(parts("a = 5")[0]) == (*inner, outer[0])
    assert beside.reading(inner[0]).of(inner[1]) == (outer[0],)
