"""What is made of the digits of a number, as the last step of a calculation, and of what."""

from __future__ import annotations

from sqlglot import exp

from collectors.predicates.calculations import DateOfDigits, FirstDigits, Step
from collectors.sql.dialects import dialect_of
from collectors.sql.text.beginnings import first_characters
from collectors.sql.text.nodes import given

_SPARK = {"%Y%mstrict%dstrict": True, "%Y%mstrict": False}
"""Spark's yyyyMMdd and yyyyMM, as sqlglot has them, and whether they have days."""
_TRINO = {"%Y%m%d": True, "%Y%m": False, "yyyyMMdd": True, "yyyyMM": False}
"""The same of Trino's date_parse() and parse_datetime()."""


def first_digits(expression: exp.Expr, dialect: str) -> tuple[Step, exp.Expr] | None:
    """The first characters of what is cast to text; None for others."""
    found = first_characters(expression, dialect)
    if found is None:
        return None
    whole, size = found
    operand = _texted(whole)
    is_known = isinstance(size, exp.Literal) and size.is_int and int(size.name) > 0
    return (FirstDigits(int(size.name)), operand) if operand is not None and is_known else None


def date_of_digits(
    expression: exp.TsOrDsToDate | exp.StrToTime | exp.ParseDatetime, dialect: str
) -> tuple[DateOfDigits, exp.Expr] | None:
    """A date that is read from digits alone: in Spark as many as the pattern has, and no others
    (java.time, since 3.0). None for others."""
    known = dialect_of(dialect)
    is_trinos = known.is_trino and not isinstance(expression, exp.TsOrDsToDate)
    patterns = _SPARK if known.is_spark else _TRINO if is_trinos else {}
    pattern = expression.args.get("format")
    has_days = patterns.get(pattern.name) if isinstance(pattern, exp.Literal) else None
    if has_days is None or given(expression) - {"safe"} != {"this", "format"}:
        return None
    return DateOfDigits(has_days), _texted(expression.this) or expression.this


def _texted(expression: exp.Expr) -> exp.Expr | None:
    """What an expression casts to text; None for any other."""
    match expression.unnest():
        case exp.Cast(this=operand, to=exp.DataType(this=kind, expressions=[])):
            is_text = kind in (exp.DType.TEXT, exp.DType.VARCHAR)
            return operand if is_text else None
    return None
