"""Equalities that all arms of an OR have: `(a.k = b.k AND p) OR (a.k = b.k AND q)` is
`a.k = b.k AND (p OR q)`, as Spark has it before it infers anything."""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot import exp

from prunescope.collectors.sql.text.boolean import AllOf, AnyOf, Formula, Leaf, conjuncts_of
from prunescope.collectors.sql.text.cost import spend

_Sides = frozenset[exp.Expr]


def factored(condition: Formula) -> tuple[Formula, ...]:
    """Conjuncts that together are equivalent to a condition, such equalities among them."""
    if not isinstance(condition, AnyOf):
        return (condition,)
    arms = [tuple(conjuncts_of(arm)) for arm in condition.parts]
    spend(len(arms))
    common = dict(_equalities(arms[0]))
    for arm in arms[1:] if common else ():
        others = dict(_equalities(arm))
        common = {sides: part for sides, part in common.items() if sides in others}
    if not common:
        return (condition,)
    rest = [tuple(part for part in arm if _sides(part) not in common) for arm in arms]
    found = tuple(common.values())
    return (*found, AnyOf(tuple(map(AllOf, rest)))) if all(rest) else found


def _equalities(conjuncts: tuple[Formula, ...]) -> Iterator[tuple[_Sides, Formula]]:
    for part in conjuncts:
        sides = _sides(part)
        if sides is not None:
            yield sides, part


def _sides(condition: Formula) -> _Sides | None:
    """The sides of an equality without constants, which are alike in all texts of a template."""
    match condition:
        case Leaf(exp.EQ(this=left, expression=right) as found, False):
            return None if found.find(exp.Literal) else frozenset({left, right})
    return None
