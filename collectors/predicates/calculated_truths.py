"""Columns that are true or false, as the numbers 1 and 0 that engines cast them to: `CAST(f AS
integer) = 1` is `f = true`."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from collectors.predicates.calculated_inverse import numbers
from collectors.predicates.calculated_kinds import UnknownResult, kind_of
from collectors.predicates.calculations import Calculated, Conversion
from collectors.predicates.model import Column, Comparison, Predicate, all_of, any_of
from collectors.predicates.operators import Op


def of_truth(column: Column, found: Calculated) -> tuple[Predicate, bool]:
    """What a comparison says of a column of booleans that is cast to a number first, and whether
    that is exact. Raises UnknownResult for any other."""
    match found.calculation.steps:
        case [Conversion(name), *others]:
            calculation = replace(found.calculation, steps=tuple(others))
            satisfying = numbers(replace(found, calculation=calculation), kind_of(name))
        case _:
            raise UnknownResult
    held = [
        value
        for value in (True, False)
        if any(span.holds(Fraction(int(value))) for span in satisfying.spans)
    ]
    if len(held) < 2:
        known: Predicate = any_of(*(Comparison(Op.EQ, column, (value,)) for value in held))
    else:
        known = all_of() if satisfying.takes_null else Comparison(Op.NOT_NULL, column)
    nulls = [Comparison(Op.IS_NULL, column)] if satisfying.takes_null else []
    return any_of(known, *nulls), satisfying.is_exact
