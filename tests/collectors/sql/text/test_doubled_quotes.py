"""Doubled quotes in texts of Spark: a quote since 4.1, nothing before. These are asked of Spark
in tests/integration/test_spark_constants.py."""

from __future__ import annotations

import pickle

import pytest

from prunescope.audit_jobs.workload.text_scans import TextScans
from prunescope.collectors.observed import ObservedQuery, TableName
from prunescope.collectors.predicates.model import Unsupported
from prunescope.collectors.predicates.render import render
from prunescope.collectors.sql.extraction.extract import condition
from prunescope.collectors.sql.planners.profiles import planner_of
from prunescope.collectors.sql.text.parse import parse_condition

TEXTS = [
    # the SQL, what it is since Spark 4.1, and what it was before
    ("'o''3'", "o'3", "o3"),
    ('"a""b"', 'a"b', "ab"),
    ("'a''b''c'", "a'b'c", "abc"),
    ("''''", "'", ""),
    ("'a'''", "a'", "a"),
    (r"'a\'''b'", "a''b", "a'b"),
    ("""'a'"b\"""", "ab", "ab"),
    ("'a' 'b'", "ab", "ab"),
    ("'a''b' 'c'", "a'bc", "abc"),
]
TABLE = TableName("lake", ("db",), "t")


def equal(text: str) -> str:
    return "x = '" + text.replace("'", "''") + "'"


@pytest.mark.parametrize(("sql", "new", "old"), TEXTS)
def test_a_planner_tells_what_they_are(sql: str, new: str, old: str) -> None:
    for version, text in (("4.1.4", new), ("newest", new), ("4.0.5", old), ("3.5.9", old)):
        planner = planner_of("spark", version)
        found = condition(f"x = {sql}", "spark", planner=planner, types={"x": "string"})
        assert render(found) == f"x IS NOT NULL AND {equal(text)}", version
    assert render(condition(f"x = {sql}", "spark", types={"x": "string"})) == equal(new)


@pytest.mark.parametrize("dialect", ["spark", "databricks"])
@pytest.mark.parametrize("sql", [sql for sql, new, old in TEXTS if new != old])
def test_they_say_nothing_where_the_version_is_not_known(sql: str, dialect: str) -> None:
    planner = planner_of("spark", None)
    for where in (f"x = {sql}", f"x IN ('z', {sql})", f"x LIKE {sql}", f"x < concat({sql}, 'z')"):
        found = condition(where, dialect, planner=planner, types={"x": "string"})
        assert render(found) in ("x IS NOT NULL", "TRUE"), sql


@pytest.mark.parametrize("dialect", ["trino", "snowflake", "duckdb", "postgres"])
def test_elsewhere_they_are_as_ever(dialect: str) -> None:
    found = condition("x = 'o''3'", dialect, types={"x": "string"})
    assert render(found) == equal("o'3")


@pytest.mark.parametrize(
    ("engine", "version", "expected"),
    [
        ("spark", "4.1.4", "'o''{}'"),
        ("spark", "4.0.5", "'o{}'"),
        ("spark", None, None),
        ("databricks", "17.3", None),
    ],
)
def test_queries_of_a_log_are_read_as_their_engine_does(
    engine: str, version: str | None, expected: str | None
) -> None:
    """One after the other, as they have one text but for its literals."""
    scans = TextScans({TABLE: {"x": "string"}})
    for number in (3, 4):
        sql = f"SELECT * FROM lake.db.t WHERE x = 'o''{number}'"
        query = ObservedQuery(
            "test", f"q{number}", sql, "spark", engine=engine, engine_version=version
        )
        (found,) = scans.find(query).scans
        if expected is None:
            assert isinstance(found.predicate, Unsupported)
        else:
            assert render(found.predicate) == f"x = {expected.format(number)}"


def test_a_tree_that_is_sent_to_a_task_says_the_same() -> None:
    tree = pickle.loads(pickle.dumps(parse_condition("x = 'o''3'", "spark")))  # noqa: S301
    assert tree.expression.this.joined == "o3"
    assert tree.sql("spark") == r"x = 'o\'3'"
