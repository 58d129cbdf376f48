"""Draws the funnel of one of the demo's queries, before and after its fix: `make pictures`.

Usage: python -m tests.audit_jobs.demo.funnel_picture FILE.svg
"""

from __future__ import annotations

import json
import shlex
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any

from click.testing import CliRunner

from prunescope.audit_jobs.cli import main as prunescope
from prunescope.audit_jobs.demo.next_steps import next_steps
from prunescope.audit_jobs.demo.setup import prepare
from prunescope.audit_jobs.units import size

_PASSES = (("manifests", "manifests"), ("data_files", "data files"), ("row_groups", "row groups"))
_TITLES = ("as the query says it", "as the finding says it")
_WIDTH, _HEIGHT, _PANEL = 920, 370, 440
_TOP, _STEP, _BAR = 128, 46, 22
# Of a panel: where bars have their middle, and the width of one of all that there is.
_MIDDLE, _FULL = 190, 180
# On a ground of its own, so that it can be read on any page.
_STYLE = """
text { font: 14px system-ui, sans-serif; fill: #1f2933; }
.title { font-weight: 600; font-size: 15px; }
.sql { font: 12px ui-monospace, monospace; fill: #52606d; }
.ground { fill: #ffffff; stroke: #cbd2d9; }
.all { fill: #e4e7eb; }
.kept { fill: #0d9488; }
.between { fill: #0d9488; opacity: 0.25; }
"""


@dataclass(frozen=True, slots=True)
class Funnel:
    """What `explain` answers of a condition: of each pass, and of bytes, what is kept and all that
    the table has."""

    condition: str
    passes: Sequence[tuple[int, int]]
    size: tuple[int, int]

    @property
    def files(self) -> tuple[int, int]:
        """Data files."""
        return self.passes[1]


def funnels(config: Path) -> tuple[Funnel, Funnel]:
    """Of the demo's first query, and of what the finding tells to write instead."""
    commands = [step.command for step in next_steps(config)[:2]]
    wrapped, by_range = (_answer(command) for command in commands)
    # A plan that rules out manifests does not tell how much is in these; the other rules out none.
    totals = [wrapped[name]["total"] for name in (*dict(_PASSES), "bytes")]

    def funnel(command: str, answer: dict[str, Any]) -> Funnel:
        kept = [answer[name]["kept"] for name in (*dict(_PASSES), "bytes")]
        *passes, last = zip(kept, totals, strict=True)
        return Funnel(shlex.split(command)[-1], passes, last)

    return funnel(commands[0], wrapped), funnel(commands[1], by_range)


def _answer(command: str) -> dict[str, Any]:
    _, *arguments = shlex.split(command)
    result = CliRunner().invoke(prunescope, [*arguments, "--json"])
    assert result.exit_code == 0, result.output
    answer: dict[str, Any] = json.loads(result.stdout)
    return answer


def document(pair: Sequence[Funnel]) -> str:
    """The picture, as SVG."""
    shown = list(zip(_TITLES, pair, strict=True))
    told = [f"{title}: {funnel.files[0]} of {funnel.files[1]} files" for title, funnel in shown]
    box = f'viewBox="0 0 {_WIDTH} {_HEIGHT}" width="{_WIDTH}" height="{_HEIGHT}"'
    ground = f'width="{_WIDTH - 1}" height="{_HEIGHT - 1}" rx="8"'
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {box} role="img" aria-label="{"; ".join(told)}">',
        f"<style>{_STYLE}</style>",
        f'<rect class="ground" x="0.5" y="0.5" {ground}/>',
        '<text class="title" x="24" y="34">One day of orders, planned by Trino 482</text>',
    ]
    for place, (title, funnel) in enumerate(shown):
        lines.append(f'<g transform="translate({24 + place * _PANEL} 0)">')
        lines += [*_panel(title, funnel), "</g>"]
    return "\n".join([*lines, "</svg>", ""])


def _panel(title: str, funnel: Funnel) -> Iterator[str]:
    yield f'<text class="title" x="0" y="64">{title}</text>'
    for number, part in enumerate(funnel.condition.split(" AND ")):
        words = f"AND {part}" if number else part
        yield f'<text class="sql" x="0" y="{84 + 16 * number}">{escape(words)}</text>'
    rows = [("the table", 1.0, f"{funnel.files[1]} files, {size(funnel.size[1])}")]
    for (_, name), (kept, total) in zip(_PASSES, funnel.passes, strict=True):
        rows.append((name, kept / total, f"{kept} of {total}"))
    above = 0.0
    for number, (name, share, text) in enumerate(rows):
        top, width = _TOP + number * _STEP, max(2.0, round(_FULL * share, 1))
        yield _line(0, top, name)
        yield _bar("all", _FULL, top)
        if number:
            yield _between(above, width, top)
        yield _bar("kept", width, top)
        yield _line(_MIDDLE + _FULL // 2 + 12, top, text)
        above = width
    read = f"opens {funnel.files[0]} files, {size(funnel.size[0])}"
    yield f'<text class="title" x="0" y="{_TOP + 4 * _STEP + 28}">{read}</text>'


def _line(left: int, top: int, text: str) -> str:
    return f'<text x="{left}" y="{top + 16}">{text}</text>'


def _bar(kind: str, width: float, top: int) -> str:
    left = _MIDDLE - width / 2
    return f'<rect class="{kind}" x="{left:g}" y="{top}" width="{width:g}" height="{_BAR}"/>'


def _between(above: float, below: float, top: int) -> str:
    before = top - _STEP + _BAR
    corners = ((-above, before), (above, before), (below, top), (-below, top))
    points = " ".join(f"{_MIDDLE + x / 2:g},{y:g}" for x, y in corners)
    return f'<polygon class="between" points="{points}"/>'


def main(picture: Path) -> None:
    """Makes the demo's lake, and draws."""
    with tempfile.TemporaryDirectory() as made:
        picture.write_text(document(funnels(prepare(Path(made) / "demo"))), encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
