"""Options and types of options that commands share."""

from __future__ import annotations

import datetime as dt
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from audit_jobs.commands.line import stop

if TYPE_CHECKING:
    from collections.abc import Callable

SEVERITIES = ("critical", "high", "medium", "low", "info")
"""Those of `audit_jobs.findings.model.Severity`."""

config_file = click.option(
    "--config",
    type=click.Path(path_type=Path),
    default=Path("audit.yaml"),
    show_default=True,
    help="The configuration.",
)


def finding_output(command: Callable[..., None]) -> Callable[..., None]:
    """The options by which a command that lists findings shows them."""
    for option in (
        click.option("--details", is_flag=True, help="Evidence and SQL of each."),
        click.option("--sarif", "as_sarif", is_flag=True, help="Print SARIF 2.1.0."),
        click.option("--json", "as_json", is_flag=True, help="Print JSON."),
    ):
        command = option(command)
    return command


def one_format(options: dict[str, Any]) -> None:
    """Stops where more than one of `finding_output` is asked for."""
    if options["as_json"] and options["as_sarif"]:
        stop("give at most one of --json and --sarif")


class Instant(click.ParamType[dt.datetime]):
    """An ISO date or time; without a zone it is UTC."""

    name = "time"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> dt.datetime:
        """Parses the text; fails with the accepted forms."""
        if isinstance(value, dt.datetime):
            return value
        try:
            moment = dt.datetime.fromisoformat(value)
        except ValueError:
            self.fail(f"{value!r} is no ISO time, such as 2024-03-01T12:00:00Z", param, ctx)
        return moment if moment.tzinfo else moment.replace(tzinfo=dt.UTC)


class PathMapping(click.ParamType[tuple[str, str]]):
    """`FROM=TO`."""

    name = "from=to"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[str, str]:
        """Splits at the first `=`."""
        if isinstance(value, tuple):
            return value
        prefix, separator, target = value.partition("=")
        if not prefix or not separator:
            self.fail(f"{value!r} is not FROM=TO", param, ctx)
        return prefix, target
