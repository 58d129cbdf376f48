"""Fields of parsed JSON, each of the type that the table spec gives it.

All of these raise TypeError for a value of another type, and ValueError for a number that does not
fit; both name the field. Python reads numbers of any size from JSON: what is not checked here fails
far from the file that has it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from prunescope.collectors.budget import TooMuch

MAX_NAME = 64 << 10
"""Characters of a name."""

INT_BITS = 32
LONG_BITS = 64


def whole(value: Any, name: str, bits: int = INT_BITS) -> int:
    """A number of so many bits, read as signed."""
    number = _number(value, name)
    if not -(1 << bits - 1) <= number < 1 << bits - 1:
        raise ValueError(f"{name}, a number beyond {bits} bits")
    return number


def check_numbers(raw: Mapping[str, Any], bits: Mapping[str, int]) -> None:
    """Raises as `whole` for a field that is there, and is no number of its bits."""
    for name, size in bits.items():
        value = raw.get(name)
        if value is not None:
            whole(value, name, size)


def identity(value: Any, name: str) -> int:
    """A number that only names something, of 64 bits, signed or not: as it is written."""
    number = _number(value, name)
    if not -(1 << LONG_BITS - 1) <= number < 1 << LONG_BITS:
        raise ValueError(f"{name}, a number beyond {LONG_BITS} bits")
    return number


def _number(value: Any, name: str) -> int:
    # Python takes true for 1.
    if not isinstance(value, int) or isinstance(value, bool):
        raise TypeError(f"{name}, which is no whole number")
    return value


def text(value: Any, name: str) -> str:
    """Text that can be written down: JSON can escape halves of characters."""
    if not isinstance(value, str):
        raise TypeError(f"{name}, which is no text")
    if not value.isascii():
        try:
            value.encode()
        except UnicodeEncodeError:
            raise ValueError(f"{name}, which is no valid text") from None
    return value


def short(value: Any, name: str) -> str:
    """A text that names something, such as a column. Raises TooMuch for one of no use as that."""
    if isinstance(value, str) and len(value) > MAX_NAME:
        raise TooMuch(f"{name} of more than {MAX_NAME:,} characters")
    return text(value, name)


def flag(value: Any, name: str) -> bool:
    """True or false."""
    if not isinstance(value, bool):
        raise TypeError(f"{name}, which is neither true nor false")
    return value


def entries(value: Any, name: str) -> list[Any]:
    """A list; missing or null, an empty one."""
    if value is not None and not isinstance(value, list):
        raise TypeError(f"{name}, which is no list")
    return value or []


def fields(value: Any, name: str) -> Mapping[str, Any]:
    """An object; missing or null, an empty one."""
    if value is not None and not isinstance(value, dict):
        raise TypeError(f"{name}, which is no object")
    return value or {}


def texts(value: Any, name: str) -> dict[str, str]:
    """An object of texts; what some writers leave as numbers or flags is the text of these."""
    found = {}
    for key, item in fields(value, name).items():
        if isinstance(item, list | dict):
            raise TypeError(f"{name}.{key}, which is no text")
        written = item if isinstance(item, str) else json.dumps(item)
        found[text(key, name)] = text(written, f"{name}.{key}")
    return found
