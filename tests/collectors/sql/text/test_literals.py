"""Literals and comments, found without reading the SQL."""

from __future__ import annotations

import pytest

from prunescope.collectors.sql.text.literals import MAX_CHARACTERS, framed


def found(sql: str, dialect: str) -> list[tuple[str, str]]:
    """The kind and value of each literal, and that all of them are where they are said to be."""
    taken = framed(sql, dialect)
    assert taken is not None
    for place, value in zip(taken.places, taken.values, strict=True):
        raw = sql[place.start : place.end]
        assert raw == value or raw[1:-1].replace(2 * raw[0], raw[0]) == value
    return [(place.kind, value) for place, value in zip(taken.places, taken.values, strict=True)]


@pytest.mark.parametrize(
    ("dialect", "sql", "expected"),
    [
        pytest.param("trino", "a = 'x y'", [("text", "x y")], id="text"),
        pytest.param("trino", "a = ''", [("text", "")], id="empty text"),
        pytest.param("trino", "a = 'it''s'", [("text", "it's")], id="doubled quote"),
        pytest.param("spark", "a = 'it''s'", [], id="two texts side by side"),
        pytest.param("trino", r"a = 'b\'", [("text", "b\\")], id="backslash"),
        pytest.param("spark", r"a = 'b\'c' AND d = 'e'", [("text", "e")], id="escaped quote"),
        pytest.param(
            "snowflake", r"a = 'b\\' AND d = 1", [("integer", "1")], id="escaped backslash"
        ),
        pytest.param("trino", "a = 'b\nc'", [], id="line break"),
        pytest.param("spark", 'a = "x\'y"', [("quoted", "x'y")], id="text in double quotes"),
        pytest.param("trino", 'SELECT "it\'s 5" FROM t', [], id="name in double quotes"),
        pytest.param("spark", "SELECT `it's 5` FROM t", [], id="name in backticks"),
        pytest.param(
            "trino", "a = X'3132' AND b = U&'x' AND c = 'd'", [("text", "d")], id="prefixes"
        ),
        pytest.param("spark", "a = r'x' AND b = R\"y\"", [], id="raw texts"),
        pytest.param(
            "trino",
            "a1 = 12 AND b = -3 AND c = 1.50 AND d = 2e3 AND e = 1.5E-3",
            [
                ("integer", "12"),
                ("integer", "3"),
                ("decimal", "1.50"),
                ("double", "2e3"),
                ("double", "1.5E-3"),
            ],
            id="numbers",
        ),
        pytest.param("spark", "a = 1L OR b = 2.5BD OR c = .5 OR d = 6.", [], id="other numbers"),
        pytest.param("trino", "t1.c2 = $3 AND x_4y = @5", [], id="digits in names"),
        pytest.param("trino", "a = 0x1F", [], id="hexadecimal number"),
        pytest.param(
            "trino",
            "d = DATE '2024-01-01' AND INTERVAL '1' DAY",
            [("text", "2024-01-01"), ("text", "1")],
            id="typed literals",
        ),
        pytest.param(
            "trino",
            "a = 1 -- don't '2'\nAND b = 'c'",
            [("integer", "1"), ("comment", "-- don't '2'"), ("text", "c")],
            id="comment to the end of the line",
        ),
        pytest.param(
            "trino",
            "/* it's 5 */ a = 1",
            [("comment", "/* it's 5 */"), ("integer", "1")],
            id="comment in brackets",
        ),
        pytest.param("trino", "SELECT /*+ 'a' */ 6", [("text", "a"), ("integer", "6")], id="hint"),
        pytest.param(
            "mysql",
            "a = 1--2",
            [("integer", "1"), ("integer", "2")],
            id="two minuses",
        ),
        pytest.param(
            "snowflake", "1 // 2'", [("integer", "1"), ("comment", "// 2'")], id="slashes"
        ),
        pytest.param("trino", "a = 'x", [], id="text without end"),
        pytest.param("trino", "é = 'ü\U0001f600'", [("text", "ü\U0001f600")], id="unicode"),
    ],
)
def test_literals_are_found(dialect: str, sql: str, expected: list[tuple[str, str]]) -> None:
    assert found(sql, dialect) == expected


@pytest.mark.parametrize(
    ("one", "other"),
    [
        pytest.param("a = 1", "a = 1.0", id="types of numbers"),
        pytest.param("a = 1", "a = '1'", id="number and text"),
        pytest.param("a IN (1)", "a IN (1, 2)", id="lengths of lists"),
        pytest.param("a = 1", "a = -1", id="signs"),
        pytest.param("a = 'x'", "a =  'x'", id="white space"),
        pytest.param("a = 'x'", "b = 'x'", id="names"),
        pytest.param("a = 'x'", "a = 'x' /* c */", id="comment and none"),
    ],
)
def test_other_texts_have_other_frames(one: str, other: str) -> None:
    first, second = framed(one, "trino"), framed(other, "trino")
    assert first is not None
    assert second is not None
    assert first.frame != second.frame


@pytest.mark.parametrize(
    "sql",
    [
        pytest.param("a = '\0'", id="holds what marks a literal"),
        pytest.param("a = 1 " + "OR a = 1 " * MAX_CHARACTERS, id="long"),
    ],
)
def test_some_texts_are_not_taken_apart(sql: str) -> None:
    assert framed(sql, "trino") is None
