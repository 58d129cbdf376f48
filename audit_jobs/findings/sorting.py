"""Columns by which rows may be sorted: which filters select by them, and what the layout loses."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import compress
from statistics import fmean

from prunescope.audit_jobs.findings.condition import Condition
from prunescope.audit_jobs.findings.sample import SampledConjunct, SampledScan
from prunescope.audit_jobs.findings.selectivity import share_by_bounds
from prunescope.audit_jobs.findings.usage import Group
from prunescope.audit_jobs.health.model import ColumnHealth, TableHealth
from prunescope.audit_jobs.tuning import FEW, HALF
from prunescope.collectors.predicates.literals import PhysicalValue
from prunescope.collectors.predicates.model import BoundComparison, Predicate, all_of
from prunescope.collectors.predicates.operators import ORDERED, Op
from prunescope.collectors.predicates.walks import comparisons

RANGES = ORDERED | {Op.STARTS_WITH}
"""Operators that ask for all values between two."""


def bytes_lost_by_order(group: Group, column: str) -> int | None:
    """The part of a group's loss by layout that another order, or partitions, of `column` may win;
    None where nothing tells how many rows match. It is all of what the layout loses, but for scans
    by values that lie together as they came: what is pending, in the newest files. What a layout
    does win, its trial tells."""
    lost = group.bytes_lost_by_layout
    if group.health is None or lost is None:
        return None
    allowed = [one.bytes_allowed for one in group.sample]
    known = [size for size in allowed if size is not None]
    if len(known) < len(allowed):
        return None
    apart = [not _lie_together(group, one, column) for one in group.sample]
    whole = sum(known)
    return round(lost * sum(compress(known, apart)) / whole) if whole else 0


def asks_for_nulls(predicate: Predicate) -> bool:
    """True if a condition selects the nulls of a column, or all other rows: an order of values
    tells nothing of nulls."""
    return isinstance(predicate, BoundComparison) and predicate.op in (Op.IS_NULL, Op.NOT_NULL)


def _lie_together(group: Group, scan: SampledScan, column: str) -> bool:
    """True if few files hold the values (or nulls) that a scan asks for, while the column's other
    values are in all files: a sort would rewrite the whole table for rows that are already
    clustered. Always False for columns of partitions, and for ranges, as others are asked for
    tomorrow."""
    known = None if group.health is None else group.health.column(column)
    if known is None or is_cut_by(group, known.field_id):
        return False
    own = [part for part in scan.conjuncts if _is_of(part, column)]
    if (known.overlap or 0) <= HALF and not all(asks_for_nulls(part.predicate) for part in own):
        return False
    if any(leaf.op in RANGES for part in own for leaf in comparisons(part.predicate)):
        return False
    left, plan = left_by_column(scan, column), scan.potential
    if plan is not None and plan.files_total and len(own) == len(scan.conjuncts):
        left = min(left, plan.files_kept / plan.files_total)
    return left <= FEW


def is_cut_by(group: Group, field_id: int) -> bool:
    """True if a column is one by which the table is partitioned."""
    return group.spec is not None and any(f.source_id == field_id for f in group.spec.fields)


def other_columns(group: Group, column: str) -> tuple[str, ...]:
    """The other columns that the filter of a group selects by."""
    return tuple(name for name in compared_columns(group) if name != column)


def compared_columns(group: Group) -> tuple[str, ...]:
    """The columns on which the filter of a group is selective. Excludes conditions that most rows
    pass, such as the IS NOT NULL that engines add for compared columns and join keys."""
    return group.once("compared_columns", lambda: _compared_columns(group))


def _compared_columns(group: Group) -> tuple[str, ...]:
    names = dict.fromkeys(name for c in group.conditions for name in _compared(c))
    return tuple(name for name in names if _selects(group, name))


def _selects(group: Group, column: str) -> bool:
    """True if one condition with a column, or all of those on it together, leave at most half of
    the rows, as far as known: one end of a range may leave most."""
    own = [condition for condition in group.conditions if column in _compared(condition)]
    return any(map(_leaves_few, own)) or usual_share(group, column) <= HALF


def _leaves_few(condition: Condition) -> bool:
    if condition.share is not None:
        return condition.share <= HALF
    return not condition.says_not_null


def _compared(condition: Condition) -> list[str]:
    return [leaf.field.name for leaf in comparisons(condition.predicate)]


def usual_share(group: Group, column: str) -> float:
    """The share of rows that a group's conditions on one column match, on average; all where
    nothing tells."""
    if group.health is None:
        return 1.0
    shares = [share_of_column(scan, group.health, column) for scan in group.sample]
    return fmean(1.0 if share is None else min(1.0, share) for share in shares)


def files_of_list(
    values: Sequence[PhysicalValue], column: ColumnHealth | None, files: float
) -> float:
    """Number of files of a sorted table that hold any of k values: as if evenly spread if the
    column's bounds are numbers; else F·(1 − (1 − 1/F)ᵏ) of F files, as if the list were drawn at
    random.

    Holds for a partition of buckets as well: planners compare a file's bounds with the whole list,
    whichever bucket its values are in.
    """
    if files <= 1 or len(values) < 2:
        return min(1.0, files) if values else 0.0
    low, high = (None, None) if column is None else (column.low, column.high)
    if isinstance(low, int | float) and isinstance(high, int | float) and high > low:
        numbers = [float(value) for value in values if isinstance(value, int | float)]
        if len(numbers) == len(values):
            places = {int((n - low) / (high - low) * files) for n in numbers if low <= n <= high}
            return float(len(places))
    return float(files * (1 - (1 - 1 / files) ** len(values)))


def listed(scan: SampledScan, column: str) -> tuple[PhysicalValue, ...]:
    """The values of a column that a scan lists, none where it lists none: the shortest list
    counts."""
    lists = [
        leaf.values
        for part in scan.conjuncts
        if isinstance(leaf := part.predicate, BoundComparison)
        and leaf.op is Op.IN
        and leaf.field.name == column
    ]
    return min(lists, key=len, default=())


def share_of_column(scan: SampledScan, health: TableHealth, column: str) -> float | None:
    """The share of rows that the conditions on one column match: as sampled where there is one of
    them, else as bounds tell of all together, and no more than each of them does, as sampled; at
    least those that match the whole filter."""
    whole = scan.share
    if whole is None:
        return None
    own = [part for part in scan.conjuncts if _is_of(part, column)]
    if len(own) == len(scan.conjuncts):
        return whole
    bounds = share_by_bounds(all_of(*(part.predicate for part in own)), health)
    sampled = min((part.share for part in own if part.share is not None), default=None)
    told = [sampled] if sampled is not None and len(own) == 1 else [bounds, sampled]
    known = min((share for share in told if share is not None), default=1.0)
    return max(known, whole)


def left_by_column(scan: SampledScan, column: str) -> float:
    """The share of a table's files that a scan's conditions on one column leave, at least."""
    return left_together(part.kept for part in scan.conjuncts if _is_of(part, column))


def usually_left(groups: Sequence[Group], column: str) -> float:
    """Share of files left by the conditions on a column, on average over the sampled scans of
    groups."""
    return fmean(left_by_column(scan, column) for group in groups for scan in group.sample)


def left_together(shares: Iterable[float]) -> float:
    """Share of a table's files that conditions leave together, at least, given the share that each
    leaves alone."""
    return max(0.0, 1 - sum(1 - share for share in shares))


def share_within(share: float, kept: float) -> float:
    """Share of the part `kept` of a table that rows fill, if they are the share `share` of the
    table and all lie in that part."""
    return 1.0 if share >= kept else share / kept


def _is_of(part: SampledConjunct, column: str) -> bool:
    leaves = list(comparisons(part.predicate))
    return bool(leaves) and all(leaf.field.name == column for leaf in leaves)
