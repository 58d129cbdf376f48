"""`prunescope advise`."""

from __future__ import annotations

import datetime as dt
import sys
from pathlib import Path
from typing import Unpack

import click

from prunescope.audit_jobs.commands import completed
from prunescope.audit_jobs.commands.inputs import window_of
from prunescope.audit_jobs.commands.line import DONE, NOTHING_DONE, SOME_FAILED, examples, stop
from prunescope.audit_jobs.commands.options import config_file, progress_options, window_options
from prunescope.audit_jobs.commands.typed import WindowOptions
from prunescope.audit_jobs.printing import print_json, tell
from prunescope.audit_jobs.startup import start_fast
from prunescope.collectors.errors import PrunescopeError


@click.command(
    epilog=examples(
        "advice.md",
        "prunescope advise --last 30d",
        "prunescope advise 'lake.shop.*' --window 2026-03-01/2026-04-01 --details",
        "prunescope advise lake.shop.orders --last 30d --json",
    )
)
@click.argument("tables", nargs=-1, metavar="[TABLE]...", shell_complete=completed.tables)
@config_file
@window_options
@progress_options
@click.option("--details", is_flag=True, help="Also show SQL for Spark and Trino, and evidence.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def advise(
    tables: tuple[str, ...],
    config: Path,
    details: bool,
    as_json: bool,
    **options: Unpack[WindowOptions],
) -> None:
    """Recommend what to change in each table. Audits part of the log and publishes nothing.

    TABLE is a catalog.namespace.table name, or a glob. Default: all tables in the log.
    """
    start_fast()
    from prunescope.audit_jobs.api.advising import advised
    from prunescope.audit_jobs.config import load_config
    from prunescope.audit_jobs.jobs.advise import STAGES
    from prunescope.audit_jobs.views.advice_json import advice_document
    from prunescope.audit_jobs.views.advice_text import print_advice
    from prunescope.audit_jobs.views.stages import stages

    try:
        window = window_of(options, dt.datetime.now(dt.UTC))
        configuration = load_config(config)
        with stages(STAGES, quiet=as_json) as progress:
            found, notes = advised(configuration, window, tables, progress)
    except PrunescopeError as error:
        stop(str(error))
    for note in notes:
        tell(note)
    literals = configuration.literals == "keep"
    if as_json:
        print_json(advice_document(found, literals=literals))
    else:
        print_advice(found, tables, details=details, literals=literals)
    if not found.tables:
        sys.exit(NOTHING_DONE)
    sys.exit(SOME_FAILED if found.failed else DONE)
