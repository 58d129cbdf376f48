"""LIKE patterns, and prefixes of the texts that match a regular expression."""

from __future__ import annotations

import re

from prunescope.collectors.predicates.model import Reason
from prunescope.collectors.sql.constants.values import CannotConvert
from prunescope.collectors.sql.dialects import dialect_of

# What stands for itself in an expression, for one of several characters, or for one of several
# texts. Escapes are left out: of a backslash, dialects make different things before the expression
# is read.
_LETTER = r"[^\\^$.|?*+()\[\]{}]"
_NEXT = re.compile(
    rf"(?P<letter>{_LETTER})|\[(?P<class>[A-Za-z0-9_]+)\]|\((?:\?:)?(?P<group>(?:{_LETTER}|\|)*)\)"
)
_PIECE = re.compile(r"\[[^\]]*\]|.", re.DOTALL)
_ODD_CLASS = re.compile(r"\[\^?\]|\[[^\]]*\[|\[[^\]]*$")
_MAX_PREFIXES = 16
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


def expression_prefixes(expression: str) -> tuple[str, ...]:
    """The prefixes, one of which each text has in which a regular expression is found; empty if
    they are unknown."""
    found: list[str] = []
    for alternative in _alternatives(expression):
        prefixes = _prefixes(alternative)
        if "" in prefixes:
            return ()
        found += prefixes
    return tuple(dict.fromkeys(found)) if len(found) <= _MAX_PREFIXES else ()


def _alternatives(expression: str) -> list[str]:
    """The alternatives of an expression, one of which must be found; a single "" if an escape or a
    class may hide their separators."""
    if "|" not in expression:
        return [expression]
    if "\\" in expression or _ODD_CLASS.search(expression):
        return [""]
    found, depth = [""], 0
    for piece in _PIECE.findall(expression):
        depth += {"(": 1, ")": -1}.get(piece, 0)
        if piece == "|" and depth == 0:
            found.append("")
        else:
            found[-1] += piece
    return found


def _prefixes(alternative: str) -> list[str]:
    """The prefixes of texts that match an expression without alternatives outside of brackets."""
    if not alternative.startswith("^"):
        return [""]
    found, rest = [""], alternative[1:]
    while (next_one := _NEXT.match(rest)) is not None:
        after = rest[next_one.end() :]
        made = [prefix + way for prefix in found for way in _ways(next_one)]
        if after.startswith(_REPEATED) or len(made) > _MAX_PREFIXES:
            break
        found, rest = made, after
    return found


def _ways(piece: re.Match[str]) -> list[str]:
    """The texts that a character, a class of single characters or a group of texts stands for."""
    if piece["group"] is not None:
        return piece["group"].split("|")
    return list(piece["class"] or piece["letter"])
