"""Literals that say what is calculated, as against what it is compared with."""

from __future__ import annotations

import re

from sqlglot import exp

_ROLES = frozenset({"format", "unit", "zone", "delimiter"})
"""Arguments of functions that are none of people's values, whatever they hold."""
_OF_VALUES = (
    *(exp.IntervalOp, exp.TsOrDsAdd, exp.AddMonths, exp.Interval, exp.MakeInterval),
    *(exp.Coalesce, exp.Nullif, exp.Greatest, exp.Least, exp.Case, exp.If, exp.AggFunc),
    *(exp.Cast, exp.Connector, exp.Predicate, exp.Array, exp.Map, exp.Struct),
)
"""Functions, and what sqlglot takes for some, whose numbers are values: of a time that has gone by,
to choose from, to compare with."""
_SMALL = re.compile(r"\d{1,5}|10+", re.ASCII)
_FORMAT = re.compile(r"(%.|[yYuMLdDHhKkmsSaAEeGwWxXzZVQTF'\W])+", re.ASCII)
_ZONE = re.compile(r"[A-Za-z]+(/[\w+-]+)+|UTC|GMT|Z|[+-]\d\d(:?\d\d)?", re.ASCII)


def says_what_is_calculated(node: exp.Expr) -> bool:
    """Whether a literal is a format, a unit, a time zone, the place or the length of a part, the
    number of digits, or a divisor.

    By its place, and where functions are not known also by its looks: what a column is compared
    with, times, long numbers and other texts are values, whichever function has them.
    """
    if isinstance(node.parent, exp.Neg):
        node = node.parent
    if not isinstance(node.this if isinstance(node, exp.Neg) else node, exp.Literal):
        return False
    match holder := node.parent:
        case exp.AtTimeZone():
            return node.arg_key == "zone"
        case exp.Div() | exp.IntDiv() | exp.Mod():
            return node.arg_key == "expression" and _is_small(node)
        case exp.Bracket():
            return node.arg_key == "expressions" and _is_small(node)
        case exp.Anonymous():
            return bool(node.index) and (_is_small(node) or _looks_like_a_form(node))
        case exp.Func():
            has_numbers = not isinstance(holder, _OF_VALUES) and node.arg_key != "this"
            return node.arg_key in _ROLES or (has_numbers and _is_small(node))
    return False


def _is_small(node: exp.Expr) -> bool:
    number = node.this if isinstance(node, exp.Neg) else node
    return not number.is_string and _SMALL.fullmatch(number.name) is not None


def _looks_like_a_form(node: exp.Expr) -> bool:
    return any(form.fullmatch(node.name) for form in (_FORMAT, _ZONE))
