"""Laws of pattern matches: LIKE and its relatives, and regular expressions."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from sqlglot import exp

from prunescope.collectors.sql.constants.patterns import is_known, regular_of_glob, regular_of_like
from prunescope.collectors.sql.constants.values import CannotConvert
from prunescope.collectors.sql.dialects import dialect_of
from prunescope.collectors.sql.functions.automata import Automaton, automaton_of
from prunescope.collectors.sql.functions.beginnings import beginning_of, texts_between
from prunescope.collectors.sql.functions.law import Asked
from prunescope.collectors.sql.functions.spans import Span, is_digit, point, texts_of, union

_PARTS = {exp.StartsWith: "{}.*", exp.EndsWith: ".*{}", exp.Contains: ".*{}.*"}
_MOST_BEGINNINGS = 16
"""The most texts with which those that match a pattern begin."""
_MOST_PLACES = 60
"""The most places of texts that patterns are compared with: any text may follow them."""


def matched(asked: Asked, span: Span) -> Span | None:
    """The law of pattern matches, by an automaton that reads the span's texts."""
    if "automaton" not in asked.notes:
        asked.notes["automaton"] = _automaton(asked)
    found = asked.notes["automaton"]
    if found is None or texts_of(span) is None or asked.names[0] != "this":
        return None
    read = [
        found.reads(places, shortest, is_open=is_open)
        for places, shortest, is_open in map(_places, span.among or (span,))
    ]
    may = any(each for each, _ in read)
    return Span(may and all(each for _, each in read), may, null=span.null)


def _places(span: Span) -> tuple[list[tuple[str, str]], int, bool]:
    """The characters that are possible at the first places of texts, the least number of places,
    and whether there may be more."""
    begun = beginning_of(span)
    assert begun is not None
    places = [(each, each) for each in begun.text]
    if span.each is not None:
        pairs = [*zip(*span.each, strict=True)]
        return places + pairs[len(places) :], len(pairs), False
    low = str(span.low)[: span.even]
    if begun.most:
        places.append((begun.least, begun.most))
    shortest = max(len(begun.text) + (not begun.is_whole and bool(begun.most)), span.even)
    places += [("0", "9") if is_digit(each) else (each, each) for each in low[len(places) :]]
    return places[:_MOST_PLACES], min(shortest, _MOST_PLACES), bool(begun.most)


def _automaton(asked: Asked) -> Automaton | None:
    """The automaton of a call's pattern; None if the pattern is unknown."""
    expression = asked.expression
    pattern = asked.constant("expression")
    if not isinstance(pattern, str) or expression.args.get("flag"):
        return None
    kind = type(expression)
    try:
        if kind in (exp.Like, exp.ILike):
            escape = dialect_of(asked.session.dialect).like_escape
            return _made(regular_of_like(pattern, escape), True, True, kind is exp.ILike)
        if kind in _PARTS:
            return _made(_PARTS[kind].format(re.escape(pattern)), True, True, False)
        if kind is exp.Glob:
            return _made(regular_of_glob(pattern), True, True, False)
    except CannotConvert:
        return None
    is_whole = bool(expression.args.get("full_match")) or kind in (
        exp.RegexpFullMatch,
        exp.SimilarTo,
    )
    return _made(pattern, is_whole, False, False) if is_known(pattern) else None


@lru_cache(maxsize=200)
def beginnings(pattern: str) -> Sequence[str]:
    """Texts with which those begin that match a regular expression; none if it is unknown."""
    if not is_known(pattern):
        return ()
    return _made(pattern, False, False, False).beginnings(_MOST_BEGINNINGS)


@lru_cache(maxsize=200)
def _made(pattern: str, is_whole: bool, any_line: bool, any_case: bool) -> Automaton:
    return automaton_of(pattern, is_whole=is_whole, any_line=any_line, any_case=any_case)


def extracted(asked: Asked, span: Span) -> Span | None:
    """The law of regexp_extract() with a pattern that begins at the start: a prefix of the text, or
    nothing."""
    pattern, begun = asked.constant("expression"), beginning_of(span)
    if not isinstance(pattern, str) or begun is None or not is_known(pattern):
        return None
    is_first = asked.constant("group") == 0 or (
        asked.constant("group") == 1 and pattern.startswith("^(") and pattern[2:4] != "?:"
    )
    if not is_first or not pattern.startswith("^") or asked.names[0] != "this":
        return None
    pieces = [point(begun.text[:size]) for size in range(len(begun.text) + 1)]
    if begun.most:
        pieces.append(texts_between(begun.text + begun.least, str(span.high), span))
    found = union(pieces)
    return (
        None if found is None else found.or_null(dialect_of(asked.session.dialect).absent_is_null)
    )
