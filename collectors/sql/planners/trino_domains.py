"""The domains that Trino makes of a filter, one per column, by which its connector plans."""

from __future__ import annotations

from prunescope.collectors.predicates.column_domains import (
    MAX_RANGES,
    Domains,
    as_predicate,
    continuous,
    domains_of,
    spanned,
)
from prunescope.collectors.predicates.domains import Domain, domain_of_leaf
from prunescope.collectors.predicates.model import (
    FALSE,
    TRUE,
    And,
    BoundComparison,
    Comparison,
    Field,
    Predicate,
    PredicateLeaf,
    Unsupported,
    all_of,
    any_of,
    conjuncts,
)
from prunescope.collectors.predicates.operators import Op
from prunescope.collectors.predicates.walks import fold, leaves, map_leaves

_DEL = 127

# Domains have no NaN, and the complement of a prefix is not made.
NO_DOMAIN = (Op.IS_NAN, Op.NOT_NAN, Op.NOT_STARTS_WITH)


def with_domains(predicate: Predicate) -> Predicate:
    """An unbound predicate without parts that make no domain, whatever the types of columns are;
    parts beside nested fields are left to `typed`."""
    if any(
        isinstance(leaf, Comparison) and len(leaf.column.path) > 1 for leaf in leaves(predicate)
    ):
        return predicate
    return map_leaves(predicate, lambda leaf: leaf if _may_have_domain(leaf) else TRUE)


def _may_have_domain(leaf: PredicateLeaf) -> bool:
    match leaf:
        case Comparison(op, column):
            return column.transform is None and op not in NO_DOMAIN
        case Unsupported(calculated=calculated):
            return calculated is not None
    return True


def as_domains(predicate: Predicate) -> Predicate:
    """The conjunction of the domains of all columns of a bound predicate
    (io.trino.sql.planner.DomainTranslator): of an OR over several columns, each column keeps the
    union of its domains, if every arm has one (TupleDomain.columnWiseUnion)."""
    if predicate == FALSE or _is_by_column(predicate):
        return predicate
    return all_of(*fold(predicate, _of_leaf, _all, _any).values())


def _is_by_column(predicate: Predicate) -> bool:
    """True if a predicate is one comparison each of some columns, which are their domains
    already."""
    parts = conjuncts(predicate)
    columns = {
        part.field for part in parts if isinstance(part, BoundComparison) and _has_domain(part)
    }
    return len(columns) == len(parts)


def _has_domain(leaf: BoundComparison) -> bool:
    return leaf.field.transform is None and leaf.op not in NO_DOMAIN


_Domains = dict[Field, Predicate]


def _of_leaf(leaf: PredicateLeaf) -> _Domains:
    if isinstance(leaf, BoundComparison) and _has_domain(leaf):
        return {leaf.field: leaf}
    return {}


def _all(parts: list[_Domains]) -> _Domains:
    found: dict[Field, list[Predicate]] = {}
    for part in parts:
        for column, domain in part.items():
            found.setdefault(column, []).append(domain)
    return {column: all_of(*domains) for column, domains in found.items()}


def _any(arms: list[_Domains]) -> _Domains:
    shared = [column for column in arms[0] if all(column in arm for arm in arms[1:])]
    return {column: any_of(*(arm[column] for arm in arms)) for column in shared}


def as_expression(pushed: Predicate) -> Predicate:
    """The expression by which the connector plans what is pushed: the domain of each column, of
    too many ranges their span (ExpressionConverter, IcebergSplitSource of Trino 482), of values a
    list of any length (Trino 483). Conditions on one column that exclude each other let nothing
    through; those that all values meet between them, and null, are none."""
    domains = column_domains(pushed)
    if domains is None:
        return FALSE
    limiting = {field: found for field, found in domains.items() if not found.is_everything}
    return all_of(*(as_predicate(field, _compacted(found)) for field, found in limiting.items()))


def column_domains(pushed: Predicate) -> Domains | None:
    """The domain of each column that is pushed, of a bound predicate; None for none at all."""
    domains = domains_of(all_of(*map(_without_list, conjuncts(map_leaves(pushed, _with_range)))))
    if domains is None:
        return None
    return {field: continuous(field, found) for field, found in domains.items()}


def _without_list(conjunct: Predicate) -> Predicate:
    """A list of all whole numbers between two as a range, before others take anything out of it.
    Lists of an OR become one list first."""
    match conjunct:
        case BoundComparison(Op.IN | Op.NOT_IN, field):
            listed = domain_of_leaf(conjunct)
            found = None if listed is None else continuous(field, listed)
            return conjunct if found is None or found is listed else as_predicate(field, found)
    return conjunct


def _compacted(domain: Domain) -> Domain:
    is_list = all(part.is_single_value for part in domain.ranges)
    found = spanned(domain) if len(domain.ranges) > MAX_RANGES and not is_list else domain
    return Domain(found.ranges, found.nulls)


def ends_in_range(prefix: bytes) -> bool:
    """True if LIKE becomes a range for a prefix (see `_with_range`)."""
    return any(byte < _DEL for byte in prefix)


def _with_range(leaf: PredicateLeaf) -> Predicate:
    """A prefix as the range that LIKE becomes, which ends after the last character below DEL that
    the prefix has (DomainTranslator.createRangeDomain)."""
    match leaf:
        case BoundComparison(Op.STARTS_WITH, field, (bytes(prefix),)):
            last = max((at for at, byte in enumerate(prefix) if byte < _DEL), default=None)
            if last is None:
                return TRUE
            end = prefix[:last] + bytes([prefix[last] + 1])
            return And(
                (BoundComparison(Op.GT_EQ, field, (prefix,)), BoundComparison(Op.LT, field, (end,)))
            )
    return leaf
