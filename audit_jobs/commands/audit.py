"""`prunescope audit`."""

from __future__ import annotations

import datetime as dt
import sys
from pathlib import Path
from typing import Unpack

import click

from prunescope.audit_jobs.commands.inputs import configured, window_of
from prunescope.audit_jobs.commands.line import DONE, SOME_FAILED, examples, stop
from prunescope.audit_jobs.commands.options import config_file, progress_options, window_options
from prunescope.audit_jobs.commands.typed import WindowOptions
from prunescope.audit_jobs.printing import print_json, tell
from prunescope.audit_jobs.status import Status
from prunescope.collectors.errors import PrunescopeError


@click.command(
    epilog=examples(
        "audit.md",
        "prunescope audit --last 24h",
        "prunescope audit --window 2026-03-10 --zone Europe/Berlin",
        "prunescope audit --window last-hour --runner local",
        "prunescope audit --today --all --json",
    )
)
@config_file
@window_options
@click.option(
    "--runner",
    type=click.Choice(("spark", "local")),
    default="spark",
    show_default=True,
    help="Where the audit runs: on Spark, or in this process for a small window.",
)
@click.option(
    "--replace-overlapping",
    is_flag=True,
    help="Delete runs whose window contains or partly overlaps this one.",
)
@click.option(
    "--all",
    "all_findings",
    is_flag=True,
    help="Report all findings, including those below the thresholds.",
)
@progress_options
@click.option("--json", "as_json", is_flag=True, help="Print the run's summary as JSON.")
def audit(
    config: Path,
    runner: str,
    replace_overlapping: bool,
    all_findings: bool,
    as_json: bool,
    **options: Unpack[WindowOptions],
) -> None:
    """Audit the queries of a time window. Run it every night."""
    from prunescope.audit_jobs.errors import GateClosed, WindowTaken
    from prunescope.audit_jobs.extras import require
    from prunescope.audit_jobs.views.run_json import run_document
    from prunescope.audit_jobs.views.run_text import print_elsewhere, print_run
    from prunescope.audit_jobs.views.stages import stages

    try:
        require("audit")
        from prunescope.audit_jobs.jobs.nightly import STAGES, run_nightly
        from prunescope.audit_jobs.jobs.runners import RUNNERS
        from prunescope.audit_jobs.windows import require_passed

        now = dt.datetime.now(dt.UTC)
        window = window_of(options, now)
        require_passed(window, now)
        configuration = configured(config, all_findings=all_findings)
        with stages(STAGES, quiet=as_json) as progress:
            result = run_nightly(
                configuration,
                window,
                progress,
                replace_overlapping=replace_overlapping,
                open_runner=RUNNERS[runner],
            )
    except (GateClosed, WindowTaken) as error:
        tell(error)
        sys.exit(SOME_FAILED)
    except PrunescopeError as error:
        stop(str(error))
    if as_json:
        print_json(run_document(result))
    else:
        print_run(result, configuration, config)
        if result.run.elsewhere is not None:
            print_elsewhere(result.run.elsewhere, config)
    sys.exit(DONE if result.run.status == Status.SUCCEEDED else SOME_FAILED)
