"""Use of a table by a workload: its scans, grouped by shape, and what is known of the table."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, NamedTuple, Protocol, TypeVar

from prunescope.audit_jobs.findings.aggregates import GroupKey
from prunescope.audit_jobs.findings.claims import LayoutClaim
from prunescope.audit_jobs.findings.condition import Condition
from prunescope.audit_jobs.findings.engine_catalogs import engine_catalogs
from prunescope.audit_jobs.findings.history import NO_HISTORY, History, PastHealth, PastWindow
from prunescope.audit_jobs.findings.pooling import pooled
from prunescope.audit_jobs.findings.sample import SampledConjunct, SampledScan, SampledScans
from prunescope.audit_jobs.findings.sums import ConjunctSums, GroupSums
from prunescope.audit_jobs.findings.thresholds import Thresholds
from prunescope.audit_jobs.health.model import ColumnHealth, TableHealth
from prunescope.collectors.observed import TableName
from prunescope.collectors.partitioning import PartitionField, PartitionSpec
from prunescope.collectors.predicates.model import Predicate, all_of
from prunescope.collectors.predicates.walks import comparisons
from prunescope.collectors.schema import Schema
from prunescope.collectors.storage.clock import Clock, tick
from prunescope.collectors.table_scans import TextPlace
from prunescope.collectors.tables.metadata import TableMetadata

_Made = TypeVar("_Made")


@dataclass(frozen=True)
class Group:
    """Scans of one table by queries of one fingerprint, with filters of one shape, of which one
    engine pushes the same: sums over all of them, and a sample of them. `spec` is the table's
    current one, `own_columns` are those of its columns that are no fields of structs.

    Three measures of the same scans, in bytes of data files: what the engine's planner keeps
    (`bytes_read`), what the statistics allow for the whole filter (`bytes_allowed`), and what a
    layout made for the filter would keep (`bytes_ideal`). What lies between the first two is for
    the query or the engine to win, between the last two for the layout.
    """

    table: TableName
    fingerprint: str | None
    sums: GroupSums
    health: TableHealth | None
    spec: PartitionSpec | None = None
    own_columns: frozenset[str] = frozenset()
    _made: dict[Hashable, Any] = field(default_factory=dict, init=False, repr=False, compare=False)

    def once(self, what: Hashable, make: Callable[[], _Made]) -> _Made:
        """Result of `make`, computed once per group and key: several causes ask the same of a
        group."""
        if what not in self._made:
            self._made[what] = make()
        found: _Made = self._made[what]
        return found

    @property
    def count(self) -> int:
        """Number of scans."""
        return self.sums.totals.scans

    @property
    def sample(self) -> SampledScans:
        """Some of the scans with their literals: all of them up to SCANS_OF_GROUP."""
        return self.sums.sample

    @property
    def example(self) -> SampledScan:
        """One scan, the same in whatever order they come: what the scans differ in is told as it
        has it."""
        return self.sums.sample[0]

    def extrapolated(self, of_sample: float) -> float:
        """Estimate of a sum over all scans from that over the sample."""
        if self.count == len(self.sample):
            return of_sample
        return of_sample * self.count / len(self.sample)

    @cached_property
    def predicate(self) -> Predicate:
        """The filter of the example."""
        return all_of(*(part.predicate for part in self.example.conjuncts))

    @cached_property
    def conditions(self) -> tuple[Condition, ...]:
        """The conjuncts of the filter, in order."""
        return tuple(map(_condition, self.example.conjuncts, self.sums.conjuncts))

    @property
    def traits(self) -> frozenset[str]:
        """Traits of the text of the queries (`ScanRecord`)."""
        return self.example.traits

    @cached_property
    def text_place(self) -> TextPlace:
        """The place of the example in its text, with its clause if that of all is the same."""
        found = self.example.text_place
        is_one = all(scan.text_place.clause == found.clause for scan in self.sample)
        return found if is_one else replace(found, clause=None)

    @property
    def bytes_total(self) -> int:
        """Bytes of the snapshots, once per scan; what is known of them."""
        return self.sums.totals.bytes_total

    @property
    def bytes_read(self) -> int:
        """Bytes of the data files that the engine's planner keeps."""
        return self.sums.totals.bytes_read

    @property
    def bytes_allowed(self) -> int:
        """Bytes that the statistics allow a planner to keep for the whole filter."""
        return self.sums.totals.bytes_allowed

    @property
    def bytes_ideal(self) -> int | None:
        """Bytes of the rows that match, in no less than one file per scan; None where nothing
        tells how many rows match. From sampled rows it is the upper end of the interval."""
        totals = self.sums.totals
        return totals.bytes_ideal if totals.ideal_known == totals.scans else None

    @property
    def rows_sampled(self) -> bool:
        """True if `bytes_ideal` rests on sampled rows of every scan, not on bounds, and some of
        these rows are of files that the scans keep."""
        tells = any(s.matching is None or s.matching.candidates for s in self.sample)
        return tells and self.sums.totals.sampled == self.count

    @property
    def reads_most(self) -> bool:
        """True if the scans read most of the table: nothing prunes much."""
        return 2 * self.bytes_read > self.bytes_total

    @property
    def bytes_lost_by_layout(self) -> int | None:
        """Bytes that the statistics make planners keep, and another layout would not."""
        return None if self.bytes_ideal is None else max(0, self.bytes_allowed - self.bytes_ideal)

    @property
    def bytes_lost_by_query(self) -> int:
        """Bytes that the engine reads though the statistics rule them out."""
        return self.bytes_read - self.bytes_allowed


class Claimant(Protocol):
    """Interface of a cause for usage: its claims on the losses of groups (see `Cause`)."""

    @property
    def id(self) -> str:
        """Id of the cause."""

    @property
    def of_condition(self) -> Callable[[Group, Condition], bool]:
        """Predicate: true if the cause claims a condition."""

    @property
    def of_filter(self) -> Callable[[TableUsage, Group], bool]:
        """Predicate: true if the cause claims a filter as a whole."""

    @property
    def of_layout(self) -> Callable[[TableUsage, Group], LayoutClaim | None]:
        """Function that returns the cause's claim on the loss by the layout, or None."""


@dataclass(frozen=True)
class TableUsage:
    """A table, and the groups of scans that read it in the audited window, which `causes` claim;
    `history` has earlier windows by fingerprint, `past_health` the table's own, oldest first.
    `unseen` is how many fingerprints read the table in earlier windows and not in this one,
    `days_seen` how many days all of these windows cover, `overwrites` how many statements replace
    or drop whole partitions, and `changing` the columns that statements give new values. Files of
    `rewrite_bytes` may be written anew in a night, None where there is no limit. `clock` is what
    the work for the table counts on."""

    table: TableName
    metadata: TableMetadata
    health: TableHealth | None
    thresholds: Thresholds
    groups: tuple[Group, ...]
    causes: tuple[Claimant, ...]
    history: Mapping[str, tuple[PastWindow, ...]] = field(default_factory=dict)
    past_health: tuple[PastHealth, ...] = ()
    unseen: int = 0
    days_seen: int = 1
    overwrites: int = 0
    changing: frozenset[str] = frozenset()
    rewrite_bytes: int | None = None
    clock: Clock = field(default_factory=Clock, repr=False, compare=False)

    @property
    def part_of_night(self) -> float | None:
        """The share of the table's bytes that may be written anew in a night; None where all of
        them may."""
        size = 0 if self.health is None else self.health.bytes
        if self.rewrite_bytes is None or self.rewrite_bytes >= size:
            return None
        return self.rewrite_bytes / size

    @property
    def bytes_read(self) -> int:
        """Bytes of data files that all scans read."""
        return sum(group.bytes_read for group in self.groups)

    def column(self, name: str | None) -> ColumnHealth | None:
        """Measures of a column; None if it, or the table, was not measured."""
        return None if self.health is None or name is None else self.health.column(name)

    @cached_property
    def schema(self) -> Schema:
        """The table's current schema."""
        return self.metadata.schema(None)

    @cached_property
    def spec(self) -> PartitionSpec:
        """The current partition spec, typed by the current schema."""
        return self.metadata.specs(self.schema)[self.metadata.default_spec_id]

    @cached_property
    def names(self) -> dict[int, str]:
        """Column names by field id."""
        return {column.field_id: column.name for column in self.schema.columns}

    @cached_property
    def texts_asked(self) -> dict[str, frozenset[bytes]]:
        """The texts that sampled scans compare columns with, by the columns' names."""
        found: dict[str, set[bytes]] = {}
        for group in self.groups:
            for part in (part for scan in group.sample for part in scan.conjuncts):
                for leaf in comparisons(part.predicate):
                    texts = [value for value in leaf.values if isinstance(value, bytes)]
                    found.setdefault(leaf.field.name, set()).update(texts)
        return {name: frozenset(texts) for name, texts in found.items()}

    @cached_property
    def partition_fields(self) -> tuple[PartitionField, ...]:
        """The fields of the current spec that hold values."""
        return tuple(field for field in self.spec.fields if field.transform != "void")

    def partition_fields_of(self, condition: Condition) -> tuple[PartitionField, ...]:
        """The fields of the current spec whose source column a condition reads, wrapped or
        not."""
        tick()
        sources = condition.field_ids | self._named(condition.columns)
        return tuple(field for field in self.partition_fields if field.source_id in sources)

    def partition_fields_joined(self, group: Group) -> tuple[PartitionField, ...]:
        """The fields of the current spec whose source column joins of a group compare."""
        tick()
        sources = self._named(group.text_place.joined)
        return tuple(field for field in self.partition_fields if field.source_id in sources)

    def _named(self, names: Iterable[str]) -> frozenset[int]:
        """The columns that full names may mean, by field id."""
        paths = (tuple(name.split(".")) for name in names)
        return frozenset(c.field_id for path in paths for c in self.schema.by_path(path))


class KnownTable(NamedTuple):
    """Known facts of a table; `health` is None if it was not measured. `clock` limits the time of
    work on it."""

    metadata: TableMetadata
    health: TableHealth | None
    clock: Clock = Clock()  # without a limit


def table_usage(
    name: TableName,
    groups: Mapping[GroupKey, GroupSums],
    known: KnownTable,
    thresholds: Thresholds,
    causes: tuple[Claimant, ...],
    history: History = NO_HISTORY,
) -> TableUsage:
    """Use of one table by its replayed scans, with `causes` to claim the losses."""
    metadata, health, clock = known
    schema = metadata.schema(None)
    spec = metadata.specs(schema)[metadata.default_spec_id]
    own = frozenset(schema.top_level_names)
    ordered = sorted(
        groups,
        key=lambda key: (
            key.fingerprint or "",
            key.shapes,
            key.engine or "",
            str(key.pushed),
            key.joined,
            key.calculation,
        ),
    )
    seen = {key.fingerprint for key in ordered}
    return TableUsage(
        table=replace(
            name, catalogs=engine_catalogs((k.engine, groups[k].catalogs) for k in ordered)
        ),
        metadata=metadata,
        health=health,
        thresholds=thresholds,
        groups=tuple(
            Group(name, key.fingerprint, pooled(groups[key], health), health, spec, own)
            for key in ordered
        ),
        causes=causes,
        history={
            key.fingerprint: history.queries[name, key.fingerprint]
            for key in ordered
            if key.fingerprint is not None and (name, key.fingerprint) in history.queries
        },
        past_health=history.tables.get(name, ()),
        unseen=sum(of == name and query not in seen for of, query in history.queries),
        clock=clock,
    )


def _condition(example: SampledConjunct, sums: ConjunctSums) -> Condition:
    return Condition(
        text=example.text,
        predicate=example.predicate,
        conjunct_class=example.conjunct_class,
        pushed=example.pushed,
        manifests_pruned=sums.manifests_pruned,
        data_files_pruned=sums.data_files_pruned,
        row_groups_pruned=sums.row_groups_pruned,
        reasons=sums.usual_reasons,
        share=sums.share,
        kept=example.kept,
        longest_list=sums.longest_list,
        data_files_unmeasured=sums.data_files_unmeasured,
    )
