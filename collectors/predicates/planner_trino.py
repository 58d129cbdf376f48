"""What Trino's planner hands to the Iceberg connector: one domain per column."""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot import exp

from collectors.predicates.column_domains import MAX_RANGES, as_predicate, domains_of, spanned
from collectors.predicates.domains import Domain
from collectors.predicates.model import (
    FALSE,
    TRUE,
    And,
    BoundComparison,
    Column,
    Comparison,
    Field,
    LiteralValue,
    Op,
    Or,
    Predicate,
    Reason,
    Unsupported,
    all_of,
    any_of,
    conjuncts,
)
from collectors.predicates.sql_boolean import own_columns
from collectors.tables.schema import Schema
from collectors.types import is_floating

# UnwrapYearInComparison: trinodb/trino#16106, merged in February 2023; for IN #18092, July 2023.
_UNWRAPS_YEAR = (409,)
_UNWRAPS_YEAR_IN = (422,)
# UnwrapDateTruncInComparison for weeks and quarters: trinodb/trino#30197, July 2026.
_UNWRAPS_WEEKS = (483,)

# The Iceberg library of each release, by dep.iceberg.version of trino-root's pom.
_ICEBERG = {482: (1, 11, 0), 480: (1, 10, 1), 477: (1, 10, 0), 476: (1, 9, 1)}

_DEL = 127
_EXACT = 1 << 24  # beyond, REAL rounds whole numbers

# Domains have no NaN, and the complement of a prefix is not made.
_NO_DOMAIN = (Op.IS_NAN, Op.NOT_NAN, Op.NOT_STARTS_WITH)


def iceberg_version(version: tuple[int, ...]) -> tuple[int, ...]:
    """The Iceberg library that a Trino release plans with; empty (the newest) where the release
    is unknown, 1.8 for all that are older than the table."""
    if not version:
        return ()
    return next((library for first, library in _ICEBERG.items() if version >= (first,)), (1, 8))


def refusal(condition: exp.Expr, version: tuple[int, ...]) -> Reason | None:
    """Why Trino makes no domain of a condition: functions that this version does not unwrap."""
    in_list = isinstance(condition, exp.In)
    for function in condition.find_all(exp.Year, exp.Extract, exp.TimestampTrunc, exp.DateTrunc):
        if not own_columns(function):
            continue
        if isinstance(function, exp.Year | exp.Extract):
            known = _UNWRAPS_YEAR_IN if in_list else _UNWRAPS_YEAR
            if version and version < known:
                return Reason.FUNCTION
        elif in_list:  # trinodb/trino#18138 was closed without being merged
            return Reason.FUNCTION
        elif function.text("unit").upper() in ("WEEK", "QUARTER") and version < _UNWRAPS_WEEKS:
            return Reason.FUNCTION if version else None
    if in_list and condition.this.find(exp.Cast) and own_columns(condition.this):
        return Reason.CAST
    return None


def as_domains(predicate: Predicate) -> Predicate:
    """The conjunction of the domains of all columns (io.trino.sql.planner.DomainTranslator): of
    an OR over several columns, each column keeps the union of its domains, if every arm that can
    be true has one (TupleDomain.columnWiseUnion)."""
    if predicate == FALSE or _is_by_column(predicate):
        return predicate
    return all_of(*_domains(predicate).values())


def _is_by_column(predicate: Predicate) -> bool:
    """Whether it is one comparison each of some columns, which are their domains as they are."""
    parts = conjuncts(predicate)
    columns = {part.column for part in parts if isinstance(part, Comparison) and _has_domain(part)}
    return len(columns) == len(parts)


def _has_domain(leaf: Comparison) -> bool:
    return leaf.column.transform is None and leaf.op not in _NO_DOMAIN


def _domains(predicate: Predicate) -> dict[Column, Predicate]:
    match predicate:
        case And(children):
            found: dict[Column, list[Predicate]] = {}
            for child in children:
                for column, domain in _domains(child).items():
                    found.setdefault(column, []).append(domain)
            return {column: all_of(*domains) for column, domains in found.items()}
        case Or(children):
            every = [_domains(child) for child in children]
            arms = [arm for arm in every if not any(map(_is_empty, arm.values()))] or every[:1]
            shared = [column for column in arms[0] if all(column in arm for arm in arms[1:])]
            return {column: any_of(*(arm[column] for arm in arms)) for column in shared}
        case Comparison(column=column) if _has_domain(predicate):
            return {column: predicate}
        case _:
            return {}


def _is_empty(domain: Predicate) -> bool:
    """Whether a column has no value for which its conditions hold, whatever its type is: numbers
    and texts alone tell, as no type rounds these numbers, or takes different texts for the same."""
    if isinstance(domain, Comparison):
        return False
    kinds = {_kind(value) for leaf in _leaves(domain) for value in leaf.values}
    kind = kinds.pop() if kinds else "long"
    if kinds or kind is None:
        return False
    field = Field(0, "", kind)
    return domains_of(_assumed(domain, field)) is None


def _kind(value: LiteralValue) -> str | None:
    if isinstance(value, str):
        return "string"
    return "long" if type(value) is int and abs(value) <= _EXACT else None


def _leaves(predicate: Predicate) -> Iterator[Comparison]:
    match predicate:
        case And(children) | Or(children):
            for child in children:
                yield from _leaves(child)
        case Comparison():
            yield predicate


def _assumed(predicate: Predicate, field: Field) -> Predicate:
    match predicate:
        case And(children):
            return all_of(*(_assumed(child, field) for child in children))
        case Or(children):
            return any_of(*(_assumed(child, field) for child in children))
        case Comparison(op, _, values, or_nan=False):
            literals = (v.encode() if isinstance(v, str) else v for v in values)
            return BoundComparison(op, field, tuple(literals))  # type: ignore[arg-type]
    return TRUE


def of_io_plan(predicate: Predicate, schema: Schema) -> Predicate:
    """An unbound predicate of EXPLAIN (TYPE IO) without the comparisons that may be of another
    column: Trino prints the name of a nested field without those of its parents."""
    nested = {column.path[-1].lower() for column in schema.columns if len(column.path) > 1}
    match predicate:
        case And(children):
            return all_of(*(of_io_plan(child, schema) for child in children))
        case Or(children):
            return any_of(*(of_io_plan(child, schema) for child in children))
        case Comparison(_, column) if column.path[-1].lower() in nested:
            shown = f"domain of {column}"
            return Unsupported(Reason.AMBIGUOUS_COLUMN, shown, shown, (column.path[-1],))
    return predicate


def typed(predicate: Predicate, schema: Schema) -> Predicate:
    """An unbound predicate as Trino pushes it for columns of these types: a negated range of
    floating numbers holds NaN, which no domain does (DomainTranslator.extractOrderableDomain)."""
    match predicate:
        case And(children):
            return all_of(*(typed(child, schema) for child in children))
        case Or(children):
            return any_of(*(typed(child, schema) for child in children))
        case Comparison(column=column, or_nan=True):
            if any(is_floating(found.type) for found in schema.by_path(column.path)):
                shown = f"NOT of a range of {column}"
                return Unsupported(Reason.TYPE_MISMATCH, shown, shown, (".".join(column.path),))
    return predicate


def is_convertible(leaf: BoundComparison) -> bool:
    """Whether a comparison becomes a domain that the connector takes: of UUIDs, which Trino orders
    differently than Iceberg, only null checks do (ExpressionConverter of Trino 482), and no
    inequality of floating numbers does, as no range holds NaN (DomainTranslator)."""
    if leaf.field.type == "uuid":
        return leaf.op in (Op.IS_NULL, Op.NOT_NULL)
    return not (is_floating(leaf.field.type) and leaf.op in (Op.NOT_EQ, Op.NOT_IN))


def convertible(predicate: Predicate) -> Predicate:
    """A bound predicate without the comparisons that are not pushed. Nothing equals NaN."""
    match predicate:
        case And(children):
            return all_of(*(convertible(child) for child in children))
        case Or(children):
            return any_of(*(convertible(child) for child in children))
        case BoundComparison(Op.IS_NAN):
            return FALSE
        case BoundComparison(Op.NOT_NAN, field):
            return BoundComparison(Op.NOT_NULL, field)
        case BoundComparison(_, field) if not is_convertible(predicate):
            shown = f"condition on {field.type}"
            return Unsupported(Reason.TYPE_MISMATCH, shown, shown, (field.name,))
    return predicate


def as_expression(pushed: Predicate) -> Predicate:
    """The expression by which the connector plans what is pushed: the domain of each column, of
    too many ranges their span (ExpressionConverter, IcebergSplitSource of Trino 482). Conditions
    on one column that exclude each other let nothing through."""
    domains = domains_of(_with_ranges(pushed))
    if domains is None:
        return FALSE
    return all_of(*(as_predicate(field, _compacted(found)) for field, found in domains.items()))


def _compacted(domain: Domain) -> Domain:
    found = spanned(domain) if len(domain.ranges) > MAX_RANGES else domain
    return Domain(found.ranges, found.nulls)


def _with_ranges(predicate: Predicate) -> Predicate:
    """Prefixes as the ranges that LIKE becomes, which end after the last character below DEL that
    the prefix has (DomainTranslator.createRangeDomain)."""
    match predicate:
        case And(children):
            return all_of(*(_with_ranges(child) for child in children))
        case Or(children):
            return any_of(*(_with_ranges(child) for child in children))
        case BoundComparison(Op.STARTS_WITH, field, (bytes(prefix),)):
            last = max((at for at, byte in enumerate(prefix) if byte < _DEL), default=None)
            if last is None:
                return TRUE
            end = prefix[:last] + bytes([prefix[last] + 1])
            return And(
                (BoundComparison(Op.GT_EQ, field, (prefix,)), BoundComparison(Op.LT, field, (end,)))
            )
    return predicate
