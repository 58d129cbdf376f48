"""What a leaf compares its first side with, and what it says of a constant in the place of that."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from sqlglot import exp

from collectors.predicates.model import FALSE
from collectors.sql.conditions.leaf_rewrite import Convert
from collectors.sql.constants.session import Session
from collectors.sql.constants.values import CannotConvert
from collectors.sql.dialects import dialect_of
from collectors.sql.text.boolean import Leaf

_MAX_EXACT = 2**24
"""The largest whole number that singles hold as it is, with all before it."""


def of_subject(leaf: Leaf, subject: exp.Expr) -> Leaf:
    """The leaf with something else in place of what it compares."""
    expression = leaf.expression.copy()
    expression.set("this", subject.copy())
    return Leaf(expression, leaf.negated)


def others_of(leaf: Leaf) -> list[exp.Expr]:
    """What a leaf compares its first side with."""
    expression = leaf.expression
    others = [expression.args.get(name) for name in ("expression", "low", "high")]
    return [other for other in (*others, *expression.expressions) if isinstance(other, exp.Expr)]


def are_left_out(
    leaf: Leaf, constants: Sequence[exp.Expr], session: Session, convert: Convert
) -> bool:
    """Whether a leaf is known to select none of some constants, whatever the type of the
    column that it compares."""
    is_trino = dialect_of(session.dialect).is_trino
    compared = [each.unnest() for each in (*constants, *others_of(leaf))]
    are_texts = is_trino and all(each.is_string for each in compared)
    if not are_texts and not all(each.is_int for each in compared):
        return False
    try:
        return all(convert(of_subject(leaf, constant)) == FALSE for constant in constants)
    except CannotConvert:
        return False


def may_be_text(leaf: Leaf, chosen: Iterable[exp.Expr], session: Session) -> bool:
    """Whether Spark may make text of all that is chosen from: columns of several types become text
    first, if one of them is."""
    return dialect_of(session.dialect).is_spark and any(
        node.is_string and not isinstance(node.parent, exp.Cast)
        for expression in (*chosen, *others_of(leaf))
        for node in expression.find_all(exp.Literal)
    )


def are_exact(leaf: Leaf) -> bool:
    """Whether all that a leaf compares with is what it is in whichever type several columns have in
    common: Trino makes singles of whole numbers beside singles."""
    return all(
        is_exact(other) or isinstance(other, exp.Boolean | exp.Null) or other.is_string
        for other in others_of(leaf)
    )


def is_exact(constant: exp.Expr) -> bool:
    """Whether a constant leaves the column that it is compared with as it is: a whole number, a
    date or a time."""
    match constant.unnest():
        case exp.Literal(is_string=False) as number:
            return bool(number.is_int) and int(number.name) <= _MAX_EXACT
        case exp.Cast(this=exp.Literal(), to=exp.DataType(this=kind)):
            return kind in exp.DataType.TEMPORAL_TYPES
    return False
