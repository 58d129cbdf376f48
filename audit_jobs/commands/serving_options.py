"""Options of the commands that hold tables and listen."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from prunescope.audit_jobs.commands.options import config_file


def serving_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Adds the options of ServeOptions to a command."""
    for option in reversed(_OPTIONS):
        function = option(function)
    return function


_OPTIONS = (
    config_file,
    click.option(
        "--host", default="127.0.0.1", show_default=True, help="The address to listen on."
    ),
    click.option("--port", type=click.IntRange(0, 65_535), default=8788, show_default="8788"),
    click.option(
        "--token-file",
        type=click.Path(path_type=Path),
        help="Bearer tokens, one a line (else: $PRUNESCOPE_SERVE_TOKEN).",
    ),
    click.option(
        "--tables",
        type=click.IntRange(min=1),
        default=200,
        show_default=True,
        help="Most tables to hold; the least recently used goes.",
    ),
    click.option(
        "--max-stale",
        type=click.FloatRange(min=1),
        default=60.0,
        show_default=True,
        help="Oldest metadata to answer from, in seconds.",
    ),
    click.option(
        "--max-body",
        type=click.IntRange(min=1),
        default=1 << 20,
        show_default=True,
        help="Maximum request body size, in bytes.",
    ),
    click.option(
        "--tls-certificate", type=click.Path(path_type=Path), help="A PEM file, to serve HTTPS."
    ),
    click.option("--tls-key", type=click.Path(path_type=Path), help="A PEM file with its key."),
)
