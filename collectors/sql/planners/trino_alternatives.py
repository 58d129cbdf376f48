"""An OR as Trino has it when it looks for domains: what its arms have in common is taken out of
them, a short one of ANDs that is a whole filter is an AND of ORs, and what one expression is to
equal is a list (ExtractCommonPredicatesExpressionRewriter and NormalizeOrExpressionRewriter of
Trino 483). It unwraps hardly any function, and few casts, of a list."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain, product
from math import prod

from sqlglot import exp

from prunescope.collectors.sql.text.boolean import AllOf, AnyOf, Formula, Leaf, conjuncts_of, leaves
from prunescope.collectors.sql.text.cost import spend
from prunescope.collectors.sql.text.drawn import is_drawn

_MOST_TIMES_AS_LONG = 2
_PLAIN = (exp.Column, exp.Dot, exp.Literal, exp.Boolean, exp.Null)

_Key = tuple[object, ...]


def is_read_anew(condition: AnyOf) -> bool:
    """True if an OR may be another condition for other constants, or than its parts are alone."""
    return any(isinstance(part, AllOf) for part in condition.parts) or not all(
        map(_is_of_plain_column, leaves(condition))
    )


def alternatives(condition: AnyOf, *, is_whole: bool) -> Formula:
    """The condition as Trino has it; `is_whole` is told of the whole filter of a scan. An OR with
    expressions that may have another value each time makes no domain."""
    drawn = next((leaf for leaf in leaves(condition) if is_drawn(leaf.expression)), None)
    if drawn is not None:
        return replace(drawn, is_converted=True)
    found = _factored(condition)
    return _listed(_distributed(found) if is_whole and isinstance(found, AnyOf) else found)


def _is_of_plain_column(leaf: Leaf) -> bool:
    """True if a leaf compares a column as it is with constants written as such: a list of these is
    equivalent to the comparisons."""
    return all(
        isinstance(part, _PLAIN) and (not part.is_number or part.is_int)
        for part in leaf.expression.iter_expressions()
    )


def _factored(condition: Formula) -> Formula:
    """An OR with the common parts of all its arms taken out, and put beside it."""
    if isinstance(condition, Leaf):
        return condition
    same = type(condition)
    found = map(_factored, condition.parts)
    parts = tuple(chain.from_iterable(p.parts if isinstance(p, same) else (p,) for p in found))
    if isinstance(condition, AllOf):
        return AllOf(parts)
    arms = [{_key(part): part for part in conjuncts_of(arm)} for arm in parts]
    spend(sum(map(len, arms)))
    common = [key for key in arms[0] if all(key in arm for arm in arms[1:])]
    if not common:
        return AnyOf(parts)
    rests = [tuple(part for key, part in arm.items() if key not in common) for arm in arms]
    shared = tuple(arms[0][key] for key in common)
    return _all((*shared, _any(tuple(map(_all, rests))))) if all(rests) else _all(shared)


def _distributed(condition: AnyOf) -> Formula:
    arms = [tuple(conjuncts_of(arm)) for arm in condition.parts]
    sizes = [len({_key(part) for part in arm}) for arm in arms]
    if prod(sizes) * len(sizes) > _MOST_TIMES_AS_LONG * sum(sizes):
        return condition
    return _all(tuple(map(_any, product(*arms))))


def _listed(condition: Formula) -> Formula:
    """A condition with a list for each expression that some arms of an OR want to equal values."""
    if isinstance(condition, Leaf):
        return condition
    parts = tuple(map(_listed, condition.parts))
    if isinstance(condition, AllOf):
        return AllOf(parts)
    terms: dict[_Key, list[Leaf]] = {}
    for part in parts:
        if isinstance(part, Leaf) and (key := _subject(part)) is not None:
            terms.setdefault(key, []).append(part)
    lists = {key: found for key, found in terms.items() if len(found) > 1}
    inside = {id(leaf) for found in lists.values() for leaf in found}
    others = tuple(part for part in parts if id(part) not in inside)
    return _any((*others, *map(_list, lists.values())))


def _subject(leaf: Leaf) -> _Key | None:
    """The expression that a leaf wants equal to values, and their types, which decide what Trino
    compares; None for any other leaf."""
    values = tuple(_values(leaf))
    if not values or isinstance(leaf.expression.this, exp.Query | exp.Tuple):
        return None
    return leaf.expression.this.unnest(), *sorted({_kind(value) for value in values})


def _values(leaf: Leaf) -> Iterator[exp.Expr]:
    match leaf.expression:
        case exp.In(expressions=values) if not leaf.negated and not leaf.expression.args.get(
            "unnest"
        ):
            yield from values
        case exp.EQ(expression=value) if not leaf.negated:
            yield value
        case exp.NEQ(expression=value) if leaf.negated:
            yield value


def _kind(constant: exp.Expr) -> str:
    match constant.unnest():
        case exp.Cast(to=target):
            return target.sql("trino")
        case exp.Literal(is_string=False) as number:
            return (
                "INTEGER"
                if number.is_int
                else "DOUBLE"
                if "e" in number.name.lower()
                else "DECIMAL"
            )
    return ""


def _list(terms: Sequence[Leaf]) -> Leaf:
    first = terms[0]
    values = [value.copy() for leaf in terms for value in _values(leaf)]
    listed = exp.In(this=first.expression.this.copy(), expressions=values)
    return replace(first, expression=listed, negated=False)


def _key(condition: Formula) -> _Key:
    if isinstance(condition, Leaf):
        return condition.expression, condition.negated
    return type(condition), *map(_key, condition.parts)


def _all(parts: tuple[Formula, ...]) -> Formula:
    return parts[0] if len(parts) == 1 else AllOf(parts)


def _any(parts: tuple[Formula, ...]) -> Formula:
    return parts[0] if len(parts) == 1 else AnyOf(parts)
