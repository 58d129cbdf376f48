"""Constants through equalities of columns."""

from __future__ import annotations

import pytest

from collectors.predicates.render import render
from collectors.predicates.sql_extract import extract
from collectors.predicates.sql_parse import parse
from collectors.queries.observed import TableName

COLUMNS = {TableName(None, (), name): ("k", "d", f"x{name}") for name in ("a", "b", "c")}


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        pytest.param("a JOIN b ON a.k = b.k WHERE b.k = 5", ["k = 5", "k = 5"], id="equality"),
        pytest.param("a, b WHERE a.k = b.k AND b.k IN (1, -2)", ["k IN (1, -2)"] * 2, id="list"),
        pytest.param(
            "a JOIN b ON a.d = b.d AND b.d >= DATE '2024-01-01'",
            ["d >= DATE '2024-01-01'"] * 2,
            id="date",
        ),
        pytest.param(
            "a, b, c WHERE a.k = b.k AND b.k = c.k AND a.k BETWEEN 1 AND 3",
            ["k >= 1 AND k <= 3"] * 3,
            id="through a third table",
        ),
        pytest.param(
            "a JOIN b ON a.k = b.k WHERE b.k = 1 OR b.k > 7", ["k = 1 OR k > 7"] * 2, id="or"
        ),
        pytest.param(
            "a LEFT JOIN b ON a.k = b.k WHERE a.k = 5", ["k = 5", "k = 5"], id="left join"
        ),
        pytest.param("a LEFT JOIN b ON a.k = b.k AND b.k = 5", ["TRUE", "k = 5"], id="left's ON"),
        pytest.param("a FULL JOIN b ON a.k = b.k AND b.k = 5", ["TRUE", "TRUE"], id="full join"),
        pytest.param(
            "a JOIN b ON a.k = b.k WHERE b.k = '5'",
            ["TRUE", "k = '5'"],
            id="text may be converted to a number",
        ),
        pytest.param(
            "a JOIN b ON a.k = b.k WHERE b.k = 0.1", ["TRUE", "k = 0.1"], id="fractions round"
        ),
        pytest.param(
            "a JOIN b ON a.k = b.k WHERE b.k > 16777216",
            ["TRUE", "k > 16777216"],
            id="large numbers round",
        ),
    ],
)
def test_what_is_said_of_both_sides(sql: str, expected: list[str]) -> None:
    found = extract(parse(f"SELECT * FROM {sql}", "trino"), dialect="trino", columns=COLUMNS)
    assert [render(scan.predicate) for scan in found] == expected
