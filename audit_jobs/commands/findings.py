"""`prunescope findings`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Unpack

import click

from prunescope.audit_jobs.commands.line import examples, stop
from prunescope.audit_jobs.commands.options import (
    SEVERITIES,
    config_file,
    finding_output,
    one_format,
)
from prunescope.audit_jobs.commands.typed import FindingsOptions
from prunescope.audit_jobs.printing import print_json
from prunescope.audit_jobs.startup import leave_out_pandas
from prunescope.collectors.errors import PrunescopeError

if TYPE_CHECKING:
    from pyiceberg.catalog import Catalog

    from prunescope.audit_jobs.sinks.published_findings import PublishedFindings


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
    "--table", metavar="GLOB", help="Only findings of these tables: catalog.namespace.table."
)
@click.option("--cause", metavar="ID", help="Only findings of this cause.")
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
    leave_out_pandas()
    from prunescope.audit_jobs.config import load_config
    from prunescope.audit_jobs.findings.catalogue import BY_ID
    from prunescope.audit_jobs.findings.entries import Selection, document
    from prunescope.audit_jobs.findings.model import Severity
    from prunescope.audit_jobs.sinks.published_findings import read_findings
    from prunescope.audit_jobs.suggestions import suggestion
    from prunescope.audit_jobs.views.finding_lists import print_published
    from prunescope.audit_jobs.views.sarif import sarif
    from prunescope.collectors.tables.catalog import load_in_time

    one_format(options)
    cause = options["cause"]
    if cause is not None and cause not in BY_ID:
        stop(f"Unknown cause {cause!r}; {suggestion(cause, BY_ID)}")
    selection = Selection(
        options["table"],
        cause,
        Severity(options["severity"]),
        options["fingerprint"],
        options["suppressed"],
    )
    try:
        audit = load_config(config)
        name = audit.audit.catalog
        catalog = load_in_time(name, audit.catalogs[name].properties)
        published = read_findings(catalog, audit.audit.namespace, run_id, small=options["small"])
        _require_table(options["table"], catalog, audit.audit.namespace, published)
    except PrunescopeError as error:
        stop(str(error))
    selected = [entry for entry in published.entries if selection.takes(entry.finding)]
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


def _require_table(
    glob: str | None, catalog: Catalog, namespace: str, published: PublishedFindings
) -> None:
    """Stops where no table that the run read has such a name: that is not a table without
    findings."""
    from fnmatch import fnmatchcase

    from prunescope.audit_jobs.sinks.published_findings import read_tables
    from prunescope.audit_jobs.suggestions import table_suggestion

    if glob is None or any(fnmatchcase(str(e.finding.table), glob) for e in published.entries):
        return
    tables = read_tables(catalog, namespace, published)
    if not any(fnmatchcase(table, glob) for table in tables):
        stop(
            f"Run {published.run_id} read no table {glob!r}. A name is catalog.namespace.table, "
            f"and * matches any text; {table_suggestion(glob, tables)}"
        )
