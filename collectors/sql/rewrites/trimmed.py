"""Texts without the blanks at their end, compared with a literal: where `rtrim(c) = 'ab'`, c begins
with `ab`. No engine unwraps that."""

from __future__ import annotations

from sqlglot import exp

from collectors.predicates.literals import LiteralValue
from collectors.predicates.model import Column, Comparison, Predicate, Reason
from collectors.predicates.operators import Op
from collectors.sql.constants.session import Session
from collectors.sql.constants.terms import column_path
from collectors.sql.constants.values import CannotConvert
from collectors.sql.dialects import dialect_of
from collectors.sql.rewrites.rewrite import Place, Rewrite


def trimmed(expression: exp.Expr, place: Place) -> Column | None:
    """The column whose last blanks are cut off; None for anything else."""
    match expression:
        case exp.Trim(this=whole, expression=None) if (
            expression.text("position").upper() == "TRAILING"
            and dialect_of(place.dialect).is_measured
        ):
            path = column_path(whole.unnest(), place.path_of)
            return None if path is None else Column(path)
    return None


def compare_trimmed(op: Op, found: Column, value: LiteralValue, _session: Session) -> Predicate:
    """How the column begins where its text without blanks is `value`; raises CannotConvert for any
    other comparison."""
    if op is not Op.EQ or not isinstance(value, str) or not value:
        raise CannotConvert(Reason.FUNCTION)
    return Comparison(Op.STARTS_WITH, found, (value,))


def _rest(_op: Op, _found: Column) -> Reason | None:
    return Reason.LIKE_PATTERN  # how the text begins is known


REWRITE = Rewrite(trimmed, compare_trimmed, _rest)
