"""A place in an expression that a value is put into, to evaluate one tree at many rows."""

from __future__ import annotations

from typing import Any, ClassVar

from sqlglot import exp

from collectors.sql.constants.values import NULL, Folded


class Slot(exp.Expression, exp.Condition):
    """An operand that stands for `value`, which may be set again between evaluations. Copies of a
    tree share its slots no more: they have their own, which are NULL."""

    arg_types: ClassVar[dict[str, Any]] = {}
    value: Folded = NULL
