"""What predicates say of each column alone follows from them, and is as much as there is."""

from __future__ import annotations

import duckdb
import pytest

from prunescope.collectors.predicates.bind import bind
from prunescope.collectors.predicates.by_column import by_column
from prunescope.collectors.predicates.render import render
from prunescope.collectors.schema import Schema, SchemaColumn
from prunescope.collectors.sql.extraction.extract import condition

_SCHEMA = Schema(
    0, tuple(SchemaColumn(n, (name,), "int", False, False, False) for n, name in enumerate("ymd"))
)


@pytest.mark.parametrize(
    ("where", "expected"),
    [
        ("m = 1 AND d >= 28 OR m = 2 AND d <= 3", "m >= 1 AND m <= 2 AND (d <= 3 OR d >= 28)"),
        ("m > 0 AND m < 3 AND (m > 1 OR d >= 5) AND (m < 2 OR d <= 3)",
         "m >= 1 AND m <= 2 AND (d <= 3 OR d >= 5)"),
        ("y = 2026 AND (m > 2 OR d >= 26) AND (m < 3 OR d <= 2) AND m >= 2 AND m <= 3",
         "y = 2026 AND m >= 2 AND m <= 3 AND (d <= 2 OR d >= 26)"),
        ("m = 1 OR d = 2", "TRUE"),
        ("y = 1 AND (m = 1 OR d = 2)", "y = 1"),
        ("m = 1 AND d IS NULL OR m = 2 AND d = 5", "m >= 1 AND m <= 2 AND (d IS NULL OR d = 5)"),
    ],
)  # fmt: skip
def test_each_column(where: str, expected: str) -> None:
    predicate = bind(condition(where, "trino"), _SCHEMA)
    found = by_column(predicate)
    values = "(VALUES (0), (1), (2), (3), (4), (5), (26), (28), (2026), (NULL))"
    tables = ", ".join(f"{values} {name}({name})" for name in "ymd")
    shown = [f"coalesce({render(each)}, false)" for each in (predicate, found)]
    rows = duckdb.execute(f"SELECT {shown[0]}, {shown[1]} FROM {tables}").fetchall()
    assert all(told or not asked for asked, told in rows)
    assert render(found) == expected


def test_many_arms_are_not_told_apart() -> None:
    arms = [f"(m > {n} OR d = {n})" for n in range(8)]
    predicate = bind(condition(" AND ".join(arms), "trino"), _SCHEMA)
    assert render(by_column(predicate)) == "TRUE"
