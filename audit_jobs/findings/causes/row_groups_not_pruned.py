"""Files that had to be kept, of which readers then read every row group for a few rows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from prunescope.audit_jobs.findings import wording
from prunescope.audit_jobs.findings.additive import total
from prunescope.audit_jobs.findings.attribution import bytes_claimed
from prunescope.audit_jobs.findings.bloom_filters import (
    filter_bytes,
    share_of_filters,
    written_bytes,
)
from prunescope.audit_jobs.findings.building import of_groups
from prunescope.audit_jobs.findings.cause import Cause
from prunescope.audit_jobs.findings.condition import Condition
from prunescope.audit_jobs.findings.engines import pushes
from prunescope.audit_jobs.findings.model import (
    Change,
    Confidence,
    Files,
    Finding,
    Fix,
    Severity,
    Wish,
)
from prunescope.audit_jobs.findings.sample import SampledScan
from prunescope.audit_jobs.findings.selective import most_selective
from prunescope.audit_jobs.findings.sorting import files_of_list, listed
from prunescope.audit_jobs.findings.usage import Group, TableUsage
from prunescope.audit_jobs.findings.uuid_lookups import UUIDS_UNSERVED, is_lookup
from prunescope.audit_jobs.health.model import TableHealth
from prunescope.audit_jobs.tuning import HALF, LARGE_ROW_GROUP, LARGER, SMALL
from prunescope.audit_jobs.units import size
from prunescope.collectors.predicates.model import BoundComparison
from prunescope.collectors.predicates.operators import Op
from prunescope.collectors.tables.properties import BLOOM_FILTER_BYTES, BLOOM_FILTER_OF

_ID = "row_groups_not_pruned"


def find(usage: TableUsage) -> Iterator[Finding]:
    """One finding per column, over all groups whose most selective condition is on it; and one
    for each column of UUIDs that Trino looks up."""
    found: dict[tuple[str, bool], list[tuple[Group, int]]] = {}
    unserved: dict[str, list[Group]] = {}
    for group in usage.groups:
        condition = most_selective(usage, group)
        if condition is not None and _is_unserved(group, condition):
            if group.reads_most:
                unserved.setdefault(condition.columns[0], []).append(group)
            continue
        if condition is None or usage.health is None:
            continue
        # A bloom filter serves where no order does, and whatever order there is.
        is_rare = _is_rare_equality(usage, group, condition)
        filtered = _won_by_filters(usage.health, group, condition) if is_rare else 0
        left = _share_left(usage, group)
        won = filtered or _won_by_order(usage.health, group, condition, left)
        if won:
            found.setdefault((condition.columns[0], filtered > 0), []).append((group, won))
    for (column, by_filters), groups in found.items():
        stake = sum(won for _, won in groups)
        yield _finding(usage, column, [group for group, _ in groups], stake, by_filters=by_filters)
    yield from (_of_uuids_in_trino(usage, name, groups) for name, groups in unserved.items())


def _is_unserved(group: Group, condition: Condition) -> bool:
    """True if a condition looks up UUIDs and the engine does not push it."""
    leaf = condition.predicate
    return (
        is_lookup(condition) and isinstance(leaf, BoundComparison) and pushes(group, leaf) is False
    )


def _share_left(usage: TableUsage, group: Group) -> float:
    """Share of the bytes kept by planners that a better layout of files leaves, as other causes ask
    for it; 0 if unknown."""
    claimed = bytes_claimed(usage, group)
    if claimed is None or not group.bytes_allowed:
        return 0.0
    return 1 - claimed / group.bytes_allowed


class _Unpruned(NamedTuple):
    """Scan that keeps `kept` bytes of row groups, in files of `within` row groups each, of which
    `one` has that many bytes."""

    scan: SampledScan
    files: int
    kept: int
    within: float
    one: float


def _unpruned(group: Group) -> list[_Unpruned]:
    """Sampled scans of a group that keep most bytes of row groups; none if that is unknown for
    one."""
    found = []
    for scan in group.sample:
        plan = scan.potential
        if scan.share is None or plan is None:
            return []
        groups, considered = plan.row_groups_considered, plan.row_group_bytes_considered
        kept = plan.row_group_bytes_kept
        if groups and considered and kept is not None and kept > HALF * considered:
            within, one = groups / max(1, plan.files_kept), considered / groups
            found.append(_Unpruned(scan, plan.files_kept, kept, within, one))
    return found


def _won_by_order(health: TableHealth, group: Group, condition: Condition, left: float) -> int:
    """Bytes of row groups that scans skip once values are sorted within files, of the share `left`
    of the bytes that planners keep. Scans then read the row groups of their rows and one more in
    each file, or for a list those that hold any of its values."""
    won = 0.0
    for scan, kept_files, kept, within, one in _unpruned(group):
        files = max(1.0, left * kept_files)
        touched = max(1.0, files_of_list(listed(scan, condition.columns[0]), None, within))
        rows = (scan.share or 0.0) * health.bytes
        won += max(0.0, left * kept - max(rows + files * one, touched * files * one))
    return round(group.extrapolated(won))


def _won_by_filters(health: TableHealth, group: Group, condition: Condition) -> int:
    """Bytes of row groups that scans skip with bloom filters. Scans then read the filters of all
    row groups, and the row groups (of the size that they get once written) that may hold a value.
    It is unknown whether a value exists: one lies in at least one row group, several in as many as
    if drawn at random."""
    met = _share_met(health, group, condition)
    won = 0.0
    for scan, _, kept, _, one in _unpruned(group):
        values, written = listed(scan, condition.columns[0]), written_bytes(health, one)
        touched = max(1.0, files_of_list(values, None, kept / written))
        may_hold = max(touched * written, met * written / one * kept)
        won += max(0.0, kept - may_hold - share_of_filters(health, one) * kept)
    return round(group.extrapolated(won))


def _is_rare_equality(usage: TableUsage, group: Group, condition: Condition) -> bool:
    """True if a bloom filter helps: an equality with values that few row groups hold, on a column
    without a filter."""
    enabled = usage.metadata.properties.get(BLOOM_FILTER_OF + condition.columns[0]) == "true"
    predicate = condition.predicate
    if not isinstance(predicate, BoundComparison) or predicate.op not in (Op.EQ, Op.IN):
        return False
    if enabled or usage.health is None:
        return False
    return _share_met(usage.health, group, condition) <= SMALL


def _share_met(health: TableHealth, group: Group, condition: Condition) -> float:
    """The share of the row groups of what is kept that have a value which a scan asks for, at most:
    if each row that matches is in another one, of as many as sampled rows tell, and three more (the
    upper end of a 95 % interval where none was), of files whose bounds do not tell. Rows that were
    not sampled may match as well. All where no such file was sampled. Files that are ruled out have
    none: what is kept has that of all."""
    place = group.conditions.index(condition)
    parts = [scan.conjuncts[place] for scan in group.sample]
    found = {part.predicate: part.matching for part in parts if part.matching is not None}
    sampled = sum(matching.candidate_rows for matching in found.values())
    matched = sum(matching.share * matching.rows for matching in found.values())
    plans = group.sums.potential
    if not sampled or not plans.files_kept:
        return 1.0
    row_groups = max(1, plans.row_groups_considered)
    rows = health.records * plans.row_group_bytes / row_groups / max(1, health.bytes)
    return min(1.0, (matched + 3) / sampled * rows * plans.files_total / plans.files_kept)


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
        confidence=Confidence.LOW if by_filters else Confidence.MEDIUM,
        columns=(column,),
        lost_at="row_groups",
        sentence=(
            f"{wording.scans(plans.plans, 'look')} up few rows on {column} and still read {kept:,} "
            f"of {considered:,} row groups: each row group spans the whole range of values."
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
            f" Set row groups to {size(wanted)}, so that readers skip more. In Trino, set the "
            f"session property parquet_writer_block_size."
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
        advice=(
            f"Bloom filters help equality only. Each lookup reads {size(each)} per row group. Set "
            f"`{BLOOM_FILTER_BYTES.name}`, or Spark writes 1 MiB per filter. Sorting also helps "
            f"ranges, unless another filter needs a different sort order."
        ),
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
            f"{wording.scans(scans, 'look')} up UUIDs in {column}. Trino pushes no condition on "
            f"UUIDs to Iceberg: every file is read."
        ),
        bytes_at_stake=None,
        evidence={},
        fix=Fix(advice=UUIDS_UNSERVED),
    )


CAUSE = Cause(_ID, "Row groups not pruned", find)
