"""What an alert rule is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class AlertRule:
    """A condition, and what to say about it.

    `severity` is `critical` for results that may be wrong, `warning` for what somebody should
    look at in working hours, `info` for what is worth knowing. `burn_in` is for how long the
    condition must hold before the alert fires, `hold` for how long it must not before it is
    resolved, both Prometheus durations.
    """

    name: str
    expr: str
    severity: str
    summary: str
    description: str
    burn_in: str
    hold: str
    labels: Mapping[str, str] = field(default_factory=dict)
    documentation: str | None = None

    @property
    def anchor(self) -> str:
        """Where the runbook has it."""
        return self.name.lower()
