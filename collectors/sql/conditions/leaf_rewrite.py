"""What a rewrite of a whole leaf is: a leaf that compares something made of columns, and the
condition on these columns that stands for it. Each is a module, and `leaf_rewrites` lists them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from sqlglot import exp

from collectors.predicates.model import Predicate
from collectors.sql.constants.session import Session
from collectors.sql.text.boolean import Formula, Leaf

Convert = Callable[[Formula], Predicate]
"""What a condition says of the table's columns."""
IsValue = Callable[[exp.Expr], bool]
"""Whether an expression is known to be a value, and no array."""
TypeOf = Callable[[exp.Expr], str | None]
"""The type of a column; None for other expressions, and where it is not known."""


@dataclass(frozen=True, slots=True, eq=False)
class Replacement:
    """A condition that holds wherever the leaf does that it stands for; only there, if `is_all`.
    With `is_made`, the parts of it are none of the query's."""

    condition: Formula
    is_all: bool
    is_made: bool = False


@dataclass(frozen=True, slots=True)
class Around:
    """What is known where a leaf stands; `type_of` tells the Iceberg types of columns, where they
    are known."""

    session: Session
    is_value: IsValue
    type_of: TypeOf
    convert: Convert


@dataclass(frozen=True, slots=True)
class LeafRewrite:
    """`may_concern` tells whether a leaf that compares an expression may be rewritten, whatever it
    is compared with; `replace` what stands for a leaf, None for one that is left as it is. It
    raises CannotConvert for one that says nothing."""

    may_concern: Callable[[exp.Expr, str, IsValue], bool]
    replace: Callable[[Leaf, Around], Replacement | None]
