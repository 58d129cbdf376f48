"""Filters that say what is not wanted, though little is wanted."""

from __future__ import annotations

import pytest

from tests.scenarios.lake import Lake, Query, bytes_kept, causes, files, of_cause

pytestmark = [pytest.mark.slow, pytest.mark.exhaustive]

OPEN = """SELECT * FROM tasks WHERE "State" <> 'done'"""
STATES = (
    "CASE WHEN id % 40 = 0 THEN 'failed' WHEN id % 40 = 1 THEN 'open' ELSE 'done' END",
    "sha1(string(id))",
)


@pytest.fixture(scope="module")
def tasks(lake: Lake) -> Lake:
    """Twelve files, each with tasks in all states, nearly all of them done."""
    lake.sql(
        "CREATE TABLE lake.db.tasks (id BIGINT, `State` STRING, note STRING) USING iceberg "
        "TBLPROPERTIES ('write.target-file-size-bytes' = '12000')",
        *files("tasks", 12, rows=400, columns=["id", *STATES]),
    )
    return lake


def test_a_list_over_rows_in_order_reads_what_was_promised(tasks: Lake) -> None:
    before = tasks.audit(OPEN)
    (finding,) = of_cause(before, "negated_condition")
    assert causes(before) == {"negated_condition"}
    assert finding.columns == ("State",)
    assert finding.bytes_at_stake is not None
    assert finding.bytes_at_stake > 0.5 * finding.bytes_read

    tasks.sql(*finding.fix.spark)
    assert finding.fix.rewrite == '"State" IN (?)'
    wanted = finding.fix.rewrite.replace("?", "'open', 'failed'")
    after = tasks.audit(f"SELECT * FROM tasks WHERE {wanted}")

    assert bytes_kept(before) - bytes_kept(after) == pytest.approx(finding.bytes_at_stake, rel=0.2)
    assert causes(after) == set()


def test_where_rows_are_in_order_an_old_planner_needs_the_list_alone(lake: Lake) -> None:
    lake.sql(
        "CREATE TABLE lake.db.jobs (id BIGINT, state STRING, note STRING) USING iceberg",
        *files(
            "jobs",
            10,
            rows=300,
            columns=["id", "IF(id < 2700, 'done', 'open')", "sha1(string(id))"],
        ),
    )
    sql = "SELECT * FROM jobs WHERE state <> 'done'"
    # Iceberg 1.10 rules out nothing by a negation; to it, Trino says ranges.
    before = lake.audit(Query(sql, "spark", "3.5.6", "1.10.1"))
    (finding,) = of_cause(before, "negated_condition")
    assert finding.fix.spark == ()
    assert finding.bytes_at_stake is not None
    assert finding.fix.rewrite is not None

    wanted = finding.fix.rewrite.replace("?", "'open'")
    after = lake.audit(Query(f"SELECT * FROM jobs WHERE {wanted}", "spark", "3.5.6", "1.10.1"))
    assert bytes_kept(before) - bytes_kept(after) == finding.bytes_at_stake
    assert causes(after) == set()

    assert causes(lake.audit(Query(sql, "spark", "4.1.0", "1.11.0"))) == set()
    assert causes(lake.audit(Query(sql, "trino", "481"))) == set()


def test_what_matches_most_rows_is_left_alone(tasks: Lake) -> None:
    assert causes(tasks.audit("""SELECT * FROM tasks WHERE "State" <> 'open'""")) == set()
