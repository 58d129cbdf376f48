"""A run on a terminal: one screen."""

from __future__ import annotations

import datetime as dt
import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from prunescope.audit_jobs.config import AuditConfig
from prunescope.audit_jobs.findings.catalogue import title_of
from prunescope.audit_jobs.findings.entries import entries, reported
from prunescope.audit_jobs.findings.model import Finding
from prunescope.audit_jobs.records import Elsewhere, RunRecord
from prunescope.audit_jobs.report.path import report_path
from prunescope.audit_jobs.results.fixed_findings import FIXED, Mended, State, told_states
from prunescope.audit_jobs.results.result import AuditResult
from prunescope.audit_jobs.results.table_rows import run_row
from prunescope.audit_jobs.sinks.run_rows import rows_of
from prunescope.audit_jobs.status import Status
from prunescope.audit_jobs.units import plural, size
from prunescope.audit_jobs.views.console import WIDE, PlainConsole, bar
from prunescope.audit_jobs.views.finding_text import finding_table, tally, too_small_text
from prunescope.audit_jobs.views.grouped_messages import alike
from prunescope.audit_jobs.views.run_json import run_document
from prunescope.audit_jobs.windows import AHEAD, days_text
from prunescope.collectors.outcomes import Outcome
from prunescope.collectors.safe_text import plain

_WORST_TABLES = 10
_WORST_FINDINGS = 5
_MENDED = 5
_TOLD = (
    ("tables_failed", "yellow", "failed"),
    ("tables_set_aside", "yellow", "set aside"),
    ("causes_failed", "yellow", "not judged"),
    ("tables_unmeasured", "dim", "unmeasured"),
)
"""Counts of a run that did not work, by their names in JSON, each with its colour and word in a
terminal."""


def print_run(result: AuditResult, config: AuditConfig, file: Path | None = None) -> None:
    """Prints the one-screen summary of a run. `file` is the configuration's, for commands to paste;
    None if it is the one that they read anyway."""
    console = PlainConsole()
    summary = run_document(result)
    colour = "green" if summary["status"] == Status.SUCCEEDED else "yellow"
    console.print(
        f"\n[bold]prunescope[/] {summary['window_start'][:16]} to {summary['window_end'][:16]} "
        f"UTC: [{colour}]{summary['status']}[/] in {summary['duration_seconds']:.1f} s\n"
    )
    if summary["tables"]:
        console.print(
            "Share kept by each pass, over all scans (lower is better). Largest tables first\n"
        )
        console.print(_tables_table(summary["tables"], with_bars=console.width >= WIDE))
    hidden = len(summary["tables"]) - _WORST_TABLES
    if hidden > 0:
        console.print(f"… and {hidden} more tables")
    _print_worst(console, result.findings, file)
    _print_mended(console, result)
    if result.run.too_small:
        console.print(_too_small(result.run, file), highlight=False, soft_wrap=True)
    outcomes = ", ".join(
        f"{count:,} {name.replace('_', ' ')}" for name, count in summary["queries"].items()
    )
    console.print(f"\nqueries    {outcomes or 'none in the window'}")
    if Outcome.TOO_MANY_COMPLEX in summary["queries"]:
        console.print(f"[yellow]complex[/]    {Outcome.TOO_MANY_COMPLEX.remedy}")
    if (rate := result.sums.all_scans.false_keep_rate) is not None:
        console.print(f"in vain    {rate} of the bytes read are in files without a matching row")
    if summary["metadata"]:
        console.print(f"metadata   {_metadata(summary['metadata'])}")
    for key, style, word in _TOLD:
        for name, message in alike(summary[key].items()):
            console.print(f"[{style}]{word:10}[/] {escape(plain(name))}: {escape(plain(message))}")
    for note, count in summary["newer_planners"].items():
        told = plural(count, "query", "queries")
        console.print(f"[yellow]newer[/]      {escape(plain(note))} ({told})")
    for one in summary["rejected"]:
        console.print(f"[yellow]rejected[/]   {escape(plain(_rejected_text(one)))}")
    console.print(f"audit      {config.audit.catalog}.{config.audit.namespace}")
    if config.metrics.textfile:
        console.print(f"metrics    {config.metrics.textfile}")
    if config.metrics.pushgateway:
        console.print(f"metrics    pushed as job {config.metrics.job}")
    if config.report.path:
        console.print(f"report     {report_path(config.report.path, run_row(result))}")


def _rejected_text(one: Mapping[str, str]) -> str:
    """The place of an input, the reason of its rejection, and its outcome."""
    return f"{one['location']}: {one['message']} ({one['outcome']})"


def _metadata(counts: Mapping[str, int]) -> str:
    """The numbers of metadata files that were read, and that came from the cache; and of requests
    and bytes."""
    manifests = plural(counts.get("manifests_read", 0), "manifest")
    footers = plural(counts.get("footers_read", 0), "footer")
    read = f"{manifests} and {footers} read"
    kept = [counts.get(name, 0) for name in ("manifests_cached", "footers_cached")]
    from_cache = f", {kept[0]:,} and {kept[1]:,} from the cache" if any(kept) else ""
    requests, taken = (
        sum(count for name, count in counts.items() if name.endswith(what))
        for what in ("_requests", "_bytes")
    )
    # Local files take none.
    asked = f"{plural(requests, 'request')}, " if requests else ""
    return f"{read}{from_cache}: {asked}{size(taken)}"


def print_elsewhere(elsewhere: Elsewhere, config: Path) -> None:
    """Prints the time span of the logs' queries, if none is in the window, and how to audit
    these."""
    console = PlainConsole()
    first, last = (f"{t:%Y-%m-%d %H:%M}" for t in (elsewhere.first, elsewhere.last))
    window = days_text(elsewhere.first, elsewhere.last, dt.datetime.now(dt.UTC))
    told = AHEAD if window is None else f"{_command('audit', config)} --window {window}"
    console.print(
        f"\nNo query started in the window. The logs cover {first} to {last} UTC "
        f"({plural(elsewhere.queries, 'query', 'queries')}). Try:\n{told}",
        highlight=False,
        soft_wrap=True,
    )


def _too_small(run: RunRecord, file: Path | None) -> str:
    told = too_small_text(run.too_small, run.too_small_bytes)
    return f"{told}: {_command('findings', file)} --all"


def _command(name: str, file: Path | None) -> str:
    """A command of prunescope with this configuration, to be pasted into a shell and printed as
    markup."""
    named = "" if file is None else f" --config {shlex.quote(str(file))}"
    return escape(plain(f"prunescope {name}{named}"))


def _print_worst(console: Console, findings: Sequence[Finding], file: Path | None) -> None:
    """Prints the findings that matter most, and the number of all."""
    found = entries(reported(findings))
    console.print()
    if found:
        console.print(finding_table(found[:_WORST_FINDINGS]))
        console.print()
    console.print(tally([entry.finding for entry in found]))
    if len(found) > _WORST_FINDINGS:
        more = f"{len(found) - _WORST_FINDINGS:,} more"
        console.print(f"… {more}: {_command('findings', file)} --details", soft_wrap=True)


def _print_mended(console: Console, result: AuditResult) -> None:
    """Prints findings of earlier windows that are gone, with their promises and the outcome."""
    promises = rows_of(result).promises
    fixed = [one for one in promises if one.state in FIXED]
    for one in fixed[:_MENDED]:
        word = "[green]fixed[/]  " if one.state is State.KEPT else "[yellow]partly[/] "
        console.print(f"{word}    {escape(plain(_mended_text(one)))}", highlight=False)
    if len(fixed) > _MENDED:
        console.print(f"… and {len(fixed) - _MENDED:,} more")
    if promises:
        console.print(f"earlier    {told_states(promises)}", highlight=False)


def _mended_text(one: Mended) -> str:
    saves = f", which saves {size(one.bytes_saved)}" if one.bytes_saved else ""
    return (
        f"{one.table}: {title_of(one.cause)}, last found on {one.last_found:%Y-%m-%d}: queries "
        f"kept {one.before:.1%} of its bytes, {one.promised:.1%} promised, {one.after:.1%} "
        f"now{saves}"
    )


def _tables_table(tables: Sequence[Mapping[str, Any]], *, with_bars: bool) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("table", overflow="fold")
    for heading in ("scans", "manifests", "files", "row groups", "bytes"):
        table.add_column(heading, justify="right", no_wrap=True)
    if with_bars:
        table.add_column("files kept of all", no_wrap=True)
    for row in tables[:_WORST_TABLES]:
        files = row["data_files"]
        drawn = bar(files["kept"] / files["total"]) if files["total"] else ""
        table.add_row(
            escape(plain(row["table"])),
            f"{row['scans']:,}",
            *(_kept_share(row[key]) for key in ("manifests", "data_files", "row_groups")),
            size(row["bytes"]["kept"]),
            *([drawn] if with_bars else []),
        )
    return table


def _kept_share(funnel: Mapping[str, int | None]) -> str:
    considered, kept = funnel["considered"], funnel["kept"]
    if considered is None or kept is None:
        return "unknown"
    return f"{kept / considered:.0%}" if considered else "–"
