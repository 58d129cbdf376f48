"""What the texts of one log may cost together.

Each text is bounded by itself (`collectors.sql.text.cost`), but a log can hold any number of texts
that all reach their bound. Most texts take a tenth of what is usual, and need nothing of this.
Whatever takes more draws on an allowance, and once that is used, ends with what is usual: so a log
takes time by its length, whoever wrote it, and texts of people in it are still read. Whole bounds
are drawn, and not what was needed of them, so that a log ends alike whatever was read before.
"""

from __future__ import annotations

from collections.abc import Hashable

from audit_jobs.isolation import Failed
from collectors.outcomes import Outcome

ALLOWED_STEPS = 20_000_000
"""Steps beyond what is usual: about a minute of one core in 2026, and hundreds of short texts."""

REFUSED = Failed(
    Outcome.TOO_MANY_COMPLEX,
    "the SQL takes more work than is usual for its length, and its log has too many such texts; "
    "exclude generated queries of this kind",
)
"""What a text ends in for which nothing is left."""


class Allowance:
    """What is left of the steps that templates may draw beyond what is usual."""

    def __init__(self, steps: int = ALLOWED_STEPS) -> None:
        self._left = steps
        self._granted: set[Hashable] = set()

    def has(self, steps: int) -> bool:
        """Whether so many are left."""
        return steps <= self._left

    def grants(self, template: Hashable, steps: int) -> bool:
        """Draws them, unless that was done for the template before; False where they are not
        left."""
        if template in self._granted:
            return True
        if not self.has(steps):
            return False
        self._left -= steps
        self._granted.add(template)
        return True
