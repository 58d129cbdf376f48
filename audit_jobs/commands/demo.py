"""`prunescope demo`."""

from __future__ import annotations

import datetime as dt
import shlex
from pathlib import Path
from typing import TYPE_CHECKING

import click

from prunescope.audit_jobs.commands.line import DOCUMENTATION, examples, stop
from prunescope.audit_jobs.commands.options import progress_options
from prunescope.collectors.errors import PrunescopeError
from prunescope.collectors.safe_text import plain

if TYPE_CHECKING:
    from prunescope.audit_jobs.config import AuditConfig
    from prunescope.audit_jobs.exporter.listening import Server


@click.command(
    epilog=examples(
        "demo.md",
        "prunescope demo",
        "prunescope demo --directory /tmp/lake --serve --port 8080",
    )
)
@click.option(
    "--directory",
    type=click.Path(path_type=Path),
    default=Path("demo"),
    show_default=True,
    help="Where to build it.",
)
@click.option("--serve", is_flag=True, help="Then serve the report and metrics until interrupted.")
@click.option(
    "--port",
    type=click.IntRange(0, 65_535),
    help="The port of --serve, on this machine (default: any).",
)
@progress_options
def demo(directory: Path, serve: bool, port: int | None) -> None:
    """Build and audit a small lakehouse with one day of queries."""
    from prunescope.audit_jobs.demo.serving import HOST
    from prunescope.audit_jobs.exporter.listening import Server

    if not serve:
        if port is not None:
            stop("--port is where --serve serves; give both")
        _audit(directory)
        return
    try:
        server = Server(HOST, port or 0)  # first: a port that is taken is told at once
    except PrunescopeError as error:
        stop(str(error))
    with server:
        _serve(server, _audit(directory))


def _audit(directory: Path) -> AuditConfig:
    """Builds the demo, audits it and tells what was found; its configuration."""
    from prunescope.audit_jobs.config import load_config
    from prunescope.audit_jobs.demo.next_steps import next_steps, program
    from prunescope.audit_jobs.demo.setup import CONFIG, prepare
    from prunescope.audit_jobs.demo.warehouse import DAY
    from prunescope.audit_jobs.extras import require
    from prunescope.audit_jobs.records import Window
    from prunescope.audit_jobs.views.run_text import print_run
    from prunescope.audit_jobs.views.stages import stages

    start = dt.datetime.combine(DAY, dt.time(), dt.UTC)
    try:
        require("audit")
        from prunescope.audit_jobs.jobs.nightly import STAGES, run_nightly

        click.echo(f"Building a warehouse and a query log in {directory}/ …", err=True)
        config = load_config(prepare(directory))
        with stages(STAGES) as progress:
            result = run_nightly(config, Window(start, start + dt.timedelta(days=1)), progress)
    except PrunescopeError as error:
        stop(str(error))
    path = directory / CONFIG
    print_run(result, config, path)
    again = f"audit --config {shlex.quote(str(path))} --window {DAY.isoformat()}"
    click.echo(
        "\nThe demo log contains broken queries, so the failures above are expected.\n"
        f"config     {plain(str(path))}\n"
        f"run again  {plain(f'{program()} {again}')}\n"
        "\nTry next:"
    )
    for step in next_steps(path):
        click.echo(f"\n{step.shows}\n  {plain(step.command)}")
    return config


def _serve(server: Server, config: AuditConfig) -> None:
    """Serves what was found, and tells where."""
    from prunescope.audit_jobs.demo.serving import HOST, serve_found
    from prunescope.audit_jobs.exporter.listening import ends_at_signals

    ends_at_signals(server)
    address = f"http://{HOST}:{server.server_port}"
    click.echo(
        "\nServing on this machine until Ctrl-C:\n"
        f"report      {address}/\n"
        f"metrics     {address}/metrics\n"
        f"dashboards  for a Grafana whose Prometheus scrapes these: {DOCUMENTATION}/demo.md"
    )
    serve_found(server, config)
