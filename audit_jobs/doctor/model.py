"""What a check says."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class State(Enum):
    """How it stands: `warning` works, but not as somebody would expect; `skipped` could not be
    looked at."""

    OK = "ok"
    WARNING = "warning"
    FAILED = "failed"
    SKIPPED = "skipped"


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that was looked at: what was seen, and what to do about it, where `detail`, which
    may be the message of an error, does not say that itself. `place` is what would have to be
    allowed."""

    name: str
    state: State
    detail: str
    remedy: str | None = None
    place: str | None = None


def ok(name: str, detail: str) -> Check:
    """All is well."""
    return Check(name, State.OK, detail)


def failed(name: str, error: object) -> Check:
    """It does not work, as an error says."""
    return Check(name, State.FAILED, str(error))
