"""The rule file: recording rules and alert rules as Prometheus reads them."""

from __future__ import annotations

from typing import Any

import yaml

from prunescope.dashboards.alert_rule import AlertRule
from prunescope.dashboards.alerts import alert_rules
from prunescope.dashboards.recording import recording_rules
from prunescope.dashboards.settings import Settings

FILE = "prunescope-rules.yaml"
_HEAD = "# Written by `python -m prunescope.dashboards`; change dashboards/, not this file."
RECORDING_GROUP, ALERT_GROUP = "prunescope.recording", "prunescope.alerts"


def rules_document(settings: Settings) -> dict[str, Any]:
    """The document of a rule file, also the `spec` of a PrometheusRule."""
    interval = settings.evaluation_interval
    recording = [{"record": rule.name, "expr": rule.expr} for rule in recording_rules(settings)]
    alerts = [_alert(rule, settings) for rule in alert_rules(settings)]
    return {
        "groups": [
            {"name": RECORDING_GROUP, "interval": interval, "rules": recording},
            {"name": ALERT_GROUP, "interval": interval, "rules": alerts},
        ]
    }


def rules_yaml(settings: Settings) -> str:
    """The text of a rule file."""
    text = yaml.safe_dump(rules_document(settings), sort_keys=False, width=100, allow_unicode=True)
    return f"{_HEAD}\n{text}"


def _alert(rule: AlertRule, settings: Settings) -> dict[str, Any]:
    annotations = {
        "summary": rule.summary,
        "description": rule.description,
        "runbook_url": f"{settings.runbook_url}#{rule.anchor}",
    }
    if rule.documentation is not None:
        annotations["documentation"] = rule.documentation
    return {
        "alert": rule.name,
        "expr": rule.expr,
        "for": rule.burn_in,
        "keep_firing_for": rule.hold,
        # An installation's labels come first, as none of them may hide what tells rules apart.
        "labels": {**settings.labels, "severity": rule.severity, **rule.labels},
        "annotations": annotations,
    }
