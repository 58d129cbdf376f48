"""Columns that have another type now than at the snapshot that a scan read: a table that is created
anew in the place of another keeps the ids of columns that have the same names."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from prunescope.audit_jobs.health.model import TableHealth
from prunescope.audit_jobs.records import ConjunctRecord, ScanRecord
from prunescope.collectors.predicates.model import (
    BoundComparison,
    Predicate,
    PredicateLeaf,
    Reason,
    Unsupported,
)
from prunescope.collectors.predicates.render import redact, render
from prunescope.collectors.predicates.walks import comparisons, map_leaves
from prunescope.collectors.types import has_same_values


def as_types_are(record: ScanRecord, health: TableHealth | None) -> ScanRecord:
    """Record without comparisons of columns whose values do not fit their present types; the same
    one if there are none."""
    if health is None:
        return record
    types = {column.field_id: column.type for column in health.columns}
    conjuncts = tuple(_conjunct(part, types) for part in record.conjuncts)
    return record if conjuncts == record.conjuncts else replace(record, conjuncts=conjuncts)


def _is_of_others(leaf: BoundComparison, types: Mapping[int, str]) -> bool:
    now = types.get(leaf.field.field_id)
    return now is not None and not has_same_values(leaf.field.type, now)


def _conjunct(part: ConjunctRecord, types: Mapping[int, str]) -> ConjunctRecord:
    if not any(_is_of_others(leaf, types) for leaf in comparisons(part.counts.predicate)):
        return part

    def said(leaf: PredicateLeaf) -> Predicate:
        if not isinstance(leaf, BoundComparison) or not _is_of_others(leaf, types):
            return leaf
        # By its type, its shape is not that of the same comparison now.
        name = f"{leaf.field.name} ({leaf.field.type})"
        named = replace(leaf, field=leaf.field._replace(name=name))
        return Unsupported(Reason.UNKNOWN_COLUMN, render(named), redact(named), ())

    predicate = map_leaves(part.counts.predicate, said)
    return replace(part, counts=replace(part.counts, predicate=predicate, reasons={}))
