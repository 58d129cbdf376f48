"""`prunescope compare`."""

from __future__ import annotations

import datetime as dt
import sys
from pathlib import Path
from typing import Unpack

import click

from prunescope.audit_jobs.commands import completed
from prunescope.audit_jobs.commands.inputs import planned_by, window_of
from prunescope.audit_jobs.commands.line import DONE, NOTHING_DONE, SOME_FAILED, examples, stop
from prunescope.audit_jobs.commands.options import config_file, progress_options, window_options
from prunescope.audit_jobs.commands.typed import WindowOptions
from prunescope.audit_jobs.printing import print_json
from prunescope.audit_jobs.startup import start_fast
from prunescope.collectors.errors import PrunescopeError

FLOOR = "floor"
"""The name of what the statistics allow, in place of a second planner."""


@click.command(
    epilog=examples(
        "compare.md",
        "prunescope compare --planner spark-3.5/1.9.2 --with spark-4.1/1.12.0 --last 7d",
        "prunescope compare --planner spark-3.5 --with trino-483 --window 2026-03-10",
        "prunescope compare --planner trino-483 --with floor --last 24h --json",
    )
)
@config_file
@click.option(
    "--planner",
    required=True,
    metavar="ENGINE[-VERSION][/ICEBERG]",
    shell_complete=completed.planners,
    help="Planner now.",
)
@click.option(
    "--with",
    "other",
    required=True,
    metavar="ENGINE[-VERSION][/ICEBERG]|floor",
    shell_complete=completed.planners,
    help="Planner to compare with, or what the statistics allow.",
)
@window_options
@progress_options
@click.option("--limit", type=click.IntRange(min=0), default=20, show_default=True)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def compare(
    config: Path,
    planner: str,
    other: str,
    limit: int,
    as_json: bool,
    **options: Unpack[WindowOptions],
) -> None:
    """Preview an upgrade: compare what two planners keep of a window.

    The queries are those of the engine of --planner. Needs no Spark, and publishes nothing.
    """
    start_fast()
    from prunescope.audit_jobs.config import load_config
    from prunescope.audit_jobs.jobs.compare import STAGES, run_compare
    from prunescope.audit_jobs.planning.runner import LocalRunner
    from prunescope.audit_jobs.views.compare_text import compared_document, print_compared
    from prunescope.audit_jobs.views.stages import stages

    try:
        before = planned_by(planner)
        after = None if other.lower() == FLOOR else planned_by(other, before.engine)
        window = window_of(options, dt.datetime.now(dt.UTC))
        configuration = load_config(config)
        with stages(STAGES, quiet=as_json) as progress:
            found = run_compare(configuration, window, before, after, LocalRunner(), progress)
    except PrunescopeError as error:
        stop(str(error))
    if as_json:
        print_json(compared_document(found))
    else:
        print_compared(found, limit)
    if not found.tables:
        sys.exit(NOTHING_DONE)
    sys.exit(SOME_FAILED if found.failed else DONE)
