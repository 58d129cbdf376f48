"""`prunescope demo`."""

from __future__ import annotations

import datetime as dt
from pathlib import Path

import click

from audit_jobs.commands.line import examples, stop
from audit_jobs.commands.options import progress_options
from collectors.errors import PrunescopeError


@click.command(
    epilog=examples(
        "report.md",
        "prunescope demo",
        "prunescope demo --directory /tmp/lake",
    )
)
@click.option(
    "--directory",
    type=click.Path(path_type=Path),
    default=Path("demo"),
    show_default=True,
    help="Where to build it.",
)
@progress_options
def demo(directory: Path) -> None:
    """Build a small warehouse and a query log, audit it, and show where everything is."""
    from audit_jobs.config import load_config
    from audit_jobs.demo.setup import prepare
    from audit_jobs.demo.warehouse import DAY
    from audit_jobs.jobs.nightly import STAGES, run_nightly
    from audit_jobs.records import Window
    from audit_jobs.views.run_text import print_run
    from audit_jobs.views.stages import stages

    click.echo(f"Building a warehouse and a query log in {directory}/ …", err=True)
    start = dt.datetime.combine(DAY, dt.time(), dt.UTC)
    try:
        written = prepare(directory)
        config = load_config(written)
        with stages(STAGES) as progress:
            result = run_nightly(config, Window(start, start + dt.timedelta(days=1)), progress)
    except PrunescopeError as error:
        stop(str(error))
    print_run(result, config)
    click.echo(
        f"\nThe log holds broken queries on purpose: hence the failures above.\n"
        f"config     {written}\n"
        f"run again  prunescope audit --config {written} --window-start {DAY.isoformat()}"
    )
