"""`prunescope serve`."""

from __future__ import annotations

from typing import Unpack

import click

from prunescope.audit_jobs.commands.line import examples, stop
from prunescope.audit_jobs.commands.serving_options import serving_options
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
@serving_options
def serve(**options: Unpack[ServeOptions]) -> None:
    """Tell over HTTP what a query would read, before it runs. Runs no query."""
    start_fast()
    from prunescope.audit_jobs.guard.server import ServeSettings, run_serve

    try:
        run_serve(ServeSettings(**options))
    except PrunescopeError as error:
        stop(str(error))
