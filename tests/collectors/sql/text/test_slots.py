"""Which literals may be others: operands of comparisons, and nothing that is asked for more."""

from __future__ import annotations

import pytest

from prunescope.collectors.sql.text.literals import framed
from prunescope.collectors.sql.text.parse import parts_of
from prunescope.collectors.sql.text.slots import form, marked
from prunescope.collectors.sql.text.statements import statements_of


def free(sql: str, dialect: str = "trino") -> list[str]:
    """The values of the literals that may be others, comments among them."""
    found = framed(sql, dialect)
    assert found is not None
    parts = parts_of(sql, dialect)
    indexes = set(marked([token for part in parts for token in part.tokens], found))
    for statement in statements_of(parts, "lake", "db"):
        indexes |= statement.slots.free
    return [found.values[index] for index in sorted(indexes)]


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        pytest.param("a = 1 AND b < 'x'", ["1", "x"], id="comparisons"),
        pytest.param("a BETWEEN 1 AND 2 OR NOT a IN (3, -4)", ["1", "2", "3", "4"], id="ranges"),
        pytest.param("d = DATE '2024-01-01'", ["2024-01-01"], id="typed literal"),
        pytest.param("a LIKE 'x%'", ["x%"], id="pattern"),
        pytest.param("a LIKE 'x!%' ESCAPE '!'", [], id="pattern with an escape"),
        pytest.param("a > 1 + 2 * 3", ["1", "2", "3"], id="arithmetic"),
        pytest.param("a > 10 / 3", [], id="division"),
        pytest.param("d > current_date - INTERVAL '1' DAY", [], id="interval"),
        pytest.param("date_trunc('month', d) = DATE '2024-01-01'", ["2024-01-01"], id="unit"),
        pytest.param("date_format(d, '%Y') = '2024'", ["2024"], id="format"),
        pytest.param("substr(a, 1, 2) = 'xy'", ["xy"], id="arguments"),
        pytest.param("CASE WHEN a = 1 THEN 2 END = 3", ["3"], id="case"),
        pytest.param("a = 'x' 'y' AND b = 1", ["1"], id="texts side by side"),
        pytest.param("a = CAST('1' AS DECIMAL(9, 2))", ["1"], id="sizes of types"),
        pytest.param("m['k'] = 1", ["1"], id="subscript"),
        pytest.param("1", [], id="no comparison"),
    ],
)
def test_operands_are_free(condition: str, expected: list[str]) -> None:
    assert free(f"SELECT * FROM t WHERE {condition}") == expected


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        pytest.param("SELECT a + 1 FROM t WHERE b = 2", ["2"], id="output"),
        pytest.param(
            "SELECT count(*) FILTER (WHERE a = 1) FROM t", [], id="filter of an aggregate"
        ),
        pytest.param("SELECT a FROM t GROUP BY a, 1 ORDER BY 1 LIMIT 5", [], id="positions"),
        pytest.param(
            "SELECT (SELECT max(b) FROM u WHERE b < 1) FROM t", [], id="query in an output"
        ),
        pytest.param(
            "SELECT * FROM t WHERE a IN (SELECT b FROM u WHERE b > 1)", ["1"], id="nested query"
        ),
        pytest.param("SELECT * FROM t JOIN u ON t.a = u.b AND u.b > 1", ["1"], id="join"),
        pytest.param("SELECT a FROM t GROUP BY a HAVING sum(b) > 1", ["1"], id="having"),
        pytest.param("SELECT * FROM t FOR VERSION AS OF 5 WHERE a = 1", ["1"], id="time travel"),
        pytest.param("SELECT * FROM t TABLESAMPLE BERNOULLI (10) WHERE a = 1", ["1"], id="sample"),
        pytest.param("DELETE FROM t WHERE a = 1", ["1"], id="delete"),
        pytest.param("UPDATE t SET a = 1 WHERE b = 2", ["2"], id="update"),
        pytest.param("SET TIME ZONE 'UTC'; SELECT * FROM t WHERE a = 1", ["1"], id="settings"),
        pytest.param(
            "SELECT * FROM t WHERE a = 1 /* b */ -- c", ["1", "/* b */", "-- c"], id="comments"
        ),
        pytest.param("SELECT * FROM t WHERE a = 1; SELECT (", ["1"], id="beside a failure"),
    ],
)
def test_the_rest_stays_as_it_is(sql: str, expected: list[str]) -> None:
    assert free(sql) == expected


def test_a_comment_for_the_scan_alone_is_none() -> None:
    assert free("SELECT * FROM t WHERE a = $$ -- 1 $$", "duckdb") == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2024-01-01", (False, 0)),
        ("2024-01-01 00:00:00", (False, 0)),
        ("2024-01-01 00:00:00.123", (False, 3)),
        ("2024-01-01 00:00 UTC", (True, 0)),
        ("2024-01-01 00:00:00.1 +02:00", (True, 1)),
    ],
)
def test_typed_literals_have_forms(text: str, expected: tuple[bool, int]) -> None:
    assert form(text) == expected
