"""Iceberg's expressions as Java prints them into logs (Expression.toString, Iceberg 1.11):

    (not_null(ref(name="d")) and ref(name="d") >= "(date-1-days-ago)")

Only sanitised text is read: its values hold no quotes, so that a text has one reading.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from prunescope.collectors.errors import QueryError
from prunescope.collectors.outcomes import Outcome
from prunescope.collectors.predicates.model import (
    FALSE,
    TRUE,
    Column,
    Comparison,
    Predicate,
    all_of,
    any_of,
)
from prunescope.collectors.predicates.operators import Op
from prunescope.collectors.predicates.walks import negate

_TERM = (
    r'(?:(?P<transform>[a-z]+(?:\[\d+\])?)\((?=ref))?ref\(name="(?P<name>[^"]+)"\)(?(transform)\))'
)
_VALUE = r'"{1,2}(\([^")]*\)|[^"]*)"{1,2}'
_UNARY = {
    "is_null": Op.IS_NULL,
    "not_null": Op.NOT_NULL,
    "is_nan": Op.IS_NAN,
    "not_nan": Op.NOT_NAN,
}
_BINARY = {
    "==": Op.EQ,
    "!=": Op.NOT_EQ,
    "<": Op.LT,
    "<=": Op.LT_EQ,
    ">": Op.GT,
    ">=": Op.GT_EQ,
    "startsWith": Op.STARTS_WITH,
    "notStartsWith": Op.NOT_STARTS_WITH,
}
_UNARY_LEAF = re.compile(rf"(?P<op>{'|'.join(_UNARY)})\({_TERM}\)")
_BINARY_LEAF = re.compile(rf"{_TERM} (?P<op>{'|'.join(sorted(_BINARY, reverse=True))}) {_VALUE}")
_SET_LEAF = re.compile(rf"{_TERM} (?P<op>not in|in) \((?P<values>{_VALUE}(?:, {_VALUE})*)\)")
_ONE_VALUE = re.compile(_VALUE)


class UnreadableExpression(QueryError):
    """Text is no expression as Iceberg prints it."""

    code = Outcome.MALFORMED_EXPRESSION


def parse_printed_expression(text: str) -> Predicate:
    """The unbound predicate that a printed expression stands for; values are their
    placeholders. Raises UnreadableExpression, whose message holds none of the text."""
    try:
        end, predicate = _expression(text, 0)
    except RecursionError:
        raise _unreadable() from None
    if end != len(text):
        raise _unreadable()
    return predicate


def _expression(text: str, start: int) -> tuple[int, Predicate]:
    if text.startswith("(", start):
        middle, left = _expression(text, start + 1)
        word, combine = _conjunction(text, middle)
        end, right = _expression(text, middle + len(word))
        return _closed(text, end), combine(left, right)
    if text.startswith("not(", start):
        end, inner = _expression(text, start + len("not("))
        return _closed(text, end), negate(inner)
    for word, constant in (("true", TRUE), ("false", FALSE)):
        if text.startswith(word, start):
            return start + len(word), constant
    return _leaf(text, start)


def _conjunction(text: str, start: int) -> tuple[str, Callable[..., Predicate]]:
    if text.startswith(" and ", start):
        return " and ", all_of
    if text.startswith(" or ", start):
        return " or ", any_of
    raise _unreadable()


def _closed(text: str, end: int) -> int:
    if not text.startswith(")", end):
        raise _unreadable()
    return end + 1


def _leaf(text: str, start: int) -> tuple[int, Predicate]:
    if found := _UNARY_LEAF.match(text, start):
        return found.end(), Comparison(_UNARY[found["op"]], _column(found))
    if found := _SET_LEAF.match(text, start):
        values = tuple(match[1] for match in _ONE_VALUE.finditer(found["values"]))
        op = Op.IN if found["op"] == "in" else Op.NOT_IN
        return found.end(), Comparison(op, _column(found), values)
    if found := _BINARY_LEAF.match(text, start):
        value = found.groups()[-1]
        return found.end(), Comparison(_BINARY[found["op"]], _column(found), (value,))
    raise _unreadable()


def _column(found: re.Match[str]) -> Column:
    return Column((found["name"],), found["transform"])


def _unreadable() -> UnreadableExpression:
    return UnreadableExpression("the filter is not a sanitised expression as Iceberg prints it")
