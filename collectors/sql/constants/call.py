"""A function of constants, and how it is called."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from sqlglot import exp
from sqlglot.helper import ensure_list

from collectors.sql.constants.numbers import holds
from collectors.sql.constants.session import Session
from collectors.sql.constants.values import (
    NULL,
    Fails,
    Folded,
    Padded,
    Whole,
    is_int,
    not_constant,
)
from collectors.sql.dialects import dialect_of
from collectors.sql.text.nodes import given

LONGEST = 10_000
"""Characters of a text: what is longer is no bound of a column, and texts of texts grow without
end."""

_OPEN = "expressions"
_OF_DIALECTS = frozenset(
    (
        *("negative_length_returns_empty", "zero_start"),
        *("casts_non_integer_decimals", "requires_int128"),
    )
)
"""What nodes tell that follows from the dialect."""
Fold = Callable[[exp.Expr | None], Folded]
"""The value of an expression; raises CannotConvert, as for one that the parser let be missing."""


@dataclass(frozen=True, slots=True)
class Call:
    """A call with its arguments, none of which is NULL once a function has their values."""

    expression: exp.Expr
    arguments: Sequence[exp.Expr]
    session: Session


@dataclass(frozen=True, slots=True)
class Function:
    """A function that is NULL of a NULL, or unknown if it `refuses_null`. `of` takes the call and
    the values of its arguments; it raises CannotConvert, ValueError or OverflowError where engines
    differ or fail. The arguments are those that the node has by `names`, or as many as these are in
    a call that sqlglot does not know; of "expressions", any number. The last of them,
    `most_lacking` at most, may be missing. What else the node has must be empty or `ignored`. It
    `takes_padded` texts where the spaces that these lack here make no difference. With
    `lacks_first`, the first ones may be missing instead of the last. One that `takes_null` is a
    value of NULLs, too. A whole number of no type has
    so many `bits`, or those of most functions of the dialect."""

    of: Callable[..., Folded]
    names: tuple[str, ...] = ("this",)
    ignored: frozenset[str] = frozenset()
    most_lacking: int = 0
    refuses_null: bool = False
    takes_padded: bool = False
    bits: int | None = None
    lacks_first: bool = False
    takes_null: bool = False

    def value(self, expression: exp.Expr, session: Session, fold: Fold) -> Folded:
        """What a call of it is; raises CannotConvert."""
        arguments = self._arguments(expression)
        values = [fold(argument) for argument in arguments]
        if any(value is NULL for value in values) and not self.takes_null:
            if self.refuses_null:
                raise not_constant()
            return NULL
        if not self.takes_padded and any(isinstance(value, Padded) for value in values):
            raise not_constant()
        found = self.of(Call(expression, arguments, session), *values)
        if isinstance(found, str | bytes | tuple) and len(found) > LONGEST:
            raise not_constant()
        return self._typed(found, session)

    def _typed(self, found: Folded, session: Session) -> Folded:
        bits = self.bits or dialect_of(session.dialect).function_bits
        if bits is None or not is_int(found) or isinstance(found, Whole):
            return found
        if not holds(found, bits):
            raise not_constant()  # of another type than most are
        return Whole(found, bits)

    def _is_called(self, named: list[str]) -> bool:
        """Whether nothing but last arguments is missing, or the first ones where these may be."""
        count = len(named)
        return named == [*self.names[:count]] or (
            self.lacks_first and named == [*self.names[-count:]]
        )

    def _arguments(self, expression: exp.Expr) -> Sequence[exp.Expr]:
        if isinstance(expression, exp.Anonymous):
            found = expression.expressions
        else:
            present = given(expression) - _OF_DIALECTS
            named = [name for name in self.names if name in present]
            if not present - self.ignored <= {*named} or not self._is_called(named):
                raise not_constant()
            found = [each for name in named for each in ensure_list(expression.args[name])]
        lacking = len(self.names) - len(found)
        is_whole = (lacking >= 0 or _OPEN in self.names) and lacking <= self.most_lacking
        if not is_whole or not all(isinstance(each, exp.Expr) for each in found):
            raise not_constant()
        return found


def null_of_failure(of: Callable[..., Folded]) -> Callable[..., Folded]:
    """The function that is NULL of what another fails at."""

    def tried(call: Call, *values: Folded) -> Folded:
        try:
            return of(call, *values)
        except Fails:
            return NULL

    return tried
