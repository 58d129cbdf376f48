"""Parts of texts before a character: what they say of the whole holds for each that they select."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable

import pyarrow as pa
import pytest

from collectors.predicates.model import Unsupported
from collectors.predicates.render import render
from collectors.sql.extraction.extract import condition
from tests.collectors.sql.rewrites.test_implied_ranges import SIGNS, chosen

TEXTS = ["".join(text) for size in range(5) for text in itertools.product("a#b|", repeat=size)]
VALUES = ["", "a", "ab", "b", "ba", "a#", "\U0010ffff"]


def first(mark: str) -> Callable[[str], str | None]:
    return lambda text: text.split(mark)[0]


def found(mark: str, otherwise: str | None) -> Callable[[str], str | None]:
    pattern = re.compile(f"([^{mark}]+){re.escape(mark)}")
    return lambda text: match[1] if (match := pattern.match(text)) else otherwise


PARTS = [
    ("trino", "split_part(s, '#', 1)", first("#")),
    ("trino", "split_part(s, '|', 1)", first("|")),
    ("spark", "substring_index(s, '|', 1)", first("|")),
    ("spark", "split(s, '#')[0]", first("#")),
    ("trino", "regexp_extract(s, '^([^#]+)#', 1)", found("#", None)),
    ("spark", "regexp_extract(s, '^([^#]+)#', 1)", found("#", "")),
]


@pytest.mark.parametrize("sign", SIGNS)
@pytest.mark.parametrize(("dialect", "sql", "part_of"), PARTS)
def test_parts_in_their_order(
    dialect: str, sql: str, part_of: Callable[[str], str | None], sign: str
) -> None:
    for value in VALUES:
        said = condition(f"{sql} {sign} '{value}'", dialect)
        if isinstance(said, Unsupported):
            continue
        parts = [(text, part_of(text)) for text in TEXTS]
        wanted = {text for text, part in parts if part is not None and SIGNS[sign](part, value)}
        kept = set(chosen(said, "s", TEXTS, pa.string()))
        assert wanted == kept if sign == "=" else wanted <= kept, render(said)


@pytest.mark.parametrize(
    ("dialect", "sql", "expected"),
    [
        ("trino", "split_part(s, '#', 1) >= 'k2'", "s >= 'k2'"),
        ("trino", "split_part(s, '#', 1) < 'k2'", "s < 'k2'"),
        ("spark", "substring_index(s, '#', 1) <= 'k2'", "s < 'k2$'"),
        ("spark", "NOT split_part(s, '#', 1) >= 'k2'", "s < 'k2'"),
        # A part of 'k' is less, and what follows it comes after 'k2'.
        ("trino", "split_part(s, '|', 1) < 'k2'", "s < '}'"),
    ],
)
def test_what_is_said_of_the_whole(dialect: str, sql: str, expected: str) -> None:
    said, _, rest = render(condition(sql, dialect)).partition(" AND ")
    assert said == expected
    assert rest  # the range alone may hold more


def test_a_part_that_an_expression_finds() -> None:
    sql = "regexp_extract(s, '^([^#]+)#', 1)"
    for dialect in ("trino", "spark"):
        assert render(condition(f"{sql} = 'k2'", dialect)) == "s LIKE 'k2#%'"
        assert render(condition(f"{sql} >= 'k2'", dialect)).startswith("s >= 'k2' AND ")


@pytest.mark.parametrize("dialect", ["trino", "spark"])
@pytest.mark.parametrize(
    "pattern", ["^([a#]+)b", "^(a|ab)#", "^([^ab]+)", "^(.b?)#?", "^([^#]+)[|]", "^(a|b)|#"]
)
def test_what_brackets_find_begins_the_text(dialect: str, pattern: str) -> None:
    for value in [value for value in VALUES if value]:
        said = condition(f"regexp_extract(s, '{pattern}', 1) = '{value}'", dialect)
        meant = [t for t in TEXTS if (match := re.match(pattern, t)) and match[1] == value]
        kept = chosen(said, "s", TEXTS, pa.string())
        assert set(meant) <= set(kept)
        assert all(text.startswith(value) for text in kept)


@pytest.mark.parametrize(
    ("dialect", "sql"),
    [
        ("trino", "split_part(s, '#', 2) >= 'a'"),
        # Brackets that repeat, hold others, or begin no text.
        ("trino", "regexp_extract(s, '^(a|b)+', 1) = 'a'"),
        ("trino", "regexp_extract(s, '^(a|b){2}', 1) = 'a'"),
        ("trino", "regexp_extract(s, '^(?:a)(b)', 1) = 'a'"),
        ("trino", "regexp_extract(s, '^(a(b))', 1) = 'a'"),
        ("trino", "regexp_extract(s, '(?m)^(a)', 1) = 'a'"),
        ("trino", "regexp_extract(s, '^#(a)', 1) = 'a'"),
        ("trino", "regexp_extract(s, '^(a)', 1) < 'a'"),
        ("spark", "regexp_extract(s, '^(a)', 1) <> 'a'"),
        # All of the match, and other expressions.
        ("trino", "regexp_extract(s, '^([^#]+)#') = 'a'"),
        ("trino", "regexp_extract(s, '([^#]+)#', 1) = 'a'"),
        # Of what is not found, Spark makes an empty text.
        ("spark", "regexp_extract(s, '^([^#]+)#', 1) < 'a'"),
        ("spark", "regexp_extract(s, '^([^#]+)#', 1) = ''"),
        ("spark", "regexp_extract(s, '^([^#]+)#', 1) <> 'a'"),
    ],
)
def test_other_parts_say_nothing(dialect: str, sql: str) -> None:
    assert isinstance(condition(sql, dialect), Unsupported)
