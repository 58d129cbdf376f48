"""The cases of letters, as Unicode has them in all versions: what has two cases keeps them."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from collectors.sql.functions.spans import LAST

_AFTER_ASCII = "\x80"
_TO_ASCII = {"lower": "\u0130\u212a", "upper": "ßıŉſǰẖẗẘẙẚﬀﬁﬂﬃﬄﬅﬆ"}
"""Letters beyond ASCII that are made letters of ASCII: no others ever will be."""
_CASES: dict[str, Callable[[str], str]] = {"lower": str.lower, "upper": str.upper}


@lru_cache(maxsize=1_000)
def first_letters(case: str, least: str, most: str) -> tuple[tuple[str, str], ...]:
    """What texts in a case begin with at least and at most, for those that begin with one of some
    characters, kind by kind. Beyond ASCII, it is any character that is beyond: versions of Unicode
    have other pairs, and some functions change letters of ASCII alone, or none to several."""
    change = _CASES[case]
    plain = range(ord(least), min(ord(most), ord(_AFTER_ASCII) - 1) + 1)
    letters = {change(chr(code)) for code in plain}
    found = [(min(letters), max(letters))] if letters else []
    if most >= _AFTER_ASCII:
        made = {
            change(each)[0] if case == "lower" else change(each)  # that of U+0130 may be one or two
            for each in _TO_ASCII[case]
            if least <= each <= most
        }
        found += [*((each, each) for each in sorted(made)), (_AFTER_ASCII, LAST)]
    return tuple(found)


def other_cases(letter: str) -> set[str]:
    """A letter, its other case, and the letters beyond ASCII that are made one of these."""
    found = {each for each in (letter, letter.lower(), letter.upper()) if len(each) == 1}
    for case, letters in _TO_ASCII.items():
        found |= {each for each in letters if found & {*_CASES[case](each)}}
    return found
