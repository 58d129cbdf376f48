"""`prunescope collect`."""

from __future__ import annotations

from pathlib import Path
from typing import Unpack

import click

from prunescope.audit_jobs.commands.line import examples, stop
from prunescope.audit_jobs.commands.typed import CollectOptions
from prunescope.collectors.errors import PrunescopeError


@click.command(
    epilog=examples(
        "collect.md",
        "prunescope collect /var/lib/prunescope/collected",
        "prunescope collect events --host 0.0.0.0 --token-file tokens",
    )
)
@click.argument("directory", type=click.Path(path_type=Path))
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen on.")
@click.option("--port", type=click.IntRange(0, 65_535), default=8787, show_default="8787")
@click.option(
    "--token-file",
    type=click.Path(path_type=Path),
    help="Bearer tokens, one a line (else: $PRUNESCOPE_COLLECT_TOKEN).",
)
@click.option(
    "--max-body",
    type=int,
    default=16 << 20,
    show_default=True,
    help="Maximum request body size, in bytes.",
)
@click.option(
    "--rate", type=float, default=500.0, show_default=True, help="Maximum requests per second."
)
@click.option(
    "--waiting",
    type=int,
    default=64 << 20,
    show_default=True,
    help="Maximum bytes of request bodies waiting to be written.",
)
@click.option(
    "--roll-bytes",
    type=int,
    default=64 << 20,
    show_default=True,
    help="Start a new file at this size, in bytes.",
)
@click.option(
    "--roll-seconds",
    type=float,
    default=300.0,
    show_default=True,
    help="Start a new file after this many seconds.",
)
@click.option(
    "--body-seconds",
    type=float,
    default=30.0,
    show_default=True,
    help="Timeout for receiving a body, in seconds.",
)
@click.option(
    "--tls-certificate", type=click.Path(path_type=Path), help="A PEM file, to serve HTTPS."
)
@click.option("--tls-key", type=click.Path(path_type=Path), help="A PEM file with its key.")
def collect(**options: Unpack[CollectOptions]) -> None:
    """Receive Trino events and Iceberg scan reports over HTTP. Writes files in DIRECTORY."""
    from prunescope.audit_jobs.receiver.server import CollectSettings, run_collect

    try:
        run_collect(CollectSettings(**options))
    except PrunescopeError as error:
        stop(str(error))
