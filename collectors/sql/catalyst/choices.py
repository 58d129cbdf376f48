"""Choices between expressions as Spark's Catalyst prints them: CASE and `if`, whose parts stand
there without brackets of their own."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise

from prunescope.collectors.sql.catalyst.groups import outside

_KEYWORD = re.compile(r"(?:^CASE)? WHEN |^CASE WHEN | THEN | ELSE | END\Z")
_IF = "if ("
# What would be part of the last branch, or of what the whole choice is compared by.
_UNBRACKETED = (" IN ", " LIKE ", " INSET ", " else ")


@dataclass(frozen=True, slots=True)
class Choice:
    """Branches of condition and value, of which the first whose condition holds counts, and the
    value `otherwise`, None if there is none."""

    branches: tuple[tuple[str, str], ...]
    otherwise: str | None

    @property
    def values(self) -> tuple[str, ...]:
        """All that may be chosen."""
        last = () if self.otherwise is None else (self.otherwise,)
        return (*(value for _, value in self.branches), *last)


def choice(text: str) -> Choice | None:
    """The choice that a text is; None for other texts, and where keywords stand in it in another
    order than that of one choice. Raises OddBrackets."""
    return _if(text) if text.startswith(_IF) else _case(text)


def _case(text: str) -> Choice | None:
    found = list(_KEYWORD.finditer(outside(text)))
    words = [match[0].split()[-1] for match in found]
    if not found or found[0].start() != 0 or found[-1].end() != len(text):
        return None
    count = words.count("WHEN")
    has_else = words[-2:-1] == ["ELSE"]
    if words != [*(["WHEN", "THEN"] * count), *(["ELSE"] * has_else), "END"]:
        return None
    parts = [text[one.end() : other.start()] for one, other in pairwise(found)]
    branches = tuple(zip(parts[: 2 * count : 2], parts[1 : 2 * count : 2], strict=True))
    return Choice(branches, parts[-1] if has_else else None)


def _if(text: str) -> Choice | None:
    blanked = outside(text)
    end = blanked.find(" ", len(_IF) - 1)
    middle = blanked.find(" else ")
    if end < 0 or middle <= end or any(mark in blanked[middle + 1 :] for mark in _UNBRACKETED):
        return None
    condition = text[len(_IF) : end - 1]
    return Choice(((condition, text[end + 1 : middle]),), text[middle + len(" else ") :])
