"""Wrapping of the columns in a condition by which nothing prunes, from its syntax tree, and its
relation to the order of their values."""

from __future__ import annotations

import re
from enum import Enum, auto

from sqlglot import exp

from prunescope.collectors.predicates.calendar import Unit
from prunescope.collectors.sql.text.boolean import own_columns
from prunescope.collectors.sql.text.nodes import nodes_of


class Wrapping(Enum):
    """Kinds of what stands around columns; the first of those that a query has says most of what
    to do."""

    JOINED = auto()
    """One text or date of several columns."""
    TIME_TEXT = auto()
    """A text of a time, with its year."""
    NORMALISED = auto()
    """A text that is written in another way."""
    BEGINNING = auto()
    """The first part of a text, by whose order it lies."""
    PIECE = auto()
    """Takes a piece of a text, a list or a document, at a place that is known."""
    NULL_TAKEN = auto()
    """Makes null of values, or values of null."""
    OTHER = auto()
    REPEATED = auto()
    """Has the same value for inputs that lie far apart."""
    SEARCH = auto()
    """A search for what may be anywhere within a text."""


_SEARCHES = (exp.Contains, exp.EndsWith, exp.RegexpLike, exp.RegexpILike, exp.SimilarTo)
_WHATEVER_COLUMNS = (Wrapping.NORMALISED, Wrapping.REPEATED)
"""Kinds that say the same of one column as of several."""
_FUNCTIONS: dict[Wrapping, tuple[type[exp.Expr], ...]] = {
    Wrapping.NORMALISED: (
        *(exp.Lower, exp.Upper, exp.Initcap, exp.Trim, exp.Normalize),
        *(exp.Replace, exp.RegexpReplace, exp.Translate),
    ),
    Wrapping.REPEATED: (
        *(exp.Mod, exp.BitwiseAnd, exp.BitwiseOr, exp.BitwiseXor),
        *(exp.MD5, exp.MD5Digest, exp.SHA, exp.SHA1Digest, exp.SHA2, exp.SHA2Digest),
        *(exp.Length, exp.ByteLength, exp.BitLength, exp.ArraySize, exp.Levenshtein, exp.Soundex),
    ),
    Wrapping.PIECE: (
        *(exp.JSONExtract, exp.JSONExtractScalar, exp.JSONValue, exp.ParseUrl, exp.Bracket),
        *(exp.RegexpExtract, exp.RegexpSubstr, exp.Split, exp.RegexpSplit, exp.SplitPart),
        *(exp.Substring, exp.SubstringIndex, exp.Left, exp.Right, exp.Reverse),
    ),
    Wrapping.NULL_TAKEN: (exp.Coalesce, exp.Nullif, exp.Nvl2, exp.Null),
}
_NAMES = {
    Wrapping.NORMALISED: re.compile("btrim"),
    Wrapping.REPEATED: re.compile(r"pmod|hash|xxhash64|crc32|(char_|octet_)?length|bit\w*_and"),
    Wrapping.PIECE: re.compile(r"json_\w+|url_extract_\w+|variant_get|regexp_\w+|substring"),
}
"""Functions that sqlglot knows by name alone."""
_JOINS = (exp.Concat, exp.ConcatWs, exp.DPipe, exp.Format)
_TEXTS = frozenset({exp.DType.TEXT, exp.DType.VARCHAR, exp.DType.CHAR})

_PARTS: dict[Unit, tuple[type[exp.Expr], ...]] = {
    Unit.YEAR: (exp.Month, exp.Monthname, exp.Quarter, exp.WeekOfYear, exp.DayOfYear),
    Unit.MONTH: (exp.Day, exp.DayOfMonth),
    Unit.WEEK: (exp.DayOfWeek, exp.DayOfWeekIso, exp.Dayname),
    Unit.DAY: (exp.Hour, exp.Minute, exp.Second),
}
"""Numbers and names of what comes once in each unit, or more often."""
_PART_NAMES = {
    Unit.YEAR: re.compile("month|quarter|week|week_?of_?year|doy|day_?of_?year"),
    Unit.MONTH: re.compile("day|day_?of_?month"),
    Unit.WEEK: re.compile("weekday|dow|dow_iso|isodow|day_?of_?week"),
    Unit.DAY: re.compile("hour|minute|(milli)?seconds?"),
}
_YEARS = (exp.Year, exp.YearOfWeek, exp.YearOfWeekIso, exp.TimestampTrunc, exp.DateTrunc)
_YEAR_NAME = re.compile(r"year|yow|year_?of_?week", re.IGNORECASE)
# Letters of formats: of strftime and MySQL after %, as sqlglot has them, and of Java and Joda.
_STRFTIME = "YyGgCcxXDFs", {Unit.YEAR: "mBbhjUWVv", Unit.MONTH: "de", Unit.WEEK: "Aawu"}
_JAVA = "yYux", {Unit.YEAR: "MLwQqD", Unit.MONTH: "d", Unit.WEEK: "Eec"}
_FIRST_AFTER_YEAR = 5
_FIRST = exp.Literal.number(1)


def wrapping_of(condition: exp.Expr, *, is_time: bool) -> Wrapping:
    """Wrapping of a condition's columns; `is_time` tells that these are dates or times."""
    nodes = nodes_of(condition)
    if _searches(condition):
        return Wrapping.REPEATED if is_time else Wrapping.SEARCH
    # Nulls matter where nothing else does: a column that has the value has theirs as well.
    kinds = [kind for node in nodes for kind in _kinds_of(node)]
    if Wrapping.PIECE in kinds and any(map(_is_beginning, nodes)):
        kinds = [Wrapping.BEGINNING if kind is Wrapping.PIECE else kind for kind in kinds]
    kinds.sort(key=lambda kind: kind is Wrapping.NULL_TAKEN)
    is_repeated = repeated_within(condition) is not None
    found = Wrapping.REPEATED if is_repeated else next(iter(kinds), Wrapping.OTHER)
    if len({column.sql() for column in own_columns(condition)}) > 1:
        is_joined = any(isinstance(node, _JOINS) for node in nodes)
        if is_joined and found is not Wrapping.NORMALISED:
            return Wrapping.JOINED
        return found if found in _WHATEVER_COLUMNS else Wrapping.OTHER
    if not is_time or is_repeated:
        return found
    if found in (Wrapping.PIECE, Wrapping.BEGINNING):
        is_early = not any(map(_begins_after_year, nodes))
        return Wrapping.TIME_TEXT if is_early else Wrapping.REPEATED
    is_text = found is Wrapping.NORMALISED or any(map(_makes_text, nodes))
    return Wrapping.TIME_TEXT if is_text else found


def repeated_within(condition: exp.Expr) -> Unit | None:
    """Unit of time within which the values asked for repeat, as hours do in each day; None if a
    year is asked for as well, or no part of a time is."""
    found: set[Unit] = set()
    for node in nodes_of(condition):
        label = _label_of(node)
        if _counts_days(node):
            continue
        if isinstance(node, _YEARS) or _is_year(node) or (label is not None and label[0]):
            return None
        if label is not None:
            found.add(label[1])
        found |= {unit for unit, kinds in _PARTS.items() if isinstance(node, kinds)}
        name = _part_name(node)
        found |= {unit for unit, names in _PART_NAMES.items() if names.fullmatch(name)}
    return max(found, default=None)


def asks_for_rest(condition: exp.Expr) -> bool:
    """True if a condition asks for the remainder of a division, of a number or of a hash, as
    samples and shares of the rows are taken."""
    rests = (node for node in nodes_of(condition) if _is_division(node))
    return any(not isinstance(node, exp.Mod) or not _is_rest(node) for node in rests)


def _is_division(node: exp.Expr) -> bool:
    is_named = isinstance(node, exp.Anonymous) and node.name.lower() == "pmod"
    return is_named or isinstance(node, exp.Mod)


def _searches(condition: exp.Expr) -> bool:
    """True if a condition searches for a value that may be anywhere within a text."""
    match condition.unnest():
        case exp.Not(this=inner) | exp.Escape(this=inner):
            return _searches(inner)
        case exp.Like() | exp.ILike() as like:
            return like.text("expression").startswith(("%", "_"))
        case exp.RegexpLike() | exp.RegexpILike() as like:
            return not like.text("expression").startswith(("^", r"\A"))
        case comparison:
            sides = comparison.this, comparison.args.get("expression")
            found = comparison if isinstance(comparison, _SEARCHES) else None
            is_first = isinstance(comparison, exp.EQ) and _FIRST in sides
            places = [s for s in sides if isinstance(s, exp.StrPosition) and not is_first]
            searched = [one for one in (found, *places) if one is not None]
            return any(own_columns(one.this) for one in searched)


def _kinds_of(node: exp.Expr) -> list[Wrapping]:
    name = node.name.lower() if isinstance(node, exp.Anonymous) else ""
    if isinstance(node, exp.Mod) and _is_rest(node):
        return []
    return [kind for kind, types in _FUNCTIONS.items() if isinstance(node, types)] + [
        kind for kind, names in _NAMES.items() if name and names.fullmatch(name)
    ]


def _is_rest(remainder: exp.Mod) -> bool:
    """True if a remainder is subtracted from its dividend: `x - x % 1000` grows with x, as does the
    date that is made of a number's digits."""
    parent = remainder.parent
    while isinstance(parent, exp.Paren):
        parent = parent.parent
    if isinstance(parent, exp.DateFromParts) or _part_name(parent) == "make_date":
        return True
    return isinstance(parent, exp.Sub) and parent.this.unnest() == remainder.this.unnest()


def _counts_days(node: exp.Expr) -> bool:
    """True if a node is the number of days between two times, which increases where other parts
    repeat."""
    operand = node.expression if isinstance(node, exp.Extract) else node.this
    is_day = isinstance(node, exp.Day | exp.DayOfMonth) or _part_name(node) == "day"
    found = operand.unnest() if isinstance(operand, exp.Expr) else None
    sides = (found.this, found.expression) if isinstance(found, exp.Sub) else ()
    return is_day and bool(sides) and not any(isinstance(side, exp.Interval) for side in sides)


def _part_name(node: exp.Expr | None) -> str:
    return node.name.lower() if isinstance(node, exp.Anonymous | exp.Extract) else ""


def _is_year(node: exp.Expr) -> bool:
    return _YEAR_NAME.fullmatch(_part_name(node)) is not None


def _makes_text(node: exp.Expr) -> bool:
    is_text = isinstance(node, exp.Cast) and node.to.this in _TEXTS
    return is_text or isinstance(node, _JOINS) or _label_of(node) is not None


def _is_beginning(node: exp.Expr) -> bool:
    """True if a node is the first part of a column, or the first characters."""
    match node:
        case exp.SplitPart(this=whole, args={"part_index": first}):
            pass
        case exp.SubstringIndex(this=whole, args={"count": first}):
            pass
        case exp.Substring(this=whole, args={"start": first}):
            pass
        case exp.Left(this=whole):
            first = _FIRST
        case exp.RegexpExtract(this=whole, expression=exp.Literal(this=str() as pattern)):
            first = _FIRST if pattern.startswith(("^(", r"\A(")) else None
        case exp.Bracket(
            this=exp.Split(this=whole) | exp.RegexpSplit(this=whole), expressions=[index]
        ):
            first = _FIRST if index == exp.Literal.number(node.args.get("offset") or 0) else None
        case _:
            return False
    return first == _FIRST and isinstance(whole.unnest(), exp.Column | exp.Dot)


def _begins_after_year(node: exp.Expr) -> bool:
    """True if a node takes the later characters of a text."""
    if not isinstance(node, exp.Substring):
        return isinstance(node, exp.Right | exp.Reverse)
    start = node.args.get("start")
    return isinstance(start, exp.Literal) and start.is_int and int(start.name) >= _FIRST_AFTER_YEAR


def _label_of(node: exp.Expr) -> tuple[bool, Unit] | None:
    """Flag whether the text that a node makes of a time has its year, and the unit within which it
    repeats otherwise; None for a node that makes no text. (True, YEAR) if the format is no
    literal."""
    match node:
        case exp.TimeToStr() | exp.ToChar():
            format_ = node.args.get("format")
        case exp.Anonymous(this=str() as name, expressions=[_, format_]) if (
            name.lower() == "format_datetime"
        ):
            pass
        case _:
            return None
    if not isinstance(format_, exp.Literal):
        return True, Unit.YEAR
    if "%" in format_.name:
        years, units = _STRFTIME
        letters = re.findall(r"%-?([A-Za-z])", format_.name)
    else:
        years, units = _JAVA
        letters = re.findall("[A-Za-z]", re.sub("'[^']*'", "", format_.name))
    within = (unit for unit, of_unit in units.items() if set(letters) & set(of_unit))
    return bool(set(letters) & set(years)), next(within, Unit.DAY)
