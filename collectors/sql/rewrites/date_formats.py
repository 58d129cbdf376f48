"""Texts that dates and timestamps are formatted to, compared with a literal, as ranges of the
column: `date_format(x, '%Y-%m') = '2024-04'` is `x >= DATE '2024-04-01' AND x < DATE '2024-05-01'`.

The text of a layout that starts with a year of four digits and goes on with the next shorter
units in order, each with all its digits, is a non-decreasing function of its period, as long as
the years are those from 1 to 9999. The texts of years beyond are longer and sort anywhere: the
ranges of `<` and `<=` hold these years as well. The years before 1 sort first: they have a sign,
or are "0000".

Texts that start with that of a period and go on are those of times in the period.

Trino rounds what it formats to milliseconds first, halves up, of which the types of times have more
digits: the last half of a millisecond of a year has the text of the next one.

Literals that are no text of the layout are refused. No engine unwraps these functions (Trino 482,
Spark 4.1, DuckDB 1.4), so that this is not for what a planner pushes.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace

from sqlglot import exp

from collectors.predicates.calendar import NANOS_PER_SECOND, Unit, nanos_of
from collectors.predicates.literals import LiteralValue, Timestamp
from collectors.predicates.model import Column, Comparison, Predicate, Reason, any_of
from collectors.predicates.operators import Op
from collectors.sql.constants.session import Session
from collectors.sql.constants.terms import (
    PathOf,
    PeriodStart,
    Yields,
    cast_to_text,
    column_path,
    term,
)
from collectors.sql.constants.values import CannotConvert, is_int
from collectors.sql.dialects import dialect_of
from collectors.sql.rewrites.dates import compare_period
from collectors.sql.rewrites.rewrite import Beginning, Place, Rewrite
from collectors.sql.text.nodes import given

_UNITS = (Unit.YEAR, Unit.MONTH, Unit.DAY, Unit.HOUR, Unit.MINUTE, Unit.SECOND)
_OF_MONTHS = (Unit.MONTH, Unit.QUARTER, Unit.YEAR)
LAST_DATE = dt.date(9999, 12, 31)
"""The last day of years of four digits."""
FIRST_PADDED_YEAR = 1000
"""From which on it does not matter that sqlglot reads Spark's y, which does not pad, as yyyy."""

# Fields with all their digits, by the language of a pattern; other letters are no field of these.
_Fields = Mapping[str, Unit | None]


def _fields(year: str, month: str, day: str, time: tuple[str, str, str], t: str) -> _Fields:
    """The units that the fields of a pattern stand for; None for the letter T."""
    return dict(zip((year, month, day, *time, t), (*_UNITS, None), strict=True))


_STRFTIME = _fields("%Y", "%m", "%d", ("%H", "%M", "%S"), "T")
# What sqlglot makes of the patterns of java.time.
_STRICT = _fields("%Y", "%mstrict", "%dstrict", ("%Hstrict", "%Mstrict", "%Sstrict"), "'T'")
# Joda-Time, and java.time as Spark uses it: y is read as u.
_JAVA = _fields("yyyy", "MM", "dd", ("HH", "mm", "ss"), "'T'")
_SNOWFLAKE = _fields("YYYY", "MM", "DD", ("HH24", "MI", "SS"), '"T"')
_PUNCTUATION = re.compile(r"[-/.:, _]")
_SEPARATORS = re.compile(r"[-/.:, _0-9]")
_DIGITS = re.compile(r"(\(\[0-9]\{[24]}\))+")
_FIELD = re.compile(r"(\(\[0-9]\{[24]}\))")
_YEAR_DIGITS = 4
_SMALLEST = (1, 1, 1, 0, 0, 0)
_MILLISECOND = 1_000_000


@dataclass(frozen=True, slots=True)
class TextLayout:
    """How a text is made of a moment: `texts` has a group for each unit from the year to `unit`,
    the last."""

    texts: re.Pattern[str]
    unit: Unit

    @property
    def is_number(self) -> bool:
        """Whether the text is digits alone."""
        return _DIGITS.fullmatch(self.texts.pattern) is not None

    def moment(self, text: str) -> int | None:
        """Where the period of a text starts, in wall-clock nanoseconds; None for what is no text
        of this layout."""
        found = self.texts.fullmatch(text)
        if found is None:
            return None
        given = [int(digits) for digits in found.groups()]
        try:
            moment = dt.datetime(*given, *_SMALLEST[len(given) :])  # type: ignore[arg-type]  # six
        except ValueError:
            return None
        seconds = (moment.hour * 60 + moment.minute) * 60 + moment.second
        return nanos_of(moment.date()) + seconds * NANOS_PER_SECOND

    def begun_by(self, prefix: str) -> tuple[Unit, int, bool] | None:
        """The shortest period whose text a prefix begins with: its unit, where it starts, in
        wall-clock nanoseconds, and whether all texts of that period have the prefix. None where it
        begins with none."""
        pieces = _FIELD.split(self.texts.pattern)  # fields, each with what is before it
        for count in range(len(pieces) // 2, 0, -1):
            part = TextLayout(re.compile("".join(pieces[: 2 * count])), _UNITS[count - 1])
            found = part.texts.match(prefix)
            nanos = None if found is None else part.moment(found[0])
            if found is not None and nanos is not None:
                following = pieces[2 * count].replace("\\", "")
                return part.unit, nanos, following.startswith(prefix[found.end() :])
        return None


@dataclass(frozen=True, slots=True)
class FormattedTime:
    """The text that a column, truncated to `start.unit`, is formatted to. Texts of years before
    `first_year` sort anywhere, though they equal none of a later one. `is_cut` tells that the
    digits of a longer year may be cut off."""

    start: PeriodStart
    layout: TextLayout
    first_year: int = dt.MINYEAR
    is_cut: bool = False


@dataclass(frozen=True, slots=True)
class _Call:
    """A call of a function that formats, and the language of its pattern; Trino's two round."""

    operand: exp.Expr
    pattern: str
    fields: _Fields
    first_year: int = dt.MINYEAR
    is_rounded: bool = False


def formatted_time(expression: exp.Expr, place: Place) -> FormattedTime | None:
    """The formatted column that an expression is; None for anything else."""
    call = _call(expression, place.dialect)
    layout = None if call is None else layout_of(call.pattern, call.fields)
    if call is None or layout is None:
        return None
    start = written_start(call.operand, layout.unit, place, is_rounded=call.is_rounded)
    if start is None:
        return None
    return FormattedTime(start, layout, call.first_year)


def _call(expression: exp.Expr, dialect: str) -> _Call | None:
    match expression:
        case exp.Anonymous(this=str() as name, expressions=[operand, exp.Literal() as joda]):
            is_known = name.lower() == "format_datetime" and dialect_of(dialect).is_trino
            if not is_known or not joda.is_string:
                return None
            return _Call(operand, joda.name, _JAVA, is_rounded=True)
        case exp.TimeToStr(this=operand) | exp.ToChar(this=operand):
            pattern = expression.args.get("format")
            if not isinstance(pattern, exp.Literal) or given(expression) != {"this", "format"}:
                return None
            return _pattern_call(expression, operand, pattern.name, dialect)
        case exp.Cast() if isinstance(year := _bare(cast_to_text(expression, dialect)), exp.Year):
            return _Call(year.this, "%Y", _STRFTIME, FIRST_PADDED_YEAR)
    return None


def _bare(expression: exp.Expr | None) -> exp.Expr | None:
    return None if expression is None else expression.unnest()


def _pattern_call(
    expression: exp.Expr, operand: exp.Expr, pattern: str, dialect: str
) -> _Call | None:
    match expression:
        case exp.ToChar() if dialect_of(dialect).has_java_time:
            return _Call(operand, pattern, _JAVA)
        case exp.ToChar() if dialect_of(dialect).has_snowflake_patterns:
            return _Call(operand, pattern.upper(), _SNOWFLAKE)
        case exp.TimeToStr() if dialect_of(dialect).is_trino:
            return _Call(operand, pattern, _STRFTIME, is_rounded=True)
        # Of operands whose type it knows, sqlglot has Snowflake's patterns as those of strftime.
        case exp.TimeToStr() if (
            dialect_of(dialect).has_strftime or dialect_of(dialect).has_snowflake_patterns
        ):
            return _Call(operand, pattern, _STRFTIME)
        case exp.TimeToStr() if dialect == "bigquery":
            # FORMAT_TIMESTAMP() of what the parser makes a time of; FORMAT_DATE() of its day.
            is_time = isinstance(operand, exp.TsOrDsToTimestamp | exp.TsOrDsToDatetime)
            bare = operand.this if is_time else operand
            return _Call(bare, pattern, _STRFTIME, FIRST_PADDED_YEAR)
        case exp.TimeToStr() if dialect_of(dialect).has_java_time:
            # The implicit cast, as sqlglot writes it.
            bare = operand.this if isinstance(operand, exp.TimeStrToTime) else operand
            return _Call(bare, pattern, _STRICT, FIRST_PADDED_YEAR)
    return None


def layout_of(pattern: str, fields: _Fields) -> TextLayout | None:
    """The layout that a pattern stands for; None where its texts do not sort as moments do."""
    names = "|".join(re.escape(name) for name in sorted(fields, key=len, reverse=True))
    separators = _PUNCTUATION if fields is _SNOWFLAKE else _SEPARATORS
    units: list[Unit] = []
    texts = ""
    for token in re.finditer(f"({names})|(.)", pattern, re.DOTALL):
        field, separator = token.groups()
        unit = fields.get(field)
        if unit is not None:
            units.append(unit)
            texts += "([0-9]{4})" if unit is Unit.YEAR else "([0-9]{2})"
        elif units and (field is not None or separators.fullmatch(separator)):
            texts += "T" if field is not None else re.escape(separator)
        else:
            return None
    if not units or tuple(units) != _UNITS[: len(units)]:
        return None
    return TextLayout(re.compile(texts), units[-1])


def strict_layout(pattern: str) -> tuple[TextLayout, int] | None:
    """The layout of a pattern of Spark as sqlglot gives it, and the first year whose texts sort as
    moments do."""
    layout = layout_of(pattern, _STRICT)
    return None if layout is None else (layout, FIRST_PADDED_YEAR)


def period_start(operand: object, unit: Unit, path_of: PathOf, dialect: str) -> PeriodStart | None:
    """The start of the unit that a column falls in, as its clock reads it; None if `operand` is
    no column, nor a truncation of one, nor there at all (see `term`)."""
    if not isinstance(operand, exp.Expr):
        return None
    truncation = exp.TimestampTrunc(this=operand.copy(), unit=exp.Var(this=unit.name))
    try:
        inner = term(operand, path_of, dialect)
        if isinstance(inner, PeriodStart) and unit in _OF_MONTHS and _starts_month(inner):
            return PeriodStart(inner.path, max(unit, inner.unit), Yields.DATE)
        found = term(truncation, path_of, dialect)
    except CannotConvert:
        return None
    return replace(found, yields=Yields.DATE) if isinstance(found, PeriodStart) else None


def written_start(
    operand: exp.Expr, unit: Unit, place: Place, *, is_rounded: bool
) -> PeriodStart | None:
    """The start of the unit whose text is made of an operand (see `period_start`), which Trino
    rounds where it is the column itself: not a truncation, and no date."""
    start = period_start(operand, unit, place.path_of, place.dialect)
    path = column_path(operand.unnest(), place.path_of)
    if start is None or not is_rounded or path is None:
        return start
    is_date = place.type_of(path) == "date"
    return start if is_date else replace(start, rounding=_MILLISECOND)


def _starts_month(period: PeriodStart) -> bool:
    return period.unit in _OF_MONTHS and period.yields is not Yields.YEAR_NUMBER


def compare_formatted(
    op: Op, found: FormattedTime, value: LiteralValue, session: Session
) -> Predicate:
    """`text op value` as comparisons of the column; raises CannotConvert where the value is no text
    of the layout."""
    if is_int(value) and dialect_of(session.dialect).is_spark and found.layout.is_number:
        value = str(value)  # Spark makes a number of the text
    nanos = found.layout.moment(value) if isinstance(value, str) else None
    if nanos is None or nanos < nanos_of(dt.date(found.first_year, 1, 1)):
        raise CannotConvert(Reason.FUNCTION)
    start, column = found.start, Column(found.start.path)
    selected = compare_period(op, start, Timestamp(nanos, zoned=False), session)
    if op in (Op.LT, Op.LT_EQ) or (op is Op.EQ and found.is_cut):
        return any_of(selected, after_calendar(column))
    if op in (Op.GT, Op.GT_EQ) and found.first_year > dt.MINYEAR:
        early = Comparison(Op.LT, column, (dt.date(found.first_year, 1, 1),))
        return any_of(selected, early)
    return selected


def format_starting_with(
    found: FormattedTime, beginning: Beginning, session: Session
) -> tuple[Predicate, bool]:
    """The rows whose texts have a beginning (see `Rewrite`): those of the shortest period whose
    text the prefix has. Raises CannotConvert where it has none."""
    prefix, negated = beginning.prefix, beginning.negated
    begun = found.layout.begun_by(prefix)
    if begun is None:
        raise CannotConvert(Reason.FUNCTION)
    unit, nanos, is_whole = begun
    is_all = beginning.is_open and is_whole
    nests = found.start.unit in _UNITS or found.start.unit in _OF_MONTHS or unit <= Unit.DAY
    is_early = nanos < nanos_of(dt.date(found.first_year, 1, 1))
    if (negated and not is_all) or not nests or is_early:
        raise CannotConvert(Reason.FUNCTION)
    start, column = replace(found.start, unit=max(unit, found.start.unit)), Column(found.start.path)
    op = Op.NOT_EQ if negated else Op.EQ
    selected = compare_period(op, start, Timestamp(nanos, zoned=False), session)
    after_year = prefix[_YEAR_DIGITS : _YEAR_DIGITS + 1]
    if after_year and not after_year.isdigit():
        return selected, is_all
    # Texts of longer years begin so, too, and those of shorter ones that are not padded.
    early = Comparison(Op.LT, column, (dt.date(found.first_year, 1, 1),))
    shorter = [early] if found.first_year > dt.MINYEAR else []
    return any_of(selected, after_calendar(column), *shorter), is_all


def after_calendar(column: Column) -> Predicate:
    """The years beyond 9999, and perhaps their eve."""
    return Comparison(Op.GT, column, (LAST_DATE,))


REWRITE = Rewrite(formatted_time, compare_formatted, starting=format_starting_with, is_text=True)
