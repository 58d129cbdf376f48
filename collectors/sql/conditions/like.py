"""LIKE patterns, and how texts begin that match a regular expression."""

from __future__ import annotations

import re

from collectors.predicates.model import Reason
from collectors.sql.constants.values import CannotConvert
from collectors.sql.dialects import dialect_of

# What stands for itself at the start of an expression. Escapes are left out: of a backslash,
# dialects make different things before the expression is read.
_LITERAL_START = re.compile(r"\^([^\\^$.|?*+()\[\]{}]*)")
_REPEATED = ("?", "*", "+", "{")


def split_pattern(pattern: str, escape: str | None, dialect: str) -> tuple[str, str]:
    """The literal text before the first wildcard of a LIKE pattern, and the rest from there.

    `escape` is that of an ESCAPE clause, "" for none in effect. Without the clause Trino has no
    escape character and Spark has the backslash; elsewhere a backslash is not read. Raises
    CannotConvert (LIKE_PATTERN) for that, and for an escape of anything but a wildcard or
    itself, which is an error in the engines.
    """
    if escape is None:
        escape = dialect_of(dialect).like_escape
        if escape is None and "\\" in pattern:
            raise CannotConvert(Reason.LIKE_PATTERN)
    prefix = ""
    characters = iter(enumerate(pattern))
    for index, character in characters:
        if character == escape:
            _, escaped = next(characters, (index, ""))
            if escaped not in ("%", "_", escape):
                raise CannotConvert(Reason.LIKE_PATTERN)
            prefix += escaped
        elif character in "%_":
            return prefix, pattern[index:]
        else:
            prefix += character
    return prefix, ""


def expression_prefix(expression: str) -> str:
    """How all texts begin in which a regular expression is found; "" where it does not tell."""
    found = _LITERAL_START.match(expression)
    if found is None or "|" in expression:
        return ""
    prefix = found[1]
    return prefix[:-1] if expression[found.end() :].startswith(_REPEATED) else prefix
