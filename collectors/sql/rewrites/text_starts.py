"""Where a text is within a column, and the part of a column before a text, compared with a literal:
`strpos(c, 'ab') = 1` is `c LIKE 'ab%'`, `split_part(c, '-', 1) = 'x'` is `c = 'x' OR c LIKE 'x-%'`,
and so is the first of what `split(c, '-')` gives; `regexp_extract(c, '^([^-]+)-', 1) = 'x'` is the
second of these. What else a regular expression finds in brackets that begin it begins columns, as
parts from a text on begin columns from there on. No engine unwraps that."""

from __future__ import annotations

import re
from dataclasses import dataclass

from sqlglot import exp

from collectors.predicates.literals import LiteralValue
from collectors.predicates.model import FALSE, Column, Comparison, Predicate, Reason, any_of
from collectors.predicates.operators import ORDERED, Op
from collectors.predicates.text_order import after_all_of
from collectors.sql.constants.session import Session
from collectors.sql.constants.terms import column_path
from collectors.sql.constants.values import CannotConvert
from collectors.sql.dialects import dialect_of
from collectors.sql.rewrites.rewrite import Place, Rewrite
from collectors.sql.text.nodes import given

_FIRST = exp.Literal.number(1)
_OF_EXPRESSIONS = frozenset(r"\.[]{}()*+?^$|")
"""What makes more of a regular expression than a text, which is what Spark's split() takes."""
_BEFORE = re.compile(r"\^\(\[\^([^\\.\[\]{}()*+?^$|])\]\+\)\1")
"""The regular expression of what is before a character."""
_IN_BRACKETS = re.compile(
    r"\^\((?!\?)(?:[^\\\[\]()]|\\[dDwWsS\W]|\[\^?(?:[^\\\[\]&]|\\[dDwWsS\W])+\])+\)(?![*+?{])"
)
"""The beginning of a regular expression whose first brackets begin the text, if they match: they
have no others within, and do not repeat."""


@dataclass(frozen=True, slots=True)
class TextStart:
    """The place of `text` in a column, counted from 1; or, if `is_part`, what is before it in the
    column, which is all where it is not in there. If the part `is_found`, it is not empty, and
    where there is none, it is null, or to Spark an empty text; what comes after it is not known
    where `text` is empty."""

    column: Column
    text: str
    is_part: bool
    is_found: bool = False


def text_start(expression: exp.Expr, place: Place) -> TextStart | None:
    """What an expression says of the start of a bare column; None for anything else."""
    if not dialect_of(place.dialect).is_measured:
        return None
    match expression:
        case exp.RegexpExtract():
            return _found_part(expression, place)
        case exp.StrPosition(this=whole) if given(expression) == {"this", "substr"}:
            text, is_part = expression.args["substr"], False
        case exp.SplitPart(this=whole) if expression.args.get("part_index") == _FIRST:
            text, is_part = expression.args.get("delimiter"), True
        case exp.SubstringIndex(this=whole) if expression.args.get("count") == _FIRST:
            text, is_part = expression.args.get("delimiter"), True
        case exp.Bracket(
            this=exp.Split(this=whole) | exp.RegexpSplit(this=whole) as parts, expressions=[index]
        ) if index == exp.Literal.number(expression.args.get("offset") or 0):
            if given(parts) != {"this", "expression"}:
                return None  # with a limit of one part, that is the whole
            text, is_part = parts.expression, True
            if isinstance(parts, exp.RegexpSplit) and _OF_EXPRESSIONS & set(text.name):
                return None
        case _:
            return None
    if not isinstance(text, exp.Literal) or not text.is_string or not text.name:
        return None
    path = column_path(whole, place.path_of) if isinstance(whole, exp.Column | exp.Dot) else None
    return None if path is None else TextStart(Column(path), text.name, is_part)


def _found_part(expression: exp.RegexpExtract, place: Place) -> TextStart | None:
    whole, pattern = expression.this, expression.expression
    is_first = expression.args.get("group") == _FIRST
    if not is_first or not isinstance(pattern, exp.Literal) or not pattern.is_string:
        return None
    before = _BEFORE.fullmatch(pattern.name)
    path = column_path(whole, place.path_of) if isinstance(whole, exp.Column | exp.Dot) else None
    if path is None or expression.args.get("position"):
        return None
    if before is None and not _IN_BRACKETS.match(pattern.name):
        return None
    text = "" if before is None else before[1]
    return TextStart(Column(path), text, is_part=True, is_found=True)


def compare_start(op: Op, found: TextStart, value: LiteralValue, _session: Session) -> Predicate:
    """`place op value`, or `part op value`, as comparisons of the column; raises CannotConvert
    where none says it."""
    if not found.is_part:
        is_first = isinstance(value, int) and not isinstance(value, bool) and value == 1
        if not is_first or op not in (Op.EQ, Op.NOT_EQ):
            raise CannotConvert(Reason.FUNCTION)
        starts = Op.STARTS_WITH if op is Op.EQ else Op.NOT_STARTS_WITH
        return Comparison(starts, found.column, (found.text,))
    if not isinstance(value, str) or (found.is_found and not value):
        raise CannotConvert(Reason.FUNCTION)
    if op in ORDERED:
        return _in_order(op, found, value)
    if op is not Op.EQ:
        raise CannotConvert(Reason.FUNCTION)
    if found.text and found.text in value:
        return FALSE
    if found.is_found:
        return Comparison(Op.STARTS_WITH, found.column, (value + found.text,))
    whole = Comparison(Op.EQ, found.column, (value,))
    if (value + found.text).find(found.text) < len(value):
        return whole  # of 'aaa', the part before 'aa' is empty, not 'a'
    return any_of(whole, Comparison(Op.STARTS_WITH, found.column, (value + found.text,)))


def _in_order(op: Op, found: TextStart, value: str) -> Predicate:
    """What parts from a value on, or until one, say of the columns that they begin: of a part that
    begins the value, the column may come after it."""
    if op in (Op.GT, Op.GT_EQ):
        return Comparison(op, found.column, (value,), of_text=True)
    if found.is_found:
        raise CannotConvert(Reason.FUNCTION)  # where there is none, as well
    last = len(value) if op is Op.LT_EQ else len(value) - 1
    parts = [value[:size] for size in range(last + 1)]
    ends = [value, *(after_all_of(part + found.text) for part in parts)]
    known = [end for end in ends if end is not None]
    if len(known) < len(ends):
        raise CannotConvert(Reason.FUNCTION)
    return Comparison(Op.LT, found.column, (max(known),), of_text=True)


def _rest(op: Op, found: TextStart, _value: LiteralValue) -> Reason | None:
    if found.is_part and op in ORDERED:
        return Reason.FUNCTION
    # As with a pattern, of which no more than how it begins is known.
    return Reason.LIKE_PATTERN if not found.text else None


REWRITE = Rewrite(text_start, compare_start, _rest)
