"""The `prunescope` command."""

from __future__ import annotations

import datetime as dt
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from audit_jobs.command_inputs import open_table, planner_named, session_of
from audit_jobs.command_line import (
    DONE,
    SOME_FAILED,
    Commands,
    Instant,
    PathMapping,
    stop,
)
from audit_jobs.printing import print_json, tell
from collectors.errors import PrunescopeError
from collectors.plain import plain, without_credentials

if TYPE_CHECKING:
    from collections.abc import Callable

SEVERITIES = ("critical", "high", "medium", "low", "info")
"""Those of `audit_jobs.findings.model.Severity`."""


@click.group(
    cls=Commands,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(package_name="prunescope")
def main() -> None:
    """Tell where Apache Iceberg scans lose their pruning, why, and what fixes it."""


config_file = click.option(
    "--config",
    type=click.Path(path_type=Path),
    default=Path("audit.yaml"),
    show_default=True,
    help="The configuration.",
)


@main.command()
@config_file
@click.option("--window-start", type=Instant(), help="Start (default: midnight UTC, yesterday).")
@click.option("--window-end", type=Instant(), help="End, exclusive (default: a day later).")
@click.option(
    "--replace-overlapping",
    is_flag=True,
    help="Remove runs whose windows overlap this one in part, or hold it.",
)
@click.option("--json", "as_json", is_flag=True, help="Print the run's summary as JSON.")
def audit(
    config: Path,
    window_start: dt.datetime | None,
    window_end: dt.datetime | None,
    replace_overlapping: bool,
    as_json: bool,
) -> None:
    """Audit the queries of a window of time: the nightly job."""
    from audit_jobs.errors import GateClosed, WindowTaken  # noqa: PLC0415
    from audit_jobs.jobs.nightly import run_nightly  # noqa: PLC0415
    from audit_jobs.records import Window  # noqa: PLC0415

    start = window_start or _midnight(dt.datetime.now(dt.UTC)) - dt.timedelta(days=1)
    end = window_end or start + dt.timedelta(days=1)
    if end <= start:
        stop(f"the window ends ({end.isoformat()}) before it starts ({start.isoformat()})")
    try:
        clean = run_nightly(
            config, Window(start, end), as_json=as_json, replace_overlapping=replace_overlapping
        )
    except (GateClosed, WindowTaken) as error:
        tell(error)
        sys.exit(SOME_FAILED)
    except PrunescopeError as error:
        stop(str(error))
    sys.exit(DONE if clean else SOME_FAILED)


@main.command()
@config_file
@click.option("--json", "as_json", is_flag=True, help="Print what was done as JSON.")
def maintain(config: Path, as_json: bool) -> None:
    """Keep the audit tables small: drop old rows, make small files one, expire snapshots."""
    from audit_jobs.jobs.maintain import run_maintenance  # noqa: PLC0415

    try:
        clean = run_maintenance(config, as_json=as_json)
    except PrunescopeError as error:
        stop(str(error))
    sys.exit(DONE if clean else SOME_FAILED)


@main.command()
@click.argument("table", required=False)
@click.option("--metadata", help="A table metadata file, instead of TABLE in a catalog.")
@click.option("--catalog", default="default", help="The PyIceberg catalog of TABLE.")
@click.option(
    "--config",
    type=click.Path(path_type=Path),
    help="audit.yaml; TABLE is then catalog.namespace.table of its catalogs.",
)
@click.option("--where", help="A SQL condition over the table's columns.")
@click.option("--sql", help="A whole query that reads the table.")
@click.option(
    "--where-file",
    type=click.File("r"),
    help='JSON lines: {"id", "where", "dialect"} or {"id", "sql", "dialect"}.',
)
@click.option(
    "--dialect",
    default="trino",
    show_default=True,
    help="SQL dialect of --sql, --where, and lines of --where-file without one.",
)
@click.option(
    "--planner",
    metavar="ENGINE[-VERSION][/ICEBERG]",
    help="Plan only what this engine pushes down, by its rules: trino-482, spark-3.5/1.9.2, …",
)
@click.option("--snapshot", type=int, help="A snapshot id.")
@click.option("--ref", help="A branch or tag.")
@click.option("--as-of", type=Instant(), help="The snapshot that was current at this time.")
@click.option(
    "--path-map", type=PathMapping(), multiple=True, help="Read locations under FROM at TO."
)
@click.option(
    "--max-footers", type=click.IntRange(1), help="Read a sample of so many Parquet footers."
)
@click.option("--list-files", is_flag=True, help="List the data files that are kept.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON, one line a query.")
def explain(**options: Any) -> None:
    """Explain how far one query's filter prunes TABLE, pass by pass."""
    from audit_jobs.startup import leave_out_pandas  # noqa: PLC0415

    leave_out_pandas()
    from audit_jobs import explain as explaining  # noqa: PLC0415

    asked = [key for key in ("where", "sql", "where_file") if options[key] is not None]
    if len(asked) != 1:
        stop("give one of --where, --sql and --where-file")
    if sum(options[key] is not None for key in ("snapshot", "ref", "as_of")) > 1:
        stop("give at most one of --snapshot, --ref and --as-of")
    if options["where_file"] is not None:
        questions = [
            explaining.parse_question(line, number, options["dialect"])
            for number, line in enumerate(options["where_file"], start=1)
            if line.strip()
        ]
    else:
        questions = [
            explaining.Question(None, options["where"], options["sql"], options["dialect"])
        ]
    try:
        table = open_table(options)
        snapshot = explaining.choose_snapshot(
            table,
            explaining.SnapshotChoice(options["snapshot"], options["ref"], options["as_of"]),
        )
        answers = explaining.explain(
            table,
            snapshot,
            questions,
            planner=planner_named(options["planner"]),
            list_files=options["list_files"],
            max_footers=options["max_footers"],
        )
    except PrunescopeError as error:
        stop(str(error))
    if options["as_json"] or options["where_file"] is not None:
        for answer in answers:
            print_json(answer)
    else:
        from audit_jobs.terminal import print_answer  # noqa: PLC0415

        for answer in answers:
            print_answer(answer)
    replayed = all(answer["outcome"] == "replayed" for answer in answers)
    sys.exit(DONE if replayed else SOME_FAILED)


def finding_output(command: Callable[..., None]) -> Callable[..., None]:
    """The options by which a command that lists findings shows them."""
    for option in (
        click.option("--details", is_flag=True, help="Evidence and SQL of each."),
        click.option("--sarif", "as_sarif", is_flag=True, help="Print SARIF 2.1.0."),
        click.option("--json", "as_json", is_flag=True, help="Print JSON."),
    ):
        command = option(command)
    return command


@main.command()
@click.option(
    "--sql-dir",
    "directory",
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    required=True,
    help="Where the *.sql are, at any depth: of dbt, target/compiled.",
)
@config_file
@click.option("--select", multiple=True, metavar="GLOB", help="Only files of these paths.")
@click.option("--dialect", help="SQL dialect (default: the engine's, else trino).")
@click.option(
    "--engine",
    metavar="ENGINE[-VERSION][/ICEBERG]",
    help="What will run the SQL: spark-3.5/1.9.2, trino-482, … (default: the dialect's).",
)
@click.option("--catalog", help="For names that leave it out (default: the only one configured).")
@click.option("--schema", help="For names that leave it out.")
@click.option(
    "--fail-on",
    type=click.Choice(SEVERITIES),
    default="high",
    show_default=True,
    help="Exit with 1 if there is a finding as severe as this.",
)
@finding_output
def check(directory: Path, config: Path, fail_on: str, **options: Any) -> None:
    """Check SQL files before they ship: what they would read too much, and why."""
    from audit_jobs.startup import leave_out_pandas  # noqa: PLC0415

    leave_out_pandas()
    from audit_jobs.finding_views.sarif import sarif  # noqa: PLC0415
    from audit_jobs.findings.model import Severity  # noqa: PLC0415
    from audit_jobs.jobs.check import STAGES, check_document, run_check  # noqa: PLC0415
    from audit_jobs.terminal import print_check, stages  # noqa: PLC0415

    _one_format(options)
    quiet = options["as_json"] or options["as_sarif"]
    try:
        with stages(STAGES, quiet=quiet) as progress:
            checked = run_check(
                config, directory, session_of(options), select=options["select"], progress=progress
            )
    except PrunescopeError as error:
        stop(str(error))
    if options["as_json"]:
        print_json(check_document(checked))
    elif options["as_sarif"]:
        print_json(sarif(checked.entries, directory, checked.failed), indent=2)
    else:
        print_check(checked, details=options["details"])
    clean = not checked.failed and not checked.at_least(Severity(fail_on))
    sys.exit(DONE if clean else SOME_FAILED)


@main.command()
@config_file
@click.option("--run", "run_id", help="The run (default: the one that finished last).")
@click.option("--table", metavar="GLOB", help="Only of these catalog.namespace.table.")
@click.option("--cause", metavar="ID", help="Only of this cause.")
@click.option(
    "--severity",
    type=click.Choice(SEVERITIES),
    default="info",
    show_default=True,
    help="Only as severe as this.",
)
@click.option("--fingerprint", help="Only of these queries.")
@click.option("--suppressed", is_flag=True, help="Those that are suppressed as well.")
@click.option("--limit", type=click.IntRange(1), help="Only so many, most at stake first.")
@finding_output
def findings(config: Path, run_id: str | None, limit: int | None, **options: Any) -> None:
    """List what an audit found: why scans read too much, and what fixes it."""
    from audit_jobs.startup import leave_out_pandas  # noqa: PLC0415

    leave_out_pandas()
    from audit_jobs.config import load_config  # noqa: PLC0415
    from audit_jobs.finding_views.entries import Selection, document  # noqa: PLC0415
    from audit_jobs.finding_views.sarif import sarif  # noqa: PLC0415
    from audit_jobs.findings.catalogue import BY_ID  # noqa: PLC0415
    from audit_jobs.findings.model import Severity  # noqa: PLC0415
    from audit_jobs.sinks.published_findings import read_findings  # noqa: PLC0415
    from audit_jobs.terminal import print_published  # noqa: PLC0415
    from collectors.tables.catalog import load_catalog  # noqa: PLC0415

    _one_format(options)
    cause = options["cause"]
    if cause is not None and cause not in BY_ID:
        stop(f"there is no cause {cause!r}; known: {', '.join(BY_ID)}")
    selection = Selection(
        options["table"],
        cause,
        Severity(options["severity"]),
        options["fingerprint"],
        options["suppressed"],
    )
    try:
        audit = load_config(config)
        name = audit.audit.catalog
        catalog = load_catalog(name, audit.catalogs[name].properties)
        published = read_findings(catalog, audit.audit.namespace, run_id)
    except PrunescopeError as error:
        stop(str(error))
    selected = [entry for entry in published.entries if selection.takes(entry.finding)]
    shown = selected[:limit]
    if options["as_json"]:
        for entry in shown:
            found = {"run_id": published.run_id, **document(entry)}
            print_json(found)
    elif options["as_sarif"]:
        print_json(sarif(shown), indent=2)
    else:
        print_published(published, selected, limit, details=options["details"])


@main.command()
@config_file
@click.option("--run", "run_id", help="The run (default: the one that finished last).")
@click.option("--output", metavar="FILE", help="Where to write it (default: its report.path).")
def report(config: Path, run_id: str | None, output: str | None) -> None:
    """Write the report of an audit again: one HTML file, from the audit tables."""
    from audit_jobs.startup import leave_out_pandas  # noqa: PLC0415

    leave_out_pandas()
    from audit_jobs.config import load_config  # noqa: PLC0415
    from audit_jobs.report.write import write_report  # noqa: PLC0415
    from audit_jobs.sinks.published_run import read_run  # noqa: PLC0415
    from collectors.tables.catalog import load_catalog  # noqa: PLC0415

    try:
        audit = load_config(config)
        path = output or audit.report.path
        if path is None:
            stop(f"say where with --output, or with report.path in {config}")
        name = audit.audit.catalog
        catalog = load_catalog(name, audit.catalogs[name].properties)
        written = write_report(read_run(catalog, audit.audit.namespace, run_id), path)
    except PrunescopeError as error:
        stop(str(error))
    click.echo(plain(without_credentials(str(written))))


@main.command()
@config_file
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen on.")
@click.option("--port", type=click.IntRange(0, 65_535), default=9898, show_default=True)
@click.option(
    "--refresh",
    type=click.FloatRange(min=1),
    default=300.0,
    show_default=True,
    help="Seconds between reads of the audit tables.",
)
def export(**options: Any) -> None:
    """Serve the metrics of the latest run, from the audit tables, for Prometheus to scrape."""
    from audit_jobs.startup import leave_out_pandas  # noqa: PLC0415

    leave_out_pandas()
    from audit_jobs.exporter.server import ExportSettings, run_export  # noqa: PLC0415

    try:
        run_export(ExportSettings(**options))
    except PrunescopeError as error:
        stop(str(error))


@main.command()
@click.argument("directory", type=click.Path(path_type=Path))
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen on.")
@click.option("--port", type=click.IntRange(0, 65_535), default=8787, show_default="8787")
@click.option(
    "--token-file",
    type=click.Path(path_type=Path),
    help="Bearer tokens, one a line (else: $PRUNESCOPE_COLLECT_TOKEN).",
)
@click.option(
    "--max-body", type=int, default=16 << 20, show_default=True, help="Bytes of one body."
)
@click.option("--rate", type=float, default=500.0, show_default=True, help="Requests a second.")
@click.option("--waiting", type=int, default=64 << 20, show_default=True, help="Bytes held.")
@click.option(
    "--roll-bytes", type=int, default=64 << 20, show_default=True, help="Bytes of one file."
)
@click.option(
    "--roll-seconds", type=float, default=300.0, show_default=True, help="Age of one file."
)
@click.option(
    "--body-seconds", type=float, default=30.0, show_default=True, help="Time for one body."
)
@click.option("--tls-certificate", type=click.Path(path_type=Path), help="PEM file, for HTTPS.")
@click.option("--tls-key", type=click.Path(path_type=Path), help="PEM file.")
def collect(**options: Any) -> None:
    """Receive Trino's query events and Iceberg's scan reports into files under DIRECTORY."""
    from audit_jobs.receiver.server import CollectSettings, run_collect  # noqa: PLC0415

    try:
        run_collect(CollectSettings(**options))
    except PrunescopeError as error:
        stop(str(error))


@main.command()
@click.option(
    "--directory",
    type=click.Path(path_type=Path),
    default=Path("demo"),
    show_default=True,
    help="Where to build it.",
)
def demo(directory: Path) -> None:
    """Build a small warehouse and a query log, audit it, and show where everything is."""
    from audit_jobs.demo.run import run_demo  # noqa: PLC0415

    try:
        run_demo(directory)
    except PrunescopeError as error:
        stop(str(error))


def _one_format(options: dict[str, Any]) -> None:
    if options["as_json"] and options["as_sarif"]:
        stop("give at most one of --json and --sarif")


def _midnight(moment: dt.datetime) -> dt.datetime:
    return moment.replace(hour=0, minute=0, second=0, microsecond=0)


if __name__ == "__main__":
    main()
