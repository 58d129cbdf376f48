"""`prunescope audit`."""

from __future__ import annotations

import datetime as dt
import sys
from pathlib import Path

import click

from audit_jobs.commands.line import DONE, SOME_FAILED, stop
from audit_jobs.commands.options import Instant, config_file
from audit_jobs.printing import print_json, tell
from collectors.errors import PrunescopeError


@click.command()
@config_file
@click.option("--window-start", type=Instant(), help="Start (default: midnight UTC, yesterday).")
@click.option("--window-end", type=Instant(), help="End, exclusive (default: a day later).")
@click.option(
    "--replace-overlapping",
    is_flag=True,
    help="Remove runs whose windows overlap this one in part, or hold it.",
)
@click.option("--json", "as_json", is_flag=True, help="Print the run's summary as JSON.")
def audit(
    config: Path,
    window_start: dt.datetime | None,
    window_end: dt.datetime | None,
    replace_overlapping: bool,
    as_json: bool,
) -> None:
    """Audit the queries of a window of time: the nightly job."""
    from audit_jobs.config import load_config
    from audit_jobs.errors import GateClosed, WindowTaken
    from audit_jobs.jobs.nightly import STAGES, run_nightly
    from audit_jobs.records import Window
    from audit_jobs.views.run_json import run_document
    from audit_jobs.views.run_text import print_run
    from audit_jobs.views.stages import stages

    start = window_start or _midnight(dt.datetime.now(dt.UTC)) - dt.timedelta(days=1)
    end = window_end or start + dt.timedelta(days=1)
    if end <= start:
        stop(f"the window ends ({end.isoformat()}) before it starts ({start.isoformat()})")
    try:
        configuration = load_config(config)
        with stages(STAGES, quiet=as_json) as progress:
            result = run_nightly(
                configuration,
                Window(start, end),
                progress,
                replace_overlapping=replace_overlapping,
            )
    except (GateClosed, WindowTaken) as error:
        tell(error)
        sys.exit(SOME_FAILED)
    except PrunescopeError as error:
        stop(str(error))
    if as_json:
        print_json(run_document(result))
    else:
        print_run(result, configuration)
    sys.exit(DONE if result.run.status == "succeeded" else SOME_FAILED)


def _midnight(moment: dt.datetime) -> dt.datetime:
    return moment.replace(hour=0, minute=0, second=0, microsecond=0)
