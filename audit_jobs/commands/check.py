"""`prunescope check`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Unpack

import click

from prunescope.audit_jobs.commands.inputs import planner_named
from prunescope.audit_jobs.commands.line import DONE, SOME_FAILED, examples, stop
from prunescope.audit_jobs.commands.options import (
    SEVERITIES,
    DialectName,
    config_file,
    finding_output,
    one_format,
    progress_options,
    time_zone,
)
from prunescope.audit_jobs.commands.typed import CheckOptions
from prunescope.audit_jobs.printing import print_json
from prunescope.audit_jobs.startup import leave_out_pandas
from prunescope.collectors.errors import PrunescopeError


@click.command(
    epilog=examples(
        "check.md",
        "prunescope check --sql-dir target/compiled --engine trino-482",
        "prunescope check --sql-dir sql --fail-on medium --sarif > prunescope.sarif",
    )
)
@click.option(
    "--sql-dir",
    "directory",
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    required=True,
    help="A directory with *.sql at any depth; for dbt, target/compiled.",
)
@config_file
@click.option("--select", multiple=True, metavar="GLOB", help="Only files whose paths match.")
@click.option(
    "--dialect", type=DialectName(), help="SQL dialect (default: the engine's, else trino)."
)
@click.option(
    "--engine",
    metavar="ENGINE[-VERSION][/ICEBERG]",
    help="The engine of the SQL: spark-3.5/1.9.2, trino-482, … (default: the dialect's).",
)
@click.option(
    "--catalog",
    help=(
        "Catalog of unqualified table names (default: the only one that does not hold the audit "
        "tables)."
    ),
)
@click.option("--schema", help="For table names that leave it out.")
@time_zone
@click.option(
    "--fail-on",
    type=click.Choice(SEVERITIES),
    default="high",
    show_default=True,
    help="Exit with 1 on findings of this severity or higher.",
)
@click.option("--all", "small", is_flag=True, help="Include findings below the thresholds.")
@progress_options
@finding_output
def check(directory: Path, config: Path, fail_on: str, **options: Unpack[CheckOptions]) -> None:
    """Check SQL files before you merge them. Reports scans that would read too much, and why."""
    leave_out_pandas()
    from prunescope.audit_jobs.api.naming import session_named
    from prunescope.audit_jobs.findings.model import Severity
    from prunescope.audit_jobs.jobs.check import STAGES, check_document, run_check
    from prunescope.audit_jobs.views.finding_lists import print_check
    from prunescope.audit_jobs.views.sarif import sarif
    from prunescope.audit_jobs.views.stages import stages

    one_format(options)
    quiet = options["as_json"] or options["as_sarif"]
    try:
        planner_named(options["engine"])
        session = session_named(
            options["engine"],
            options["dialect"],
            options["time_zone"],
            catalog=options["catalog"],
            schema=options["schema"],
        )
        with stages(STAGES, quiet=quiet) as progress:
            checked = run_check(
                config,
                directory,
                session,
                select=options["select"],
                small=options["small"],
                progress=progress,
            )
    except PrunescopeError as error:
        stop(str(error))
    if options["as_json"]:
        print_json(check_document(checked))
    elif options["as_sarif"]:
        print_json(sarif(checked.entries, directory, checked.failed), indent=2)
    else:
        print_check(checked, details=options["details"])
    clean = not checked.failed and not checked.at_least(Severity(fail_on))
    sys.exit(DONE if clean else SOME_FAILED)
