"""The committed files: as the code writes them, of known metrics, and as Grafana's users expect."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from grafana_foundation_sdk.cog.encoder import JSONEncoder
from grafana_foundation_sdk.models.dashboard import Dashboard

from prunescope.audit_jobs.findings.catalogue import BY_ID
from prunescope.audit_jobs.sinks.metric_catalogue import CATALOGUE
from prunescope.dashboards.alerts import alert_rules
from prunescope.dashboards.generate import DIRECTORY, generated_files, write_files
from prunescope.dashboards.recording import recording_rules
from prunescope.dashboards.rules import rules_document
from prunescope.dashboards.settings import Settings, Thresholds, load_settings

DOCS = Path(__file__).parents[2] / "docs"
FILES = generated_files(Settings())
BOARDS = {name: json.loads(text) for name, text in FILES.items() if name.endswith(".json")}
RULES = [rule for group in rules_document(Settings())["groups"] for rule in group["rules"]]
ALERTS = [rule for rule in RULES if "alert" in rule]
METRICS = {metric.name: metric for metric in CATALOGUE}
RECORDED = {rule.name for rule in recording_rules(Settings())}
SERIES = re.compile(r"(?:\w+:)?prunescope_\w+(?::\w+)?")
SELECTOR = re.compile(r"(?:\w+:)?prunescope_\w+(?::\w+)?\{([^}]*)\}")
GRID = 24


def panels(board: dict[str, Any]) -> list[dict[str, Any]]:
    return [panel for panel in board["panels"] if panel["type"] != "row"]


def queries() -> Iterator[str]:
    """Every PromQL expression, in rules, panels and variables."""
    yield from (rule["expr"] for rule in RULES)
    for board in BOARDS.values():
        for panel in panels(board):
            yield from (target["expr"] for target in panel["targets"] if "expr" in target)
        yield from (
            variable["query"]
            for variable in board["templating"]["list"]
            if variable["type"] == "query"
        )


def test_the_committed_files_are_what_the_code_writes() -> None:
    committed = {path.name: path.read_text(encoding="utf-8") for path in DIRECTORY.iterdir()}
    stale = [name for name in committed | FILES if committed.get(name) != FILES.get(name)]
    assert stale == [], "run `make generated`"


def test_every_series_is_in_the_catalogue_or_recorded() -> None:
    used = {name for query in queries() for name in SERIES.findall(query)}
    assert used - METRICS.keys() - RECORDED == set()
    assert {"prunescope_findings", "fleet:prunescope_manifests_kept:ratio"} <= used


def test_matchers_name_labels_that_the_metric_has() -> None:
    for query in queries():
        for found in SELECTOR.finditer(query):
            name = found[0].partition("{")[0]
            labels = set(re.findall(r"(\w+)(?:=|!=|=~|!~)\"", found[1]))
            allowed = {"job", *METRICS[name].labels} if name in METRICS else None
            level = {"job", "catalog", "namespace", "table"}
            assert labels <= (level if allowed is None else allowed), found[0]


def test_every_recording_rule_is_used() -> None:
    used = {name for query in queries() for name in SERIES.findall(query)}
    assert used >= RECORDED


@pytest.mark.parametrize("rule", ALERTS, ids=lambda rule: rule["alert"])
def test_every_alert_says_what_where_and_what_to_do(rule: dict[str, Any]) -> None:
    assert rule["labels"]["severity"] in {"critical", "warning", "info"}
    for annotation in ("summary", "description", "runbook_url"):
        assert rule["annotations"][annotation].strip()


def test_every_runbook_has_its_section() -> None:
    headings = re.findall(r"(?m)^## (\w+)$", (DOCS / "alerts.md").read_text())
    assert [heading.lower() for heading in headings] == list(
        dict.fromkeys(rule.anchor for rule in alert_rules(Settings()))
    )
    for rule in ALERTS:
        page, _, anchor = rule["annotations"]["runbook_url"].rpartition("/")[2].partition("#")
        assert (page, anchor) == ("alerts.md", rule["alert"].lower())


def test_every_cause_that_an_alert_names_has_its_section() -> None:
    anchors = set(re.findall(r'<a id="(\w+)">', (DOCS / "findings.md").read_text()))
    named = [one["annotations"].get("documentation", "").partition("#")[2] for one in ALERTS]
    fixed = {cause for cause in named if cause and "{{" not in cause}
    assert fixed == {"misaligned_partitioning", "over_prune"}
    assert fixed <= BY_ID.keys()
    assert set(BY_ID) <= anchors  # what {{ $labels.finding }} may become


@pytest.mark.parametrize("name", BOARDS)
def test_a_dashboard_cannot_be_edited_and_chooses_its_data_source(name: str) -> None:
    board = BOARDS[name]
    assert board["editable"] is False
    assert f"{board['uid']}.json" == name
    variables = {one["name"]: one for one in board["templating"]["list"]}
    assert variables["datasource"]["type"] == "datasource"
    for panel in panels(board):
        references = [panel["datasource"], *(one["datasource"] for one in panel["targets"])]
        assert {one["uid"] for one in references} == {"${datasource}"}
        assert {one["type"] for one in references} == {variables["datasource"]["query"]}


@pytest.mark.parametrize("name", BOARDS)
def test_every_panel_has_title_description_unit_and_place(name: str) -> None:
    board = BOARDS[name]
    taken: set[tuple[int, int]] = set()
    for panel in panels(board):
        assert panel["title"]
        assert panel["description"]
        assert panel["fieldConfig"]["defaults"]["unit"]
        place = panel["gridPos"]
        assert place["x"] + place["w"] <= GRID
        cells = {
            (x, y)
            for x in range(place["x"], place["x"] + place["w"])
            for y in range(place["y"], place["y"] + place["h"])
        }
        assert not taken & cells, panel["title"]
        taken |= cells
    assert len({panel["id"] for panel in board["panels"]}) == len(board["panels"])


@pytest.mark.parametrize("name", [name for name in BOARDS if "fingerprints" not in name])
def test_queries_of_panels_follow_job_and_range(name: str) -> None:
    board = BOARDS[name]
    job = next(one for one in board["templating"]["list"] if one["name"] == "job")
    assert (job["multi"], job["allValue"]) == (True, ".+")
    for panel in panels(board):
        for target in panel["targets"]:
            selectors = SELECTOR.findall(target["expr"])
            assert selectors
            assert all('job=~"$job"' in matchers for matchers in selectors)
            ranges = re.findall(r"\[([^]]*)\]", target["expr"])
            assert set(ranges) <= {"$__rate_interval"}


UNITS = {"": "short", "bytes": "bytes", "seconds": "s"}
"""Grafana's unit for each of the metrics'."""


def units_of(expr: str) -> set[str]:
    """In which units values of an expression are; what it joins them with does not count."""
    values = re.sub(r"^0 \* .* group_left ", "", expr).partition(" and on ")[0]
    if values.startswith("time() - "):
        return {"s"}
    if " / " in values or ":ratio" in values:
        return {"percentunit"}
    return {UNITS[METRICS[name].unit] for name in re.findall(r"prunescope_\w+", values)}


def shown_in(panel: dict[str, Any], target: dict[str, Any]) -> str:
    """The unit in which a panel shows what one of its targets returns."""
    unit: str = panel["fieldConfig"]["defaults"]["unit"]
    if panel["type"] != "table":
        return unit
    (titles,) = [
        one["options"]["renameByName"]
        for one in panel["transformations"]
        if one["id"] == "organize"
    ]
    title = titles.get(f"Value #{target['refId']}") or titles["Value"]
    (override,) = [
        one for one in panel["fieldConfig"]["overrides"] if one["matcher"]["options"] == title
    ]
    (unit,) = [one["value"] for one in override["properties"] if one["id"] == "unit"]
    return unit


@pytest.mark.parametrize("name", [name for name in BOARDS if "fingerprints" not in name])
def test_every_number_is_shown_in_the_unit_of_its_metric(name: str) -> None:
    for panel in panels(BOARDS[name]):
        for target in panel["targets"]:
            assert units_of(target["expr"]) == {shown_in(panel, target)}, panel["title"]


@pytest.mark.parametrize("name", BOARDS)
def test_a_dashboard_has_nothing_that_the_schema_does_not_know(name: str) -> None:
    """Reading by the models that Grafana generates of its schemas drops what these do not have."""
    read = Dashboard.from_json(BOARDS[name])
    assert json.loads(json.dumps(read, cls=JSONEncoder)) == BOARDS[name]
    wrong = BOARDS[name] | {"panelz": []}
    assert json.loads(json.dumps(Dashboard.from_json(wrong), cls=JSONEncoder)) != wrong


CHANGED = """\
selector: job="nightly", cluster="eu"
lookback: 26h
runbook_url: https://example.com/runbooks
labels: {team: data}
thresholds:
  bytes_read: 5
  kept_ratio: {data_files: 0.5}
"""


def test_a_file_changes_what_is_generated(tmp_path: Path) -> None:
    path = tmp_path / "settings.yaml"
    path.write_text(CHANGED)
    settings = load_settings(path)
    assert settings.thresholds == Thresholds(bytes_read=5, kept_ratio={"data_files": 0.5})
    write_files(settings, tmp_path)
    written = yaml.safe_load((tmp_path / "prunescope-rules.yaml").read_text())
    rules = [rule for group in written["groups"] for rule in group["rules"]]
    of_audits = [each for each in rules if "prunescope_receiver_" not in each["expr"]]
    assert all('job="nightly", cluster="eu"' in rule["expr"] for rule in of_audits)
    (low,) = [rule for rule in rules if rule.get("alert") == "PrunescopeLowPruning"]
    assert "> 0.5 and" in low["expr"]
    assert low["expr"].endswith(">= 5")
    assert low["labels"] == {"team": "data", "severity": "warning", "pass": "data_files"}
    assert low["annotations"]["runbook_url"] == (
        "https://example.com/runbooks#prunescopelowpruning"
    )
    failed = next(rule for rule in rules if rule.get("alert") == "PrunescopeTablesFailed")
    assert "last_over_time(prunescope_run_tables_failed{" in failed["expr"]
    assert "[26h]" in failed["expr"]
