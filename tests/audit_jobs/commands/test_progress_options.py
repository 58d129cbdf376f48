"""How a long command writes standard error."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import yaml
from click.testing import CliRunner, Result
from pyiceberg.catalog.sql import SqlCatalog

from prunescope.audit_jobs.cli import main
from tests.audit_jobs.jobs.lakes import write_table

pytestmark = pytest.mark.slow


@pytest.fixture
def config(tmp_path: Path) -> Path:
    tables = [
        {"name": "lake.db.t", "metadata": str(write_table(tmp_path))},
        {"name": "lake.db.lost", "metadata": "/no/such/metadata.json"},
    ]
    place = {"uri": f"sqlite:///{tmp_path}/empty.db", "warehouse": f"file://{tmp_path}"}
    SqlCatalog("lake", **place).destroy_tables()  # a database without any
    document = {
        "catalogs": {"lake": {"properties": {"type": "sql", **place}}},
        "tables": tables,
        "sources": [{"type": "trino_events", "paths": ["none"]}],
        "audit": {"catalog": "lake"},
    }
    path = tmp_path / "audit.yaml"
    path.write_text(yaml.safe_dump(document))
    return path


def tables(config: Path, *arguments: str) -> Result:
    return CliRunner().invoke(main, ["tables", "--config", str(config), *arguments])


STAGES = ["Listing tables", "Opening tables", "Reading manifests"]


def test_stages_are_lines_where_there_is_no_terminal(config: Path) -> None:
    assert tables(config).stderr.splitlines() == [f"{stage} …" for stage in STAGES]


def test_quiet_is_without_progress_and_with_results(config: Path) -> None:
    result = tables(config, "--quiet")
    assert result.stderr == ""
    assert "lake.db.lost: No metadata file" in result.stdout
    assert tables(config).stderr != ""


def test_json_is_a_line_for_each_stage_and_each_error(config: Path) -> None:
    lines = [
        json.loads(line) for line in tables(config, "--log-format", "json").stderr.splitlines()
    ]
    assert [(line["level"], line["message"]) for line in lines] == [("info", s) for s in STAGES]
    assert all(line["time"].endswith("Z") for line in lines)
    refused = tables(config, "nothing", "--quiet", "--log-format", "json")
    (line,) = map(json.loads, refused.stderr.splitlines())
    assert line["level"] == "warning"
    assert line["message"].startswith("no table matches 'nothing'; known: ")
    assert refused.exit_code == 2
