"""The domains that Trino makes of a filter, one per column, by which its connector plans."""

from __future__ import annotations

from collectors.predicates.calculations import Calculated
from collectors.predicates.column_domains import (
    MAX_RANGES,
    Domains,
    as_predicate,
    continuous,
    domains_of,
    spanned,
)
from collectors.predicates.domains import Domain, domain_of_leaf
from collectors.predicates.model import (
    FALSE,
    TRUE,
    And,
    BoundComparison,
    Column,
    Comparison,
    Or,
    Predicate,
    PredicateLeaf,
    Reason,
    Unsupported,
    all_of,
    any_of,
    conjuncts,
)
from collectors.predicates.operators import Op
from collectors.predicates.walks import fold, map_leaves
from collectors.sql.planners.trino_lists import without_lists

_DEL = 127

# Domains have no NaN, and the complement of a prefix is not made.
NO_DOMAIN = (Op.IS_NAN, Op.NOT_NAN, Op.NOT_STARTS_WITH)

# What stands beside the ranges of a nested field that are not all there is, which `typed` asks.
_REST = Unsupported(Reason.EXPRESSION, "other conditions", "other conditions")


def as_domains(predicate: Predicate) -> Predicate:
    """The conjunction of the domains of all columns (io.trino.sql.planner.DomainTranslator): of
    an OR over several columns, each column keeps the union of its domains, if every arm has one
    (TupleDomain.columnWiseUnion). That an arm cannot be true, Trino sees of some alone: it plans
    most of these as an AND of ORs (Trino 483)."""
    predicate = without_lists(predicate)
    if predicate == FALSE or _is_by_column(predicate):
        return predicate
    found = fold(predicate, _of_leaf, _all, _any)
    domains = all_of(*found.values())
    is_of_field = isinstance(domains, Or) and any(len(column.path) > 1 for column in found)
    return And((domains, _REST)) if is_of_field and domains != predicate else domains


def _is_by_column(predicate: Predicate) -> bool:
    """Whether it is one comparison each of some columns, which are their domains as they are."""
    parts = conjuncts(predicate)
    columns = {part.column for part in parts if isinstance(part, Comparison) and _has_domain(part)}
    return len(columns) == len(parts)


def _has_domain(leaf: Comparison) -> bool:
    return leaf.column.transform is None and leaf.op not in NO_DOMAIN


_Domains = dict[Column, Predicate]


def _of_leaf(leaf: PredicateLeaf) -> _Domains:
    match leaf:
        case Comparison(column=column) if _has_domain(leaf):
            return {column: leaf}
        case Unsupported(calculated=Calculated(calculation=calculation)):
            return {Column(calculation.path): leaf}  # its type decides
        case _:
            return {}


def _all(parts: list[_Domains]) -> _Domains:
    found: dict[Column, list[Predicate]] = {}
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
    """Whether LIKE becomes a range for a prefix (see `_with_range`)."""
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
