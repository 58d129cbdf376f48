"""What numbers of a column are like: as long as those that the table has."""

from __future__ import annotations

from audit_jobs.health.model import TableHealth
from collectors.predicates.domains import Domain, Range
from collectors.predicates.model import Field, Predicate
from collectors.predicates.walks import comparisons


def usual_numbers(health: TableHealth | None, predicate: Predicate) -> dict[Field, Domain]:
    """For the columns of whole numbers that a predicate compares, all numbers of as many digits as
    the table's have: years have four, months one or two, days as numbers eight. None of columns
    with negative numbers, or of which no bounds are known."""
    found = {}
    for leaf in comparisons(predicate):
        field = leaf.field
        known = None if health is None else health.column(field.name)
        if known is None or field.transform is not None or field.type not in ("int", "long"):
            continue
        low, high = known.low, known.high
        if isinstance(low, int) and isinstance(high, int) and low >= 0:
            least = 10 ** (len(str(low)) - 1) if low >= 10 else 0
            most = 10 ** len(str(high)) - 1
            found[field] = Domain((Range(least, most, True, True),), nulls=False)
    return found
