"""Planners compared, on a terminal and as JSON."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from prunescope.audit_jobs.jobs.compare import COMPARED, Compared, Difference, Judged, Kept
from prunescope.audit_jobs.report.summary import window_text
from prunescope.audit_jobs.units import plural, size
from prunescope.audit_jobs.views.console import PlainConsole
from prunescope.audit_jobs.views.grouped_messages import alike
from prunescope.collectors.safe_text import plain

_INDENT = 2
_SHOWN = ("data_files", "row_groups", "bytes")


def print_compared(found: Compared, limit: int) -> None:
    """Prints the tables, and the shapes of queries that keep other counts, at most `limit`."""
    console = PlainConsole()
    window = window_text(found.window.start, found.window.end)
    console.print(f"{window}: {found.before}, then {found.after}\n", highlight=False)
    if found.tables:
        console.print(_tables(found))
    for name, message in alike(found.failed.items()):
        console.print(Text(f"failed  {plain(name)}: {plain(message)}", style="yellow"))
    console.print(f"\n{_tally(found)}")
    for shape in found.shapes[:limit]:
        _print_shape(console, shape)
    if len(found.shapes) > limit:
        console.print(f"… {len(found.shapes) - limit:,} more. Use --limit.")


def compared_document(found: Compared) -> dict[str, Any]:
    """A comparison as JSON. A count is null where that of any scan is unknown."""
    return {
        "window_start": found.window.start.isoformat(),
        "window_end": found.window.end.isoformat(),
        "before": found.before,
        "after": found.after,
        "tables": [{"table": str(key), **_counts(kept)} for key, kept in found.tables.items()],
        "shapes": [
            {
                "table": str(shape.table),
                "fingerprint": shape.fingerprint,
                "filter": shape.filter,
                **_counts(shape.kept),
                "conditions": [asdict(condition) for condition in shape.conditions],
            }
            for shape in found.shapes
        ],
        "tables_failed": dict(found.failed),
    }


def _counts(kept: Kept) -> dict[str, Any]:
    pairs = {name: {"before": kept.before[name], "after": kept.after[name]} for name in COMPARED}
    return {"scans": kept.scans, **pairs}


def _tables(found: Compared) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("table", overflow="fold")
    for heading in ("scans", "files kept", "row groups kept", "bytes kept"):
        table.add_column(heading, justify="right")
    for key, kept in found.tables.items():
        counts = (_pair(kept, name) for name in _SHOWN)
        table.add_row(escape(plain(str(key))), f"{kept.scans:,}", *counts)
    return table


def _pair(kept: Kept, name: str) -> str:
    before, after = (_count(name, of[name]) for of in (kept.before, kept.after))
    return before if before == after else f"{before} → {after}"


def _count(name: str, count: int | None) -> str:
    if count is None:
        return "unknown"
    return size(count) if name == "bytes" else f"{count:,}"


def _tally(found: Compared) -> str:
    if not found.shapes:
        return "No query keeps other counts."
    won = sum(max(0, shape.kept.won) for shape in found.shapes)
    lost = sum(max(0, -shape.kept.won) for shape in found.shapes)
    count = len(found.shapes)
    keeps = "query keeps" if count == 1 else "queries keep"
    return f"{count:,} {keeps} other counts: {size(won)} less, {size(lost)} more"


def _print_shape(console: Console, shape: Difference) -> None:
    console.print()
    title = f"{plain(str(shape.table))}  {plural(shape.kept.scans, 'scan')}  {shape.fingerprint}"
    console.print(Text(title, style="bold"))
    lines = Table.grid(padding=(0, 2))
    lines.add_column(no_wrap=True)
    lines.add_column(overflow="fold")
    for label, text in _lines(shape):
        lines.add_row(label, Text(plain(text)))
    console.print(Padding(lines, (0, 0, 0, _INDENT)))


def _lines(shape: Difference) -> Iterator[tuple[str, str]]:
    """Labels and texts of a shape."""
    written, _, implied = (shape.filter or "unknown").partition("\nwhich implies\n")
    yield "filter", written
    if implied:
        yield "implies", implied
    for name in _SHOWN:
        yield name.replace("_", " "), _pair(shape.kept, name)
    for condition in shape.conditions:
        yield "condition", condition.text
        yield "  before", _said(condition.before)
        yield "  after", _said(condition.after)


def _said(judged: Judged | None) -> str:
    """The class of a condition, whether it is pushed, and why it rules nothing out."""
    if judged is None:
        return "no such condition"
    pushed = {True: "pushed", False: "not pushed", None: "pushed or not"}[judged.pushed]
    reasons = dict.fromkeys(reason for reason in judged.reasons.values() if reason is not None)
    why = f" ({', '.join(reasons)})" if reasons else ""
    return f"{judged.classified or 'in several classes'}, {pushed}{why}"
