"""Places in templates, of what stands in the SQL that was made of them."""

from __future__ import annotations

import re

from prunescope.collectors.sql.text.spans import Span

_TEMPLATE = re.compile(r"\{\{.*?\}\}|\{%.*?%\}|\{#.*?#\}", re.DOTALL)


def in_original(span: Span, made: str, original: str) -> Span | None:
    """The span of the same words in the original of a text, outside of its templates; None where
    they are not there, or in one of the texts more than once."""
    words = span.of(made)
    start = original.find(words)
    if start < 0 or made.count(words) != 1 or original.count(words) != 1:
        return None
    found = Span(start, start + len(words))
    is_made = any(
        mark.start() < found.end and found.start < mark.end()
        for mark in _TEMPLATE.finditer(original)
    )
    return None if is_made else found
