"""Expressions whose errors are NULL."""

from __future__ import annotations

from collections.abc import Mapping

from sqlglot import exp

from prunescope.collectors.sql.dialect import Dialect

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
