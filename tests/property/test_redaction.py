"""No literal of a query survives in anything that is shown of it without literals."""

from __future__ import annotations

import datetime as dt
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prunescope.audit_jobs.workload.queries import ScanFinder, name_tables
from prunescope.audit_jobs.workload.query_texts import FoundScans
from prunescope.collectors.observed import ObservedQuery, Reference, TableName
from prunescope.collectors.predicates.bind import bind
from prunescope.collectors.predicates.model import conjuncts
from prunescope.collectors.predicates.plan_text import parse_plan_filters
from prunescope.collectors.predicates.render import redact, render
from prunescope.collectors.predicates.shape import shape
from prunescope.collectors.schema import Schema, SchemaColumn
from prunescope.collectors.sql.planners.profiles import bind_pushed, planner_of

T = TableName("lake", ("db",), "t")
TYPES = {
    "id": "long",
    "name": "string",
    "ts": "timestamptz",
    "day": "date",
    "price": "decimal(9, 2)",
}
SCHEMA = Schema(
    0,
    tuple(
        SchemaColumn(
            number, (name,), kind, required=False, declared_required=False, has_default=False
        )
        for number, (name, kind) in enumerate(TYPES.items(), start=1)
    ),
)

# What must not be seen, and ways to write each as a literal.
WORD, NUMBER, YEAR = "k7canary", "7770123", "2077"
STRINGS = [f"'{WORD}'", f"'it''s {WORD}'", f"'%{WORD}%'", f"'{WORD}%'", f"'{WORD}_{YEAR}'"]
NUMBERS = [NUMBER, f"-{NUMBER}", f"{NUMBER}.5", f"{NUMBER}e3", f"CAST('{NUMBER}' AS BIGINT)"]
TIMES = [
    f"DATE '{YEAR}-07-07'",
    f"TIMESTAMP '{YEAR}-07-07 07:07:07'",
    f"CAST('{YEAR}-07-07' AS DATE)",
    f"CAST('{YEAR}-07-07 07:07:07' AS TIMESTAMP)",
]
DIALECTS = ["trino", "spark", "athena", "databricks", "snowflake", "dremio", "duckdb"]

strings, numbers, times = (st.sampled_from(values) for values in (STRINGS, NUMBERS, TIMES))
conditions = st.one_of(
    st.builds("name = {}".format, strings),
    st.builds("name LIKE {}".format, strings),
    st.builds("lower(name) IN ({}, {})".format, strings, strings),
    st.builds("coalesce(name, {}) <> {}".format, strings, strings),
    st.builds("id > {}".format, numbers),
    st.builds("id + {} = {}".format, numbers, numbers),
    st.builds("id BETWEEN {} AND {}".format, numbers, numbers),
    st.builds("price IN ({}, {})".format, numbers, numbers),
    st.builds("ts >= {}".format, times),
    st.builds("CAST(ts AS DATE) = {}".format, times),
    st.builds("day < {}".format, times),
    st.builds("year(day) = {}".format, st.just(YEAR)),
    st.builds("CASE WHEN id = {} THEN name ELSE {} END = {}".format, numbers, strings, strings),
    st.builds("id IN (SELECT id FROM lake.db.t WHERE name = {})".format, strings),
)
filters = st.recursive(
    conditions,
    lambda inner: st.one_of(
        st.builds("({} AND {})".format, inner, inner),
        st.builds("({} OR {})".format, inner, inner),
        st.builds("NOT ({})".format, inner),
    ),
    max_leaves=5,
)
shapes = st.sampled_from(
    [
        "SELECT * FROM lake.db.t WHERE {}",
        "SELECT id, '{word}' AS w FROM lake.db.t WHERE {} GROUP BY id HAVING count(*) > {number}",
        "WITH c AS (SELECT * FROM lake.db.t WHERE {}) SELECT * FROM c WHERE name <> '{word}'",
        "DELETE FROM lake.db.t WHERE {}",
        "SELECT * FROM lake.db.t -- {word}\nWHERE {} /* {word} */ LIMIT {number}",
        "SELECT 1; SELECT * FROM lake.db.t WHERE {}; SELECT '{word}' FROM (",
        "SELECT * FROM lake.db.t WHERE {} AND '{word}",
        "SELEKT '{word}' {number} FROM lake.db.t WHERE {}",
        "CALL lake.system.thing('{word}', {number}); SELECT * FROM lake.db.t WHERE {}",
    ]
)


def assert_nothing_shows(*texts: str | None) -> None:
    for text in texts:
        for canary in (WORD, NUMBER, YEAR):
            assert canary not in (text or ""), text


def shown_of(query: ObservedQuery, found: FoundScans) -> None:
    """Everything that is written of a query without its literals."""
    named = name_tables(query)
    failures = [f for f in (named.failure, found.failure) if f is not None]
    assert_nothing_shows(*(f"{f.code} {f.message}" for f in failures))
    assert named.fingerprint is None or re.fullmatch("[0-9a-f]{16}", named.fingerprint)
    for scan in found.scans:
        bound = bind(scan.predicate, SCHEMA, time_zone="UTC")
        parts = [scan.predicate, bound, *conjuncts(bound)]
        if scan.pushed is not None:
            planner = planner_of(query.engine, None)
            pushed = bind_pushed(planner, scan.pushed, SCHEMA, time_zone="UTC")
            parts += [scan.pushed, pushed, *conjuncts(pushed)]
        assert_nothing_shows(*(redact(part) for part in parts), *(shape(part) for part in parts))


@pytest.mark.parametrize("dialect", DIALECTS)
@given(where=filters, sql=shapes, engine=st.sampled_from(["spark", "trino", None]))
def test_no_literal_of_a_text_shows(dialect: str, where: str, sql: str, engine: str | None) -> None:
    text = sql.replace("{word}", WORD).replace("{number}", NUMBER).replace("{}", where)
    query = ObservedQuery(
        source="s",
        query_id="q",
        sql=text,
        dialect=dialect,
        started_at=dt.datetime(2024, 1, 1, tzinfo=dt.UTC),
        engine=engine,
        time_zone="UTC",
        references=(Reference(T, row_filters=(f"name <> '{WORD}'",), masked=("name",)),),
    )
    shown_of(query, ScanFinder({T: tuple(TYPES)}).find(query))


@given(
    st.lists(
        st.sampled_from(
            [f"name = '{WORD}'", f"id = {NUMBER}", f"name LIKE '{WORD}%'", f"id IN (1, {NUMBER})"]
        ),
        max_size=4,
    )
)
def test_no_literal_of_a_plan_shows(filters_: list[str]) -> None:
    predicate = parse_plan_filters(", ".join(filters_), SCHEMA)
    assert_nothing_shows(redact(predicate), shape(predicate))
    assert all(part in render(predicate) for part in (WORD, NUMBER) if part in " ".join(filters_))


def test_a_plan_that_cannot_be_read_shows_nothing() -> None:
    for text in (f"nope = '{WORD}'", f"id = '{WORD}", f"(id = {NUMBER}"):
        with pytest.raises(Exception, match="scan node") as caught:
            parse_plan_filters(text, SCHEMA)
        assert_nothing_shows(str(caught.value))
