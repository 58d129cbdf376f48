"""Options and types of options that commands share."""

from __future__ import annotations

import datetime as dt
import re
from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from prunescope.audit_jobs.commands import completed
from prunescope.audit_jobs.commands.line import CONFIG, stop
from prunescope.audit_jobs.commands.typed import FindingOutput
from prunescope.audit_jobs.printing import TOLD

if TYPE_CHECKING:
    from collections.abc import Callable

SEVERITIES = ("critical", "high", "medium", "low", "info")
"""Names of the levels of `prunescope.audit_jobs.findings.model.Severity`."""

config_file = click.option(
    "--config",
    type=click.Path(path_type=Path),
    default=CONFIG,
    show_default=True,
    help="The configuration.",
)


def finding_output(command: Callable[..., None]) -> Callable[..., None]:
    """The options by which a command that lists findings shows them."""
    for option in (
        click.option("--details", is_flag=True, help="Add the evidence and SQL of each finding."),
        click.option("--sarif", "as_sarif", is_flag=True, help="Print SARIF 2.1.0."),
        click.option("--json", "as_json", is_flag=True, help="Print JSON."),
    ):
        command = option(command)
    return command


def one_format(options: FindingOutput) -> None:
    """Stops where more than one of `finding_output` is asked for."""
    if options["as_json"] and options["as_sarif"]:
        stop("give at most one of --json and --sarif")


class Instant(click.ParamType[dt.datetime]):
    """An ISO date or time; without a zone it is in `zone`, or, with None, of none."""

    name = "time"

    def __init__(self, zone: dt.tzinfo | None = dt.UTC) -> None:
        self._zone = zone

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
        return moment if moment.tzinfo else moment.replace(tzinfo=self._zone)


class TimeZone(click.ParamType[str]):
    """The name of a time zone, or an offset."""

    name = "zone"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """The text as it is; fails with the accepted forms."""
        from prunescope.audit_jobs.session_names import unknown_zone

        if (problem := unknown_zone(value)) is not None:
            self.fail(problem, param, ctx)
        return str(value)


class DialectName(click.ParamType[str]):
    """sqlglot's name of a dialect, in any case."""

    name = "text"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """The name in lower case; fails with those that there are."""
        from prunescope.audit_jobs.session_names import unknown_dialect

        if (problem := unknown_dialect(value)) is not None:
            self.fail(problem, param, ctx)
        return str(value).strip().lower()


time_zone = click.option(
    "--time-zone",
    type=TimeZone(),
    default="UTC",
    show_default=True,
    help="Time zone of the session: Europe/Berlin, +02:00.",
)


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


def table_options(command: Callable[..., None]) -> Callable[..., None]:
    """The argument and options that name a table: see `inputs.open_table`."""
    for option in reversed(
        (
            click.argument("table", required=False, shell_complete=completed.tables),
            click.option(
                "--metadata", help="The metadata file of a table, instead of TABLE in a catalog."
            ),
            click.option(
                "--catalog",
                help="A catalog of PyIceberg's own configuration; TABLE is then namespace.table.",
            ),
            click.option(
                "--config",
                type=click.Path(path_type=Path),
                help="The configuration; TABLE is then catalog.namespace.table (default: "
                "audit.yaml, if it is here and no --catalog is given).",
            ),
            click.option(
                "--path-map",
                type=PathMapping(),
                multiple=True,
                help="Replace the location prefix FROM with TO.",
            ),
            click.option(
                "--cache",
                type=click.Path(path_type=Path, file_okay=False),
                help="Cache table metadata in this directory.",
            ),
        )
    ):
        command = option(command)
    return command


_UNITS = {
    **{unit: 1000**power for power, unit in enumerate(("b", "kb", "mb", "gb", "tb", "pb"))},
    **{unit: 1024**power for power, unit in enumerate(("kib", "mib", "gib", "tib", "pib"), 1)},
}
_SIZE = re.compile(r"\s*(\d+(?:\.\d+)?)\s*([a-z]*)\s*", re.IGNORECASE)


class Size(click.ParamType[int]):
    """A number of bytes: 500MB, 1.5 TB, 2GiB."""

    name = "size"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """The bytes; fails with the accepted forms."""
        if isinstance(value, int):
            return value
        found = _SIZE.fullmatch(value)
        unit = None if found is None else _UNITS.get(found[2].lower() or "b")
        if found is None or unit is None:
            self.fail(f"{value!r} is no size, such as 500MB or 10GiB", param, ctx)
        return int(Decimal(found[1]) * unit)


class Percent(click.ParamType[float]):
    """A share in percent."""

    name = "percent"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        """The share, from 0 to 1; fails with the accepted forms."""
        if isinstance(value, float):
            return value
        try:
            percent = float(value.strip().removesuffix("%"))
        except ValueError:
            percent = -1.0
        if not 0 <= percent <= 100:
            self.fail(f"{value!r} is no share from 0 to 100 %, such as 20%", param, ctx)
        return percent / 100


def progress_options(command: Callable[..., None]) -> Callable[..., None]:
    """The options by which a long command is told how to write standard error."""
    for option in (
        click.option(
            "--log-format",
            type=click.Choice(("text", "json")),
            default="text",
            show_default=True,
            expose_value=False,
            callback=_log_format,
            help="How progress and warnings are written on standard error.",
        ),
        click.option(
            "--quiet", is_flag=True, expose_value=False, callback=_quiet, help="Print no progress."
        ),
    ):
        command = option(command)
    return command


def _log_format(ctx: click.Context, _: click.Parameter, value: str) -> None:
    _change(ctx, as_json=value == "json")


def _quiet(ctx: click.Context, _: click.Parameter, value: bool) -> None:
    _change(ctx, quiet=value)


def _change(ctx: click.Context, **changes: bool) -> None:
    before = TOLD.set(replace(TOLD.get(), **changes))
    ctx.call_on_close(lambda: TOLD.reset(before))


def window_options(command: Callable[..., None]) -> Callable[..., None]:
    """The options by which a command is told a span of time: see `inputs.window_of`."""
    for option in reversed(
        (
            click.option("--last", metavar="LENGTH", help="Window that ends now: 24h, 90m, 7d."),
            click.option("--today", is_flag=True, help="Today, as far as it has passed."),
            click.option(
                "--window",
                metavar="DAY|HOUR|FROM/TO",
                help="2026-03-10, 2026-03-10T13, last-hour, 2026-03-01/2026-03-08 (end exclusive).",
            ),
            click.option("--window-start", type=Instant(None), help="Start (default: yesterday)."),
            click.option(
                "--window-end", type=Instant(None), help="End, exclusive (default: a day later)."
            ),
            click.option(
                "--zone",
                metavar="NAME",
                default="UTC",
                show_default=True,
                help="Time zone of these days and hours: Europe/Berlin.",
            ),
        )
    ):
        command = option(command)
    return command
