"""A placeholder in an expression for a value, to evaluate one tree for many rows."""

from __future__ import annotations

from typing import Any, ClassVar

from sqlglot import exp

from prunescope.collectors.sql.constants.values import NULL, Folded


class Slot(exp.Expression, exp.Condition):
    """An operand that stands for `value`, which may be set between evaluations. Copies of a tree
    have slots of their own, which are NULL."""

    arg_types: ClassVar[dict[str, Any]] = {}
    value: Folded = NULL
