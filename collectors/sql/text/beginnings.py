"""Functions that give the first characters of a text."""

from __future__ import annotations

from sqlglot import exp

from collectors.sql.dialects import dialect_of

_FIRST, _BEFORE = exp.Literal.number(1), exp.Literal.number(0)


def first_characters(expression: exp.Expr, dialect: str) -> tuple[exp.Expr, exp.Expr] | None:
    """What `substr(x, 1, n)` and `left(x, n)` take first characters of, and how many; None for
    anything else. The place 0 is the first one as well for Spark and Hive
    (`UTF8String.substringSQL`), and none for Trino."""
    match expression:
        case exp.Left(this=whole, expression=exp.Expr() as size):
            return whole, size
        case exp.Substring(this=whole, args={"start": start, "length": exp.Expr() as size}):
            is_first = start == _FIRST or (start == _BEFORE and dialect_of(dialect).is_spark)
            return (whole, size) if is_first else None
    return None
