"""Checks of an installation, and their results."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class State(Enum):
    """State of a check: `warning` works, but in an unexpected way; `skipped` could not be
    checked."""

    OK = "ok"
    WARNING = "warning"
    FAILED = "failed"
    SKIPPED = "skipped"


@dataclass(frozen=True, slots=True)
class Check:
    """A check: what was seen, and a remedy, if `detail`, which may be the message of an error, does
    not have it itself. `place` is the place that would have to be allowed."""

    name: str
    state: State
    detail: str
    remedy: str | None = None
    place: str | None = None


def ok(name: str, detail: str) -> Check:
    """A check that succeeded."""
    return Check(name, State.OK, detail)


def failed(name: str, error: object) -> Check:
    """A check that failed with an error."""
    return Check(name, State.FAILED, str(error))
