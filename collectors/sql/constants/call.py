"""Calls of functions of constants."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from sqlglot import exp

from prunescope.collectors.sql.constants.session import Session
from prunescope.collectors.sql.constants.values import Folded

LONGEST = 10_000
"""The most characters of a text: longer ones are no bounds of a column, and texts of texts grow
without end."""

Fold = Callable[[exp.Expr | None], Folded]
"""The value of an expression; raises CannotConvert, also for an expression that is missing."""


@dataclass(frozen=True, slots=True)
class Call:
    """A call with its arguments. None of them is NULL once their values are passed to a
    function."""

    expression: exp.Expr
    arguments: Sequence[exp.Expr]
    session: Session
