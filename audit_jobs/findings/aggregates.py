"""A workload as findings see it: sums for each table, fingerprint and shape of filter."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from audit_jobs.findings.policy import Policy
from audit_jobs.findings.sample import takes
from audit_jobs.findings.sums import GroupSums, merge, sums_of
from audit_jobs.health.model import TableHealth
from audit_jobs.health.sketch import hash_of
from audit_jobs.isolation import attempt
from audit_jobs.records import ScanRecord
from collectors.errors import PrunescopeError
from collectors.predicates.shape import shape
from collectors.queries.observed import TableName


@dataclass(frozen=True, slots=True)
class GroupKey:
    """What the scans of a group have in common: the table, the query's fingerprint, and the shapes
    of the filter's conjuncts, in order."""

    table: TableName
    fingerprint: str | None
    shapes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Aggregates:
    """The sums of all scans that were added, by group, and what went wrong with a table's. They
    grow with groups, not with scans."""

    groups: dict[GroupKey, GroupSums] = field(default_factory=dict)
    failed: dict[TableName, PrunescopeError] = field(default_factory=dict)

    def add(self, record: ScanRecord, health: TableHealth | None) -> None:
        """Adds a scan of a table whose health is known, or not; nothing where it was not
        replayed. An error is the outcome of the table."""
        if record.summary is None or record.table is None:
            return
        found = attempt("adding a scan to those of its shape", self._add, record, health)
        if isinstance(found, PrunescopeError):
            self.failed.setdefault(record.table, found)

    def merge(self, others: Aggregates) -> None:
        """Adds the sums of another part of the workload."""
        for key, sums in others.groups.items():
            known = self.groups.get(key)
            self.groups[key] = sums if known is None else merge(known, sums)
        for table, error in others.failed.items():
            self.failed.setdefault(table, error)

    def _add(self, record: ScanRecord, health: TableHealth | None) -> None:
        assert record.table is not None
        shapes = tuple(shape(part.counts.predicate) for part in record.conjuncts)
        key = GroupKey(record.table, record.fingerprint, shapes)
        known = self.groups.get(key)
        if known is None:
            self.groups[key] = sums_of(record, health)
        else:
            is_sampled = takes(known.sample, hash_of(record.scan_key))
            self.groups[key] = merge(known, sums_of(record, health, is_sampled=is_sampled))


def aggregate(
    records: Iterable[ScanRecord], health: Mapping[TableName, TableHealth], policy: Policy
) -> Aggregates:
    """The sums of a workload, in one pass, without what users do who maintain tables."""
    found = Aggregates()
    for record in records:
        if record.table is not None and not policy.is_maintenance(record.user):
            found.add(record, health.get(record.table))
    return found
