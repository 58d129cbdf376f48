"""CASE and IF between conditions as Catalyst prints them, without quoting:

CASE WHEN (c# <=> DE) THEN true WHEN c# IN (AT,FR) THEN false ELSE (n# > 5) END
if (isnull(c#)) false else (n# > 5)
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from collectors.sql.catalyst.functions import Expression
from collectors.sql.catalyst.groups import in_brackets, outside

STARTS = ("CASE WHEN ", "if (")
"""How the two begin."""

_WORD = re.compile(r" (?:(THEN|WHEN|ELSE) |END$)")
_MOST_WORDS = 24
_ELSE = " else "


def branched(text: str, condition: Callable[[str], str | None]) -> Iterator[Expression]:
    """Every way to take a text for CASE or IF between conditions, of which `condition` gives the
    SQL, or None where one is none. Raises OddBrackets."""
    for parts in _cases(text) if text.startswith(STARTS[0]) else _if(text):
        read = [condition(part) for part in parts[1::2]]
        if None not in read:
            between = zip(parts[::2], (*read, ""), strict=True)
            yield Expression(f"({''.join(f'{word}{part}' for word, part in between)})", "boolean")


# Words of SQL stand at even places, and the parts between them.
def _cases(text: str) -> Iterator[tuple[str, ...]]:
    words = list(_WORD.finditer(outside(text)))
    if len(words) > _MOST_WORDS:
        return
    waiting: list[tuple[int, int, tuple[str, ...]]] = [(0, len(STARTS[0]), (STARTS[0],))]
    while waiting:
        first, start, found = waiting.pop()
        for number, word in enumerate(words[first:], first + 1):
            if word.start() < start or not _follows(found[-1].strip(), word[0].strip()):
                continue
            parts = (*found, text[start : word.start()], word[0])
            if word[1] is None:
                yield parts
            else:
                waiting.append((number, word.end(), parts))


def _follows(word: str, other: str) -> bool:
    """Whether a word of CASE can be the next one after another, with one part between them."""
    match word.rsplit(maxsplit=1)[-1]:
        case "WHEN":
            return other == "THEN"
        case "THEN":
            return other != "THEN"
    return other == "END"


def _if(text: str) -> Iterator[tuple[str, ...]]:
    blank = outside(text)
    condition = re.search(r"(?<=^if )\S+", blank)
    if condition is None:
        return
    when, rest = text[condition.start() : condition.end()], condition.end() + 1
    inner = in_brackets(when)
    for other in re.finditer(_ELSE, blank[rest:]):
        value, default = text[rest : rest + other.start()], text[rest + other.end() :]
        if inner is not None:
            yield "IF(", inner, ", ", value, ", ", default, ")"
