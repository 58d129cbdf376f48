"""Laws of functions of texts: the value for a text in a span is in the span that the law gives for
all of it. Drawn spans of short texts of few letters, among them those that have odd cases."""

from __future__ import annotations

import datetime as dt
import random

import pytest

from prunescope.collectors.sql.constants.session import Session
from prunescope.collectors.sql.constants.values import Folded
from prunescope.collectors.sql.functions.clocks import Clocks
from prunescope.collectors.sql.functions.spans import (
    AFTER_TEXTS,
    Span,
    common_length,
    key,
    may_have,
    point,
)
from prunescope.collectors.sql.ranges.compiled import Compiler
from prunescope.collectors.sql.text.parse import parse_condition

LETTERS = "aaabbAB-  k7\u212a\u0130\u0131\u017fßﬃé\t\0\U0001f600"
FORMS = {
    "replace(s, 'ab', 'x')": ("trino", "spark", "duckdb"),
    "replace(s, 'aba')": ("trino", "spark"),
    "reverse(s)": ("trino", "spark", "duckdb"),
    "substr(reverse(reverse(s)), 1, 2)": ("trino", "spark"),
    "substr(s, 2)": ("trino", "spark", "duckdb"),
    "substr(s, 2, 2)": ("trino", "spark", "duckdb", "clickhouse"),
    "split_part(s, '-', 1)": ("trino", "duckdb", "snowflake"),
    "split_part(s, 'ab', 2)": ("trino", "duckdb", "snowflake"),
    "element_at(split(s, '-'), 2)": ("trino",),
    "split(s, 'a')[2]": ("trino",),
    "split(s, '[-]')[0]": ("spark",),
    "split(s, 'ab')[1]": ("spark",),
    "split(s, '-')[safe_offset(1)]": ("bigquery",),
    "substring_index(s, '-', 1)": ("spark",),
    "substring_index(s, 'a', 3)": ("spark",),
    "strpos(s, 'aba')": ("trino", "duckdb", "bigquery"),
    "instr(s, '-')": ("spark",),
    "position(s, 'ab')": ("clickhouse",),
    "strpos(s, 'ab') * 2": ("trino",),
    "lpad(s, 3, 'a')": ("trino", "spark", "duckdb"),
    "lpad(s, 4, 'ab')": ("trino", "spark", "duckdb"),
    "rpad(s, 3, 'b')": ("trino", "spark", "duckdb"),
    "s[1:2]": ("duckdb",),
    "s[2:3]": ("duckdb",),
    "concat(s, 'b')": ("trino", "spark"),
    "concat('a', s, substr(s, 1, 1))": ("trino", "spark"),
    "s like 'ab%'": ("trino", "spark", "duckdb"),
    "s like 'a_b%'": ("trino", "spark", "duckdb"),
    "s like '%ab'": ("trino", "spark"),
    "s like '%a%b'": ("trino", "spark"),
    "s not like 'a__'": ("trino", "spark"),
    "starts_with(s, 'ab')": ("trino", "duckdb"),
    "contains(s, 'ab')": ("spark", "duckdb"),
    "endswith(s, 'a')": ("spark", "snowflake"),
    "regexp_like(s, '^a[ab]')": ("trino", "spark"),
    "regexp_like(s, '^(a|ba)$')": ("trino",),
    "regexp_like(s, '^a{2,3}b?$')": ("trino", "spark"),
    "regexp_like(s, '[^a-]b')": ("trino", "spark"),
    "regexp_like(s, '^\\w+\\s')": ("trino",),
    "s rlike 'a.*b'": ("snowflake",),
    "s rlike '^(ab|b)'": ("spark",),
    "regexp_full_match(s, 'a+[-b]*')": ("duckdb",),
    "s similar to 'a|b.'": ("duckdb",),
    "s glob 'a?b*'": ("duckdb",),
    "regexp_extract(s, '^([^-]+)-', 1)": ("trino", "spark"),
    "regexp_extract(s, '^(a|ab)b', 1)": ("trino", "spark"),
    "regexp_extract(s, '^a+b?', 0)": ("trino", "spark"),
}


def drawn(rng: random.Random) -> str:
    """A short text."""
    return "".join(rng.choice(LETTERS) for _ in range(rng.randrange(5)))


def span(rng: random.Random) -> tuple[Span, str]:
    """Texts from one to another, and one of them."""
    low = drawn(rng)
    match rng.randrange(3):
        case 0:
            inside, high = low + drawn(rng), low + AFTER_TEXTS
        case 1:
            inside = low + drawn(rng)
            high = max(low + rng.choice(LETTERS), inside[: len(low) + 1]) + AFTER_TEXTS
        case _:
            low, inside, high = sorted((low, drawn(rng), drawn(rng)))
    return Span(low, high, even=common_length(low, high)), inside


def holds(whole: Span, value: Folded) -> bool:
    """Whether a value is in a span."""
    return bool(key(whole.low) <= key(value) <= key(whole.high)) and may_have(whole, value)


@pytest.mark.parametrize(
    ("sql", "dialect"), [(sql, dialect) for sql, dialects in FORMS.items() for dialect in dialects]
)
def test_values_are_within_what_laws_say(sql: str, dialect: str) -> None:
    rng = random.Random(53)  # noqa: S311  # samples, no keys
    started = dt.datetime(2024, 3, 5, 12, tzinfo=dt.UTC)
    session = Session(dialect, started, "UTC", doubles_quotes=True)
    compiler = Compiler(lambda column: (column.name,), session, Clocks(["UTC"]))
    evaluate = compiler.compiled(parse_condition(sql, dialect))
    told = 0
    for _ in range(1_500):
        among, text = span(rng)
        whole, one = evaluate({("s",): among}), evaluate({("s",): point(text)})
        if whole is None or one is None or not one.is_point or one.is_empty:
            continue
        assert holds(whole, one.low), f"{text!r} in {among}: {one.low!r} in {whole}"
        told += (
            whole.low not in ("", False) or whole.high is False or bool(whole.ending or whole.among)
        )
    assert told > 2
