"""Engines that run within this process, or a JVM beside it, and say which rows a form matches."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from datetime import datetime

import duckdb
import pyarrow as pa
from chdb.session import Session
from pyspark.errors import PySparkException
from pyspark.sql import SparkSession

from tests.unseen_forms.arrow_rows import NUMBER, table_of
from tests.unseen_forms.forms import Form
from tests.unseen_forms.value_sets import Row, Value

Matching = Callable[[Form, pa.Table], AbstractSet[int]]


class QueryFailedError(Exception):
    """An engine refused a condition, or failed at a row."""


@dataclass(frozen=True)
class Answer:
    """Numbers of the rows that match, and of those at which the condition raises an error."""

    matching: AbstractSet[int]
    failing: AbstractSet[int]


def answer(matching: Matching, form: Form, rows: Sequence[Row]) -> Answer:
    """Rows that match by an engine: where it fails, halves are asked until single rows fail."""
    table = table_of(form, rows)
    matched: set[int] = set()
    failing: set[int] = set()
    parts = [table]
    while parts:
        part = parts.pop()
        try:
            matched |= matching(form, part)
        except QueryFailedError:
            if part.num_rows == 1:
                failing.add(part[NUMBER][0].as_py())
            else:
                half = part.num_rows // 2
                parts += [part.slice(0, half), part.slice(half)]
    return Answer(matched, failing)


def in_duckdb() -> Matching:
    """DuckDB, with a connection of its own."""
    connection = duckdb.connect()

    def matching(form: Form, table: pa.Table) -> AbstractSet[int]:
        connection.execute(f"SET TimeZone = '{form.zone}'")
        connection.register("hostile", table)
        try:
            found = connection.execute(f"SELECT {NUMBER} FROM hostile WHERE {form.where}")
            return {number for (number,) in found.fetchall()}
        except duckdb.Error as error:
            raise QueryFailedError(str(error)) from error

    return matching


def in_spark() -> Matching:
    """Spark of the installed version, local; `timestamp` is its TIMESTAMP_NTZ."""
    os.environ["TZ"] = "UTC"
    builder = SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false")
    session = (
        builder.config("spark.pyspark.python", sys.executable)
        .config("spark.sql.session.timeZone", "UTC")
        .config("spark.driver.memory", "1g")
        .getOrCreate()
    )
    session.sparkContext.setLogLevel("OFF")

    def matching(form: Form, table: pa.Table) -> AbstractSet[int]:
        session.conf.set("spark.sql.session.timeZone", "UTC")
        frame = session.createDataFrame(table)
        session.conf.set("spark.sql.session.timeZone", form.zone)
        session.conf.set("spark.sql.ansi.enabled", str(form.is_ansi).lower())
        try:
            found = frame.where(form.where).select(NUMBER).collect()
        except PySparkException as error:
            raise QueryFailedError(str(error)) from error
        return {number for (number,) in found}

    return matching


def in_clickhouse() -> Matching:
    """ClickHouse within the process; `timestamptz` is its DateTime64 in UTC, as in Iceberg."""
    session = Session()

    def matching(form: Form, table: pa.Table) -> AbstractSet[int]:
        types = ", ".join(
            f"{name} Nullable({_clickhouse_type(type_name)})"
            for name, type_name in form.columns.items()
        )
        rows = ", ".join(
            f"({', '.join(_clickhouse_literal(row[name]) for name in table.column_names)})"
            for row in table.to_pylist()
        )
        try:
            found = session.query(
                f"SELECT {NUMBER} FROM values('{NUMBER} UInt32, {types}', {rows}) "
                f"WHERE {form.where} SETTINGS session_timezone = '{form.zone}'",
                "CSV",
            )
        except RuntimeError as error:
            raise QueryFailedError(str(error)) from error
        return {int(line) for line in str(found).split()}

    return matching


def _clickhouse_type(type_name: str) -> str:
    types = {
        "date": "Date32", "double": "Float64", "int": "Int32", "long": "Int64", "string": "String",
        "timestamp": "DateTime64(6)", "timestamptz": "DateTime64(6, ''UTC'')",
    }  # fmt: skip
    return types.get(type_name, type_name.replace("decimal", "Decimal"))


def _clickhouse_literal(value: Value) -> str:
    match value:
        case None:
            return "NULL"
        case datetime():
            return f"'{value.replace(tzinfo=None)}'"
        case int() | float():
            return repr(value)
        case str():
            quoted = value.replace("\\", "\\\\").replace("'", "\\'")
            return f"'{quoted}'"
        case _:
            return f"'{value}'"


ENGINES: dict[str, Callable[[], Matching]] = {
    "clickhouse": in_clickhouse,
    "duckdb": in_duckdb,
    "spark": in_spark,
}
