"""`prunescope advise`."""

from __future__ import annotations

import datetime as dt
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Unpack

import click

from audit_jobs.commands.inputs import window_of
from audit_jobs.commands.line import DONE, NOTHING_DONE, SOME_FAILED, examples, stop
from audit_jobs.commands.options import config_file, progress_options, window_options
from audit_jobs.commands.typed import WindowOptions
from audit_jobs.printing import print_json, tell
from audit_jobs.startup import leave_out_pandas
from collectors.errors import PrunescopeError

if TYPE_CHECKING:
    from audit_jobs.advice.promises import Followed
    from audit_jobs.config import AuditConfig
    from audit_jobs.jobs.advise import Advised
    from audit_jobs.records import Window


@click.command(
    epilog=examples(
        "advice.md",
        "prunescope advise --last 30d",
        "prunescope advise 'lake.shop.*' --window 2026-03-01/2026-04-01 --details",
        "prunescope advise lake.shop.orders --last 30d --json",
        "prunescope advise --last 30d --publish",
    )
)
@click.argument("tables", nargs=-1, metavar="[TABLE]...")
@config_file
@window_options
@progress_options
@click.option("--details", is_flag=True, help="Show what each layout does to each shape of query.")
@click.option("--publish", is_flag=True, help="Write the advice into the audit tables.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def advise(
    tables: tuple[str, ...],
    config: Path,
    details: bool,
    publish: bool,
    as_json: bool,
    **options: Unpack[WindowOptions],
) -> None:
    """Advise layouts of tables. Each layout is scored by replaying the log on sampled rows.

    TABLE is catalog.namespace.table, or a glob of it; all that the log reads, if none is given.
    """
    leave_out_pandas()
    from audit_jobs.advice.beyond_document import beyond_document
    from audit_jobs.advice.diet_document import diet_document
    from audit_jobs.advice.document import document
    from audit_jobs.advice.minimal_document import minimal_document
    from audit_jobs.config import load_config
    from audit_jobs.jobs.advise import STAGES, run_advise
    from audit_jobs.views.advice_text import print_advice
    from audit_jobs.views.promises_text import followed_document, print_followed
    from audit_jobs.views.stages import stages

    try:
        window = window_of(options, dt.datetime.now(dt.UTC))
        configuration = load_config(config)
        with stages(STAGES, quiet=as_json) as progress:
            found = run_advise(configuration, window, tables, progress)
        earlier = _earlier(configuration)
        if publish:
            _publish(configuration, found, window)
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
                        "beyond": beyond_document(name, found.beyond[name], literals=literals),
                    }
                    for name, (_, advice) in found.tables.items()
                ],
                "failed": [
                    {"table": str(name), "code": why.code, "message": why.message}
                    for name, why in found.failed.items()
                ],
                "left_out": dict(found.left_out),
                "earlier": followed_document(earlier),
            }
        )
    else:
        print_advice(found, tables, details=details, literals=literals)
        print_followed(earlier)
    if not found.tables:
        sys.exit(NOTHING_DONE)
    sys.exit(SOME_FAILED if found.failed else DONE)


def _earlier(config: AuditConfig) -> tuple[Followed, ...]:
    """What became of earlier advice; nothing, and a warning, where that cannot be read."""
    from audit_jobs.sinks.published_advice import earlier_advice
    from collectors.tables.catalog import load_in_time

    name = config.audit.catalog
    try:
        catalog = load_in_time(name, config.catalogs[name].properties)
    except PrunescopeError as error:
        tell(f"what became of earlier advice is not known: {error}")
        return ()
    return earlier_advice(catalog, config.audit.namespace)


def _publish(config: AuditConfig, found: Advised, window: Window) -> None:
    """Raises CatalogUnavailable and PublishFailed."""
    from audit_jobs.jobs.advise import rows_of_advice
    from audit_jobs.sinks.audit_tables import publish_advice
    from collectors.tables.catalog import load_in_time

    name = config.audit.catalog
    catalog = load_in_time(name, config.catalogs[name].properties, makes=True)
    rows = rows_of_advice(found, window, dt.datetime.now(dt.UTC))
    publish_advice(rows, window, catalog, config.audit.namespace)
