"""Tables are advised in Spark's tasks as they are in one process."""

from __future__ import annotations

from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from audit_jobs.isolation import Failed
from audit_jobs.jobs import advice_stages
from audit_jobs.jobs.advice_stages import advise_tables
from audit_jobs.jobs.table_basis import AdviceTask
from audit_jobs.planning.items import Runner
from audit_jobs.planning.runner import LocalRunner
from audit_jobs.planning.spark import SparkRunner
from collectors.observed import TableName
from collectors.tables.catalog import open_metadata_file
from tests.backtest.cases import BY_NAME
from tests.backtest.lake import Lake, asked_of
from tests.backtest.model import TRAINING_DAYS
from tests.backtest.trial import BUDGET

pytestmark = pytest.mark.slow

CASES = ("late_data", "predicate_sorted", "uuid_keys")


def _tasks(folder: Path) -> list[AdviceTask]:
    """Tables, of which one has lost its manifests."""
    found = []
    for name in CASES:
        (folder / name).mkdir()
        lake, case = Lake((folder / name).resolve()), BY_NAME[name]
        written = str(lake.directory / lake.write(case.lay(case.rows(TRAINING_DAYS))))
        table = open_metadata_file(
            written, TableName("lake", ("db",), name), ((("w0/", f"{lake.directory}/w0/")),)
        )
        asked = asked_of(table, case.asked(0, TRAINING_DAYS))
        found.append(AdviceTask(table, asked, 7, BUDGET))
    for path in (folder / "uuid_keys").rglob("*-m0.avro"):
        path.unlink()
    return found


def _found(runner: Runner, tasks: list[AdviceTask]) -> dict[str, object]:
    return {one.name.table: one.found for one in advise_tables(tasks, runner)}


def test_tables_are_advised_in_groups_of_layouts(
    spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(advice_stages, "LEAST_WORK", 1)  # groups of a few rows
    tasks = _tasks(tmp_path)
    local = _found(LocalRunner(), tasks)
    assert set(local) == set(CASES)
    assert isinstance(local["uuid_keys"], Failed)
    assert not isinstance(local["late_data"], Failed)

    assert _found(SparkRunner(spark), tasks) == local
