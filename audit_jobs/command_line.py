"""What every command of `prunescope` shares: exit codes, types of options, and how it stops."""

from __future__ import annotations

import datetime as dt
import sys
import traceback
from typing import Any, NoReturn

import click

from audit_jobs.printing import tell

DONE, SOME_FAILED, NOTHING_DONE = 0, 1, 2
"""Exit codes: everything worked; some queries or tables failed and are named; nothing was
done."""


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


class Commands(click.Group):
    """Ends with NOTHING_DONE at an error that nobody foresaw: Python's own 1 would tell a scheduler
    that the run is done."""

    def invoke(self, ctx: click.Context) -> Any:
        """Runs the command. Of an unforeseen error it tells place and type, but no message, which
        may quote a query."""
        try:
            return super().invoke(ctx)
        except (click.exceptions.Exit, click.Abort, click.ClickException):
            raise
        except Exception as error:  # noqa: BLE001  # whatever it is
            frames = "".join(traceback.format_tb(error.__traceback__))
            kind = type(error).__qualname__
            stop(f"stopped by an unforeseen {kind}; please report it:\n{frames}")


def stop(message: str) -> NoReturn:
    """Says why on standard error, and ends with NOTHING_DONE."""
    tell(message)
    sys.exit(NOTHING_DONE)
