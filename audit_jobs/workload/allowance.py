"""Allowance: the steps that the texts of one log may cost together.

Each text has a bound of its own (`prunescope.collectors.sql.text.cost`), but a log can hold any
number of texts that all reach their bound. Most texts take a tenth of the usual steps, and need no
allowance. A text that takes more draws on the allowance, and once that is used up, ends with the
usual steps: so the time for a log depends on its length, whoever wrote it, and texts of people in
it are still read. Whole bounds are drawn, instead of the steps that were needed, so that a log ends
alike whatever was read before.
"""

from __future__ import annotations

from collections.abc import Hashable

from prunescope.audit_jobs.isolation import Failed
from prunescope.collectors.outcomes import Outcome

ALLOWED_STEPS = 20_000_000
"""Steps beyond what is usual: about a minute of one core in 2026, and hundreds of short texts."""

REFUSED = Failed(
    Outcome.TOO_MANY_COMPLEX,
    "the SQL takes more work than is usual for its length, and its log has too many such texts; "
    "exclude generated queries of this kind",
)
"""The failure of a text for which no allowance is left."""


class Allowance:
    """The steps left that templates may draw beyond the usual ones."""

    def __init__(self, steps: int = ALLOWED_STEPS) -> None:
        self._left = steps
        self._granted: set[Hashable] = set()

    def has(self, steps: int) -> bool:
        """True if at least `steps` are left."""
        return steps <= self._left

    def grants(self, template: Hashable, steps: int) -> bool:
        """Draws `steps`, unless the template has drawn before. Returns False if too few are
        left."""
        if template in self._granted:
            return True
        if not self.has(steps):
            return False
        self._left -= steps
        self._granted.add(template)
        return True
