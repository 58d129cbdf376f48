"""Choices of functions of columns: a default beside a value that counts as null."""

from __future__ import annotations

import duckdb
import pytest

from collectors.predicates.model import Unsupported
from collectors.predicates.render import render
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
