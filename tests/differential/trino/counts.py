"""Statements and the files that Trino plans of them, as counts.txt has them: recorded from a real
Trino, which test_recorded_counts.py asks again, so that test_counts.py can ask prunescope without
it. The values of every column but `outlet` grow from file to file, and only `part` is one of
partitions, so that the count of files tells the range of any column."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any

TABLE, OTHER = "rows_of_days", "ids"
FILES, OTHER_FILES = 60, 10
_FILE = Path(__file__).with_name("counts.txt")
_LINE = re.compile(r" *(\d+)(?: \((\d+)\))? \| (.+)")
_STATEMENTS = ("SELECT", "WITH", "MERGE", "UPDATE", "DELETE", "INSERT")

COLUMNS = {
    "id": "integer",
    "big": "bigint",
    "name": "varchar",
    "d": "date",
    "outlet": "integer",
    "amount": "decimal(18,2)",
    "small": "decimal(5,2)",
    "r": "real",
    "x": "double",
    "ts": "timestamp(6)",
    "tz": "timestamp(6) with time zone",
    "part": "integer",
}
"""The columns of the table, by their types in Trino."""

_ICEBERG = {
    "integer": "int",
    "bigint": "long",
    "varchar": "string",
    "real": "float",
    "timestamp(6)": "timestamp",
    "timestamp(6) with time zone": "timestamptz",
}
TYPES = {
    TABLE: {name: _ICEBERG.get(kind, kind) for name, kind in COLUMNS.items()},
    OTHER: {"n": "int", "day": "date"},
}
"""The columns of both tables, by their types in Iceberg."""


@dataclass(frozen=True)
class Counted:
    """A statement, how many files of the table Trino plans, and how many prunescope does."""

    sql: str
    planned: int
    kept: int


def counted() -> Iterator[Counted]:
    """What the file has."""
    for line in _FILE.read_text().splitlines():
        found = _LINE.fullmatch(line)
        if found is not None:
            planned, kept, text = found.groups()
            is_whole = text.startswith(_STATEMENTS)
            sql = text if is_whole else f"SELECT * FROM {TABLE} WHERE {text}"
            yield Counted(sql, int(planned), int(kept or planned))


def rows() -> list[dict[str, Any]]:
    """The rows, one for each file."""
    found = []
    for number in range(FILES):
        time = dt.datetime(2023, 1, 1) + dt.timedelta(hours=8 * number)
        values = (
            *(number, number * 1000, f"n{number:03}", time.date(), 100 + number % 3),
            *(Decimal(number * 100), Decimal(number), number + 0.5, number + 0.5, time),
            *(time.replace(tzinfo=dt.UTC), number),
        )
        found.append(dict(zip(COLUMNS, values, strict=True)))
    return found


def other_rows() -> list[dict[str, Any]]:
    """The rows of the other table, one for each file."""
    return [{"n": n, "day": dt.date(2023, 1, 1 + n)} for n in range(OTHER_FILES)]


def statements() -> Iterator[str]:
    """Those by which Trino makes the tables."""
    columns = ", ".join(f"{name} {kind}" for name, kind in COLUMNS.items())
    yield f"CREATE TABLE {TABLE} ({columns}) WITH (partitioning = ARRAY['part'])"
    yield f"INSERT INTO {TABLE} VALUES {', '.join(map(_row, rows()))}"
    yield f"CREATE TABLE {OTHER} (n integer, day date) WITH (partitioning = ARRAY['n'])"
    days = (f"({row['n']}, DATE '{row['day']}')" for row in other_rows())
    yield f"INSERT INTO {OTHER} VALUES {', '.join(days)}"


def _row(row: dict[str, Any]) -> str:
    values = (f"CAST('{row[name]}' AS {kind})" for name, kind in COLUMNS.items())
    return f"({', '.join(values)})"
