"""Order of rows by which scans skip files now, and the scans that lose if a rewrite undoes it."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from math import exp, prod

from prunescope.audit_jobs.findings.condition import Condition
from prunescope.audit_jobs.findings.granularity import Ranges, cuts_of, ranges_asked
from prunescope.audit_jobs.findings.partitions_asked import values_of_field
from prunescope.audit_jobs.findings.sample import SampledScan
from prunescope.audit_jobs.findings.sorting import left_by_column, left_together
from prunescope.audit_jobs.findings.usage import Group, TableUsage
from prunescope.audit_jobs.health.model import ColumnHealth
from prunescope.audit_jobs.pruning.transforms import width
from prunescope.audit_jobs.tuning import ABOUT_ONE, COLUMNS_KEPT, FEW, HALF, NEARLY_ALL, SPREAD
from prunescope.audit_jobs.units import size
from prunescope.collectors.partitioning import PartitionField
from prunescope.collectors.predicates.model import all_of


@dataclass(frozen=True, slots=True)
class Disturbance:
    """Loss of scans by a sort: the bytes that they would read in addition, summed up, and how many
    `scans` these are, by their fingerprints. `columns` are those whose order is lost."""

    bytes: int
    scans: Mapping[str, int]
    columns: tuple[str, ...]

    @property
    def loss(self) -> str:
        """Words for which scans lose how many bytes, to begin a sentence on the net gain."""
        count = sum(self.scans.values())
        scan, lose = ("scan", "loses") if count == 1 else ("scans", "lose")
        losers = f"{scan} by {', '.join(self.columns)}" if self.columns else f"other {scan}"
        return f"{count:,} {losers} {lose} {size(self.bytes)} by it"

    @property
    def told(self) -> dict[str, object]:
        """Disturbance as evidence of a finding."""
        return {
            "bytes_lost_by_others": self.bytes,
            "losing_fingerprints": sorted(self.scans),
            "losing_scans": sum(self.scans.values()),
            "disturbed_columns": list(self.columns),
        }


UNDISTURBED = Disturbance(0, {}, ())
"""Nobody loses anything."""


def columns_skipped_by(usage: TableUsage, group: Group, dropped: Collection[str] = ()) -> list[str]:
    """The columns by whose order inside partitions a group may skip files, or by partitions of
    columns that are dropped."""
    files = group.sums.potential.files_total
    return [
        name
        for condition in group.conditions
        if condition.data_files_pruned > FEW * files
        and all(
            usage.names.get(field.source_id) in dropped or is_in_order_inside(usage, field)
            for field in usage.partition_fields_of(condition)
        )
        for name in condition.columns
    ]


def columns_in_order(usage: TableUsage, but: str | None = None) -> tuple[str, ...]:
    """The columns by whose order within partitions scans skip files, but for one, those first that
    let them skip most bytes."""
    found: dict[str, float] = {}
    for group in usage.groups:
        for name, skipped in _by_column(usage, group, but).items():
            found[name] = found.get(name, 0.0) + skipped
    return tuple(sorted(found, key=lambda name: (-found[name], name)))


def columns_kept(usage: TableUsage) -> tuple[str, ...]:
    """The columns that rows are to be sorted by where files are written anew, so that scans skip
    files as they do now: few, as those that come after tell hardly any rows apart."""
    return columns_in_order(usage)[:COLUMNS_KEPT]


def _by_column(usage: TableUsage, group: Group, column: str | None) -> dict[str, float]:
    """The bytes that the order of other columns than one lets a group skip."""
    found: dict[str, float] = {}
    for condition in group.conditions:
        if column not in condition.columns and not usage.partition_fields_of(condition):
            skipped = _bytes_by_order(usage, group, condition)
            if skipped:
                name = condition.columns[0]
                found[name] = found.get(name, 0.0) + skipped
    for field in usage.partition_fields:
        source = usage.names.get(field.source_id)
        if source is None or source == column or not is_in_order_inside(usage, field):
            continue
        share = share_skipped_inside(usage, group, field)
        if share:
            left = _left_by_partitions(usage, group, beside=field.source_id)
            found[source] = found.get(source, 0.0) + group.bytes_total * share * left
    return found


def _bytes_by_order(usage: TableUsage, group: Group, condition: Condition) -> float:
    """Bytes that a condition rules out by bounds of files thanks to the order of rows within
    partitions."""
    health, files = usage.health, group.sums.potential.files_total
    if not condition.columns or condition.data_files_pruned <= FEW * files:
        return 0.0
    if _is_by_chance(usage, group, condition):
        return 0.0
    if health is None or not health.data_files:
        return group.bytes_total * condition.data_files_pruned / files
    file = health.bytes / health.data_files
    skipped = condition.data_files_pruned * file
    in_partition = health.data_files / max(1, health.partitions or 1)
    if health.partitions is not None and in_partition <= ABOUT_ONE:
        return 0.0
    known = health.column(condition.columns[0])
    follows = (
        known is not None
        and known.depth is not None
        and health.partitions is not None
        and known.depth < health.partitions / 2
    )
    # Values that follow the partitions stay in theirs: a scan reads those at its ends as a whole.
    if follows:
        return min(skipped, group.count * in_partition * file)
    return skipped * _left_by_partitions(usage, group)


def _is_by_chance(usage: TableUsage, group: Group, condition: Condition) -> bool:
    """True if a condition rules files out because few rows match, not by an order of rows: ranges
    of files overlap, and it keeps about as many files as that few rows lie in by chance. Of F
    files, F·(1 − e^(−n/F)) hold any of n rows."""
    health = usage.health
    known = None if health is None else health.column(condition.columns[0])
    if health is None or known is None or known.overlap is None or condition.share is None:
        return False
    files = group.sums.potential.files_total
    kept = 1 - condition.data_files_pruned / files
    rows = condition.share * health.records
    usual = 1 - exp(-rows / max(1, health.data_files))
    return known.overlap >= NEARLY_ALL and kept >= HALF * usual


def _left_by_partitions(usage: TableUsage, group: Group, beside: int | None = None) -> float:
    """The share of a table's files that conditions on the columns of partition fields leave, but
    for those of one column: what others rule out elsewhere is ruled out anyway."""
    files = group.sums.potential.files_total
    by_column: dict[int, list[float]] = {}
    for condition in group.conditions:
        left = 1 - condition.data_files_pruned / files
        sources = {field.source_id for field in usage.partition_fields_of(condition)}
        for source in sources - {beside}:
            by_column.setdefault(source, []).append(left)
    return prod(map(left_together, by_column.values()))


def is_in_order_inside(usage: TableUsage, field: PartitionField) -> bool:
    """True if files inside a partition tell apart the values of the column that it is by: many of
    them do not overlap, or a value is in less than half of those that may have it."""
    health = usage.health
    known = None if health is None else health.column(usage.names.get(field.source_id, ""))
    if health is None or known is None or field.transform == "identity" or not health.partitions:
        return False
    if known.mixed is not None:
        return known.mixed < SPREAD
    # Of too few files of one partition to tell, all that have a value: those of a time's partition,
    # and of one by a hash any.
    is_hash = field.transform.startswith("bucket[")
    files = health.data_files if is_hash else health.partition_files or 0
    return known.depth is not None and known.depth < files / 2


def share_skipped_inside(usage: TableUsage, group: Group, field: PartitionField) -> float:
    """The share of a table that the scans of a group skip by the order inside the partitions of a
    field, on average: of the partitions that have what they ask for, the files that have not, if
    that is one or more. Nothing is where nothing tells which partitions have it."""
    health = usage.health
    column = None if health is None else health.column(usage.names[field.source_id])
    if health is None or column is None or not health.data_files:
        return 0.0
    skipped = 0.0
    for scan, ranges in zip(group.sample, ranges_asked(group, column), strict=True):
        asked = _share_of_partitions(field, column, scan, ranges)
        more = 0.0 if asked is None else asked - left_by_column(scan, column.name)
        skipped += more if more * health.data_files >= 1 else 0.0
    return skipped / len(group.sample)


def _share_of_partitions(
    field: PartitionField, column: ColumnHealth, scan: SampledScan, ranges: Ranges | None
) -> float | None:
    """The share of a table that is in the partitions of a field which a scan asks for, if these
    are alike: of buckets all, where it lists no values. None where nothing tells."""
    if field.transform.startswith("bucket["):
        predicate = all_of(*(part.predicate for part in scan.conjuncts))
        values = values_of_field(predicate, field)
        return 1.0 if values is None else min(1.0, values / width(field.transform))
    cuts = cuts_of(field.transform, column)
    return None if cuts is None or ranges is None else cuts.covered(ranges) / cuts.span


def is_in_order(usage: TableUsage, column: str) -> bool:
    """True if files tell values of a column apart as well as a sort inside partitions could: at
    most two files of each partition hold a value. If one partition has too few files to tell, the
    files of all partitions count."""
    known = usage.column(column)
    if usage.health is None or known is None or known.depth is None:
        return False
    of_value = usage.health.files_of_value(known)
    if of_value is not None:
        return of_value <= 2
    return known.depth <= 2 * (usage.health.partitions or 1)
