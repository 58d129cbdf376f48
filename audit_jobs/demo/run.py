"""The demo: a small warehouse, a day of queries, their audit, and where to look."""

from __future__ import annotations

import datetime as dt
from pathlib import Path

import click

from audit_jobs.demo.setup import prepare
from audit_jobs.demo.warehouse import DAY
from audit_jobs.jobs.nightly import run_nightly
from audit_jobs.records import Window


def run_demo(directory: Path) -> None:
    """Builds the demo in `directory` and audits it, as the nightly job would.

    The query log holds broken queries on purpose, so the run ends as `partial`. Raises
    BadConfiguration if the directory holds anything else than an earlier demo.
    """
    click.echo(f"Building a warehouse and a query log in {directory}/ …", err=True)
    config = prepare(directory)
    start = dt.datetime.combine(DAY, dt.time(), dt.UTC)
    run_nightly(config, Window(start, start + dt.timedelta(days=1)))
    click.echo(
        f"\nThe log holds broken queries on purpose: hence the failures above.\n"
        f"config     {config}\n"
        f"run again  prunescope audit --config {config} --window-start {DAY.isoformat()}"
    )
