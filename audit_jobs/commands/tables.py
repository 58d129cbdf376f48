"""`prunescope tables`."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from prunescope.audit_jobs.commands import completed
from prunescope.audit_jobs.commands.line import DONE, SOME_FAILED, examples, stop
from prunescope.audit_jobs.commands.options import config_file, progress_options
from prunescope.audit_jobs.printing import print_json, tell
from prunescope.audit_jobs.startup import start_fast
from prunescope.collectors.errors import PrunescopeError


@click.command(
    epilog=examples(
        "tables.md",
        "prunescope tables",
        "prunescope tables 'lake.sales.*' --limit 20 --json",
    )
)
@click.argument("pattern", default="*", shell_complete=completed.tables)
@config_file
@click.option("--limit", type=click.IntRange(1), help="Show the N tables with most to fix.")
@progress_options
@click.option("--json", "as_json", is_flag=True, help="Print JSON, one line a table.")
def tables(pattern: str, config: Path, limit: int | None, as_json: bool) -> None:
    """Show table health: small files, deletes, clustering. Needs no query log.

    PATTERN is a glob over catalog.namespace.table, such as 'lake.sales.*'.
    """
    start_fast()
    from prunescope.audit_jobs.config import load_tables_config
    from prunescope.audit_jobs.jobs.survey import STAGES, survey
    from prunescope.audit_jobs.views.stages import stages
    from prunescope.audit_jobs.views.table_health import print_tables
    from prunescope.audit_jobs.views.table_json import table_document

    try:
        configuration = load_tables_config(config)
        with stages(STAGES, quiet=as_json) as progress:
            found = survey(configuration, pattern, progress)
    except PrunescopeError as error:
        stop(str(error))
    for why in found.unlisted:
        tell(why)
    if as_json:
        for one in found.tables[:limit]:
            print_json(table_document(one))
    else:
        print_tables(found.tables, limit)
    is_whole = not found.unlisted and all(one.failure is None for one in found.tables)
    sys.exit(DONE if is_whole else SOME_FAILED)
