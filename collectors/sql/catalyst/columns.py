"""Columns in what Catalyst prints, where each has a `#` behind its name: the text is read with a
mark in the place of each, so that no name is taken for anything else."""

from __future__ import annotations

import re

from sqlglot.dialects.spark import Spark

from prunescope.collectors.schema import Schema
from prunescope.collectors.sql.catalyst.expressions import Expression
from prunescope.collectors.sql.catalyst.literals import quoted

MARK = "\x00"
"""Around the number of a column, and in no text that is read."""
VALUE = "\x00s\x00"
"""The value of a subquery, whose rows another plan has."""
COLUMN = re.compile(r"\x00([0-9]+)\x00((?:\.[^\s.,()\[\]]+)*)")
"""A column, or a field of one."""

_SUBQUERY = re.compile(r"Subquery (?:scalar-)?subquery#[0-9]*, \[id=#[0-9]*\]")
_NUMBERED = re.compile(r"#(?:[0-9]{1,19}L?)?")
_ANY_COLUMN = re.compile(r"\x00([0-9]+)\x00")
# What may stand before the name of a column, but for nothing.
_BEFORE_NAME = frozenset(" ([,~-")
_PLAIN_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


class Columns:
    """The columns of one table."""

    def __init__(self, schema: Schema) -> None:
        self._schema = schema
        own = [column for column in schema.columns if len(column.path) == 1 and column.path[0]]
        self._own = sorted(own, key=lambda column: -len(column.path[0]))
        self._numbers = {column.path: number for number, column in enumerate(self._own)}

    def marked(self, text: str) -> str:
        """The text with a mark for each column; `\x00?\x00` for what has a number and is none."""
        parts, kept = [], 0
        text = _SUBQUERY.sub(VALUE, text)
        for found in _NUMBERED.finditer(text):
            before = text[kept : found.start()]
            name, number = self._before(before)
            parts += [before[: len(before) - len(name)], f"{MARK}{number}{MARK}"]
            kept = found.end()
        return "".join((*parts, text[kept:]))

    def _before(self, text: str) -> tuple[str, str]:
        for column in self._own:
            name = column.path[0]
            written = text[len(text) - len(name) :] if len(name) <= len(text) else ""
            if written.casefold() != name.casefold():
                continue
            before = text[: len(text) - len(name)]
            is_whole = not before or before[-1] in _BEFORE_NAME
            if is_whole and not before.endswith("lambda "):
                return written, self._number(written)
        return "", "?"

    def _number(self, name: str) -> str:
        meant = self._schema.by_path((name,))
        return str(self._numbers[meant[0].path]) if len(meant) == 1 else "?"

    def read(self, found: re.Match[str]) -> Expression:
        """The column that a match of COLUMN is, or the field of it."""
        own = self._own[int(found[1])]
        fields = tuple(found[2].split(".")[1:])
        if not fields:
            return Expression(_name(own.path), own.type, is_column=True)
        same = self._schema.by_path((*own.path, *fields))
        if len(same) != 1:
            return self.unclear(found[0])
        return Expression(_name(same[0].path), same[0].type, is_column=True)

    def names(self, text: str) -> tuple[str, ...]:
        """The columns in a marked text, in SQL."""
        numbers = dict.fromkeys(found[1] for found in _ANY_COLUMN.finditer(text))
        return tuple(_name(self._own[int(number)].path) for number in numbers)

    def unclear(self, text: str) -> Expression:
        """A row of the columns of a marked text that has not exactly one reading."""
        return Expression(row(self.names(text)), None)


def row(names: tuple[str, ...]) -> str:
    """A row of columns without any condition on them."""
    return f"({', '.join((*names, *(quoted('…'),) * (1 if names else 2)))})"


def _name(path: tuple[str, ...]) -> str:
    return ".".join(map(_identifier, path))


def _identifier(name: str) -> str:
    if _PLAIN_NAME.fullmatch(name) and name.upper() not in Spark.Tokenizer.KEYWORDS:
        return name
    return f"`{name.replace('`', '``')}`"
