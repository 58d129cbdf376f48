"""Fingerprints: one for each shape of query."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlglot import parse_one

from prunescope.collectors.sql.text.fingerprint import fingerprint, render
from prunescope.collectors.sql.text.parse import parse


def of(sql: str, dialect: str = "trino") -> str:
    return fingerprint(parse(sql, dialect))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        pytest.param("a = 1", "a = -2.5e3", id="numbers"),
        pytest.param("a = 'x'", "a = U&'\\0041'", id="strings"),
        pytest.param("a > DATE '2024-01-01'", "a > TIMESTAMP '2023-02-02 01:02:03'", id="dates"),
        pytest.param("a > DATE '2024-01-01'", "a > ?", id="parameter"),
        pytest.param("a > CAST('2024-01-01' AS DATE)", "a > CAST(? AS DATE)", id="casts"),
        pytest.param(
            "a > now() - INTERVAL '1' DAY", "a > now() - INTERVAL '30' DAY", id="interval"
        ),
        pytest.param("a IN (1, 2)", "a IN (3, -4, ?)", id="lists"),
        pytest.param("(a, b) IN ((1, 2))", "(a, b) IN ((3, 4), (5, 6))", id="lists of pairs"),
        pytest.param("a = ANY (VALUES 1, 2)", "a = ANY (VALUES 3)", id="values"),
        pytest.param("a = ARRAY[1, 2]", "a = ARRAY[3]", id="arrays"),
        pytest.param("a LIKE 'x%'", "a LIKE '%y'", id="patterns"),
        pytest.param("a LIKE 'x%' ESCAPE '!'", "a LIKE '%y' ESCAPE '#'", id="escapes"),
        pytest.param(
            "json_extract(a, '$.x') = 1", "json_extract(a, '$.y[0].z') = 2", id="json paths"
        ),
        pytest.param("a = 1 LIMIT 5", "a = 1 LIMIT 500", id="limit"),
        pytest.param("a = 1 -- note", "a /* x */ = /* y */ 1", id="comments"),
        pytest.param("a\n\t=  1", "a=1", id="white space"),
        pytest.param("lower(t.A) = 'x'", "LOWER(T.\"a\") = 'x'", id="case"),
        pytest.param("t.a = 1", "lake.db.t.a = 1", id="qualifiers"),
        pytest.param("a <> 1", "a != 1", id="spelling"),
    ],
)
def test_conditions_of_one_shape(one: str, other: str) -> None:
    assert of(f"SELECT * FROM lake.db.t WHERE {one}") == of(
        f"SELECT * FROM lake.db.t WHERE {other}"
    )


@pytest.mark.parametrize(
    ("one", "dialect", "replaced"),
    [
        pytest.param("SELECT p.a FROM t AS p WHERE p.b = 1", "trino", {"p": "q"}, id="table"),
        pytest.param(
            "SELECT a AS x FROM t GROUP BY x HAVING x > 1", "trino", {"x": "y"}, id="group"
        ),
        pytest.param(
            "SELECT a, sum(b) AS x FROM t GROUP BY 1 ORDER BY x", "trino", {"x": "y"}, id="order"
        ),
        pytest.param(
            "SELECT z FROM (SELECT a AS z FROM t) AS p WHERE z = 1 AND p.z > 0",
            "trino",
            {"z": "y", "p": "q"},
            id="derived table",
        ),
        pytest.param(
            "SELECT * FROM (SELECT * FROM (SELECT a AS z FROM t) AS p) AS o WHERE z = 1",
            "trino",
            {"z": "y", "p": "q", "o": "r"},
            id="through stars",
        ),
        pytest.param(
            "WITH w AS (SELECT a AS z FROM t), v (y) AS (SELECT z FROM w) "
            "SELECT v.y FROM v JOIN w ON v.y = w.z",
            "trino",
            {"w": "ww", "v": "vv", "z": "zz", "y": "yy"},
            id="common table expressions",
        ),
        pytest.param(
            "WITH RECURSIVE w (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM w WHERE n < 9) "
            "SELECT n FROM w",
            "trino",
            {"w": "v", "n": "m"},
            id="recursion",
        ),
        pytest.param(
            "SELECT sum(a) OVER w FROM t WINDOW w AS (PARTITION BY b)",
            "trino",
            {"w": "v"},
            id="window",
        ),
        pytest.param(
            "SELECT x FROM t CROSS JOIN UNNEST(b) AS u (x) WHERE x = 1",
            "trino",
            {"u": "v", "x": "y"},
            id="unnest",
        ),
        pytest.param(
            "SELECT x FROM t LATERAL VIEW explode(b) u AS x WHERE u.x = 1",
            "spark",
            {"u": "v", "x": "y"},
            id="lateral view",
        ),
        pytest.param(
            "SELECT a AS x FROM t UNION SELECT b AS y FROM u ORDER BY x",
            "trino",
            {"x": "v", "y": "w"},
            id="union",
        ),
        pytest.param(
            "SELECT * FROM t AS p WHERE EXISTS (SELECT 1 FROM u AS q WHERE q.a = p.a)",
            "trino",
            {"p": "q", "q": "p"},
            id="correlation, names swapped",
        ),
        pytest.param(
            "SELECT p.f.g FROM t AS p WHERE p.f.h = 1", "trino", {"p": "q"}, id="nested fields"
        ),
        pytest.param(
            "MERGE INTO t AS p USING u AS q ON p.a = q.a AND p.b = 'x' WHEN MATCHED THEN DELETE",
            "spark",
            {"p": "x", "q": "y"},
            id="merge",
        ),
        pytest.param("SELECT /*+ BROADCAST(p) */ p.a FROM t AS p", "spark", {"p": "q"}, id="hint"),
    ],
)
def test_made_up_names_are_no_shape(one: str, dialect: str, replaced: dict[str, str]) -> None:
    other = re.sub(r"\b\w+\b", lambda word: replaced.get(word[0], word[0]), one)
    assert other != one
    assert of(other, dialect) == of(one, dialect)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        pytest.param("SELECT a FROM t", "SELECT a FROM u", id="table"),
        pytest.param("SELECT a FROM s.t", "SELECT a FROM r.t", id="schema"),
        pytest.param("SELECT a FROM t", "SELECT b FROM t", id="column"),
        pytest.param("SELECT a FROM t WHERE a = 1", "SELECT a FROM t WHERE a < 1", id="operator"),
        pytest.param("SELECT a FROM t WHERE a = 1", "SELECT a FROM t WHERE 1 = a", id="sides"),
        pytest.param(
            "SELECT 1 FROM t JOIN u ON t.a = u.a",
            "SELECT 1 FROM t LEFT JOIN u ON t.a = u.a",
            id="join",
        ),
        pytest.param(
            "SELECT p.a FROM t p, t q WHERE p.b = 1",
            "SELECT p.a FROM t p, t q WHERE q.b = 1",
            id="side",
        ),
        pytest.param(
            "SELECT a AS x, b AS y FROM t ORDER BY x",
            "SELECT a AS x, b AS y FROM t ORDER BY y",
            id="order by alias",
        ),
        pytest.param(
            "SELECT * FROM (SELECT a AS x, b AS y FROM t) WHERE x = 1",
            "SELECT * FROM (SELECT a AS x, b AS y FROM t) WHERE y = 1",
            id="column of a derived table",
        ),
        pytest.param(
            "SELECT f(a) AS x, g(a) AS y FROM t WHERE x = 1",
            "SELECT f(a) AS y, g(a) AS x FROM t WHERE x = 1",
            id="a name that may be the table's",
        ),
        pytest.param(
            "SELECT a FROM t WHERE b > now() - INTERVAL '1' DAY",
            "SELECT a FROM t WHERE b > now() - INTERVAL '1' MONTH",
            id="unit",
        ),
        pytest.param(
            "SELECT date_trunc('day', a) FROM t",
            "SELECT date_trunc('month', a) FROM t",
            id="function's unit",
        ),
        pytest.param("SELECT CAST(a AS INT) FROM t", "SELECT CAST(a AS DATE) FROM t", id="type"),
        pytest.param(
            "SELECT CAST(a AS DECIMAL(9, 2)) FROM t",
            "SELECT CAST(a AS DECIMAL(9, 3)) FROM t",
            id="scale",
        ),
        pytest.param(
            "SELECT a FROM t WHERE a IN (1)", "SELECT a FROM t WHERE a NOT IN (1)", id="not"
        ),
        pytest.param("SELECT DISTINCT a FROM t", "SELECT a FROM t", id="distinct"),
        pytest.param("SELECT a FROM t WHERE a IS NULL", "SELECT a FROM t WHERE a = 1", id="null"),
    ],
)
def test_other_shapes_have_other_fingerprints(one: str, other: str) -> None:
    assert of(one) != of(other)


def test_a_fingerprint_is_sixteen_hexadecimal_digits() -> None:
    assert re.fullmatch("[0-9a-f]{16}", of("SELECT 1 FROM t"))


def test_a_fingerprint_leaves_the_tree_as_it_is() -> None:
    tree = parse("SELECT p.a AS x FROM t p WHERE p.b IN (1, 2)", "trino")
    before = tree.sql("trino")
    fingerprint(tree)
    assert tree.sql("trino") == before


# Words in braces are made up; <…> stands for a value. sqlglot wants nothing but white space where
# the tilde is.
_leaves = st.sampled_from(
    [
        "{p}.a = <v>",
        "{p}.b IN <list>",
        "{q}.{x} > <v>",
        "{q}.{x} BETWEEN <v> AND <v>",
        "lower({p}.c) LIKE <v>",
        "{p}.d IS NOT NULL",
        "EXISTS (SELECT 1 FROM s AS {r} WHERE {r}.a = {p}.a AND {r}.b < <v>)",
        "{p}.a IN (SELECT {w}.{x} FROM {w})",
    ]
)
_conditions = st.recursive(
    _leaves,
    lambda inner: st.one_of(
        st.builds("({} AND {})".format, inner, inner),
        st.builds("({} OR {})".format, inner, inner),
        st.builds("NOT ({})".format, inner),
    ),
    max_leaves=6,
)
_templates = st.builds(
    "WITH {{w}} AS (SELECT k AS {{x}} FROM u WHERE k > <v>) "
    "SELECT {{p}}.a AS {{y}}, count(*) AS {{z}} FROM lake.db.t AS {{p}} "
    "{} JOIN {{w}} AS {{q}} ON {{q}}.{{x}} = {{p}}.a WHERE {} GROUP~BY {{p}}.a {} LIMIT <n>".format,
    st.sampled_from(["", "LEFT", "FULL"]),
    _conditions,
    st.sampled_from(["", "HAVING {z} > <v>", "ORDER~BY {z}", "ORDER~BY {y}, {z} DESC"]),
)
_values = st.one_of(
    st.integers(-(10**9), 10**9).map(str),
    st.decimals(
        allow_nan=False, allow_infinity=False, places=2, max_value=10**6, min_value=-(10**6)
    ).map("{:f}".format),
    st.text(max_size=5)
    .filter(lambda text: "\x00" not in text)
    .map(lambda text: "'{}'".format(text.replace("'", "''"))),
    st.dates().map("DATE '{}'".format),
    st.datetimes().map("TIMESTAMP '{}'".format),
    st.just("?"),
)
_NAMES = "pqrwxyz"


@st.composite
def _writings(draw: st.DrawFn) -> Callable[[str], str]:
    """A way to write a query: its made-up names, values, white space, comments and case."""
    numbers = draw(st.permutations(range(len(_NAMES))))
    names = {name: f"n{number}" for name, number in zip(_NAMES, numbers, strict=True)}
    gaps = draw(st.lists(st.sampled_from([" ", "  ", "\n", "\t", " /* x */ "]), min_size=1))
    cases = draw(st.lists(st.sampled_from([str.lower, str.upper, str.title]), min_size=1))
    values = draw(st.lists(_values, min_size=1))
    lists = draw(st.lists(st.lists(_values, min_size=1, max_size=4).map(", ".join), min_size=1))
    number = draw(st.integers(0, 10**6))

    def write(template: str) -> str:
        words = template.format(**names).split(" ")
        cased = [cases[i % len(cases)](word) for i, word in enumerate(words)]
        spaced = "".join(word + gaps[i % len(gaps)] for i, word in enumerate(cased))
        spaced = spaced.replace("~", "\n ")
        for place in ("v", "list", "n"):
            pieces = re.split(f"(?i)<{place}>", spaced)
            filled = [pieces[0]]
            for i, piece in enumerate(pieces[1:]):
                choices = {
                    "v": values,
                    "list": [f"({items})" for items in lists],
                    "n": [str(number)],
                }
                filled += [choices[place][i % len(choices[place])], piece]
            spaced = "".join(filled)
        return spaced

    return write


@given(template=_templates, one=_writings(), other=_writings())
@pytest.mark.slow
def test_the_writing_of_a_query_is_no_shape(
    template: str, one: Callable[[str], str], other: Callable[[str], str]
) -> None:
    assert of(one(template)) == of(other(template))


@given(template=_templates, one=_writings(), other=_writings(), data=st.data())
@pytest.mark.slow
def test_a_change_of_structure_is_another_shape(
    template: str, one: Callable[[str], str], other: Callable[[str], str], data: st.DataObject
) -> None:
    changes = [
        ("{p}.a", "{p}.e"),
        ("lake.db.t", "lake.db.v"),
        ("JOIN {w}", "JOIN lake.{w}"),
        ("count(*)", "max(*)"),
        (" WHERE ", " WHERE {q}.f AND "),
        ("k > <v>", "k >= <v>"),
    ]
    old, new = data.draw(st.sampled_from([c for c in changes if c[0] in template]))
    assert of(one(template)) != of(other(template.replace(old, new)))


@pytest.mark.parametrize(
    "sql", ["a * DECIMAL '1.19' > 5", "a * CAST('1.19' AS DECIMAL) > 5", "DECIMAL '1.5'"]
)
def test_decimals_are_written_with_their_fractions(sql: str) -> None:
    assert render(parse_one(sql, dialect="trino"), "trino") == sql


SHAPE = (
    "SELECT a, sum(b) AS n FROM t p "
    "WHERE p.c = 1 AND d IN (1, 2) AND e > DATE '2024-01-01' ORDER BY n"
)


@pytest.mark.parametrize(
    "same",
    [
        pytest.param(SHAPE.replace("= 1", "= -72"), id="number"),
        pytest.param(SHAPE.replace("2024-01-01", "1999-01-01"), id="date"),
        pytest.param(SHAPE.replace("(1, 2)", "(4, 5, 6)"), id="length of a list"),
        pytest.param(SHAPE.replace(" FROM", "\n/* note */ FROM") + " -- end", id="comments"),
        pytest.param(SHAPE.replace("sum(b)", "SUM(B)").replace(" t ", " T "), id="case"),
        pytest.param(SHAPE.replace("t p", "t AS q").replace("p.c", "q.c"), id="table alias"),
        pytest.param(SHAPE.replace("AS n", "AS m").replace("BY n", "BY m"), id="column alias"),
    ],
)
def test_fingerprints_ignore_what_is_not_shape(same: str) -> None:
    found = fingerprint(parse(same, "trino"))
    assert found == fingerprint(parse(SHAPE, "trino"))
    assert len(found) == 16
    assert int(found, 16) >= 0


@pytest.mark.parametrize(
    "other",
    [
        pytest.param(SHAPE.replace("p.c = 1", "p.f = 1"), id="column"),
        pytest.param(SHAPE.replace("p.c = 1", "p.c < 1"), id="operator"),
        pytest.param(SHAPE.replace("t p", "u p"), id="table"),
        pytest.param(SHAPE.replace("sum(b) AS n", "sum(b) AS d"), id="alias that hides a column"),
    ],
)
def test_fingerprints_tell_shapes_apart(other: str) -> None:
    assert fingerprint(parse(other, "trino")) != fingerprint(parse(SHAPE, "trino"))
