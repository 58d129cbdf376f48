"""Rich's console, for text of others."""

from __future__ import annotations

from collections.abc import Iterable

from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment

from collectors.plain import plain_lines


class PlainConsole(Console):
    """A console whose own styles are the only control sequences that it prints."""

    def render(
        self, renderable: RenderableType, options: ConsoleOptions | None = None
    ) -> Iterable[Segment]:
        """The segments of what is printed, made plain but for those that rich itself means."""
        for segment in super().render(renderable, options):
            if segment.control:
                yield segment
            else:
                yield Segment(plain_lines(segment.text), segment.style)
