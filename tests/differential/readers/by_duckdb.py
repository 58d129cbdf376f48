"""DuckDB as a reader of the Parquet files of a table: its `iceberg` extension is no part of the
package, and would be fetched when it is first used."""

from __future__ import annotations

import json

import duckdb

from prunescope.collectors.sql.planners.profiles import planner_of
from tests.differential.readers.comparison import Counts, Plan, Read
from tests.differential.readers.conditions import Condition, sql
from tests.differential.readers.tables import Lake, local


class DuckDb:
    """Row groups as EXPLAIN ANALYZE counts them, file by file."""

    name = "DuckDB"
    version = duckdb.__version__
    dialect = "duckdb"
    planner = planner_of("duckdb", duckdb.__version__, is_asked=True)

    def __init__(self) -> None:
        self._connection = duckdb.connect()
        self._connection.execute("SET threads = 1; SET TimeZone = 'UTC'")

    def read(self, lake: Lake, asked: Condition) -> Read:
        """Runs a scan."""
        where = sql(asked)
        row_groups = {path: self._row_groups(path, where) for path in lake.files}
        paths = [local(path) for path in lake.files]
        query = f"SELECT n FROM read_parquet($paths, hive_partitioning = false) WHERE {where}"
        rows = self._connection.execute(query, {"paths": paths}).fetchall()
        return Read(None, row_groups, frozenset(n for (n,) in rows))

    def _row_groups(self, path: str, where: str) -> int:
        """The file is read twice: a file that is read alone is judged as a whole first, by any
        condition."""
        query = f"SELECT * FROM read_parquet($paths, hive_partitioning = false) WHERE {where}"
        explained = self._connection.execute(
            f"EXPLAIN (ANALYZE, FORMAT JSON) {query}", {"paths": [local(path)] * 2}
        ).fetchall()
        found: int = json.loads(explained[0][1])["query"]["total_row_groups_scanned"]
        return found // 2

    def counts(self, plan: Plan) -> tuple[Counts | None, Counts | None]:
        """See `Engine`."""
        return None, {path: sum(kept) for path, kept in plan.row_groups.items()}
