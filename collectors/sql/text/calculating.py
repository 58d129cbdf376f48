"""Literals that define a calculation, as against those that its result is compared with."""

from __future__ import annotations

import re

from sqlglot import exp

from prunescope.collectors.sql.text.boolean import own_columns

_ROLES = frozenset({"format", "unit", "zone", "delimiter"})
"""Arguments of functions that are none of people's values, whatever they hold."""
_SHIFTS = (exp.IntervalOp, exp.TsOrDsAdd, exp.AddMonths)
_OF_VALUES = (
    *(*_SHIFTS, exp.Interval, exp.MakeInterval),
    *(exp.Coalesce, exp.Nullif, exp.Greatest, exp.Least, exp.Case, exp.If, exp.AggFunc),
    *(exp.Cast, exp.Connector, exp.Predicate, exp.Array, exp.Map, exp.Struct),
)
"""Functions, and what sqlglot takes for some, whose numbers are values: of a time that has gone by,
to choose from, to compare with."""
_SMALL = re.compile(r"\d{1,5}|10+", re.ASCII)
_FORMAT = re.compile(r"(%.|[yYuMLdDHhKkmsSaAEeGwWxXzZVQTF'\W])+", re.ASCII)
_ZONE = re.compile(r"[A-Za-z]+(/[\w+-]+)+|UTC|GMT|Z|[+-]\d\d(:?\d\d)?", re.ASCII)


def says_what_is_calculated(node: exp.Expr) -> bool:
    """True if a literal is a format, a unit, a time zone, the place or the length of a part, the
    number of digits, or a divisor, or how far a column is shifted before a function reads it.

    Decided by its place, and for unknown functions also by its looks: operands of comparisons,
    times, long numbers and other texts are values, whichever function has them.
    """
    if isinstance(node.parent, exp.Neg):
        node = node.parent
    if not isinstance(_literal_of(node), exp.Literal):
        return False
    match holder := node.parent:
        case exp.AtTimeZone():
            return node.arg_key == "zone"
        case exp.Div() | exp.IntDiv() | exp.SafeDivide() | exp.Mod():
            is_divisor = node.arg_key == "expression" and not _literal_of(node).is_string
            return is_divisor and bool(own_columns(holder.this))
        case exp.Interval(parent=exp.Add() | exp.Sub() as shift):
            return _is_made_something_of(shift)
        case exp.Interval(parent=exp.Anonymous() | exp.DateBin()) | exp.DateBin():
            return node.arg_key == "this"  # the width of buckets
        case exp.TimeSlice() if node.arg_key == "kind":
            return True
        case exp.Bracket():
            return node.arg_key == "expressions" and _is_small(node)
        case exp.Anonymous():
            is_width = holder.name.lower() == "window"
            return bool(node.index) and (is_width or _is_small(node) or _looks_like_a_form(node))
        case exp.Func():
            has_numbers = not isinstance(holder, _OF_VALUES) and node.arg_key != "this"
            is_shift = isinstance(holder, _SHIFTS) and node.arg_key == "expression"
            has_numbers = has_numbers or (is_shift and _is_made_something_of(holder))
            return node.arg_key in _ROLES or (has_numbers and _is_small(node))
    return False


def _is_made_something_of(shift: exp.Expr) -> bool:
    """True if a function has a column that is shifted in time: `date(ts + INTERVAL '3' HOUR)` is a
    local day, where `ts + INTERVAL '3' HOUR > now()` asks for another time."""
    within = shift.parent
    while isinstance(within, exp.Paren):
        within = within.parent
    is_cast = isinstance(within, exp.Cast)
    is_function = isinstance(within, exp.Func) and not isinstance(within, _OF_VALUES)
    return (is_cast or is_function) and bool(own_columns(shift))


def _is_small(node: exp.Expr) -> bool:
    number = _literal_of(node)
    return not number.is_string and _SMALL.fullmatch(number.name) is not None


def _literal_of(node: exp.Expr) -> exp.Expr:
    operand: exp.Expr = node.this if isinstance(node, exp.Neg) else node
    return operand


def _looks_like_a_form(node: exp.Expr) -> bool:
    return any(form.fullmatch(node.name) for form in (_FORMAT, _ZONE))
