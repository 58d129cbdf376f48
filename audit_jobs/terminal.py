"""What people read on a terminal. Colours follow NO_COLOR, and a pipe gets plain text."""

from __future__ import annotations

import datetime as dt
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, TimeElapsedColumn
from rich.progress import Progress as ProgressBar
from rich.table import Table
from rich.text import Text

from audit_jobs.config import AuditConfig
from audit_jobs.finding_views.entries import Entry, entries, reported
from audit_jobs.finding_views.terminal import finding_table, print_details, tally
from audit_jobs.findings.model import Finding
from audit_jobs.jobs.audit import Progress
from audit_jobs.plain_console import PlainConsole
from audit_jobs.progress import METER, Meter, every
from audit_jobs.records import REPLAYED
from audit_jobs.report.path import report_path
from audit_jobs.results.result import AuditResult
from audit_jobs.results.sums import ScanSums
from audit_jobs.results.table_rows import run_row
from audit_jobs.units import size
from collectors.plain import plain

if TYPE_CHECKING:
    from audit_jobs.jobs.check import Check
    from audit_jobs.sinks.published_findings import PublishedFindings

_WORST_TABLES = 10
_WORST_FINDINGS = 5
_BAR = 16
_LINE_SECONDS = 30.0
_BAR_SECONDS = 1.0
"""Between two looks at how much is done."""
_WIDE = 100
_TOLD = (
    ("tables_failed", "yellow", "failed"),
    ("tables_set_aside", "yellow", "set aside"),
    ("causes_failed", "yellow", "not judged"),
    ("tables_unmeasured", "dim", "unmeasured"),
)
"""What of a run did not work, by the name of its summary, and how a terminal tells it."""


@contextmanager
def stages(count: int, *, quiet: bool = False) -> Iterator[Progress]:
    """Shows what a job of `count` stages is doing, and how much of a stage is done: a progress bar
    on a terminal; elsewhere a line per stage, and one now and then within a long one."""
    console = PlainConsole(stderr=True)
    if quiet:
        yield _ignore
        return
    meter = Meter()
    before = METER.set(meter)
    try:
        shown = _moving(console, count, meter) if console.is_terminal else _lines(console, meter)
        with shown as announce:
            yield announce
    finally:
        METER.reset(before)


def _ignore(_stage: str) -> None:
    pass


@contextmanager
def _lines(console: Console, meter: Meter) -> Iterator[Progress]:
    stages = [""]

    def announce(stage: str) -> None:
        meter.begin()
        stages.append(stage)
        console.print(plain(f"{stage} …"))

    def tell() -> None:
        if text := meter.text():
            console.print(plain(f"{stages[-1]}: {text} …"), highlight=False)

    with every(_LINE_SECONDS, tell):
        yield announce


@contextmanager
def _moving(console: Console, count: int, meter: Meter) -> Iterator[Progress]:
    columns = ("{task.description}", BarColumn(), TimeElapsedColumn(), "{task.fields[done]}")
    with ProgressBar(*columns, console=console, transient=True) as bar:
        task = bar.add_task("", total=count, done="")
        # A stage is announced when it starts, so the bar is always one behind.
        bar.advance(task, -1)

        def announce(stage: str) -> None:
            meter.begin()
            bar.update(task, description=plain(stage), advance=1, done="")

        with every(_BAR_SECONDS, lambda: bar.update(task, done=meter.text())):
            yield announce


def print_answer(answer: Mapping[str, Any]) -> None:
    """One explained query: its funnel, and what each conjunct does."""
    console = PlainConsole()
    title = plain(f"{answer['table']}")
    if answer["outcome"] != REPLAYED:
        console.print(f"[bold]{escape(title)}[/]: {answer['outcome']}")
        console.print(escape(plain(answer["message"])))
        return
    console.print(
        f"[bold]{escape(title)}[/]  snapshot {answer['snapshot_id']}\n"
        f"WHERE {escape(plain(answer['predicate']))}\n"
    )
    if answer["planner"] is not None:
        console.print(f"{answer['planner']} pushes {escape(plain(answer['pushed']))}\n")
    console.print(_funnel_table(answer))
    for line in _inside_files(answer):
        console.print(line)
    wasted = _wasted(answer)
    if wasted:
        console.print(f"all that the statistics allow would keep {wasted}")
    for cause, count in answer["unread"].items():
        console.print(f"row groups unknown for {count:,} kept files: {cause}")
    if answer["conjuncts"]:
        console.print()
        console.print(_conjunct_table(answer["conjuncts"], wide=console.width >= _WIDE))
    for more in answer.get("more_scans", []):
        console.print()
        print_answer(more)


def _funnel_table(answer: Mapping[str, Any]) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold")
    for heading in ("pass", "total", "considered", "kept", "", "pruned"):
        numeric = heading not in ("pass", "")
        table.add_column(heading, justify="right" if numeric else "left", no_wrap=True)
    for key in ("manifests", "data_files", "row_groups", "bytes"):
        funnel, show = answer[key], size if key == "bytes" else _count
        table.add_row(
            key.replace("_", " "),
            show(funnel["total"]),
            show(funnel["considered"]),
            show(funnel["kept"]),
            *_share(funnel["considered"], funnel["kept"]),
        )
    if answer["delete_files"]["total"]:
        deletes = answer["delete_files"]
        table.add_row("delete files", _count(deletes["total"]), "", _count(deletes["kept"]))
    return table


def _inside_files(answer: Mapping[str, Any]) -> Iterator[str]:
    """What ruled out row groups, what pages could, and how sure that is."""
    ruled_out = [f"{count:,} by {source}" for source, count in answer["row_groups_by"].items()]
    if any(answer["row_groups_by"].values()):
        yield f"row groups ruled out: {', '.join(ruled_out)}"
    pages, rows = answer["pages"], answer["page_records"]
    if pages["considered"] and pages["kept"] is not None:
        yield (
            f"page indexes would keep {pages['kept']:,} of {pages['considered']:,} pages, "
            f"{rows['kept']:,} of {rows['considered']:,} rows"
        )
    if answer["footers"].get("skipped"):
        footers, interval = answer["footers"], answer["row_groups"].get("kept_interval")
        between = "" if interval is None else f", {interval[0]:,} to {interval[1]:,} (95 %)"
        yield (
            f"row groups estimated from {footers['read']:,} of {footers['needed']:,} footers"
            f"{between}"
        )


def _wasted(answer: Mapping[str, Any]) -> str:
    """What the whole filter keeps where that is less than what the planner keeps."""
    potential = answer["potential"]
    less = [
        f"{potential[key]:,} {key.replace('_', ' ')}"
        for key in ("manifests", "data_files", "row_groups")
        if None not in (potential[key], answer[key]["kept"])
        and potential[key] < answer[key]["kept"]
    ]
    return ", ".join(less)


def _conjunct_table(conjuncts: Sequence[Mapping[str, Any]], *, wide: bool) -> Table:
    """Why a condition rules out nothing stands beside it, or below it where there is no room."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("condition", overflow="fold")
    table.add_column("class", no_wrap=True)
    table.add_column("pushed by")
    for heading in ("manifests", "files", "row groups"):
        table.add_column(heading, justify="right", no_wrap=True)
    if wide:
        table.add_column("why not")
    for conjunct in conjuncts:
        reasons = conjunct["reasons"].values()
        why_not = ", ".join(dict.fromkeys(reason.replace("_", " ") for reason in reasons))
        condition = Text(plain(conjunct["predicate"]))
        if why_not and not wide:
            condition.append(f"\n{why_not}", style="dim")
        table.add_row(
            condition,
            conjunct["class"],
            ", ".join(engine for engine, does in conjunct["pushed_by"].items() if does) or "–",
            *(
                _pruned(conjunct[f"{name}_pruned"])
                for name in ("manifests", "data_files", "row_groups")
            ),
            *([why_not] if wide else []),
        )
    return table


def _pruned(count: int | None) -> str:
    if count is None:
        return "?"
    return f"−{count:,}" if count else "0"


def print_run(result: AuditResult, config: AuditConfig) -> None:
    """The one-screen summary of a run."""
    console = PlainConsole()
    summary = run_summary(result)
    colour = "green" if summary["status"] == "succeeded" else "yellow"
    console.print(
        f"\n[bold]prunescope[/] {summary['window_start'][:16]} to {summary['window_end'][:16]} "
        f"UTC: [{colour}]{summary['status']}[/] in {summary['duration_seconds']:.1f} s\n"
    )
    console.print("Kept of what each pass considered, summed over all scans; most bytes first\n")
    console.print(_tables_table(summary["tables"], with_bars=console.width >= _WIDE))
    hidden = len(summary["tables"]) - _WORST_TABLES
    if hidden > 0:
        console.print(f"… and {hidden} more tables")
    _print_worst(console, result.findings)
    outcomes = ", ".join(
        f"{count:,} {name.replace('_', ' ')}" for name, count in summary["queries"].items()
    )
    console.print(f"\nqueries    {outcomes or 'none in the window'}")
    for key, style, word in _TOLD:
        for name, message in summary[key].items():
            console.print(f"[{style}]{word:10}[/] {escape(plain(name))}: {escape(plain(message))}")
    console.print(f"audit      {config.audit.catalog}.{config.audit.namespace}")
    if config.metrics.textfile:
        console.print(f"metrics    {config.metrics.textfile}")
    if config.metrics.pushgateway:
        console.print(f"metrics    pushed as job {config.metrics.job}")
    if config.report.path:
        console.print(f"report     {report_path(config.report.path, run_row(result))}")


def _print_worst(console: Console, findings: Sequence[Finding]) -> None:
    """The findings that matter most, and how many there are."""
    found = entries(reported(findings))
    console.print()
    if found:
        console.print(finding_table(found[:_WORST_FINDINGS]))
        console.print()
    console.print(tally([entry.finding for entry in found]))
    if len(found) > _WORST_FINDINGS:
        more = f"{len(found) - _WORST_FINDINGS:,} more"
        console.print(f"… {more}: prunescope findings --config … --details")


def print_published(
    published: PublishedFindings, found: Sequence[Entry], limit: int | None, *, details: bool
) -> None:
    """The first `limit` findings of a run that were asked for, and how many there are."""
    console = PlainConsole()
    console.print(
        f"{_minute(published.window_start)} to {_minute(published.window_end)} UTC, run "
        f"{published.run_id}: {published.status}\n",
        highlight=False,
    )
    shown = found[:limit]
    _print_entries(console, shown, details=details)
    console.print(tally([entry.finding for entry in found]))
    if len(found) > len(shown):
        console.print(f"… {len(found) - len(shown):,} more")
    hidden = sum(e.finding.suppressed is not None for e in published.entries)
    if hidden and not any(e.finding.suppressed is not None for e in found):
        console.print(f"{hidden:,} suppressed: --suppressed shows them")


def _minute(moment: dt.datetime) -> str:
    return f"{moment.astimezone(dt.UTC):%Y-%m-%dT%H:%M}"


def _print_entries(console: Console, found: Sequence[Entry], *, details: bool) -> None:
    if details:
        print_details(console, found)
    elif found:
        console.print(finding_table(found))
        console.print()


def print_check(check: Check, *, details: bool) -> None:
    """What checking SQL files found, and the files that were not judged."""
    console = PlainConsole()
    told = [entry for entry in check.entries if entry.finding.suppressed is None]
    _print_entries(console, told, details=details)
    console.print(tally([entry.finding for entry in told]))
    suppressed = len(check.entries) - len(told)
    if suppressed:
        console.print(f"{suppressed:,} suppressed")
    replayed = sum(file.outcome == REPLAYED for file in check.files)
    console.print(f"{replayed:,} of {len(check.files):,} files replayed")
    others = Table.grid(padding=(0, 2))
    others.add_column(no_wrap=True)
    others.add_column(overflow="fold")
    for style, files in (("yellow", check.failed), ("dim", check.passed_over)):
        for file in files:
            message = "" if file.message is None else f": {file.message}"
            others.add_row(Text(file.outcome, style=style), Text(plain(f"{file.path}{message}")))
    console.print(others)


def _tables_table(tables: Sequence[Mapping[str, Any]], *, with_bars: bool) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("table", overflow="fold")
    for heading in ("scans", "manifests", "files", "row groups", "bytes"):
        table.add_column(heading, justify="right", no_wrap=True)
    if with_bars:
        table.add_column("files kept of all", no_wrap=True)
    for row in tables[:_WORST_TABLES]:
        files = row["data_files"]
        bar = _bar(files["kept"] / files["total"]) if files["total"] else ""
        table.add_row(
            escape(plain(row["table"])),
            f"{row['scans']:,}",
            *(_kept_share(row[key]) for key in ("manifests", "data_files", "row_groups")),
            size(row["bytes"]["kept"]),
            *([bar] if with_bars else []),
        )
    return table


def _kept_share(funnel: Mapping[str, int | None]) -> str:
    considered, kept = funnel["considered"], funnel["kept"]
    if considered is None or kept is None:
        return "?"
    return f"{kept / considered:.0%}" if considered else "–"


def _bar(share: float) -> str:
    filled = round(share * _BAR)
    return "█" * filled + "░" * (_BAR - filled)


def _share(considered: int | None, kept: int | None) -> tuple[str, str]:
    if considered is None or kept is None:
        return "", "?"
    if not considered:
        return "", "–"
    return _bar(kept / considered), f"{1 - kept / considered:.0%}"


def _count(count: int | None) -> str:
    return "?" if count is None else f"{count:,}"


def run_summary(result: AuditResult) -> dict[str, Any]:
    """A run as JSON: its outcome, and per table the sums over all replayed scans, most bytes
    first. A sum is null where some scan's count is not known."""
    tables = [_table_summary(str(key), scans) for key, scans in result.sums.tables.items()]
    run = result.run
    return {
        "run_id": run.run_id,
        "status": run.status,
        "window_start": run.window.start.isoformat(),
        "window_end": run.window.end.isoformat(),
        "duration_seconds": (run.finished_at - run.started_at).total_seconds(),
        "queries": dict(sorted(run.queries.items(), key=lambda item: -item[1])),
        "tables_failed": dict(run.tables_failed),
        "tables_set_aside": dict(run.tables_set_aside),
        "tables_unmeasured": dict(run.tables_unmeasured),
        "causes_failed": dict(run.causes_failed),
        "footers_read": run.footers_read,
        "footers_unread": run.footers_unread,
        "findings": dict(Counter(f.severity.value for f in reported(result.findings))),
        "tables": sorted(tables, key=lambda row: -(row["bytes"]["kept"] or 0)),
    }


def _table_summary(name: str, sums: ScanSums) -> dict[str, Any]:
    funnels: dict[str, dict[str, int | None]] = {}
    for funnel in ("manifests", "data_files", "row_groups", "bytes", "records"):
        found = sums.passes[funnel]
        known = found.scans == sums.scans
        funnels[funnel] = {
            "total": found.total if known else None,
            "considered": found.considered if known else None,
            "kept": found.kept if known else None,
        }
    return {"table": name, "scans": sums.scans, **funnels}
