"""The first characters of a text column, compared with a literal: `substr(c, 1, 2) = 'ab'` and
Trino's `CAST(c AS varchar(2)) = 'ab'` are `c LIKE 'ab%'`, and `substr(c, 1, 10) >= '2026-01-20'` is
`c >= '2026-01-20'`. No engine unwraps that."""

from __future__ import annotations

from dataclasses import dataclass

from sqlglot import exp

from collectors.predicates.literals import LiteralValue
from collectors.predicates.model import FALSE, Column, Comparison, Predicate, Reason
from collectors.predicates.operators import Op
from collectors.predicates.text_order import after_all_of
from collectors.sql.constants.session import Session
from collectors.sql.constants.terms import term
from collectors.sql.constants.values import CannotConvert
from collectors.sql.dialects import dialect_of
from collectors.sql.rewrites.rewrite import Place, Rewrite
from collectors.sql.text.beginnings import first_characters


@dataclass(frozen=True, slots=True)
class TextPrefix:
    """The first `size` characters of a column, or all where it has fewer."""

    column: Column
    size: int


def text_prefix(expression: exp.Expr, place: Place) -> TextPrefix | None:
    """What `substr(c, 1, n)`, `left(c, n)` and Trino's casts, which cut, say of a bare column; None
    for anything else."""
    found = first_characters(expression, place.dialect)
    match expression:
        case exp.Cast(
            this=whole,
            to=exp.DataType(this=exp.DType.VARCHAR, expressions=[exp.DataTypeParam(this=size)]),
        ) if dialect_of(place.dialect).is_trino:
            found = whole, size
    if found is None:
        return None
    whole, size = found
    if not isinstance(size, exp.Literal) or not size.is_int or int(size.name) < 1:
        return None
    if not isinstance(whole, exp.Column | exp.Dot):
        return None
    try:
        column = term(whole, place.path_of, place.dialect)
    except CannotConvert:
        return None
    return TextPrefix(column, int(size.name)) if isinstance(column, Column) else None


def compare_prefix(op: Op, found: TextPrefix, value: LiteralValue, session: Session) -> Predicate:
    """`prefix op value` as a comparison of the column; raises CannotConvert where none says it. A
    value that is shorter than the prefix can only be the whole text."""
    if not isinstance(value, str):
        raise CannotConvert(Reason.FUNCTION)
    if op not in (Op.EQ, Op.NOT_EQ):
        if not dialect_of(session.dialect).is_measured:
            raise CannotConvert(Reason.FUNCTION)  # texts may have another order
        return _in_order(op, found, value)
    if len(value) > found.size:
        return FALSE if op is Op.EQ else Comparison(Op.NOT_NULL, found.column)
    if len(value) < found.size:
        # A number of that text equals it, though `05` is the text of none.
        return Comparison(op, found.column, (value,), of_text=op is Op.NOT_EQ)
    if op is Op.NOT_EQ:
        return Comparison(Op.NOT_STARTS_WITH, found.column, (value,))
    return Comparison(Op.STARTS_WITH, found.column, (value,), of_digits=True)


def _in_order(op: Op, found: TextPrefix, value: str) -> Predicate:
    """A text that begins with the value comes after it, its prefix of that length does not: that
    comes before the least text after all of these. Of a longer value, a prefix that is the start of
    it comes before it."""
    if len(value) > found.size:
        value = value[: found.size]
        op = {Op.GT_EQ: Op.GT, Op.LT: Op.LT_EQ}.get(op, op)
    if len(value) == found.size and op in (Op.GT, Op.LT_EQ):
        after = after_all_of(value)
        if after is None:
            return FALSE if op is Op.GT else Comparison(Op.NOT_NULL, found.column)
        return Comparison(Op.GT_EQ if op is Op.GT else Op.LT, found.column, (after,), of_text=True)
    return Comparison(op, found.column, (value,), of_text=True)


REWRITE = Rewrite(text_prefix, compare_prefix, is_text=True)
