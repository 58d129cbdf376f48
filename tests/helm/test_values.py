"""The values and files of the chart itself: described, in their place, and up to date."""

from __future__ import annotations

import json
from dataclasses import asdict

import pytest
import yaml

from prunescope.dashboards.settings import Settings
from scripts.chart_files import chart_files, stale_copies
from tests.helm.chart import CHART, CONFIG, Chart, Object, audited, merged, only

pytestmark = pytest.mark.slow


def test_large_numbers_of_the_configuration_stay_whole(chart: Chart) -> None:
    values = audited(
        config={
            "max_footers": 1_000_000,
            "findings": {"thresholds": [{"table": "*", "high_bytes": 10**13}]},
        }
    )
    text = only(chart.render(values), "ConfigMap")["data"]["audit.yaml"]
    config = yaml.safe_load(text)
    assert config["max_footers"] == 1_000_000
    assert config["findings"]["thresholds"][0]["high_bytes"] == 10**13
    assert {key: config[key] for key in CONFIG} == CONFIG


def test_an_object_of_a_component_stands_in_its_folder() -> None:
    folders = {path.name for path in (CHART / "templates").iterdir() if path.is_dir()}
    assert folders == {
        "audit",
        "config",
        "exporter",
        "maintenance",
        "monitoring",
        "receiver",
        "tests",
    }


def test_the_files_that_follow_from_others_are_as_these_make_them() -> None:
    stale = [path for path, text in chart_files() if path.read_text(encoding="utf-8") != text]
    assert (stale, stale_copies()) == ([], []), "run `make generated`"


def test_the_rules_settings_have_the_defaults_of_the_dashboards_package() -> None:
    values = yaml.safe_load((CHART / "values.yaml").read_text())["prometheusRule"]["settings"]
    assert merged(values, {"lookback": values["lookback"] or None}) == asdict(Settings())


def test_every_value_is_described() -> None:
    schema: Object = json.loads((CHART / "values.schema.json").read_text())

    def undescribed(part: Object, name: str) -> list[str]:
        missing = []
        for key, each in part.get("properties", {}).items():
            full = f"{name}{key}"
            is_group = bool(each.get("properties")) and key != "resources"
            if is_group:
                missing += undescribed(each, f"{full}.")
            elif "description" not in each:
                missing.append(full)
        return missing

    of_pods = {"annotations", "labels", "nodeSelector", "tolerations", "affinity"}
    of_pods |= {"topologySpreadConstraints", "priorityClassName", "extraEnv", "extraVolumes"}
    of_pods |= {"extraVolumeMounts"}
    missing = [name for name in undescribed(schema, "") if ".pod." not in name]
    assert [name for name in missing if "podMonitor" not in name and name != "global"] == []
    assert of_pods == set(schema["properties"]["audit"]["properties"]["pod"]["properties"])
