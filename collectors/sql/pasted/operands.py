"""The values of a condition that people put other values for: their names, and values alike."""

from __future__ import annotations

import datetime as dt
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from sqlglot import exp

from prunescope.collectors.sql.text.boolean import own_columns
from prunescope.collectors.sql.text.calculating import says_what_is_calculated
from prunescope.collectors.sql.text.fingerprint import redact, render
from prunescope.collectors.sql.text.nodes import copy_of, nodes_in_depth

MARK = "\ue000"
"""Stands before the name of an operand in SQL: no text of a query has it but in a literal."""
_UNIT = r"(?:to)?(year|quarter|month|week|day|hour|minute|second)"
_UNITS = re.compile(_UNIT, re.IGNORECASE)
_NO_VALUES = exp.DataTypeParam | exp.Slice
"""Numbers of these are sizes and places."""
_MARKED_INTERVAL = re.compile(rf"INTERVAL \(({MARK}\w+)\)")
_MARKED = re.compile(rf"{MARK}(\w+)")
_PARTS = (
    *(exp.Year, exp.Quarter, exp.Month, exp.Week, exp.WeekOfYear, exp.Day, exp.DayOfMonth),
    *(exp.DayOfYear, exp.Hour, exp.Minute, exp.Second, exp.Extract),
)
"""Numbers of a time that are called as the function is."""
_MOMENT = re.compile(
    r"(?P<year>(?:19|20)\d\d)"
    r"(?:(?P<a>[-/_.]?)(?P<month>0[1-9]|1[0-2])"
    r"(?:(?P<b>[-/_.]?)(?P<day>0[1-9]|[12]\d|3[01])"
    r"(?:(?P<c>[ T]?)(?P<hour>[01]\d|2[0-3])"
    r"(?:(?P<d>:?)(?P<minute>[0-5]\d)"
    r"(?:(?P<e>:?)(?P<second>[0-5]\d)(?P<rest>\.0+)?)?)?)?)?)?",
    re.ASCII,
)
_ALIKE = (
    dt.datetime(2024, 2, 29, 23, 59, 59),
    dt.datetime(2031, 12, 31, 0, 0, 1),
    dt.datetime(1999, 10, 1, 7, 30, 10),
)
"""Times of values that are drawn: a leap day, the ends of a year and of a month."""
_STARTS = (dt.datetime(2024, 1, 1), dt.datetime(2031, 10, 1), dt.datetime(1999, 7, 1))
"""Beginnings of months and of quarters, for values that begin a month."""
_CHANGES = (dt.datetime(2024, 3, 10, 3), dt.datetime(2024, 11, 3, 12))
"""Days on which clocks of New York are changed."""
_LAST = (dt.datetime(2023, 2, 28), dt.datetime(2031, 12, 31), dt.datetime(2024, 2, 29))
_SMALL = (2, 12, 7)
"""Small numbers that are drawn, which months, days and hours may all be."""
_STEPS = (1, 3, 8)
"""Distances of letters and digits of drawn texts from those of the text that is given."""
_ROUNDS = 3
"""Rounds in which values are drawn, each in another way if there is one."""
_MOST_SMALL = 12
_COUNTS = frozenset("137")
"""Numbers that ends have of themselves."""


@dataclass(frozen=True, slots=True)
class Operand:
    """A value of a condition: its name, its place among the literals of the condition, its SQL with
    the name for the value (that of a `DATE '…'` is the name, that of an interval has its unit), and
    values `alike` and `others`, as SQL has them, the first being its own. `is_text` and `is_typed`
    tell that a text and a cast of one stand there."""

    name: str
    sql: str
    own: str
    alike: tuple[str, ...]
    others: tuple[str, ...]
    changes: tuple[str, ...]
    is_text: bool
    is_typed: bool
    is_interval: bool
    kind: str


@dataclass(frozen=True, slots=True)
class Operands:
    """The operands of a condition, and its SQL with their names: the literals that say what is
    calculated are `?` in what is `shown`, and stand in `sql`."""

    each: tuple[Operand, ...]
    sql: str
    shown: str

    def with_values(self, values: Sequence[str]) -> str:
        """The condition with values of its operands."""
        return with_values(self.sql, self.each, values)


def with_values(sql: str, operands: Sequence[Operand], values: Sequence[str]) -> str:
    """SQL with values for the names of operands."""
    of_name = {one.name: value for one, value in zip(operands, values, strict=True)}
    return _MARKED.sub(lambda found: of_name[found[1]], sql)


def with_names(sql: str) -> str:
    """SQL as people are told it: `:name` for an operand."""
    return sql.replace(MARK, ":")


def operands_of(condition: exp.Expr, dialect: str, *, of_comparisons: bool) -> Operands:
    """The operands of a condition: all of its values, or those `of_comparisons` alone, where the
    others are to stay as they are."""
    tree = copy_of(condition)
    found = [(node, *_of_comparand(node, dialect)) for node in _values(tree)]
    if of_comparisons:
        compared = [one for one in found if isinstance(one[0].parent, exp.Predicate)]
        # A count of units that the range may have as well must not stay: it would be told.
        may_be_told = {_literal_of(one[0]).name for one in found if one not in compared} & _COUNTS
        found = [] if may_be_told else compared
    names = _distinct([name for _, name, _ in found])
    firsts: dict[str, exp.Expr] = {}
    each = []
    for number, ((node, _, key), name) in enumerate(zip(found, names, strict=True)):
        first = firsts.setdefault(key, node)
        each.append(_operand(node, first, name, number, dialect))
    for (node, _, _), name in zip(found, names, strict=True):
        mark = exp.Var(this=f"{MARK}{name}")
        if node is tree:
            tree = mark
        else:
            node.replace(mark)
    whole, shown = (
        _MARKED_INTERVAL.sub(r"INTERVAL \1", sql)
        for sql in (render(tree, dialect), redact(tree, dialect))
    )
    return Operands(tuple(each), whole, with_names(shown))


def _values(tree: exp.Expr) -> list[exp.Expr]:
    """The values of a condition in order: literals, and casts of them, which people write as one
    (`DATE '2026-03-01'`)."""
    found = []
    for literal in nodes_in_depth(tree):
        if not isinstance(literal, exp.Literal) or isinstance(literal.parent, _NO_VALUES):
            continue
        value: exp.Expr = literal
        while isinstance(value.parent, exp.Neg | exp.Cast | exp.Date | exp.TsOrDsToDate) and (
            value.arg_key == "this"
        ):
            value = value.parent
        calculates = exp.Interval | exp.Div | exp.IntDiv | exp.Mod | exp.Neg
        if isinstance(literal.parent, calculates) or not says_what_is_calculated(literal):
            found.append(value)
    return found


def _of_comparand(value: exp.Expr, dialect: str) -> tuple[str, str]:
    """A name for a value, after what it is compared with or its unit, and what tells that others
    are compared with the same."""
    if isinstance(value.parent, exp.Interval):
        unit_of = value.parent.text("unit").lower().removesuffix("s") or "day"
        return f"{unit_of}s", f"{id(value)}"
    holder = value.parent
    while holder is not None and not own_columns(holder):
        holder = holder.parent
    compared, key = holder, f"{id(value)}"
    if isinstance(holder, exp.Predicate):
        key = ""
        sides = [side for side in holder.iter_expressions() if own_columns(side)]
        compared = sides[0].unnest() if sides else holder
    if compared is None:
        return "value", ""
    key = key or render(compared, dialect)
    if isinstance(compared, exp.Extract):
        return _word(compared.text("this")), key
    named = compared.key if isinstance(compared, _PARTS) else compared.name
    unit = _UNITS.fullmatch(named) if isinstance(compared, (*_PARTS, exp.Anonymous)) else None
    if unit is not None:
        return unit[1].lower(), key
    return _word(own_columns(compared)[0].name), key


def _word(name: str) -> str:
    return re.sub(r"\W", "_", name.lower(), flags=re.ASCII).strip("_0123456789") or "value"


def _distinct(names: Sequence[str]) -> list[str]:
    seen: Counter[str] = Counter()
    told = []
    for name in names:
        seen[name] += 1
        told.append(name if seen[name] == 1 else f"{name}_{seen[name]}")
    return told


def _operand(value: exp.Expr, first: exp.Expr, name: str, number: int, dialect: str) -> Operand:
    own, literal = _literal_of(value), _literal_of(first)
    alike, others, changes = drawn(own.name, literal.name, number)
    is_interval = isinstance(value.parent, exp.Interval)
    sql = f"{MARK}{name}"
    if isinstance(value.parent, exp.Interval):
        sql = f"INTERVAL {sql} {value.parent.text('unit')}"
    return Operand(
        name=name,
        sql=sql,
        own=render(value, dialect),
        alike=tuple(_written(value, text, dialect) for text in alike),
        others=tuple(_written(value, text, dialect) for text in others),
        changes=tuple(_written(value, text, dialect) for text in changes),
        is_text=own.is_string and not is_interval,
        is_typed=isinstance(value, exp.Cast | exp.Date | exp.TsOrDsToDate),
        is_interval=is_interval,
        kind="time" if _MOMENT.fullmatch(own.name) else "text" if own.is_string else "number",
    )


def _literal_of(value: exp.Expr) -> exp.Literal:
    found = value.find(exp.Literal)
    assert found is not None
    return found


def _written(value: exp.Expr, text: str, dialect: str) -> str:
    """A value with another literal in it."""
    copy = copy_of(value)
    literal = _literal_of(copy)
    other = exp.Literal(this=text, is_string=literal.is_string)
    if literal is copy:
        return render(other, dialect)
    literal.replace(other)
    return render(copy, dialect)


def drawn(own: str, first: str, number: int) -> Sequence[tuple[str, ...]]:
    """Literals that look like one, such as lie between those, and two of days on which clocks
    change, as far from those of the `first` that is compared with the same as it is; literals of
    other `number` are not drawn as it is."""
    moment = _MOMENT.fullmatch(own)
    origin = _MOMENT.fullmatch(first)
    if moment is not None and origin is not None:
        begins = moment["day"] == "01"
        draws = (*(_STARTS if begins else _ALIKE), *_placed(moment))
        alike = tuple(_moved(each, moment, origin, begins=begins) for each in draws)
        within = _ALIKE * _ROUNDS if begins else ()
        others, changes = (
            tuple(_moved(each, moment, origin, begins=False) for each in times)
            for times in (within, _CHANGES)
        )
        return alike, others, changes
    if own.isdecimal() and first.isdecimal():
        numbers = [int(first) + 1, int(first) * 8 // 7 + 2, int(first) // 2 + 5]
        if 0 < int(first) <= _MOST_SMALL:
            numbers = [*_SMALL[number % 3 :], *_SMALL[: number % 3]]
        apart = int(own) - int(first)
        alike = tuple(str(max(0, each + apart)) for each in numbers) * _ROUNDS
    else:
        alike = tuple("".join(_next(letter, k) for letter in own) for k in _STEPS) * _ROUNDS
    return alike, (), alike[: len(_CHANGES)]


def _placed(moment: re.Match[str]) -> Sequence[dt.datetime]:
    """Times at the end of a month where one is, and on its day of the week: a literal with which a
    condition finds anything may have to be one."""
    if moment["day"] is None:
        return _ALIKE * 2
    first = dt.date(int(moment["year"]), int(moment["month"]), 1)
    day = first + dt.timedelta(int(moment["day"]) - 1)
    is_last = (day + dt.timedelta(1)).day == 1
    on_day = (each + dt.timedelta(day.weekday() - each.weekday()) for each in _ALIKE)
    return (*(_LAST if is_last else _ALIKE), *on_day)


def _next(letter: str, steps: int) -> str:
    """Another letter or digit of the same kind."""
    for first, last in ("az", "AZ", "09"):
        if first <= letter <= last:
            return chr(
                ord(first) + (ord(letter) - ord(first) + steps) % (ord(last) - ord(first) + 1)
            )
    return letter


def _moved(base: dt.datetime, own: re.Match[str], first: re.Match[str], *, begins: bool) -> str:
    """A moment as a text has it: as long after another one as the text is after the first, and at
    the start of a unit where it is."""
    if own["month"] is None:
        return str(base.year + int(own["year"]) - int(first["year"]))
    months = base.year * 12 + base.month - 1 + _months(own) - _months(first)
    if own["day"] is None or (begins and first["day"] == "01"):
        base = base.replace(year=months // 12, month=months % 12 + 1, day=1)
    else:
        base += _time(own) - _time(first)
    if begins and own["month"] == "01":
        base = base.replace(month=1, day=1)
    clock = base.strftime("%H"), base.strftime("%M"), base.strftime("%S")
    parts = [str(base.year), own["a"], f"{base.month:02}"]
    if own["day"] is not None:
        parts += [own["b"], f"{base.day:02}"]
    is_start = not any(int(own[part] or 0) for part in ("hour", "minute", "second"))
    names = (("c", "hour"), ("d", "minute"), ("e", "second"))
    for (separator, part), digits in zip(names, clock, strict=True):
        if own[part] is not None:
            parts += [own[separator], "00" if is_start else digits]
    return "".join([*parts, own["rest"] or ""])


def _months(moment: re.Match[str]) -> int:
    return int(moment["year"]) * 12 + int(moment["month"] or 1)


def _time(moment: re.Match[str]) -> dt.timedelta:
    parts = [int(moment[part] or 0) for part in ("hour", "minute", "second")]
    day = dt.date(int(moment["year"]), int(moment["month"] or 1), 1).toordinal()
    return dt.timedelta(day + int(moment["day"] or 1), parts[0] * 3600 + parts[1] * 60 + parts[2])
