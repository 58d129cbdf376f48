"""Days of a time zone asked of partitions of UTC: `n` days then lie in `n + 1` partitions."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import replace
from math import sqrt
from typing import Any

from prunescope.audit_jobs.findings.added_conditions import with_its_place
from prunescope.audit_jobs.findings.attribution import layout_claim
from prunescope.audit_jobs.findings.building import of_group, together
from prunescope.audit_jobs.findings.cause import Cause
from prunescope.audit_jobs.findings.claims import LayoutClaim
from prunescope.audit_jobs.findings.condition import Condition
from prunescope.audit_jobs.findings.engines import originals, without_literals, written
from prunescope.audit_jobs.findings.granularity import units_of
from prunescope.audit_jobs.findings.local_days import Shifted, ends_range, is_shifted, shifted_scans
from prunescope.audit_jobs.findings.model import Confidence, Finding, Fix
from prunescope.audit_jobs.findings.selective import most_selective_as_measured
from prunescope.audit_jobs.findings.usage import Group, TableUsage
from prunescope.audit_jobs.health.model import TableHealth
from prunescope.audit_jobs.units import size
from prunescope.collectors.partitioning import PartitionField
from prunescope.collectors.predicates.model import BoundComparison, Field, all_of
from prunescope.collectors.predicates.operators import Op
from prunescope.collectors.predicates.walks import comparisons

_ID = "local_day_boundaries"
_ZONES = re.compile(
    r"FROM_UTC_TIMESTAMP|AT_?TIMEZONE|AT TIME ZONE|CONVERT_TIMEZONE"
    r"|\bDATE(TIME)?\([^(),]+, [^(),]+\)",
    re.IGNORECASE,
)
"""Functions that move a time to the clocks of a zone, as SQL is printed; the last is BigQuery's."""


def _claim(usage: TableUsage, group: Group) -> LayoutClaim | None:
    condition = most_selective_as_measured(usage, group)
    if condition is None or not isinstance(condition.predicate, BoundComparison):
        return None
    compared, fields = condition.predicate.field, usage.partition_fields_of(condition)
    if not any(is_shifted(group, compared, field.transform) for field in fields):
        return None
    return LayoutClaim(_ID, condition, compared.name, group.bytes_lost_by_layout)


def find(usage: TableUsage) -> Iterator[Finding]:
    """One finding per query and condition, for those of its scans whose range is that of local
    days; none where another cause loses more, where the engine does not give the range to the
    planner, which is another cause's, or where a condition names the zone: its days are meant."""
    of_query: dict[Hashable, list[Finding]] = {}
    for group in usage.groups:
        if _names_zone(group):
            continue
        claim = layout_claim(usage, group)
        if claim is not None and claim.cause != _ID:
            continue
        for column, field in _timed(usage, group):
            shifted = shifted_scans(group, column, field.transform)
            ends = _ends(group, column)
            if any(end.pushed is False for end in ends):
                continue
            extra = sum(_bytes_beyond(s, usage.health, column, field.transform) for s in shifted)
            extra = round(group.extrapolated(extra))
            if extra:
                found = _finding(usage, group, column, field, shifted, extra)
                query = group.fingerprint, group.example.engine, column, without_literals(ends)
                of_query.setdefault(query, []).append(found)
                break
    for findings in of_query.values():
        told = together(usage, findings)
        yield replace(told, evidence=_evidence([finding.evidence for finding in findings]))


def _ends(group: Group, column: Field) -> list[Condition]:
    """The conditions that are ends of a range of a column."""
    return [one for one in group.conditions if ends_range(one.predicate, column)]


def _evidence(found: Sequence[Mapping[str, Any]]) -> Mapping[str, Any]:
    """Merged evidence of one query whose filter has several shapes."""
    minutes = {shift for one in found for shift in one["shift_minutes"]}
    asked_for = sum(one["partitions_asked_for"] for one in found)
    return {**found[0], "shift_minutes": sorted(minutes), "partitions_asked_for": asked_for}


def _names_zone(group: Group) -> bool:
    leaves = (leaf for c in group.conditions for leaf in comparisons(c.predicate))
    return any(leaf.written and _ZONES.search(leaf.written.redacted) for leaf in leaves)


def _timed(usage: TableUsage, group: Group) -> Iterator[tuple[Field, PartitionField]]:
    """The columns of a group's conditions with the partition fields that they have."""
    for condition in group.conditions:
        for leaf in comparisons(condition.predicate):
            for field in usage.partition_fields:
                if field.source_id == leaf.field.field_id:
                    yield leaf.field, field


def _finding(
    usage: TableUsage,
    group: Group,
    column: Field,
    field: PartitionField,
    shifted: list[Shifted],
    stake: int,
) -> Finding:
    unit, ends = field.transform, _ends(group, column)
    hours = "" if unit == "hour" else _of_hours(usage, column)
    advice = (
        f"If {unit}s of UTC serve as well, write this instead: its range begins and ends as "
        f"{unit}s of UTC do. If the query names no zone, so that its {unit}s are the session's, a "
        "session in UTC asks for these too. Otherwise the range is right, and the extra partition "
        f"is its price{hours}."
    )
    return of_group(
        usage,
        group,
        _ID,
        confidence=Confidence.MEDIUM,
        conjunct=originals(ends),
        columns=(column.name,),
        lost_at="data_files",
        sentence=(
            f"The filter selects whole local {unit}s of {column.name}, but partitions are UTC "
            f"{unit}s. Each scan reads one extra partition."
        ),
        scans=round(group.extrapolated(len(shifted))),
        bytes_read=round(group.extrapolated(sum(found.scan.bytes_read for found in shifted))),
        bytes_at_stake=stake,
        evidence={
            "partition_field": field.name,
            "transform": unit,
            "shift_minutes": sorted({found.seconds // 60 for found in shifted}),
            "partitions_asked_for": round(
                group.extrapolated(sum(found.units for found in shifted))
            ),
        },
        fix=Fix(
            rewrite=_of_utc(group, column, ends[0], shifted[0], unit),
            advice=with_its_place(advice, group, [column.name]),
        ),
    )


def _of_utc(group: Group, column: Field, end: Condition, shifted: Shifted, unit: str) -> str:
    """The range of the nearest whole partitions, with as much of its ends as is no literal's."""
    start, until = shifted.of_utc
    ends = (BoundComparison(Op.GT_EQ, column, (start,)), BoundComparison(Op.LT, column, (until,)))
    text = written(group, end, all_of(*ends))
    moment = "? ?:00:00" if unit == "hour" else "? 00:00:00"
    return text.replace("?", f"TIMESTAMP '{moment} UTC'")


def _of_hours(usage: TableUsage, column: Field) -> str:
    """Advice about partitions by hour, which end with the days of most time zones; empty if the
    number of hours is unknown."""
    known = usage.column(column.name)
    hours = None if known is None else units_of(known, "hour")
    if usage.health is None or hours is None:
        return ""
    return (
        "; partitions by hour end with the days of most zones, and are worth it where an hour "
        f"fills files (here it has about {size(usage.health.bytes // hours)}, and files are to "
        f"have {size(usage.health.target_file_bytes)})"
    )


def _bytes_beyond(
    shifted: Shifted, health: TableHealth | None, column: Field, transform: str
) -> int:
    """Bytes that a scan has to read of the partition beyond those that it asks for, if all are
    alike: its files, or where their times are in order, as many of them as hold any one time. What
    an engine reads of others, as it does not know the range, is another cause's."""
    share = 1.0
    known = None if health is None else health.column(column.name)
    if health is not None and known is not None:
        if isinstance(known.low, int) and shifted.beyond[1] <= known.low:
            return 0  # the table has no such partition
        if isinstance(known.high, int) and shifted.beyond[0] > known.high:
            return 0
        units = units_of(known, transform)
        if units is not None and known.overlap is not None:
            share = _share_of_a_time(known.overlap, health.data_files, units)
    allowed = shifted.scan.bytes_allowed
    read = shifted.scan.bytes_read if allowed is None else allowed
    return round(read / (shifted.units + 1) * share)


def _share_of_a_time(overlap: float, files: int, partitions: int) -> float:
    """The share of a partition's files that hold a given time of it, if `overlap` of all pairs of
    files overlap, and none beyond a partition: of ranges that are each a share `w` of a partition
    and lie anywhere in it, pairs overlap with 1 - (1 - w)²."""
    each = files / max(1, partitions)
    if each <= 1:
        return 1.0
    within = min(1.0, overlap * (files - 1) / (each - 1))
    return float(max(1 / each, 1 - sqrt(1 - within)))


CAUSE = Cause(_ID, "Day boundaries not in UTC", find, of_layout=_claim)
