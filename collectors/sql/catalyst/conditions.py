"""Conditions as Spark's Catalyst prints them into the Filter nodes of its plans (`toString` of its
expressions, as Spark 3.5, 4.0 and 4.1 were seen to), in Spark SQL:

    ((isnotnull(ts#) AND (date_format(ts#, yyyy-MM, Some(UTC)) = 2026-09)) AND (upper(c#) = DE))

Columns have a `#` behind their names; texts, times and names stand there without quoting. What has
not exactly one reading becomes a row of the columns that stand in it, `(ts, c, '…')`, of which
nothing is known. The type of a literal is that of what it is compared with.

A text is taken for one that holds no odd brackets, and no brackets turned outwards with operators
between them: the text `a) AND (b` beside others makes a group of more than two operands, which has
no reading. So what is misread, as among the filters of a scan node, is a text that holds whole
conditions with columns of this table, brackets and all, within the brackets of a function.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import islice

from prunescope.collectors.schema import Schema
from prunescope.collectors.sql.catalyst.choices import choice
from prunescope.collectors.sql.catalyst.columns import COLUMN, MARK, VALUE, Columns, row
from prunescope.collectors.sql.catalyst.comparands import (
    constant,
    list_sql,
    literal_beside,
    number_beside,
)
from prunescope.collectors.sql.catalyst.expressions import Call, Expression
from prunescope.collectors.sql.catalyst.functions import call_sql, cast_sql, is_no_operand, opaque
from prunescope.collectors.sql.catalyst.groups import OddBrackets, arguments, in_brackets, operators
from prunescope.collectors.sql.catalyst.literals import day_of, quoted, rows_sql
from prunescope.collectors.sql.catalyst.names import is_of_spark
from prunescope.collectors.sql.catalyst.signatures import TEXTS
from prunescope.collectors.sql.constants.session import Session

_LONGEST = 100_000
"""Characters; of a longer text only the columns are told."""
_MOST_STEPS = 100_000
_MOST_OPERATORS = 20
"""The operators of one group: more stand only in a text."""
_STEP = 100
"""Characters of an expression that count as a step: each is walked over for each reading."""
_FUNCTION = re.compile(r"([A-Za-z_][\w.-]*|<lambda>)(\(.*\))", re.DOTALL)
_CAST = re.compile(r"(.*) as ([a-z_]+(?:\([0-9]{1,2},[0-9]{1,2}\))?)", re.DOTALL)
_IN = re.compile(r"(.*?) IN (\(.*\))", re.DOTALL)
_LIKE = re.compile(r"(.*?) LIKE (.*?)(?: ESCAPE '(.)')?", re.DOTALL)
_ITEM = re.compile(r"(.*)\[([0-9]{1,4})\]", re.DOTALL)
_UNIT = "(?:YEAR|MONTH|DAY|HOUR|MINUTE|SECOND)"
_SHIFTED = re.compile(rf"(.*) \+ (INTERVAL '[-0-9:. ]+' {_UNIT}(?: TO {_UNIT})?)", re.DOTALL)
# What Spark adds: of rows that are exploded, and of joins while the query runs.
_HAS_ITEMS = re.compile(r"size\((\x00[^,()]+), (?:true|false)\)")
_OF_JOINS = ("might_contain", "dynamicpruningexpression")
_BRANCHES = ("CASE WHEN ", "if (")
_CONNECTORS = ("AND", "OR")
_CASTS = ("cast", "try_cast", "ansi_cast")
_COMPARISONS = frozenset(("=", "<=>", "<", "<=", ">", ">="))


def as_sql(text: str, schema: Schema, session: Session) -> str:
    """A condition over columns of one table, as Spark SQL that means the same or less. The numbers
    behind the `#` may have been left out."""
    if MARK in text:
        return row(())
    reader = _Reader(schema, session)
    marked = reader.columns.marked(text)
    if len(text) > _LONGEST:
        return reader.columns.unclear(marked).sql
    try:
        found = reader.operand(marked)
    except (OddBrackets, _TooManySteps, RecursionError):
        found = None
    if found is None or found.type not in ("boolean", None):
        found = reader.columns.unclear(marked)
    return found.sql


def unread_sql(text: str, schema: Schema) -> str:
    """A condition reduced to the columns that it reads, as Spark SQL."""
    columns = Columns(schema)
    return row(()) if MARK in text else columns.unclear(columns.marked(text)).sql


class _TooManySteps(Exception):
    """The text has too many possible readings."""


class _Reader:
    """Reads the texts of one condition."""

    def __init__(self, schema: Schema, session: Session) -> None:
        self.columns = Columns(schema)
        self._session = session
        self._steps = 0
        self._is_negated = False
        self._may_be_text = False

    def operand(self, text: str) -> Expression | None:
        """An expression that is no literal; None for other texts, and for two readings."""
        self._steps += 1 + len(text) // _STEP
        if self._steps > _MOST_STEPS:
            raise _TooManySteps
        column = COLUMN.fullmatch(text)
        if column is not None:
            return self.columns.read(column)
        if text == VALUE:
            return Expression("(SELECT value FROM subquery)", None)
        group = in_brackets(text)
        if group is not None:
            return self._chain(group)
        if text.startswith("NOT "):
            with self._negated():
                found = self.operand(text.removeprefix("NOT "))
            return None if found is None else Expression(f"(NOT {found.sql})", "boolean")
        if _is_signed(text):
            found = self.operand(text[1:])
            return None if found is None else Expression(f"({text[0]}{found.sql})", found.type)
        if text.startswith(_BRANCHES):
            with self._perhaps_text():
                found = self._chosen(text)
            if found is not None:
                return found
            compared = self._only(self._unbracketed(text))
            return compared or opaque("case_when", self.columns.names(text))
        return self._only(self._unbracketed(text))

    def _only(self, readings: Iterator[Expression]) -> Expression | None:
        first = next(readings, None)
        return None if first is None or next(readings, None) is not None else first

    @contextmanager
    def _negated(self) -> Iterator[None]:
        self._is_negated = not self._is_negated
        try:
            yield
        finally:
            self._is_negated = not self._is_negated

    @contextmanager
    def _perhaps_text(self) -> Iterator[None]:
        """Reads where a text can be printed: a seeming call there need not be one."""
        before, self._may_be_text = self._may_be_text, True
        try:
            yield
        finally:
            self._may_be_text = before

    def _doubtful(self, text: str) -> Expression | None:
        with self._perhaps_text():
            return self.operand(text)

    def _unbracketed(self, text: str) -> Iterator[Expression]:
        function = _FUNCTION.fullmatch(text)
        inner = None if function is None else in_brackets(function[2])
        if function is not None and inner is not None:
            yield self._call(function[1], inner)
        for pattern, read in (
            (_IN, self._listed),
            (_LIKE, self._pattern),
            (_SHIFTED, self._shifted),
        ):
            found = pattern.fullmatch(text)
            read_as = None if found is None else read(found)
            if read_as is not None:
                yield read_as
        item = _ITEM.fullmatch(text)
        split = None if item is None else self.operand(item[1])
        if item is not None and split is not None and split.type == TEXTS:
            yield Expression(f"{split.sql}[{item[2]}]", "string")
        if " INSET " in text:
            tested, _, items = text.partition(" INSET ")
            read_as = self._member(tested, items.split(", "))
            if read_as is not None:
                yield read_as

    def _call(self, name: str, inner: str) -> Expression:
        if name in _CASTS:
            found = _CAST.fullmatch(inner)
            operand = None if found is None else self.operand(found[1])
            cast = None if found is None or operand is None else cast_sql(name, operand, found[2])
            return cast or opaque(name, self.columns.names(inner))
        if name in _OF_JOINS:
            return self.columns.unclear(inner)
        names = self.columns.names(inner)
        if not is_of_spark(name) and (self._may_be_text or not names):
            return opaque("", names)
        printed = arguments(inner)
        read = [None if is_no_operand(part) else self._doubtful(part) for part in printed]
        has_unread = any(
            found is None and MARK in part for found, part in zip(read, printed, strict=True)
        )
        if has_unread:
            return opaque(name, names)
        marked = frozenset(number for number, part in enumerate(printed) if MARK in part)
        return call_sql(Call(name, tuple(printed), tuple(read), names, self._session, marked))

    def _chosen(self, text: str) -> Expression | None:
        """A CASE or `if`, whose values are conditions, or of the type of one that is no literal."""
        found = choice(text)
        if found is None:
            return None
        values = [self.operand(value) for value in found.values]
        kind = next((value.type for value in values if value is not None and value.type), "boolean")
        chosen = []
        for printed, value in zip(found.values, values, strict=True):
            literal = constant(printed, kind, self._session) if value is None else value.sql
            if literal is None or (value is None and MARK in printed):
                return None
            if value is not None and value.type not in (kind, None):
                return None
            chosen.append(literal)
        conditions = [self._condition(condition) for condition, _ in found.branches]
        if None in conditions:
            return None
        pairs = zip(conditions, chosen, strict=False)
        branches = " ".join(f"WHEN {condition} THEN {value}" for condition, value in pairs)
        otherwise = "" if found.otherwise is None else f" ELSE {chosen[-1]}"
        return Expression(f"CASE {branches}{otherwise} END", kind)

    def _listed(self, found: re.Match[str]) -> Expression | None:
        items = in_brackets(found[2])
        tested = None if items is None else self.operand(found[1])
        if items is not None and tested is not None and tested.fields:
            rows = rows_sql(items, tested.fields, self._session)
            return None if rows is None else Expression(f"({tested.sql} IN {rows})", "boolean")
        return None if items is None else self._member(found[1], items.split(","))

    def _member(self, tested: str, items: list[str]) -> Expression | None:
        operand = self.operand(tested)
        if operand is None:
            return None
        items_sql = list_sql(operand, items, self._session, is_negated=self._is_negated)
        if items_sql is None:
            return self.columns.unclear(tested)
        return Expression(f"({operand.sql} IN {items_sql})", "boolean")

    def _pattern(self, found: re.Match[str]) -> Expression | None:
        operand = self.operand(found[1])
        if operand is None or MARK in found[2]:
            return None
        escape = "" if found[3] is None else f" ESCAPE {quoted(found[3])}"
        return Expression(f"({operand.sql} LIKE {quoted(found[2])}{escape})", "boolean")

    def _shifted(self, found: re.Match[str]) -> Expression | None:
        operand = self.operand(found[1])
        return (
            None if operand is None else Expression(f"({operand.sql} + {found[2]})", operand.type)
        )

    def _grouped(self, text: str) -> Iterator[Expression]:
        for left, operator, right in self._splits(text):
            read: Callable[[str, str, str], Expression | None]
            if operator in _CONNECTORS:
                read = self._connected
            elif operator in _COMPARISONS:
                read = self._compared
            else:
                read = self._calculated
            found = read(left, operator, right)
            if found is not None:
                yield found

    def _chain(self, text: str) -> Expression:
        """A group, which may have groups of groups on its left: a thousand conditions nest as
        deep."""
        outer: list[tuple[str, str, str]] = []
        while len(found := self._splits(text)) == 1 and found[0][1] in _CONNECTORS:
            left, operator, right = found[0]
            inner = in_brackets(left)
            if inner is None:
                break
            outer.append((text, operator, right))
            text = inner
        read = self._only(self._grouped(text)) or self.columns.unclear(text)
        joined, by = [read.sql], ""
        for whole, operator, right in reversed(outer):
            other = self._condition(right)
            if other is None:
                joined, by = [self.columns.unclear(whole).sql], ""
                continue
            if by not in ("", operator):
                joined = [f"({f' {by} '.join(joined)})"]
            joined.append(other)
            by = operator
        if not by:
            return read if len(outer) == 0 else Expression(joined[0], None)
        return Expression(f"({f' {by} '.join(joined)})", "boolean")

    def _splits(self, text: str) -> list[tuple[str, str, str]]:
        self._steps += 1 + len(text) // _STEP
        found = list(islice(operators(text), _MOST_OPERATORS + 1))
        return found if len(found) <= _MOST_OPERATORS else []

    def _connected(self, left: str, operator: str, right: str) -> Expression | None:
        sides = [self._condition(left), self._condition(right)]
        if None in sides:
            return None
        return Expression(f"({sides[0]} {operator} {sides[1]})", "boolean")

    def _condition(self, text: str) -> str | None:
        if text in ("true", "false", "null"):
            return text.upper()
        found = self.operand(text)
        return None if found is None else found.sql

    def _compared(self, left: str, operator: str, right: str) -> Expression | None:
        exploded = _HAS_ITEMS.fullmatch(left)
        if exploded is not None and (operator, right) == (">", "0"):
            items = self.operand(exploded[1])
            return None if items is None else Expression(f"({items.sql} IS NOT NULL)", "boolean")
        sides = self._sides(left, right)
        if sides is None:
            return None
        first, second = sides
        day = day_of(second.sql) if first.day is not None and operator in (">=", "<") else None
        if day is not None:
            return Expression(f"({first.day} {operator} {day})", "boolean")
        if operator == "<=>" and second.sql == "TRUE" and not first.is_column:
            return Expression(f"({first.sql} IS TRUE)", "boolean")
        return Expression(f"({first.sql} {operator} {second.sql})", "boolean")

    def _calculated(self, left: str, operator: str, right: str) -> Expression | None:
        sides = self._sides(left, right, are_numbers=True)
        if sides is None:
            return None
        first, second = sides
        kind = first.type if first.type == second.type else None
        return Expression(f"({first.sql} {operator} {second.sql})", kind)

    def _sides(
        self, left: str, right: str, *, are_numbers: bool = False
    ) -> tuple[Expression, Expression] | None:
        """Two operands, of which one can be a literal."""
        second = self._doubtful(right)
        first = self.operand(left) if second is None else self._doubtful(left)
        # Spark folds conditions without a column: beside a literal stands no other one.
        if first is None and second is not None and not self._may_be_text:
            second = self.operand(right)
        if first is not None and second is not None:
            # A text can name columns as well, and be a call without any.
            is_text = "string" in (first.type, second.type) or None in (first.type, second.type)
            is_value = VALUE in (left, right)
            is_clear = are_numbers or (MARK in left and MARK in right and (is_value or not is_text))
            return (first, second) if is_clear else None
        beside = number_beside if are_numbers else literal_beside
        if first is not None:
            literal = beside(right, first, self._session)
            return None if literal is None else (first, literal)
        literal = None if second is None else beside(left, second, self._session)
        return None if literal is None or second is None else (literal, second)


def _is_signed(text: str) -> bool:
    """True if a text is a sign before a whole operand: it binds closer than IN and LIKE."""
    operand = text.lstrip("-~")
    if len(operand) == len(text):
        return False
    function = _FUNCTION.fullmatch(operand)
    return (
        COLUMN.fullmatch(operand) is not None
        or in_brackets(operand) is not None
        or (function is not None and in_brackets(function[2]) is not None)
    )
