"""`python -m prunescope.dashboards`: writes the rule file and the dashboards."""

from __future__ import annotations

from pathlib import Path

import click

from prunescope.audit_jobs.errors import BadConfiguration
from prunescope.dashboards.generate import DIRECTORY, write_files
from prunescope.dashboards.settings import Settings, load_settings

_FOLDER = click.Path(exists=True, file_okay=False, path_type=Path)


@click.command()
@click.option(
    "--settings",
    "settings_path",
    type=click.Path(dir_okay=False, path_type=Path),
    help="YAML or JSON file with thresholds, job selector, labels, … (docs/dashboards.md).",
)
@click.option("--output", type=_FOLDER, default=DIRECTORY, help="Directory to write to.")
def main(settings_path: Path | None, output: Path) -> None:
    """Writes the recording rules, alert rules and dashboards."""
    try:
        settings = Settings() if settings_path is None else load_settings(settings_path)
    except BadConfiguration as error:
        raise click.ClickException(str(error)) from error
    write_files(settings, output)


if __name__ == "__main__":
    main()
