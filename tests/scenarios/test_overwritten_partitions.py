"""What overwrites replace follows from the partitions, and Spark's log tells of which tables."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from prunescope.collectors.effects import REPLACED
from prunescope.collectors.observed import TableName
from tests.scenarios.lake import Lake

pytestmark = [pytest.mark.spark, pytest.mark.slow, pytest.mark.exhaustive]

MODE = "spark.sql.sources.partitionOverwriteMode"
TABLE = "lake.db.overwritten"
ROWS_BY_DAY = f"SELECT day, count(*) FROM {TABLE} GROUP BY day ORDER BY day"


@pytest.fixture
def overwritten(lake: Lake) -> Iterator[Lake]:
    """Three days of 20 rows each, and a row of one of them that is loaded anew; overwrites are
    dynamic."""
    lake.sql(
        f"CREATE TABLE {TABLE} (id INT, day STRING) USING iceberg PARTITIONED BY (day)",
        f"INSERT INTO {TABLE} SELECT id, concat('d', id % 3) FROM range(60)",
        "CREATE TABLE lake.db.loaded (id INT, day STRING) USING iceberg",
        "INSERT INTO lake.db.loaded VALUES (1, 'd1')",
        f"SET {MODE}=dynamic",
    )
    yield lake
    lake.sql(f"SET {MODE}=static", f"DROP TABLE {TABLE} PURGE", "DROP TABLE lake.db.loaded PURGE")


@pytest.mark.parametrize(
    ("change", "rows"),
    [
        pytest.param((), [["d0", 20], ["d1", 1], ["d2", 20]], id="as it is"),
        pytest.param(("DROP PARTITION FIELD day",), [["d1", 1]], id="all days are gone"),
        pytest.param(
            ("ADD PARTITION FIELD bucket(4, id)",),
            [["d0", 20], ["d1", 17], ["d2", 20]],
            id="buckets that get no row stay",
        ),
    ],
)
def test_by_other_partitions_an_overwrite_replaces_other_rows(
    overwritten: Lake, change: tuple[str, ...], rows: list[list[object]]
) -> None:
    found = overwritten.sql(
        *(f"ALTER TABLE {TABLE} {one}" for one in change),
        "CALL lake.system.rewrite_data_files(table => 'db.overwritten', "
        "options => map('rewrite-all', 'true'))",
        f"INSERT OVERWRITE {TABLE} SELECT * FROM lake.db.loaded",
        ROWS_BY_DAY,
    )
    assert found == rows


@pytest.mark.parametrize("mode", ["dynamic", "static"])
def test_a_plan_tells_what_it_overwrites(overwritten: Lake, mode: str) -> None:
    overwritten.sql(f"SET {MODE}={mode}")
    overwrite, append = overwritten.logged(
        f"INSERT OVERWRITE {TABLE} SELECT * FROM lake.db.loaded",
        f"INSERT INTO {TABLE} SELECT * FROM lake.db.loaded",
    )
    assert overwrite.effects == ((TableName("lake", ("db",), "overwritten"), REPLACED),)
    assert append.effects == ()
