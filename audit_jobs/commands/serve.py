"""`prunescope serve`."""

from __future__ import annotations

from pathlib import Path
from typing import Unpack

import click

from prunescope.audit_jobs.commands.line import examples, stop
from prunescope.audit_jobs.commands.options import config_file
from prunescope.audit_jobs.commands.typed import ServeOptions
from prunescope.audit_jobs.startup import start_fast
from prunescope.collectors.errors import PrunescopeError


@click.command(
    epilog=examples(
        "serve.md",
        "prunescope serve",
        "prunescope serve --host 0.0.0.0 --token-file tokens --max-stale 30",
    )
)
@config_file
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen on.")
@click.option("--port", type=click.IntRange(0, 65_535), default=8788, show_default="8788")
@click.option(
    "--token-file",
    type=click.Path(path_type=Path),
    help="Bearer tokens, one a line (else: $PRUNESCOPE_SERVE_TOKEN).",
)
@click.option(
    "--tables",
    type=click.IntRange(min=1),
    default=200,
    show_default=True,
    help="Most tables to hold; the least recently used goes.",
)
@click.option(
    "--max-stale",
    type=click.FloatRange(min=1),
    default=60.0,
    show_default=True,
    help="Oldest metadata to answer from, in seconds.",
)
@click.option(
    "--max-body",
    type=click.IntRange(min=1),
    default=1 << 20,
    show_default=True,
    help="Maximum request body size, in bytes.",
)
@click.option(
    "--tls-certificate", type=click.Path(path_type=Path), help="A PEM file, to serve HTTPS."
)
@click.option("--tls-key", type=click.Path(path_type=Path), help="A PEM file with its key.")
def serve(**options: Unpack[ServeOptions]) -> None:
    """Tell over HTTP what a query would read, before it runs. Runs no query."""
    start_fast()
    from prunescope.audit_jobs.guard.server import ServeSettings, run_serve

    try:
        run_serve(ServeSettings(**options))
    except PrunescopeError as error:
        stop(str(error))
