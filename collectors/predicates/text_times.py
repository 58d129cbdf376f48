"""Texts of times and of whole numbers, as texts that sort like their values."""

from __future__ import annotations

import datetime as dt
import re
from functools import lru_cache

PARTS = {"Y": 4, "m": 2, "d": 2, "H": 2, "M": 2, "S": 2}
"""The number of digits of each part of a pattern, all of which are written (`%Y-%m-%d`)."""
_PART = re.compile("%([" + "".join(PARTS) + "])")
_FIRST_YEAR = 1000
"""Before it engines write years in ways of their own."""
_LONGEST = 15
_DIGITS = re.compile(rf"\d{{1,{_LONGEST}}}", re.ASCII)
"""Whole numbers that doubles hold exactly, as which some engines compare texts with them."""


def sortable(text: str, pattern: str) -> str | None:
    """The time that a text in a pattern stands for, as `2026-01-31 00:00:00`; parts that the
    pattern lacks are the first possible. None for a text that does not match to the letter, or is
    no time."""
    found = _compiled(pattern).fullmatch(text)
    if found is None:
        return None
    read = {name: int(digits) for name, digits in found.groupdict().items()}
    try:
        day = dt.date(read["Y"], read.get("m", 1), read.get("d", 1))
        clock = dt.time(read.get("H", 0), read.get("M", 0), read.get("S", 0))
    except ValueError:
        return None
    return f"{day.isoformat()} {clock.isoformat()}" if day.year >= _FIRST_YEAR else None


def sortable_number(text: str) -> str | None:
    """The digits of a whole number from 0 on, all of one length; None for any other text."""
    return text.zfill(_LONGEST) if _DIGITS.fullmatch(text) else None


@lru_cache(maxsize=256)
def _compiled(pattern: str) -> re.Pattern[str]:
    def digits(found: re.Match[str]) -> str:
        return rf"(?P<{found[1]}>\d{{{PARTS[found[1]]}}})"

    return re.compile(_PART.sub(digits, re.escape(pattern)), re.ASCII)
