"""Rows of functions of columns, as conditions on each of them: `(year(d), month(d)) IN ((2026, 10),
(2026, 11))` is `year(d) = 2026 AND month(d) = 10 OR …`. No engine takes a row apart.

Rows of columns alone are compared without this (`comparisons`).
"""

from __future__ import annotations

from sqlglot import exp

from collectors.sql.conditions.leaf_rewrite import LeafRewrite, Replacement
from collectors.sql.constants.folding import fold
from collectors.sql.constants.session import Session
from collectors.sql.constants.values import NULL
from collectors.sql.dialects import dialect_of
from collectors.sql.text.boolean import AllOf, AnyOf, Leaf

_MAX_ROWS = 100


def has_functions(subject: exp.Expr) -> bool:
    """Whether an expression is a row that has more than columns."""
    row = subject.unnest()
    return isinstance(row, exp.Tuple) and not all(
        isinstance(item, exp.Column | exp.Dot) for item in row.expressions
    )


def of_rows(leaf: Leaf, session: Session) -> Replacement | None:
    """What a leaf says of the items of the row that it compares; None for any other leaf. Raises
    CannotConvert where the other rows are no constants."""
    comparison = leaf.expression
    if leaf.negated or not dialect_of(session.dialect).is_measured:
        return None
    match comparison:
        case exp.In(this=row, expressions=others) if others and not comparison.args.get("unnest"):
            pass
        case exp.EQ(this=row, expression=other):
            others = [other]
        case _:
            return None
    if not has_functions(row) or len(others) > _MAX_ROWS:
        return None
    items = row.unnest().expressions
    arms = []
    for other in others:
        values = other.unnest().expressions if isinstance(other.unnest(), exp.Tuple) else []
        # To Spark, a row equals another that has nulls in the same places.
        if len(values) != len(items) or any(fold(value, session) is NULL for value in values):
            return None
        pairs = zip(items, values, strict=True)
        equal = (exp.EQ(this=item.copy(), expression=value.copy()) for item, value in pairs)
        arms.append(AllOf(tuple(Leaf(each, False) for each in equal)))
    return Replacement(AnyOf(tuple(arms)), is_all=True, is_made=True)


REWRITE = LeafRewrite(
    may_concern=lambda subject, *_: has_functions(subject),
    replace=lambda leaf, around: of_rows(leaf, around.session),
)
