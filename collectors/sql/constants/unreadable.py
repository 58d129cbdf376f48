"""Texts that no engine reads as a number or date, in any notation."""

from __future__ import annotations

import re

from prunescope.collectors.sql.constants.values import CannotConvert, fails, not_constant
from prunescope.collectors.sql.dialect import Dialect

_DIGIT = re.compile(r"\d")  # of any script
# Letters of exponents, of other bases, of types and of what is no finite number.
_MAY_BE_NUMBER = re.compile(
    r"[+-]?(?:\d[\d_]*)?\.?[\d_]*(?:[eE][+-]?\d+)?[dDfFlL]?|[+-]?0[xXbBoO][\da-fA-F_]+", re.ASCII
)
_NO_FINITE = re.compile(r"[+-]?(?:nan|inf(?:inity)?)", re.IGNORECASE)
_SPECIAL_DAYS = frozenset(("epoch", "infinity", "-infinity", "inf", "today", "now", "yesterday"))
_AFTER_DAY = r"(?:$|[ T].*)"
_DAY_OF_SPARK = re.compile(
    rf"[+-]?\d{{4,7}}(?:-\d{{1,2}}(?:-\d{{1,2}}{_AFTER_DAY})?)?", re.ASCII | re.DOTALL
)
_DAY = re.compile(rf"[+-]?\d+-\d{{1,2}}-\d{{1,2}}{_AFTER_DAY}", re.ASCII | re.DOTALL)


def no_number(text: str) -> CannotConvert:
    """The failure of a text that is certainly no number, or the refusal of one that may be."""
    bare = text.strip()
    if _NO_FINITE.fullmatch(bare) or _has_foreign_digit(bare):
        return not_constant()
    may_be = bare and _DIGIT.search(bare) and _MAY_BE_NUMBER.fullmatch(bare)
    return not_constant() if may_be else fails()


def no_day(text: str, dialect: Dialect) -> CannotConvert:
    """The failure of a text that is certainly no date, or the refusal of one that may be."""
    bare = text.strip()
    if _has_foreign_digit(bare):
        return not_constant()
    if dialect.has_java_time:
        return not_constant() if _DAY_OF_SPARK.fullmatch(bare) else fails()
    if dialect.has_joda_time:
        return not_constant() if _DAY.fullmatch(bare) else fails()
    if _DIGIT.search(bare) or bare.lower() in _SPECIAL_DAYS:
        return not_constant()
    return fails()


def _has_foreign_digit(text: str) -> bool:
    return any(_DIGIT.match(each) and not each.isascii() for each in text)
