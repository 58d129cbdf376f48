"""`prunescope findings`."""

from __future__ import annotations

from pathlib import Path
from typing import Unpack

import click

from prunescope.audit_jobs.commands import completed
from prunescope.audit_jobs.commands.line import examples, stop
from prunescope.audit_jobs.commands.options import (
    SEVERITIES,
    config_file,
    finding_output,
    one_format,
)
from prunescope.audit_jobs.commands.typed import FindingsOptions
from prunescope.audit_jobs.printing import print_json
from prunescope.audit_jobs.startup import start_fast
from prunescope.collectors.errors import PrunescopeError


@click.command(
    epilog=examples(
        "findings.md",
        "prunescope findings --details --limit 3",
        "prunescope findings --all",
        "prunescope findings --table 'lake.sales.*' --severity medium --json",
    )
)
@config_file
@click.option("--run", "run_id", help="The run's id (default: the run of the newest window).")
@click.option(
    "--table",
    metavar="GLOB",
    shell_complete=completed.tables,
    help="Only findings of these tables: catalog.namespace.table.",
)
@click.option(
    "--cause",
    metavar="ID",
    shell_complete=completed.causes,
    help="Only findings of this cause.",
)
@click.option(
    "--severity",
    type=click.Choice(SEVERITIES),
    default="info",
    show_default=True,
    help="Only findings of this severity or higher.",
)
@click.option("--fingerprint", help="Only findings of queries with this fingerprint.")
@click.option("--suppressed", is_flag=True, help="Also list suppressed findings.")
@click.option("--all", "small", is_flag=True, help="Include findings below the thresholds.")
@click.option("--limit", type=click.IntRange(1), help="Show the N findings that could skip most.")
@finding_output
def findings(
    config: Path, run_id: str | None, limit: int | None, **options: Unpack[FindingsOptions]
) -> None:
    """List findings: why scans read too much, and the fix."""
    start_fast()
    from prunescope.audit_jobs.api.found import selected_findings
    from prunescope.audit_jobs.findings.entries import document
    from prunescope.audit_jobs.views.finding_lists import print_published
    from prunescope.audit_jobs.views.sarif import sarif

    one_format(options)
    try:
        published, selected = selected_findings(
            config,
            table=options["table"],
            run_id=run_id,
            cause=options["cause"],
            severity=options["severity"],
            fingerprint=options["fingerprint"],
            suppressed=options["suppressed"],
            small=options["small"],
        )
    except PrunescopeError as error:
        stop(str(error))
    shown = selected[:limit]
    if options["as_json"]:
        of_run = {
            "run_id": published.run_id,
            "window_start": published.window_start.isoformat(),
            "window_end": published.window_end.isoformat(),
        }
        for entry in shown:
            print_json({**of_run, **document(entry)})
    elif options["as_sarif"]:
        print_json(sarif(shown), indent=2)
    else:
        print_published(published, selected, limit, details=options["details"])
