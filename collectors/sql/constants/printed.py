"""format() and format_string() of constants: Java's patterns that Python reads alike."""

from __future__ import annotations

import re

from collectors.sql.constants.call import Call
from collectors.sql.constants.values import Folded, is_int, not_constant

_PLACE = re.compile(r"%(?:%|(?:-?[1-9][0-9]?)?s|(?:[0-]?[1-9][0-9]?)?d)")


def printed(_call: Call, pattern: Folded, *values: Folded) -> str:
    """Texts (%s) and whole numbers (%s, %d) in their places, which may have a width."""
    if not isinstance(pattern, str) or "%" in _PLACE.sub("", pattern):
        raise not_constant()
    places = [place[-1] for place in _PLACE.findall(pattern) if place != "%%"]
    if len(places) != len(values):
        raise not_constant()
    for place, value in zip(places, values, strict=True):
        if not is_int(value) and not (place == "s" and isinstance(value, str)):
            raise not_constant()
    return pattern % values
