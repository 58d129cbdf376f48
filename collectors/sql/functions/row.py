"""Rows of the table of functions: the value of a call, and what is known of its values."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlglot import exp
from sqlglot.helper import ensure_list

from prunescope.collectors.sql.constants.branches import certain
from prunescope.collectors.sql.constants.call import LONGEST, Call, Fold
from prunescope.collectors.sql.constants.numbers import computed, holds
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
from prunescope.collectors.sql.functions.law import Law
from prunescope.collectors.sql.text.nodes import given

_OPEN = "expressions"
_OF_DIALECTS = frozenset(
    (
        *("negative_length_returns_empty", "zero_start"),
        *("casts_non_integer_decimals", "requires_int128"),
    )
)
"""Arguments of nodes that follow from the dialect."""


@dataclass(frozen=True, slots=True)
class Function:
    """A function of a dialect. A NULL argument makes it NULL, or unknown if it `refuses_null`.

    `of` takes the call and the values of its arguments; it raises CannotConvert, ValueError or
    OverflowError if engines differ or fail. The arguments are the node's by `names`, or as many in
    a call that sqlglot does not know; "expressions" stands for any number. The last `most_lacking`
    may be missing, or with `lacks_first` the first ones. Other arguments of the node must be empty
    or `ignored`. `takes_padded` if the spaces that CHAR texts lack here make no difference. With
    `takes_null`, `of` also gets NULLs. A whole number of no type gets `bits`, or those of most
    functions of the dialect. The `law` bounds its values for spans of arguments: of a function
    without one, the values of single arguments alone are known.
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
    law: Law | None = None

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
        return computed(self._typed(found, session))

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


@dataclass(frozen=True, slots=True)
class Operation:
    """An operation, or another expression whose operands are not all evaluated, or not all before
    it, as those of CASE.

    `of` takes the expression, what evaluates its parts, and the session. An expression that is not
    in `takes` is a call of the function of the same node or name, if the dialect has one. Failing
    operands may not be reached, and are unknown, unless `may_fail`.
    """

    of: Callable[[Any, Fold, Session], Folded]
    law: Law | None = None
    takes: Callable[[exp.Expr, Session], bool] = lambda _expression, _session: True
    may_fail: bool = True
    otherwise: Function | None = None

    def value(self, expression: exp.Expr, session: Session, fold: Fold) -> Folded:
        """The value of an expression of this form; raises CannotConvert."""
        if self.takes(expression, session):
            return self.of(expression, fold if self.may_fail else certain(fold), session)
        if self.otherwise is None:
            raise not_constant()
        return self.otherwise.value(expression, session, fold)


Row = Function | Operation
Rows = Mapping[type[exp.Expr] | str, Row]
Operations = Mapping[type[exp.Expr] | str, Operation]
Functions = Mapping[type[exp.Expr] | str, Function]
"""Rows by sqlglot's node, or by the name in lower case of a call that sqlglot does not know."""
