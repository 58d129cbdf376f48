"""`prunescope export`."""

from __future__ import annotations

from pathlib import Path

import click

from prunescope.audit_jobs.commands.line import examples, stop
from prunescope.audit_jobs.commands.options import config_file
from prunescope.audit_jobs.startup import start_fast
from prunescope.collectors.errors import PrunescopeError


@click.command(
    epilog=examples(
        "metrics.md",
        "prunescope export --port 9898",
    )
)
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
def export(config: Path, host: str, port: int, refresh: float) -> None:
    """Serve the metrics of the latest run to Prometheus. They come from the audit tables."""
    start_fast()
    from prunescope.audit_jobs.exporter.server import ExportSettings, run_export

    try:
        run_export(ExportSettings(config, host, port, refresh))
    except PrunescopeError as error:
        stop(str(error))
