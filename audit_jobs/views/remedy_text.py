"""Steps for tables on a terminal, in the order of doing, then what is left."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from prunescope.audit_jobs.findings.catalogue import title_of
from prunescope.audit_jobs.findings.entries import Entry
from prunescope.audit_jobs.findings.remedy import Remedy, Step, remedy_of
from prunescope.audit_jobs.views.finding_text import listed, severity_text, worth
from prunescope.audit_jobs.views.place_text import at, to_write
from prunescope.collectors.safe_text import plain

_STEP, _TEXT = 2, 5
"""Columns by which steps are indented, and what is told of them."""
_PLACES = 5
"""Places in files that are told of a finding."""


def print_by_table(console: Console, entries: Sequence[Entry]) -> None:
    """Findings by table, these in the order of their first finding."""
    by_table: dict[str, list[Entry]] = {}
    for entry in entries:
        by_table.setdefault(str(entry.finding.table), []).append(entry)
    for table, own in by_table.items():
        console.print(Text(plain(table), style="bold"))
        print_remedy(console, remedy_of(own))
        for entry in own:
            if entry.finding.suppressed is not None:
                told = f"Suppressed: {_titled(entry)}. {entry.finding.suppressed}"
                _print(console, told, _STEP, style="dim")
        console.print()


def print_remedy(console: Console, remedy: Remedy) -> None:
    """The steps of a table, and the findings that ask for none."""
    for number, step in enumerate(remedy.steps, start=1):
        console.print(_heading(number, step))
        for entry in step.entries:
            _print_block(console, list(_labelled(entry)))
    if remedy.left:
        _print(console, "No fix to apply:", _STEP, style="dim")
    for entry in remedy.left:
        _print(console, f"{_titled(entry)}. {entry.finding.sentence}", _TEXT, style="dim")


def _heading(number: int, step: Step) -> Table:
    finding = step.finding
    line = Table.grid(expand=True, padding=(0, 1))
    line.add_column(width=_TEXT - 1, justify="right", no_wrap=True)
    line.add_column(ratio=1, overflow="fold")
    line.add_column(justify="right", no_wrap=True)
    what = Text.assemble(
        severity_text(finding), "  ", (plain(finding.fix.step or title_of(finding.cause)), "bold")
    )
    line.add_row(str(number), what, worth(step.bytes_at_stake, step.bytes_read))
    return line


def _labelled(entry: Entry) -> Iterator[tuple[str, str]]:
    """Labels and lines of a step: the condition, its replacement, the cause, the advice, and where
    it is in files, with what to write there in their own words if all of that is known."""
    finding, fix = entry.finding, entry.finding.fix
    places = entry.places if entry.files else ()
    is_own = bool(places) and all(to_write(place) for place in places)
    if finding.conjunct is not None:
        yield "now", finding.conjunct
    if fix.rewrite and not is_own:
        yield "write", fix.rewrite
    yield "why", f"{title_of(finding.cause)} ({finding.cause}): {finding.sentence}"
    if fix.advice and not is_own:
        yield "how", fix.advice
    for place in places[:_PLACES]:
        own = to_write(place)
        yield "at", f"{at(place)}{' (known)' if place.is_known else ''}"
        if own is not None:
            yield "", own
    if len(places) > _PLACES:
        yield "", f"and {len(places) - _PLACES:,} more"
    if entry.files and not places:
        yield "files", listed(entry.files)


def _print_block(console: Console, lines: Sequence[tuple[str, str]]) -> None:
    block = Table.grid(padding=(0, 2, 0, 0))
    block.add_column(style="dim", no_wrap=True)
    block.add_column(overflow="fold")
    for label, line in lines:
        block.add_row(label, Text(plain(line)))
    console.print(Padding(block, (0, 0, 0, _TEXT), expand=False))


def _titled(entry: Entry) -> str:
    finding = entry.finding
    about = finding.conjunct or ", ".join(finding.columns)
    named = f"{title_of(finding.cause)} ({finding.cause})"
    return f"{named}, {about}" if about else named


def _print(console: Console, line: str, indent: int, style: str = "") -> None:
    console.print(Padding(Text(plain(line), style=style), (0, 0, 0, indent), expand=False))
