"""No literal is a part of a fingerprint: with any other one, in any place of a query, it is the
same."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prunescope.collectors.errors import QueryError
from prunescope.collectors.sql.text.fingerprint import fingerprint
from prunescope.collectors.sql.text.parse import parse
from prunescope.collectors.sql.text.statements import statements
from tests.collectors.sql.text import test_fingerprint_redaction as redaction

WORD, NUMBER = redaction.WORD, redaction.NUMBER
words = st.text("abcdefgh", min_size=6, max_size=6)
numbers = st.integers(10_000, 99_999).map(str)


def fingerprints(sql: str, dialect: str) -> list[str]:
    """Those of the statements of a text that can be read."""
    try:
        found = statements(sql, dialect)
    except QueryError:
        return []
    return [fingerprint(each.tree) for each in found if each.tree is not None]


@pytest.mark.slow
@pytest.mark.parametrize("place", redaction.PLACES.values(), ids=redaction.PLACES)
def test_other_literals_in_every_place(place: str) -> None:
    word, number = "another", "31415"
    for dialect, own in redaction.DIALECT_LITERALS.items():
        for name, literal in (redaction.LITERALS | own).items():
            if "_is_a_name" in literal or literal.startswith(("j:", "extract(")):
                continue  # which are names
            sql = place.format(*[literal] * 2)
            other = sql.replace(WORD, word).replace(NUMBER, number)
            assert fingerprints(other, dialect) == fingerprints(sql, dialect), (dialect, name)


@pytest.mark.parametrize("name", redaction.STATEMENTS)
@given(word=words, number=numbers)
def test_other_literals_in_every_statement(name: str, word: str, number: str) -> None:
    sql, dialect = redaction.STATEMENTS[name]
    other = sql.replace(WORD, word).replace(NUMBER, number)
    assert fingerprints(other, dialect) == fingerprints(sql, dialect)


@pytest.mark.parametrize(
    ("dialect", "form", "one", "other"),
    [
        ("trino", "date_format(ts, {}) = 'a'", "'%Y-%m-%d'", "'%H'"),
        ("trino", "date(ts AT TIME ZONE {}) = d", "'Europe/Berlin'", "'UTC'"),
        ("trino", "substr(dt, {}) = 'a'", "1, 4", "-6, 2"),
        ("trino", "split_part(k, {}) = 'a'", "'#', 1", "'/', 2"),
        ("trino", "i / {} = 1", "100", "3600.5"),
        ("trino", "date(ts + INTERVAL '{}' HOUR) = d", "3", "5"),
        ("trino", "i % {} = 1", "7", "10"),
        ("trino", "a[{}] = 1", "1", "2"),
        ("trino", "1 = 1 GROUP BY {0} ORDER BY {0}", "1", "2"),
        ("spark", "window(ts, {}).start = d", "'1 day'", "'1 hour'"),
        ("bigquery", "TIMESTAMP_BUCKET(ts, INTERVAL {} HOUR) = d", "1", "6"),
        ("bigquery", "CAST(b AS DATE FORMAT {}) = d", "'YYYY'", "'MM'"),
        ("clickhouse", "toStartOfInterval(ts, INTERVAL {} MINUTE) = d", "5", "15"),
        ("postgres", "date_bin('{}', ts, TIMESTAMP '2001-01-01') = d", "1 hour", "6 hours"),
    ],
)
def test_nor_literals_that_say_what_is_calculated(
    dialect: str, form: str, one: str, other: str
) -> None:
    texts = [f"SELECT i, k FROM t WHERE {form.format(argument)}" for argument in (one, other)]
    assert len({fingerprint(parse(text, dialect)) for text in texts}) == 1


@pytest.mark.parametrize("dialect", ["trino", "spark", "mysql", "bigquery", "snowflake"])
@given(one=st.text("abc- '", min_size=1), other=st.text("abc- '", min_size=1))
def test_texts_in_double_quotes_are_none_whatever_the_dialect(
    dialect: str, one: str, other: str
) -> None:
    form = 'SELECT a FROM lake.db.t AS p WHERE p.b = "{}" AND c IN ("{}", "x") ORDER BY "{}"'
    texts = [form.format(text, text, text) for text in (one, other)]
    assert len({tuple(fingerprints(text, dialect)) for text in texts}) == 1
