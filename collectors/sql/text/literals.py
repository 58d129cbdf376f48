"""The literals of a SQL text, found without reading the SQL.

A text is taken apart into its literals and what is around them, its *frame*. Two texts of one
frame differ in literals and comments alone. That is no more than a guess until a tokenizer has
seen one of them: where it finds a whole token at the place of a literal, it finds one there in
every text of the frame. It reads from left to right, what stands before and after is the same,
and literals are only taken out that begin and end alike, whatever they hold: none holds an escape
of another kind than a doubled quote, a control character, or more than a number's characters.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from sqlglot.dialects.dialect import Dialect

MAX_CHARACTERS = 32_768
"""Longer texts are not taken apart: they hold long lists, and are seldom alike."""

# No text that holds it is taken apart.
_MARK = "\0"
_NO_CONTROLS = r"\x00-\x1f\x7f-\x9f\u2028\u2029"
# After the first digit. Numbers of one kind: 1, 1.5 and 15e-1 have three types.
_NUMBERS = (
    r"(?<=[0-9])(?<![\w.$@:#\\].)(?:"
    r"(?P<double>[0-9]{0,40}(?:\.[0-9]{1,40})?[eE][+-]?[0-9]{1,4})"
    r"|(?P<decimal>[0-9]{0,40}\.[0-9]{1,40})"
    r"|(?P<integer>[0-9]{0,40})"
    r")(?![\w.$@])"
)


class Place(NamedTuple):
    """The place of a literal or comment in a text: from `start` to before `end`."""

    kind: str
    start: int
    end: int


class Framed(NamedTuple):
    """A text as its frame, and its literals and comments: the value and the place of each."""

    frame: str
    values: tuple[str, ...]
    places: tuple[Place, ...]


def framed(sql: str, dialect: str) -> Framed | None:
    """The frame and literals of a text; None for one that is not taken apart. `dialect` is one
    that sqlglot knows."""
    if len(sql) > MAX_CHARACTERS or _MARK in sql:
        return None
    values, places, pieces, end = [], [], [], 0
    for match in _pattern(dialect).finditer(sql):
        kind = match.lastgroup
        if kind is None:
            continue
        start, value = match.start(), match[0]
        pieces.append(sql[end:start])
        pieces.append(_MARKS[kind])
        end = match.end()
        quote = _QUOTES.get(kind)
        if quote is not None:
            value = value[1:-1]
            if quote in value:
                value = value.replace(2 * quote, quote)
        values.append(value)
        places.append(Place(kind, start, end))
    pieces.append(sql[end:])
    return Framed("".join(pieces), tuple(values), tuple(places))


_QUOTES = {"text": "'", "quoted": '"'}
_MARKS = {
    "text": "\0s",
    "quoted": "\0q",
    "integer": "\0i",
    "decimal": "\0d",
    "double": "\0e",
    "comment": "\0c",
}


@lru_cache(maxsize=64)
def _pattern(dialect: str) -> re.Pattern[str]:
    """Finds literals and comments by name, and without a name what may hold something that looks
    like one. What is looked for first is one character, as that is fast."""
    tokenizer = Dialect.get_or_raise(dialect).tokenizer_class
    escapes = frozenset(tokenizer.STRING_ESCAPES)
    kinds = [(kind, quote) for kind, quote in _QUOTES.items() if quote in tokenizer.QUOTES]
    names = [name for name in ('"', "`") if name in tokenizer.IDENTIFIERS]
    lines = [start for start in tokenizer.COMMENTS if isinstance(start, str)]
    if tokenizer.DASH_COMMENT_REQUIRES_BOUNDARY:
        lines.remove("--")
    found = (
        _comments(lines),
        *(rf"(?<={name})[^{name}]*{name}" for name in names),
        *(_text(kind, quote, escapes) for kind, quote in kinds),
        *(_opaque(quote, escapes) for _, quote in kinds),
        _NUMBERS,
    )
    return re.compile(rf"""[-/#'"`0-9](?:{"|".join(found)})""", re.DOTALL)


def _comments(lines: list[str]) -> str:
    """Comments to the end of the line, and in brackets, without others in them and no hints."""
    starts = "|".join(f"(?<={re.escape(line[0])}){re.escape(line[1:])}" for line in lines)
    in_brackets = r"(?<=/)\*(?!\+)(?:(?!/\*|\*/).)*\*/"
    return rf"(?P<comment>(?:{starts})[^\r\n]*|{in_brackets})"


def _text(kind: str, quote: str, escapes: frozenset[str]) -> str:
    backslash = r"\\" if "\\" in escapes else ""
    plain = f"[^{quote}{backslash}{_NO_CONTROLS}]{{0,1000}}"
    doubled = f"(?:{quote}{quote}{plain}){{0,20}}" if quote in escapes else ""
    # A letter before the quote makes the text one of another kind.
    before = rf"(?<={quote})(?<![\w&$@{quote}].)"
    return rf"{before}(?P<{kind}>{plain}{doubled}{quote})(?!{quote})"


def _opaque(quote: str, escapes: frozenset[str]) -> str:
    """Any other text; to the end of all where it does not end, so that it is not looked at again
    from the next quote on."""
    escaped, backslash = (r"|\\.", r"\\") if "\\" in escapes else ("", "")
    return rf"(?<={quote})(?:[^{quote}{backslash}]{escaped})*{quote}?"
