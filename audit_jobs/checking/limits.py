"""Limits on what a file may read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from math import ceil
from typing import Any

from prunescope.audit_jobs.findings.policy import Policy
from prunescope.collectors.observed import TableName

MAX_BYTES, MAX_SHARE = "max_bytes", "max_share"


@dataclass(frozen=True, slots=True)
class Limits:
    """Most bytes of data files that a run of a file may read, of all tables together, and the
    largest share of one table, from 0 to 1; None is no limit."""

    max_bytes: int | None = None
    max_share: float | None = None


NO_LIMITS = Limits()


@dataclass(frozen=True, slots=True)
class Excess:
    """A file that reads more than a limit allows: `read` of `total` bytes, of one table, or of all
    that it reads (None). `is_known` tells that a baseline has it."""

    file: str
    limit: str
    table: str | None
    read: int
    total: int
    is_known: bool = False

    @property
    def percent(self) -> int:
        """The share that is read, in whole percent, rounded up."""
        return ceil(100 * self.read / self.total) if self.total else 0


@dataclass(frozen=True, slots=True)
class Reads:
    """Bytes that one scan of a file reads of a table, and all of the table."""

    file: str
    table: TableName
    read: int
    total: int


def reads_of(rows: Iterable[Mapping[str, Any]]) -> Iterator[Reads]:
    """Yields what the replayed scans among rows of `scan_plans` read."""
    for row in rows:
        if row["bytes_kept"] is not None and row["query_id"] is not None:
            namespace = tuple((row["namespace"] or "").split("."))
            table = TableName(row["catalog"], namespace, row["table"])
            yield Reads(row["query_id"], table, row["bytes_kept"], row["bytes_total"] or 0)


def excesses(reads: Iterable[Reads], limits: Limits, policy: Policy) -> list[Excess]:
    """The files that exceed limits, in order. Shares count of tables that are large enough to have
    findings; of several scans of one table, the one that reads most."""
    by_file: dict[str, list[Reads]] = {}
    for each in reads:
        by_file.setdefault(each.file, []).append(each)
    found = []
    for file, own in sorted(by_file.items()):
        read, total = sum(each.read for each in own), sum(each.total for each in own)
        if limits.max_bytes is not None and read > limits.max_bytes:
            found.append(Excess(file, MAX_BYTES, None, read, total))
        most: dict[TableName, Reads] = {}
        for each in own:
            if each.table not in most or each.read > most[each.table].read:
                most[each.table] = each
        found += [
            Excess(file, MAX_SHARE, str(table), each.read, each.total)
            for table, each in sorted(most.items(), key=lambda item: str(item[0]))
            if limits.max_share is not None
            and each.read > limits.max_share * each.total
            and each.total >= policy.thresholds_of(table).small_table_bytes
        ]
    return found
