"""What new partition fields undo: rows that a scan finds in few files, by the order that they have
now, lie in a file of each of many partitions then."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from math import prod

from audit_jobs.findings.disturbance import UNDISTURBED, Disturbance, columns_skipped_by, of_groups
from audit_jobs.findings.early_stop import STOPPED
from audit_jobs.findings.granularity import Ranges, cuts_of, ranges_asked
from audit_jobs.findings.model import Field
from audit_jobs.findings.repartition import units_of
from audit_jobs.findings.sample import SampledScan
from audit_jobs.findings.sorting import partitions_read
from audit_jobs.findings.usage import Group, TableUsage
from audit_jobs.health.model import ColumnHealth, TableHealth
from audit_jobs.pruning.transforms import TIME_TRANSFORMS, width
from collectors.predicates.model import BoundComparison
from collectors.predicates.operators import Op


def spread(usage: TableUsage, added: Sequence[Field], dropped: Sequence[Field]) -> Disturbance:
    """What the scans of a table lose, about, once fields are added to its partitions and others
    dropped, and rows lie in the new ones as they lie now: of what a scan reads, each new partition
    that has some of it is read for at least a file. How many these are is told by how far the
    ranges of files reach in the new field's column. What was read in several partitions that become
    one lies apart there, but for values of the field that is dropped, which follow each other. A
    field loses nothing that is coarser than what it takes the place of, or of which nothing tells
    how many values it has."""
    health, finer = usage.health, finer_fields(added, dropped)
    if health is None or not finer:
        return UNDISTURBED
    merged = _merged(usage, health, dropped)
    partitions = max(1.0, (health.partitions or 1) / merged)
    cut = _cut(health, finer, health.bytes / partitions)
    in_row = {name for _, name in dropped}

    def lost(group: Group, in_order: Collection[str], place: int) -> float:
        scan = group.sample[place]
        assert cut is not None
        if scan.bytes_allowed is None or scan.potential is None:
            return 0.0
        now = partitions_read(group, scan, scan.potential.files_kept) or 1.0
        if in_row.issuperset(in_order):
            reached = cut.reached(group, place, beside=min(now, merged) - 1)
            return cut.more(scan.bytes_allowed, max(1.0, now / merged) * reached)
        return cut.more(scan.bytes_allowed, now * cut.reached(group, place))

    return UNDISTURBED if cut is None else _disturbance(usage, finer, lost)


def spread_of_old_files(usage: TableUsage) -> Disturbance:
    """What scans lose, about, once files of other partition specs are written anew in the
    partitions that the table has now, and rows lie in these as they lie in the old files."""
    health = usage.health
    if health is None:
        return UNDISTURBED
    old = {spec: n for spec, n in health.files_by_spec.items() if spec != usage.spec.spec_id and n}
    if not old or not health.data_files:
        return UNDISTURBED
    fields = _fields_beside(usage, max(old, key=lambda spec: old[spec]))
    cut = _cut(health, fields, health.bytes * sum(old.values()) / health.data_files)

    def lost(group: Group, _: Collection[str], place: int) -> float:
        scan = group.sample[place]
        assert cut is not None
        if scan.potential is None or not scan.potential.old_spec_bytes:
            return 0.0
        allowed = min(scan.potential.old_spec_bytes, scan.bytes_read)
        return cut.more(allowed, cut.reached(group, place))

    return UNDISTURBED if cut is None or not fields else _disturbance(usage, fields, lost)


def finer_fields(added: Sequence[Field], dropped: Sequence[Field]) -> tuple[Field, ...]:
    """The added fields but those that make larger partitions of a column than what they take the
    place of."""
    return tuple(field for field in added if not _is_coarser(field, dropped))


@dataclass(frozen=True, slots=True)
class _Cut:
    """Fields by which each partition of a table is cut into `count`, of so many bytes each."""

    health: TableHealth
    fields: tuple[Field, ...]
    partition: float

    def more(self, allowed: int, parts: float) -> float:
        """The bytes that a scan reads in addition, which reads so many now, and so many parts of
        the new partitions then."""
        file = min(self.partition, self.health.target_file_bytes)
        read = parts * min(self.partition, max(file, allowed / parts))
        return max(0.0, min(read, self.health.bytes) - allowed)

    def reached(self, group: Group, place: int, *, beside: float = 0) -> float:
        """In how many of the new partitions the rows lie that the scan at a place of the sample
        reads in one partition, and in so many beside it."""
        return prod(_reached(group, self.health, field, place, beside) for field in self.fields)


def _cut(health: TableHealth, fields: tuple[Field, ...], whole: float) -> _Cut | None:
    counts = [_values(health, field) for field in fields]
    known = [count for count in counts if count is not None]
    return _Cut(health, fields, whole / prod(known)) if len(known) == len(counts) else None


def _disturbance(
    usage: TableUsage,
    fields: tuple[Field, ...],
    lost_by: Callable[[Group, Collection[str], int], float],
) -> Disturbance:
    """What groups lose that skip files by the order of other columns; those that end early read no
    more of other partitions."""
    lost: list[tuple[Group, int]] = []
    disturbed: dict[str, None] = {}
    for group in usage.groups:
        added = {name for _, name in fields}
        in_order = [name for name in columns_skipped_by(usage, group) if name not in added]
        if not in_order or STOPPED in group.traits:
            continue
        sampled = sum(lost_by(group, in_order, place) for place in range(len(group.sample)))
        if found := round(group.extrapolated(sampled)):
            lost.append((group, found))
            disturbed |= dict.fromkeys(in_order)
    return of_groups(lost, disturbed)


def _fields_beside(usage: TableUsage, spec_id: int) -> tuple[Field, ...]:
    """The present partition fields that another spec lacks."""
    spec = usage.metadata.specs(usage.schema).get(spec_id)
    there = set() if spec is None else {(f.transform, f.source_id) for f in spec.fields}
    return tuple(
        (field.transform, usage.names[field.source_id])
        for field in usage.partition_fields
        if field.source_id in usage.names and (field.transform, field.source_id) not in there
    )


def _is_coarser(field: Field, dropped: Sequence[Field]) -> bool:
    """Whether a field makes larger partitions of a column than one that it takes the place of."""
    transform, name = field
    return any(_is_larger(transform, other) for other, column in dropped if column == name)


def _is_larger(transform: str, other: str) -> bool:
    """Whether partitions by a transform hold more than by another one of the same column."""
    if other == "identity":
        return transform != other
    if transform in TIME_TRANSFORMS and other in TIME_TRANSFORMS:
        return TIME_TRANSFORMS.index(transform) < TIME_TRANSFORMS.index(other)
    kinds = {transform.partition("[")[0], other.partition("[")[0]}
    if kinds == {"bucket"}:
        return width(transform) < width(other)
    return kinds == {"truncate"} and width(transform) > width(other)


def _merged(usage: TableUsage, health: TableHealth, dropped: Sequence[Field]) -> float:
    """How many of the partitions become one."""
    partitions = health.partitions or 1
    if len(dropped) == len(usage.partition_fields):
        return float(partitions)
    counts = [_values(health, field) for field in dropped]
    return max(1.0, min(prod(count for count in counts if count is not None), partitions))


def _values(health: TableHealth, field: Field) -> int | None:
    """How many values a partition field has at most; None where nothing tells, or bounds and
    widths are such as cannot be."""
    transform, name = field
    column = health.column(name)
    count: int | None = None
    if transform.startswith("bucket["):
        count = width(transform)
    elif column is not None and transform in TIME_TRANSFORMS:
        count = units_of(column, transform)
    return None if count is None or count < 1 else count


def _reached(group: Group, health: TableHealth, field: Field, place: int, beside: float) -> float:
    """In how many values of a new field the rows lie that the scan at a place of the sample reads
    in one partition, and in so many beside it."""
    transform, name = field
    column, count = health.column(name), _values(health, field)
    assert count is not None
    asked: int | None
    if transform.startswith("bucket["):
        spans, asked = float(count), _listed(group.sample[place], name)
    else:
        assert column is not None
        spans = (1.0 if column.spanned is None else column.spanned) * count
        asked = _touched(column, transform, ranges_asked(group, column)[place])
    reached = min(float(count), max(1.0, spans) + beside)
    return reached if asked is None else min(reached, max(1, asked))


def _touched(column: ColumnHealth, transform: str, ranges: Ranges | None) -> int | None:
    cuts = cuts_of(transform, column)
    return None if cuts is None or ranges is None else cuts.touched(ranges)


def _listed(scan: SampledScan, name: str) -> int | None:
    """How many values of a column a scan asks for, at most; None where it asks for no values."""
    counts = [
        len(leaf.values)
        for part in scan.conjuncts
        if isinstance(leaf := part.predicate, BoundComparison)
        and leaf.op in (Op.EQ, Op.IN)
        and leaf.field.name == name
    ]
    return min(counts, default=None)
