"""All generated files by name."""

from __future__ import annotations

from pathlib import Path

from prunescope.dashboards import rules
from prunescope.dashboards.dashboards import dashboard_files
from prunescope.dashboards.settings import Settings

DIRECTORY = Path(__file__).parent / "generated"
"""The folder of those dashboards with default settings that are committed."""


def generated_files(settings: Settings) -> dict[str, str]:
    """The text of the rule file and of each dashboard."""
    return {rules.FILE: rules.rules_yaml(settings), **dashboard_files(settings)}


def write_files(settings: Settings, directory: Path) -> None:
    """Writes all generated files; the directory must exist."""
    for name, text in generated_files(settings).items():
        (directory / name).write_text(text, encoding="utf-8")
