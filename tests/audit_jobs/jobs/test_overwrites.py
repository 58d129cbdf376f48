"""A statement that overwrites partitions ends in one outcome, whether it reads a table or none."""

from __future__ import annotations

from pathlib import Path

import pytest

from prunescope.audit_jobs.jobs.audit import run_audit
from prunescope.audit_jobs.planning.runner import LocalRunner
from prunescope.audit_jobs.workload.inputs import made_inputs
from prunescope.audit_jobs.workload.queries import name_tables
from prunescope.collectors.effects import REPLACED
from prunescope.collectors.observed import ObservedQuery, TableName
from tests.audit_jobs.jobs.lakes import WINDOW, config_of, write_table

pytestmark = pytest.mark.slow

T = TableName("lake", ("db",), "t")


def of_text(sql: str) -> ObservedQuery:
    return ObservedQuery("test", sql, sql, "spark", catalog="lake", schema="db", engine="spark")


OUTCOMES = {
    "INSERT OVERWRITE t PARTITION (name = 'a') SELECT id FROM stage.db.s": "no_iceberg_table",
    "INSERT OVERWRITE t VALUES (1, 'a')": "not_a_query",
    "ALTER TABLE t DROP PARTITION (name = 'a')": "not_a_query",
    "INSERT OVERWRITE t SELECT * FROM t WHERE id = 2": "replayed",
}


def test_each_overwrite_has_one_outcome(tmp_path: Path) -> None:
    runner = LocalRunner()
    of_plan = ObservedQuery(
        "test", "plan", None, "spark", engine="spark", plan_known=True, effects=((T, REPLACED),)
    )
    queries = [*map(of_text, OUTCOMES), of_plan]
    named = [name_tables(query) for query in queries]
    assert [one.effects for one in named] == [((T, REPLACED),)] * len(queries)
    config = config_of({"t": write_table(tmp_path, "t")})
    result = run_audit(config, WINDOW, made_inputs(runner, named), runner, lambda _: None)
    rows = [(row["query_id"], row["query_outcome"]) for row in result.scan_plans()]
    assert sorted(rows) == sorted([*OUTCOMES.items(), ("plan", "not_scanned")])
    assert sum(result.run.queries.values()) == len(queries)
