"""Checks of `doctor`, on a terminal and as JSON."""

from __future__ import annotations

from typing import Any

from rich.text import Text

from prunescope.audit_jobs.doctor.model import Check, State
from prunescope.audit_jobs.views.console import PlainConsole
from prunescope.collectors.safe_text import plain, without_credentials

_STYLES = {
    State.OK: "green",
    State.WARNING: "yellow",
    State.FAILED: "bold red",
    State.SKIPPED: "dim",
}


def print_check(console: PlainConsole, check: Check) -> None:
    """Prints a line, and one for the remedy."""
    line = Text.assemble(
        (f"{check.state.value:8}", _STYLES[check.state]),
        (_told(check.name), "bold"),
        f": {_told(check.detail)}",
    )
    console.print(line, soft_wrap=True)
    if check.remedy is not None:
        console.print(Text(f"{'':8}{_told(check.remedy)}"), soft_wrap=True)


def check_document(check: Check) -> dict[str, Any]:
    """A check as JSON; `remedy` is null if there is nothing to do, or `detail` has it."""
    return {
        "name": without_credentials(check.name),
        "state": check.state.value,
        "detail": without_credentials(check.detail),
        "remedy": None if check.remedy is None else without_credentials(check.remedy),
    }


def _told(text: str) -> str:
    return plain(without_credentials(text))
