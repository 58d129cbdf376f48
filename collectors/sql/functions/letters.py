"""The cases of letters, as Unicode has them in all versions: what has two cases keeps them."""

from __future__ import annotations

from collections.abc import Callable

_TO_ASCII = {"lower": "\u0130\u212a", "upper": "ßıŉſǰẖẗẘẙẚﬀﬁﬂﬃﬄﬅﬆ"}
"""Letters beyond ASCII that are made letters of ASCII: no others ever will be."""
_CASES: dict[str, Callable[[str], str]] = {"lower": str.lower, "upper": str.upper}


def other_cases(letter: str) -> set[str]:
    """A letter, its other case, and the letters beyond ASCII that are made one of these."""
    found = {each for each in (letter, letter.lower(), letter.upper()) if len(each) == 1}
    for case, letters in _TO_ASCII.items():
        found |= {each for each in letters if found & {*_CASES[case](each)}}
    return found
