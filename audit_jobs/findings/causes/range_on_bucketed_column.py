"""Ranges of a column whose partitions are buckets: a hash keeps no order, so a range lies in all
of them."""

from __future__ import annotations

from collections.abc import Iterator

from prunescope.audit_jobs.findings import wording
from prunescope.audit_jobs.findings.alignment import is_well_known
from prunescope.audit_jobs.findings.attribution import claimed_columns, query_claim
from prunescope.audit_jobs.findings.building import of_groups
from prunescope.audit_jobs.findings.cause import Cause
from prunescope.audit_jobs.findings.claims import LayoutClaim
from prunescope.audit_jobs.findings.disturbance import is_in_order
from prunescope.audit_jobs.findings.engines import identifier_for_all
from prunescope.audit_jobs.findings.granularity import time_transform
from prunescope.audit_jobs.findings.model import Change, Confidence, Files, Finding, Fix, Wish
from prunescope.audit_jobs.findings.partitions_asked import values_of
from prunescope.audit_jobs.findings.selective import most_selective_as_measured
from prunescope.audit_jobs.findings.sorting import RANGES, bytes_lost_by_order
from prunescope.audit_jobs.findings.usage import Group, TableUsage
from prunescope.audit_jobs.pruning.transforms import width
from prunescope.audit_jobs.tuning import HALF
from prunescope.collectors.partitioning import PartitionField
from prunescope.collectors.predicates.model import BoundComparison
from prunescope.collectors.predicates.operators import Op
from prunescope.collectors.predicates.walks import comparisons

_ID = "range_on_bucketed_column"

_SERVE = "Other queries ask for single values or join by it, which buckets serve, so they stay."
_MORE_WINDOWS = (
    "No buckets are dropped before audits of seven days have seen all queries of the table: others "
    "may ask for single values, which buckets serve."
)
_OVERWRITTEN = "Statements overwrite or drop whole buckets, which others would break, so they stay."


def _claim(usage: TableUsage, group: Group) -> LayoutClaim | None:
    """The bucket of a range of one value is known, whether an engine looks for it alone or not."""
    condition = most_selective_as_measured(usage, group)
    if condition is None or not isinstance(condition.predicate, BoundComparison):
        return None
    name, fields = condition.predicate.field.name, usage.partition_fields_of(condition)
    is_bucketed = fields and all(field.transform.startswith("bucket[") for field in fields)
    if not is_bucketed or condition.predicate.op not in RANGES:
        return None
    if all(values_of(scan, name) == 1 for scan in group.sample):
        return None
    return LayoutClaim(_ID, condition, name, group.bytes_lost_by_layout)


def find(usage: TableUsage) -> Iterator[Finding]:
    """One finding per bucketed column. Where all ranges are of few values, a list of these prunes
    by buckets; of one value the statistics alone know its bucket, where engines look for ranges
    in all. Else, where other scans ask it for single values, or may do so in windows that nobody
    has seen, the buckets stay, and rows are sorted inside them; else they go: for days, months or
    years of a time where those leave whole files, for an order of rows over the whole table
    otherwise."""
    for column, groups in claimed_columns(usage, _ID).items():
        yield from _findings(usage, column, groups)
    of_one: dict[str, list[Group]] = {}
    for group in usage.groups:
        name = _column_of_one_value(usage, group)
        if name is not None and query_claim(usage, group, _ID):
            of_one.setdefault(name, []).append(group)
    for column, groups in of_one.items():
        stake = sum(group.bytes_lost_by_query for group in groups)
        yield _as_list(usage, column, groups, _bucket_field(usage, column), stake)


def _bucket_field(usage: TableUsage, column: str) -> PartitionField:
    return next(
        field
        for field in usage.partition_fields
        if usage.names.get(field.source_id) == column and field.transform.startswith("bucket[")
    )


def _findings(usage: TableUsage, column: str, groups: list[Group]) -> Iterator[Finding]:
    field = _bucket_field(usage, column)
    points = _points(usage, column)
    listed = [_bytes_lost_by_lists(group, column, width(field.transform)) for group in groups]
    if None not in listed:
        yield _as_list(usage, column, groups, field, sum(won or 0 for won in listed))
        return
    if is_in_order(usage, column):
        return
    keep = points > 0 or usage.overwrites > 0 or not is_well_known(usage)
    transform = None
    if not keep:
        transform = time_transform(usage, groups, column, replaced=width(field.transform))
    stake = sum(bytes_lost_by_order(group, column) or 0 for group in groups)
    evidence = {**_told(field), "scans_for_single_values": points, "new_field": transform}
    yield _found(
        usage,
        column,
        groups,
        stake,
        evidence,
        _kept(column, stake, _why_kept(usage, points))
        if keep
        else _replaced(column, field, transform, stake),
    )


def _found(
    usage: TableUsage,
    column: str,
    groups: list[Group],
    stake: int,
    evidence: dict[str, object],
    fix: Fix,
) -> Finding:
    return of_groups(
        usage,
        groups,
        _ID,
        confidence=Confidence.MEDIUM if all(g.rows_sampled for g in groups) else Confidence.LOW,
        columns=(column,),
        lost_at="manifests",
        sentence=(
            f"Range filters on {column} cannot prune its buckets: a range has rows in all of them."
        ),
        bytes_at_stake=stake,
        evidence=evidence,
        fix=fix,
    )


def _why_kept(usage: TableUsage, points: int) -> str:
    if points:
        return _SERVE
    return _OVERWRITTEN if usage.overwrites else _MORE_WINDOWS


def _bytes_lost_by_lists(group: Group, column: str, buckets: int) -> int | None:
    """Bytes that the scans of a group would skip if they listed the values of their ranges: k
    values are in about N·(1 − (1 − 1/N)ᵏ) of N buckets. None if any range has too many values, or
    an unknown number."""
    won = 0.0
    for scan in group.sample:
        values = values_of(scan, column)
        if values is None or scan.bytes_allowed is None:
            return None
        skipped = (1 - 1 / buckets) ** values
        if skipped < HALF:
            return None
        won += skipped * scan.bytes_allowed
    return min(round(group.extrapolated(won)), group.bytes_lost_by_layout or 0)


def _column_of_one_value(usage: TableUsage, group: Group) -> str | None:
    """The bucketed column of which all scans of a group ask for a range of one value: statistics
    rule out the other buckets."""
    names = (usage.names.get(field.source_id, "") for field in usage.partition_fields)
    for name in dict.fromkeys(names):
        fields = [f for f in usage.partition_fields if usage.names.get(f.source_id) == name]
        is_ranged = not any(
            leaf.op in (Op.EQ, Op.IN)
            for leaf in comparisons(group.predicate)
            if leaf.field.name == name
        )
        if (
            is_ranged
            and all(field.transform.startswith("bucket[") for field in fields)
            and all(values_of(scan, name) == 1 for scan in group.sample)
        ):
            return name
    return None


def _is_of_one_value(usage: TableUsage, group: Group) -> bool:
    return _column_of_one_value(usage, group) is not None


def _as_list(
    usage: TableUsage, column: str, groups: list[Group], field: PartitionField, stake: int
) -> Finding:
    name = identifier_for_all(groups, column)
    advice = (
        f"The ranges have few values. Write each as a list, {name} IN (…), of all values that lie "
        "between: it matches the same rows, and planners look for each value only in its bucket. "
        "Nothing has to be rewritten in the table."
    )
    fix = Fix(advice=advice)
    return _found(usage, column, groups, stake, {**_told(field), "as_list": True}, fix)


def _told(field: PartitionField) -> dict[str, object]:
    return {"partition_field": field.name, "buckets": width(field.transform)}


def _points(usage: TableUsage, column: str) -> int:
    """Scans that buckets serve: those that ask for single values of the column, or join by it."""
    field = _bucket_field(usage, column)
    return sum(
        group.count
        for group in usage.groups
        if field in usage.partition_fields_joined(group)
        or any(
            leaf.field.name == column and leaf.op in (Op.EQ, Op.IN)
            for leaf in comparisons(group.predicate)
        )
    )


def _kept(column: str, stake: int, why: str) -> Fix:
    return Fix(
        advice=(
            f"{why} A range then still reads a file of each. Cost: one rewrite of the whole table."
        ),
        change=Change(order=(column,), files=Files.ALL),
        wish=Wish(bytes_by_order=stake),
    )


def _replaced(column: str, field: PartitionField, transform: str | None, stake: int) -> Fix:
    dropped = ((field.transform, column),)
    if transform is not None:
        return Fix(
            advice="Cost: one rewrite of the whole table.",
            change=Change(added=((transform, column),), dropped=dropped, files=Files.ALL),
        )
    return Fix(
        advice=wording.SORTED_ONCE,
        change=Change(dropped=dropped, order=(column,), files=Files.ALL),
        wish=Wish(bytes_by_order=stake),
    )


CAUSE = Cause(_ID, "Range on a bucketed column", find, of_filter=_is_of_one_value, of_layout=_claim)
