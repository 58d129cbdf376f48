"""`prunescope tables` over the demo's tables, without any log."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest
import yaml
from click.testing import CliRunner, Result

from prunescope.audit_jobs.cli import main
from prunescope.audit_jobs.config import load_config
from prunescope.audit_jobs.demo.setup import prepare
from prunescope.audit_jobs.demo.warehouse import DAY
from prunescope.audit_jobs.jobs.audit import read_inputs, run_audit
from prunescope.audit_jobs.planning.runner import LocalRunner
from prunescope.audit_jobs.results.schemas import COLUMN_HEALTH, TABLE_HEALTH
from prunescope.audit_jobs.results.table_rows import column_health_rows, table_health_rows
from prunescope.audit_jobs.windows import named

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def config(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return prepare(tmp_path_factory.mktemp("lake") / "demo")


def tables(config: Path, *arguments: str) -> Result:
    return CliRunner().invoke(main, ["tables", "--config", str(config), *arguments])


def documents(config: Path, *arguments: str) -> list[dict[str, Any]]:
    result = tables(config, "--json", *arguments)
    assert result.exit_code == 0, result.output
    return [json.loads(line) for line in result.stdout.splitlines()]


def test_the_numbers_are_those_of_table_health(config: Path) -> None:
    loaded, runner = load_config(config), LocalRunner()
    window = named(DAY.isoformat(), ZoneInfo("UTC"))
    result = run_audit(loaded, window, read_inputs(loaded, window, runner), runner, lambda _: None)
    told = {document["table"]: document for document in documents(config)}
    audited = {row["table"]: row for row in table_health_rows(result)}
    assert set(audited) <= set(told)
    shared = {column.name for column in TABLE_HEALTH.columns} & set(told["orders"])
    assert len(shared) > 15
    for table, row in audited.items():
        expected = {name: row[name] for name in shared - {"files_by_spec"}}
        assert {name: told[table][name] for name in expected} == expected
        assert told[table]["files_by_spec"] == dict(row["files_by_spec"])
    columns = {(row["table"], row["column"]): row for row in column_health_rows(result)}
    compared = 0
    for document in told.values():
        for column in document["columns"]:
            told_of = columns.get((document["table"], column["name"]))
            if told_of is not None:
                compared += 1
                shared_keys = set(told_of) & set(column)
                assert {key: told_of[key] for key in shared_keys} == {
                    key: column[key] for key in shared_keys
                }
    assert compared > 1
    assert {"bounded", "overlap", "depth"} <= {column.name for column in COLUMN_HEALTH.columns}


def test_those_with_most_to_mend_come_first(config: Path) -> None:
    needless = [document["needless_files"] for document in documents(config)]
    assert needless == sorted(needless, reverse=True)
    assert needless[0] > 0


def test_a_glob_and_a_limit_choose(config: Path) -> None:
    assert {d["namespace"] for d in documents(config, "lake.web.*")} == {"web"}
    assert len(documents(config, "--limit", "1")) == 1


@pytest.mark.parametrize(
    ("pattern", "advice"),
    [
        pytest.param("orders", "did you mean lake.sales.orders?", id="the last part"),
        pytest.param("lake.sales.ordres", "did you mean lake.sales.orders?", id="misspelt"),
        pytest.param("nothing", "known: lake.sales.customers, lake.sales.orders", id="other"),
    ],
)
def test_a_pattern_that_matches_nothing_is_refused(config: Path, pattern: str, advice: str) -> None:
    result = tables(config, pattern)
    assert result.exit_code == 2
    assert f"no table matches {pattern!r}; {advice}" in result.stderr


def test_a_table_on_a_terminal(config: Path) -> None:
    result = tables(config, "lake.sales.orders")
    shown = [" ".join(line.split()) for line in result.stdout.splitlines()]
    assert shown[0] == "table size files small deletes old manifests expire"
    assert shown[1] == "lake.sales.orders 8.3 MB 240 60 8 0 12 12"
    assert "lake.sales.orders order_ts (partition) 2.5 240 files 100%" in shown


def test_a_table_that_cannot_be_read_is_named_and_the_others_are_told(
    config: Path, tmp_path: Path
) -> None:
    document = yaml.safe_load(config.read_text())
    document["tables"] = [{"name": "lake.lost.t", "metadata": "/no/such/metadata.json"}]
    changed = tmp_path / "audit.yaml"
    changed.write_text(yaml.safe_dump(document))
    result = tables(changed)
    assert result.exit_code == 1
    assert "lake.lost.t: No metadata file /no/such/metadata.json" in result.stdout
    assert "lake.sales.orders" in result.stdout


def test_no_bounds_are_told(config: Path) -> None:
    document = documents(config, "*orders")[0]
    assert not {"low", "high", "ranges"} & {key for c in document["columns"] for key in c}
