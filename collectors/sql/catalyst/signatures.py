"""Functions whose SQL in Spark has the arguments that Catalyst prints, but for those that it
adds."""

from __future__ import annotations

import re
from dataclasses import dataclass

from prunescope.collectors.sql.catalyst.expressions import Call, Expression, Unclear
from prunescope.collectors.sql.catalyst.literals import literal_sql

ZONE = "zone"
"""The session's time zone, which is left out."""
UNIT = "unit"
"""The name of a unit, which is no literal."""
NUMBER = "number"
"""An operand of any type, and no literal."""

_UNIT = re.compile(r"[A-Za-z]{1,12}")
_FLAG = re.compile(r"true|false|None")
_ALL_PARTS = re.compile(r"-1")
_FROM_THE_START = re.compile(r"1")


@dataclass(frozen=True, slots=True)
class Signature:
    """The parameters of a function: the Iceberg type of each argument, ZONE, UNIT or NUMBER, or a
    pattern of an argument that is left out; the type of its values, None if it is unknown; and its
    name in SQL if that is another."""

    arguments: tuple[str | re.Pattern[str], ...]
    result: str | None
    name: str | None = None


TEXTS = "list<string>"
"""The type of a text that was split."""

SIGNATURES = {
    "last_day": Signature(("date",), "date"),
    "add_months": Signature(("date", "int"), "date"),
    "next_day": Signature(("date", "string", _FLAG), "date"),
    "date_add": Signature(("date", "int"), "date"),
    "date_sub": Signature(("date", "int"), "date"),
    "datediff": Signature(("date", "date"), "int"),
    "timestampdiff": Signature((UNIT, "timestamptz", "timestamptz", ZONE), "long"),
    "timestamp_seconds": Signature(("long",), "timestamptz"),
    "timestamp_millis": Signature(("long",), "timestamptz"),
    "timestamp_micros": Signature(("long",), "timestamptz"),
    "date_from_unix_date": Signature(("int",), "date"),
    "CEIL": Signature((NUMBER,), None),
    "FLOOR": Signature((NUMBER,), None),
    "shiftright": Signature((NUMBER, "int"), None),
    "substring_index": Signature(("string", "string", "int"), "string"),
    "instr": Signature(("string", "string"), "int"),
    "locate": Signature(("string", "string", _FROM_THE_START), "int"),
    "lpad": Signature(("string", "int", "string"), "string"),
    "rtrim": Signature(("string", _FLAG), "string"),
    "split": Signature(("string", "string", _ALL_PARTS), TEXTS),
    "stringsplitsql": Signature(("string", "string"), TEXTS, "SPLIT_PART"),
}
"""Signatures by the names that Catalyst prints."""


def signed(call: Call, signature: Signature) -> Expression:
    """A function of known arguments. Raises Unclear if they are others."""
    call.require(len(signature.arguments))
    found = [
        _argument(call, number, kind)
        for number, kind in enumerate(signature.arguments)
        if isinstance(kind, str) or not kind.fullmatch(call.printed[number])
    ]
    arguments = ", ".join(argument for argument in found if argument is not None)
    return Expression(f"{signature.name or call.name.upper()}({arguments})", signature.result)


def _argument(call: Call, number: int, kind: str | re.Pattern[str]) -> str | None:
    """An argument of a type; None for what is left out. Raises Unclear."""
    printed, operand = call.printed[number], call.arguments[number]
    if kind == ZONE:
        call.require_zone(number)
        return None
    if kind == UNIT and _UNIT.fullmatch(printed):
        return printed
    if not isinstance(kind, str) or kind == UNIT:
        raise Unclear
    if operand is not None:
        # A text can be printed as a call of no column.
        if not call.has_column(number):
            raise Unclear
        return operand.sql
    literal = None if kind == NUMBER else literal_sql(printed, kind, call.session)
    if literal is None:
        raise Unclear
    return literal
