"""Operators that ClickHouse and DuckDB call by name as well, as the nodes that the operators are,
and DuckDB's second names of functions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from sqlglot import exp

_Build = Callable[[list[exp.Expr]], exp.Expr]

_BINARY: Mapping[str, type[exp.Binary]] = {
    "equals": exp.EQ,
    "notEquals": exp.NEQ,
    "less": exp.LT,
    "lessOrEquals": exp.LTE,
    "greater": exp.GT,
    "greaterOrEquals": exp.GTE,
    "isNotDistinctFrom": exp.NullSafeEQ,
    "isDistinctFrom": exp.NullSafeNEQ,
    "plus": exp.Add,
    "minus": exp.Sub,
    "multiply": exp.Mul,
    "divide": exp.Div,
    "modulo": exp.Mod,
    "intDiv": exp.IntDiv,
}
_MEMBERSHIP: Mapping[str, bool] = {
    "in": False,
    "globalIn": False,
    "notIn": True,
    "globalNotIn": True,
}
_NULL_TESTS: Mapping[str, bool] = {"isNull": False, "isNotNull": True}
"""True for a negated test."""
_BINDS_LESS = (exp.Binary, exp.Not, exp.Neg, exp.Between, exp.In)


def _binary(name: str, node: type[exp.Binary]) -> _Build:
    def build(arguments: list[exp.Expr]) -> exp.Expr:
        match [_operand(argument) for argument in arguments]:
            case [left, right]:
                return exp.Paren(this=node(this=left, expression=right))
        return exp.Anonymous(this=name, expressions=arguments)

    return build


def _membership(name: str, *, negated: bool) -> _Build:
    def build(arguments: list[exp.Expr]) -> exp.Expr:
        match arguments:
            case [subject, exp.Query() | exp.Subquery() as query]:
                found = exp.In(this=_operand(subject), query=query)
            case [subject, exp.Tuple(expressions=items) | exp.Array(expressions=items)]:
                found = exp.In(this=_operand(subject), expressions=items)
            case [subject, exp.Literal() as item] | [subject, exp.Paren(this=item)]:
                found = exp.In(this=_operand(subject), expressions=[item])
            case _:
                return exp.Anonymous(this=name, expressions=arguments)
        return exp.Paren(this=exp.Not(this=found) if negated else found)

    return build


def _null_test(name: str, *, negated: bool) -> _Build:
    def build(arguments: list[exp.Expr]) -> exp.Expr:
        match arguments:
            case [operand]:
                found = exp.Is(this=_operand(operand), expression=exp.null())
                return exp.Paren(this=exp.Not(this=found) if negated else found)
        return exp.Anonymous(this=name, expressions=arguments)

    return build


def _operand(expression: exp.Expr) -> exp.Expr:
    return exp.Paren(this=expression) if isinstance(expression, _BINDS_LESS) else expression


def _renamed(name: str, arguments: list[exp.Expr]) -> exp.Expr:
    return exp.Anonymous(this=name, expressions=arguments)


def _at_time_zone(arguments: list[exp.Expr]) -> exp.Expr:
    match arguments:
        case [zone, time]:
            return exp.Paren(this=exp.AtTimeZone(this=_operand(time), zone=zone))
    return exp.Anonymous(this="timezone", expressions=arguments)


CALLED_BY_CLICKHOUSE: Mapping[str, _Build] = {
    **{name.upper(): _binary(name, node) for name, node in _BINARY.items()},
    **{name.upper(): _membership(name, negated=n) for name, n in _MEMBERSHIP.items()},
    **{name.upper(): _null_test(name, negated=n) for name, n in _NULL_TESTS.items()},
}
CALLED_BY_DUCKDB: Mapping[str, _Build] = {
    **{
        name.upper(): _binary(name, node)
        for name, node in (("add", exp.Add), ("subtract", exp.Sub), ("multiply", exp.Mul))
    },
    "PREFIX": exp.StartsWith.from_arg_list,
    "SUFFIX": exp.EndsWith.from_arg_list,
    "DATEPART": partial(_renamed, "date_part"),
    "DATESUB": partial(_renamed, "date_sub"),
    "TIMEZONE": _at_time_zone,
}
"""Builders of their nodes by upper-case name. A call with other arguments stays one."""
