"""Records written down, in one walk through them: rows, and all that is summed up of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import islice

from audit_jobs.findings.aggregates import Aggregates, aggregate
from audit_jobs.findings.policy import Policy
from audit_jobs.health.model import TableHealth
from audit_jobs.records import ScanRecord
from audit_jobs.results.columns import Row
from audit_jobs.results.rows import ScanRows, joined, scan_rows
from audit_jobs.results.sums import RunSums, summed
from collectors.queries.observed import TableName

_BATCH = 2_048
"""Records that are in memory as such: each takes kilobytes."""


@dataclass(frozen=True, slots=True)
class Written:
    """The rows of scans, in parts, and their sums; how many inputs have which outcome; and what
    findings are judged from."""

    rows: tuple[ScanRows, ...]
    sums: RunSums
    outcomes: Counter[str]
    aggregates: Aggregates


def write_down(
    run: Row,
    records: Iterable[ScanRecord],
    health: Mapping[TableName, TableHealth],
    policy: Policy,
) -> Written:
    """The records of a run of these columns; no more than a batch of them is in memory as
    such."""
    batches: list[ScanRows] = []
    outcomes: Counter[str] = Counter()
    aggregates = Aggregates()
    remaining = iter(records)
    while chunk := list(islice(remaining, _BATCH)):
        batches.append(scan_rows(run, chunk))
        aggregates.add(aggregate(chunk, health, policy))
        for record in chunk:
            if _is_first(record):
                outcomes[record.query_outcome] += record.inputs
    rows = tuple(joined(batches))
    sums = summed(part.scan_plans for part in rows)
    return Written(rows, sums, outcomes, aggregates)


def _is_first(record: ScanRecord) -> bool:
    """Whether it stands for its inputs: of the records of a query, the first one does."""
    return not record.scan_key.partition("/")[0].isdecimal() or record.scan_key.endswith("/0")
