"""How many rows a query selects, asked of DuckDB: a condition that is written beside another, or
instead of it, must not change that."""

from __future__ import annotations

import duckdb
import pyarrow as pa
import sqlglot
from sqlglot import exp

from tests.scenarios.lake import Query


def selected(query: Query, rows: pa.Table) -> int:
    """How many rows the WHERE clause of a query selects, whose only table has these rows. What
    Spark does unasked, or otherwise than DuckDB, is written out. Raises duckdb.Error for what
    DuckDB does not know."""
    counted = sqlglot.parse_one(query.sql, read=query.engine)
    if isinstance(counted, exp.Delete | exp.Update):
        counted = exp.select().from_(counted.this).where(counted.args["where"].this)
    assert isinstance(counted, exp.Select), query.sql
    for clause in ("order", "limit", "distinct"):
        counted.set(clause, None)
    if counted.args.get("having") is None:
        counted.set("group", None)
        counted.set("expressions", [exp.Count(this=exp.Star())])
    else:  # of which each group has its rows
        counted.append("expressions", exp.Count(this=exp.Star()).as_("counted"))
        counted = exp.select("sum(counted)").from_(counted.subquery("groups"))
    counted = counted.transform(_of_rows)
    counted = counted.transform(_as_spark if query.engine == "spark" else _as_trino)
    with duckdb.connect() as connection:
        connection.execute(f"SET TimeZone = '{query.time_zone}'")
        connection.register("made", rows)
        answer = connection.execute(counted.sql(dialect="duckdb")).fetchone()
    assert answer is not None
    return int(answer[0])


def _of_rows(node: exp.Expr) -> exp.Expr:
    """The rows in the place of a table of the lake."""
    if isinstance(node, exp.Table) and node.catalog:
        return exp.to_table("made").as_(node.alias_or_name, table=True)
    return node


def _as_spark(node: exp.Expr) -> exp.Expr:
    match node:
        case exp.Cast(this=exp.Column() as column) if node.to.is_type("int"):
            return exp.cast(exp.func("trunc", column), "int")  # which DuckDB rounds
        case exp.AtTimeZone(this=exp.Cast(this=exp.Column() as column)):
            return exp.AtTimeZone(this=column, zone=node.args["zone"])
        case exp.ConvertTimezone(args={"source_tz": source, "target_tz": zone, "timestamp": time}):
            return exp.AtTimeZone(this=exp.AtTimeZone(this=time, zone=source), zone=zone)
        case exp.Anonymous(this="timestamp_millis", expressions=[millis]):
            return exp.func("epoch_ms", millis)
        case exp.StrToUnix(this=exp.Column() as column):
            return exp.func("floor", exp.func("epoch", column))
        case exp.Anonymous(this="find_in_set", expressions=[item, texts]):
            place = exp.func("list_position", exp.func("string_split", texts, "','"), item)
            return exp.func("coalesce", place, "0")
        case exp.Substring() | exp.Left() | exp.Pad():
            node.set("this", exp.cast(node.this, "text"))
        case exp.Like() if not isinstance(node.parent, exp.Escape):
            like = exp.Like(this=exp.cast(node.this, "text"), expression=node.expression)
            return exp.Escape(this=like, expression=exp.Literal.string("\\"))
    return node


def _as_trino(node: exp.Expr) -> exp.Expr:
    match node:
        case exp.Anonymous(this="at_timezone", expressions=[moment, zone]):
            return exp.AtTimeZone(this=moment, zone=zone)
        case exp.Anonymous(this="from_unixtime_nanos", expressions=[nanos]):
            micros = exp.IntDiv(this=nanos, expression=exp.Literal.number(1000))
            return exp.func("make_timestamptz", micros)
        case exp.WidthBucket(this=number, args={"min_value": low, "max_value": high}):
            count = node.args["num_buckets"]
            band = f"floor({count} * ({number} - {low}) / ({high} - {low})) + 1"
            return exp.maybe_parse(f"greatest(0, least({band}, {count} + 1))")
    return node
