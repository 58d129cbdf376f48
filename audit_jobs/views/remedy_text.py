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
from prunescope.audit_jobs.units import size
from prunescope.audit_jobs.views.finding_text import listed, severity_text
from prunescope.collectors.plain import plain

_STEP, _TEXT = 2, 5
"""Columns by which steps are indented, and what is told of them."""


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
    """The steps of a table, and what is left."""
    for number, step in enumerate(remedy.steps, start=1):
        console.print(_heading(number, step))
        for entry in step.entries:
            for line in _told(entry):
                _print(console, line, _TEXT)
            if entry.files:
                _print(console, listed(entry.files), _TEXT, style="dim")
    for entry in remedy.left:
        finding = entry.finding
        told = finding.sentence
        if finding.fix.advice and finding.fix.advice != told:
            told = f"{told} {finding.fix.advice}"
        _print(console, f"Left: {_titled(entry)}. {told}", _STEP, style="dim")


def _heading(number: int, step: Step) -> Table:
    finding = step.finding
    line = Table.grid(expand=True, padding=(0, 1))
    line.add_column(width=_TEXT - 1, justify="right", no_wrap=True)
    line.add_column(ratio=1, overflow="fold")
    line.add_column(justify="right", no_wrap=True)
    what = Text.assemble(
        severity_text(finding), "  ", (plain(finding.fix.step or title_of(finding.cause)), "bold")
    )
    read = size(step.bytes_read)
    stake = step.bytes_at_stake
    worth = f"read {read}" if stake is None else f"could skip {size(stake)} of {read}"
    line.add_row(str(number), what, worth)
    return line


def _told(entry: Entry) -> Iterator[str]:
    finding, fix = entry.finding, entry.finding.fix
    if finding.conjunct is not None:
        yield f"now    {finding.conjunct}"
    if fix.rewrite:
        yield f"write  {fix.rewrite}"
    yield f"{title_of(finding.cause)} ({finding.cause}): {finding.sentence}"
    if fix.advice:
        yield fix.advice


def _titled(entry: Entry) -> str:
    finding = entry.finding
    about = finding.conjunct or ", ".join(finding.columns)
    named = f"{title_of(finding.cause)} ({finding.cause})"
    return f"{named}, {about}" if about else named


def _print(console: Console, line: str, indent: int, style: str = "") -> None:
    console.print(Padding(Text(plain(line), style=style), (0, 0, 0, indent), expand=False))
