"""Texts that a condition reads as times by a format: `date_parse(dt, '%Y%m%d')`.

Texts sort as the times that they stand for only where the format goes from years to smaller parts,
each as wide as all of its values. Nobody but who writes them knows that they all are so.
"""

from __future__ import annotations

import re

_PARSED = re.compile(
    r"\b(?:DATE_PARSE|PARSE_DATETIME|STR_TO_DATE|STRPTIME|TO_DATE|TO_TIMESTAMP\w*|UNIX_TIMESTAMP"
    r"|TO_UNIX_TIMESTAMP)\([^(),]+, '(?P<format>[^']+)'\)",
    re.IGNORECASE,
)
_PARTS = {
    "%Y": "2026",
    "%m": "01",
    "%d": "31",
    "%H": "06",
    "%i": "30",
    "%s": "00",
    "yyyy": "2026",
    "MM": "01",
    "dd": "31",
    "HH": "06",
    "mm": "30",
    "ss": "00",
}
"""An example of each part, the largest first: of MySQL's formats, which Trino's date_parse() takes,
and of Java's."""
_PART = re.compile("|".join(_PARTS))
_MORE = re.compile(r"[A-Za-z%']")
"""What else of a format stands for something, or quotes."""


def way_out_of_parsed(text: str, bare: str) -> tuple[str, str] | None:
    """What to do about a condition that reads a column's texts by a format, in a few words and in
    more; None for other conditions, and for those that read by several formats."""
    formats = {found["format"] for found in _PARSED.finditer(text)}
    if len(formats) != 1:
        return None
    example = _example(formats.pop())
    if example is None:
        advice = (
            f"Text in this format does not sort as what it stands for, so no range of {bare} says "
            "the same. List the texts that are wanted, as they are written; a column of the right "
            "type to partition by serves every way of writing it."
        )
        return "name the texts that are wanted, or filter by a column that has the value", advice
    advice = (
        "Where it is always written in this format, text sorts as what it stands for: compare it "
        f"with text, such as {bare} >= '{example}'. A column of the right type to partition by "
        "serves every way of writing it."
    )
    return "compare text with text, or filter by a column that has the value", advice


def _example(format_: str) -> str | None:
    """A text of a format whose texts sort as times; None for other formats."""
    parts = _PART.findall(format_)
    order = list(_PARTS)
    places = [order.index(part) % (len(order) // 2) for part in parts]
    if not parts or places != list(range(len(parts))) or _MORE.search(_PART.sub("", format_)):
        return None
    return _PART.sub(lambda part: _PARTS[part[0]], format_)
