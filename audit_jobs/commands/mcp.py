"""`prunescope mcp`."""

from __future__ import annotations

from typing import Any

import click

from prunescope.audit_jobs.commands.line import examples, stop
from prunescope.audit_jobs.commands.serving_options import serving_options
from prunescope.audit_jobs.startup import start_fast
from prunescope.collectors.errors import PrunescopeError


@click.command(
    epilog=examples(
        "mcp.md",
        "prunescope mcp --config audit.yaml",
        "prunescope mcp --http --port 8789",
    )
)
@serving_options
@click.option("--http", "over_http", is_flag=True, help="Serve /mcp over HTTP, instead of stdio.")
def mcp(over_http: bool, **options: Any) -> None:
    """Serve read-only tools to agents, by the Model Context Protocol. Runs no query."""
    start_fast()
    from prunescope.audit_jobs.guard.server import ServeSettings, run_tools

    try:
        run_tools(ServeSettings(**options), over_http=over_http)
    except PrunescopeError as error:
        stop(str(error))
