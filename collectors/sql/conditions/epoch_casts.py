"""Spark's times that are made of seconds by other words than timestamp_seconds(), as what they are:
`CAST(n AS timestamp)` of a number, and what is made of the text of from_unixtime(), which reads as
the time whose text it is. from_unixtime() counts whole seconds, and cuts off others."""

from __future__ import annotations

from collections.abc import Mapping

from sqlglot import exp

from collectors.sql.constants.casts import TIMESTAMPS
from collectors.sql.constants.terms import PathOf, column_path
from collectors.sql.constants.time_texts import UNSAID
from collectors.sql.dialects import dialect_of
from collectors.sql.text.nodes import nodes_of

_WHOLE = ("int", "long")
_NUMBERS = (exp.Mul, exp.Div, exp.IntDiv, exp.Round, exp.Floor, exp.Ceil)
"""What is a number, whatever its operands are: `ms / 1000`."""
_TYPES = (exp.DType.INT, exp.DType.BIGINT, exp.DType.DOUBLE)
_READERS = (exp.TimeStrToTime, exp.TimestampTrunc, exp.TsOrDsToDate)


def may_be_of_text(subject: exp.Expr) -> bool:
    """Whether something may be made of from_unixtime() in an expression, for some literals."""
    return any(isinstance(node, exp.UnixToStr) for node in nodes_of(subject))


def with_seconds(
    expression: exp.Expr, path_of: PathOf, types: Mapping[str, str], dialect: str
) -> exp.Expr:
    """An expression with the times in it as timestamp_seconds(); itself where it has none. `types`
    are the Iceberg types of columns by lower-case name."""
    if not dialect_of(dialect).has_java_time:
        return expression

    def seconds_of(node: exp.Expr) -> exp.Expr:
        match node:
            case exp.Cast(this=operand, to=exp.DataType(this=kind)) if kind in TIMESTAMPS:
                if _is_number(operand, path_of, types):
                    return _seconds(operand)
                text = operand.unnest()
                is_read = isinstance(text, exp.UnixToStr) and text.text("format") == UNSAID
                return _seconds(_whole(text.this)) if is_read else node
            case exp.UnixToStr(this=operand):
                return _of_text(node, operand)
        return node

    is_of_time = any(
        isinstance(node, exp.UnixToStr)
        or (isinstance(node, exp.Cast) and node.to.this in TIMESTAMPS)
        for node in nodes_of(expression)
    )
    return expression.transform(seconds_of) if is_of_time else expression


def _of_text(text: exp.UnixToStr, operand: exp.Expr) -> exp.Expr:
    """The text of a time, or the time where something reads it from that."""
    pattern = text.args.get("format")
    seconds = _seconds(_whole(operand))
    if isinstance(text.parent, _READERS) and text.text("format") == UNSAID:
        # The text of a bare column as a day is known to `epoch_texts`.
        is_day = isinstance(text.parent, exp.TsOrDsToDate) and text.parent.parent is None
        return text if is_day and _is_known(operand) else seconds
    if not isinstance(pattern, exp.Expr) or _is_known(operand):
        return text
    return exp.TimeToStr(this=seconds, format=pattern.copy())


def _is_known(operand: exp.Expr) -> bool:
    """Whether `epoch_texts` knows what the seconds are."""
    return isinstance(operand.unnest(), exp.Column | exp.Dot | exp.StrToUnix)


def _is_number(operand: exp.Expr, path_of: PathOf, types: Mapping[str, str]) -> bool:
    found = operand.unnest()
    if isinstance(found, _NUMBERS) or (isinstance(found, exp.Cast) and found.to.this in _TYPES):
        return True
    path = column_path(found, path_of)
    return path is not None and types.get(".".join(path).lower()) in _WHOLE


def _whole(operand: exp.Expr) -> exp.Expr:
    return exp.Cast(this=operand.copy(), to=exp.DataType.build("bigint"))


def _seconds(operand: exp.Expr) -> exp.Expr:
    return exp.Anonymous(this="timestamp_seconds", expressions=[operand.copy()])
