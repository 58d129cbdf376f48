"""`prunescope doctor`."""

from __future__ import annotations

import datetime as dt
import sys
from pathlib import Path

import click

from prunescope.audit_jobs.commands.line import DONE, SOME_FAILED, examples, stop
from prunescope.audit_jobs.commands.options import config_file
from prunescope.audit_jobs.printing import print_json
from prunescope.collectors.errors import PrunescopeError


@click.command(
    epilog=examples(
        "doctor.md",
        "prunescope doctor",
        "prunescope doctor --no-spark --last 24h --json",
    )
)
@config_file
@click.option(
    "--last", default="7d", show_default=True, help="How far back queries are counted: 24h, 7d."
)
@click.option("--no-spark", is_flag=True, help="Do not start Spark, which takes some seconds.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON, one line a check.")
def doctor(config: Path, last: str, no_spark: bool, as_json: bool) -> None:
    """Check that an audit can run. Shows how to fix each problem."""
    from prunescope.audit_jobs.config import load_config
    from prunescope.audit_jobs.doctor.model import State
    from prunescope.audit_jobs.doctor.run import examine
    from prunescope.audit_jobs.records import Window
    from prunescope.audit_jobs.views.checks import check_document, print_check
    from prunescope.audit_jobs.views.console import PlainConsole
    from prunescope.audit_jobs.windows import latest

    try:
        configuration = load_config(config)
        now = dt.datetime.now(dt.UTC)
        # To the second: the queries of this very minute may be all there are.
        minutes = latest(last, now)
        window = Window(minutes.start + (now - minutes.end), now)
    except PrunescopeError as error:
        stop(str(error))
    console = PlainConsole()
    is_well = True
    for check in examine(configuration, window, spark=not no_spark):
        is_well = is_well and check.state is not State.FAILED
        if as_json:
            print_json(check_document(check))
        else:
            print_check(console, check)
    sys.exit(DONE if is_well else SOME_FAILED)
