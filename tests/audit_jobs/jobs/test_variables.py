"""A condition on a variable of the session, or on a parameter without a value, is one that is not
known; the query is replayed."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from prunescope.audit_jobs.jobs.audit import run_audit
from prunescope.audit_jobs.planning.runner import LocalRunner
from prunescope.audit_jobs.workload.inputs import made_inputs
from prunescope.audit_jobs.workload.queries import name_tables
from prunescope.collectors.observed import ObservedQuery
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
DECLARED = (
    "v_id = 5",
    "v_id IS NULL OR id = v_id",
    "session.v_id > 3 AND id = 1",
    "SYSTEM.Session.V_ID BETWEEN 1 AND 3",
    "v_pat LIKE 'a%'",
    "name LIKE v_pat AND v_pat IS NOT NULL",
    "v_set IN (1, 2)",
)
OF_NO_DECLARATION = ("v_other = 5", "t.v_id = 5", "v_id.x = 5")


def audited(folder: Path, before: Mapping[str, str]) -> list[Mapping[str, Any]]:
    """Rows of scan_plans for queries with conditions, by what their texts have before them."""
    runner = LocalRunner()
    queries = [
        ObservedQuery(
            "test",
            condition,
            f"{text}SELECT * FROM t WHERE {condition}",
            "trino" if '"' in condition else "spark",
            catalog="lake",
            schema="db",
            engine="spark",
        )
        for condition, text in before.items()
    ]
    config = config_of({"t": write_table(folder, "t")})
    inputs = made_inputs(runner, [name_tables(query) for query in queries])
    return [*run_audit(config, WINDOW, inputs, runner, lambda _: None).scan_plans()]


def test_what_is_compared_with_a_variable_is_not_known(tmp_path: Path) -> None:
    expected = dict.fromkeys(REPLAYED, "replayed") | dict.fromkeys(UNKNOWN_COLUMN, "unknown_column")
    rows = audited(tmp_path, dict.fromkeys(expected, ""))
    assert {row["query_id"]: row["outcome"] for row in rows} == expected


def test_what_the_text_declares_is_no_column(tmp_path: Path) -> None:
    declare = (
        "DECLARE OR REPLACE VARIABLE v_id INT DEFAULT 12; DECLARE v_lo, session.v_pat STRING; "
        "SET VAR v_set = 5; "
    )
    expected = dict.fromkeys(DECLARED, "replayed")
    expected |= dict.fromkeys(OF_NO_DECLARATION, "unknown_column")
    rows = audited(tmp_path, dict.fromkeys(expected, declare))
    assert {row["query_id"]: row["outcome"] for row in rows} == expected


def test_a_column_comes_before_a_variable(tmp_path: Path) -> None:
    (row,) = audited(tmp_path, {"id = 3": "DECLARE id INT DEFAULT 12; "})
    assert (row["outcome"], row["pushed"]) == ("replayed", "id IS NOT NULL AND id = ?")
