"""Parts of Catalyst's conditions in Spark SQL: operands, and calls of functions."""

from __future__ import annotations

import re
from dataclasses import dataclass

from prunescope.collectors.sql.constants.session import Session

_ZONE = re.compile(r"Some\((.*)\)")


class Unclear(Exception):  # no error of anybody
    """The arguments of a function are not what it is printed with."""


@dataclass(frozen=True, slots=True)
class Expression:
    """Spark SQL that can stand as an operand, and the Iceberg type of its values, None if it is not
    known. `is_column` tells a column or nested field, `uncast` the SQL of what an outermost cast is
    of, `has_no_comma` that no value of it, as a text, holds one, and `longest` the most characters
    of one. `day` is the SQL of the day of a time, where that says more than the time, and `fields`
    are the types of a row's values."""

    sql: str
    type: str | None
    is_column: bool = False
    uncast: Expression | None = None
    has_no_comma: bool = False
    longest: int | None = None
    day: str | None = None
    fields: tuple[str | None, ...] = ()


@dataclass(frozen=True, slots=True)
class Call:
    """A function with its arguments as they are printed, and as expressions, None for one that is
    none, so a literal if anything. `columns` are the columns in it, in SQL, and `with_columns` the
    numbers of the arguments that have any."""

    name: str
    printed: tuple[str, ...]
    arguments: tuple[Expression | None, ...]
    columns: tuple[str, ...]
    session: Session
    with_columns: frozenset[int] = frozenset()

    def operand(self, number: int = 0) -> Expression:
        """An argument that is no literal. Raises Unclear."""
        found = self.arguments[number] if number < len(self.arguments) else None
        if found is None:
            raise Unclear
        return found

    def has_column(self, number: int) -> bool:
        """True if an argument reads a column."""
        return number in self.with_columns

    def require(self, count: int) -> None:
        """Raises Unclear if there are more or fewer arguments."""
        if len(self.printed) != count:
            raise Unclear

    def require_zone(self, number: int) -> None:
        """Raises Unclear if an argument is not the session's time zone."""
        found = _ZONE.fullmatch(self.printed[number])
        if found is None or found[1] != self.session.time_zone:
            raise Unclear
