"""A condition on a variable of the session, or on a parameter without a value, is one that is not
known; the query is replayed."""

from __future__ import annotations

from pathlib import Path

import pytest

from audit_jobs.jobs.audit import run_audit
from audit_jobs.planning.runner import LocalRunner
from audit_jobs.workload.inputs import made_inputs
from audit_jobs.workload.queries import name_tables
from collectors.observed import ObservedQuery
from tests.audit_jobs.jobs.lakes import WINDOW, config_of, write_table

pytestmark = pytest.mark.slow

REPLAYED = (
    "id = v_id",
    "id > v_id AND name = 'a'",
    "id = session.v_id",
    "id BETWEEN v_lo AND v_hi",
    "name LIKE v_pat",
    "id IN (v_id, 4)",
    "id = :x",
    "id = ?",
)
UNKNOWN_COLUMN = ("v_id = 5", 'name = "a text"')


def test_what_is_compared_with_a_variable_is_not_known(tmp_path: Path) -> None:
    runner = LocalRunner()
    expected = dict.fromkeys(REPLAYED, "replayed") | dict.fromkeys(UNKNOWN_COLUMN, "unknown_column")
    queries = [
        ObservedQuery(
            "test",
            condition,
            f"SELECT * FROM t WHERE {condition}",
            "trino" if '"' in condition else "spark",
            catalog="lake",
            schema="db",
            engine="spark",
        )
        for condition in expected
    ]
    config = config_of({"t": write_table(tmp_path, "t")})
    inputs = made_inputs(runner, [name_tables(query) for query in queries])
    rows = run_audit(config, WINDOW, inputs, runner, lambda _: None).scan_plans()
    assert {row["query_id"]: row["outcome"] for row in rows} == expected
