"""Classes of a scan's conjuncts: how far planning answers each, by the rules of its engine."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from decimal import Context, localcontext
from typing import Any

from prunescope.audit_jobs.pruning.transforms import TIME_TRANSFORMS, apply
from prunescope.collectors.partitioning import PartitionField, PartitionSpec
from prunescope.collectors.predicates.column_domains import Domains, continuous
from prunescope.collectors.predicates.domains import Domain, Range, domain_of, intersection
from prunescope.collectors.predicates.literals import PhysicalValue
from prunescope.collectors.predicates.model import (
    BoundComparison,
    Field,
    Predicate,
    PredicateLeaf,
    Reason,
    Unsupported,
)
from prunescope.collectors.predicates.operators import Op
from prunescope.collectors.predicates.walks import fold, leaves
from prunescope.collectors.types import (
    MAX_DECIMAL_DIGITS,
    NANOS_PER_UNIT,
    decimal_parameters,
    from_unscaled,
)

ENFORCED = "enforced"
"""Answered completely by partitioning: no row has to be filtered."""
UNENFORCED = "unenforced"
"""Class of a conjunct that may prune, but whose rows must still be filtered."""
UNSUPPORTED = "unsupported"
"""No part of it reaches the table format."""
RUNTIME = "runtime"
"""A filter that the engine found while the query ran: planning cannot know it."""

_SHORT_DECIMAL_DIGITS = 18
_WITH_NEIGHBOURS = frozenset({"int", "long"} | set(NANOS_PER_UNIT))


def classify(
    parts: Sequence[Predicate],
    selecting: Sequence[bool],
    specs: Sequence[PartitionSpec],
    pushed: Domains | None = None,
    *,
    by_domains: bool,
) -> tuple[str, ...]:
    """The class of each of `parts`, the bound conjuncts of one filter, for a snapshot whose data is
    written under `specs`.

    `selecting` tells which of them select whole partitions (`selects_partitions`), `pushed` the
    domains that the engine pushes (None if unknown: the domains of all of them). If the engine
    plans `by_domains`, the rules are those of Trino 482 (IcebergMetadata.applyFilter): the
    conjuncts on one column make one domain, which is unsupported if it cannot become an Iceberg
    expression, enforced if a field of every spec can enforce it, and unenforced otherwise. A
    conjunct that does not become a domain is unsupported, whatever range of the column it implies.
    For other engines the test is Iceberg's own: enforced are the conjuncts that select whole
    partitions.
    """
    if by_domains:
        return _by_domains(parts, specs, pushed)
    return tuple(_by_lifts(part, selects) for part, selects in zip(parts, selecting, strict=True))


def is_remaining(conjunct_class: str) -> bool:
    """True if the engine evaluates a conjunct of this class again, above the scan."""
    return conjunct_class in (UNENFORCED, UNSUPPORTED)


def _by_lifts(part: Predicate, selects: bool) -> str:
    if isinstance(part, Unsupported) and part.reason is Reason.RUNTIME:
        return RUNTIME
    if not _has_comparison(part):
        return UNSUPPORTED
    return ENFORCED if selects else UNENFORCED


def _has_comparison(predicate: Predicate) -> bool:
    return fold(predicate, lambda leaf: not isinstance(leaf, Unsupported), any, all)


def _by_domains(
    parts: Sequence[Predicate], specs: Sequence[PartitionSpec], pushed: Domains | None
) -> tuple[str, ...]:
    single = [_single_domain(part) for part in parts]
    of_column: dict[Field, list[Domain]] = {}
    for found in single:
        if found is not None and _is_pushed(found, pushed):
            of_column.setdefault(found[0], []).append(found[1])
    class_of = {
        field: _of_domain(field, (pushed or {}).get(field, intersection(domains)), specs)
        for field, domains in of_column.items()
    }

    def of(part: Predicate, found: tuple[Field, Domain] | None) -> str:
        if found is None:
            return _partly(part, pushed)
        return class_of[found[0]] if _is_pushed(found, pushed) else UNSUPPORTED

    return tuple(of(part, found) for part, found in zip(parts, single, strict=True))


def _is_pushed(found: tuple[Field, Domain], pushed: Domains | None) -> bool:
    """True if the pushed domain of a column is at least as narrow as the domain that was found."""
    if pushed is None:
        return True
    field, domain = found
    if field not in pushed:
        return domain.is_everything
    known = _among_neighbours(field, pushed[field])
    together = intersection([known, _among_neighbours(field, domain)])
    return (together.ranges, together.nulls) == (known.ranges, known.nulls)


def _among_neighbours(field: Field, domain: Domain) -> Domain:
    """A domain with the values that bounds are next to in their place, of types that have such."""
    step = _step(field.type)
    if step is None:
        return domain
    found = (_inside(part, step) for part in domain.ranges)
    return replace(domain, ranges=tuple(part for part in found if not _is_empty(part)))


def _is_empty(part: Range) -> bool:
    low: Any = part.low
    return low is not None and part.high is not None and low > part.high


def _step(type_name: str) -> PhysicalValue | None:
    if type_name.startswith("decimal"):
        return from_unscaled(1, decimal_parameters(type_name)[1])
    return 1 if type_name in _WITH_NEIGHBOURS or type_name == "date" else None


def _inside(part: Range, step: Any) -> Range:
    low: Any = part.low
    high: Any = part.high
    with localcontext(Context(prec=MAX_DECIMAL_DIGITS + 1)):
        if low is not None and not part.low_in:
            low += step
        if high is not None and not part.high_in:
            high -= step
    return Range(low, high, low is not None, high is not None)


def _single_domain(part: Predicate) -> tuple[Field, Domain] | None:
    field = _only_field(part)
    domain = None if field is None else domain_of(part)
    return None if field is None or domain is None else (field, continuous(field, domain))


def _of_domain(field: Field, domain: Domain, specs: Sequence[PartitionSpec]) -> str:
    if field.type == "uuid" and not domain.is_null_check:  # Trino orders UUIDs otherwise
        return UNSUPPORTED
    if domain.is_everything:
        return ENFORCED
    if specs and all(
        any(_enforces(part, domain) for part in spec.fields if part.source_id == field.field_id)
        for spec in specs
    ):
        return ENFORCED
    return UNENFORCED


def _partly(part: Predicate, pushed: Domains | None) -> str:
    """The class of a conjunct that is no domain as a whole: a prefix keeps its LIKE above the
    scan, and an OR over columns gives each column that all its arms constrain a domain."""
    if isinstance(part, Unsupported) and part.reason is Reason.RUNTIME:
        return RUNTIME
    constrained = fold(
        part, _constrained, lambda parts: set().union(*parts), lambda arms: set.intersection(*arms)
    )
    if pushed is not None:
        constrained &= {field.field_id for field in pushed}
    return UNENFORCED if constrained else UNSUPPORTED


def _constrained(leaf: PredicateLeaf) -> set[int]:
    """The id of the column for which a leaf yields a domain, or the empty set."""
    match leaf:
        case BoundComparison(op, field):
            # Of a floating number that is none of several, Trino knows that it is not null.
            has_domain = op in (Op.STARTS_WITH, Op.NOT_IN) or domain_of(leaf) is not None
            is_comparable = field.type != "uuid" or op in (Op.IS_NULL, Op.NOT_NULL)
            return {field.field_id} if has_domain and is_comparable else set()
        case _:
            return set()


def _only_field(part: Predicate) -> Field | None:
    fields = {leaf.field if isinstance(leaf, BoundComparison) else None for leaf in leaves(part)}
    return fields.pop() if len(fields) == 1 else None


def _enforces(partition: PartitionField, domain: Domain) -> bool:
    """True if a partition field alone can decide the domain: always by identity, never by void; by
    bucket only that it is null (not that it is not: Trino 483); by the others if each bound and its
    neighbour beyond it have different partition values."""
    transform, source_type = partition.transform, partition.source_type
    if partition.result_type is None or source_type is None:
        return False
    if transform.startswith("bucket["):
        return not domain.ranges
    if transform == "identity" or domain.is_null_check:
        return True
    if transform not in TIME_TRANSFORMS and not transform.startswith("truncate["):
        return False
    if not _has_neighbours(source_type):
        return False
    return all(_is_aligned(part, transform, source_type) for part in domain.ranges)


def _has_neighbours(type_name: str) -> bool:
    """True if Trino knows the next value of a type: of decimals, up to 18 digits (Trino 483)."""
    if type_name.startswith("decimal"):
        return decimal_parameters(type_name)[0] <= _SHORT_DECIMAL_DIGITS
    return type_name in _WITH_NEIGHBOURS


def _is_aligned(part: Range, transform: str, source_type: str) -> bool:
    step: Any = _step(source_type)

    def differ(bound: Any, sign: int) -> bool:
        if bound is None:
            return True
        beyond = bound + sign * step
        return apply(transform, source_type, bound) != apply(transform, source_type, beyond)

    return differ(part.low, -1 if part.low_in else 1) and differ(
        part.high, 1 if part.high_in else -1
    )
