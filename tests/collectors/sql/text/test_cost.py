"""What long texts cost, in steps that are counted: no time is measured here."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace
from itertools import product

import pytest
from sqlglot import exp, parse_one
from sqlglot.dialects.dialect import Dialects
from sqlglot.errors import ParseError

from prunescope.audit_jobs.workload.queries import ScanFinder, name_tables
from prunescope.audit_jobs.workload.text_scans import TextScans
from prunescope.collectors.errors import TooComplexSql, UnparseableSql, UnsupportedStatement
from prunescope.collectors.sql.text.balance import balance
from prunescope.collectors.sql.text.cost import bounded, spend
from prunescope.collectors.sql.text.parse import parse
from tests.sampled import one_in
from tests.sql_growth import COLUMNS, MULTIPLYING, QUADRATIC, QUERIES, TEXTS

pytestmark = pytest.mark.slow

SMALL, LARGE = 24, 96
# What is the same for every text weighs in the small one.
SLACK = 1.25
# How a text that is no query, no SQL, or too deep may end.
OTHER_ENDS = (None, "too_complex", "not_a_query", "unparseable")


def steps(shape: str, size: int) -> tuple[int, str | None]:
    """The steps of reading a text and finding its scans, and how it ended."""
    query = QUERIES[shape](size)
    with bounded(max_steps=300_000) as meter:
        found = TextScans(COLUMNS).find(query)
    return meter.steps, None if found.failure is None else found.failure.code


@pytest.mark.parametrize("shape", sorted(QUERIES.keys() - MULTIPLYING))
def test_the_work_grows_as_the_text(shape: str) -> None:
    """Or as its square, where every part meets every other; or the text ends with its name."""
    small, _ = steps(shape, SMALL)
    large, end = steps(shape, LARGE)
    assert end in OTHER_ENDS
    growth = LARGE / SMALL
    assert large <= SLACK * small * (growth**2 if shape in QUADRATIC else growth)


@pytest.mark.parametrize("shape", sorted(MULTIPLYING))
def test_what_multiplies_is_too_complex(shape: str) -> None:
    assert steps(shape, 40)[1] == "too_complex"


@pytest.mark.parametrize(
    "shape",
    ["comma join", "inner join", "or", "in", "and", "union all", "concatenation", "statements"],
)
def test_common_texts_are_read_however_long(shape: str) -> None:
    assert steps(shape, 400)[1] is None


DIALECTS = sorted({each.value for each in Dialects} - {"", "dax", "prql"})


@pytest.mark.parametrize("dialect", one_in(3, DIALECTS, str))
def test_every_dialect_is_bounded(dialect: str) -> None:
    """Also those whose parsers leave the work to others."""
    text = "SELECT * FROM t JOIN " + " JOIN ".join(f"t{i}" for i in range(16))
    with pytest.raises(TooComplexSql), bounded(max_steps=200):
        parse(text, dialect)
    nested = "SELECT " + "ARRAY[" * 20 + "a" + "]" * 20 + " FROM t"
    with bounded(max_steps=400_000), suppress(UnparseableSql, TooComplexSql, UnsupportedStatement):
        parse(nested, dialect)
        parse(text, dialect)


@pytest.mark.parametrize(
    "dialect",
    [
        "spark",
        *(
            pytest.param(name, marks=pytest.mark.exhaustive)
            for name in ("trino", "snowflake", "clickhouse", "duckdb")
        ),
    ],
)
def test_joins_are_read_as_without_bounds(dialect: str) -> None:
    """Every text of five joins, each with or without a condition, and some in brackets."""
    for ends in product(("", " ON a = b", " USING (c)", " ON a = b ON b = c"), repeat=4):
        joins = "".join(f" JOIN t{i} AS x{i}{end}" for i, end in enumerate(ends))
        for text in (f"SELECT * FROM t{joins}", f"SELECT * FROM (t{joins}) CROSS JOIN u, v{joins}"):
            assert _read(text, dialect) == _read_by_sqlglot(text, dialect)


def _read(text: str, dialect: str) -> str | None:
    try:
        return repr(parse(text, dialect))
    except UnparseableSql:
        return None


def _read_by_sqlglot(text: str, dialect: str) -> str | None:
    try:
        return repr(parse_one(text, dialect=dialect))
    except ParseError:
        return None


@pytest.mark.exhaustive
def test_a_text_of_too_many_steps_stops_no_other() -> None:
    bad, good = QUERIES["statements"](30_000), QUERIES["or"](2)
    finder = ScanFinder(COLUMNS)
    named = name_tables(bad)
    assert named.failure is not None
    assert named.failure.code == "too_complex"
    assert finder.find(bad).failure == named.failure
    assert finder.find(good).failure is None


@pytest.mark.parametrize("shape", ["views doubling", "cte doubling", "parentheses"])
def test_what_is_too_complex_is_told_once(shape: str) -> None:
    query, scans = QUERIES[shape](101), TextScans(COLUMNS)
    with bounded(max_steps=100_000):
        first = scans.find(query)
    with bounded(max_steps=1_000) as again:
        assert scans.find(query) == first
    assert first.failure is not None
    assert first.failure.code == "too_complex"
    assert again.steps == 0


def test_other_literals_do_not_make_it_simpler() -> None:
    query, scans = QUERIES["cte doubling"](24), TextScans(COLUMNS)
    with bounded(max_steps=200_000):
        assert scans.find(query).failure is not None
    assert query.sql is not None
    with bounded(max_steps=1_000) as again:
        other = scans.find(replace(query, sql=query.sql.replace("a = 1", "a = 2")))
    assert other.failure is not None
    assert other.failure.code == "too_complex"
    assert again.steps < 1_000


def test_parsing_itself_is_bounded() -> None:
    with pytest.raises(TooComplexSql), bounded(max_steps=400):
        parse("SELECT " + "a, " * 90 + "b FROM t", "trino")


def test_a_text_is_given_so_much_time() -> None:
    with bounded(max_seconds=0.0), pytest.raises(TooComplexSql):
        spend(10_000)


def test_nothing_is_left_once_the_bound_is_reached() -> None:
    with bounded(max_steps=10):
        for _ in range(3):
            with pytest.raises(TooComplexSql):
                spend(11)


def test_an_inner_bound_does_not_widen_the_outer() -> None:
    with bounded(max_steps=10), bounded(max_steps=1_000), pytest.raises(TooComplexSql):
        spend(11)


def test_threads_have_bounds_of_their_own() -> None:
    def ends(count: int) -> str:
        try:
            with bounded(max_steps=1_000):
                for _ in range(count):
                    spend()
        except TooComplexSql as error:
            return error.code
        return "read"

    with ThreadPoolExecutor(4) as threads:
        assert list(threads.map(ends, [10, 5_000] * 8)) == ["read", "too_complex"] * 8


@pytest.mark.parametrize("dialect", ["trino", "spark", "hive", "duckdb", "snowflake", "oracle"])
@pytest.mark.parametrize("shape", ["or", "and", "union", "union all", "or of ands", "except"])
def test_a_balanced_chain_reads_the_same_and_is_flat(shape: str, dialect: str) -> None:
    tree = parse_one(TEXTS[shape](64), dialect=dialect)
    before, depth = tree.sql(dialect), _depth(tree)
    balance(tree)
    assert tree.sql(dialect) == before
    assert shape == "except" or _depth(tree) < depth / 2


def _depth(tree: exp.Expr) -> int:
    return max(node.depth for node in tree.walk())
