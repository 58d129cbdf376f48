"""Rounds of watching query logs, on a terminal and as JSON."""

from __future__ import annotations

import datetime as dt
from typing import Any

from rich.text import Text

from prunescope.audit_jobs.findings.entries import document
from prunescope.audit_jobs.jobs.watching import Round
from prunescope.audit_jobs.units import plural, size
from prunescope.audit_jobs.views.console import PlainConsole
from prunescope.audit_jobs.views.grouped_messages import alike
from prunescope.audit_jobs.views.remedy_text import print_by_table
from prunescope.audit_jobs.views.run_json import run_document
from prunescope.collectors.safe_text import plain


def print_round(found: Round) -> None:
    """Prints a line on a round, the tables that failed, and the findings that are new."""
    console = PlainConsole()
    console.print(_line(found), highlight=False)
    for name, message in alike(found.result.run.tables_failed.items()):
        console.print(Text(f"failed  {plain(name)}: {plain(message)}", style="yellow"))
    if found.new:
        console.print()
        print_by_table(console, found.new)


def round_document(found: Round) -> dict[str, Any]:
    """A round as JSON: its run, as `audit --json` has it, and the findings that are new."""
    return {**run_document(found.result), "new_findings": [document(one) for one in found.new]}


def _line(found: Round) -> str:
    """The time of a round, the queries in its window, what they keep, and what is new."""
    run, sums = found.result.run, found.result.sums
    queries = plural(sum(run.queries.values()), "query", "queries")
    kept = [scans.passes["bytes"] for scans in sums.tables.values()]
    read = size(sum(each.kept or 0 for each in kept))
    new = plural(len(found.new), "new finding")
    finished = run.finished_at.astimezone(dt.UTC)
    return f"{finished:%H:%M:%S} UTC  {queries}, {plural(run.tables, 'table')}, {read} read; {new}"
