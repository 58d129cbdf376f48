"""`prunescope maintain`."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from prunescope.audit_jobs.commands.line import DONE, SOME_FAILED, examples, stop
from prunescope.audit_jobs.commands.options import config_file
from prunescope.audit_jobs.printing import print_json, tell
from prunescope.collectors.errors import PrunescopeError


@click.command(
    epilog=examples(
        "audit.md",
        "prunescope maintain --json",
    )
)
@config_file
@click.option("--json", "as_json", is_flag=True, help="Print what was done as JSON.")
def maintain(config: Path, as_json: bool) -> None:
    """Maintain the audit tables. Deletes old rows, compacts files, expires snapshots."""
    from prunescope.audit_jobs.config import load_config
    from prunescope.audit_jobs.jobs.maintain import run_maintenance
    from prunescope.audit_jobs.views.maintenance import maintained_document, maintained_line

    try:
        configuration = load_config(config)
        done = run_maintenance(configuration)
    except PrunescopeError as error:
        stop(str(error))
    if not done:
        of = configuration.audit
        tell(
            f"catalog {of.catalog!r} has no audit tables in {of.namespace}; run `prunescope audit` "
            "first, or check audit.namespace in the configuration"
        )
    for table in done:
        if table.failure is not None:
            tell(table.failure)
        elif not as_json:
            click.echo(maintained_line(table))
    if as_json:
        print_json([maintained_document(table) for table in done])
    sys.exit(DONE if all(table.failure is None for table in done) else SOME_FAILED)
