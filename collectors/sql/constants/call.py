"""Functions of constants, and calls of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from sqlglot import exp
from sqlglot.helper import ensure_list

from prunescope.collectors.sql.constants.numbers import holds
from prunescope.collectors.sql.constants.session import Session
from prunescope.collectors.sql.constants.values import (
    NULL,
    Fails,
    Folded,
    Padded,
    Whole,
    is_int,
    not_constant,
)
from prunescope.collectors.sql.dialects import dialect_of
from prunescope.collectors.sql.text.nodes import given

LONGEST = 10_000
"""The most characters of a text: longer ones are no bounds of a column, and texts of texts grow
without end."""

_OPEN = "expressions"
_OF_DIALECTS = frozenset(
    (
        *("negative_length_returns_empty", "zero_start"),
        *("casts_non_integer_decimals", "requires_int128"),
    )
)
"""Arguments of nodes that follow from the dialect."""
Fold = Callable[[exp.Expr | None], Folded]
"""The value of an expression; raises CannotConvert, also for an expression that is missing."""


@dataclass(frozen=True, slots=True)
class Call:
    """A call with its arguments. None of them is NULL once their values are passed to a
    function."""

    expression: exp.Expr
    arguments: Sequence[exp.Expr]
    session: Session


@dataclass(frozen=True, slots=True)
class Function:
    """A function of constants. A NULL argument makes it NULL, or unknown if it `refuses_null`.

    `of` takes the call and the values of its arguments; it raises CannotConvert, ValueError or
    OverflowError if engines differ or fail. The arguments are the node's by `names`, or as many in
    a call that sqlglot does not know; "expressions" stands for any number. The last `most_lacking`
    may be missing, or with `lacks_first` the first ones. Other arguments of the node must be empty
    or `ignored`. `takes_padded` if the spaces that CHAR texts lack here make no difference. With
    `takes_null`, `of` also gets NULLs. A whole number of no type gets `bits`, or those of most
    functions of the dialect.
    """

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
        """The value of a call of the function; raises CannotConvert."""
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
        """True if only last arguments are missing, or first ones if these may be."""
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
    """A function that is NULL for arguments at which another one fails."""

    def tried(call: Call, *values: Folded) -> Folded:
        try:
            return of(call, *values)
        except Fails:
            return NULL

    return tried
