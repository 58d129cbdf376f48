"""A workload as findings see it: sums for each table, fingerprint and shape of filter."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice

from prunescope.audit_jobs.findings.early_stop import as_far_as_read
from prunescope.audit_jobs.findings.policy import Policy
from prunescope.audit_jobs.findings.retyped import as_types_are
from prunescope.audit_jobs.findings.sums import GroupSums, merge, sums_of
from prunescope.audit_jobs.health.model import TableHealth
from prunescope.audit_jobs.isolation import attempt
from prunescope.audit_jobs.records import ScanRecord
from prunescope.collectors.effects import Effect, changing_columns
from prunescope.collectors.errors import PrunescopeError
from prunescope.collectors.observed import TableName
from prunescope.collectors.predicates.shape import shape
from prunescope.collectors.schema import Schema

_BATCH = 16_384
"""Records that are summed up at once: the more of one group, the less each costs."""


@dataclass(frozen=True, slots=True)
class GroupKey:
    """Key of a group of scans: the table, the query's fingerprint, its calculation, the shapes of
    the filter's conjuncts in order, the engine, which conjuncts the engine pushes (engines and
    their versions differ for one text), and the columns by which the table is joined (a text can
    scan it twice)."""

    table: TableName
    fingerprint: str | None
    shapes: tuple[str, ...]
    engine: str | None = None
    pushed: tuple[bool | None, ...] = ()
    joined: tuple[str, ...] = ()
    calculation: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Aggregates:
    """The sums of a workload, or of a part of it, by group, what went wrong with a table's, and how
    many statements do what to rows of a table. They grow with groups, not with scans."""

    groups: dict[GroupKey, GroupSums] = field(default_factory=dict)
    failed: dict[TableName, PrunescopeError] = field(default_factory=dict)
    effects: dict[TableName, Counter[Effect]] = field(default_factory=dict)

    def add(self, others: Aggregates) -> None:
        """Adds the sums of another part of the workload."""
        for key, sums in others.groups.items():
            known = self.groups.get(key)
            self.groups[key] = sums if known is None else merge(known, sums)
        for table, error in others.failed.items():
            self.failed.setdefault(table, error)
        for table, counts in others.effects.items():
            self.effects.setdefault(table, Counter()).update(counts)

    def overwrites(self, table: TableName) -> int:
        """Returns how many statements replace or drop partitions of a table."""
        counts = self.effects.get(table, Counter[Effect]())
        return sum(count for effect, count in counts.items() if effect.replaces)

    def changing(self, table: TableName, schema: Schema) -> frozenset[str]:
        """The columns of a table that statements give new values."""
        return changing_columns(self.effects.get(table, ()), schema)


def aggregate(
    records: Iterable[ScanRecord], health: Mapping[TableName, TableHealth], policy: Policy
) -> Aggregates:
    """The sums of a workload, in one pass that keeps `_BATCH` records at a time, without what was
    not replayed and what users read who maintain tables. An error is the outcome of its table."""
    found = Aggregates()
    remaining = iter(records)
    while batch := list(islice(remaining, _BATCH)):
        found.add(_aggregate(batch, health, policy))
    return found


def _aggregate(
    records: Sequence[ScanRecord], health: Mapping[TableName, TableHealth], policy: Policy
) -> Aggregates:
    groups: dict[GroupKey, list[ScanRecord]] = {}
    found = Aggregates()
    for record in records:
        for affected, effect in record.effects:
            found.effects.setdefault(affected, Counter())[effect] += 1
        if record.table is None or record.summary is None or policy.is_maintenance(record.user):
            continue
        doing = "telling the shape of a filter"
        told = attempt(doing, _keyed, record.table, record, health.get(record.table))
        if isinstance(told, PrunescopeError):
            found.failed.setdefault(record.table, told)
        else:
            groups.setdefault(told[0], []).append(told[1])
    for key, of_group in groups.items():
        doing = f"summing up scans of {key.table}"
        sums = attempt(doing, _sums, of_group, health.get(key.table))
        if isinstance(sums, PrunescopeError):
            found.failed.setdefault(key.table, sums)
        else:
            found.groups[key] = sums
    return found


def _sums(records: Sequence[ScanRecord], health: TableHealth | None) -> GroupSums:
    return sums_of([as_far_as_read(record, health) for record in records], health)


def _keyed(
    table: TableName, record: ScanRecord, health: TableHealth | None
) -> tuple[GroupKey, ScanRecord]:
    record = as_types_are(record, health)
    shapes = tuple(shape(part.counts.predicate) for part in record.conjuncts)
    pushed = tuple(part.pushed for part in record.conjuncts)
    key = GroupKey(
        table,
        record.fingerprint,
        shapes,
        record.engine,
        pushed,
        record.text_place.joined,
        record.calculation,
    )
    return key, record
