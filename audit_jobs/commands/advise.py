"""`prunescope advise`."""

from __future__ import annotations

import datetime as dt
import sys
from pathlib import Path
from typing import Any

import click

from audit_jobs.commands.inputs import window_of
from audit_jobs.commands.line import DONE, NOTHING_DONE, SOME_FAILED, examples, stop
from audit_jobs.commands.options import config_file, progress_options, window_options
from audit_jobs.printing import print_json
from audit_jobs.startup import leave_out_pandas
from collectors.errors import PrunescopeError


@click.command(
    epilog=examples(
        "advice.md",
        "prunescope advise --last 30d",
        "prunescope advise 'lake.shop.*' --window 2026-03-01/2026-04-01 --details",
        "prunescope advise lake.shop.orders --last 30d --json",
    )
)
@click.argument("tables", nargs=-1, metavar="[TABLE]...")
@config_file
@window_options
@progress_options
@click.option("--details", is_flag=True, help="Tell what becomes of each shape of query.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def advise(
    tables: tuple[str, ...], config: Path, details: bool, as_json: bool, **options: Any
) -> None:
    """Advise layouts: scored by replaying the log on rows of the tables.

    TABLE is catalog.namespace.table, or a glob of it; all that the log reads, if none is given.
    """
    leave_out_pandas()
    from audit_jobs.advice.diet_document import diet_document
    from audit_jobs.advice.document import document
    from audit_jobs.advice.minimal_document import minimal_document
    from audit_jobs.config import load_config
    from audit_jobs.jobs.advise import STAGES, run_advise
    from audit_jobs.views.advice_text import print_advice
    from audit_jobs.views.stages import stages

    try:
        window = window_of(options, dt.datetime.now(dt.UTC))
        configuration = load_config(config)
        with stages(STAGES, quiet=as_json) as progress:
            found = run_advise(configuration, window, tables, progress)
    except PrunescopeError as error:
        stop(str(error))
    literals = configuration.literals == "keep"
    if as_json:
        print_json(
            {
                "tables": [
                    {
                        **document(name, advice),
                        "minimal": minimal_document(name, advice, literals=literals),
                        "diet": diet_document(name, found.diets[name]),
                    }
                    for name, (_, advice) in found.tables.items()
                ],
                "failed": [
                    {"table": str(name), "code": why.code, "message": why.message}
                    for name, why in found.failed.items()
                ],
                "left_out": dict(found.left_out),
            }
        )
    else:
        print_advice(found, details=details, literals=literals)
    if not found.tables:
        sys.exit(NOTHING_DONE)
    sys.exit(SOME_FAILED if found.failed else DONE)
