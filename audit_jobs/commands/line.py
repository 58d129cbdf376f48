"""The command line itself: its commands, its exit codes, and how it stops."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import threading
import traceback
from importlib import import_module
from pathlib import Path
from typing import Any, NoReturn

import click

from prunescope.audit_jobs.commands.machine import what_ran_out
from prunescope.audit_jobs.commands.streams import (
    is_read_by_nobody,
    print_in_any_encoding,
    why_not_written,
)
from prunescope.audit_jobs.printing import tell

DONE, SOME_FAILED, NOTHING_DONE = 0, 1, 2
"""Exit codes: everything worked; some queries or tables failed and are named; nothing was
done."""
INTERRUPTED = 130
"""The exit code of shells for Ctrl-C: click's own 1 is that of a run that is done."""


CONFIG = Path("audit.yaml")
"""The configuration that commands read where none is named."""

DOCUMENTATION = "https://github.com/prunescope/prunescope/blob/main/docs"
"""The address of the documentation's pages."""


def examples(page: str, *lines: str) -> str:
    """The end of a command's help: what to type, and the page of the documentation."""
    shown = "\n".join(f"  {line}" for line in lines)
    return f"\b\nExamples:\n{shown}\n\n\b\nMore: {DOCUMENTATION}/{page}"


class Commands(click.Group):
    """Commands that are imported when they are asked for, each from the module of its name.

    Ends with NOTHING_DONE at an error that nobody foresaw: Python's own 1 would tell a scheduler
    that the run is done.
    """

    def __init__(self, *args: Any, modules: tuple[str, ...] = (), **options: Any) -> None:
        super().__init__(*args, **options)
        self._modules = modules

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names, in the order in which people meet them."""
        return [*self._modules, *super().list_commands(ctx)]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of a name; None where there is none."""
        if cmd_name not in self._modules:
            return super().get_command(ctx, cmd_name)
        command: click.Command = getattr(
            import_module(f"prunescope.audit_jobs.commands.{cmd_name}"), cmd_name
        )
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that the arguments begin with; fails with the one that is like it."""
        from prunescope.audit_jobs.suggestions import suggestion

        name = args[0]
        if not name.startswith("-") and self.get_command(ctx, name) is None:
            ctx.fail(f"there is no command {name!r}; {suggestion(name, self.list_commands(ctx))}")
        return super().resolve_command(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        """Runs the command. Of an unforeseen error it tells place and type, but no message, which
        may quote a query."""
        print_in_any_encoding()
        if threading.current_thread() is threading.main_thread():
            signal.signal(signal.SIGTERM, _end)
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            tell("interrupted")
            sys.exit(INTERRUPTED)
        except (click.exceptions.Exit, click.Abort, click.ClickException):
            raise
        except Exception as error:  # whatever it is
            if isinstance(error, BrokenPipeError) and is_read_by_nobody():
                raise  # click ends quietly
            is_of_writing = isinstance(error, OSError) and error.filename is None
            if is_of_writing and (why := why_not_written()) is not None:
                stop(f"standard output cannot be written: {why}")
            if (spent := what_ran_out(error)) is not None:
                stop(f"stopped: {spent}")
            frames = "".join(traceback.format_tb(error.__traceback__))
            kind = type(error).__qualname__
            stop(f"stopped by an unforeseen {kind}; please report it:\n{frames}")


def _end(number: int, _frame: object) -> None:
    """Says that the process was told to end, and ends as it would have without that."""
    signal.signal(number, signal.SIG_DFL)
    with contextlib.suppress(RuntimeError):  # it came in the midst of another line
        tell("terminated")
    os.kill(os.getpid(), number)


def stop(message: str) -> NoReturn:
    """Says why on standard error, and ends with NOTHING_DONE."""
    tell(message)
    sys.exit(NOTHING_DONE)
