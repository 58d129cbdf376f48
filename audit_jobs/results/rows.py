"""The rows of scans, in parts that one task can hold."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

import pyarrow as pa

from prunescope.audit_jobs.isolation import attempt
from prunescope.audit_jobs.records import ScanRecord
from prunescope.audit_jobs.results.arrow import columns_to_arrow
from prunescope.audit_jobs.results.columns import Row
from prunescope.audit_jobs.results.scan_rows import conjunct_columns, scan_plan_columns
from prunescope.audit_jobs.results.scan_schemas import CONJUNCTS, SCAN_PLANS
from prunescope.collectors.errors import PrunescopeError
from prunescope.collectors.observed import TableName

MAX_ROWS = 16_384
"""Scans of one part."""
_MAX_BYTES = 64 << 20
"""Bytes of one part, as Arrow has them; whoever checks or writes it holds some times as much."""


@dataclass(frozen=True, slots=True, eq=False)
class ScanRows:
    """Rows of scan_plans and of conjuncts, of the same scans; pickles. `unwritable` are the tables
    with a row that does not fit the audit tables, with a message: such a row is written without
    results."""

    scan_plans: pa.Table
    conjuncts: pa.Table
    unwritable: Mapping[TableName, str] = field(default_factory=dict)

    @property
    def count(self) -> int:
        """The number of scans."""
        count: int = self.scan_plans.num_rows
        return count

    @property
    def nbytes(self) -> int:
        """The bytes of all rows in Arrow."""
        nbytes: int = self.scan_plans.nbytes + self.conjuncts.nbytes
        return nbytes


def joined(
    batches: Iterable[ScanRows], most: int = MAX_ROWS, most_bytes: int = _MAX_BYTES
) -> Iterator[ScanRows]:
    """The same rows in fewer parts, of about `most` rows each, and of at most `most_bytes` unless a
    batch is larger."""
    part: list[ScanRows] = []
    count = nbytes = 0
    for batch in batches:
        if part and (count + batch.count > most or nbytes + batch.nbytes > most_bytes):
            yield _taken(part)
            count = nbytes = 0
        part.append(batch)
        count += batch.count
        nbytes += batch.nbytes
    if part:
        yield _taken(part)


def scan_rows(run: Row, records: Sequence[ScanRecord]) -> ScanRows:
    """The rows of records. A record that cannot be written costs only itself and its table."""
    made = attempt("writing rows", _rows, run, records)
    if not isinstance(made, PrunescopeError):
        return made
    if len(records) > 1:
        half = len(records) // 2
        return _joined([scan_rows(run, records[:half]), scan_rows(run, records[half:])])
    (record,) = records
    unwritable = {} if record.table is None else {record.table: str(made)}
    return replace(_rows(run, [_bare(record)]), unwritable=unwritable)


def _rows(run: Row, records: Sequence[ScanRecord]) -> ScanRows:
    return ScanRows(
        columns_to_arrow(scan_plan_columns(run, records), SCAN_PLANS),
        columns_to_arrow(conjunct_columns(run, records), CONJUNCTS),
    )


def _taken(found: list[ScanRows]) -> ScanRows:
    """The parts as one, removed from `found`, because both together would take twice the memory."""
    made = _joined(found)
    found.clear()
    return made


def _joined(found: Sequence[ScanRows]) -> ScanRows:
    return ScanRows(
        pa.concat_tables([part.scan_plans for part in found]).combine_chunks(),
        pa.concat_tables([part.conjuncts for part in found]).combine_chunks(),
        {name: message for part in found for name, message in part.unwritable.items()},
    )


def _bare(record: ScanRecord) -> ScanRecord:
    """The fields of a record that can always be written."""
    return ScanRecord(
        scan_key=record.scan_key,
        source=record.source,
        location=None,
        query_id=None,
        query_outcome=record.query_outcome,
        outcome=record.outcome,
        table=record.table,
        inputs=record.inputs,
    )
