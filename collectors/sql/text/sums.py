"""What is added up in a text, and what each is multiplied with."""

from __future__ import annotations

from sqlglot import exp


def summands(expression: exp.Expr) -> list[exp.Expr]:
    """What is added up, from left to right; the expression alone where it is no sum."""
    expression = expression.unnest()
    if isinstance(expression, exp.Add):
        return [*summands(expression.this), *summands(expression.expression)]
    return [expression]


def with_factor(summand: exp.Expr) -> tuple[exp.Expr, int]:
    """What is multiplied with a whole number that stands there, on either side, and that number;
    anything else is taken once."""
    match summand:
        case (
            exp.Mul(this=exp.Literal() as number, expression=part)
            | exp.Mul(this=part, expression=exp.Literal() as number)
        ) if number.is_int:
            return part.unnest(), int(number.name)
    return summand, 1
