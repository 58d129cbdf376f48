"""Conditions on texts that are put together, as conditions on what they are made of: `concat(y,
'-', m) = '2026-02'` is `y = '2026' AND m = '02'`, as there is one way to take it apart, and
`concat(dt, ' ', hr) >= '2026-01-18 06'` holds for no dt before '2026-01-18', and for none of it
whose hr is before '06'. No engine takes them apart.

Of some functions of numbers the texts are known, so that `concat(year(d), '-', lpad(month(d), 2,
'0')) = '2026-02'` is `year(d) = 2026 AND month(d) = 2`; and so are the digits of parts of dates.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from sqlglot import exp

from collectors.sql.conditions.leaf_rewrite import Around, IsValue, LeafRewrite, Replacement
from collectors.sql.conditions.whole_parts import is_written
from collectors.sql.constants.folding import fold
from collectors.sql.constants.terms import cast_to_text
from collectors.sql.dialects import dialect_of
from collectors.sql.rewrites.joined_parts import are_of_one_date
from collectors.sql.text.boolean import AllOf, AnyOf, Formula, Leaf, own_columns

_JOINS = (exp.Concat, exp.ConcatWs, exp.DPipe)
_MAX_PARTS = 8
_MAX_LENGTH = 64
_MAX_WAYS = 4
_MAX_STEPS = 500
_WHOLE = re.compile("-?(0|[1-9][0-9]{0,8})")
_DIGITS = re.compile("[0-9]{2,9}")
_NUMBERS: dict[type[exp.Expr], range | None] = {
    exp.Year: None,
    exp.Quarter: range(1, 5),
    exp.Month: range(1, 13),
    exp.WeekOfYear: range(1, 54),
    exp.Day: range(1, 32),
    exp.DayOfMonth: range(1, 32),
}
"""Functions whose numbers are whole, and which there are."""
_EXTRACTED = {"YEAR": exp.Year, "QUARTER": exp.Quarter, "MONTH": exp.Month, "DAY": exp.Day}
_UP = (exp.GT, exp.GTE)
_DOWN = (exp.LT, exp.LTE)


@dataclass(frozen=True, slots=True, eq=False)
class JoinedText:
    """Parts with a text before each and one after the last. With `skips_nulls`, a part that is null
    is left out, and what is before it."""

    parts: tuple[exp.Expr, ...]
    between: tuple[str, ...]
    skips_nulls: bool


def joins_texts(subject: exp.Expr) -> bool:
    """Whether an expression puts texts together, or zeros before one."""
    return isinstance(subject.unnest(), (*_JOINS, exp.Pad))


def joined_text(leaf: Leaf, around: Around) -> Replacement | None:
    """What a leaf says of the parts of a text that it compares; None for any other leaf. Raises
    CannotConvert where the other side is no constant."""
    session = around.session
    expression = leaf.expression
    is_list = isinstance(expression, exp.In) and bool(expression.expressions)
    if leaf.negated or not (is_list or isinstance(expression, (exp.EQ, *_UP, *_DOWN))):
        return None
    subject = expression.this
    if not joins_texts(subject) or not dialect_of(session.dialect).is_measured:
        return None
    if are_of_one_date(subject, session):
        return None  # which has a range
    joined = taken_apart(subject, session.dialect, around.is_value)
    if joined is None:
        return None
    others = expression.expressions if is_list else [expression.expression]
    if any(own_columns(other) for other in others):
        return None
    # It pushes no OR of several columns.
    by_column = dialect_of(session.dialect).is_trino
    if by_column and joined.skips_nulls:
        return None
    values = [fold(other, session) for other in others]
    if is_list or isinstance(expression, exp.EQ):
        condition = _equal(joined, values, session.dialect, by_column=by_column)
        if condition is None:
            return None
        return Replacement(_or_null(joined, condition), is_all=False, is_made=True)
    return _in_order(joined, type(expression), values[0], around)


def taken_apart(subject: exp.Expr, dialect: str, is_value: IsValue) -> JoinedText | None:
    """The parts of a text that is put together; None for what has none, or too many."""
    subject = subject.unnest()
    pieces = _pieces(subject, dialect, is_value)
    if pieces is None:
        return None
    parts: list[exp.Expr] = []
    between = [""]
    for piece in pieces:
        if isinstance(piece, str):
            between[-1] += piece
        else:
            parts.append(piece)
            between.append("")
    if not 1 <= len(parts) <= _MAX_PARTS:
        return None
    return JoinedText(tuple(parts), tuple(between), isinstance(subject, exp.ConcatWs))


def _pieces(subject: exp.Expr, dialect: str, is_value: IsValue) -> list[str | exp.Expr] | None:
    """Texts and parts, from left to right; None where something is neither."""
    match subject:
        case exp.ConcatWs(expressions=[exp.Literal(is_string=True) as separator, *items]):
            found: list[str | exp.Expr] = []
            for number, item in enumerate(items):
                # A text is left out if it is null, and an array, which a column may be, if it has
                # nothing in it.
                is_column = isinstance(item.unnest(), exp.Column | exp.Dot)
                if not own_columns(item) or (is_column and not is_value(item)):
                    return None
                found += [*([separator.name] if number else []), item.unnest()]
            return found
        case exp.Concat(expressions=items) if not subject.args.get("coalesce"):
            pass
        case exp.DPipe(this=left, expression=right):
            items = [left, right]
        case exp.Literal(is_string=True):
            return [subject.name]
        case _:
            return [subject] if own_columns(subject) else None
    found = []
    for item in items:
        inner = item.unnest()
        text = cast_to_text(inner, dialect)
        if text is not None and joins_texts(text):
            inner = text.unnest()
        if isinstance(inner, exp.ConcatWs):
            return None
        pieces = _pieces(inner, dialect, is_value)
        if pieces is None:
            return None
        found += pieces
    return found


def _equal(
    joined: JoinedText, values: Sequence[object], dialect: str, *, by_column: bool
) -> Formula | None:
    """Where a text of parts is one of several: the ways to make them, or, `by_column`, what each
    part then is; None where these are many, or not known."""
    ways: list[list[Formula | bool]] = []
    for value in values:
        found = _ways(value, joined.between) if isinstance(value, str) else None
        if found is None:
            return None
        of_value = [
            [_is_text(part, text, dialect) for part, text in zip(joined.parts, texts, strict=True)]
            for texts in found
        ]
        of_value = [way for way in of_value if False not in way]
        if len(of_value) > _MAX_WAYS:
            return None
        ways += of_value
    if not ways:
        return Leaf(exp.Boolean(this=False), negated=False)
    if len(ways) > 1 and by_column:
        ways = [[_one_of(texts) for texts in zip(*ways, strict=True)]]
    made = [tuple(part for part in way if not isinstance(part, bool)) for way in ways]
    return AnyOf(tuple(map(AllOf, made))) if all(made) else None


def _one_of(texts: Sequence[Formula | bool]) -> Formula | bool:
    """What a part is, of which is known what it may be; True where that is anything."""
    known = tuple(text for text in texts if not isinstance(text, bool))
    return AnyOf(known) if len(known) == len(texts) else True


def _ways(value: str, between: Sequence[str]) -> list[tuple[str, ...]] | None:
    """The texts of parts that make a text, with what stands between them; None where it takes too
    many steps to find them all."""
    first, *inner, last = between
    if len(value) > _MAX_LENGTH:
        return None
    if len(value) < len(first) + len(last):
        return []
    if not value.startswith(first) or not value.endswith(last):
        return []
    rest = value[len(first) : len(value) - len(last)]
    found: list[tuple[str, ...]] = []
    waiting: list[tuple[int, tuple[str, ...]]] = [(0, ())]
    for _ in range(_MAX_STEPS):
        if not waiting:
            return found
        start, texts = waiting.pop()
        if len(texts) == len(inner):
            found.append((*texts, rest[start:]))
            continue
        after = inner[len(texts)]
        end = rest.find(after, start)
        while end >= 0:
            waiting.append((end + len(after), (*texts, rest[start:end])))
            end = rest.find(after, end + 1)
    return None


def _is_text(part: exp.Expr, text: str, dialect: str) -> Formula | bool:
    """Where a part is a text; False where it never is, True where nothing is known of it."""
    inner = cast_to_text(part, dialect)
    bare = (part if inner is None else inner).unnest()
    numbers = _numbers(bare)
    if numbers is not None:
        if not _WHOLE.fullmatch(text) or (numbers and int(text) not in numbers):
            return False
        return Leaf(exp.EQ(this=bare.copy(), expression=exp.Literal.number(int(text))), False)
    if isinstance(bare, exp.Pad):
        return _is_padded(bare, text, dialect)
    may_be = is_written(bare, text, dialect)
    if may_be is not None:
        same = exp.EQ(this=bare.copy(), expression=exp.Literal.string(text))
        return Leaf(same, False) if may_be else False
    if not isinstance(bare, exp.Column | exp.Dot):
        return True
    return Leaf(exp.EQ(this=_as_text(bare), expression=exp.Literal.string(text)), False)


def _numbers(expression: exp.Expr) -> range | tuple[()] | None:
    """Which numbers a function has, empty for any; None for what may be no whole number."""
    kind = type(expression)
    if isinstance(expression, exp.Extract):
        kind = _EXTRACTED.get(expression.name.upper(), kind)
    return (_NUMBERS[kind] or ()) if kind in _NUMBERS else None


def padded(pad: exp.Pad, dialect: str) -> tuple[exp.Expr, int] | None:
    """What is filled with zeros to so many digits, or cut to them; None for other fillings."""
    size, fill = pad.expression, pad.args.get("fill_pattern")
    if not pad.args.get("is_left") or fill != exp.Literal.string("0"):
        return None
    if not isinstance(size, exp.Literal) or not size.is_int:
        return None
    operand = pad.this.unnest()
    return (cast_to_text(operand, dialect) or operand).unnest(), int(size.name)


def _is_padded(pad: exp.Pad, text: str, dialect: str) -> Formula | bool:
    """Where a number, filled with zeros, is a text. What is longer than that is cut, and so are
    fractions."""
    found = padded(pad, dialect)
    if found is None:
        return True
    operand, size = found
    if len(text) != size:
        return False
    numbers = _numbers(operand)
    is_number = numbers is not None or isinstance(operand, exp.Column | exp.Dot)
    if not is_number or not _DIGITS.fullmatch(text):
        return True
    number = int(text)
    if numbers:
        if number not in numbers:
            return False
        return Leaf(exp.EQ(this=operand.copy(), expression=exp.Literal.number(number)), False)
    largest = exp.Literal.number(10 ** len(text) - 1)
    cut = Leaf(exp.GT(this=operand.copy(), expression=largest), False)
    if numbers is not None:
        same = exp.EQ(this=operand.copy(), expression=exp.Literal.number(number))
        return AnyOf((Leaf(same, False), cut))
    ends = exp.GTE, exp.LT
    within = (
        Leaf(end(this=operand.copy(), expression=exp.Literal.number(number + above)), False)
        for above, end in enumerate(ends)
    )
    return AnyOf((AllOf(tuple(within)), cut))


def _as_text(column: exp.Expr) -> exp.Expr:
    return exp.Cast(this=column.copy(), to=exp.DataType.build("text"))


def _or_null(joined: JoinedText, condition: Formula) -> Formula:
    if not joined.skips_nulls:
        return condition
    columns = (column for part in joined.parts for column in own_columns(part))
    nulls = (Leaf(exp.Is(this=c.copy(), expression=exp.Null()), False) for c in columns)
    return AnyOf((condition, *nulls))


def _in_order(
    joined: JoinedText, kind: type[exp.Expr], value: object, around: Around
) -> Replacement | None:
    """How the parts compare, one after the other, as far as the literal has what is between them;
    for an engine that pushes no OR of several columns, how the first does."""
    if not isinstance(value, str) or not value.startswith(joined.between[0]):
        return None
    by_column = dialect_of(around.session.dialect).is_trino
    parts = joined.parts[:1] if by_column else joined.parts
    bound = value[len(joined.between[0]) :]
    condition = _from_left(parts, joined.between[1:], kind, bound, around)
    if condition is None:
        return None
    return Replacement(_or_null(joined, condition), is_all=False, is_made=True)


def _from_left(
    parts: Sequence[exp.Expr],
    between: Sequence[str],
    kind: type[exp.Expr],
    bound: str,
    around: Around,
) -> Formula | None:
    """Where parts, each with a text after it, compare with a bound: the first part is the start of
    the whole, and where it is that of the bound, the others decide. A part that is shorter comes
    before or after by the text that follows it, and one that goes on by what it goes on with."""
    first, after = parts[0], between[0]
    bare = cast_to_text(first, around.session.dialect)
    column = (first if bare is None else bare).unnest()
    if not isinstance(column, exp.Column | exp.Dot):
        return None
    column = column if around.type_of(column) == "string" else _as_text(column)
    is_last = len(between) == 1
    # Nothing tells where a part ends that another one follows at once.
    before, found, rest = bound.partition(after) if after else (bound if is_last else "", "", "")
    is_up = kind in _UP
    longer = (number for number, letter in enumerate(before) if after and letter <= after[0])
    start = before[: next(longer, len(before))] if is_up else bound
    others = None
    if len(parts) > 1 and found and before and (not is_up or start == before):
        others = _from_left(parts[1:], between[1:], kind, rest, around)
    if others is None:
        return _than(column, exp.GTE if is_up else exp.LTE, start) if start else None
    same = AllOf((_than(column, exp.EQ, before), others))
    if is_up:
        return AnyOf((_than(column, exp.GT, before), same))
    goes_on = AllOf((_than(column, exp.GT, before), _than(column, exp.LTE, bound)))
    return AnyOf((_than(column, exp.LT, before), same, goes_on))


def _than(operand: exp.Expr, kind: type[exp.Expr], text: str) -> Leaf:
    return Leaf(kind(this=operand.copy(), expression=exp.Literal.string(text)), False)


REWRITE = LeafRewrite(
    may_concern=lambda subject, *_: joins_texts(subject),
    replace=joined_text,
)
