"""Statuses with which a run can end: the one list of them."""

from __future__ import annotations

from enum import StrEnum
from typing import Self


class Status(StrEnum):
    """Status of a run in audit_runs, its meaning (Markdown, as in docs/audit.md), and whether the
    run's rows are visible."""

    meaning: str
    is_visible: bool

    def __new__(cls, code: str, meaning: str, is_visible: bool) -> Self:
        """A code that is also its text, wherever one is wanted."""
        member = str.__new__(cls, code)
        member._value_ = code
        member.meaning = meaning
        member.is_visible = is_visible
        return member

    SUCCEEDED = (
        "succeeded",
        (
            "every query was replayed, or reads nothing or no Iceberg table; every table was read, "
            "and every cause judged"
        ),
        True,
    )
    PARTIAL = (
        "partial",
        (
            "an input, a table or a cause failed, even if only a query that the engine failed or "
            "that had not ended; all else is published, and the command exits with 1"
        ),
        True,
    )
    FAILED = (
        "failed",
        (
            "the sums of the run contradict each other: nothing is published, earlier rows of the "
            "window stay, and the command exits with 1"
        ),
        False,
    )


VISIBLE = frozenset(status for status in Status if status.is_visible)
"""The statuses of runs whose rows are visible."""
