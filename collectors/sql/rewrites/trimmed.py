"""Texts whose last blanks do not count, compared with a literal: where `rtrim(c) = 'ab'`, or in
Trino `CAST(c AS char(5)) = 'ab'`, c begins with `ab`. No engine unwraps that."""

from __future__ import annotations

from dataclasses import dataclass

from sqlglot import exp

from collectors.predicates.literals import LiteralValue
from collectors.predicates.model import Column, Comparison, Predicate, Reason
from collectors.predicates.operators import Op
from collectors.sql.constants.session import Session
from collectors.sql.constants.terms import column_path
from collectors.sql.constants.values import CannotConvert
from collectors.sql.dialects import dialect_of
from collectors.sql.rewrites.rewrite import Place, Rewrite


@dataclass(frozen=True, slots=True)
class Trimmed:
    """A column whose last blanks are cut off or, with `is_padded`, compare as none."""

    column: Column
    is_padded: bool


def trimmed(expression: exp.Expr, place: Place) -> Trimmed | None:
    """The column whose last blanks do not count; None for anything else."""
    is_padded = False
    match expression:
        case exp.Trim(this=whole, expression=None) if (
            expression.text("position").upper() == "TRAILING"
            and dialect_of(place.dialect).is_measured
        ):
            pass
        case exp.Cast(this=whole, to=exp.DataType(this=exp.DType.CHAR)) if dialect_of(
            place.dialect
        ).is_trino:
            is_padded = True
        case _:
            return None
    path = column_path(whole.unnest(), place.path_of)
    return None if path is None else Trimmed(Column(path), is_padded)


def compare_trimmed(op: Op, found: Trimmed, value: LiteralValue, _session: Session) -> Predicate:
    """How the column begins where its text without blanks is `value`; raises CannotConvert for any
    other comparison."""
    if op is not Op.EQ or not isinstance(value, str):
        raise CannotConvert(Reason.FUNCTION)
    start = value.rstrip(" ") if found.is_padded else value
    if not start:
        raise CannotConvert(Reason.FUNCTION)
    return Comparison(Op.STARTS_WITH, found.column, (start,))


def _rest(_op: Op, _found: Trimmed, _value: LiteralValue) -> Reason | None:
    return Reason.LIKE_PATTERN  # how the text begins is known


REWRITE = Rewrite(trimmed, compare_trimmed, _rest, is_text=True)
