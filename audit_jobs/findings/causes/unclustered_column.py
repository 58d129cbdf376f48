"""A selective filter on a column whose values are spread over all files."""

from __future__ import annotations

from collections.abc import Iterator

from prunescope.audit_jobs.findings import wording
from prunescope.audit_jobs.findings.attribution import layout_claims
from prunescope.audit_jobs.findings.building import of_groups
from prunescope.audit_jobs.findings.cause import Cause
from prunescope.audit_jobs.findings.claims import Lack, LayoutClaim
from prunescope.audit_jobs.findings.engines import pushes
from prunescope.audit_jobs.findings.model import Change, Confidence, Files, Finding, Fix, Wish
from prunescope.audit_jobs.findings.selective import most_selective
from prunescope.audit_jobs.findings.sorting import (
    asks_for_nulls,
    bytes_lost_by_order,
    is_cut_by,
    other_columns,
    usually_left,
)
from prunescope.audit_jobs.findings.statements import (
    has_curve,
    spark_identifier,
)
from prunescope.audit_jobs.findings.usage import Group, TableUsage
from prunescope.audit_jobs.findings.uuid_lookups import buckets, has_no_order, is_lookup
from prunescope.audit_jobs.health.model import ColumnHealth
from prunescope.audit_jobs.tuning import HALF
from prunescope.collectors.predicates.model import BoundComparison

_ID = "unclustered_column"


def _claim(usage: TableUsage, group: Group) -> LayoutClaim | None:
    """Claims the rest of the layout's loss, after all earlier causes. For values that engines order
    in different ways, buckets serve instead, if the engine pushes lookups of them."""
    condition = most_selective(usage, group)
    if condition is None:
        return None
    column, predicate = condition.columns[0], condition.predicate
    if not has_no_order(condition):
        won = bytes_lost_by_order(group, column)
    elif (
        isinstance(predicate, BoundComparison) and is_lookup(condition) and pushes(group, predicate)
    ):
        won = None if buckets(usage, column) is None else group.bytes_lost_by_layout
    else:
        return None
    return LayoutClaim(_ID, condition, column, won, Lack.ORDER)


def find(usage: TableUsage) -> Iterator[Finding]:
    """One finding per column, over all groups whose most selective condition is on it and that a
    sort order would serve, or buckets, of UUIDs."""
    by_column: dict[str, list[tuple[Group, int]]] = {}
    lookups: dict[str, list[tuple[Group, int]]] = {}
    for group, claim in layout_claims(usage, _ID):
        if not claim.bytes_won:
            continue
        known = usage.column(claim.column)
        if is_lookup(claim.condition):
            lookups.setdefault(claim.column, []).append((group, claim.bytes_won))
        elif known is None or not known.is_clustered or asks_for_nulls(claim.condition.predicate):
            by_column.setdefault(claim.column, []).append((group, claim.bytes_won))
    for column, groups in by_column.items():
        yield _finding(usage, column, [group for group, _ in groups], sum(w for _, w in groups))
    for column, groups in lookups.items():
        yield _of_uuids(usage, column, [group for group, _ in groups], sum(w for _, w in groups))


def _finding(usage: TableUsage, column: str, groups: list[Group], stake: int) -> Finding:
    cut = _cut_by_partitions(usage)
    compared = dict.fromkeys(name for group in groups for name in other_columns(group, column))
    others = [name for name in compared if name not in cut]
    sampled = all(group.rows_sampled for group in groups) and not compared
    known = usage.column(column)
    evidence: dict[str, object] = {
        "other_columns": others,
    }
    if known is not None and usage.health is not None:
        evidence |= {
            "files": usage.health.data_files,
            "overlap": known.overlap,
            "depth": known.depth,
        }
    return of_groups(
        usage,
        groups,
        _ID,
        confidence=Confidence.MEDIUM if sampled else Confidence.LOW,
        columns=(column,),
        lost_at="data_files",
        sentence=_sentence(usage, groups, column, known),
        bytes_at_stake=stake,
        evidence=evidence,
        fix=Fix(
            advice=_advice(usage, column, others),
            change=Change(order=(column,), files=Files.ALL),
            wish=Wish(bytes_by_order=stake, of_spread=True, any_columns=True),
        ),
    )


def _sentence(
    usage: TableUsage, groups: list[Group], column: str, known: ColumnHealth | None
) -> str:
    scans = wording.scans(sum(group.count for group in groups), "filter")
    asked = [most_selective(usage, group) for group in groups]
    if all(one is not None and asks_for_nulls(one.predicate) for one in asked):
        many = "all" if usually_left(groups, column) > HALF else "many"
        return (
            f"{scans} on NULL or NOT NULL of {column}. The few matching rows are in {many} files. "
            f"Sorting puts NULLs first and together."
        )
    return (
        f"{scans} on {column}, but the table is not clustered by it: values are in "
        f"{_where(usage, groups, known)}."
    )


def _where(usage: TableUsage, groups: list[Group], known: ColumnHealth | None) -> str:
    if known is None or known.overlap is None:
        # Counts alone may tell files apart: of nulls.
        kept = sum(group.sums.potential.files_kept for group in groups)
        total = sum(group.sums.potential.files_total for group in groups)
        return "several files" if kept < HALF * total else "all files"
    if known.overlap > HALF:
        return _among_all(groups, known)
    return "all files of a partition" if usage.partition_fields else "many files"


def _among_all(groups: list[Group], known: ColumnHealth) -> str:
    """Words for the files that hold the values that scans ask for, if a column's values are in all
    files."""
    if usually_left(groups, known.name) > HALF:
        return "all files"
    if is_cut_by(groups[0], known.field_id):
        return "all files of the partitions that have them"
    return "several files"


def _cut_by_partitions(usage: TableUsage) -> set[str]:
    """The columns that partition fields put in order: a Z-order by them wins nothing, and costs the
    others."""
    return {
        usage.names[field.source_id]
        for field in usage.partition_fields
        if field.source_id in usage.names and not field.transform.startswith("bucket[")
    }


def _advice(usage: TableUsage, column: str, others: list[str]) -> str:
    advice = wording.SORTED_ONCE
    types = {one.name: one.type for one in usage.metadata.schema(None).columns}
    curved = [one for one in (column, *others) if has_curve(one, types.get(one, ""))]
    if column not in curved or len(curved) == 1:
        return advice
    together = ", ".join(map(spark_identifier, curved))
    return (
        f"{advice} The filters also compare other columns. If those are as selective, the sort "
        f"order zorder({together}) serves all of them."
    )


def _of_uuids(usage: TableUsage, column: str, groups: list[Group], stake: int) -> Finding:
    number = buckets(usage, column)
    transform = f"bucket[{number}]"
    scans = sum(group.count for group in groups)
    return of_groups(
        usage,
        groups,
        _ID,
        confidence=Confidence.MEDIUM,
        columns=(column,),
        lost_at="data_files",
        sentence=(
            f"{wording.scans(scans, 'look')} up UUIDs in {column}, which are in all files. Engines "
            f"compare UUID bounds differently, so use buckets, not a sort."
        ),
        bytes_at_stake=stake,
        evidence={"buckets": number},
        fix=Fix(
            advice="Cost: one rewrite of the whole table. Spark prunes by buckets, and "
            "with a bloom filter reads few row groups without them; Trino does neither for UUIDs. "
            "Keys that grow with time (version 7) are clustered as they are written.",
            change=Change(added=((transform, column),), files=Files.ALL),
        ),
    )


CAUSE = Cause(_ID, "Table not clustered by a filtered column", find, of_layout=_claim)
