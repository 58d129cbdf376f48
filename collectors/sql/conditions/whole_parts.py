"""Conditions on the parts of dates by way of casts and roundings that leave them as they are, as
conditions on these parts: `CAST(TRUNCATE(EXTRACT(YEAR FROM x)) AS bigint) = 2026` is `EXTRACT(YEAR
FROM x) = 2026`, and so is `CAST(year(x) AS varchar) = '2026'`.

Parts are whole numbers of 32 bits, which singles, doubles and decimals of ten digits hold. Their
texts are those of whole numbers. Neither engine cuts such a text to the length of a varchar: Trino
raises an error where it is longer.

Patterns of one part write its digits: `date_format(x, '%m') = '04'` is `month(x) = 4`. Trino rounds
to milliseconds what it formats, which its cast to a timestamp of three digits does, and that alone.
"""

from __future__ import annotations

import re

from sqlglot import exp

from collectors.sql.conditions.leaf_rewrite import LeafRewrite, Replacement, TypeOf
from collectors.sql.constants.session import Session
from collectors.sql.constants.terms import period_of
from collectors.sql.dialects import dialect_of
from collectors.sql.text.boolean import Formula, Leaf, own_columns
from collectors.sql.text.nodes import given, nodes_of

_PARTS = (
    exp.Year,
    exp.YearOfWeek,
    exp.Quarter,
    exp.Month,
    exp.WeekOfYear,
    exp.Day,
    exp.DayOfMonth,
    exp.DayOfYear,
)
_FIELDS = frozenset({"YEAR", "QUARTER", "MONTH", "WEEK", "DAY", "DOY", "DAY_OF_YEAR"})
_YEARS_OF_WEEKS = frozenset({"YOW", "YEAR_OF_WEEK", "YEAROFWEEK"})
_WHOLE = frozenset({exp.DType.INT, exp.DType.BIGINT})
_FRACTIONAL = frozenset({exp.DType.FLOAT, exp.DType.DOUBLE, exp.DType.DECIMAL})
_TEXTS = frozenset({exp.DType.TEXT, exp.DType.VARCHAR})
_CASTS = {"bigint": True, "double": False, "float": False}
"""Functions of Spark that sqlglot knows by name alone, and whether they give whole numbers."""
_ROUNDINGS = (exp.Round, exp.Floor, exp.Ceil)
_FORMATS: dict[str, type[exp.Expr]] = {
    "%Y": exp.Year,
    "%m": exp.Month,
    "%mstrict": exp.Month,
    "%d": exp.Day,
    "%dstrict": exp.Day,
}
"""Patterns of Trino, and of Spark as sqlglot has them."""
_JODA = {"yyyy": "%Y", "MM": "%m", "dd": "%d"}
"""The same of Trino's format_datetime()."""
_MILLISECONDS = exp.DataType.build("timestamp(3)", dialect="trino")
_BESIDE_YEARS = (exp.Month, exp.Day)
_DIGITS: dict[type[exp.Expr], re.Pattern[str]] = {
    exp.Year: re.compile("[1-9][0-9]{3}"),
    exp.Month: re.compile("0[1-9]|1[0-2]"),
    exp.Day: re.compile("[0-2][1-9]|[1-3]0|31"),
}
"""How the pattern of a part writes it; of years, those that all patterns write with four digits."""
_MIN_DIGITS = 10
_EQUALITIES = (exp.EQ, exp.NEQ, exp.In)
_NUMBER = re.compile("0|-?[1-9][0-9]{0,8}")


def wraps_parts(
    subject: exp.Expr, dialect: str, written: tuple[type[exp.Expr], ...] = _BESIDE_YEARS
) -> bool:
    """Whether something is around the part of a date in an expression that leaves it as it is, or
    writes the digits of a part of some kinds. Those of years are ranges whatever is beside them
    (`date_formats`)."""
    return any(
        (_is_wrapper(node, dialect) and (_part(node, dialect) or _part_of_text(node, dialect)))
        or isinstance(_formatted(node, dialect), written)
        for node in nodes_of(subject)
    )


def without_wrappers(condition: Formula, session: Session, type_of: TypeOf) -> Formula:
    """A condition as one on the parts of dates, if it is a leaf that compares them through casts
    and roundings, or as their digits."""
    if not isinstance(condition, Leaf):
        return condition
    found = of_whole_parts(condition, session, type_of, tuple(_DIGITS))
    return condition if found is None else found.condition


def of_whole_parts(
    leaf: Leaf,
    session: Session,
    type_of: TypeOf,
    written: tuple[type[exp.Expr], ...] = _BESIDE_YEARS,
) -> Replacement | None:
    """What a leaf says of the parts of dates that it compares through casts and roundings, or, of
    some kinds, as their digits; None for any other leaf."""
    dialect = session.dialect
    is_known = dialect_of(dialect).has_known_functions
    if not is_known or not wraps_parts(leaf.expression, dialect, written):
        return None
    expression = _in_milliseconds(leaf.expression, dialect, type_of)
    numbers = _of_numbers(expression, dialect)

    def bare(node: exp.Expr) -> exp.Expr:
        if not _is_wrapper(node, dialect):
            return node
        # A fraction would make another sum or quotient.
        part = _part(node, dialect, is_compared=_is_side(node))
        return node if part is None else part.copy()

    found = (expression if numbers is None else numbers).transform(bare)
    return None if found == expression else Replacement(Leaf(found, leaf.negated), True, True)


def _in_milliseconds(expression: exp.Expr, dialect: str, type_of: TypeOf) -> exp.Expr:
    """An expression in which Trino's digits of a time are those of what it rounds the time to."""
    operands = [_written(node, dialect) for node in nodes_of(expression)]
    if not dialect_of(dialect).is_trino or not any(operands):
        return expression
    found = expression.copy()
    for text in nodes_of(found):
        operand = _written(text, dialect)
        if operand is not None and not _is_whole(operand, dialect, type_of):
            operand.replace(exp.Cast(this=operand.copy(), to=_MILLISECONDS.copy()))
    return found


def _is_whole(operand: exp.Expr, dialect: str, type_of: TypeOf) -> bool:
    """Whether a date, or a time, has no part of a millisecond for certain."""
    are_dates = all(type_of(column) == "date" for column in own_columns(operand))
    return are_dates or period_of(operand.unnest(), dialect) is not None


def _is_side(node: exp.Expr) -> bool:
    """Whether a node is a side of the comparison that it is in."""
    parent = node.parent
    while isinstance(parent, exp.Paren):
        parent = parent.parent
    return parent is not None and parent.parent is None


def _is_wrapper(node: exp.Expr, dialect: str) -> bool:
    if isinstance(node, exp.Anonymous):
        return node.name.lower() in _CASTS and dialect_of(dialect).is_spark
    return isinstance(node, (exp.Cast, exp.Trunc, *_ROUNDINGS))


def _part(node: exp.Expr, dialect: str, *, is_compared: bool = True) -> exp.Expr | None:
    """The part of a date that an expression has the value of; None for others. What makes a
    fraction of it counts if the value `is_compared`, or made whole again."""
    node = node.unnest()
    if _is_part(node):
        return node
    match node:
        case exp.Cast(this=operand, to=exp.DataType(this=kind) as target):
            if node.args.get("format"):
                return None
            if kind in _WHOLE:
                return _formatted(operand.unnest(), dialect) or _part(operand, dialect)
            is_held = kind in _FRACTIONAL and _has_room(target)
            return _part(operand, dialect) if is_held and is_compared else None
        case exp.Round() | exp.Floor() | exp.Ceil():
            digits = node.args.get("decimals")
            is_plain = digits is None or (isinstance(digits, exp.Literal) and digits.is_int)
            is_known = is_plain and given(node) <= {"this", "decimals"}
            return _part(node.this, dialect, is_compared=is_compared) if is_known else None
        case exp.Trunc(this=operand) if given(node) == {"this"} and is_compared:
            return _part(operand, dialect)
        case exp.Anonymous(this=str() as name, expressions=[operand]):
            is_known = _is_wrapper(node, dialect) and (is_compared or _CASTS[name.lower()])
            return _part(operand, dialect) if is_known else None
    return None


def _is_part(node: exp.Expr) -> bool:
    if isinstance(node, exp.Extract):
        return node.name.upper() in _FIELDS | _YEARS_OF_WEEKS
    if isinstance(node, exp.Anonymous):
        return node.name.upper() in _YEARS_OF_WEEKS
    return isinstance(node, _PARTS)


def is_written(text: exp.Expr, digits: str, dialect: str) -> bool | None:
    """Whether a text may be such digits; None for what does not write one part of a date."""
    part = _formatted(text, dialect)
    if part is None:
        return None
    return isinstance(part, exp.Year) or _DIGITS[type(part)].fullmatch(digits) is not None


def _formatted(text: exp.Expr, dialect: str) -> exp.Expr | None:
    """The part of a date whose digits a text has, and nothing else; None for other texts."""
    operand = _written(text, dialect)
    if operand is None:
        return None
    # The implicit cast, as sqlglot writes it.
    operand = operand.this if isinstance(operand, exp.TimeStrToTime) else operand
    return _FORMATS[_pattern(text)](this=operand.copy())


def _written(text: exp.Expr, dialect: str) -> exp.Expr | None:
    """The time of which a text has the digits of one part; None for other texts."""
    match text:
        case exp.TimeToStr(this=operand) if given(text) == {"this", "format"}:
            pass
        case exp.Anonymous(this=str() as name, expressions=[operand, exp.Literal()]) if (
            name.lower() == "format_datetime" and dialect_of(dialect).is_trino
        ):
            pass
        case _:
            return None
    return operand if _pattern(text) in _FORMATS else None


def _pattern(text: exp.Expr) -> str:
    """The pattern of a text, in the language of `_FORMATS`."""
    if isinstance(text, exp.Anonymous):
        return _JODA.get(text.expressions[1].name, "")
    return text.text("format")


def _has_room(target: exp.DataType) -> bool:
    """Whether a type holds all whole numbers of 32 bits; a decimal without sizes does."""
    sizes = [int(size.name) for size in target.expressions if size.name.isdecimal()]
    return not sizes or sizes[0] - (*sizes, 0)[1] >= _MIN_DIGITS


def _of_numbers(comparison: exp.Expr, dialect: str) -> exp.Expr | None:
    """An equality of the text of a part with texts as one of the part with numbers; None for
    others."""
    if not isinstance(comparison, _EQUALITIES):
        return None
    names = ["this", "expression"]
    if isinstance(comparison, exp.EQ | exp.NEQ) and own_columns(comparison.expression):
        names.reverse()
    text = comparison.args[names[0]].unnest()
    part, texts = _part_of_text(text, dialect), _NUMBER
    if part is None:
        part = _formatted(text, dialect)
        texts = _NUMBER if part is None else _DIGITS[type(part)]
    others = comparison.expressions or [comparison.args.get(names[1])]
    numbers = [
        exp.Literal.number(int(other.name))
        for other in others
        if isinstance(other, exp.Literal) and other.is_string and texts.fullmatch(other.name)
    ]
    if part is None or len(numbers) < len(others):
        return None
    if isinstance(comparison, exp.In):
        return exp.In(this=part.copy(), expressions=numbers)
    return type(comparison)(**{names[0]: part.copy(), names[1]: numbers[0]})


def _part_of_text(text: exp.Expr, dialect: str) -> exp.Expr | None:
    match text:
        case exp.Cast(this=operand, to=exp.DataType(this=kind)) as cast if kind in _TEXTS:
            inner = operand.unnest()
            is_whole = not isinstance(inner, exp.Trunc) and not cast.args.get("format")
            return _part(inner, dialect, is_compared=False) if is_whole else None
    return None


REWRITE = LeafRewrite(
    may_concern=lambda subject, dialect, _: wraps_parts(subject, dialect),
    replace=lambda leaf, around: of_whole_parts(leaf, around.session, around.type_of),
)
