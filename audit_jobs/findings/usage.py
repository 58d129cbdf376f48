"""How a workload uses a table: its scans, grouped by shape, beside what is known of the table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from audit_jobs.findings.history import NO_HISTORY, History, PastHealth, PastWindow
from audit_jobs.findings.selectivity import share_by_bounds
from audit_jobs.findings.thresholds import Thresholds
from audit_jobs.health.model import TableHealth
from audit_jobs.pruning.scans import comparisons
from audit_jobs.records import ConjunctRecord, ScanRecord
from collectors.partitioning import PartitionField, PartitionSpec
from collectors.predicates.model import And, Or, Predicate, Unsupported, all_of
from collectors.predicates.shape import shape
from collectors.queries.observed import TableName
from collectors.tables.metadata import TableMetadata
from collectors.tables.schema import Schema


@dataclass(frozen=True, slots=True)
class Condition:
    """One conjunct of a group's filter, as the scans of the group together see it.

    `text` is what the audit tables have, `predicate` that of the first scan; the scans of a
    group differ in literals alone. Counts sum over scans; `reasons` maps passes to the reason
    that most scans have why it pruned nothing there. `share` of the table's rows match it alone,
    as sampled and on average over the scans; None where no rows were sampled.
    """

    text: str
    predicate: Predicate
    conjunct_class: str
    pushed: bool | None
    manifests_pruned: int
    data_files_pruned: int
    row_groups_pruned: int
    reasons: Mapping[str, str]
    share: float | None = None

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that it reads, by full name."""
        return tuple(dict.fromkeys(_columns(self.predicate)))

    @property
    def field_ids(self) -> frozenset[int]:
        """The columns that it compares, by field id."""
        return frozenset(leaf.field.field_id for leaf in comparisons(self.predicate))


@dataclass(frozen=True)
class Group:
    """Scans of one table by queries of one fingerprint, with filters of one shape.

    Three measures of the same scans, in bytes of data files: what the engine's planner keeps
    (`bytes_read`), what the statistics allow for the whole filter (`bytes_allowed`), and what a
    layout made for the filter would keep (`bytes_ideal`). What lies between the first two is for
    the query or the engine to win, between the last two for the layout.
    """

    table: TableName
    fingerprint: str | None
    scans: tuple[ScanRecord, ...]
    health: TableHealth | None

    @cached_property
    def predicate(self) -> Predicate:
        """The filter of the first scan."""
        return all_of(*(part.counts.predicate for part in self.scans[0].conjuncts))

    @cached_property
    def conditions(self) -> tuple[Condition, ...]:
        """The conjuncts of the filter, in order."""
        return tuple(
            _condition([scan.conjuncts[place] for scan in self.scans])
            for place in range(len(self.scans[0].conjuncts))
        )

    @property
    def traits(self) -> frozenset[str]:
        """What the text of the queries has: see ScanRecord."""
        return self.scans[0].traits

    @cached_property
    def bytes_total(self) -> int:
        """Bytes of the snapshots, once per scan; what is known of them."""
        return sum(
            scan.summary.bytes.total or scan.summary.bytes.considered or 0
            for scan in self.scans
            if scan.summary is not None
        )

    @cached_property
    def bytes_read(self) -> int:
        """Bytes of the data files that the engine's planner keeps."""
        return sum(s.summary.bytes.kept or 0 for s in self.scans if s.summary is not None)

    @cached_property
    def bytes_allowed(self) -> int:
        """Bytes that the statistics allow a planner to keep for the whole filter."""
        return sum(
            min(scan.potential.bytes.kept or 0, scan.summary.bytes.kept or 0)
            for scan in self.scans
            if scan.potential is not None and scan.summary is not None
        )

    @cached_property
    def bytes_ideal(self) -> int | None:
        """Bytes of the rows that match, in no less than one file per scan; None where nothing
        tells how many rows match. From sampled rows it is the upper end of the interval."""
        ideal = [self._ideal(scan) for scan in self.scans]
        return None if None in ideal else sum(size for size in ideal if size is not None)

    @cached_property
    def rows_sampled(self) -> bool:
        """Whether `bytes_ideal` rests on sampled rows of every scan, not on bounds."""
        return all(scan.matching is not None for scan in self.scans)

    @property
    def bytes_lost_by_layout(self) -> int | None:
        """Bytes that the statistics make planners keep, and another layout would not."""
        return None if self.bytes_ideal is None else max(0, self.bytes_allowed - self.bytes_ideal)

    @property
    def bytes_lost_by_query(self) -> int:
        """Bytes that the engine reads though the statistics rule them out."""
        return self.bytes_read - self.bytes_allowed

    def share_matching(self, scan: ScanRecord) -> float | None:
        """At most this share of the table's rows matches a scan's whole filter, as far as known."""
        if scan.matching is not None:
            return scan.matching.high
        if self.health is None:
            return None
        parts = (part.counts.predicate for part in scan.conjuncts)
        return share_by_bounds(all_of(*parts), self.health)

    def _ideal(self, scan: ScanRecord) -> int | None:
        share = self.share_matching(scan)
        if share is None or scan.potential is None or self.health is None:
            return None
        allowed = scan.potential.bytes.kept or 0
        one_file = self.health.bytes / max(1, self.health.data_files)
        return min(allowed, round(max(share * self.health.bytes, one_file)))


@dataclass(frozen=True)
class TableUsage:
    """A table, and the groups of scans that read it in the audited window; `history` has earlier
    windows by fingerprint, `past_health` the table's own, oldest first."""

    table: TableName
    metadata: TableMetadata
    health: TableHealth | None
    thresholds: Thresholds
    groups: tuple[Group, ...]
    history: Mapping[str, tuple[PastWindow, ...]] = field(default_factory=dict)
    past_health: tuple[PastHealth, ...] = ()

    @cached_property
    def schema(self) -> Schema:
        """The table's current schema."""
        return self.metadata.schema(None)

    @cached_property
    def spec(self) -> PartitionSpec:
        """The current partition spec, typed by the current schema."""
        return self.metadata.specs(self.schema)[self.metadata.default_spec_id]

    @property
    def names(self) -> dict[int, str]:
        """Column names by field id."""
        return {column.field_id: column.name for column in self.schema.columns}

    @property
    def partition_fields(self) -> tuple[PartitionField, ...]:
        """The fields of the current spec that hold values."""
        return tuple(field for field in self.spec.fields if field.transform != "void")

    def partition_fields_of(self, condition: Condition) -> tuple[PartitionField, ...]:
        """The fields of the current spec whose source column a condition reads, wrapped or
        not."""
        names = {name.casefold() for name in condition.columns}
        by_id = self.names
        return tuple(
            field
            for field in self.partition_fields
            if field.source_id in condition.field_ids
            or by_id.get(field.source_id, "").casefold() in names
        )


def scans_by_table(records: Iterable[ScanRecord]) -> dict[TableName, list[ScanRecord]]:
    """The replayed scans of each table."""
    found: dict[TableName, list[ScanRecord]] = {}
    for record in records:
        if record.summary is not None and record.table is not None:
            found.setdefault(record.table, []).append(record)
    return found


def table_usage(
    name: TableName,
    scans: Iterable[ScanRecord],
    metadata: TableMetadata,
    health: TableHealth | None,
    thresholds: Thresholds,
    history: History = NO_HISTORY,
) -> TableUsage:
    """How the replayed scans of one table use it."""
    groups: dict[tuple[str | None, str], list[ScanRecord]] = {}
    for record in scans:
        filters = "\n".join(shape(part.counts.predicate) for part in record.conjuncts)
        groups.setdefault((record.fingerprint, filters), []).append(record)
    return TableUsage(
        table=name,
        metadata=metadata,
        health=health,
        thresholds=thresholds,
        groups=tuple(
            Group(name, fingerprint, tuple(of_group), health)
            for (fingerprint, _), of_group in groups.items()
        ),
        history={
            fingerprint: history.queries[name, fingerprint]
            for fingerprint, _ in groups
            if fingerprint is not None and (name, fingerprint) in history.queries
        },
        past_health=history.tables.get(name, ()),
    )


def _condition(records: Sequence[ConjunctRecord]) -> Condition:
    reasons: dict[str, Counter[str]] = {}
    for record in records:
        for name, reason in record.counts.reasons.items():
            reasons.setdefault(name, Counter())[reason] += 1
    first = records[0]
    return Condition(
        text=first.text,
        predicate=first.counts.predicate,
        conjunct_class=first.conjunct_class,
        pushed=first.pushed,
        manifests_pruned=sum(record.counts.manifests_pruned for record in records),
        data_files_pruned=sum(record.counts.data_files_pruned for record in records),
        row_groups_pruned=sum(record.counts.row_groups_pruned or 0 for record in records),
        reasons={name: found.most_common(1)[0][0] for name, found in reasons.items()},
        share=_mean([r.matching.share for r in records if r.matching is not None]),
    )


def _mean(shares: Sequence[float]) -> float | None:
    return sum(shares) / len(shares) if shares else None


def _columns(predicate: Predicate) -> Iterator[str]:
    match predicate:
        case And(children) | Or(children):
            for child in children:
                yield from _columns(child)
        case Unsupported(columns=columns):
            yield from columns
        case _:
            yield from (leaf.field.name for leaf in comparisons(predicate))
