"""The `prunescope` command."""

from __future__ import annotations

import click

from prunescope.audit_jobs.commands.line import Commands


@click.group(
    cls=Commands,
    modules=(
        "advise",
        "audit",
        "bisect",
        "check",
        "collect",
        "compare",
        "completion",
        "demo",
        "doctor",
        "explain",
        "export",
        "findings",
        "init",
        "maintain",
        "mcp",
        "report",
        "serve",
        "tables",
        "watch",
    ),
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(package_name="prunescope")
def main() -> None:
    """Find Apache Iceberg scans that read more than they need, and fix them."""


if __name__ == "__main__":
    main()
