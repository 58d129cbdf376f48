"""How many rows a query selects, asked of DuckDB: a condition that is written beside another, or
instead of it, must not change that."""

from __future__ import annotations

import duckdb
import pyarrow as pa
import sqlglot
from sqlglot import exp

from tests.scenarios.lake import Query


def selected(query: Query, rows: pa.Table) -> int:
    """How many rows the WHERE clause of a query selects of a table's. Spark's cast of a fraction to
    a whole number cuts, DuckDB's rounds, so that is written out. Raises duckdb.Error for what
    DuckDB does not know."""
    where = sqlglot.parse_one(query.sql, read=query.engine).find(exp.Where)
    assert where is not None, query.sql
    condition = where.this.copy()
    if query.engine == "spark":
        condition = condition.transform(_cut)
    with duckdb.connect() as connection:
        connection.execute(f"SET TimeZone = '{query.time_zone}'")
        connection.register("made", rows)
        text = condition.sql(dialect="duckdb")
        answer = connection.execute(f"SELECT count(*) FROM made WHERE {text}").fetchone()
    assert answer is not None
    return int(answer[0])


def _cut(node: exp.Expression) -> exp.Expression:
    if isinstance(node, exp.Cast) and node.to.is_type("int") and isinstance(node.this, exp.Column):
        return exp.cast(exp.func("trunc", node.this), "int")
    return node
