"""One table of dates and times, written by PyIceberg twice: as one file, which ClickHouse reads
quickly, and with a file for each row, whose bounds are the row."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa
from pyiceberg.catalog.sql import SqlCatalog
from pyiceberg.schema import Schema
from pyiceberg.types import (
    DateType,
    IntegerType,
    LongType,
    NestedField,
    StringType,
    TimestampType,
    TimestamptzType,
)

from prunescope.collectors.observed import TableName
from prunescope.collectors.tables.catalog import Table, open_table

_SCHEMA = Schema(
    NestedField(1, "n", IntegerType()),
    NestedField(2, "ts", TimestampType()),
    NestedField(3, "tz", TimestamptzType()),
    NestedField(4, "d", DateType()),
    NestedField(5, "s", StringType()),
    NestedField(6, "l", LongType()),
)
_MINUTES = (-1440, -720, -90, -60, -30, -1, 0, 1, 29, 30, 60, 90, 119, 120, 180, 720, 1440)
_MICROSECOND = dt.timedelta(microseconds=1)
_CHANGES = (
    dt.datetime(2026, 3, 8, 8),  # Chicago skips an hour, and repeats one
    dt.datetime(2026, 11, 1, 7),
    dt.datetime(2026, 4, 4, 15),  # Lord Howe repeats half an hour, and skips it
    dt.datetime(2026, 10, 3, 15, 30),
    dt.datetime(2018, 11, 4, 3),  # São Paulo skips midnight, and goes back over it
    dt.datetime(2018, 2, 18, 2),
    dt.datetime(2011, 12, 30, 10),  # Samoa skips a day
)
_PERIODS = (
    dt.datetime(2024, 2, 29),
    dt.datetime(2026, 1, 1),
    dt.datetime(2026, 3, 2),
    dt.datetime(2026, 4, 30, 22),
)
_LIMITS = (
    dt.datetime(1900, 1, 1),  # of the days that functions hold, and of their types
    dt.datetime(1925, 1, 1),
    dt.datetime(1970, 1, 1),
    dt.datetime(2038, 1, 19, 3, 14),
    dt.datetime(2106, 2, 7, 6, 28),
    dt.datetime(2149, 6, 6),
    dt.datetime(2299, 12, 31),
)
_FAR = (
    dt.datetime(1, 1, 1),
    dt.datetime(1, 1, 2, 5),
    dt.datetime(1500, 6, 1),
    dt.datetime(1883, 11, 18, 18),
    dt.datetime(2300, 1, 1),
    dt.datetime(2500, 7, 1),
    dt.datetime(9999, 12, 31, 23, 59, 59, 999_999),
)


@dataclass(frozen=True)
class Lake:
    """Rows by `n`, as a table of one file at a location, and with a file each."""

    location: str
    table: Table
    rows: Mapping[int, dt.datetime | None]

    def number_of(self, path: str) -> int:
        """The `n` of the row that a file holds."""
        return self._numbers[path]

    _numbers: Mapping[str, int]


def _near(moment: dt.datetime) -> Iterator[dt.datetime]:
    yield from (moment + dt.timedelta(minutes=minutes) for minutes in _MINUTES)
    yield from (moment - _MICROSECOND, moment + _MICROSECOND)


def moments(*, usual: bool) -> list[dt.datetime]:
    """Times around what is told apart: of 1971 to 2100 alone where that is `usual`, as ClickHouse
    fails in functions of others."""
    found = {near for moment in (*_CHANGES, *_PERIODS) for near in _near(moment)}
    found |= {dt.datetime(2026, 3, 1, 0, 30) + dt.timedelta(hours=hour) for hour in range(72)}
    if not usual:
        found |= {near for moment in _LIMITS for near in _near(moment)} | {*_FAR}
    return sorted(found)


def write_lake(folder: Path, *, usual: bool) -> Lake:
    """The tables, below a folder; with a row of nulls where the times are not `usual`."""
    catalog = SqlCatalog("lake", uri=f"sqlite:///{folder}/catalog.db", warehouse=folder.as_uri())
    catalog.create_namespace("db")
    rows: list[dict[str, object]] = [
        {
            "n": number,
            "ts": moment,
            "tz": moment.replace(tzinfo=dt.UTC),
            "d": moment.date(),
            "s": moment.date().isoformat(),
            "l": int((moment - dt.datetime(1970, 1, 1)) / dt.timedelta(seconds=1)),
        }
        for number, moment in enumerate(moments(usual=usual))
    ]
    if not usual:
        rows.append({"n": len(rows), **dict.fromkeys(("ts", "tz", "d", "s", "l"))})
    data = pa.Table.from_pylist(rows, schema=_SCHEMA.as_arrow())
    whole = catalog.create_table("db.whole", _SCHEMA)
    whole.append(data)
    by_row = catalog.create_table("db.by_row", _SCHEMA)
    with by_row.update_spec() as update:
        update.add_identity("n")
    by_row.append(data)
    numbers = {
        task.file.file_path: int(task.file.partition[0]) for task in by_row.scan().plan_files()
    }
    table = open_table(catalog, TableName(None, ("db",), "by_row"))
    times = dict(enumerate([*moments(usual=usual), *([] if usual else [None])]))
    return Lake(whole.location(), table, times, numbers)
