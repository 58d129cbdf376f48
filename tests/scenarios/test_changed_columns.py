"""Spark's log tells which columns a job changes, also without the text of its statements."""

from __future__ import annotations

from collections.abc import Iterator

import pyspark
import pytest

from prunescope.collectors.effects import Effect
from prunescope.collectors.observed import TableName
from tests.scenarios.lake import Lake

pytestmark = [pytest.mark.spark, pytest.mark.slow, pytest.mark.exhaustive]

TABLE = "lake.db.of_changed_rows"
IS_OLD = tuple(map(int, pyspark.__version__.split(".")[:2])) < (4, 1)
MODES = ("copy-on-write", "merge-on-read")
MATCHED = f"MERGE INTO {TABLE} AS t USING lake.db.rows_to_merge AS s ON t.id = s.id WHEN MATCHED"


@pytest.fixture(params=MODES)
def changed(lake: Lake, request: pytest.FixtureRequest) -> Iterator[Lake]:
    """Two rows, and a change of one of them."""
    modes = ", ".join(f"'write.{of}.mode' = '{request.param}'" for of in ("update", "merge"))
    lake.sql(
        f"CREATE TABLE {TABLE} (id INT, state STRING, n INT) USING iceberg TBLPROPERTIES ({modes})",
        f"INSERT INTO {TABLE} VALUES (1, 'a', 1), (2, 'b', 2)",
        "CREATE TABLE lake.db.rows_to_merge (id INT, state STRING, n INT) USING iceberg",
        "INSERT INTO lake.db.rows_to_merge VALUES (1, 'c', 3)",
    )
    yield lake
    lake.sql(f"DROP TABLE {TABLE} PURGE", "DROP TABLE lake.db.rows_to_merge PURGE")


@pytest.mark.parametrize(
    ("sql", "columns"),
    [
        (f"UPDATE {TABLE} SET state = 'x' WHERE id = 1", {"state"}),
        (f"UPDATE {TABLE} SET state = state, n = n + 1 WHERE id = 1", {"n"}),
        (f"{MATCHED} THEN UPDATE SET state = s.state", {"state"}),
        (f"{MATCHED} AND s.n > 2 THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *", {"state", "n"}),
        (f"{MATCHED} THEN DELETE WHEN NOT MATCHED BY SOURCE THEN UPDATE SET n = 0", {"n"}),
        (f"{MATCHED} THEN DELETE WHEN NOT MATCHED THEN INSERT *", set()),
        (f"DELETE FROM {TABLE} WHERE n + id = 2", set()),
    ],
)
def test_a_plan_tells_which_columns_change(changed: Lake, sql: str, columns: set[str]) -> None:
    if "MERGE" in sql and IS_OLD and "copy" in str(changed.sql(f"SHOW TBLPROPERTIES {TABLE}")):
        columns = set()  # plans of Spark 3.5 and 4.0 do not show what such a MERGE sets
    (query,) = changed.logged(sql)
    effect = Effect(assigned=frozenset((name,) for name in columns))
    table = TableName("lake", ("db",), "of_changed_rows")
    assert query.effects == (((table, effect),) if columns else ())
