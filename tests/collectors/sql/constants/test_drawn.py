"""Constants are what DuckDB computes, for random expressions; Spark is asked of such in
tests/integration/test_spark_constants.py, Trino in tests/differential/trino/test_constants.py."""

from __future__ import annotations

import duckdb
import pytest
from sqlglot import exp

from prunescope.collectors.sql.constants.values import Folded
from prunescope.collectors.sql.dialects import dialect_of
from prunescope.collectors.sql.functions.choices import CHOICES
from prunescope.collectors.sql.functions.table import functions_of
from prunescope.collectors.sql.text.parse import parse_condition
from tests.collectors.sql.constants.compared import Told, by_typeof, compared
from tests.collectors.sql.constants.drawn import drawn
from tests.collectors.sql.constants.grammars import GRAMMARS

_OF_OTHERS: set[type[exp.Expr] | str] = {exp.SafeFunc, exp.RangeBucket, "multiif"}
SEEN_ELSEWHERE: dict[str, set[type[exp.Expr] | str]] = {
    "trino": _OF_OTHERS
    | {exp.ILike, exp.DecodeCase, exp.Nvl2, exp.ArrayContains}
    | {exp.Array, exp.JSONExtractScalar},
    "spark": _OF_OTHERS
    | {exp.ArrayContains, exp.Try}
    | {exp.Encode, exp.JSONExtractScalar, exp.DayOfWeekIso, exp.YearOfWeek},
    "duckdb": {exp.YearOfWeek},
}
"""By dialect, functions that no form has: those whose texts have marks of forms, of which `texts`
has some, and nodes that the parser makes of no text of the dialect."""


def text_of(name: str, value: Folded) -> str:
    return f"hex({name})" if isinstance(value, bytes) else f"CAST({name} AS VARCHAR)"


def test_random_constants_are_what_duckdb_computes() -> None:
    with duckdb.connect() as connection:

        def row(sql: str) -> tuple[str | None, ...]:
            found: tuple[str | None, ...] | None = connection.execute(sql).fetchone()
            assert found is not None
            return found

        told = Told("duckdb", "UTC", by_typeof(row), duckdb.Error, text_of)
        found = compared(drawn(GRAMMARS["duckdb"], seed=1, count=2_000), told)
    assert found.faults == []
    assert found.known > 0.5 * found.drawn


@pytest.mark.parametrize("dialect", GRAMMARS)
def test_every_function_is_drawn(dialect: str) -> None:
    seen: set[type[exp.Expr] | str] = set()
    for sql in drawn(GRAMMARS[dialect], seed=2, count=6_000, deepest=1):
        for node in parse_condition(sql, dialect).walk():
            named = isinstance(node, exp.Anonymous)
            seen.add(str(node.this).lower() if named else type(node))
    known: set[type[exp.Expr] | str] = {*functions_of(dialect)}
    if dialect_of(dialect).is_measured:
        known |= {*CHOICES}
    assert known - seen == SEEN_ELSEWHERE[dialect]
