"""What is added up, and what it is multiplied with."""

from __future__ import annotations

import pytest
import sqlglot

from collectors.sql.text.sums import summands, with_factor


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("y * 10000 + m * 100 + d", [("y", 10000), ("m", 100), ("d", 1)], id="digits"),
        pytest.param("100 * (y) + (2 * m + d)", [("y", 100), ("m", 2), ("d", 1)], id="brackets"),
        pytest.param("y", [("y", 1)], id="no sum"),
        pytest.param("y * 1.5 + m * n", [("y * 1.5", 1), ("m * n", 1)], id="no whole number"),
        pytest.param("y - 2 * m", [("y - 2 * m", 1)], id="a difference"),
    ],
)
def test_each_part_of_a_sum_has_its_factor(text: str, expected: list[tuple[str, int]]) -> None:
    found = map(with_factor, summands(sqlglot.parse_one(text, dialect="trino")))
    assert [(part.sql("trino"), factor) for part, factor in found] == expected
