"""Bytes that conditions of a filter rule out by themselves."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence

from prunescope.audit_jobs.findings.sample import SampledConjunct
from prunescope.audit_jobs.findings.usage import Group
from prunescope.collectors.predicates.model import BoundComparison
from prunescope.collectors.predicates.operators import ORDERED, Op


def bytes_ruled_out(group: Group, places: Sequence[int]) -> int:
    """Bytes that an engine reads, and would skip by the conditions at some places of a group's
    filter alone: at least, as of the files of the table, and no more than by all conditions."""
    won = 0.0
    for scan in group.sample:
        if scan.bytes_allowed is not None:
            alone = scan.bytes_read * _share(scan.conjuncts[place] for place in places)
            won += min(alone, scan.bytes_read - scan.bytes_allowed)
    return round(group.extrapolated(won))


def _share(conjuncts: Iterable[SampledConjunct]) -> float:
    """The share of files that conjuncts rule out together, at least: the two ends of a range rule
    out others, and whatever else may be the same ones."""
    ends: dict[tuple[Hashable, bool], float] = {}
    for conjunct in conjuncts:
        end = _range_and_end(conjunct)
        ends[end] = max(ends.get(end, 0.0), 1 - conjunct.kept)
    both: dict[Hashable, float] = {}
    for (of_range, _), ruled_out in ends.items():
        both[of_range] = both.get(of_range, 0.0) + ruled_out
    return max(both.values())


def _range_and_end(conjunct: SampledConjunct) -> tuple[Hashable, bool]:
    match conjunct.predicate:
        case BoundComparison(op, field) if op in ORDERED:
            return field.field_id, op in (Op.GT, Op.GT_EQ)
    return conjunct.predicate, True
