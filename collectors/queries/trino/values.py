"""Values as Trino's CAST to varchar prints them (ValuePrinter and the type operators of Trino
482): only those that come back exactly."""

from __future__ import annotations

import datetime as dt
import math
import re
import uuid
from decimal import Decimal
from typing import TypeVar

from prunescope.collectors.predicates.calendar import EPOCH
from prunescope.collectors.predicates.instants import (
    parse_date,
    parse_time,
    parse_timestamp,
    parse_zone,
)
from prunescope.collectors.predicates.literals import LiteralValue

_PARAMETERS = re.compile(r"\(\s*[0-9]+\s*(?:,\s*[0-9]+\s*)?\)")
_INTEGER = re.compile(r"-?[0-9]{1,19}")
_DECIMAL = re.compile(r"-?[0-9]{1,38}(?:\.[0-9]{1,38})?")
_DOUBLE = re.compile(r"-?(?:[0-9]+(?:\.[0-9]+)?(?:E-?[0-9]{1,3})?|Infinity)")
_ZONED = re.compile(r"(?P<local>[0-9-]+ [0-9:.]+) (?P<zone>\S+)")

_Value = TypeVar("_Value")


class UnreadableValue(Exception):
    """A printed value that does not tell exactly which value it was."""


def read_value(printed: str, kind: str) -> LiteralValue:
    """The value of a type of Trino (`decimal(9,2)`, `timestamp(6) with time zone`).

    Raises UnreadableValue for other types (varbinary, char, rows, …), for text that is no value
    of the type, for years beyond 9999, and for `real`: its cast keeps 7 digits of up to 9
    (RealOperators.castToVarchar).
    """
    match _PARAMETERS.sub("", kind).strip().lower():
        case "boolean":
            return _known({"true": True, "false": False}.get(printed))
        case "tinyint" | "smallint" | "integer" | "bigint":
            return int(_matching(_INTEGER, printed))
        case "decimal":
            return Decimal(_matching(_DECIMAL, printed))
        case "double":
            number = float(_matching(_DOUBLE, printed))
            return _known(number if math.isfinite(number) or "Infinity" in printed else None)
        case "varchar":
            return printed
        case "uuid":
            return _uuid(printed)
        case "date":
            return _known(parse_date(printed))
        case "time":
            return _known(parse_time(printed))
        case "timestamp":
            moment = parse_timestamp(printed)
            return _known(None if moment is None or moment.zoned else moment)
        case "timestamp with time zone":
            return _instant(printed)
    raise UnreadableValue


def _instant(printed: str) -> LiteralValue:
    """A zone is not enough in the hour that comes twice when clocks are set back."""
    match = _ZONED.fullmatch(printed)
    local = None if match is None else parse_timestamp(match["local"])
    zone = None if match is None else parse_zone(match["zone"])
    if local is None or zone is None:
        raise UnreadableValue
    wall = EPOCH.replace(tzinfo=zone) + dt.timedelta(microseconds=local.nanos // 1000)
    if wall.utcoffset() != wall.replace(fold=1).utcoffset():
        raise UnreadableValue
    return _known(parse_timestamp(printed))


def _uuid(printed: str) -> str:
    try:
        is_canonical = str(uuid.UUID(printed)) == printed
    except ValueError:
        is_canonical = False
    return _known(printed if is_canonical else None)


def _matching(pattern: re.Pattern[str], printed: str) -> str:
    return _known(printed if pattern.fullmatch(printed) else None)


def _known(value: _Value | None) -> _Value:
    if value is None:
        raise UnreadableValue
    return value
