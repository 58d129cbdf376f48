"""Numbers that follow each other are a range for Trino, and a list for the library, which compares
no more than 200 of them: what the list rules out is counted within what the range leaves."""

from __future__ import annotations

from pathlib import Path

import pytest

from prunescope.audit_jobs.gate.validate import validate
from prunescope.audit_jobs.jobs.audit import run_audit
from prunescope.audit_jobs.planning.runner import LocalRunner
from prunescope.audit_jobs.workload.inputs import made_inputs
from prunescope.audit_jobs.workload.queries import name_tables
from prunescope.collectors.observed import ObservedQuery
from tests.audit_jobs.jobs.lakes import WINDOW, config_of, write_table

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("start", [0, 1_000])
@pytest.mark.parametrize("step", [1, 2])
@pytest.mark.parametrize("length", [200, 201])
def test_no_conjunct_rules_out_more_than_is_considered(
    tmp_path: Path, start: int, step: int, length: int
) -> None:
    values = ", ".join(map(str, range(start, start + length * step, step)))
    query = ObservedQuery(
        source="s",
        query_id="q",
        sql=f"SELECT * FROM lake.db.t WHERE id IN ({values})",
        dialect="trino",
        engine="trino",
    )
    runner = LocalRunner()
    inputs = made_inputs(runner, [name_tables(query)])
    config = config_of({"t": write_table(tmp_path, "t")})
    result = run_audit(config, WINDOW, inputs, runner, lambda _: None)
    assert validate(result, None).failed == ()
    (part,) = result.rows
    ((plan,), (conjunct,)) = part.scan_plans.to_pylist(), part.conjuncts.to_pylist()
    for of in ("manifests", "data_files", "row_groups"):
        assert (conjunct[f"{of}_pruned"] or 0) <= plan[f"{of}_considered"]
