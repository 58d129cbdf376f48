"""Choices of functions of columns: a default beside a value that counts as null."""

from __future__ import annotations

import duckdb
import pytest

from collectors.predicates.model import Unsupported
from collectors.predicates.render import render
from collectors.predicates.walks import leaves
from collectors.sql.extraction.extract import condition

_TEXTS = "(VALUES (NULL), (''), ('none'), ('EU'), ('x')) _(s)"


@pytest.mark.parametrize(
    ("sql", "found"),
    [
        (
            "coalesce(nullif(s, ''), 'none') = 'none'",
            "(s = 'none' OR s IS NULL OR s = '')",
        ),
        ("coalesce(nullif(s, ''), 'none') = 'EU'", "s = 'EU'"),
        (
            "coalesce(nullif(s, 'x'), 'EU') IN ('EU', 'y')",
            "(s IN ('EU', 'y') OR s IS NULL OR s = 'x')",
        ),
    ],
)
@pytest.mark.parametrize("dialect", ["trino", "spark"])
def test_a_value_that_counts_as_null_is_there_with_the_default(
    dialect: str, sql: str, found: str
) -> None:
    ours = condition(sql, dialect)
    assert render(ours).startswith(found), render(ours)
    with duckdb.cursor() as connection:
        wanted, kept = (
            set(connection.execute(f"SELECT s FROM {_TEXTS} WHERE {where}").fetchall())
            for where in (sql, found)
        )
    assert wanted <= kept


@pytest.mark.parametrize(
    "sql",
    ["coalesce(nullif(s, ''), 'none') <> 'none'", "NOT (coalesce(nullif(s, ''), 'none') = 'none')"],
)
def test_what_no_default_matches(sql: str) -> None:
    assert render(condition(sql, "trino")).startswith("s != 'none'")
    assert isinstance(condition(sql, "spark"), Unsupported)


@pytest.mark.parametrize(
    "sql",
    [
        "coalesce(nullif(s, t), 'none') = 'none'",
        "coalesce(nullif(trim(s), ''), 'none') = 'EU'",
        "coalesce(nullif(s, ''), t) = 'none'",
        "coalesce(nullif(s, 1.5), 2) = 2",
    ],
)
def test_others_stay(sql: str) -> None:
    assert isinstance(condition(sql, "trino"), Unsupported)


@pytest.mark.parametrize(
    ("sql", "found", "is_all"),
    [
        ("nullif(n, 0) > 2", "n > 2", True),
        ("nullif(n, 3) > 2", "n > 2", False),
        ("greatest(n, 2) > 2", "n > 2", True),
        ("least(n, 2) <= 1", "n <= 1", True),
        ("nullif(n, 0.5) > 2", "n > 2", False),  # of another type than what is compared
    ],
)
@pytest.mark.parametrize("dialect", ["trino", "spark"])
def test_a_choice_says_all_where_none_of_its_constants_is_selected(
    dialect: str, sql: str, found: str, is_all: bool
) -> None:
    ours = condition(sql, dialect)
    assert any(isinstance(leaf, Unsupported) for leaf in leaves(ours)) != is_all
    assert render(ours).startswith(found)
    if is_all:
        counted = "SELECT count(*) FROM (VALUES (NULL), (0), (1), (2), (3), (4)) _(n) WHERE "
        with duckdb.cursor() as connection:
            asked, told = (connection.execute(counted + each).fetchall() for each in (sql, found))
        assert asked == told


_REGIONS = "(VALUES (NULL), ('DE'), ('FR'), ('Europe'), ('US')) _(s)"


@pytest.mark.parametrize("dialect", ["trino", "spark"])
@pytest.mark.parametrize(
    ("sql", "found"),
    [
        (
            "CASE s WHEN 'DE' THEN 'Europe' WHEN 'FR' THEN 'Europe' ELSE s END = 'Europe'",
            "(s = 'Europe' OR s = 'DE' OR s = 'FR')",
        ),
        (
            "CASE WHEN s IN ('DE', 'FR') THEN 'Europe' ELSE s END IN ('Europe', 'US')",
            "(s IN ('Europe', 'US') OR s IN ('DE', 'FR'))",
        ),
        (
            "CASE s WHEN 'US' THEN 'Europe' WHEN 'DE' THEN 'US' ELSE s END IN ('US', 'FR')",
            "(((s != 'US' OR s IS NULL) AND s IN ('US', 'FR')) OR s = 'DE')",
        ),
        ("if(s = 'DE', 'Europe', s) = 'US'", "s = 'US'"),
    ],
)
def test_cases_that_no_value_is_of_are_not_told(dialect: str, sql: str, found: str) -> None:
    ours = condition(sql, dialect)
    assert render(ours).startswith(f"{found} AND "), render(ours)
    with duckdb.cursor() as connection:
        wanted, kept = (
            connection.execute(f"SELECT s FROM {_REGIONS} WHERE {where} ORDER BY s").fetchall()
            for where in (sql, found)
        )
    assert wanted == kept


@pytest.mark.parametrize("dialect", ["trino", "spark"])
def test_a_choice_may_lack_what_it_chooses(dialect: str) -> None:
    assert isinstance(condition("nvl2(s, 'a') = 'a'", dialect), Unsupported)


@pytest.mark.parametrize(
    ("dialect", "choice"),
    [
        ("spark", "decode(a, 'EU', 'Europe', 'US', 'America')"),
        ("spark", "map('EU', 'Europe', 'US', 'America')[a]"),
        ("spark", "element_at(map('EU', 'Europe', 'US', 'America'), a)"),
        ("trino", "map(ARRAY['EU', 'US'], ARRAY['Europe', 'America'])[a]"),
        ("trino", "element_at(map(ARRAY['EU', 'US'], ARRAY['Europe', 'America']), a)"),
    ],
)
def test_choices_by_constants_are_cases(dialect: str, choice: str) -> None:
    case = "CASE a WHEN 'EU' THEN 'Europe' WHEN 'US' THEN 'America' END"
    for said in ("= 'Europe'", "IN ('Europe', 'America')"):
        same, found = (condition(f"{sql} {said}", dialect) for sql in (case, choice))
        assert render(found) == render(same)


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        ("decode(a, 'EU', 1, 'US', 2, 0) = 1", "a = 'EU'"),
        ("map('EU', 'Europe')[a] = 'Europe'", "a = 'EU'"),
        ("map('EU', 'Europe')[a] = 'Asia'", None),
        ("decode(a, NULL, 1, 'US', 2) = 2", None),
        ("decode(a, b, 1, 'US', 2) = 1", None),
        ("map('EU', 'x', 'EU', 'y')[a] = 'x'", None),
        ("map('EU', 'x', 1, 'y')[a] = 'x'", None),
    ],
)
def test_keys_are_distinct_constants(sql: str, expected: str | None) -> None:
    found = condition(sql, "spark")
    assert isinstance(found, Unsupported) if expected is None else render(found) == expected
