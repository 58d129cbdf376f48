"""The tables: the same rows, partitioned by every transform that Spark's SQL knows."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator, Mapping
from typing import Any

from tests.differential.iceberg_java.values import POOLS, random_value, seeded

_PARTS = 4
_ROWS_PER_PART = 8

COLUMNS: Mapping[str, str] = {
    "n": "INT NOT NULL",
    "i": "INT",
    "l": "BIGINT",
    "f": "FLOAT",
    "d": "DOUBLE",
    "dec": "DECIMAL(9, 2)",
    "big_dec": "DECIMAL(38, 10)",
    "b": "BOOLEAN",
    "s": "STRING",
    "bin": "BINARY",
    "dt": "DATE",
    "ts": "TIMESTAMP",
    "tsn": "TIMESTAMP_NTZ",
    "st": "STRUCT<x: INT, y: STRING>",
}
"""The columns, and their types in Spark."""

PARTITIONINGS: Mapping[str, str] = {
    "plain": "",
    "identity_i": "i",
    "identity_s": "s",
    "identity_b": "b",
    "bucket_l": "bucket(4, l)",
    "truncate_i": "truncate(10, i)",
    "truncate_s": "truncate(2, s)",
    "days_ts": "days(ts)",
    "months_tsn": "months(tsn)",
    "years_dt": "years(dt)",
    "several": "days(ts), bucket(3, l)",
}

NAMES = tuple(PARTITIONINGS)


def statements() -> Iterator[str]:
    """The statements that write every table."""
    columns = ", ".join(f"{name} {kind}" for name, kind in COLUMNS.items())
    for name, partitioning in PARTITIONINGS.items():
        by = f" PARTITIONED BY ({partitioning})" if partitioning else ""
        yield f"CREATE TABLE lake.db.{name} ({columns}) USING iceberg{by}"
    random_ = seeded("rows of Spark")
    for part in range(_PARTS):
        yield f"INSERT INTO lake.db.plain VALUES {', '.join(_rows(random_, part))}"
        for name in NAMES[1:]:
            yield f"INSERT INTO lake.db.{name} SELECT * FROM lake.db.plain WHERE n DIV 10 = {part}"


def _rows(random_: random.Random, part: int) -> Iterator[str]:
    for number in range(_ROWS_PER_PART):
        values = [
            literal(name, random_value(random_, name, part))
            for name in COLUMNS
            if name not in ("n", "st")
        ]
        fields = [literal(f"st.{name}", random_value(random_, f"st.{name}", part)) for name in "xy"]
        struct = f"named_struct('x', {fields[0]}, 'y', {fields[1]})"
        values.append("NULL" if random_.random() < 0.1 else struct)
        yield f"({part * 10 + number}, {', '.join(values)})"


def literal(column: str, value: Any) -> str:
    """A value in the form of POOLS as a SQL literal of its column's type."""
    if value is None:
        return "NULL"
    kind = "int" if column == "n" else POOLS[column].type
    match kind.split("(")[0]:
        case "int":
            return str(value)
        case "long":
            return f"{value}L"
        case "float" | "double":
            return _floating(kind, value)
        case "decimal":
            return f"{value}BD"
        case "boolean":
            return str(value).upper()
        case "binary":
            return f"X'{value}'"
        case "date":
            return f"DATE '{value}'"
        case "timestamptz":
            return f"TIMESTAMP '{value.replace('T', ' ')}'"
        case "timestamp":
            return f"TIMESTAMP_NTZ '{value.replace('T', ' ')}'"
        case _:
            return "'" + str(value).replace("\\", "\\\\").replace("'", "\\'") + "'"


def _floating(kind: str, value: float) -> str:
    if math.isfinite(value):
        return f"{value!r}{kind[0].upper()}"
    return f"{kind}('{value}')"
