"""Cases of letters that hold in all versions of Unicode: a letter that has two cases keeps them."""

from __future__ import annotations

from collections.abc import Callable

_TO_ASCII = {"lower": "\u0130\u212a", "upper": "ßıŉſǰẖẗẘẙẚﬀﬁﬂﬃﬄﬅﬆ"}
"""Non-ASCII letters that become ASCII letters: no others ever will."""
_CASES: dict[str, Callable[[str], str]] = {"lower": str.lower, "upper": str.upper}


def other_cases(letter: str) -> set[str]:
    """A letter, its other case, and the non-ASCII letters that become one of these."""
    found = {each for each in (letter, letter.lower(), letter.upper()) if len(each) == 1}
    for case, letters in _TO_ASCII.items():
        found |= {each for each in letters if found & {*_CASES[case](each)}}
    return found
