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
from prunescope.audit_jobs.units import of, plural, size
from prunescope.audit_jobs.views.place_text import at, to_write
from prunescope.collectors.safe_text import plain

_STYLES = {
    Severity.CRITICAL: "bold red reverse",
    Severity.HIGH: "bold red",
    Severity.MEDIUM: "yellow",
    Severity.LOW: "cyan",
    Severity.INFO: "dim",
}
_FILES = 5
_INDENT = 4
_LABEL = 10


def finding_table(entries: Sequence[Entry]) -> Table:
    """One row per finding, its sentence folded to the width of the terminal."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("#", justify="right", no_wrap=True)
    table.add_column("severity", no_wrap=True)
    table.add_column("could skip", justify="right", no_wrap=True)
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
    """Prints one block per finding: its size, the condition and its replacement, the reason, then
    reference data. Statements and addresses are not folded, so that they can be copied."""
    for entry in entries:
        finding = entry.finding
        console.print(_heading(entry))
        for lines in (_conditions(entry), _reasons(entry), _references(entry)):
            console.print(Padding(_block(lines), (0, 0, 0, _INDENT)))
        if finding.example is not None and finding.example.link is not None:
            console.print(Text(f"{'':{_INDENT}}{plain(finding.example.link)}"), soft_wrap=True)
        console.print(Text(f"{'':{_INDENT}}{finding.documentation}"), soft_wrap=True)
        for engine, statements in (("Spark", finding.fix.spark), ("Trino", finding.fix.trino)):
            if statements:
                console.print(Text(f"-- {engine}", style="dim"))
            for statement in statements:
                console.print(Text(f"{plain(statement)};"), soft_wrap=True)
        console.print()


def _heading(entry: Entry) -> Table:
    finding = entry.finding
    line = Table.grid(expand=True, padding=(0, 2, 0, 0))
    line.add_column(justify="right", width=_INDENT - 2, no_wrap=True)
    line.add_column(ratio=1, overflow="fold")
    line.add_column(justify="right", no_wrap=True)
    what = Text.assemble(
        severity_text(finding),
        "  ",
        (plain(str(finding.table)), "bold"),
        f": {title_of(finding.cause)}",
    )
    line.add_row(str(entry.rank), what, worth(finding.bytes_at_stake, finding.bytes_read))
    return line


def worth(stake: int | None, read: int) -> str:
    """The bytes that scans could skip, of all that they read."""
    if stake is None:
        return f"read {size(read)}; avoidable bytes unknown"
    return f"could skip {of(stake, read)}" if stake else f"read {size(read)}; none avoidable"


def _block(lines: Iterator[tuple[str, str]]) -> Table:
    grid = Table.grid(padding=(0, 2))
    grid.add_column(style="dim", no_wrap=True, width=_LABEL)
    grid.add_column(overflow="fold")
    for name, value in lines:
        if value:
            grid.add_row(name, Text(plain(value)))
    return grid


def _conditions(entry: Entry) -> Iterator[tuple[str, str]]:
    finding = entry.finding
    yield "now", finding.conjunct or ""
    yield "write", finding.fix.rewrite or ""
    for place in entry.places:
        yield at(place), to_write(place) or ""


def _reasons(entry: Entry) -> Iterator[tuple[str, str]]:
    finding = entry.finding
    yield "do", finding.fix.step or "nothing"
    yield "why", finding.sentence
    yield "how", finding.fix.advice or ""
    basis = [plural(finding.scans, "scan"), f"confidence {finding.confidence.value}"]
    if finding.lost_at:
        basis.append(f"lost at: {finding.lost_at.replace('_', ' ')}")
    yield "basis", "; ".join(basis)


def _references(entry: Entry) -> Iterator[tuple[str, str]]:
    finding = entry.finding
    yield "columns", ", ".join(finding.columns)
    yield "evidence", _evidence(finding.evidence)
    yield "files", ", ".join(map(at, entry.places) if entry.places else entry.files)
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
    """The facts that are known, with their names."""
    return "; ".join(
        f"{name.replace('_', ' ')} {shown}"
        for name, value in evidence.items()
        if (shown := _value(value))
    )


def _value(value: object) -> str:
    """A fact in words; nothing if it is unknown or empty."""
    match value:
        case None:
            return ""
        case bool():
            return "yes" if value else "no"
        case int():
            return f"{value:,}"
        case float():
            return f"{value:,.3g}" if abs(value) < 1000 else f"{value:,.0f}"
        case list() | tuple():
            return ", ".join(filter(None, map(_value, value)))
        case dict():
            return ", ".join(f"{key}: {_value(item) or 'unknown'}" for key, item in value.items())
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
    were = "finding is" if findings == 1 else "findings are"
    return f"{findings:,} {were} below the thresholds ({size(lost)} in all)"


def tally(findings: Sequence[Finding]) -> Text:
    """The number of findings, by severity."""
    if not findings:
        return Text("no findings")
    counts = Counter(finding.severity for finding in findings)
    parts = [Text(f"{counts[s]:,} {s}", style=_STYLES[s]) for s in Severity if counts[s]]
    noun = "finding" if len(findings) == 1 else "findings"
    return Text.assemble(f"{len(findings):,} {noun}: ", Text(", ").join(parts))
