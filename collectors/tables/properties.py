"""Numbers in the properties of tables, which are text that their owners write."""

from __future__ import annotations

from collections.abc import Mapping

_DIGITS = len(str(2**63 - 1))
_LARGEST = 2**63 - 1


def count_of(properties: Mapping[str, str], name: str) -> int | None:
    """A property that is a whole number of at most 63 bits, without a sign; None for any other, and
    where there is none. It is as Java's `Long.parseLong` has it."""
    value = properties.get(name, "").removeprefix("+")
    if not value.isdecimal() or len(value.lstrip("0")) > _DIGITS:
        return None
    number = int(value.lstrip("0") or "0")
    return number if number <= _LARGEST else None
