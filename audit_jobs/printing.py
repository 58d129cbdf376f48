"""Output of commands: removes from text of others all that a terminal obeys (see
prunescope.collectors.safe_text)."""

from __future__ import annotations

import datetime as dt
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any

import click

from prunescope.collectors.safe_text import plain_json, plain_lines, without_credentials


@dataclass(frozen=True, slots=True)
class Told:
    """Form of standard error: without progress, or as JSON lines."""

    quiet: bool = False
    as_json: bool = False


TOLD: ContextVar[Told] = ContextVar("TOLD", default=Told())  # noqa: B039  # it cannot be changed
"""The form of standard error of the command that runs."""


def tell(message: object) -> None:
    """Writes a problem, or a surprise, to standard error."""
    text = without_credentials(str(message))
    if TOLD.get().as_json:
        _log("warning", text)
    else:
        click.echo(f"prunescope: {plain_lines(text)}", err=True)


def tell_progress(message: str) -> None:
    """Writes to standard error what is being done."""
    if TOLD.get().as_json:
        _log("info", message)
    else:
        click.echo(f"{plain_lines(message)} …", err=True)


def _log(level: str, message: str) -> None:
    time = dt.datetime.now(dt.UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    click.echo(plain_json({"time": time, "level": level, "message": message}), err=True)


def print_json(document: Any, *, indent: int | None = None) -> None:
    """Prints JSON, on one line unless it is indented."""
    click.echo(plain_json(document, indent=indent))
