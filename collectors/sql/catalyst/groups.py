"""Boundaries of the parts of an expression that Spark's Catalyst prints.

Every operator but NOT stands with its operands in brackets of its own, and functions put their
arguments into brackets. Texts are printed without quoting, so that a bracket can be one of a
text: what has an odd one is refused, and so is, as a group, what has not exactly one reading.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

_BRACKETS = re.compile(r"[()]")
_INSIDE = "\x01"
"""Blanks text in brackets. Spark prints it of texts alone."""
_OPERATOR = re.compile(r"(?= (AND|OR|<=>|<=|>=|=|<|>|\+|-|\*|/|%|div|&|\||\^|<<|>>>?) )")


class OddBrackets(ValueError):
    """A bracket is not closed, or closes none."""


def outside(text: str) -> str:
    """The text with all that stands in brackets blanked, these included: of the same length.
    Raises OddBrackets."""
    parts, depth, kept = [], 0, 0
    for found in _BRACKETS.finditer(text):
        if found[0] == "(":
            if depth == 0:
                parts.append(text[kept : found.start()])
                kept = found.start()
            depth += 1
            continue
        depth -= 1
        if depth < 0:
            raise OddBrackets
        if depth == 0:
            parts.append(_INSIDE * (found.end() - kept))
            kept = found.end()
    if depth:
        raise OddBrackets
    return "".join((*parts, text[kept:]))


def in_brackets(text: str) -> str | None:
    """The text in the one pair of brackets that a text is; None for other texts. Raises
    OddBrackets."""
    if not text.startswith("("):
        return None
    depth = 0
    for found in _BRACKETS.finditer(text):
        depth += 1 if found[0] == "(" else -1
        if depth == 0:
            return text[1:-1] if found.end() == len(text) else None
    raise OddBrackets


def operators(text: str) -> Iterator[tuple[str, str, str]]:
    """Every way to take a text for an operator between two operands: left, operator, right."""
    for found in _OPERATOR.finditer(outside(text)):
        operator = found[1]
        yield text[: found.start()], operator, text[found.start() + len(operator) + 2 :]


def arguments(text: str) -> list[str]:
    """The parts of a text between the commas outside of brackets; none for an empty text."""
    if not text:
        return []
    parts, start = [], 0
    for found in re.finditer(", ", outside(text)):
        parts.append(text[start : found.start()])
        start = found.end()
    return [*parts, text[start:]]
