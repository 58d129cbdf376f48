"""Findings on a terminal: a table, or a block for each with all details."""

from __future__ import annotations

import datetime as dt
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from prunescope.audit_jobs.findings.catalogue import title_of
from prunescope.audit_jobs.findings.entries import Entry
from prunescope.audit_jobs.findings.model import Example, Finding, Severity
from prunescope.audit_jobs.units import plural, size
from prunescope.collectors.plain import plain

_STYLES = {
    Severity.CRITICAL: "bold red reverse",
    Severity.HIGH: "bold red",
    Severity.MEDIUM: "yellow",
    Severity.LOW: "cyan",
    Severity.INFO: "dim",
}
_FILES = 5
_INDENT = 4


def finding_table(entries: Sequence[Entry]) -> Table:
    """One row per finding, its sentence folded to the width of the terminal."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("#", justify="right", no_wrap=True)
    table.add_column("severity", no_wrap=True)
    table.add_column("at stake", justify="right", no_wrap=True)
    table.add_column("scans", justify="right", no_wrap=True)
    table.add_column("finding", overflow="fold")
    for entry in entries:
        finding = entry.finding
        table.add_row(
            str(entry.rank),
            severity_text(finding),
            size(finding.bytes_at_stake),
            f"{finding.scans:,}",
            _summary(entry),
        )
    return table


def _summary(entry: Entry) -> Text:
    finding = entry.finding
    lines = [
        Text.assemble(
            (plain(str(finding.table)), "bold"), f": {title_of(finding.cause)} ({finding.cause})"
        ),
        Text(plain(finding.sentence)),
    ]
    if finding.conjunct is not None:
        lines.insert(1, Text(plain(finding.conjunct), style="italic"))
    if entry.files:
        lines.append(Text(plain(listed(entry.files)), style="dim"))
    if finding.suppressed is not None:
        lines.append(Text(plain(f"suppressed: {finding.suppressed}"), style="dim"))
    return Text("\n").join(lines)


def print_details(console: Console, entries: Sequence[Entry]) -> None:
    """Prints one block per finding. Statements and addresses are not folded, so that they can be
    copied."""
    for entry in entries:
        finding = entry.finding
        heading = Text.assemble(
            f"{entry.rank:>{_INDENT - 2}}  ",
            severity_text(finding),
            "  ",
            (plain(str(finding.table)), "bold"),
            f": {title_of(finding.cause)}",
        )
        console.print(heading)
        console.print(Padding(Text(plain(finding.sentence)), (0, 0, 0, _INDENT)))
        console.print(Padding(_facts(entry), (0, 0, 0, _INDENT)))
        if finding.example is not None and finding.example.link is not None:
            console.print(Text(f"{'':{_INDENT}}{plain(finding.example.link)}"), soft_wrap=True)
        console.print(Text(f"{'':{_INDENT}}{finding.documentation}"), soft_wrap=True)
        for engine, statements in (("Spark", finding.fix.spark), ("Trino", finding.fix.trino)):
            if statements:
                console.print(Text(f"{'':{_INDENT}}-- {engine}", style="dim"))
            for statement in statements:
                console.print(Text(f"{'':{_INDENT}}{plain(statement)};"), soft_wrap=True)
        console.print()


def _facts(entry: Entry) -> Table:
    grid = Table.grid(padding=(0, 2))
    grid.add_column(style="dim", no_wrap=True)
    grid.add_column(overflow="fold")
    for name, value in _named(entry):
        if value:
            grid.add_row(name, Text(plain(value)))
    return grid


def _named(entry: Entry) -> Iterator[tuple[str, str]]:
    finding = entry.finding
    yield "do", finding.fix.step or "nothing"
    stake = "unknown" if finding.bytes_at_stake is None else size(finding.bytes_at_stake)
    scans = plural(finding.scans, "scan")
    yield "at stake", f"{stake} of {size(finding.bytes_read)} read by {scans}"
    yield "confidence", finding.confidence.value
    yield "lost at", (finding.lost_at or "").replace("_", " ")
    yield "columns", ", ".join(finding.columns)
    yield "condition", finding.conjunct or ""
    yield "write", finding.fix.rewrite or ""
    yield "advice", finding.fix.advice or ""
    yield "evidence", _evidence(finding.evidence)
    yield "files", ", ".join(entry.files)
    yield "suppressed", finding.suppressed or ""
    yield "query", finding.fingerprint or ""
    if finding.example is not None and not entry.files:
        yield "example", example_text(finding.example)
    yield "key", entry.key


def example_text(example: Example) -> str:
    """A query, by its id or its place in its log, its user and its time."""
    told = [example.query_id or example.place or "a query", f"({example.source})"]
    if example.user is not None:
        told.append(f"by {example.user}")
    if example.started_at is not None:
        told.append(f"at {example.started_at.astimezone(dt.UTC):%Y-%m-%d %H:%M:%S} UTC")
    return " ".join(told)


def _evidence(evidence: Mapping[str, Any]) -> str:
    return "; ".join(
        f"{name.replace('_', ' ')} {_value(value)}" for name, value in evidence.items()
    )


def _value(value: object) -> str:
    match value:
        case None:
            return "?"
        case bool():
            return "yes" if value else "no"
        case int():
            return f"{value:,}"
        case float():
            return f"{value:,.3g}" if abs(value) < 1000 else f"{value:,.0f}"
        case list() | tuple():
            return ", ".join(_value(item) for item in value) or "none"
        case dict():
            return ", ".join(f"{key}: {_value(item)}" for key, item in value.items()) or "none"
        case _:
            return str(value)


def severity_text(finding: Finding) -> Text:
    """Returns the severity, in its colour."""
    return Text(finding.severity.value, style=_STYLES[finding.severity])


def listed(files: Sequence[str]) -> str:
    """The first few files, and the number of others."""
    more = len(files) - _FILES
    return ", ".join(files[:_FILES]) + (f" and {more:,} more" if more > 0 else "")


def too_small_text(findings: int, lost: int) -> str:
    """The number of findings below the thresholds, and their bytes at stake."""
    were = "finding was" if findings == 1 else "findings were"
    return f"{findings:,} {were} too small to report, with {size(lost)} at stake"


def tally(findings: Sequence[Finding]) -> Text:
    """The number of findings, by severity."""
    if not findings:
        return Text("no findings")
    counts = Counter(finding.severity for finding in findings)
    parts = [Text(f"{counts[s]:,} {s}", style=_STYLES[s]) for s in Severity if counts[s]]
    noun = "finding" if len(findings) == 1 else "findings"
    return Text.assemble(f"{len(findings):,} {noun}: ", Text(", ").join(parts))
