"""Of which tables a statement replaces or drops partitions, in whatever form engines have it."""

from __future__ import annotations

import pytest

from prunescope.collectors.sql.scopes.tables import target_name
from prunescope.collectors.sql.text.statements import statements


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        ("INSERT OVERWRITE TABLE t PARTITION (dt = '20260220') SELECT a FROM s", ["lake.db.t"]),
        ("INSERT OVERWRITE a.b.t PARTITION (dt) SELECT a, dt FROM s", ["a.b.t"]),
        ("INSERT OVERWRITE b.t PARTITION (dt = 'x') (a, c) SELECT a, c FROM s", ["lake.b.t"]),
        ("INSERT OVERWRITE t SELECT * FROM s", ["lake.db.t"]),
        ("INSERT OVERWRITE t BY NAME SELECT * FROM s", ["lake.db.t"]),
        ("INSERT OVERWRITE t TABLE s", ["lake.db.t"]),
        ("INSERT OVERWRITE t VALUES (1, 'x')", ["lake.db.t"]),
        ("INSERT OVERWRITE lake.db.t.branch_audit SELECT * FROM s", ["lake.db.t"]),
        ("WITH t AS (SELECT 1) INSERT OVERWRITE t SELECT * FROM t", ["lake.db.t"]),
        ("USE other; INSERT OVERWRITE t SELECT * FROM s", ["lake.other.t"]),
        (
            "FROM s INSERT OVERWRITE TABLE t PARTITION (dt = 'x') SELECT a INSERT INTO u SELECT b",
            ["lake.db.t"],
        ),
        (
            "FROM s INSERT OVERWRITE TABLE t SELECT a INSERT OVERWRITE TABLE v SELECT b",
            ["lake.db.t", "lake.db.v"],
        ),
        ("INSERT INTO t REPLACE WHERE dt = 'x' SELECT * FROM s", ["lake.db.t"]),
        ("ALTER TABLE t DROP IF EXISTS PARTITION (dt < 'x')", ["lake.db.t"]),
        ("TRUNCATE TABLE t PARTITION (dt = 'x')", ["lake.db.t"]),
        ("INSERT INTO t SELECT * FROM s", []),
        ("INSERT OVERWRITE DIRECTORY '/x' SELECT * FROM s", []),
        ("ALTER TABLE t ADD COLUMNS (c INT)", []),
        ("ALTER TABLE t DROP PARTITION FIELD dt", []),
        ("TRUNCATE TABLE t", []),
        ("DELETE FROM t WHERE dt = 'x'", []),
        ("MERGE INTO t USING s ON t.id = s.id WHEN MATCHED THEN DELETE", []),
        ("CREATE OR REPLACE TABLE t AS SELECT * FROM s", []),
    ],
)
def test_what_spark_and_hive_overwrite(sql: str, expected: list[str]) -> None:
    assert _overwritten(sql, "spark") == expected


@pytest.mark.parametrize(
    ("sql", "dialect", "expected"),
    [
        ("INSERT OVERWRITE TABLE b.t PARTITION (dt = 'x') SELECT a FROM s", "hive", ["lake.b.t"]),
        ("INSERT OVERWRITE t SELECT a FROM s", "databricks", ["lake.db.t"]),
        ("INSERT OVERWRITE INTO t SELECT a FROM s", "snowflake", []),
        ("INSERT INTO t SELECT a FROM s", "trino", []),
    ],
)
def test_what_others_overwrite(sql: str, dialect: str, expected: list[str]) -> None:
    assert _overwritten(sql, dialect) == expected


def _overwritten(sql: str, dialect: str) -> list[str]:
    return [
        str(target_name(target, statement.catalog, statement.schema))
        for statement in statements(sql, dialect, (), "lake", "db")
        for target, effect in statement.effects
        if effect.replaces
    ]
