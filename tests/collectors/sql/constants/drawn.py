"""Random constant expressions of a dialect, by a grammar: `{day}` is any expression of that kind,
`{day|time}` one of either, `[a|b]` one of these words."""

from __future__ import annotations

import random
import re
from collections.abc import Mapping, Sequence

Grammar = Mapping[str, Sequence[str]]
"""Forms by the kind of value that they have."""

_HOLE = re.compile(r"\{([a-z_|0-9]+)\}|\[([^\[\]]*\|[^\[\]]*)\]")
LEAF = "leaf "
"""What the kind of literals begins with: `leaf day` has those of `day`."""


def drawn(grammar: Grammar, seed: int, count: int, deepest: int = 3) -> list[str]:
    """So many different expressions that begin with each form in turn, at most so deep."""
    source = random.Random(seed)  # noqa: S311  # nothing secret
    tops = [form for kind in grammar if not kind.startswith(LEAF) for form in grammar[kind]]
    found: dict[str, None] = {}
    for turn in range(20 * count):
        if len(found) == count:
            break
        depth = source.randint(0, deepest - 1)
        found[_filled(tops[turn % len(tops)], grammar, source, depth)] = None
    return list(found)


def composed(
    grammar: Grammar, kind: str, subject: str, functions: int, source: random.Random
) -> tuple[str, str]:
    """So many functions, one around the other, of a subject of a kind, with literals in their other
    places: the kind of the outermost, and the expression. Fewer where none takes what is there."""
    for _ in range(functions):
        places = {
            own: found
            for own in grammar
            if not own.startswith(LEAF)
            and (found := [place for form in grammar[own] for place in _places(form, kind)])
        }
        if not places:
            break
        own = source.choice(list(places))
        before, after = source.choice(places[own])
        before, after = (_filled(text, grammar, source, 0) for text in (before, after))
        kind, subject = own, before + subject + after
    return kind, subject


def _places(form: str, kind: str) -> list[tuple[str, str]]:
    """The form before and behind each hole that takes a kind."""
    return [
        (form[: hole.start()], form[hole.end() :])
        for hole in _HOLE.finditer(form)
        if hole[1] is not None and kind in hole[1].split("|")
    ]


def _filled(form: str, grammar: Grammar, source: random.Random, depth: int) -> str:
    def one(hole: re.Match[str]) -> str:
        if hole[2] is not None:
            return source.choice(str(hole[2]).split("|"))
        kind = source.choice(str(hole[1]).split("|"))
        leaves, forms = grammar.get(LEAF + kind, ()), grammar.get(kind, ())
        # Few levels are as many as there may be: literals are where engines differ.
        is_leaf = not forms or (leaves and (depth == 0 or source.random() < 0.3))
        if is_leaf:
            return source.choice(leaves)
        return _filled(source.choice(forms), grammar, source, max(0, depth - 1))

    return _HOLE.sub(one, form)
