"""Settings files: what is accepted, and what is said of the rest."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from prunescope.audit_jobs.errors import BadConfiguration
from prunescope.dashboards.__main__ import main
from prunescope.dashboards.settings import Settings, load_settings, seconds


@pytest.mark.parametrize(
    ("duration", "expected"),
    [("90s", 90), ("26h", 93_600), ("1h30m", 5_400), ("4w", 2_419_200), ("100w1s", 60_480_001)],
)
def test_durations_have_seconds(duration: str, expected: float) -> None:
    assert seconds(duration) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("", Settings(), id="an empty file"),
        pytest.param('{"hold": "2d"}', Settings(hold="2d"), id="JSON"),
        pytest.param('{"settle": "0s"}', Settings(settle="0s"), id="at once"),
        pytest.param('{"burn_in": "1d0h"}', Settings(burn_in="1d0h"), id="a part of nothing"),
    ],
)
def test_what_is_left_out_keeps_its_default(tmp_path: Path, text: str, expected: Settings) -> None:
    path = tmp_path / "settings.yaml"
    path.write_text(text)
    assert load_settings(path) == expected


@pytest.mark.parametrize(
    ("text", "message"),
    [
        pytest.param("hodl: 2d", "hodl", id="a name that there is not"),
        pytest.param("thresholds: {bytes: 1}", "thresholds.bytes", id="one below"),
        pytest.param("hold: two days", "hold: String should match", id="no duration"),
        pytest.param("evaluation_interval: 0s", "evaluation_interval: String", id="no time"),
        pytest.param("baseline_step: 0h0m", "baseline_step: String", id="no time in two parts"),
        pytest.param("lookback: 0s", "lookback: String", id="no time to look back"),
        pytest.param("thresholds: {success_age: 500ms}", "success_age: String", id="milliseconds"),
        pytest.param("thresholds: {success_age: 0s}", "success_age: String", id="no age"),
        pytest.param("selector: '{job=\"x\"}'", "selector: String should match", id="braces"),
        pytest.param("selector: job=x", "selector: String should match", id="no quotes"),
        pytest.param("selector: ''", "selector: String should match", id="no matcher"),
        pytest.param("labels: {severity: page}", "alerts have a label severity", id="own label"),
        pytest.param("labels: {a-b: x}", "labels.a-b", id="no name of a label"),
        pytest.param("thresholds: {regression: 25}", "thresholds.regression", id="no ratio"),
        pytest.param("thresholds: {kept_ratio: {files: 0.5}}", "kept_ratio.files", id="no pass"),
        pytest.param("labels: [a", "no YAML", id="no YAML"),
    ],
)
def test_mistakes_are_named(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "settings.yaml"
    path.write_text(text)
    with pytest.raises(BadConfiguration, match=message):
        load_settings(path)


def test_the_command_names_mistakes_and_writes_nothing(tmp_path: Path) -> None:
    output = tmp_path / "out"
    output.mkdir()
    arguments = ["--settings", str(tmp_path / "absent.yaml"), "--output", str(output)]
    result = CliRunner().invoke(main, arguments)
    assert result.exit_code == 1
    assert "cannot be read" in result.output
    assert list(output.iterdir()) == []


def test_the_command_writes_rules_and_dashboards(tmp_path: Path) -> None:
    assert CliRunner().invoke(main, ["--output", str(tmp_path)]).exit_code == 0
    assert len(list(tmp_path.iterdir())) == 6
