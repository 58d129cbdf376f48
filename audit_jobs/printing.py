"""What a command prints: of text of others nothing that a terminal obeys (see collectors.plain)."""

from __future__ import annotations

from typing import Any

import click

from collectors.plain import plain_json, plain_lines, without_credentials


def tell(message: object) -> None:
    """Says something on standard error."""
    click.echo(f"prunescope: {plain_lines(without_credentials(str(message)))}", err=True)


def print_json(document: Any, *, indent: int | None = None) -> None:
    """Prints JSON, on one line unless it is indented."""
    click.echo(plain_json(document, indent=indent))
