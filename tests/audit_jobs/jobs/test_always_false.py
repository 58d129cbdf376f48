"""A filter that no row can satisfy is a class of its own: nothing is read for it."""

from __future__ import annotations

from pathlib import Path

import pytest

from prunescope.audit_jobs.jobs.audit import run_audit
from prunescope.audit_jobs.planning.runner import LocalRunner
from prunescope.audit_jobs.records import ALWAYS_FALSE, REPLAYED
from prunescope.audit_jobs.workload.inputs import made_inputs
from prunescope.audit_jobs.workload.queries import name_tables
from prunescope.collectors.observed import ObservedQuery, ObservedScan, TableName
from tests.audit_jobs.jobs.lakes import WINDOW, config_of, write_table

pytestmark = pytest.mark.slow

NAME = TableName("lake", ("db",), "t")


@pytest.fixture(scope="module")
def metadata(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_table(tmp_path_factory.mktemp("lake"), "t")


@pytest.mark.parametrize(
    ("engine", "where", "files_read", "outcome"),
    [
        pytest.param("trino", "id = 1 AND id = 2", None, ALWAYS_FALSE, id="trino-sees-it"),
        pytest.param("trino", "1 = 0", None, ALWAYS_FALSE, id="constant"),
        pytest.param("spark", "id = 1 AND id = 2", None, REPLAYED, id="spark-pushes-both"),
        pytest.param("spark", "1 = 0", None, ALWAYS_FALSE, id="spark-constant"),
        pytest.param("trino", "id = 1 AND id = 2", 3, REPLAYED, id="but-the-engine-read-files"),
        pytest.param("trino", "id = 1", None, REPLAYED, id="true-for-some"),
    ],
)
def test_outcomes(
    metadata: Path, engine: str, where: str, files_read: int | None, outcome: str
) -> None:
    reported = [] if files_read is None else [ObservedScan(NAME, None, {"result_data_files": 3})]
    query = ObservedQuery(
        source="s",
        query_id="q",
        sql=f"SELECT * FROM lake.db.t WHERE {where}",
        dialect=engine,
        engine=engine,
        scans=tuple(reported),
    )
    runner = LocalRunner()
    inputs = made_inputs(runner, [name_tables(query)])
    result = run_audit(config_of({"t": metadata}), WINDOW, inputs, runner, lambda _: None)
    (row,) = result.scan_plans()
    assert (row["outcome"], row["query_outcome"]) == (outcome, outcome)
    assert row["predicate"] is not None
    assert (row["manifests_kept"] is None) == (outcome == ALWAYS_FALSE)
    assert (result.run.footers_read == 0) == (outcome == ALWAYS_FALSE)
