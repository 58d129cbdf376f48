"""Conditions that ask whether a column is in a list, in other words than IN: `contains(ARRAY['a',
'b'], c)`, BigQuery's `c IN UNNEST(['a', 'b'])`, `c = ANY(ARRAY['a', 'b'])`, Spark's
`find_in_set(c, 'a,b') > 0`. No engine makes anything of them."""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot import exp

from collectors.sql.conditions.leaf_rewrite import LeafRewrite, Replacement
from collectors.sql.constants.session import Session
from collectors.sql.dialects import dialect_of
from collectors.sql.text.boolean import Leaf
from collectors.sql.text.nodes import given

_PLAIN = frozenset(",;:/_- ")
"""Separators that stand for themselves as regular expressions, too, by which Spark splits."""
_FIND_IN_SET = "find_in_set"


def finds_in_list(subject: exp.Expr) -> bool:
    """Whether an expression is the place of something in a list, for some literals in it."""
    match subject.unnest():
        case exp.ArrayPosition():
            return True
        case exp.Anonymous(this=str() as name):
            return name.lower() == _FIND_IN_SET
    return False


def listed(leaf: Leaf, session: Session) -> Replacement | None:
    """The IN list that a leaf stands for; None for any other leaf."""
    dialect = dialect_of(session.dialect)
    expression = leaf.expression
    match expression:
        case exp.In(this=column, args={"unnest": exp.Unnest(expressions=[array])}):
            return _among(array, column, leaf.negated)
        case exp.EQ(this=column, expression=exp.Any(this=exp.Expr() as array)):
            return _among(array, column, leaf.negated)
        # To ClickHouse, a null is none of the items, and not unknown.
        case exp.ArrayContains(this=array, expression=column) if (
            dialect.is_measured or not leaf.negated
        ):
            return _among(array, column, leaf.negated)
    if (
        not dialect.is_measured
        or not isinstance(expression, exp.Binary)
        or not finds_in_list(expression.this)
    ):
        return None
    is_found = _says_found(expression)
    if is_found is None:
        return None
    match expression.this.unnest():
        case exp.ArrayPosition(this=array, expression=column):
            return _among(array, column, leaf.negated == is_found)
        case exp.Anonymous(expressions=[column, exp.Literal(is_string=True) as text]) if (
            dialect.is_spark and isinstance(column, exp.Column | exp.Dot)
        ):
            # Which makes text of numbers.
            as_text = exp.Cast(this=column.copy(), to=exp.DataType.build("text"))
            return _in(as_text, _texts(text.name, ","), leaf.negated == is_found)
    return None


def _says_found(comparison: exp.Binary) -> bool | None:
    """Whether a comparison of a place holds where there is one, or where there is none, which is 0;
    None where it says which."""
    other = comparison.expression
    if not isinstance(other, exp.Literal) or other.is_string:
        return None
    match comparison, other.name:
        case (exp.GT() | exp.NEQ(), "0") | (exp.GTE(), "1"):
            return True
        case (exp.EQ() | exp.LTE(), "0") | (exp.LT(), "1"):
            return False
    return None


def _among(array: exp.Expr, column: exp.Expr, negated: bool) -> Replacement | None:
    items = _items(array)
    if not items or not isinstance(column, exp.Column | exp.Dot):
        return None
    return _in(column.copy(), items, negated)


def _in(column: exp.Expr, items: Sequence[exp.Expr], negated: bool) -> Replacement:
    among = exp.In(this=column, expressions=[item.copy() for item in items])
    return Replacement(Leaf(among, negated), is_all=True, is_made=True)


def _items(array: exp.Expr) -> Sequence[exp.Expr]:
    """The constants that an array is made of, all of one kind; none where that is not known."""
    match array.unnest():
        case exp.Array(expressions=items):
            kinds = {_kind(item) for item in items}
            return items if len(kinds) == 1 and None not in kinds else []
        case exp.Split(this=text, expression=by) | exp.RegexpSplit(this=text, expression=by) if (
            _is_text(text) and _is_text(by) and by.name in _PLAIN
        ):
            is_plain = given(array.unnest()) == {"this", "expression"}
            return _texts(text.name, by.name) if is_plain else []
    return []


def _kind(item: exp.Expr) -> object:
    """What all items of an array have to have in common, or engines cast them; None for what may be
    null, or anything."""
    match item.unnest():
        case exp.Literal(is_string=is_string):
            return is_string
        case exp.Cast(this=exp.Literal(is_string=True), to=exp.DataType() as target):
            return target
    return None


def _is_text(expression: exp.Expr) -> bool:
    return isinstance(expression, exp.Literal) and bool(expression.is_string)


def _texts(text: str, by: str) -> list[exp.Expr]:
    return [exp.Literal.string(part) for part in text.split(by)]


REWRITE = LeafRewrite(
    may_concern=lambda subject, *_: finds_in_list(subject),
    replace=lambda leaf, around: listed(leaf, around.session),
)
