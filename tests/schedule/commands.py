"""Command lines of `prunescope` in examples, read by the command's own parser."""

from __future__ import annotations

import shlex
from typing import Any

from click import Context

from prunescope.audit_jobs.cli import main


def options_of(command_line: str) -> tuple[str, dict[str, Any]]:
    """The subcommand, and its options by name. A line that the command refuses raises click's
    UsageError."""
    program, subcommand, *arguments = shlex.split(command_line)
    assert program.rpartition("/")[2] == "prunescope"
    _, command, arguments = main.resolve_command(Context(main), [subcommand, *arguments])
    assert command is not None
    context = command.make_context(subcommand, arguments)
    return subcommand, context.params
