"""The rules as promtool reads and runs them: every alert fires, and is silent, where it should."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml

from prunescope.dashboards.alerts import alert_rules
from prunescope.dashboards.recording import recording_rules
from prunescope.dashboards.rules import ALERT_GROUP, RECORDING_GROUP, rules_document, rules_yaml
from prunescope.dashboards.settings import Settings
from tests.dashboards.rule_cases import CASES, JOB, Case

pytestmark = pytest.mark.slow

# Every evaluation costs promtool time, and nothing in the cases changes faster.
SETTINGS = Settings(evaluation_interval="30m")
ALERTS = alert_rules(SETTINGS)


def promtool(program: Path, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([program, *arguments], capture_output=True, text=True, check=False)


def rendered(text: str, labels: Mapping[str, str], value: str) -> str:
    """What Prometheus makes of an annotation's template."""
    text = re.sub(r"{{ \$labels\.(\w+) }}", lambda match: labels[match[1]], text)
    return re.sub(r"{{ \$value[^}]* }}", value, text)


def unit_test(case: Case, settings: Settings) -> dict[str, Any]:
    """A test as promtool reads it."""
    expected = []
    for labels in case.fires:
        (rule,) = [
            rule
            for rule in alert_rules(settings)
            if (rule.name, rule.labels.get("pass")) == (case.alert, labels.get("pass"))
        ]
        document = rules_document(settings)
        annotations = next(
            found["annotations"]
            for group in document["groups"]
            for found in group["rules"]
            if found.get("alert") == rule.name and found["labels"].items() >= rule.labels.items()
        )
        all_labels = {"job": JOB, **labels}
        expected.append(
            {
                "exp_labels": all_labels,
                "exp_annotations": {
                    name: rendered(text, all_labels, case.value)
                    for name, text in annotations.items()
                },
            }
        )
    return {
        "name": f"{case.alert}: {case.id}",
        "interval": "5m",
        "input_series": [{"series": s.name, "values": s.values} for s in case.series],
        "alert_rule_test": [
            {"eval_time": case.at, "alertname": case.alert, "exp_alerts": expected}
        ],
    }


def run_cases(program: Path, folder: Path, cases: tuple[Case, ...], settings: Settings) -> str:
    """What promtool complains about."""
    (folder / "rules.yaml").write_text(rules_yaml(settings))
    (folder / "tests.yaml").write_text(
        yaml.safe_dump(
            {
                "rule_files": ["rules.yaml"],
                "evaluation_interval": settings.evaluation_interval,
                "group_eval_order": [RECORDING_GROUP, ALERT_GROUP],
                "tests": [unit_test(case, settings) for case in cases],
            }
        )
    )
    done = promtool(program, "test", "rules", folder / "tests.yaml")
    return "" if done.returncode == 0 else done.stdout + done.stderr


def test_promtool_accepts_the_rules(require_program: Callable[[str], Path], tmp_path: Path) -> None:
    path = tmp_path / "rules.yaml"
    path.write_text(rules_yaml(Settings()))
    done = promtool(require_program("promtool"), "check", "rules", "--lint-fatal", path)
    number = len(recording_rules(Settings())) + len(ALERTS)
    assert (done.returncode, done.stderr) == (0, "")
    assert f"SUCCESS: {number} rules found" in done.stdout


@pytest.mark.parametrize("name", sorted({rule.name for rule in ALERTS}))
def test_an_alert_fires_and_is_silent(
    require_program: Callable[[str], Path], tmp_path: Path, name: str
) -> None:
    cases = tuple(case for case in CASES if case.alert == name)
    assert {bool(case.fires) for case in cases} == {True, False}
    assert run_cases(require_program("promtool"), tmp_path, cases, SETTINGS) == ""


def test_every_case_is_of_an_alert() -> None:
    assert {case.alert for case in CASES} == {rule.name for rule in ALERTS}
    assert len({(case.alert, case.id) for case in CASES}) == len(CASES)
