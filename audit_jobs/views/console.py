"""Rich's console, for text of others, and bars drawn on it."""

from __future__ import annotations

import sys
from collections.abc import Iterable

from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment

from prunescope.collectors.safe_text import plain_lines

WIDE = 100
"""Columns from which on there is room for bars and reasons."""
_BAR = 16


class PlainConsole(Console):
    """A console whose own styles are the only control sequences that it prints."""

    def render(
        self, renderable: RenderableType, options: ConsoleOptions | None = None
    ) -> Iterable[Segment]:
        """The segments of a renderable, made plain but for those that rich itself means."""
        for segment in super().render(renderable, options):
            if segment.control:
                yield segment
            else:
                yield Segment(plain_lines(segment.text), segment.style)


def bar(share: float) -> str:
    """A share, drawn."""
    filled = round(share * _BAR)
    full, empty = "█░" if _prints("█░") else "#."
    return full * filled + empty * (_BAR - filled)


def _prints(text: str) -> bool:
    """True if standard output has these characters."""
    try:
        text.encode(getattr(sys.stdout, "encoding", None) or "ascii")
    except UnicodeEncodeError:
        return False
    return True
