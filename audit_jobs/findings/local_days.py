"""Ranges of days, months or years that some time zone has, and partitions do not: those are of
UTC (table spec, "Partition Transforms")."""

from __future__ import annotations

import datetime as dt
from collections import Counter
from dataclasses import dataclass

from prunescope.audit_jobs.findings.sample import SampledScan
from prunescope.audit_jobs.findings.usage import Group
from prunescope.audit_jobs.pruning.transforms import TIME_TRANSFORMS
from prunescope.collectors.predicates.calendar import EPOCH
from prunescope.collectors.predicates.model import BoundComparison, Field, Predicate
from prunescope.collectors.predicates.operators import Op
from prunescope.collectors.types import NANOS_PER_UNIT

_NANOS_PER_SECOND = 1_000_000_000
_STEP = 15 * 60
_HOUR = 3600
_DAY = 24 * _HOUR
_FURTHEST = 14 * _HOUR


@dataclass(frozen=True, slots=True)
class Shifted:
    """A scan whose range spans whole partitions but for a shift of its ends: by `seconds` against
    UTC, over `units` years, months, days or hours. `beyond` is the part of it that lies in one
    partition more, `of_utc` what begins and ends with partitions instead, both half-open, in
    physical values."""

    scan: SampledScan
    seconds: int
    units: int
    beyond: tuple[int, int]
    of_utc: tuple[int, int]


def ends_range(predicate: Predicate, field: Field) -> bool:
    """True if a conjunct is an end of a range of a column."""
    match predicate:
        case BoundComparison(
            Op.GT_EQ | Op.LT | Op.LT_EQ, Field(field.field_id, transform=None), (int(),)
        ):
            return True
    return False


def shifted_scans(group: Group, field: Field, transform: str) -> list[Shifted]:
    """The sampled scans of a group whose range on a column with a zone begins and ends beside
    boundaries of a time transform, both by the same number of quarters of an hour, as the days of a
    time zone do. Where its clocks change in between, the two differ by an hour. None where most of
    them are not of one zone: windows that move with the hour of a run are days of none."""
    if transform not in TIME_TRANSFORMS or not field.type.startswith("timestamptz"):
        return []
    scans = (_shifted(scan, field, transform) for scan in group.sample)
    found = [shifted for shifted in scans if shifted is not None]
    shifts = Counter(shifted.seconds for shifted in found)
    of_a_zone = max((count + shifts[one + _HOUR] for one, count in shifts.items()), default=0)
    return found if of_a_zone * 2 > len(found) else []


def is_shifted(group: Group, field: Field, transform: str) -> bool:
    """True if most sampled scans of a group have a range shifted as `shifted_scans` says."""
    return len(shifted_scans(group, field, transform)) * 2 > len(group.sample)


def _shifted(scan: SampledScan, field: Field, transform: str) -> Shifted | None:
    starts, ends = [], []
    for part in scan.conjuncts:
        match part.predicate:
            case BoundComparison(Op.GT_EQ, Field(field.field_id, transform=None), (int(value),)):
                starts.append(value)
            case BoundComparison(Op.LT, Field(field.field_id, transform=None), (int(value),)):
                ends.append(value)
            case BoundComparison(Op.LT_EQ, Field(field.field_id, transform=None), (int(value),)):
                ends.append(value + 1)
    if not starts or not ends:
        return None
    start, end = max(starts), min(ends)
    first, last = _nearest(start, field, transform), _nearest(end, field, transform)
    if first is None or last is None or not _is_one_zone(first[1], last[1], transform):
        return None
    units = last[0] - first[0]
    if units <= 0:
        return None
    per_second = _NANOS_PER_SECOND // NANOS_PER_UNIT[field.type]
    of_utc = start - first[1] * per_second, end - last[1] * per_second
    beyond = (of_utc[1], end) if first[1] > 0 else (start, of_utc[0])
    return Shifted(scan, first[1], units, beyond, of_utc)


def _is_one_zone(first: int, last: int, transform: str) -> bool:
    """True if two shifts may be of one time zone, whose clocks may change in between. From midnight
    to one o'clock is no such range, though London has it once a year."""
    if first * last <= 0:
        return False
    return first == last or (transform != "hour" and abs(first - last) == _HOUR)


def _nearest(value: int, field: Field, transform: str) -> tuple[int, int] | None:
    """The nearest boundary of a transform, in its units, and how many seconds later a value is;
    None where no time zone is so far from it."""
    seconds, rest = divmod(value * NANOS_PER_UNIT[field.type], _NANOS_PER_SECOND)
    if rest or seconds % _STEP:
        return None
    try:
        unit, boundary = _round(seconds, transform)
    except OverflowError:
        return None
    shift = seconds - boundary
    return (unit, shift) if abs(shift) <= _FURTHEST else None


def _round(seconds: int, transform: str) -> tuple[int, int]:
    """The number of the nearest hour, day, month or year, and when it begins. Raises
    OverflowError beyond the years 1 to 9999."""
    if transform in ("hour", "day"):
        size = _HOUR if transform == "hour" else _DAY
        unit = (seconds + size // 2) // size
        return unit, unit * size
    # What is up to 14 hours before a month or a year begins belongs to it.
    near = EPOCH + dt.timedelta(seconds=seconds + _FURTHEST)
    month = 1 if transform == "year" else near.month
    boundary = int((dt.datetime(near.year, month, 1) - EPOCH).total_seconds())
    return near.year if transform == "year" else near.year * 12 + month, boundary
