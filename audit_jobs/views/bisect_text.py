"""A bisected history on a terminal and as JSON."""

from __future__ import annotations

import datetime as dt
from typing import Any

from rich.console import Console
from rich.table import Table

from prunescope.audit_jobs.jobs.bisect import Bisected, Reading
from prunescope.audit_jobs.units import plural, size
from prunescope.audit_jobs.views.console import WIDE, PlainConsole, bar
from prunescope.collectors.safe_text import plain
from prunescope.collectors.tables.metadata import Snapshot

_APPLICATION = ("app-id", "spark.app.id")


def print_bisected(found: Bisected) -> None:
    """Prints the replays, oldest first, the commit that made the difference, and what it was."""
    console = PlainConsole()
    console.print(_plot(console, found))
    snapshots = plural(found.snapshots, "snapshot")
    console.print(f"\n{len(found.readings):,} of {snapshots} replayed")
    for snapshot, why in found.unread:
        console.print(f"not replayed  {snapshot.snapshot_id}: {plain(why)}", highlight=False)
    console.print(_verdict(found), highlight=False, soft_wrap=True)


def bisected_document(found: Bisected) -> dict[str, Any]:
    """A bisected history as JSON."""
    return {
        "snapshots": found.snapshots,
        "commit": None if found.bad is None else _commit(found.bad.snapshot),
        "before": None if found.good is None else _reading(found.good),
        "after": None if found.bad is None else _reading(found.bad),
        "is_one_commit": found.is_one_commit,
        "replays": [_reading(reading) for reading in found.readings],
        "not_replayed": [
            {"snapshot_id": snapshot.snapshot_id, "message": why} for snapshot, why in found.unread
        ],
    }


def _reading(reading: Reading) -> dict[str, Any]:
    return {
        "snapshot_id": reading.snapshot.snapshot_id,
        "committed_at": reading.snapshot.timestamp.isoformat(),
        "bytes_kept": reading.kept,
        "bytes_total": reading.total,
    }


def _commit(snapshot: Snapshot) -> dict[str, Any]:
    """The commit of a snapshot; null for what its summary does not say."""
    summary = snapshot.summary
    application = next((summary[key] for key in _APPLICATION if key in summary), None)
    return {
        "snapshot_id": snapshot.snapshot_id,
        "committed_at": snapshot.timestamp.isoformat(),
        "operation": summary.get("operation"),
        "engine": summary.get("engine-name"),
        "engine_version": summary.get("engine-version"),
        "application": application,
    }


def _plot(console: Console, found: Bisected) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("committed (UTC)", no_wrap=True)
    table.add_column("operation")
    table.add_column("kept", justify="right", no_wrap=True)
    table.add_column("of", justify="right", no_wrap=True)
    if console.width >= WIDE:
        table.add_column("bytes kept", no_wrap=True)
    most = max((reading.kept for reading in found.readings), default=0)
    for reading in found.readings:
        is_bad = found.bad is not None and reading.snapshot is found.bad.snapshot
        drawn = [bar(reading.kept / most if most else 0.0)] if console.width >= WIDE else []
        table.add_row(
            f"{reading.snapshot.timestamp.astimezone(dt.UTC):%Y-%m-%d %H:%M:%S}",
            plain(reading.snapshot.summary.get("operation", "")),
            size(reading.kept),
            size(reading.total),
            *drawn,
            style="bold" if is_bad else None,
        )
    return table


def _verdict(found: Bisected) -> str:
    """The commit that made the difference, and what it was."""
    if found.bad is None:
        return "The newest snapshot keeps no more than the oldest. --every looks at all between."
    commit = _commit(found.bad.snapshot)
    who = " ".join(filter(None, (commit["engine"], commit["engine_version"])))
    by = f" by {plain(who)}" if who else ""
    application = f", application {plain(commit['application'])}" if commit["application"] else ""
    made = (
        f"snapshot {commit['snapshot_id']} of {commit['committed_at']} "
        f"({plain(commit['operation'] or 'unknown operation')}{by}{application})"
    )
    if found.good is None:
        return f"Read first by {made}: no earlier snapshot answers this query."
    step = f"{size(found.good.kept)} before, {size(found.bad.kept)} after"
    if found.is_one_commit:
        return f"The query reads more since {made}: {step}."
    return (
        f"The query reads more with each of several commits, of which one is {made}: {step}. "
        "--every finds the largest step."
    )
