"""The model of an alert rule."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class AlertRule:
    """A condition, and the message of its alert.

    `severity` is `critical` for results that may be wrong, `warning` for what somebody should look
    at in working hours, `info` for what is worth knowing. `burn_in` is how long the condition must
    hold before the alert fires, `hold` how long it must not before the alert is resolved, both as
    Prometheus durations.
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
        """The anchor of the alert in the runbook."""
        return self.name.lower()
