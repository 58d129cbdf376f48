"""Values of expressions that choose one of their operands, or NULL where others fail."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from sqlglot import exp

from prunescope.collectors.predicates.literals import is_nan
from prunescope.collectors.sql.dialect import Dialect
from prunescope.collectors.sql.functions.ends import extreme_of
from prunescope.collectors.sql.functions.spans import (
    NOTHING,
    UNKNOWN,
    Span,
    are_of_one_kind,
    is_number,
    key,
    union,
)
from prunescope.collectors.sql.ranges.truths import Evaluate, Given

_OPERATORS: Mapping[type[exp.Expr], type[exp.Binary]] = {
    exp.SafeAdd: exp.Add,
    exp.SafeSubtract: exp.Sub,
    exp.SafeMultiply: exp.Mul,
    exp.SafeDivide: exp.Div,
}
_CHOOSING = (exp.Predicate, exp.Connector, exp.Case, exp.If, exp.Coalesce, exp.Nvl2, exp.DecodeCase)
"""Expressions that need not read all operands, so that an operand's error may not be theirs."""


def as_tried(expression: exp.Expr, dialect: Dialect) -> exp.Expr | None:
    """The expression whose value another one has if nothing fails. None for an expression that
    raises errors, and for calls whose errors are unknown, as of numbers without a type."""
    match expression:
        case exp.TryCast(args={"safe": True}):
            given = {name: expression.args.get(name) for name in ("this", "to", "format")}
            return exp.Cast(**{name: part.copy() for name, part in given.items() if part})
        case exp.Try(this=exp.Expr() as operand) | exp.SafeFunc(this=exp.Expr() as operand):
            has_types = dialect.has_known_functions or dialect.whole_bits is not None
            return operand if has_types and not operand.find(*_CHOOSING) else None
        case _ if (operator := _OPERATORS.get(type(expression))) is not None:
            sides = expression.this, expression.expression
            return operator(this=sides[0].copy(), expression=sides[1].copy())
    return None


def coalesced(parts: Sequence[Evaluate]) -> Evaluate:
    """COALESCE: the first value that is not null."""

    def evaluate(given: Given) -> Span | None:
        found: list[Span | None] = []
        for part in parts:
            one = part(given)
            if one is None:
                return None
            if not one.is_empty:
                found.append(replace(one, null=False))
            if not one.null:
                return union(found)
        return union([*found, NOTHING])

    return evaluate


def choice(branches: Sequence[tuple[Evaluate, Evaluate]], otherwise: Evaluate) -> Evaluate:
    """The value of the first branch whose test is true."""

    def evaluate(given: Given) -> Span | None:
        found: list[Span | None] = []
        values = [*(value(given) for _, value in branches), otherwise(given)]
        if are_rounded(values):
            return None
        for (test, _), value in zip(branches, values, strict=False):
            holds = test(given) or UNKNOWN
            if holds.is_empty or holds.high is False:
                continue
            found.append(value)
            if holds.low is True and not holds.null:
                return union(found)
        return union([*found, values[-1]])

    return evaluate


def are_rounded(values: Sequence[Span | None]) -> bool:
    """True if numbers become doubles because one of them is a double."""
    numbers = [each.low for each in values if each is not None and is_number(each.low)]
    return len({isinstance(number, float) for number in numbers}) > 1


def nullif(subject: Evaluate, same: Evaluate) -> Evaluate:
    """NULLIF: the value, or NULL if it equals another one."""

    def evaluate(given: Given) -> Span | None:
        found, is_same = subject(given), same(given) or UNKNOWN
        if found is None or is_same.is_empty or is_same.high is False:
            return found
        if is_same.low is True and not is_same.null:
            return NOTHING
        return found.or_null(True)

    return evaluate


def extreme(parts: Sequence[Evaluate], *, is_least: bool, skips_null: bool | None) -> Evaluate:
    """LEAST or GREATEST. `skips_null` tells whether a NULL is ignored or makes the result NULL;
    None for either."""

    def evaluate(given: Given) -> Span | None:
        found = [part(given) for part in parts]
        empty = [each is not None and each.is_empty for each in found]
        if all(empty) or (skips_null is False and any(empty)):
            return NOTHING
        known = [each for each in found if each is not None and not each.is_empty]
        ends = [end for each in known for end in (each.low, each.high)]
        if not known or not are_of_one_kind(ends) or any(map(is_nan, ends)):
            return None
        if None in found:
            least, most = (extreme_of(ends[0], is_least=is_first) for is_first in (True, False))
            if least is None or most is None:
                return None
            known.append(Span(least, most, null=True))
        certain = known if skips_null is False else [each for each in known if not each.null]
        null = not certain or (not skips_null and any(each is None or each.null for each in found))
        is_cut = any(each.is_cut for each in known)
        lows, highs = [each.low for each in known], [each.high for each in known]
        if is_least:
            high = min((each.high for each in certain), key=key) if certain else max(highs, key=key)
            return Span(min(lows, key=key), high, null=null, is_cut=is_cut)
        low = max((each.low for each in certain), key=key) if certain else min(lows, key=key)
        return Span(low, max(highs, key=key), null=null, is_cut=is_cut)

    return evaluate
