"""Numbers as people read them."""

from __future__ import annotations

_UNITS = ("B", "kB", "MB", "GB", "TB", "PB")


def size(count: float | None) -> str:
    """Bytes in the largest unit in which they are at least one; `unknown` if there is no count."""
    if count is None:
        return "unknown"
    for unit in _UNITS:
        if count < 1000 or unit == _UNITS[-1]:
            return f"{count:,.0f} B" if unit == "B" else f"{count:,.1f} {unit}"
        count /= 1000
    raise AssertionError("unreachable: the last unit takes any size")


def of(part: float | None, whole: float) -> str:
    """Bytes of all bytes, the unit once if both have the same: `65.5 of 66.6 MB`."""
    some, all_ = size(part), size(whole)
    number, _, unit = some.rpartition(" ")
    return f"{number if unit == all_.rpartition(' ')[2] else some} of {all_}"


def plural(number: int, noun: str, nouns: str | None = None) -> str:
    """A number and its noun; `nouns` is the plural if it does not end in s."""
    return f"{number:,} {noun if number == 1 else nouns or noun + 's'}"
