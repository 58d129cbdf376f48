"""Number of values that the filter of a scan lets through at most, of a column or of a partition
field."""

from __future__ import annotations

from collections.abc import Iterable

from prunescope.audit_jobs.findings.sample import SampledScan
from prunescope.audit_jobs.pruning.lifting import WITHOUT_OLD_FILES, lift_inclusive
from prunescope.collectors.partitioning import PartitionField, PartitionSpec
from prunescope.collectors.predicates.domains import Domain, Range, domain_of, intersection
from prunescope.collectors.predicates.model import Predicate, conjuncts
from prunescope.collectors.predicates.walks import comparisons

_WHOLE = ("int", "long", "date")
"""Types of which a range has so many values, and a list of these matches the same rows."""


def values_of_field(predicate: Predicate, field: PartitionField) -> int | None:
    """The number of values of a partition field that a filter lets through; None where it limits
    it to no number of values."""
    lifted = lift_inclusive(predicate, PartitionSpec(0, (field,)), WITHOUT_OLD_FILES)
    return values_asked(conjuncts(lifted))


def values_of(scan: SampledScan, column: str) -> int | None:
    """Number of values of a column of whole numbers or dates that the conditions of a scan on it
    let through; None if it is another column, or the number is unlimited."""
    return values_asked(
        part.predicate
        for part in scan.conjuncts
        if {(leaf.field.name, leaf.field.type in _WHOLE) for leaf in comparisons(part.predicate)}
        == {(column, True)}
    )


def values_asked(conditions: Iterable[Predicate]) -> int | None:
    """The number of values that conditions on one column, of physical whole numbers, let through
    together; None where they limit it to no number of values."""
    found = [domain for part in conditions if (domain := domain_of(part)) is not None]
    return _values(intersection(found)) if found else None


def _values(domain: Domain) -> int | None:
    counts = [_values_of(part) for part in domain.ranges]
    known = [count for count in counts if count is not None]
    return sum(known) + domain.nulls if len(known) == len(counts) else None


def _values_of(part: Range) -> int | None:
    if part.is_single_value:
        return 1
    low, high = part.low, part.high
    if isinstance(low, int) and isinstance(high, int):
        return max(0, high - low + 1 - (not part.low_in) - (not part.high_in))
    return None
