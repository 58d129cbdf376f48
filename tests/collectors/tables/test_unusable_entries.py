"""What catalogs have by the name of a table, and cannot load as one."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path

import pytest

from prunescope.collectors.errors import TableError, TableNotFound
from prunescope.collectors.observed import TableName
from prunescope.collectors.tables.catalog import load_catalog, open_table
from tests.audit_jobs.jobs.hive_metastore_server import serving_hive
from tests.audit_jobs.jobs.lakes import write_table

NAME = TableName("lake", ("db",), "healthy")
NO_LOCATION = "has lake.db.healthy, but not where its metadata file is: register it again"
NOT_ICEBERG = "has lake.db.healthy, but not as an Iceberg table"


def opened(properties: dict[str, str]) -> str:
    with pytest.raises(TableError) as raised:
        open_table(load_catalog("lake", properties), NAME)
    assert (raised.value.code == "table_not_found") is isinstance(raised.value, TableNotFound)
    return str(raised.value)


@pytest.mark.parametrize("location", ["''", "NULL"])
def test_a_row_without_a_location(tmp_path: Path, location: str) -> None:
    write_table(tmp_path)
    database = tmp_path / "catalog.db"
    with closing(sqlite3.connect(database)) as connection:
        connection.execute(f"UPDATE iceberg_tables SET metadata_location = {location}")
        connection.commit()
    assert NO_LOCATION in opened({"type": "sql", "uri": f"sqlite:///{database}"})


@pytest.mark.slow
@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        pytest.param({}, NOT_ICEBERG, id="of Hive"),
        pytest.param({"table_type": "PAIMON"}, NOT_ICEBERG, id="of another format"),
        pytest.param({"table_type": "ICEBERG"}, NO_LOCATION, id="without a location"),
        pytest.param(None, "has no table lake.db.healthy", id="not there"),
    ],
)
def test_tables_of_a_metastore(parameters: Mapping[str, str] | None, message: str) -> None:
    with serving_hive({}, {} if parameters is None else {"healthy": parameters}) as uri:
        assert message in opened({"type": "hive", "uri": uri})
