"""Texts of dates whose order is not that of the dates, compared with a literal: `date_format(x,
'MMM yyyy') = 'Feb 2026'` is `x >= DATE '2026-02-01' AND x < DATE '2026-03-01'`, and so are days as
`20.01.2026` and, in Trino, ISO weeks as `2026-05`. Each text is that of one period. No engine
unwraps these functions.

Names of months and days are English: Spark has no others, and Trino's are those of the session's
locale, none of which calls another month by an English name.
"""

from __future__ import annotations

import datetime as dt
import re
from calendar import day_abbr, day_name, month_abbr, month_name
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum, auto

from sqlglot import exp

from collectors.predicates.calendar import Unit
from collectors.predicates.literals import LiteralValue
from collectors.predicates.model import Predicate, Reason
from collectors.predicates.operators import Op
from collectors.sql.constants.session import Session
from collectors.sql.constants.terms import PeriodStart
from collectors.sql.constants.values import CannotConvert
from collectors.sql.dialects import dialect_of
from collectors.sql.rewrites.date_formats import FIRST_PADDED_YEAR, written_start
from collectors.sql.rewrites.dates import compare_period
from collectors.sql.rewrites.rewrite import Place, Rewrite
from collectors.sql.text.nodes import given


class Part(Enum):
    """What a field of a pattern tells of a date."""

    YEAR = auto()
    MONTH = auto()
    DAY = auto()
    WEEKDAY = auto()
    ISO_YEAR = auto()
    WEEK = auto()


_UNITS = {
    frozenset({Part.YEAR, Part.MONTH}): Unit.MONTH,
    frozenset({Part.YEAR, Part.MONTH, Part.DAY}): Unit.DAY,
    frozenset({Part.YEAR, Part.MONTH, Part.DAY, Part.WEEKDAY}): Unit.DAY,
    frozenset({Part.ISO_YEAR, Part.WEEK}): Unit.WEEK,
}
_FOUR, _TWO, _ANY = "[0-9]{4}", "[0-9]{2}", "[1-9][0-9]?"
_SHORT_MONTHS, _MONTHS = tuple(month_abbr[1:]), tuple(month_name[1:])
_SHORT_DAYS, _DAYS = tuple(day_abbr), tuple(day_name)
_Fields = Mapping[str, tuple[Part, str | Sequence[str]]]

_STRFTIME: _Fields = {
    "%Y": (Part.YEAR, _FOUR),
    "%m": (Part.MONTH, _TWO),
    "%-m": (Part.MONTH, _ANY),
    "%b": (Part.MONTH, _SHORT_MONTHS),
    "%B": (Part.MONTH, _MONTHS),
    "%d": (Part.DAY, _TWO),
    "%-d": (Part.DAY, _ANY),
    "%a": (Part.WEEKDAY, _SHORT_DAYS),
    "%A": (Part.WEEKDAY, _DAYS),
}
_TRINO: _Fields = {**_STRFTIME, "%G": (Part.ISO_YEAR, _FOUR), "%v": (Part.WEEK, _TWO)}
# As sqlglot has Spark's patterns.
_SPARK: _Fields = {
    **{name: field for name, field in _STRFTIME.items() if name not in ("%m", "%d")},
    "%mstrict": _STRFTIME["%m"],
    "%dstrict": _STRFTIME["%d"],
}
_JODA: _Fields = {
    "yyyy": _STRFTIME["%Y"],
    "MM": _STRFTIME["%m"],
    "M": _STRFTIME["%-m"],
    "MMM": _STRFTIME["%b"],
    "MMMM": _STRFTIME["%B"],
    "dd": _STRFTIME["%d"],
    "d": _STRFTIME["%-d"],
    "E": _STRFTIME["%a"],
    "EEE": _STRFTIME["%a"],
    "EEEE": _STRFTIME["%A"],
    "xxxx": _TRINO["%G"],
    "ww": _TRINO["%v"],
}
_TOKENS = re.compile(r"(?P<field>%-?[A-Za-z](?:strict)?)|(?P<other>.)", re.DOTALL)
_JODA_TOKENS = re.compile(r"(?P<field>([A-Za-z])\2*)|'(?P<quoted>[^']+)'|(?P<other>.)", re.DOTALL)
_DIGITS = re.compile("[0-9]")


@dataclass(frozen=True, slots=True)
class Label:
    """The texts of a pattern, with a group for each of its parts: numbers, or the names that there
    are."""

    texts: re.Pattern[str]
    parts: tuple[tuple[Part, tuple[str, ...]], ...]
    unit: Unit

    def start(self, text: str) -> dt.date | None:
        """The first day of the period that has a text; None where none has."""
        found = self.texts.fullmatch(text)
        if found is None:
            return None
        known = {
            part: names.index(value) + 1 if names else int(value)
            for (part, names), value in zip(self.parts, found.groups(), strict=True)
        }
        try:
            if self.unit is Unit.WEEK:
                return dt.date.fromisocalendar(known[Part.ISO_YEAR], known[Part.WEEK], 1)
            day = dt.date(known[Part.YEAR], known[Part.MONTH], known.get(Part.DAY, 1))
        except ValueError:
            return None
        return day if known.get(Part.WEEKDAY, day.isoweekday()) == day.isoweekday() else None


@dataclass(frozen=True, slots=True)
class LabelledDate:
    """The label of the period that a column lies in."""

    start: PeriodStart
    label: Label


def labelled_date(expression: exp.Expr, place: Place) -> LabelledDate | None:
    """The label of a column that an expression is; None for anything else."""
    found = _call(expression, place.dialect)
    if found is None:
        return None
    operand, label = found
    is_rounded = dialect_of(place.dialect).is_trino
    start = written_start(operand, label.unit, place, is_rounded=is_rounded)
    return LabelledDate(start, label) if start is not None and start.unit is label.unit else None


def _call(expression: exp.Expr, dialect: str) -> tuple[exp.Expr, Label] | None:
    known = dialect_of(dialect)
    match expression:
        case exp.Anonymous(this=str() as name, expressions=[operand, exp.Literal() as pattern]):
            is_known = name.lower() == "format_datetime" and known.is_trino and pattern.is_string
            label = label_of(pattern.name, _JODA) if is_known else None
        case exp.TimeToStr(this=operand, args={"format": exp.Literal() as pattern}):
            if given(expression) != {"this", "format"}:
                return None
            fields = _TRINO if known.is_trino else _SPARK if known.has_java_time else None
            label = None if fields is None else label_of(pattern.name, fields)
            # The implicit cast, as sqlglot writes it.
            operand = operand.this if isinstance(operand, exp.TimeStrToTime) else operand
        case _:
            return None
    return None if label is None else (operand, label)


def label_of(pattern: str, fields: _Fields) -> Label | None:
    """The label that a pattern stands for; None where its texts do not tell one period each."""
    texts = ""
    parts: list[tuple[Part, tuple[str, ...]]] = []
    between: list[str] = [""]
    kinds: list[str | Sequence[str]] = []
    for token in (_JODA_TOKENS if fields is _JODA else _TOKENS).finditer(pattern):
        found = token.groupdict()
        if found["field"] is None:
            text = found.get("quoted") or found["other"]
            # A letter may be a field that sqlglot does not know.
            if text.isalpha() and fields is _SPARK:
                return None
            between[-1] += text
            texts += re.escape(text)
            continue
        if found["field"] not in fields:
            return None
        part, kind = fields[found["field"]]
        is_number = isinstance(kind, str)
        parts.append((part, () if is_number else tuple(kind)))
        texts += f"({kind})" if isinstance(kind, str) else f"({'|'.join(kind)})"
        kinds.append(kind)
        between.append("")
    unit = _UNITS.get(frozenset(part for part, _ in parts))
    if unit is None or len({part for part, _ in parts}) < len(parts):
        return None
    return Label(re.compile(texts), tuple(parts), unit) if _is_clear(kinds, between) else None


def _is_clear(kinds: Sequence[str | Sequence[str]], between: Sequence[str]) -> bool:
    """Whether no number without a fixed length has other digits beside it."""
    for number, kind in enumerate(kinds):
        if kind != _ANY:
            continue
        before, after = between[number], between[number + 1]
        is_begun = bool(before) or number == 0 or not isinstance(kinds[number - 1], str)
        is_ended = bool(after) or number + 1 == len(kinds) or not isinstance(kinds[number + 1], str)
        if not (is_begun and is_ended) or _DIGITS.search(f"{before[-1:]}{after[:1]}"):
            return False
    return True


def compare_label(op: Op, found: LabelledDate, value: LiteralValue, session: Session) -> Predicate:
    """`label op value` as comparisons of the column; raises CannotConvert for an order of texts,
    and where no period has that text."""
    start = found.label.start(value) if isinstance(value, str) else None
    if op not in (Op.EQ, Op.NOT_EQ) or start is None or start.year < FIRST_PADDED_YEAR:
        raise CannotConvert(Reason.FUNCTION)
    return compare_period(op, found.start, start, session)


REWRITE = Rewrite(labelled_date, compare_label, is_text=True)
