"""Whole numbers by their digits, compared with a constant: the first ones as text, and all of them
as a date. Which numbers these are follows from how many digits the column's type holds."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterator

from collectors.predicates.calculated_kinds import Kind, UnknownResult, kind_of
from collectors.predicates.calculations import Calculated, DateOfDigits, FirstDigits
from collectors.predicates.calendar import date_of, nanos_of
from collectors.predicates.literals import Timestamp
from collectors.predicates.model import FALSE, Column, Comparison, Predicate, all_of, any_of
from collectors.predicates.operators import ORDERED, Op

_WHOLE = re.compile("[1-9][0-9]*")
_FOUR_DIGITS, _SHORTEST = 1000, 10


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


def is_of_digits(leaf: Comparison, type_name: str) -> bool:
    """Whether a leaf says which digits the whole numbers of a column start with."""
    if not leaf.of_digits or leaf.column.transform is not None:
        return False
    try:
        starting_with(leaf.column, str(leaf.values[0]), kind_of(type_name))
    except UnknownResult:
        return False
    return True


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
    are no dates. Trino reads a last number of one digit as well: 2026105 is 5 October. Raises
    UnknownResult where the column holds no whole numbers."""
    op, date = compared_day(found.op, found.value)
    if not kind.is_integer:
        raise UnknownResult
    first = _first(date, step)
    # No year has five digits.
    following = first + 1 if date == dt.date.max else _first(date + dt.timedelta(1), step)
    is_short = not found.is_spark
    if is_short and date.year < _FOUR_DIGITS:
        raise UnknownResult
    match op:
        case Op.LT:
            return Comparison(op, column, (first,))
        case Op.LT_EQ:
            return Comparison(Op.LT, column, (following,))
        case Op.GT_EQ | Op.GT:
            number = first if op is Op.GT_EQ else following
            found_there: Predicate = Comparison(Op.GT_EQ, column, (number,))
            return any_of(found_there, _shorter(column, number, step)) if is_short else found_there
        case Op.EQ if first == following:
            return FALSE
        case Op.EQ:
            same = Comparison(Op.EQ, column, (first,))
            has_shorter = is_short and first % 100 < _SHORTEST
            return any_of(same, Comparison(Op.EQ, column, (_cut(first),))) if has_shorter else same
    raise UnknownResult


def compared_day(op: Op, value: object) -> tuple[Op, dt.date]:
    """How a date compares with the day of a time without zone, where it compares with that as `op`
    says; raises UnknownResult for what is no time or day."""
    if isinstance(value, Timestamp) and not value.zoned:
        date = date_of(value.nanos)
        if nanos_of(date) == value.nanos:
            return op, date
        # No date is equal, and the day itself is before.
        if op in ORDERED:
            return (Op.LT_EQ if op in (Op.LT, Op.LT_EQ) else Op.GT), date
    elif isinstance(value, dt.date):
        return op, value
    raise UnknownResult


def _cut(number: int) -> int:
    """A number whose last two digits are written as one, or the next that has no such."""
    return number // 100 * 10 + min(number % 100, _SHORTEST)


def _shorter(column: Column, number: int, step: DateOfDigits) -> Predicate:
    """The numbers of one digit less that are not before another."""
    end = 10 ** (7 if step.has_days else 5)
    within = Comparison(Op.GT_EQ, column, (_cut(number),)), Comparison(Op.LT, column, (end,))
    return all_of(*within)


def _first(date: dt.date, step: DateOfDigits) -> int:
    """The digits of the first date that is not before one."""
    if step.has_days:
        return date.year * 10_000 + date.month * 100 + date.day
    months = date.year * 12 + date.month - 1 + (date.day > 1)
    return months // 12 * 100 + months % 12 + 1
