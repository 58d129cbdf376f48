"""Conditions on the parts of dates by way of casts and roundings that leave them as they are, as
conditions on these parts: `CAST(TRUNCATE(EXTRACT(YEAR FROM x)) AS bigint) = 2026` is `EXTRACT(YEAR
FROM x) = 2026`, and so is `CAST(year(x) AS varchar) = '2026'`.

Parts are whole numbers of 32 bits, which singles, doubles and decimals of ten digits hold. Their
texts are those of whole numbers. Neither engine cuts such a text to the length of a varchar: Trino
raises an error where it is longer.
"""

from __future__ import annotations

import re

from sqlglot import exp

from collectors.sql.conditions.leaf_rewrite import LeafRewrite, Replacement
from collectors.sql.constants.session import Session
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
_MIN_DIGITS = 10
_EQUALITIES = (exp.EQ, exp.NEQ, exp.In)
_NUMBER = re.compile("0|-?[1-9][0-9]{0,8}")


def wraps_parts(subject: exp.Expr, dialect: str) -> bool:
    """Whether something is around the part of a date in an expression that leaves it as it is."""
    return any(
        _is_wrapper(node, dialect)
        and (_part(node, dialect) is not None or _part_of_text(node, dialect) is not None)
        for node in nodes_of(subject)
    )


def of_whole_parts(leaf: Leaf, session: Session) -> Replacement | None:
    """What a leaf says of the parts of dates that it compares through casts and roundings; None for
    any other leaf."""
    dialect = session.dialect
    if not dialect_of(dialect).has_known_functions or not wraps_parts(leaf.expression, dialect):
        return None
    numbers = _of_numbers(leaf.expression, dialect)

    def bare(node: exp.Expr) -> exp.Expr:
        if not _is_wrapper(node, dialect):
            return node
        # A fraction would make another sum or quotient.
        part = _part(node, dialect, is_compared=_is_side(node))
        return node if part is None else part.copy()

    found = (leaf.expression if numbers is None else numbers).transform(bare)
    return None if found == leaf.expression else Replacement(Leaf(found, leaf.negated), True, True)


def without_wrappers(condition: Formula, session: Session) -> Formula:
    """A condition as one on the parts of dates, if it is a leaf that compares them through casts
    and roundings."""
    found = of_whole_parts(condition, session) if isinstance(condition, Leaf) else None
    return condition if found is None else found.condition


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
                return _formatted(operand.unnest()) or _part(operand, dialect)
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


def _formatted(text: exp.Expr) -> exp.Expr | None:
    """The part of a date whose digits a text has, and nothing else; None for other texts."""
    if not isinstance(text, exp.TimeToStr) or given(text) != {"this", "format"}:
        return None
    kind = _FORMATS.get(text.text("format"))
    # The implicit cast, as sqlglot writes it.
    operand = text.this.this if isinstance(text.this, exp.TimeStrToTime) else text.this
    return None if kind is None else kind(this=operand.copy())


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
    part = _part_of_text(comparison.args[names[0]], dialect)
    others = comparison.expressions or [comparison.args.get(names[1])]
    numbers = [
        exp.Literal.number(int(other.name))
        for other in others
        if isinstance(other, exp.Literal) and other.is_string and _NUMBER.fullmatch(other.name)
    ]
    if part is None or len(numbers) < len(others):
        return None
    if isinstance(comparison, exp.In):
        return exp.In(this=part.copy(), expressions=numbers)
    return type(comparison)(**{names[0]: part.copy(), names[1]: numbers[0]})


def _part_of_text(text: object, dialect: str) -> exp.Expr | None:
    match text.unnest() if isinstance(text, exp.Expr) else None:
        case exp.Cast(this=operand, to=exp.DataType(this=kind)) as cast if kind in _TEXTS:
            inner = operand.unnest()
            is_whole = not isinstance(inner, exp.Trunc) and not cast.args.get("format")
            return _part(inner, dialect, is_compared=False) if is_whole else None
    return None


REWRITE = LeafRewrite(
    may_concern=lambda subject, dialect, _: wraps_parts(subject, dialect),
    replace=lambda leaf, around: of_whole_parts(leaf, around.session),
)
