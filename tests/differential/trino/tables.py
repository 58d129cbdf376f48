"""The tables: the same columns and about the same rows, partitioned by every transform."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from tests.differential.iceberg_java.values import POOLS, random_value, seeded

PARTS = 4
_ROWS_PER_PART = 8

COLUMNS: Mapping[str, str] = {
    "n": "integer NOT NULL",
    "i": "integer",
    "l": "bigint",
    "f": "real",
    "d": "double",
    "dec": "decimal(9,2)",
    "big_dec": "decimal(38,10)",
    "b": "boolean",
    "s": "varchar",
    "bin": "varbinary",
    "dt": "date",
    "tsn": "timestamp(6)",
    "ts": "timestamp(6) with time zone",
    "t": "time(6)",
    "u": "uuid",
    "st": "row(x integer, y varchar)",
    "arr": "array(integer)",
    "m": "map(varchar, integer)",
}
"""The columns, and their types in Trino; `ts` has a time zone, as where Spark writes the tables."""

_NESTED = ("st", "arr", "m")


@dataclass(frozen=True)
class TableCase:
    """A table: how it is partitioned, its properties, and the statements that fill and change it,
    in which a number stands for an INSERT of that part of the rows."""

    name: str
    partitioning: tuple[str, ...] = ()
    properties: Mapping[str, str] | None = None
    steps: tuple[str, ...] = ("0", "1", "2", "3")

    def statements(self) -> Iterator[str]:
        """The statements that make the table."""
        columns = ", ".join(f"{name} {kind}" for name, kind in COLUMNS.items())
        transforms = ", ".join(f"'{transform}'" for transform in self.partitioning)
        properties = {"partitioning": f"ARRAY[{transforms}]", **(self.properties or {})}
        given = ", ".join(f"{name} = {value}" for name, value in properties.items())
        yield f"CREATE TABLE {self.name} ({columns}) WITH ({given})"
        random_ = seeded("rows")
        parts = [list(_rows(random_, part)) for part in range(PARTS)]
        for step in self.steps:
            if step.isdigit():
                yield f"INSERT INTO {self.name} VALUES {', '.join(parts[int(step)])}"
            else:
                yield step.format(t=self.name)


def _rows(random_: random.Random, part: int) -> Iterator[str]:
    for number in range(_ROWS_PER_PART):
        values = {
            name: random_value(random_, name, part)
            for name in COLUMNS
            if name not in ("n", *_NESTED)
        }
        fields = [random_value(random_, f"st.{field}", part) for field in "xy"]
        row = f"ROW({literal('st.x', fields[0])}, {literal('st.y', fields[1])})"
        struct = "NULL" if random_.random() < 0.1 else f"CAST({row} AS {COLUMNS['st']})"
        given = (literal(name, value) for name, value in values.items())
        n = part * 10 + number
        yield f"({n}, {', '.join(given)}, {struct}, ARRAY[{n}, NULL], MAP(ARRAY['a'], ARRAY[{n}]))"


def literal(column: str, value: Any) -> str:
    """A value in the form of POOLS as a SQL literal of its column's type."""
    if value is None:
        return "NULL"
    kind = "int" if column == "n" else POOLS[column].type
    match kind:
        case "int":
            return str(value)
        case "long":
            return f"BIGINT '{value}'"
        case "float" | "double":
            return _floating("REAL" if kind == "float" else "DOUBLE", value)
        case "boolean":
            return str(value).upper()
        case "string":
            return "'" + str(value).replace("'", "''") + "'"
        case "binary":
            return f"X'{value}'"
        case "timestamp" | "timestamptz":
            return f"TIMESTAMP '{value.replace('T', ' ').replace('+00:00', ' UTC')}'"
        case _:
            return f"{kind.split('(')[0].upper()} '{value}'"


def _floating(kind: str, value: float) -> str:
    if math.isnan(value):
        return f"CAST(nan() AS {kind})"
    if math.isinf(value):
        return f"CAST({'-' if value < 0 else ''}infinity() AS {kind})"
    return f"{kind} '{value}'"


_BUCKETED = ("i", "l", "s", "bin", "dt", "ts", "tsn", "dec", "u")
PARTITIONINGS = {
    **{f"identity_{name}": name for name in (*_BUCKETED, "b", "f", "d", "t", "big_dec")},
    **{f"bucket_{name}": f"bucket({name}, 4)" for name in _BUCKETED},
    "truncate_i": "truncate(i, 10)",
    "truncate_l": "truncate(l, 20)",
    "truncate_s": "truncate(s, 2)",
    "truncate_dec": "truncate(dec, 100)",
    "truncate_bin": "truncate(bin, 1)",
    **{
        f"{unit}_{name}": f"{unit}({name})"
        for name in ("ts", "tsn")
        for unit in ("year", "month", "day", "hour")
    },
    **{f"{unit}_dt": f"{unit}(dt)" for unit in ("year", "month", "day")},
    "nested": '"st.x"',
}


def table_cases() -> Iterator[TableCase]:
    """Every table."""
    yield TableCase("plain")
    # Trino's ORC writer fails on the statistics of texts that it does not keep, for their length.
    short = "INSERT INTO {{t}} SELECT * FROM plain WHERE length(s) < 10 AND n / 10 = {part}"
    steps = tuple(short.format(part=part) for part in range(PARTS))
    yield TableCase("orc", properties={"format": "'ORC'"}, steps=steps)
    yield TableCase("avro", properties={"format": "'AVRO'"})
    yield TableCase("v3", ("day(ts)",), properties={"format_version": "3"})
    for name, partitioning in PARTITIONINGS.items():
        yield TableCase(name, (partitioning,))
    yield TableCase("several", ("day(ts)", "bucket(l, 3)", "truncate(s, 1)"))
    yield TableCase("two_of_one", ("month(ts)", "bucket(ts, 3)"))
    yield TableCase(
        "specs_evolve",
        steps=(
            "0",
            "ALTER TABLE {t} SET PROPERTIES partitioning = ARRAY['day(ts)']",
            "1",
            "ALTER TABLE {t} SET PROPERTIES partitioning = ARRAY['month(ts)', 'i']",
            "2",
            "3",
        ),
    )
    yield TableCase(
        "deletes",
        ("truncate(i, 10)",),
        steps=("0", "1", "DELETE FROM {t} WHERE s = 'a' OR l = 7", "2", "3"),
    )
    yield TableCase(
        "changes",
        ("s",),
        steps=(
            "0",
            "UPDATE {t} SET i = 5 WHERE l > 7",
            "1",
            "DELETE FROM {t} WHERE s = 'b'",
            "ALTER TABLE {t} ALTER COLUMN i SET DATA TYPE bigint",
            "2",
            "3",
        ),
    )
