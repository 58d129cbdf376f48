"""`prunescope findings`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from audit_jobs.commands.line import stop
from audit_jobs.commands.options import SEVERITIES, config_file, finding_output, one_format
from audit_jobs.printing import print_json
from audit_jobs.startup import leave_out_pandas
from collectors.errors import PrunescopeError


@click.command()
@config_file
@click.option("--run", "run_id", help="The run (default: the one that finished last).")
@click.option("--table", metavar="GLOB", help="Only of these catalog.namespace.table.")
@click.option("--cause", metavar="ID", help="Only of this cause.")
@click.option(
    "--severity",
    type=click.Choice(SEVERITIES),
    default="info",
    show_default=True,
    help="Only as severe as this.",
)
@click.option("--fingerprint", help="Only of these queries.")
@click.option("--suppressed", is_flag=True, help="Those that are suppressed as well.")
@click.option("--limit", type=click.IntRange(1), help="Only so many, most at stake first.")
@finding_output
def findings(config: Path, run_id: str | None, limit: int | None, **options: Any) -> None:
    """List what an audit found: why scans read too much, and what fixes it."""
    leave_out_pandas()
    from audit_jobs.config import load_config
    from audit_jobs.findings.catalogue import BY_ID
    from audit_jobs.findings.entries import Selection, document
    from audit_jobs.findings.model import Severity
    from audit_jobs.sinks.published_findings import read_findings
    from audit_jobs.views.finding_lists import print_published
    from audit_jobs.views.sarif import sarif
    from collectors.tables.catalog import load_catalog

    one_format(options)
    cause = options["cause"]
    if cause is not None and cause not in BY_ID:
        stop(f"there is no cause {cause!r}; known: {', '.join(BY_ID)}")
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
        catalog = load_catalog(name, audit.catalogs[name].properties)
        published = read_findings(catalog, audit.audit.namespace, run_id)
    except PrunescopeError as error:
        stop(str(error))
    selected = [entry for entry in published.entries if selection.takes(entry.finding)]
    shown = selected[:limit]
    if options["as_json"]:
        for entry in shown:
            found = {"run_id": published.run_id, **document(entry)}
            print_json(found)
    elif options["as_sarif"]:
        print_json(sarif(shown), indent=2)
    else:
        print_published(published, selected, limit, details=options["details"])
