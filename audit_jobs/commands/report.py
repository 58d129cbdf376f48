"""`prunescope report`."""

from __future__ import annotations

from pathlib import Path

import click

from prunescope.audit_jobs.commands.line import examples, stop
from prunescope.audit_jobs.commands.options import config_file
from prunescope.audit_jobs.startup import start_fast
from prunescope.collectors.errors import PrunescopeError
from prunescope.collectors.safe_text import plain, without_credentials


@click.command(
    epilog=examples(
        "report.md",
        "prunescope report --output report.html",
    )
)
@config_file
@click.option("--run", "run_id", help="The run's id (default: the run of the newest window).")
@click.option("--output", metavar="FILE", help="The file to write (default: report.path).")
def report(config: Path, run_id: str | None, output: str | None) -> None:
    """Regenerate the HTML report of an audit from the audit tables."""
    start_fast()
    from dataclasses import replace

    from prunescope.audit_jobs.config import load_config
    from prunescope.audit_jobs.report.write import write_report
    from prunescope.audit_jobs.sinks.published_history import history_or_none
    from prunescope.audit_jobs.sinks.published_run import read_run
    from prunescope.collectors.tables.catalog import load_in_time

    try:
        audit = load_config(config)
        path = output or audit.report.path
        if path is None:
            stop(f"say where with --output, or with report.path in {config}")
        name = audit.audit.catalog
        catalog = load_in_time(name, audit.catalogs[name].properties)
        rows = read_run(catalog, audit.audit.namespace, run_id)
        history = history_or_none(catalog, audit.audit.namespace, rows.run["window_start"])
        told = replace(rows, history=history)
        written = write_report(told, path, has_literals=audit.literals == "keep")
    except PrunescopeError as error:
        stop(str(error))
    click.echo(plain(without_credentials(str(written))))
