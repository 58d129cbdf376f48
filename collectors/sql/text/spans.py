"""Places of conditions in the text that they were read from."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from typing import Any, NamedTuple

from sqlglot import exp
from sqlglot.tokenizer_core import Token, TokenType

_SPAN = "span"
_STEPS = {TokenType.L_PAREN: 1, TokenType.R_PAREN: -1}


class Span(NamedTuple):
    """A part of a text: the index of its first character, and that after its last."""

    start: int
    end: int

    def of(self, text: str) -> str:
        """The part of a text that the span is."""
        return text[self.start : self.end]


@cache
def recording(parser: Any) -> Any:
    """A parser that keeps the spans of all operands of AND, OR and NOT in their meta data, where
    they stay when a tree is copied."""

    class Recording(parser):  # type: ignore[misc]
        def _parse_equality(self, *args: Any, **options: Any) -> Any:
            first = self._curr
            found = super()._parse_equality(*args, **options)
            if isinstance(found, exp.Expr) and first is not None and self._prev is not None:
                found.meta.setdefault(_SPAN, Span(first.start, self._prev.end + 1))
            return found

    return Recording


def span_of(node: exp.Expr) -> Span | None:
    """The span of an operand of AND, OR or NOT in the text of its statement; None where it was not
    kept, as of what stands in for something else."""
    found: Span | None = node.meta.get(_SPAN)
    return found


def covered(node: exp.Expr) -> Span | None:
    """The span from the first to the last name or constant in an expression; None where the places
    of none are known."""
    return united(
        Span(each.meta["start"], each.meta["end"] + 1)
        for each in node.walk()
        if "start" in each.meta
    )


def united(spans: Iterable[Span]) -> Span | None:
    """The smallest span that holds all of some; None for none."""
    found = [*spans]
    if not found:
        return None
    return Span(min(each.start for each in found), max(each.end for each in found))


def balanced(span: Span, tokens: Sequence[Token]) -> Span:
    """The smallest span of whole brackets that holds a span of a statement with these tokens."""
    inside = [place for place, token in enumerate(tokens) if _is_in(token, span)]
    if not inside:
        return span
    first, last = inside[0], inside[-1]
    missing, depth = 0, 0
    for token in tokens[first : last + 1]:
        depth += _STEPS.get(token.token_type, 0)
        missing = min(missing, depth)
    open_ = depth - missing
    while missing and first:
        first -= 1
        missing += _STEPS.get(tokens[first].token_type, 0)
    while open_ and last + 1 < len(tokens):
        last += 1
        open_ += _STEPS.get(tokens[last].token_type, 0)
    return Span(tokens[first].start, tokens[last].end + 1)


def _is_in(token: Token, span: Span) -> bool:
    return span.start <= token.start and token.end < span.end
