"""format() and format_string() of constants, with Java's patterns that Python reads alike."""

from __future__ import annotations

import re

from prunescope.collectors.sql.constants.call import Call
from prunescope.collectors.sql.constants.values import NULL, Folded, is_int, not_constant

_PLACE = re.compile(r"%(?:%|(?:-?[1-9][0-9]?)?s|(?:[0-]?[1-9][0-9]?)?d)")


def pieces_of(pattern: str) -> list[str]:
    """The pieces of a pattern: every second one is a placeholder, the others are texts. Raises
    CannotConvert for placeholders of other values than texts and whole numbers."""
    if "%" in _PLACE.sub("", pattern):
        raise not_constant()
    found = [""]
    last = 0
    for place in _PLACE.finditer(pattern):
        found[-1] += pattern[last : place.start()]
        last = place.end()
        if place[0] == "%%":
            found[-1] += "%"
        else:
            found += [place[0], ""]
    found[-1] += pattern[last:]
    return found


def printed(_call: Call, pattern: Folded, *values: Folded) -> Folded:
    """Texts (%s) and whole numbers (%s, %d) at their placeholders, which may have a width. NULL
    becomes the word `null` there; a NULL pattern gives NULL."""
    if pattern is NULL:
        return NULL
    if not isinstance(pattern, str):
        raise not_constant()
    pieces = pieces_of(pattern)
    if len(pieces) // 2 != len(values):
        raise not_constant()
    for at, value in enumerate(values):
        pieces[2 * at + 1] = _in_place(pieces[2 * at + 1], value)
    return "".join(pieces)


def _in_place(place: str, value: Folded) -> str:
    if value is NULL:
        return place.replace("%0", "%").replace("d", "s") % "null"
    if not is_int(value) and not (place[-1] == "s" and isinstance(value, str)):
        raise not_constant()
    return place % value
