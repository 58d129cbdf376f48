"""Files that had to be kept, of which readers then read every row group for a few rows."""

from __future__ import annotations

from collections.abc import Iterator

from audit_jobs.findings import wording
from audit_jobs.findings.additive import total
from audit_jobs.findings.attribution import bytes_claimed
from audit_jobs.findings.bloom_filters import filter_bytes, written_bytes
from audit_jobs.findings.building import of_groups
from audit_jobs.findings.cause import Cause
from audit_jobs.findings.condition import Condition
from audit_jobs.findings.engines import pushes
from audit_jobs.findings.model import Change, Confidence, Files, Finding, Fix, Severity, Wish
from audit_jobs.findings.selective import most_selective
from audit_jobs.findings.trials import usual_row_group
from audit_jobs.findings.usage import Group, TableUsage
from audit_jobs.findings.uuid_lookups import UUIDS_UNSERVED, is_lookup
from audit_jobs.health.model import TableHealth
from audit_jobs.tuning import HALF, LARGE_ROW_GROUP, LARGER
from audit_jobs.units import size
from collectors.predicates.model import BoundComparison
from collectors.predicates.operators import Op
from collectors.tables.properties import BLOOM_FILTER_BYTES, BLOOM_FILTER_OF

_ID = "row_groups_not_pruned"


def find(usage: TableUsage) -> Iterator[Finding]:
    """One finding per column, over all groups whose most selective condition is on it, that asks
    for rows in order within files; one over those that compare it by equality, that asks for a
    bloom filter; and one for each column of UUIDs that Trino looks up. What either wins, trials
    tell."""
    found: dict[tuple[str, bool], list[tuple[Group, int]]] = {}
    unserved: dict[str, list[Group]] = {}
    for group in usage.groups:
        condition = most_selective(usage, group)
        if condition is not None and _is_unserved(group, condition):
            if group.reads_most:
                unserved.setdefault(condition.columns[0], []).append(group)
        elif condition is not None and usage.health is not None:
            column = condition.columns[0]
            for by_filters, left in _wishes(usage, group, condition):
                lost = _lost(usage.health, group, left)
                if lost:
                    found.setdefault((column, by_filters), []).append((group, lost))
    for (column, by_filters), groups in found.items():
        stake = sum(lost for _, lost in groups)
        yield _finding(usage, column, [group for group, _ in groups], stake, by_filters=by_filters)
    yield from (_of_uuids_in_trino(usage, name, groups) for name, groups in unserved.items())


def _wishes(usage: TableUsage, group: Group, condition: Condition) -> Iterator[tuple[bool, float]]:
    """Yields if bloom filters may serve, with the share of what planners keep that is lost to
    these: all, as a filter serves whatever order there is; of an order within files, that which an
    order of files leaves."""
    predicate, properties = condition.predicate, usage.metadata.properties
    is_equality = isinstance(predicate, BoundComparison) and predicate.op in (Op.EQ, Op.IN)
    if is_equality and properties.get(BLOOM_FILTER_OF + condition.columns[0]) != "true":
        yield True, 1.0
    if usual_row_group(usage) is not None:
        yield False, _share_left(usage, group)


def _is_unserved(group: Group, condition: Condition) -> bool:
    """Whether the engine looks up UUIDs, and pushes nothing of it."""
    leaf = condition.predicate
    return (
        is_lookup(condition) and isinstance(leaf, BoundComparison) and pushes(group, leaf) is False
    )


def _share_left(usage: TableUsage, group: Group) -> float:
    """Of what planners keep, the share that a better layout of files leaves, as other causes ask
    for it; 0 where nothing tells."""
    claimed = bytes_claimed(usage, group)
    if claimed is None or not group.bytes_allowed:
        return 0.0
    return 1 - claimed / group.bytes_allowed


def _lost(health: TableHealth, group: Group, left: float) -> int:
    """Of such a share of what planners keep, the bytes of row groups that scans read beyond those
    of their rows, in no less than one row group; 0 where nobody knows that of one, and of scans
    that skip half of them or more."""
    lost = 0.0
    for scan in group.sample:
        plan = scan.potential
        if scan.share is None or plan is None:
            return 0
        considered, kept = plan.row_group_bytes_considered, plan.row_group_bytes_kept
        if considered and kept is not None and kept > HALF * considered:
            one = considered / max(1, plan.row_groups_considered or 0)
            lost += max(0.0, left * kept - max(scan.share * health.bytes, one))
    return round(group.extrapolated(lost))


def _finding(
    usage: TableUsage, column: str, groups: list[Group], stake: int, *, by_filters: bool
) -> Finding:
    plans = total(group.sums.potential for group in groups)
    considered, kept = plans.row_groups_considered, plans.row_groups_kept
    mean = plans.row_group_bytes // max(1, considered)
    return of_groups(
        usage,
        groups,
        _ID,
        confidence=Confidence.MEDIUM,
        columns=(column,),
        lost_at="row_groups",
        sentence=(
            f"{wording.scans(plans.plans, 'look')} "
            f"for few rows by {column}, with {kept:,} of "
            f"{considered:,} row groups read, because each holds values of the whole range."
        ),
        scans=plans.plans,
        bytes_at_stake=stake,
        evidence={
            "row_groups_considered": considered,
            "row_groups_kept": kept,
            "mean_row_group_bytes": mean,
        },
        fix=_fix_by_bloom_filter(usage, column, mean)
        if by_filters
        else _fix_by_order(usage, column, mean, stake),
    )


def _fix_by_order(usage: TableUsage, column: str, mean_bytes: int, stake: int) -> Fix:
    assert usage.health is not None
    advice, row_group_bytes = "Files are sorted within their partitions.", None
    wanted = min(mean_bytes, LARGE_ROW_GROUP)
    if written_bytes(usage.health, mean_bytes) > LARGER * wanted:
        row_group_bytes = wanted
        advice += (
            f" Row groups of {size(wanted)} let readers skip more than larger ones, as "
            "writers would make them; Trino's sessions set theirs by parquet_writer_block_size."
        )
    return Fix(
        advice=advice,
        change=Change(order=(column,), row_group_bytes=row_group_bytes, files=Files.ALL),
        wish=Wish(bytes_by_order=stake),
    )


def _fix_by_bloom_filter(usage: TableUsage, column: str, mean_bytes: int) -> Fix:
    assert usage.health is not None
    each = filter_bytes(usage.health, mean_bytes)
    return Fix(
        advice=f"A bloom filter serves equality only, and takes {size(each)} per row group of "
        f"this table, which every lookup reads; without `{BLOOM_FILTER_BYTES.name}` Spark makes it "
        "1 MiB, however few rows there are. Sorted files serve ranges as well, if no other filter "
        "needs another order.",
        change=Change(bloom_filters=((column, each),), files=Files.ALL),
    )


def _of_uuids_in_trino(usage: TableUsage, column: str, groups: list[Group]) -> Finding:
    """Trino neither plans by what is known of UUIDs nor gives its readers a condition on them."""
    scans = sum(group.count for group in groups)
    return of_groups(
        usage,
        groups,
        _ID,
        severity=Severity.INFO,
        confidence=Confidence.MEDIUM,
        columns=(column,),
        lost_at="data_files",
        sentence=(
            f"{wording.scans(scans, 'look')} for values of {column}, of type uuid, for which Trino "
            "pushes no condition to Iceberg: every file is read."
        ),
        bytes_at_stake=None,
        evidence={},
        fix=Fix(advice=UUIDS_UNSERVED),
    )


CAUSE = Cause(_ID, "Row groups not pruned", find)
