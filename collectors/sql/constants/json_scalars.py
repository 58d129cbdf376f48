"""Values of JSON texts that are constants, by paths of keys and places."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import NoReturn

from sqlglot import exp

from prunescope.collectors.sql.constants.call import Call
from prunescope.collectors.sql.constants.values import NULL, Folded, not_constant
from prunescope.collectors.types import INT64_RANGE

_KEY = re.compile(r"\w+", re.ASCII)
_DEEPEST = 50


def scalar(call: Call, value: Folded) -> Folded:
    """json_extract_scalar() and get_json_object(): a text, whole number or truth as a text, NULL
    for null and for missing keys. Raises CannotConvert for other values, and ValueError for invalid
    JSON; CannotConvert also for duplicate keys."""
    path = call.expression.args.get("expression")
    if not isinstance(value, str) or not isinstance(path, exp.JSONPath):
        raise not_constant()
    if value.count("{") + value.count("[") > _DEEPEST:
        raise not_constant()
    found = json.loads(
        value,
        parse_int=_whole,
        parse_float=_refuse,
        parse_constant=_refuse,
        object_pairs_hook=_once,
    )
    root, *steps = path.expressions
    if not isinstance(root, exp.JSONPathRoot):
        raise not_constant()
    for step in steps:
        match step:
            case exp.JSONPathKey(this=str(key)) if _KEY.fullmatch(key) and isinstance(found, dict):
                if key not in found:
                    return NULL
                found = found[key]
            case exp.JSONPathSubscript(this=int(place)) if isinstance(found, list):
                if not 0 <= place < len(found):
                    raise not_constant()
                found = found[place]
            case _:
                raise not_constant()
    return _as_text(found)


def _as_text(found: object) -> Folded:
    match found:
        case None:
            return NULL
        case bool():
            return str(found).lower()
        case int():
            return str(found)
        case str():
            found.encode()  # half a character is none
            return found
    raise not_constant()


def _whole(digits: str) -> int:
    found = int(digits)
    if str(found) != digits or not INT64_RANGE[0] <= found <= INT64_RANGE[1]:
        raise not_constant()
    return found


def _refuse(_text: str) -> NoReturn:
    raise not_constant()


def _once(pairs: Sequence[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise not_constant()
    return found
