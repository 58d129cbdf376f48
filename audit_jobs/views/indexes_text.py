"""The effects of bloom filters, on a terminal."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from prunescope.audit_jobs.findings.what_if import WhatIf
from prunescope.audit_jobs.units import size
from prunescope.collectors.safe_text import plain

_HEADINGS = ("scans", "files kept", "row groups read", "filters skip", "filters add", "sort skips")


def print_indexes(console: Console, found: Sequence[WhatIf]) -> None:
    """Prints a row for each column that has no bloom filters; nothing if there is none."""
    if not found:
        return
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("bloom filters", overflow="fold")
    for heading in _HEADINGS:
        table.add_column(heading, justify="right", no_wrap=True)
    for one in found:
        share = "" if one.share_written is None else f" ({one.share_written:.1%})"
        table.add_row(
            Text(plain(one.column)),
            f"{one.scans:,}",
            size(one.bytes_kept),
            size(one.bytes_read),
            _signed(one.bytes_won),
            f"{size(one.filter_bytes)}{share}",
            _signed(one.bytes_by_sort),
        )
    console.print(Padding(table, (0, 0, 0, 2)))


def _signed(count: int | None) -> str:
    return f"-{size(-count)}" if count is not None and count < 0 else size(count)
