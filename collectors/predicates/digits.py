"""Whole numbers by their digits, compared with a constant: the first ones as text, and all of them
as a date. Which numbers these are follows from how many digits the column's type holds."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterator

from collectors.predicates.calculated_kinds import Kind, UnknownResult
from collectors.predicates.calculations import Calculated, DateOfDigits, FirstDigits
from collectors.predicates.model import FALSE, Column, Comparison, Predicate, all_of, any_of
from collectors.predicates.operators import Op

_WHOLE = re.compile("[1-9][0-9]*")


def beginning_with(column: Column, found: Calculated, step: FirstDigits, kind: Kind) -> Predicate:
    """The numbers whose text, cut to some characters, is the one that is asked for. Raises
    UnknownResult for other comparisons, and for what is no beginning of a positive number."""
    text = found.value
    is_known = isinstance(text, str) and _WHOLE.fullmatch(text) and len(text) <= step.count
    if found.op is not Op.EQ or not is_known or not kind.is_integer:
        raise UnknownResult
    number, most = int(str(text)), kind.limits[1]
    if len(str(text)) < step.count:  # that is all of it
        return Comparison(Op.EQ, column, (number,))
    return any_of(*_longer(column, number, most))


def starting_with(column: Column, digits: str, kind: Kind) -> Predicate:
    """The numbers whose text starts with digits. Raises UnknownResult for what is no beginning of a
    positive number, and where the column holds no whole numbers."""
    if not _WHOLE.fullmatch(digits) or not kind.is_integer:
        raise UnknownResult
    return any_of(*_longer(column, int(digits), kind.limits[1]))


def _longer(column: Column, number: int, most: int) -> Iterator[Predicate]:
    """A number, and those of more digits that begin with its own."""
    yield Comparison(Op.EQ, column, (number,)) if number <= most else FALSE
    power = 10
    while number * power <= most:
        yield all_of(
            Comparison(Op.GT_EQ, column, (number * power,)),
            Comparison(Op.LT_EQ, column, (min((number + 1) * power - 1, most),)),
        )
        power *= 10


def date_of_digits(column: Column, found: Calculated, step: DateOfDigits, kind: Kind) -> Predicate:
    """The numbers such as 20260131, or 202601, whose dates compare as asked for, and others that
    are no dates. Raises UnknownResult where the column holds no whole numbers."""
    date = found.value
    if not isinstance(date, dt.date) or not kind.is_integer:
        raise UnknownResult
    try:
        first, following = _first(date, step), _first(date + dt.timedelta(1), step)
    except OverflowError:
        raise UnknownResult from None
    match found.op:
        case Op.GT_EQ | Op.LT:
            return Comparison(found.op, column, (first,))
        case Op.GT:
            return Comparison(Op.GT_EQ, column, (following,))
        case Op.LT_EQ:
            return Comparison(Op.LT, column, (following,))
        case Op.EQ if first == following:
            return FALSE
        case Op.EQ:
            return Comparison(Op.EQ, column, (first,))
    raise UnknownResult


def _first(date: dt.date, step: DateOfDigits) -> int:
    """The digits of the first date that is not before one."""
    if step.has_days:
        return date.year * 10_000 + date.month * 100 + date.day
    months = date.year * 12 + date.month - 1 + (date.day > 1)
    return months // 12 * 100 + months % 12 + 1
