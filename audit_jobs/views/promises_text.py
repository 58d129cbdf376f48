"""What became of earlier advice: promised and kept side by side, on a terminal and as JSON."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from rich.table import Table
from rich.text import Text

from audit_jobs.advice.promises import Followed, hit_rate
from audit_jobs.report.promises import OF, advice_text, table_text
from audit_jobs.views.console import PlainConsole
from collectors.plain import plain

_SHOWN = 10


def print_followed(found: Sequence[Followed]) -> None:
    """Nothing where there was no advice."""
    if not found:
        return
    console = PlainConsole()
    table = Table.grid(padding=(0, 2))
    for justify in ("left", "left", "left", "right", "right", "left", "right"):
        table.add_column(justify=justify)
    table.add_row("  advised", "table", "is", "before", "promised", "in 90 of 100", "kept")
    for one in found[:_SHOWN]:
        promised = one.promise.promised
        assert promised is not None
        table.add_row(
            f"  {one.promise.at:%Y-%m-%d}",
            Text(plain(f"{table_text(one)}: {advice_text(one)} ({OF[one.promise.kind]})")),
            one.state.value,
            f"{one.promise.before:.1%}",
            f"{promised.value:.1%}",
            f"{promised.low:.1%} to {promised.high:.1%}",
            "" if one.kept is None else f"{one.kept:.1%}",
        )
    console.print(Text("Earlier advice", style="bold"))
    console.print(table)
    if len(found) > _SHOWN:
        console.print(f"  … {len(found) - _SHOWN:,} more", highlight=False)
    hits, judged = hit_rate(found)
    if judged:
        console.print(f"  Kept what it promised: {hits:,} of {judged:,}", highlight=False)


def followed_document(found: Sequence[Followed]) -> dict[str, Any]:
    """As JSON. Shares are of the table's bytes, or of its manifests."""
    hits, judged = hit_rate(found)
    return {"advice": [_document(one) for one in found], "hits": hits, "judged": judged}


def _document(one: Followed) -> dict[str, Any]:
    promise = one.promise
    assert promise.advised is not None
    assert promise.promised is not None
    return {
        "table": table_text(one),
        "kind": promise.kind,
        "advised_at": promise.at.isoformat(),
        **asdict(promise.advised),
        "state": one.state,
        "before_share": promise.before,
        "promised_share": asdict(promise.promised),
        "applied_at": None if one.applied_at is None else one.applied_at.isoformat(),
        "kept_share": one.kept,
        "scans": one.scans,
        "within": one.within,
    }
