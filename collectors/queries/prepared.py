"""Trino's EXECUTE statements, taken apart as text.

Grammar (Trino's SqlBase.g4, EXECUTE IMMEDIATE since Trino 418):

    EXECUTE name [USING expression, …]
    EXECUTE IMMEDIATE 'statement' [USING expression, …]
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from prunescope.collectors.errors import UnparseableSql

# Each text matches in one way alone, so that what does not match fails soon, and an unterminated
# string is not cut at an inner ''. Not by possessive quantifiers of groups: those of Python before
# 3.11.5 match wrongly (python/cpython#106052).
_STRING = r"'[^']*(?:''[^']*)*'(?!')"
_QUOTED_NAME = r'"[^"]*(?:""[^"]*)*"(?!")'
_GAP = r"(?:\s|--[^\r\n]*(?![^\r\n])|/\*[^*]*\*+(?:[^/*][^*]*\*+)*/)"

_IS_EXECUTE = re.compile(rf"{_GAP}*EXECUTE\b", re.IGNORECASE | re.DOTALL)
_EXECUTE = re.compile(
    rf"{_GAP}*EXECUTE\b{_GAP}*"
    rf"(?:IMMEDIATE{_GAP}*(?P<statement>{_STRING})|\w++|{_QUOTED_NAME})"
    rf"{_GAP}*(?P<using>USING\b)?",
    re.IGNORECASE | re.DOTALL,
)
_END = re.compile(rf"{_GAP}*(?:;{_GAP}*)?", re.DOTALL)
_TOKEN = re.compile(
    rf"(?P<gap>{_GAP}+)|(?P<quoted>{_STRING}|{_QUOTED_NAME})|(?P<unterminated>['\"]|/\*)"
    r"|(?P<word>\w++)|(?P<mark>.)",
    re.DOTALL,
)
_CLOSER = {"(": ")", "[": "]", "{": "}"}


@dataclass(frozen=True, slots=True)
class Execute:
    """`statement` is the text in EXECUTE IMMEDIATE, unquoted, and None where a prepared
    statement is named; `parameters` are the expressions after USING as SQL text, in order,
    without comments."""

    statement: str | None
    parameters: tuple[str, ...]


def parse_execute(sql: str) -> Execute | None:
    """The parts of an EXECUTE statement; None if `sql` is another kind of statement.

    Raises UnparseableSql for an EXECUTE that does not follow the grammar, such as a truncated
    one. Strings in Unicode notation (U&'…') after IMMEDIATE are not read.
    """
    if not _IS_EXECUTE.match(sql):
        return None
    found = _EXECUTE.match(sql)
    if found is None:
        raise _unparseable("it names no prepared statement and holds no statement text")
    quoted = found["statement"]
    statement = None if quoted is None else quoted[1:-1].replace("''", "'")
    if statement is not None and not statement.strip():
        raise _unparseable("the statement text is empty")
    if found["using"]:
        return Execute(statement, _split(sql, found.end()))
    if not _END.fullmatch(sql, found.end()):
        raise _unparseable("there is text other than USING after the statement")
    return Execute(statement, ())


def _split(sql: str, start: int) -> tuple[str, ...]:
    """The comma-separated expressions from `start` to the end of `sql`."""
    expressions: list[list[str]] = [[]]
    closers: list[str] = []
    for token in _TOKEN.finditer(sql, start):
        piece = token.group()
        if token.lastgroup == "unterminated":
            raise _unparseable("a string, name or comment in the USING list does not end")
        if token.lastgroup == "gap":
            piece = " "
        elif piece in _CLOSER:
            closers.append(_CLOSER[piece])
        elif closers and piece == closers[-1]:
            closers.pop()
        elif piece in _CLOSER.values():
            raise _unparseable("the brackets in the USING list do not match")
        elif not closers and piece == ",":
            expressions.append([])
            continue
        elif not closers and piece == ";" and _END.fullmatch(sql, token.start()):
            break
        elif piece == ";":
            raise _unparseable("there is a second statement, or a bracket does not close")
        expressions[-1].append(piece)
    if closers:
        raise _unparseable("a bracket in the USING list does not close")
    parameters = tuple("".join(pieces).strip() for pieces in expressions)
    if not all(parameters):
        raise _unparseable("an expression in the USING list is empty")
    return parameters


def _unparseable(problem: str) -> UnparseableSql:
    return UnparseableSql(
        f"the EXECUTE statement cannot be taken apart: {problem}; "
        "check that the log keeps the whole query text"
    )
