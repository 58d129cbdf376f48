"""Bytes that could be skipped beyond filters, on a terminal."""

from __future__ import annotations

from rich.console import Console
from rich.text import Text

from prunescope.audit_jobs.advice.beyond_filters import Beyond, JoinSkip, RowsSkip
from prunescope.audit_jobs.advice.beyond_filters_document import (
    ENGINES,
    join_hints,
    join_text,
    rows_text,
)
from prunescope.audit_jobs.isolation import Failed
from prunescope.audit_jobs.units import plural, size
from prunescope.collectors.observed import TableName
from prunescope.collectors.safe_text import plain

_SHOWN = 5


def print_beyond(
    console: Console, name: TableName, beyond: Beyond | Failed, *, literals: bool
) -> None:
    """Prints in some lines the bytes of a table that could be skipped; nothing if there are
    none."""
    if isinstance(beyond, Failed):
        line = f"  Joins and LIMIT: {beyond.code}: {beyond.message or ''}"
        console.print(Text(plain(line), style="yellow"))
        return
    if beyond.joins:
        console.print("  Joins that could skip more, from the bounds of the other table:")
    for join in beyond.joins[:_SHOWN]:
        _print_join(console, name, join, literals=literals)
    for filter_ in beyond.filters[:_SHOWN]:
        _print(
            console,
            f"  Dynamic filters on {', '.join(filter_.columns)}: skipped {filter_.skipped:.0%} of "
            f"the "
            f"rows; {filter_.could_skip:.0%} possible "
            f"({plural(filter_.runs, 'run')}).",
        )
    if beyond.rows:
        console.print("  Potential, from file bounds only:")
    for rows in beyond.rows[:_SHOWN]:
        _print(console, f"    {_told(rows)}")
        console.print(Text(plain(f"      {ENGINES[rows.kind]}"), style="dim"), soft_wrap=True)


def _print_join(console: Console, name: TableName, join: JoinSkip, *, literals: bool) -> None:
    _print(
        console,
        f"    {join_text(join)}: {_sizes(join.now, join.then)} ({plural(join.runs, 'run')})",
    )
    for engine, hint in join_hints(name, join, literals=literals).items():
        _print(console, f"      {engine.capitalize()}: {hint.statement}")
        _print(console, f"        of the rows that it joins: {hint.range_of} WHERE …")


def _told(rows: RowsSkip) -> str:
    known = f", {rows.in_metadata:,} of them from metadata alone" if rows.in_metadata else ""
    runs = plural(rows.runs, "run")
    return f"{rows_text(rows)}: {_sizes(rows.now, rows.then)} ({runs}{known})"


def _sizes(now: float, then: float) -> str:
    return f"{size(now)} per run; {size(then)} would be enough"


def _print(console: Console, line: str) -> None:
    console.print(Text(plain(line)), soft_wrap=True)
