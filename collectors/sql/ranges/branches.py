"""Expressions that choose one of their operands by tests, and comparisons of what they choose."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from sqlglot import exp

from prunescope.collectors.sql.constants.values import Folded
from prunescope.collectors.sql.dialect import Dialect
from prunescope.collectors.sql.functions.spans import Span, are_of_one_kind
from prunescope.collectors.sql.ranges.choices import are_rounded, choice
from prunescope.collectors.sql.ranges.truths import Evaluate, Given, Pair, is_null, logic, same
from prunescope.collectors.sql.text.cases import as_case

_NO_CALLS = (exp.Predicate, exp.Connector, exp.Query)


class Reader(Protocol):
    """Compiles expressions to functions of their columns."""

    dialect: Dialect

    def compiled(self, expression: exp.Expr) -> Evaluate:
        """The expression as a function."""

    def pair(self, left: exp.Expr, right: exp.Expr) -> Pair:
        """Two expressions that are compared."""


@dataclass(frozen=True, slots=True)
class Branches:
    """The operands that an expression chooses from: the one of the first test that is true, or the
    last one if no test is. `values` are the operands' values, which engines convert to one type. If
    the choice `is_within` a call, `operands` are calls around these values."""

    tests: Sequence[Evaluate]
    values: Sequence[Evaluate]
    operands: Sequence[exp.Expr]
    is_within: bool = False

    def chosen(self, each: Sequence[Evaluate]) -> Evaluate:
        """The choice among values, one for each operand."""
        return choice([*zip(self.tests, each, strict=False)], each[-1])


def branches_of(expression: exp.Expr, reader: Reader) -> Branches | None:
    """The branches of an expression; None if it has none."""
    match expression:
        case exp.Case() | exp.If():
            tests, operands = _of_case(expression, reader)
        case exp.Nvl2(this=subject):
            tests = [_present(subject, reader)]
            operands = [expression.args["true"], expression.args.get("false")]
        case exp.Coalesce():
            operands = [expression.this, *expression.expressions]
            tests = [_present(each, reader) for each in operands[:-1]]
        case exp.DecodeCase(expressions=[subject, *rest]):
            tests = [same(reader.pair(subject, key)) for key in rest[: len(rest) // 2 * 2 : 2]]
            operands = [*rest[1::2], rest[-1] if len(rest) % 2 else None]
        case _:
            case = as_case(expression)
            return None if case is None else branches_of(case, reader)
    given = [exp.Null() if each is None else each for each in operands]
    return Branches(tests, [reader.compiled(each) for each in given], given)


def _of_case(
    expression: exp.Case | exp.If, reader: Reader
) -> tuple[list[Evaluate], list[exp.Expr | None]]:
    branches = expression.args.get("ifs") or [expression]
    subject = expression.this if isinstance(expression, exp.Case) else None
    tests = []
    for branch in branches:
        if subject is None:
            tests.append(reader.compiled(branch.this))
        elif isinstance(branch.this, exp.Null) and reader.dialect.leaves_out_nulls:
            tests.append(lambda _given: None)
        else:
            tests.append(reader.pair(subject, branch.this).compared(exp.EQ))
    default = expression.args.get("default") or expression.args.get("false")
    return tests, [*(branch.args["true"] for branch in branches), default]


def _present(expression: exp.Expr | None, reader: Reader) -> Evaluate:
    return logic(exp.Not, [is_null(reader.compiled(expression or exp.Null()))])


def hoisted(expression: exp.Expr, reader: Reader) -> Branches | None:
    """The branches of an expression, or of the only operand of a call that has branches; None if
    there are none."""
    expression = expression.unnest()
    found = branches_of(expression, reader)
    is_call = isinstance(expression, exp.Func | exp.Binary | exp.Neg)
    if found is not None or not is_call or isinstance(expression, _NO_CALLS):
        return found
    each = [(part, hoisted(part, reader)) for part in expression.iter_expressions()]
    inner = [(part, branches) for part, branches in each if branches is not None]
    if len(inner) != 1:
        return None
    ((part, branches),) = inner
    operands = [_around(expression, part, operand) for operand in branches.operands]
    return replace(branches, operands=operands, is_within=True)


def _around(call: exp.Expr, part: exp.Expr, operand: exp.Expr) -> exp.Expr:
    """A copy of a call, with `operand` in the place of its part."""
    found = call.copy()
    assert part.arg_key is not None
    place = found.args[part.arg_key]
    (place if part.index is None else place[part.index]).replace(operand.copy())
    return found


def by_branch(plain: Evaluate, branches: Branches, truths: Sequence[Evaluate]) -> Evaluate:
    """The truths of a comparison with a choice: those of `plain` if decided, or else the choice
    among the branches' truths, if the branches are of one type."""
    by_test = branches.chosen(truths)

    def evaluate(given: Given) -> Span | None:
        found = plain(given)
        if found is not None and found.low is found.high:
            return found
        values = [value(given) for value in branches.values]
        if not _are_alike(values, is_exactly=branches.is_within):
            return found
        return by_test(given)

    return evaluate


def _are_alike(spans: Sequence[Span | None], *, is_exactly: bool) -> bool:
    """True if values are of one kind, so that a choice converts none; of one exact type, if a call
    is made of them."""
    if are_rounded(spans):
        return False
    present = [each for each in spans if each is not None and not each.is_empty]
    if is_exactly and len({_type_of(each.low) for each in present}) > 1:
        return False
    return None not in spans and are_of_one_kind(each.low for each in present)


def _type_of(value: Folded) -> tuple[object, ...]:
    parameters = ("bits", "precision", "scale", "zoned", "is_ntz")
    return type(value), *(getattr(value, name, None) for name in parameters)
