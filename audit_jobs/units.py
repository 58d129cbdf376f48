"""Numbers as people read them."""

from __future__ import annotations

_UNITS = ("B", "kB", "MB", "GB", "TB", "PB")


def size(count: float | None) -> str:
    """Bytes in the largest unit of which there is one; `?` where nobody knows."""
    if count is None:
        return "?"
    for unit in _UNITS:
        if count < 1000 or unit == _UNITS[-1]:
            return f"{count:,.0f} B" if unit == "B" else f"{count:,.1f} {unit}"
        count /= 1000
    raise AssertionError("unreachable: the last unit takes any size")


def plural(number: int, noun: str, nouns: str | None = None) -> str:
    """A number of things; `nouns` where an s does not do."""
    return f"{number:,} {noun if number == 1 else nouns or noun + 's'}"
