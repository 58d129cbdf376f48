"""DataFusion as a reader of the Parquet files of a table: the table provider of pyiceberg-core is
made for an older DataFusion than the newest."""

from __future__ import annotations

import re

import datafusion
import pyarrow.parquet as pq

from prunescope.collectors.sql.planners.profiles import planner_of
from tests.differential.readers.comparison import Counts, Plan, Read
from tests.differential.readers.conditions import Condition, sql
from tests.differential.readers.tables import Lake, local

_ROW_GROUPS = re.compile(r"row_groups_pruned_statistics=(\d+) total → (\d+) matched")
_NO_FILE = "files_ranges_pruned_statistics=1 total → 0 matched"


class DataFusion:
    """Row groups as the metrics of EXPLAIN ANALYZE count them, file by file."""

    name = "DataFusion"
    version = datafusion.__version__
    dialect = "duckdb"
    planner = planner_of("datafusion", datafusion.__version__, is_asked=True)

    def __init__(self) -> None:
        config = datafusion.SessionConfig().with_target_partitions(1)
        self._context = datafusion.SessionContext(config)
        self._tables: dict[str, str] = {}

    def read(self, lake: Lake, asked: Condition) -> Read:
        """Runs a scan."""
        where = sql(asked)
        row_groups = {}
        rows: set[int] = set()
        for path in lake.files:
            query = f"SELECT n FROM {self._table(path)} WHERE {where}"
            row_groups[path] = self._row_groups(path, query)
            for batch in self._context.sql(query).collect():
                rows.update(batch.column(0).to_pylist())
        return Read(None, row_groups, frozenset(rows))

    def _table(self, path: str) -> str:
        if path not in self._tables:
            self._tables[path] = f"t{len(self._tables)}"
            self._context.register_parquet(self._tables[path], local(path))
        return self._tables[path]

    def _row_groups(self, path: str, query: str) -> int:
        batches = self._context.sql(f"EXPLAIN ANALYZE {query}").collect()
        plan = "".join(text for batch in batches for text in batch.column(1).to_pylist())
        if "EmptyExec" in plan or _NO_FILE in plan:
            return 0
        ((total, matched),) = _ROW_GROUPS.findall(plan)
        # Without a pruning predicate nothing is judged.
        return int(matched) if int(total) else pq.read_metadata(local(path)).num_row_groups

    def counts(self, plan: Plan) -> tuple[Counts | None, Counts | None]:
        """See `Engine`."""
        return None, {path: sum(kept) for path, kept in plan.row_groups.items()}
