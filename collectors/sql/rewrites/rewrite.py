"""What a rewrite is: a function of a column that no engine unwraps, and what a comparison of it
with a constant says of the column itself. Each is a module, and `registry` lists them."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from sqlglot import exp

from collectors.predicates.literals import LiteralValue
from collectors.predicates.model import Predicate, Reason
from collectors.predicates.operators import Op
from collectors.sql.constants.session import Session
from collectors.sql.constants.terms import PathOf

Path = tuple[str, ...]
Periods = tuple[dt.date, ...]
"""Years or months by their first days."""


@dataclass(frozen=True, slots=True)
class KnownPeriods:
    """The few years that a conjunction leaves to the values of a column, those of their weeks, and
    the months of these years, each by its first day."""

    years: Mapping[Path, Periods] = field(default_factory=dict)
    iso_years: Mapping[Path, Periods] = field(default_factory=dict)
    months: Mapping[Path, Periods] = field(default_factory=dict)

    def of(self, subject: Path, path: Path) -> KnownPeriods:
        """What is known of one subject, as if it were the column of a path."""
        kinds = (self.years, self.iso_years, self.months)
        return KnownPeriods(*({path: of[subject]} if subject in of else {} for of in kinds))


@dataclass(frozen=True, slots=True)
class Place:
    """Where an expression stands: how columns of the table are found in it, the session of the
    query, what is known from the conditions beside it, and the types of columns by lower-case name,
    as far as they are known."""

    path_of: PathOf
    session: Session
    known: KnownPeriods
    types: Mapping[str, str] = field(default_factory=dict)

    @property
    def dialect(self) -> str:
        """The dialect of the query."""
        return self.session.dialect

    def type_of(self, path: Path) -> str | None:
        """The Iceberg type of a column, where it is known."""
        return self.types.get(".".join(path).lower())


@dataclass(frozen=True, slots=True)
class Beginning:
    """What texts begin with, or, `negated`, do not. `is_open` tells that anything may follow."""

    prefix: str
    negated: bool = False
    is_open: bool = True


_Found = TypeVar("_Found")


def _is_all(_op: Op, _found: object, _value: LiteralValue) -> Reason | None:
    return None


def _is_fixed(_expression: exp.Expr, _dialect: str) -> bool:
    return False


@dataclass(frozen=True, slots=True)
class Rewrite(Generic[_Found]):
    """A function of a column, and its comparisons as comparisons of the column.

    `find` gives what an expression does to a column, None for any other expression. `compare` gives
    the rows that `function op constant` selects, and raises CannotConvert where nothing is known of
    them. Where `rest` gives a reason, not all of these rows match, and the comparison stays beside
    them. `starting` does the same for texts with a beginning, and tells whether all of these rows
    match.
    `may_be` tells whether an expression may be one for some literals in it, where these are part of
    what is found, and `is_text` that the function gives text.
    """

    find: Callable[[exp.Expr, Place], _Found | None]
    compare: Callable[[Op, _Found, LiteralValue, Session], Predicate]
    rest: Callable[[Op, _Found, LiteralValue], Reason | None] = _is_all
    starting: Callable[[_Found, Beginning, Session], tuple[Predicate, bool]] | None = None
    may_be: Callable[[exp.Expr, str], bool] = _is_fixed
    is_text: bool = False
    number: str | None = None
    """The type of whole numbers that Spark casts the column to unasked."""


@dataclass(frozen=True, slots=True, eq=False)
class Rewritten:
    """What a rewrite found."""

    rewrite: Rewrite[Any]
    found: Any
