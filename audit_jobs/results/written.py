"""Records written down, in one walk through them: rows, and all sums over them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from prunescope.audit_jobs.findings.aggregates import Aggregates, aggregate
from prunescope.audit_jobs.findings.policy import Policy
from prunescope.audit_jobs.health.model import TableHealth
from prunescope.audit_jobs.records import ScanRecord
from prunescope.audit_jobs.results.columns import Row
from prunescope.audit_jobs.results.rows import ScanRows, joined, scan_rows
from prunescope.audit_jobs.results.sums import Parts, merged, parts_of
from prunescope.collectors.observed import TableName

_BATCH = 2_048
"""Records that are in memory as such, about: each takes kilobytes."""


@dataclass(slots=True)
class Summary:
    """Sums over records: the number of inputs by outcome, and of queries of planners that are newer
    than any known one, by the words for it; the number of rows, and their totals
    (None without rows); the tables with a row that cannot be written, with a message; and the
    aggregates from which findings are judged."""

    outcomes: Counter[str] = field(default_factory=Counter)
    newer_planners: Counter[str] = field(default_factory=Counter)
    rows: int = 0
    sums: Parts | None = None
    unwritable: dict[TableName, str] = field(default_factory=dict)
    aggregates: Aggregates = field(default_factory=Aggregates)

    def add(self, others: Summary) -> None:
        """Adds the sums over other records."""
        self.outcomes.update(others.outcomes)
        self.newer_planners.update(others.newer_planners)
        self.rows += others.rows
        self.sums = _together(self.sums, others.sums)
        self.unwritable.update(others.unwritable)
        self.aggregates.add(others.aggregates)

    def add_rows(self, part: ScanRows) -> None:
        """Adds rows."""
        self.rows += part.count
        self.sums = _together(self.sums, parts_of(part.scan_plans))
        self.unwritable.update(part.unwritable)


def _together(some: Parts | None, more: Parts | None) -> Parts | None:
    return merged((some, more)) if some is not None and more is not None else some or more


@dataclass(frozen=True, slots=True)
class Writing:
    """The way in which records are written: the columns that all rows of a run share, with
    `literals` or without; and the policy by which they are summed up, beside the health of tables.
    """

    run: Row
    health: Mapping[TableName, TableHealth]
    policy: Policy
    literals: bool = False


def write_down(
    writing: Writing, inputs: Iterable[Sequence[ScanRecord]], summary: Summary
) -> Iterator[ScanRows]:
    """The rows of inputs, given the records of each, in parts that hold all rows of an input. At
    most one batch of records is in memory. `summary` is complete when the last part is taken."""
    for part in joined(_batches(writing, inputs, summary)):
        summary.add_rows(part)
        yield part


def _batches(
    writing: Writing, inputs: Iterable[Sequence[ScanRecord]], summary: Summary
) -> Iterator[ScanRows]:
    batch: list[ScanRecord] = []
    for records in inputs:
        summary.outcomes[records[0].query_outcome] += records[0].inputs
        summary.newer_planners.update(records[0].newer)
        batch += records
        if len(batch) >= _BATCH:
            yield _rows(writing, batch, summary)
            batch = []
    if batch:
        yield _rows(writing, batch, summary)


def _rows(writing: Writing, batch: Sequence[ScanRecord], summary: Summary) -> ScanRows:
    summary.aggregates.add(aggregate(batch, writing.health, writing.policy))
    return scan_rows(writing.run, batch)
