"""Data files of audit tables: written where the rows are, and committed by the driver."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

import pyarrow as pa
import pyarrow.compute as pc
from pyiceberg.io import FileIO
from pyiceberg.io.pyarrow import _dataframe_to_data_files
from pyiceberg.manifest import DataFile
from pyiceberg.table import Table
from pyiceberg.table.metadata import TableMetadata

from prunescope.audit_jobs.results.rows import ScanRows, joined
from prunescope.audit_jobs.results.scan_schemas import CONJUNCTS, SCAN_PLANS

_ROWS_OF_A_GROUP = 8_192
_PROPERTIES = {
    "write.parquet.row-group-limit": str(_ROWS_OF_A_GROUP),
    # By these alone it is known that a file has no row of another run.
    "write.metadata.metrics.column.run_id": "full",
}
_ROWS_OF_A_FILE = 65_536
_ORDER = ("catalog", "namespace", "table", "fingerprint", "scan_key")
"""The order of the rows of scan_plans in files: readers of one table skip what others have."""


@dataclass(frozen=True, slots=True)
class Target:
    """An audit table as its writers need it; pickles."""

    metadata: TableMetadata
    file_io: FileIO

    @staticmethod
    def of(table: Table) -> Target:
        """The target for a table as it is now. Row groups are small, and bounds of run ids whole,
        unless the table's properties set them."""
        properties = {**_PROPERTIES, **table.metadata.properties}
        return Target(table.metadata.model_copy(update={"properties": properties}), table.io)

    def written(self, rows: pa.Table) -> list[DataFile]:
        """The files of rows, which no snapshot has yet."""
        if not rows.num_rows:
            return []
        return list(_dataframe_to_data_files(self.metadata, rows, self.file_io))


def write_scans(
    parts: Iterable[ScanRows], targets: Mapping[str, Target]
) -> Iterator[tuple[str, DataFile]]:
    """Writes rows of scans; yields the files of scan_plans and conjuncts, each with the table's
    name. Rows are sorted by table and fingerprint."""
    # Whatever is written is let go: parts are large.
    for tables in map(in_order, joined(parts, _ROWS_OF_A_FILE)):
        while tables:
            name, rows = tables.popitem()
            yield from ((name, file) for file in targets[name].written(rows))


def in_order(part: ScanRows) -> dict[str, pa.Table]:
    """Rows by audit table, in the order in which they are written."""
    plans = part.scan_plans.sort_by([(name, "ascending") for name in _ORDER])
    scans = pc.index_in(part.conjuncts["scan_key"], plans["scan_key"].combine_chunks())
    keys = pa.table({"scan": scans, "position": part.conjuncts["position"]})
    order = pc.sort_indices(keys, [("scan", "ascending"), ("position", "ascending")])
    return {SCAN_PLANS.name: plans, CONJUNCTS.name: part.conjuncts.take(order)}
