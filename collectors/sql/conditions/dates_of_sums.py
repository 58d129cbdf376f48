"""Conditions on dates that are read from digits of several columns, as conditions on these digits:
`date_parse(CAST(y * 10000 + m * 100 + d AS varchar), '%Y%m%d') = TIMESTAMP '2026-02-03 00:00:00'`
is `y * 10000 + m * 100 + d = 20260203`, and Spark's `to_date(concat(y, lpad(m, 2, '0'), lpad(d, 2,
'0')), 'yyyyMMdd') = DATE '2026-02-03'` is one of the text.

Of fewer digits, or more, than the format has, Trino may read another date.
"""

from __future__ import annotations

import datetime as dt

from sqlglot import exp

from collectors.predicates.instants import day_beginning
from collectors.sql.conditions.joined_texts import joins_texts
from collectors.sql.conditions.leaf_rewrite import Around, LeafRewrite, Replacement
from collectors.sql.conditions.number_digits import date_of_digits
from collectors.sql.conditions.sides import FLIPPED
from collectors.sql.conditions.weighted_sums import weighted_sum
from collectors.sql.constants.folding import fold
from collectors.sql.constants.session import Session
from collectors.sql.dialects import dialect_of
from collectors.sql.text.boolean import AnyOf, Formula, Leaf, own_columns

_READERS = (exp.TsOrDsToDate, exp.StrToTime, exp.ParseDatetime)


def day_that_begins(constant: exp.Expr, session: Session) -> dt.date | None:
    """The day that a constant is, or at whose beginning it is; None for other constants, and for
    instants, which are of a day by a zone. Raises CannotConvert for what is no constant."""
    return day_beginning(fold(constant, session))


def date_of_sum(leaf: Leaf, around: Around) -> Replacement | None:
    """What a leaf says of the digits of which it compares the date; None for any other leaf. Raises
    CannotConvert where the other side is no constant."""
    kind, expression = type(leaf.expression), leaf.expression
    if kind not in FLIPPED or leaf.negated:
        return None
    subject, constant = expression.this.unnest(), expression.expression
    if own_columns(constant):
        subject, constant, kind = constant.unnest(), subject, FLIPPED[kind]
    digits = _digits(subject, around.session.dialect)
    if digits is None or own_columns(constant):
        return None
    day = day_that_begins(constant, around.session)
    operand, form = digits
    if day is None or (form == "%Y%m" and day.day > 1):
        return None
    text = f"{day:{form}}".zfill(len(form) + 2)
    is_spark = dialect_of(around.session.dialect).is_spark
    # Trino pushes no OR of several columns, and may read dates of texts of another length.
    if isinstance(operand, exp.Add):
        return _of_sum(kind, operand, text, around) if is_spark or kind is exp.EQ else None
    if kind is not exp.EQ or not is_spark:
        return None
    same = Leaf(exp.EQ(this=operand.copy(), expression=exp.Literal.string(text)), False)
    return Replacement(same, is_all=False, is_made=True)


def _digits(subject: exp.Expr, dialect: str) -> tuple[exp.Expr, str] | None:
    """What has the digits of a date, of several columns, and which."""
    found = date_of_digits(subject, dialect) if isinstance(subject, _READERS) else None
    if found is None:
        return None
    step, operand = found[0], found[1].unnest()
    if len(own_columns(operand)) < 2 or not (isinstance(operand, exp.Add) or joins_texts(operand)):
        return None
    return operand, "%Y%m%d" if step.has_days else "%Y%m"


def _of_sum(
    kind: type[exp.Expr], operand: exp.Add, text: str, around: Around
) -> Replacement | None:
    """Where a sum compares so; to Trino, or has not as many digits."""
    ends: list[tuple[type[exp.Expr], str]] = [(kind, text)]
    if not dialect_of(around.session.dialect).is_spark:
        ends += [(exp.LT, "1" + "0" * (len(text) - 1)), (exp.GT, "9" * len(text))]
    found: list[Formula] = []
    for sign, number in ends:
        compared = sign(this=operand.copy(), expression=exp.Literal.number(number))
        said = weighted_sum(Leaf(compared, False), around)
        if said is None:
            return None
        found.append(said.condition)
    return Replacement(AnyOf(tuple(found)), is_all=False, is_made=True)


REWRITE = LeafRewrite(
    may_concern=lambda subject, dialect, _: _digits(subject.unnest(), dialect) is not None,
    replace=date_of_sum,
)
