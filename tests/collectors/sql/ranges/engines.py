"""Engines that tell what expressions are at rows, all as text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from decimal import Decimal
from typing import TYPE_CHECKING, Protocol

import duckdb

from tests.collectors.sql.ranges.rows import COLUMNS
from tests.differential.trino.engine import Refused, Trino
from tests.unseen_forms.arrow_rows import NUMBER, table_of
from tests.unseen_forms.value_sets import Row, Value

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

Values = Sequence[str | None]
"""Of an expression at each row; None for a null, and for an error."""


class Engine(Protocol):
    """An engine with a table of rows, and whether it sorts NaN above all numbers."""

    dialect: str
    refusal: type[Exception]
    sorts_nan: bool

    def load(self, rows: Sequence[Row]) -> None:
        """Replace the table by one of these rows."""

    def table(self, listed: str, zone: str) -> list[tuple[str | None, ...]]:
        """Expressions at each row, in order, in a session of a zone."""

    def text(self, sql: str) -> str:
        """An expression as text; null where it fails at a row, as far as the engine can."""


def told(engine: Engine, expressions: Sequence[str], zone: str) -> list[Values | None]:
    """The values of each expression; None for those that the engine refuses."""
    if not expressions:
        return []
    listed = ", ".join(f"{engine.text(sql)} AS c{n}" for n, sql in enumerate(expressions))
    try:
        found = engine.table(listed, zone)
    except engine.refusal:
        if len(expressions) == 1:
            return [None]
        half = len(expressions) // 2
        return told(engine, expressions[:half], zone) + told(engine, expressions[half:], zone)
    return list(zip(*found, strict=True))


class InDuckDB:
    """DuckDB, in this process."""

    dialect = "duckdb"
    refusal: type[Exception] = duckdb.Error
    sorts_nan = True

    def __init__(self) -> None:
        self._connection = duckdb.connect()
        self._rows: Sequence[Row] = ()

    def load(self, rows: Sequence[Row]) -> None:
        """Replace the table by one of these rows."""
        self._rows = rows
        self._connection.register("drawn", table_of(COLUMNS, rows))

    def table(self, listed: str, zone: str) -> list[tuple[str | None, ...]]:
        """Expressions at each row, in order, in a session of a zone."""
        self._connection.execute(f"SET TimeZone = '{zone}'")
        query = f"SELECT {listed} FROM drawn ORDER BY {NUMBER}"
        try:
            return self._connection.execute(query).fetchall()
        except duckdb.Error:
            # Some leave no database to ask: dates beyond timestamps inside TRY (DuckDB 2.0).
            self._connection = duckdb.connect()
            self.load(self._rows)
            raise

    def text(self, sql: str) -> str:
        """An expression as text."""
        return f"CAST(TRY({sql}) AS VARCHAR)"


class InSpark:
    """Spark of the installed version, not ANSI, in which fewer expressions fail."""

    dialect = "spark"
    refusal: type[Exception] = Exception
    sorts_nan = True

    def __init__(self, session: SparkSession) -> None:
        self._session = session

    def load(self, rows: Sequence[Row]) -> None:
        """Replace the table by one of these rows."""
        # Arrow's timestamps without a zone are such in Spark with that type alone.
        with self._set({"spark.sql.timestampType": "TIMESTAMP_NTZ"}):
            frame = self._session.createDataFrame(table_of(COLUMNS, rows))
        frame.coalesce(1).createOrReplaceTempView("drawn")

    def table(self, listed: str, zone: str) -> list[tuple[str | None, ...]]:
        """Expressions at each row, in order, in a session of a zone."""
        with self._set({"spark.sql.session.timeZone": zone, "spark.sql.ansi.enabled": "false"}):
            found = self._session.sql(f"SELECT {listed}, {NUMBER} FROM drawn").collect()
        return [tuple(row)[:-1] for row in sorted(found, key=lambda row: int(row[-1]))]

    @contextmanager
    def _set(self, settings: Mapping[str, str]) -> Iterator[None]:
        before = {name: str(self._session.conf.get(name)) for name in settings}
        try:
            for name, value in settings.items():
                self._session.conf.set(name, value)
            yield
        finally:
            for name, value in before.items():
                self._session.conf.set(name, value)

    def text(self, sql: str) -> str:
        """An expression as text."""
        return f"CAST(({sql}) AS STRING)"


class InTrino:
    """A real Trino, with the rows in a table of its own."""

    dialect = "trino"
    refusal: type[Exception] = Refused
    sorts_nan = False

    def __init__(self, trino: Trino) -> None:
        self._trino = trino

    def load(self, rows: Sequence[Row]) -> None:
        """Replace the table by one of these rows."""
        types = {name: _TRINO.get(kind, kind) for name, kind in COLUMNS.items()}
        values = []
        for number, row in enumerate(rows):
            cells = [f"CAST({_quoted(row[name], kind)} AS {kind})" for name, kind in types.items()]
            values.append(f"({number}, {', '.join(cells)})")
        names = ", ".join((NUMBER, *types))
        self._trino.run(
            f"CREATE OR REPLACE TABLE drawn AS SELECT * FROM (VALUES {', '.join(values)}) "
            f"AS t ({names})"
        )

    def table(self, listed: str, zone: str) -> list[tuple[str | None, ...]]:
        """Expressions at each row, in order, in a session of a zone."""
        found = self._trino.run(f"SELECT {listed} FROM drawn ORDER BY {NUMBER}", zone=zone)
        # As Judge.groovy writes nulls.
        return [tuple(None if text == "null" else text for text in row) for row in found]

    def text(self, sql: str) -> str:
        """An expression as text."""
        return f"TRY(CAST({sql} AS varchar))"


_TRINO = {
    "int": "integer", "long": "bigint", "string": "varchar", "timestamp": "timestamp(6)",
    "timestamptz": "timestamp(6) with time zone",
}  # fmt: skip


def _quoted(value: Value, kind: str) -> str:
    """A value as a text that Trino casts to the type."""
    if value is None:
        return "NULL"
    text = f"{value:f}" if isinstance(value, Decimal) else str(value).replace("'", "''")
    if kind == "double":
        text = text.replace("nan", "NaN")
    return f"'{text} UTC'" if kind.endswith("zone") else f"'{text}'"
