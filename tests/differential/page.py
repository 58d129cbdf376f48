"""docs/engines.md, in which the parts between marks are what was measured."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

_PAGE = Path(__file__).parents[2] / "docs" / "engines.md"
IS_WRITTEN = bool(os.environ.get("PRUNESCOPE_WRITE_ENGINES"))
"""Whether the page is to be written anew."""
_UNKNOWN = "?"


def check(name: str, measured: str) -> None:
    """That the page has what was measured between the marks of a name; where the environment asks
    for it, it is written there."""
    before, found, after = _cut(name)
    if IS_WRITTEN:
        _PAGE.write_text(f"{before}{measured}{after}")
    else:
        assert found == measured, "write the page anew with `make engines`"


def check_column(
    name: str, columns: Sequence[str], column: str, measured: Mapping[str, str]
) -> None:
    """The same of one of the `columns` of a table of conditions: a cell for each condition. What
    the page has in the others stays."""
    heads, *lines = _rows(_cut(name)[1]) or [[]]
    cells = {
        (condition, head): cell
        for condition, *others in lines
        for head, cell in zip(heads[1:], others, strict=True)
    }
    cells |= {(f"`{condition}`", column): cell for condition, cell in measured.items()}
    made = (
        (shown, *(cells.get((shown, head), _UNKNOWN) for head in columns))
        for shown in (f"`{condition}`" for condition in measured)
    )
    check(name, "\n".join(("", *table(("condition", *columns), made), "")))


def table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    """The lines of a table in Markdown, and an empty one."""
    yield f"| {' | '.join(heads)} |"
    yield f"|{'---|' * len(heads)}"
    for row in rows:
        yield f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in row)} |"
    yield ""


def _rows(text: str) -> list[list[str]]:
    """The cells of the one table in a text, row by row, its heads first."""
    return [line[2:-2].split(" | ") for line in text.splitlines() if line.startswith("| ")]


def _cut(name: str) -> tuple[str, str, str]:
    begin, end = f"<!-- begin: make engines, {name} -->\n", f"<!-- end: make engines, {name} -->"
    before, _, rest = _PAGE.read_text().partition(begin)
    found, _, after = rest.partition(end)
    assert after, f"no {begin.strip()} … {end} in the page"
    return before + begin, found, end + after
