"""Predicates as SQL-like text, with or without their literals."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable
from decimal import Decimal
from typing import Any

from prunescope.collectors.predicates.calendar import EPOCH
from prunescope.collectors.predicates.literals import Timestamp
from prunescope.collectors.predicates.model import (
    Always,
    And,
    BoundComparison,
    Comparison,
    Field,
    Or,
    Predicate,
    Unsupported,
)
from prunescope.collectors.predicates.operators import UNARY, Op
from prunescope.collectors.types import NANOS_PER_UNIT

_NANOS_PER_SECOND = 1_000_000_000
_WILDCARDS = re.compile(r"[%_\\]")


def render(predicate: Predicate) -> str:
    """The predicate with its literals."""
    return _render(predicate, _literals, lambda leaf: leaf.text)


def redact(predicate: Predicate) -> str:
    """The predicate with `?` for every literal; a list of any length is one `?`."""
    return _render(predicate, lambda _: "?", lambda leaf: leaf.redacted)


def _render(
    predicate: Predicate,
    values: Callable[[Comparison | BoundComparison], str],
    unsupported: Callable[[Unsupported], str],
) -> str:
    match predicate:
        case Always(value):
            return "TRUE" if value else "FALSE"
        case And(children):
            return " AND ".join(
                f"({_render(c, values, unsupported)})"
                if isinstance(c, Or)
                else _render(c, values, unsupported)
                for c in children
            )
        case Or(children):
            return " OR ".join(
                f"({_render(c, values, unsupported)})"
                if isinstance(c, And)
                else _render(c, values, unsupported)
                for c in children
            )
        case Unsupported():
            return unsupported(predicate)
        case Comparison() | BoundComparison():
            return _render_leaf(predicate, values)


def _render_leaf(
    leaf: Comparison | BoundComparison,
    values: Callable[[Comparison | BoundComparison], str],
) -> str:
    term = leaf.column if isinstance(leaf, Comparison) else leaf.field
    if leaf.op in UNARY:
        return f"{term} {leaf.op}"
    if leaf.op in (Op.IN, Op.NOT_IN):
        return f"{term} {leaf.op} ({values(leaf)})"
    if leaf.op in (Op.STARTS_WITH, Op.NOT_STARTS_WITH):
        spelling = "LIKE" if leaf.op is Op.STARTS_WITH else "NOT LIKE"
        return f"{term} {spelling} {_pattern(values(leaf))}"
    return f"{term} {leaf.op} {values(leaf)}"


def _pattern(prefix: str) -> str:
    """The LIKE pattern of texts that begin with a prefix: a text in quotes, or the mark of one that
    is not shown."""
    if not prefix.startswith("'"):
        return f"{prefix} || '%'"
    escaped = _WILDCARDS.sub(r"\\\g<0>", prefix)
    escape = "" if escaped == prefix else r" ESCAPE '\'"
    return f"{escaped[:-1]}%'{escape}"


def _literals(leaf: Comparison | BoundComparison) -> str:
    if isinstance(leaf, BoundComparison):
        kind = _value_type(leaf.field)
        return ", ".join(_bound_literal(value, kind) for value in leaf.values)
    return ", ".join(_literal(value) for value in leaf.values)


def _value_type(field: Field) -> str:
    if field.transform is None or not field.transform.startswith(
        ("year", "month", "day", "hour", "bucket")
    ):
        return field.type
    return "date" if field.transform == "day" else "int"


def _bound_literal(value: Any, type_name: str) -> str:
    if type_name == "boolean":
        return "TRUE" if value else "FALSE"
    if type_name in NANOS_PER_UNIT:
        nanos = value * NANOS_PER_UNIT[type_name]
        if type_name == "date":
            return f"DATE '{clock_text(nanos)[:10]}'"
        return _literal(Timestamp(nanos, zoned=type_name.startswith("timestamptz")))
    if type_name == "time":
        return f"TIME '{clock_text(value * 1000)[11:]}'"
    if type_name == "string":
        return _literal(value.decode("utf-8", "replace"))
    return _literal(value)


def _literal(value: Any) -> str:
    match value:
        case bool():
            return "TRUE" if value else "FALSE"
        case str():
            return "'" + value.replace("'", "''") + "'"
        case bytes():
            return f"X'{value.hex().upper()}'"
        case Timestamp(nanos, zoned):
            return f"TIMESTAMP '{clock_text(nanos)}{' UTC' if zoned else ''}'"
        case dt.date():
            return f"DATE '{value.isoformat()}'"
        case dt.time():
            return f"TIME '{value.isoformat()}'"
        case Decimal():
            return format(value, "f")
        case _:
            return str(value)


def clock_text(nanos: int) -> str:
    """ISO date and time; a plain count of seconds outside of years 1 to 9999."""
    seconds, fraction = divmod(nanos, _NANOS_PER_SECOND)
    try:
        text = (EPOCH + dt.timedelta(seconds=seconds)).isoformat(sep=" ")
    except OverflowError:
        return f"epoch {seconds} s"
    return f"{text}.{fraction:09d}".rstrip("0") if fraction else text
