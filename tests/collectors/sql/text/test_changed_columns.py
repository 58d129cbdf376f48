"""Which columns statements change, in whatever form engines have them."""

from __future__ import annotations

import pytest

from prunescope.collectors.effects import changing_columns
from prunescope.collectors.schema import Schema, SchemaColumn
from prunescope.collectors.sql.scopes.tables import target_name
from prunescope.collectors.sql.text.statements import statements
from tests.collectors.sql.text.changes_by_engines import OF_ENGINES
from tests.collectors.sql.text.changes_of_columns import COMMON, GENERIC, SPARK, TRINO

PATHS = (
    *("id", "state", "n", "day", "at", "closed_at", "is_current", "valid_to", "region"),
    *("info.state", "info.n"),
)
SCHEMA = Schema(
    0,
    tuple(
        SchemaColumn(number, tuple(path.split(".")), "string", False, False, False)
        for number, path in enumerate(PATHS, 1)
    ),
)
CASES = (
    *(("spark", *case) for case in (*COMMON, *SPARK)),
    *(("trino", *case) for case in (*COMMON, *TRINO)),
    *(
        (dialect, *case)
        for dialect in ("dremio", "duckdb", "snowflake")
        for case in (*COMMON, *GENERIC)
    ),
    *OF_ENGINES,
)


def named(columns: str) -> set[str]:
    """The columns that a text names: `*` are all, and `-id` is none of these."""
    listed = columns.split()
    found = set(PATHS) if "*" in listed else set()
    found |= {one for one in listed if one[0] not in "*-"}
    return found - {one[1:] for one in listed if one[0] == "-"}


@pytest.mark.parametrize(("dialect", "sql", "columns"), CASES)
def test_what_statements_change(dialect: str, sql: str, columns: str) -> None:
    effects = [
        effect
        for statement in statements(sql, dialect, (), "lake", "other")
        for target, effect in statement.effects
        if str(target_name(target, statement.catalog, statement.schema)) == "lake.db.t"
        and not effect.replaces
    ]
    assert bool(effects) == bool(columns)
    assert changing_columns(effects, SCHEMA) == named(columns)
