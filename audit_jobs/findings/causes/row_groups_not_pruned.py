"""Files that had to be kept, of which readers then read every row group for a few rows."""

from __future__ import annotations

from collections.abc import Iterator

from audit_jobs.findings import wording
from audit_jobs.findings.additive import total
from audit_jobs.findings.attribution import bytes_claimed
from audit_jobs.findings.bloom_filters import filter_bytes, share_of_filters
from audit_jobs.findings.building import of_groups
from audit_jobs.findings.cause import Cause
from audit_jobs.findings.condition import Condition
from audit_jobs.findings.engines import pushes
from audit_jobs.findings.model import Confidence, Finding, Fix, Layout, Severity
from audit_jobs.findings.selective import most_selective
from audit_jobs.findings.sorting import files_of_list, listed
from audit_jobs.findings.statements import (
    spark_properties,
    spark_rewrite,
    spark_sort,
    trino_bloom_filter,
    trino_sort,
)
from audit_jobs.findings.usage import Group, TableUsage
from audit_jobs.findings.uuid_lookups import is_lookup
from audit_jobs.units import size
from collectors.predicates.model import BoundComparison
from collectors.predicates.operators import Op
from collectors.tables.properties import BLOOM_FILTER_BYTES, BLOOM_FILTER_OF, ROW_GROUP_BYTES

_ID = "row_groups_not_pruned"

_MOST = 0.5
"""Pruning has failed where more than this share of the bytes of row groups is kept."""
_RARE = 0.25
"""A value that so many row groups have, or fewer, is one that bloom filters tell of."""
_LARGE = 32 * 1024 * 1024


def find(usage: TableUsage) -> Iterator[Finding]:
    """One finding per column, over all groups whose most selective condition is on it; and one
    for each column of UUIDs that Trino looks up."""
    found: dict[tuple[str, bool], list[tuple[Group, int, int]]] = {}
    unserved: dict[str, list[Group]] = {}
    for group in usage.groups:
        condition = most_selective(usage, group)
        if condition is not None and _is_unserved(group, condition):
            if group.reads_most:
                unserved.setdefault(condition.columns[0], []).append(group)
            continue
        if condition is None:
            continue
        is_rare = _is_rare_equality(usage, group, condition)
        left = _share_left(usage, group)
        beside = _bytes_won(usage, group, condition, left, is_rare=is_rare)
        # A bloom filter serves where no order does, and whatever order there is.
        won = _bytes_won(usage, group, condition, 1.0, is_rare=True) if is_rare else beside
        if won:
            of_column = found.setdefault((condition.columns[0], is_rare), [])
            of_column.append((group, won, won - beside))
    for (column, by_equality), groups in found.items():
        stake, instead = sum(won for _, won, _ in groups), sum(more for _, _, more in groups)
        of_groups = [group for group, _, _ in groups]
        yield _finding(usage, column, of_groups, stake, instead if by_equality else None)
    yield from (_of_uuids_in_trino(usage, name, groups) for name, groups in unserved.items())


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


def _bytes_won(
    usage: TableUsage, group: Group, condition: Condition, left: float, *, is_rare: bool
) -> int:
    """Of such a share of what planners keep, the bytes of row groups that a scan need not read once
    values are in order within files: it then reads those of its rows, and in each file one row
    group more, or of a list those that hold any of its values. With a bloom filter, which serves
    rare values, it reads those that it meets a value of, and the filters of all."""
    health = usage.health
    if health is None:
        return 0
    column = condition.columns[0]
    met = _share_met(group, condition) if is_rare else 1.0
    won = 0.0
    for scan in group.sample:
        share, plan = scan.share, scan.potential
        if share is None or plan is None:
            return 0
        considered, kept = plan.row_group_bytes_considered, plan.row_group_bytes_kept
        if not plan.row_groups_considered or not considered or kept is None:
            continue
        if kept > _MOST * considered:
            one = considered / plan.row_groups_considered
            filters = share_of_filters(health, one) if is_rare else 0.0
            files = max(1.0, left * plan.files_kept)
            within = plan.row_groups_considered / max(1, plan.files_kept)
            touched = max(1.0, files_of_list(listed(scan, column), None, within))
            ordered = max(share * health.bytes + files * one, touched * files * one)
            read = min(ordered, met * left * kept) + filters * left * kept
            won += max(0.0, left * kept - read)
    return round(group.extrapolated(won))


def _is_rare_equality(usage: TableUsage, group: Group, condition: Condition) -> bool:
    """Whether a bloom filter serves: a condition of equality with values that no sampled row had,
    or few files of the sample, on a column without one."""
    assert isinstance(condition.predicate, BoundComparison)
    enabled = usage.metadata.properties.get(BLOOM_FILTER_OF + condition.columns[0]) == "true"
    if condition.predicate.op not in (Op.EQ, Op.IN) or enabled:
        return False
    return condition.share == 0 or _share_met(group, condition) <= _RARE


def _share_met(group: Group, condition: Condition) -> float:
    """The share of the row groups of what is kept that have a value which a scan asks for, at most:
    as of sampled files whose bounds do not tell, if each sampled row that matches was in another
    one, and three more were (the upper end of a 95 % interval where none was). All where no such
    file was sampled. Files that are ruled out have none: what is kept has that of all."""
    place = group.conditions.index(condition)
    parts = [scan.conjuncts[place] for scan in group.sample]
    found = {part.predicate: part.matching for part in parts if part.matching is not None}
    files = sum(matching.candidates for matching in found.values())
    rows = sum(matching.share * matching.rows for matching in found.values())
    plans = group.sums.potential
    if not files or not plans.files_kept:
        return 1.0
    return min(1.0, (rows + 3) / files * plans.files_total / plans.files_kept)


def _finding(
    usage: TableUsage, column: str, groups: list[Group], stake: int, instead: int | None
) -> Finding:
    """By a bloom filter, if so many of the bytes at stake are what a layout wins `instead`."""
    plans = total(group.sums.potential for group in groups)
    considered, kept = plans.row_groups_considered, plans.row_groups_kept
    mean = plans.row_group_bytes // max(1, considered)
    return of_groups(
        usage,
        groups,
        _ID,
        confidence=Confidence.MEDIUM if instead is None else Confidence.LOW,
        columns=(column,),
        lost_at="row_groups",
        sentence=(
            f"{wording.scans(plans.plans, 'look')} "
            f"for few rows by {column}, with {kept:,} of "
            f"{considered:,} row groups read, because each holds values from everywhere."
        ),
        scans=plans.plans,
        bytes_at_stake=stake,
        evidence={
            "row_groups_considered": considered,
            "row_groups_kept": kept,
            "mean_row_group_bytes": mean,
        },
        fix=_fix_by_order(usage, column, mean, stake)
        if instead is None
        else _fix_by_bloom_filter(usage, column, mean, instead),
    )


def _fix_by_order(usage: TableUsage, column: str, mean_bytes: int, stake: int) -> Fix:
    spark = spark_sort(usage.table, [column])
    advice = "Files are sorted within their partitions."
    if mean_bytes > _LARGE:
        properties = {ROW_GROUP_BYTES.name: str(_LARGE)}
        spark = (spark_properties(usage.table, properties), *spark)
        advice += (
            f" Row groups of {_LARGE // 1024**2} MiB let readers skip more than the default of "
            "128 MiB; Trino's sessions set theirs by parquet_writer_block_size."
        )
    return Fix(
        spark=spark,
        trino=trino_sort(usage.table, [column]),
        advice=advice,
        layout=Layout(order=(column,), bytes_by_order=stake),
    )


def _fix_by_bloom_filter(usage: TableUsage, column: str, mean_bytes: int, instead: int) -> Fix:
    assert usage.health is not None
    each = filter_bytes(usage.health, mean_bytes)
    properties = {BLOOM_FILTER_OF + column: "true", BLOOM_FILTER_BYTES.name: str(each)}
    return Fix(
        spark=(spark_properties(usage.table, properties), spark_rewrite(usage.table)),
        trino=trino_bloom_filter(usage.table, column),
        advice=f"A bloom filter serves equality alone, and takes {size(each)} per row group of "
        f"this table, which every lookup reads; where `{BLOOM_FILTER_BYTES.name}` does not say "
        "so, Spark makes it 1 MiB, however few rows there are. Sorted files serve ranges as well, "
        "where no other filter needs their order.",
        layout=Layout(bytes_instead=instead),
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
            f"{wording.scans(scans, 'look')} for values of {column}, of type uuid, of which Trino "
            "tells Iceberg nothing: every file is read."
        ),
        bytes_at_stake=None,
        evidence={},
        fix=Fix(
            advice="Neither order nor buckets nor a bloom filter of this column help Trino; "
            "buckets and bloom filters help Spark with equality. Add a condition on another "
            "column, best one of a partition field, or keep the key as text, with rows in order."
        ),
    )


CAUSE = Cause(_ID, "Row groups not pruned", find)
