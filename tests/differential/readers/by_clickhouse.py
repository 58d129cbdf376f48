"""ClickHouse in process (the package `chdb`), which prunes files of Iceberg by their metadata and
row groups itself."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from contextlib import chdir
from decimal import Decimal
from typing import Any

import pyarrow.parquet as pq

from prunescope.collectors.sql.planners.profiles import planner_of
from tests.differential.clickhouse.engine import VERSION, asked
from tests.differential.readers.comparison import Counts, Plan, Read
from tests.differential.readers.conditions import Condition, sql
from tests.differential.readers.tables import Lake, local

_ALL = "all"
_FILES = "IcebergMetadataReturnedObjectInfos"
_PASSED_BY = "ParquetPrunedRowGroups"


class ClickHouse:
    """Files of a table as its counters tell, which do not name them; and row groups, file by
    file."""

    name = "ClickHouse"
    version = VERSION
    dialect = "duckdb"
    planner = planner_of("clickhouse", VERSION, is_asked=True)

    def __init__(self) -> None:
        self._counters = _counters()

    def read(self, lake: Lake, asked_: Condition) -> Read:
        """Runs a scan."""
        where = sql(asked_, _literal).replace("isnan", "isNaN")
        folder = local(lake.written.location())
        with chdir(folder):  # below which files may be read, and no others
            rows, counted = self._counted(f"SELECT n FROM icebergLocal('{folder}/') WHERE {where}")
            row_groups = {path: self._row_groups(path, where) for path in lake.files}
        return Read({_ALL: counted[_FILES]}, row_groups, frozenset(row["n"] for row in rows))

    def counts(self, plan: Plan) -> tuple[Counts | None, Counts | None]:
        """See `Engine`."""
        row_groups = {path: sum(kept) for path, kept in plan.row_groups.items()}
        return {_ALL: len(plan.files)}, row_groups

    def _row_groups(self, path: str, where: str) -> int:
        _, counted = self._counted(f"SELECT n FROM file('{local(path)}', Parquet) WHERE {where}")
        every: int = pq.read_metadata(local(path)).num_row_groups
        return every - counted[_PASSED_BY]

    def _counted(self, query: str) -> tuple[list[dict[str, Any]], Mapping[str, int]]:
        """The rows of a query, and how far it moves the counters of the process."""
        found = asked(f"{query} SETTINGS session_timezone = 'UTC', use_hive_partitioning = 0")
        before, self._counters = self._counters, _counters()
        return found, {name: self._counters[name] - before[name] for name in before}


def _counters() -> dict[str, int]:
    asked_for = f"event IN ('{_FILES}', '{_PASSED_BY}')"
    found = asked(f"SELECT event, value FROM system.events WHERE {asked_for}")
    counted = {row["event"]: int(row["value"]) for row in found}
    return {_FILES: 0, _PASSED_BY: 0, **counted}


def _literal(value: Any) -> str | None:
    """A value in ClickHouse's own words, where others' are not understood or of another type."""
    match value:
        case Decimal():
            return f"toDecimal32('{value}', 2)"
        case dt.datetime():
            return f"toDateTime64('{value.replace(tzinfo=None)}', 6, 'UTC')"
        case dt.date():
            return f"toDate32('{value}')"
    return None
