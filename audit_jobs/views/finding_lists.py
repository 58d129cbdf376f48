"""Findings of a published run, and of SQL files, on a terminal."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import TYPE_CHECKING

from rich.console import Console
from rich.table import Table
from rich.text import Text

from prunescope.audit_jobs.findings.entries import Entry, FileOutcome
from prunescope.audit_jobs.records import REPLAYED
from prunescope.audit_jobs.report.summary import window_text
from prunescope.audit_jobs.units import plural
from prunescope.audit_jobs.views.console import PlainConsole
from prunescope.audit_jobs.views.finding_text import print_details, tally, too_small_text
from prunescope.audit_jobs.views.grouped_messages import alike
from prunescope.audit_jobs.views.place_text import excess_text
from prunescope.audit_jobs.views.remedy_text import print_by_table
from prunescope.collectors.safe_text import plain

if TYPE_CHECKING:
    from prunescope.audit_jobs.jobs.check import Check
    from prunescope.audit_jobs.sinks.published_findings import PublishedFindings


def print_published(
    published: PublishedFindings, found: Sequence[Entry], limit: int | None, *, details: bool
) -> None:
    """Prints the first `limit` findings of a run that were asked for, and their number."""
    console = PlainConsole()
    window = window_text(published.window_start, published.window_end)
    run = f"  run {published.run_id}" if details else ""
    console.print(f"{window}: {published.status}{run}\n", highlight=False)
    shown = found[:limit]
    _print_entries(console, shown, details=details)
    console.print(tally([entry.finding for entry in found]))
    if len(found) > len(shown):
        console.print(f"… {len(found) - len(shown):,} more")
    hidden = sum(e.finding.suppressed is not None for e in published.entries)
    if hidden and not any(e.finding.suppressed is not None for e in found):
        console.print(f"{hidden:,} suppressed. Use --suppressed to list them.")


def _print_entries(console: Console, found: Sequence[Entry], *, details: bool) -> None:
    if details:
        print_details(console, found)
    elif found:
        print_by_table(console, found)


def print_check(check: Check, *, details: bool) -> None:
    """Prints the findings of checking SQL files, and the files that were not judged."""
    console = PlainConsole()
    shown = [entry for entry in check.entries if entry.finding.suppressed is None]
    _print_entries(console, shown, details=details)
    console.print(tally([entry.finding for entry in shown]))
    if check.too_small:
        console.print(f"{too_small_text(check.too_small, check.too_small_bytes)}. Use --all.")
    suppressed = len(check.entries) - len(shown)
    if suppressed:
        console.print(f"{suppressed:,} suppressed")
    if known := sum(entry.is_known for entry in shown):
        console.print(f"{known:,} of them known in the baseline")
    for excess in check.excesses:
        known_too = " (known)" if excess.is_known else ""
        console.print(Text(plain(f"{excess.file} {excess_text(excess)}{known_too}"), style="red"))
    replayed = sum(file.outcome == REPLAYED for file in check.files)
    console.print(f"{plural(len(check.files), 'file')}: all statements of {replayed:,} replayed")
    others = Table.grid(padding=(0, 2))
    others.add_column(no_wrap=True)
    others.add_column(overflow="fold")
    for style, files in (("yellow", check.failed), ("dim", check.passed_over)):
        for outcome, group in groupby(files, key=lambda file: file.outcome):
            for path, message in alike((_named(file), file.message or "") for file in group):
                line = f"{path}: {message}" if message else path
                others.add_row(Text(outcome, style=style), Text(plain(line)))
    console.print(others)


def _named(file: FileOutcome) -> str:
    """A file, with the owner of the model that it is."""
    return file.path if file.owner is None else f"{file.path} ({file.owner})"
