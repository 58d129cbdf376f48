"""Dates and timestamps cast to text, compared with a literal, as comparisons of the column:
`CAST(x AS varchar) LIKE '2024-04%'` is `x >= DATE '2024-04-01' AND x < DATE '2024-05-01'`.

In Trino and Spark the text of a date is `2024-04-03`, and that of a timestamp begins with the text
of its day and goes on. The type of the column is not known here: what is said holds for both.
Years beyond 9999 have more digits, with or without a plus sign, years before 0 a minus sign. Of
numbers, those alone are known whose text is that of a whole one: `CAST(x AS varchar) = '12345'` is
`x = 12345`, where no other type has such a text but text. A column that is text is compared as it
is: engines drop such a cast. Spark makes text of a time by itself where a function takes text:
`substring(x, 1, 7)` is that of `CAST(x AS string)`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from sqlglot import exp

from collectors.predicates.calendar import Unit, date_of
from collectors.predicates.literals import LiteralValue
from collectors.predicates.model import (
    Column,
    Comparison,
    Predicate,
    PredicateLeaf,
    Reason,
    all_of,
    any_of,
)
from collectors.predicates.operators import ORDERED, Op
from collectors.predicates.walks import map_leaves
from collectors.sql.constants.session import Session
from collectors.sql.constants.terms import PeriodStart, TimeCast, Yields, cast_to_text, term
from collectors.sql.constants.values import CannotConvert
from collectors.sql.dialects import dialect_of
from collectors.sql.rewrites.clock_texts import (
    WrittenTimes,
    compare_clock,
    day_begun,
    is_placed,
    written_times,
)
from collectors.sql.rewrites.date_formats import (
    FormattedTime,
    TextLayout,
    after_calendar,
    compare_formatted,
    period_start,
)
from collectors.sql.rewrites.dates import compare_period, compare_reading
from collectors.sql.rewrites.rewrite import Beginning, Place, Rewrite
from collectors.sql.rewrites.text_prefixes import TextPrefix, compare_prefix, text_prefix
from collectors.sql.text.beginnings import first_characters

_DOWN = (Op.LT, Op.LT_EQ)
_WHOLE = re.compile("0|-?[1-9][0-9]{0,17}")
# Layouts by the number of their characters, the longest first.
_LAYOUTS = {
    10: TextLayout(re.compile("([0-9]{4})-([0-9]{2})-([0-9]{2})"), Unit.DAY),
    7: TextLayout(re.compile("([0-9]{4})-([0-9]{2})"), Unit.MONTH),
    4: TextLayout(re.compile("([0-9]{4})"), Unit.YEAR),
}


@dataclass(frozen=True, slots=True)
class TimeText:
    """The text that a date or timestamp column is cast to. With `is_date`, that of its day; with
    `is_time`, that of the timestamp that it is cast to first: then it is never the column's own.
    Else `written` tells how that of a time is, if its type is known. `prefix` is what a text column
    is cut to: Trino cuts nothing else to the length of a varchar, and writes a time whole."""

    path: tuple[str, ...]
    is_date: bool
    written: WrittenTimes | None = None
    is_time: bool = False
    prefix: TextPrefix | None = None

    def period(self, unit: Unit) -> PeriodStart:
        """The period of the column that the first characters of the text tell."""
        return PeriodStart(self.path, unit, Yields.DATE)


def time_text(expression: exp.Expr, place: Place) -> TimeText | None:
    """The cast column that an expression is; None for anything else."""
    operand, prefix = cast_to_text(expression, place.dialect), None
    if operand is None and isinstance(expression, exp.Cast):
        prefix = text_prefix(expression, place)
        operand = None if prefix is None else expression.this
    if operand is None:
        return None
    try:
        found = term(operand, place.path_of, place.dialect)
    except CannotConvert:
        return None
    match found:
        case Column(path, transform=None):
            kind = place.type_of(path)
            return TimeText(path, False, written_times(kind, place.session), prefix=prefix)
        case PeriodStart(path, Unit.DAY, Yields.DATE):
            return TimeText(path, is_date=True)
        case TimeCast(column):
            return TimeText(column.path, is_date=False, is_time=True)
    return None


@dataclass(frozen=True, slots=True)
class CutText:
    """The first characters of a column's text, which are a year, month or day: a format like
    others. `prefix` is what they are where the column may be text, as nothing casts it."""

    time: FormattedTime
    prefix: TextPrefix | None


def cut_text(expression: exp.Expr, place: Place) -> CutText | None:
    """The first characters of a column's text, where they are a year, month or day; None for
    anything else."""
    found = first_characters(expression, place.dialect)
    if found is None:
        return None
    whole, size = found
    if not isinstance(size, exp.Literal) or not size.is_int:
        return None
    whole = whole.unnest()
    operand = cast_to_text(whole, place.dialect)
    prefix = None
    if operand is None and dialect_of(place.dialect).has_java_time:
        operand, prefix = whole, text_prefix(expression, place)
        if prefix is None:
            return None
    layout = _LAYOUTS.get(int(size.name))
    if operand is None or layout is None:
        return None
    start_of = period_start(operand, layout.unit, place.path_of, place.dialect)
    if start_of is None:
        return None
    return CutText(FormattedTime(start_of, layout, is_cut=layout.unit is Unit.YEAR), prefix)


def compare_cut(op: Op, found: CutText, value: LiteralValue, session: Session) -> Predicate:
    """`text op value` as comparisons of the column; raises CannotConvert where the value is no text
    of the layout, and the column may not be text."""
    if found.prefix is None:
        return compare_formatted(op, found.time, value, session)
    as_text = compare_prefix(op, found.prefix, value, session)
    if not isinstance(as_text, Comparison):
        return as_text
    try:
        return _or_as_text(compare_formatted(op, found.time, value, session), as_text)
    except CannotConvert:
        return as_text


def compare_text(op: Op, found: TimeText, value: LiteralValue, session: Session) -> Predicate:
    """`text op value` as comparisons of the column; raises CannotConvert where the value is not
    the text of a year, month or day, or of a whole number, and the column may not be text."""
    is_time = found.is_date or found.is_time or found.written is not None
    if is_time or not isinstance(value, str):
        return _compare_whole(op, found, value, session)
    column = Column(found.path)
    as_text: Predicate = Comparison(op, column, (value,), of_text=True)
    if found.prefix is not None and not (op is Op.EQ and _is_longer(found, value)):
        as_text = compare_prefix(op, found.prefix, value, session)
    try:
        selected = _compare_whole(op, found, value, session)
    except CannotConvert:
        return as_text
    if isinstance(as_text, Comparison):
        return _or_as_text(selected, as_text)
    return all_of(_or_as_text(selected, Comparison(Op.NOT_NULL, column)), as_text)


def _is_longer(found: TimeText, value: LiteralValue) -> bool:
    """Whether a value is longer than the text may be."""
    size = None if found.prefix is None else found.prefix.size
    return size is not None and isinstance(value, str) and len(value) > size


def _compare_whole(op: Op, found: TimeText, value: LiteralValue, session: Session) -> Predicate:
    """A comparison of the text of a time, which is not cut: it is the longer value that Trino 483
    cuts to the length, of which no text is the same then."""
    if found.prefix is not None and isinstance(value, str) and _is_longer(found, value):
        if op is Op.NOT_EQ:
            return Comparison(Op.NOT_NULL, Column(found.path))
        if op in (Op.GT, Op.GT_EQ):
            op, value = Op.GT, value[: found.prefix.size]
    return _compare_time(op, found, value, session)


def _compare_time(op: Op, found: TimeText, value: LiteralValue, session: Session) -> Predicate:
    is_column = not found.is_date and not found.is_time
    if op is Op.EQ and isinstance(value, str) and _WHOLE.fullmatch(value) and is_column:
        return Comparison(Op.EQ, Column(found.path), (int(value),))
    column = Column(found.path)
    if isinstance(value, str) and day_begun(value) is not None:
        selected = compare_clock(
            op, found.path, value, found.written, session, is_date=found.is_date
        )
        return any_of(selected, after_calendar(column)) if op in _DOWN else selected
    layout = _LAYOUTS.get(len(value)) if isinstance(value, str) else None
    nanos = layout.moment(value) if layout is not None and isinstance(value, str) else None
    if layout is None or nanos is None:
        raise CannotConvert(Reason.CAST)
    is_whole = layout.unit is Unit.DAY
    if is_whole and found.is_date:
        selected = compare_period(op, found.period(Unit.DAY), date_of(nanos), session)
    elif is_whole and op is Op.EQ:
        # A timestamp has no such text.
        return Comparison(Op.EQ, column, (date_of(nanos),))
    elif op in ORDERED:
        # Texts that go on after the value come after it, as all do that have a clock.
        has_clock = found.is_time or (found.written is not None and found.written.has_clock)
        at_most = Op.LT_EQ if is_whole and op is Op.LT_EQ and not has_clock else Op.LT
        bound = at_most if op in _DOWN else Op.GT_EQ
        selected = compare_reading(bound, column, nanos, session)
    else:
        raise CannotConvert(Reason.CAST)
    return any_of(selected, after_calendar(column)) if op in _DOWN else selected


def _rest(op: Op, found: TimeText, value: LiteralValue) -> Reason | None:
    written = found.written
    if _is_longer(found, value):
        return None if op is Op.NOT_EQ else Reason.CAST
    if written is not None and isinstance(value, str) and day_begun(value) is not None:
        return None if is_placed(value, written) else Reason.CAST
    # Of dates at least, all else is exact.
    return None if found.is_date or op is not Op.GT else Reason.CAST


def starting_with(
    found: TimeText, beginning: Beginning, session: Session
) -> tuple[Predicate, bool]:
    """The rows whose texts have a beginning, and whether all of them match (see `Rewrite`). Raises
    CannotConvert where nothing is known: what is not all is not negated."""
    prefix, negated, is_open = beginning.prefix, beginning.negated, beginning.is_open
    if found.prefix is not None:
        raise CannotConvert(Reason.CAST)  # the text may be cut before
    is_time = found.is_date or found.is_time
    if is_time or not prefix or (negated and not is_open):
        return _time_starting_with(found, beginning, session)
    op = Op.NOT_STARTS_WITH if negated else Op.STARTS_WITH
    as_text = Comparison(op, Column(found.path), (prefix,), of_digits=not negated)
    try:
        selected, is_all = _time_starting_with(found, beginning, session)
    except CannotConvert:
        return as_text, is_open
    return _or_as_text(selected, as_text), is_all


def _or_as_text(predicate: Predicate, as_text: Comparison) -> Predicate:
    """The predicate, which is another one for a column that is text."""

    def with_it(leaf: PredicateLeaf) -> Predicate:
        return replace(leaf, as_text=as_text) if isinstance(leaf, Comparison) else as_text

    return map_leaves(predicate, with_it)


def _time_starting_with(
    found: TimeText, beginning: Beginning, session: Session
) -> tuple[Predicate, bool]:
    prefix, negated, is_open = beginning.prefix, beginning.negated, beginning.is_open
    begun = _begun(prefix)
    if begun is not None and (is_open or not negated):
        unit, first, last = begun
        ops, join = ((Op.LT, Op.GT), any_of) if negated else ((Op.GT_EQ, Op.LT_EQ), all_of)
        period = found.period(unit)
        parts = zip(ops, (first, last), strict=True)
        ranges = (compare_period(op, period, date_of(nanos), session) for op, nanos in parts)
        return join(*ranges), is_open
    for size, layout in _LAYOUTS.items():
        nanos = layout.moment(prefix[:size])
        if nanos is None:
            continue
        rest = prefix[size:]
        is_all = is_open and (not rest or (rest == "-" and layout.unit > Unit.DAY))
        if negated and not is_all:
            break
        op = Op.NOT_EQ if negated else Op.EQ
        selected = compare_period(op, found.period(layout.unit), date_of(nanos), session)
        if layout.unit is Unit.YEAR and not rest.startswith("-"):
            selected = any_of(selected, after_calendar(Column(found.path)))
        return selected, is_all
    raise CannotConvert(Reason.CAST)


def _begun(prefix: str) -> tuple[Unit, int, int] | None:
    """The first and the last month or day whose texts start with a prefix that lacks their second
    digit alone, and which of both; None for any other prefix, and where there are none."""
    layout = _LAYOUTS.get(len(prefix) + 1)
    if layout is None or layout.unit is Unit.YEAR:
        return None
    texts = (f"{prefix}{digit}" for digit in range(10))
    moments = [moment for text in texts if (moment := layout.moment(text)) is not None]
    return (layout.unit, moments[0], moments[-1]) if moments else None


REWRITE = Rewrite(time_text, compare_text, _rest, starting_with, is_text=True)
REWRITE_CUT = Rewrite(cut_text, compare_cut, is_text=True)
