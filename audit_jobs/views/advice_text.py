"""Advice on a terminal: what to do about each table, what that is worth, and what is left."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console
from rich.text import Text

from prunescope.audit_jobs.jobs.advise import Advised, TableAdvice
from prunescope.audit_jobs.units import plural, size
from prunescope.audit_jobs.views.beyond_text import print_beyond
from prunescope.audit_jobs.views.console import PlainConsole
from prunescope.audit_jobs.views.diet_text import print_diet
from prunescope.audit_jobs.views.finding_text import print_details
from prunescope.audit_jobs.views.indexes_text import print_indexes
from prunescope.audit_jobs.views.remedy_text import print_remedy
from prunescope.collectors.safe_text import plain


def print_advice(found: Advised, asked: Sequence[str], *, details: bool, literals: bool) -> None:
    """The advice for all tables: those with most at stake first, and those without any last; with
    `details`, the statements and the evidence. Values of rows are told with `literals` only."""
    console = PlainConsole()
    for one in found.tables:
        _print_table(console, one, details=details)
        if details:
            print_indexes(console, one.indexes)
            print_diet(console, one.table, one.diet)
            print_beyond(console, one.table, one.beyond, literals=literals)
        console.print()
    for name, why in found.failed.items():
        line = f"{name}: {why.code}: {why.message or ''}"
        console.print(Text(plain(line), style="yellow"))
    if not found.tables and not found.failed:
        which = " or ".join(asked) or "a table"
        line = f"No query in the window reads {which}. Check the name, or use a longer window."
        console.print(Text(plain(line)))
    if found.left_out:
        told = ", ".join(f"{count:,} {reason}" for reason, count in sorted(found.left_out.items()))
        console.print(f"Skipped log entries: {told}", highlight=False)
    if found.tables and not details:
        console.print("--details: SQL for Spark and Trino, evidence, column statistics, joins")


def _print_table(console: Console, one: TableAdvice, *, details: bool) -> None:
    console.print(Text(plain(str(one.table)), style="bold"))
    console.print(Text(f"  {_read(one)}"))
    if not one.remedy.steps:
        console.print(Text("  Keep the current layout: no change is worth its cost."))
    if details:
        print_details(console, (*one.remedy.entries, *one.remedy.left))
        return
    print_remedy(console, one.remedy)


def _read(one: TableAdvice) -> str:
    kept = one.sums.passes["bytes"].kept
    health = one.health
    whole = "" if health is None else f"{size(health.bytes)} in {plural(health.data_files, 'file')}"
    stake = one.remedy.bytes_at_stake
    share = f" ({min(1.0, stake / kept):.0%})" if kept else ""
    scans = plural(one.sums.scans, "scan")
    told = [whole, f"{scans} read {size(kept)}"]
    if one.remedy.steps:
        told.append(f"could skip {size(stake)}{share}")
    return "; ".join(filter(None, told))
