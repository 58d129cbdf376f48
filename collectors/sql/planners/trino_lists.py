"""Equalities of one function in an OR, of which Trino makes a list: it unwraps no function of a
list, but year() of values with gaps (SimplifyExpressions and UnwrapYearInComparison, Trino 483)."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from math import prod

from collectors.predicates.model import (
    And,
    Column,
    Comparison,
    Or,
    Predicate,
    PredicateLeaf,
    Reason,
    Unsupported,
    Written,
    all_of,
    any_of,
    conjuncts,
)
from collectors.predicates.walks import leaves, map_leaves

_YEAR = re.compile(r"YEAR\(|EXTRACT\(YEAR ", re.IGNORECASE)
_MOST_TIMES_AS_LONG = 2

_Part = str | Column | Predicate
"""What an expression of a query says: its text, the column that it compares as it is, or itself."""


def without_lists(predicate: Predicate) -> Predicate:
    """The whole filter of a table without the comparisons of functions that Trino has in a list."""
    return _without_lists(predicate, is_whole=True)


def _without_lists(predicate: Predicate, *, is_whole: bool) -> Predicate:
    match predicate:
        case And(children) if any(isinstance(child, Or) for child in children):
            return all_of(*(_without_lists(child, is_whole=False) for child in children))
        case Or(children) if any(map(_is_of_function, leaves(predicate))):
            listed = _listed(children, is_whole)
            kept = map_leaves(predicate, lambda leaf: _kept(leaf, listed)) if listed else predicate
            arms = kept.children if isinstance(kept, Or) else (kept,)
            return any_of(*(_without_lists(arm, is_whole=False) for arm in arms))
    return predicate


def _is_of_function(leaf: Predicate) -> bool:
    return isinstance(leaf, Comparison) and leaf.written is not None


def _kept(leaf: PredicateLeaf, listed: frozenset[str]) -> PredicateLeaf:
    match leaf:
        case Comparison(column=column, written=Written(text, redacted)) if text in listed:
            return Unsupported(Reason.FUNCTION, text, redacted, (".".join(column.path),))
    return leaf


def _listed(arms: Sequence[Predicate], is_whole: bool) -> frozenset[str]:
    """The equalities of functions that Trino has in a list, of the arms of an OR that is a whole
    filter or a part of one."""
    values: defaultdict[str, set[str]] = defaultdict(set)
    for part in _side_by_side([_parts(arm) for arm in arms], is_whole):
        if isinstance(part, str):
            function, is_equality, value = part.partition(" = ")
            if is_equality:
                values[function].add(value)
    return frozenset(
        f"{function} = {value}"
        for function, found in values.items()
        if len(found) > 1 and not (_YEAR.match(function) and _have_gaps(found))
        for value in found
    )


def _side_by_side(arms: list[dict[_Part, Predicate]], is_whole: bool) -> Iterator[_Part]:
    """The expressions that stand side by side in an OR: arms that are one, once what all have in
    common is taken out; and those of all arms, where a whole filter, which has nothing in common,
    becomes an AND of ORs that is not much longer (ExtractCommonPredicatesExpressionRewriter)."""
    common = set[tuple[_Part, Predicate]].intersection(*(set(arm.items()) for arm in arms))
    rests = [[part for part in arm if (part, arm[part]) not in common] for arm in arms]
    sizes = [len(rest) for rest in rests]
    is_short = prod(sizes) * len(sizes) <= _MOST_TIMES_AS_LONG * sum(sizes)
    is_spread = is_whole and not common and is_short
    for rest in rests:
        if is_spread or len(rest) == 1:
            yield from rest


def _parts(arm: Predicate) -> dict[_Part, Predicate]:
    """What the expressions of an arm say. A range of a column may be one."""
    found: defaultdict[_Part, list[Predicate]] = defaultdict(list)
    for conjunct in conjuncts(arm):
        found[_part(conjunct)].append(conjunct)
    return {part: said[0] if len(said) == 1 else And(tuple(said)) for part, said in found.items()}


def _part(conjunct: Predicate) -> _Part:
    told = {_of_leaf(leaf) for leaf in leaves(conjunct)}
    return told.pop() if len(told) == 1 else conjunct


def _of_leaf(leaf: Predicate) -> _Part:
    match leaf:
        case Comparison(column=column, written=None):
            return column
        case Comparison(written=written) if written is not None:
            return written.text
        case Unsupported(text=text):
            return text
    return leaf


def _have_gaps(values: set[str]) -> bool:
    years = {int(value) for value in values if value.isdecimal()}
    return len(years) < len(values) or max(years) - min(years) >= len(years)
