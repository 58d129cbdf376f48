"""Lines and columns of a text, as editors and SARIF count them."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Mapping
from dataclasses import dataclass

from prunescope.collectors.sql.text.spans import Span


@dataclass(frozen=True, slots=True, order=True)
class Region:
    """A part of a text: its first line and column, and the line of its last character with the
    column after that. All count from 1; columns are in UTF-16 code units (SARIF 2.1.0, §3.30)."""

    line: int
    column: int
    end_line: int
    end_column: int


def normal(text: str) -> str:
    """A text with \\n for each kind of line end, as files are read for their SQL."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


def region_of(text: str, span: Span) -> Region:
    """The region of a span of a normal text."""
    return Region(*_place(text, span.start), *_place(text, span.end))


def _place(text: str, index: int) -> tuple[int, int]:
    start = text.rfind("\n", 0, index) + 1
    units = len(text[start:index].encode("utf-16-le", "surrogatepass")) // 2
    return text.count("\n", 0, index) + 1, units + 1


def replaced(text: str, edits: Mapping[Span, str]) -> str:
    """A text with other words in the place of some spans of its normal form, which do not overlap.
    Its line ends stay as they are, each of its kind."""
    pairs = [found.start() for found in re.finditer("\r\n", text)]
    # Their line ends in the normal text, in which each pair before is one shorter.
    ends = [place - number for number, place in enumerate(pairs)]

    def own(index: int) -> int:
        return index + bisect_left(ends, index)

    pieces, end = [], 0
    for span, words in sorted(edits.items()):
        pieces += [text[end : own(span.start)], words]
        end = own(span.end)
    return "".join([*pieces, text[end:]])
