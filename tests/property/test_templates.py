"""A text that differs from a known one in literals has the tables, fingerprint and scans of one
that nobody has seen before."""

from __future__ import annotations

import datetime as dt
import random
from collections.abc import Iterator, Sequence
from dataclasses import fields, is_dataclass, replace
from itertools import product
from typing import Any

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st
from sqlglot import exp

from prunescope.audit_jobs.isolation import Failed
from prunescope.audit_jobs.workload.queries import NamedTables, ScanFinder, name_tables
from prunescope.audit_jobs.workload.query_texts import FoundScans
from prunescope.collectors.errors import PrunescopeError
from prunescope.collectors.observed import ObservedQuery, TableName
from prunescope.collectors.sql.extraction.extract import extract
from prunescope.collectors.sql.planners.profiles import planner_of
from prunescope.collectors.sql.scopes.defined import with_definitions
from prunescope.collectors.sql.scopes.tables import referenced_tables
from prunescope.collectors.sql.text.fingerprint import fingerprint
from prunescope.collectors.sql.text.statements import Statement, statements
from prunescope.collectors.table_scans import TableScan
from tests.differential.trino import counts
from tests.sql_corpus import DIALECTS, texts, with_other_literals

_TYPES = ("int", "long", "string", "date", "timestamp", "timestamptz", "decimal(9,2)", "double")
Columns = dict[TableName, dict[str, str]]
T = TableName("lake", ("db",), "t")


def query_of(sql: str, dialect: str, rng: random.Random) -> ObservedQuery:
    """A query with a session drawn."""
    return ObservedQuery(
        source="test",
        query_id="q",
        sql=sql,
        dialect=dialect,
        started_at=rng.choice((None, dt.datetime(2024, 4, rng.randrange(1, 30), 3, tzinfo=dt.UTC))),
        catalog="lake",
        schema="db",
        engine=rng.choice((None, "trino", "spark", "pyiceberg")),
        engine_version=rng.choice((None, "3.3.1", "400", "482")),
        time_zone=rng.choice((None, "UTC", "America/Sao_Paulo")),
    )


def statements_in(query: ObservedQuery) -> list[Statement]:
    """The statements that can be read, without any cache, and without names that others define."""
    assert query.sql is not None
    try:
        found = statements(query.sql, query.dialect, query.parameters, "lake", "db")
    except PrunescopeError:
        return []
    return [
        replace(s, tree=with_definitions(s.tree, s.definitions, s.catalog, s.schema))
        for s in found
        if s.tree is not None
    ]


def columns_in(query: ObservedQuery) -> Columns:
    """The tables of a query, each with all columns that the query names and types for them."""
    columns: Columns = {}
    for statement in statements_in(query):
        tree = statement.tree
        assert tree is not None
        names = {column.name.lower() for column in tree.find_all(exp.Column)} - {"", "*"}
        types = {name: _TYPES[sum(map(ord, name)) % len(_TYPES)] for name in sorted(names)}
        for table in referenced_tables(tree, statement.catalog, statement.schema):
            columns.setdefault(table, {}).update(types)
    return columns


def read_anew(query: ObservedQuery, columns: Columns) -> tuple[object, ...]:
    """What a query's text says, by the functions that know no other text."""
    found = statements_in(query)
    trees = [(s, s.tree) for s in found if s.tree is not None]
    tables = [t for s, tree in trees for t in referenced_tables(tree, s.catalog, s.schema)]
    shapes = [fingerprint(tree) for _, tree in trees]  # before these are changed
    scans: list[TableScan] = []
    failures = []
    for statement, tree in trees:
        try:
            scans += extract(
                tree,
                dialect=query.dialect,
                columns=columns,
                catalog=statement.catalog,
                schema=statement.schema,
                started_at=query.started_at,
                time_zone=statement.time_zone or query.time_zone,
                planner=planner_of(query.engine, query.engine_version),
            )
        except PrunescopeError as error:
            failures.append(Failed.of(error))
    return tuple(dict.fromkeys(tables)), shapes, repr(scans), failures


def read_by_template(query: ObservedQuery, finder: ScanFinder) -> tuple[NamedTables, FoundScans]:
    """What a query's text says to a run that has seen others."""
    return name_tables(query), finder.find(query)


def parts_of(value: object) -> Iterator[object]:
    """A value and all that it holds."""
    yield value
    if is_dataclass(value):
        for each in fields(value):
            yield from parts_of(getattr(value, each.name))
    elif isinstance(value, tuple):
        for item in value:
            yield from parts_of(item)


def assert_same(query: ObservedQuery, columns: Columns, finder: ScanFinder) -> None:
    """The two ways agree on a query, to the last literal of what it prints."""
    named, found = read_by_template(query, finder)
    tables, shapes, scans, failures = read_anew(query, columns)
    assert named.tables == tables
    assert repr(list(found.scans)) == scans
    if isinstance(shapes, list) and len(shapes) == 1:
        assert named.fingerprint == shapes[0]
    if failures:
        assert found.failure is not None
    strings = [part for part in parts_of(found) if isinstance(part, str)]
    assert all(type(part).__module__ != "prunescope.collectors.sql.text.slots" for part in strings)


# Deferred: reading every text takes seconds, which runs of other tests need not spend.
_TEXTS = st.deferred(lambda: st.sampled_from(texts()))


_OF_TWO_TYPES = "SELECT * FROM (SELECT x FROM ta INTERSECT ALL SELECT u FROM tb) WHERE x = 1"


@given(_TEXTS, st.sampled_from(DIALECTS), st.integers(0, 2**32))
@example(_OF_TWO_TYPES, "spark", 0)
@example(_OF_TWO_TYPES, "trino", 0)
@pytest.mark.slow
def test_other_literals_say_what_a_new_text_does(sql: str, dialect: str, seed: int) -> None:
    rng = random.Random(seed)  # noqa: S311  # literals, no keys
    first = query_of(sql, dialect, rng)
    columns = columns_in(first)
    assume(columns)
    finder = ScanFinder(columns)
    for _ in range(4):
        sql_of_another = with_other_literals(sql, dialect, rng)
        another = replace(query_of(sql_of_another, dialect, rng), engine=first.engine)
        another = replace(another, time_zone=first.time_zone, engine_version=first.engine_version)
        assert_same(another, columns, finder)


@pytest.mark.slow(minutes=0.1)
def test_lists_and_rows_of_other_literals_too() -> None:
    """What Trino makes of an OR, and of rows of constants, depends on how many values are equal,
    follow one another, or are there."""
    columns = {TableName("lake", ("db",), name): kinds for name, kinds in counts.TYPES.items()}
    finder, rng = ScanFinder(columns), random.Random(7)  # noqa: S311  # literals, no keys
    for one in counts.counted():
        for sql in (one.sql, with_other_literals(one.sql, "trino", rng)):
            query = ObservedQuery(
                source="test",
                query_id="q",
                sql=sql,
                dialect="trino",
                started_at=dt.datetime(2024, 4, 3, tzinfo=dt.UTC),
                catalog="lake",
                schema="db",
                engine="trino",
                engine_version="483",
                time_zone="UTC",
            )
            assert_same(query, columns, finder)


@pytest.mark.parametrize("patterns", [("a%b", "a"), ("a", "a%b"), ("a%", "a%b", "a%%b")])
def test_what_is_inferred_from_other_patterns_too(patterns: Sequence[str]) -> None:
    """Spark infers IS NOT NULL from NOT LIKE, but not where it looks for two ends."""
    finder = ScanFinder({T: {"s": "string"}})
    for pattern in patterns:
        query = ObservedQuery(
            source="test",
            query_id="q",
            sql=f"SELECT * FROM t WHERE s NOT LIKE '{pattern}'",
            dialect="spark",
            catalog="lake",
            schema="db",
            engine="spark",
        )
        assert_same(query, {T: {"s": "string"}}, finder)


@pytest.mark.slow(minutes=0.1)
@pytest.mark.parametrize("engine", ["trino", "spark", "pyiceberg"])
@pytest.mark.parametrize("dialect", ["trino", "spark", "hive"])
def test_negations_of_other_literals_too(dialect: str, engine: str) -> None:
    """Engines differ in what they make of NaN, and so may a dialect and an engine. Doubles are
    told as they were written."""
    conditions = (
        *("NOT (d >= {})", "d NOT BETWEEN {} AND 5", "NOT (d > 2 AND d <= {})", "d <> {}"),
        *("d BETWEEN {} AND 5", "d IN ({}, 7)"),
    )
    finder = ScanFinder({T: {"d": "double"}})
    for number in ("1", "2e0", "3", "4e0", "CAST('NaN' AS DOUBLE)"):
        for condition in conditions:
            query = ObservedQuery(
                source="test",
                query_id="q",
                sql=f"SELECT * FROM t WHERE {condition.format(number)}",
                dialect=dialect,
                catalog="lake",
                schema="db",
                engine=engine,
            )
            assert_same(query, {T: {"d": "double"}}, finder)


@pytest.mark.parametrize("dialect", ["spark", "trino", "snowflake"])
def test_texts_of_dates_and_ranges_that_are_split_too(dialect: str) -> None:
    conditions = (
        *("d >= {}", "d < {}", "d IN ({}, '2026-11-01')", "d BETWEEN {} AND '2026-11-30'"),
        *("d BETWEEN {} AND (SELECT max(d) FROM t)", "d + 1 BETWEEN {} AND (SELECT 1 FROM t)"),
    )
    finder = ScanFinder({T: {"d": "date"}})
    for text in ("'2026-11-20'", "'2026-11-20 10:30:00'", "'2026-11'", "'2026-13'", "'x'"):
        for condition in conditions:
            query = ObservedQuery(
                source="test",
                query_id="q",
                sql=f"SELECT * FROM t WHERE {condition.format(text)}",
                dialect=dialect,
                catalog="lake",
                schema="db",
                engine=dialect,
            )
            assert_same(query, {T: {"d": "date"}}, finder)


REST = [pytest.mark.slow, pytest.mark.exhaustive]
WITHIN_FUNCTIONS: list[tuple[str, list[str]]] = [
    ("year(d) * {} + month(d) = {}", ["100", "202604", "12", "24316", "202613"]),
    ("greatest(n, {}) >= {}", ["1", "5", "100", "2.5"]),
    ("least(n, {}) < {}", ["1", "5", "100", "2.5"]),
    ("least(n, m, {}) < {}", ["1", "5", "2.5", "'5'", "NULL"]),
    ("CASE WHEN n = {} THEN n ELSE m END >= {}", ["1", "5", "'5'", "NULL"]),
    ("find_in_set(s, {}) > {}", ["'a,b'", "'a'", "''", "0", "1"]),
    ("array_position(ARRAY[{}, 'b'], s) >= {}", ["'a'", "''", "NULL", "0", "1"]),
    ("contains(ARRAY[{}, 'b'], s)", ["'a'", "''", "NULL", "1"]),
    ("array_contains(split({}, {}), s)", ["'a,b'", "','", "'.'"]),
    ("lpad(CAST(n AS varchar), {}, '0') = {}", ["4", "2", "'0042'", "'42'", "NULL"]),
    ("CAST(s AS char(3)) = {}", ["'a'", "'a '", "''", "NULL"]),
    ("regexp_like(s, {})", ["'^(a|b)'", "'^a|b'", "'^[ab]x'", "'a'", "''"]),
    ("year(d) = {} AND extract(DOY FROM d) = {}", ["2026", "60", "366", "0"]),
    ("width_bucket(n, {}, 100, {}) >= {}", ["0", "5", "-1.5", "NULL"]),
    ("bitwise_right_shift(n, {}) = {}", ["2", "31", "0", "99"]),
    ("shiftright(n, {}) <= {}", ["2", "31", "0", "99"]),
    ("floor(n / {}) = {}", ["2", "2.5", "0", "0.0"]),
    ("date_diff('month', d, DATE {}) <= {}", ["'2026-01-05'", "'x'", "1", "0"]),
    ("nullif(n, {}) = {}", ["0", "5", "NULL"]),
    ("element_at(split(s, {}), {}) = {}", ["'-'", "1", "2", "'x'", "'.'", "''"]),
    ("CAST(s AS varchar) = {}", ["'2026-01-05'", "'17'", "'x'", "''"]),
    ("CAST(s AS varchar) IN ({}, {})", ["'2026-01-05'", "'17'", "'x'"]),
    ("CAST(s AS varchar) LIKE {}", ["'2026-01%'", "'EU%'", "'EU'", "'%x'", "''"]),
    ("year(d) = {} AND quarter(d) = {}", ["2026", "2", "4", "9"]),
    ("rtrim(s) = {}", ["'x'", "''", "NULL"]),
    ("n = (SELECT {})", ["1", "2.5", "NULL"]),
    ("n IN (VALUES {}, {})", ["1", "2", "2.5"]),
    ("n = ANY (VALUES {}, 5) OR n > {}", ["1", "5"]),
    ("d IN (SELECT date_parse({}, {}))", ["'2026-01-05'", "'%Y-%m-%d'", "'%d'"]),
    ("CAST(n AS bigint) = {}", ["1", "2.5", "5e0", "5000000000", "NULL"]),
    ("CAST(n AS double) IN ({}, {})", ["1", "2.5", "5e0"]),
    ("CAST(n AS bigint) IS DISTINCT FROM {}", ["1", "5000000000", "NULL"]),
    ("s = upper({})", ["'ab'", "'é'", "''"]),
    ("d >= add_months(DATE {}, {})", ["'2026-01-31'", "'x'", "1", "-1"]),
    ("d >= next_day({}, {})", ["'2026-01-05'", "'MON'", "'x'"]),
    ("n = year(DATE {}) * {} + month(DATE {})", ["'2026-01-05'", "'x'", "100"]),
    ("n >= to_unixtime(TIMESTAMP {}) * {}", ["'2026-01-05 00:00:00'", "'x'", "1000"]),
    ("n >= unix_timestamp({}, {})", ["'2026-01-05'", "'yyyy-MM-dd'", "'yyyy'"]),
    ("d = date(TIMESTAMP {} AT TIME ZONE {})", ["'2026-01-05 23:00:00'", "'Asia/Tokyo'"]),
    ("s >= lpad({}, {}, '0')", ["'7'", "7", "2", "''"]),
    ("d >= coalesce(NULL, DATE {}, {})", ["'2026-01-05'", "'x'", "NULL"]),
    ("n = CASE {} WHEN 1 THEN {} ELSE 2 END", ["1", "2.5", "'x'", "NULL"]),
    ("CASE WHEN {} = {} THEN true ELSE s = 'a' END", ["'a'", "'b'", "1", "NULL"]),
    ("n = CASE WHEN {} = {} THEN n ELSE {} END", ["1", "2.5", "'5'", "NULL"]),
    ("coalesce(nullif({}, {}), s) = 'a'", ["'a'", "'b'", "1", "NULL"]),
    ("coalesce(nullif(s, {}), {}) = {}", ["'a'", "'b'", "1", "NULL"]),
    ("IF(month(d) >= {}, year(d), year(d) - {}) = {}", ["1", "4", "2026", "0.5"]),
    ("year(d) + {} >= {}", ["1", "2026", "0.5", "'a'"]),
    ("to_unixtime(ts) - {} > {}", ["1767225600", "86400", "0.5"]),
    ("(unix_timestamp(ts) - {}) / {} <= {}", ["1767225600", "3600", "0", "0.5"]),
    (
        "date_parse(CAST(y * {} + m * 100 + d AS varchar), '%Y%m%d') = TIMESTAMP {}",
        ["10000", "1000", "'2026-01-05 00:00:00'", "'2026-01-05 06:00:00'"],
    ),
    ("upper(if({} = 1, s, s)) = {}", ["'a'", "1", "NULL"]),
    ("n = least({}, {})", ["1", "2", "2.5", "NULL"]),
    ("n < {}", ["1", "9223372036854775808", "2.5"]),
    ("split_part(s, {}, 1) = {}", ["'-'", "'aa'", "'xa'", "''"]),
    ("split_part(s, {}, 1) < {}", ["'-'", "'|'", "'aa'", "''"]),
    ("regexp_extract(s, {}, {}) = {}", ["'^([^-]+)-'", "'^(a)-'", "1", "'aa'"]),
    ("n - n % {} = {}", ["1000", "7000", "0", "7001"]),
    ("unix_timestamp(ts) DIV {} = {}", ["86400", "20487", "0", "'x'"]),
    ("date_format(ts, {}) >= {}", ["'yyyyMMdd'", "'yyyy-MM-dd'", "20260203", "'20260203'"]),
    ("CAST(ts AS BIGINT) >= {}", ["1767225600", "0.5", "'a'"]),
    ("substr(s, {}, {}) >= {}", ["1", "2", "7", "'ab'", "'2026-01'"]),
    ("CAST(ts - INTERVAL {} HOUR AS date) = {}", ["'5'", "'-6'", "'2026-01-05'"]),
    ("date(date_add('hour', {}, ts)) >= DATE {}", ["5", "-6", "'2026-01-05'", "'x'"]),
    (
        "year(date_add('month', {}, d)) = {} AND quarter(date_add('month', {}, d)) = {}",
        ["-1", "2", "2026"],
    ),
    ("year(add_months(d, {})) = {} AND month(add_months(d, {})) = {}", ["-1", "2", "2026"]),
    (
        "date_trunc('week', ts + INTERVAL {} DAY) - INTERVAL {} DAY = TIMESTAMP {}",
        ["'1'", "'2'", "'2026-01-05 00:00:00'"],
    ),
    ("greatest(d, DATE {}) >= {}", ["'2026-01-05'", "'2026-01'", "'2026-01-05 10:00:00'", "'x'"]),
    ("date_add(d, {}) >= {}", ["1", "-1", "'2026-01-05'", "'2026-01'", "'x'"]),
    ("timestampadd(HOUR, {}, ts) >= {}", ["1", "-1", "'2026-01-05 10:00:00'", "'x'"]),
    ("datediff(DAY, d, {}) < {}", ["DATE '2026-01-05'", "'2026-01-05'", "3", "'x'"]),
    ("date(ts AT TIME ZONE {}) = {}", ["'Asia/Tokyo'", "'Nowhere'", "DATE '2026-01-05'"]),
    ("concat(s, {}, n) = {}", ["'-'", "'a-1'", "'a-1-1'", "''", "NULL", "7"]),
    ("concat(s, {}, n) >= {}", ["'-'", "'b-1'", "'x'", "''", "NULL"]),
    ("s || {} || n IN ({}, {})", ["'-'", "'a-1'", "'x'", "NULL"]),
    ("date(concat(n, {}, n, '-', n)) > {}", ["'-'", "'/'", "DATE '2026-01-05'", "'2026-02'"]),
]
"""Conditions, and the literals that are asked for in each of their places."""


def _asked_of_all() -> Iterator[Any]:
    """Conditions by engine and dialect, with all literals in all places; of Trino a sample as well,
    where that is less."""
    for condition, literals in WITHIN_FUNCTIONS:
        yield pytest.param(condition, literals, "trino", "trino", False)
        for engine, dialect in product(("trino", "spark"), repeat=2):
            if condition.count("{}") > 2 or (engine, dialect) != ("trino", "trino"):
                asked = condition, literals, engine, dialect, True
                yield pytest.param(*asked, marks=REST)


@pytest.mark.parametrize(
    ("condition", "literals", "engine", "dialect", "is_whole"), [*_asked_of_all()]
)
def test_literals_within_functions_too(
    condition: str, literals: list[str], engine: str, dialect: str, is_whole: bool
) -> None:
    """All literals in all places; or of three places and more, all in any two of them."""
    kinds = {"s": "string", "d": "date", "n": "int", "m": "int", "ts": "timestamp"}
    finder = ScanFinder({T: kinds})
    places = condition.count("{}")
    for numbers in product(range(len(literals)), repeat=places):
        if places > 2 and sum(numbers) % len(literals) and not is_whole:
            continue
        drawn = [literals[number] for number in numbers]
        query = ObservedQuery(
            source="test",
            query_id="q",
            sql=f"SELECT * FROM t WHERE {condition.format(*drawn)}",
            dialect=dialect,
            catalog="lake",
            schema="db",
            engine=engine,
            time_zone="UTC",
        )
        assert_same(query, {T: kinds}, finder)
