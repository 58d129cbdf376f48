"""Tables are opened at once, and a catalog that does not answer for one holds up no other."""

from __future__ import annotations

import json
import logging
import math
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from pyiceberg.catalog.sql import SqlCatalog

from prunescope.audit_jobs.config import AuditConfig
from prunescope.audit_jobs.jobs.tables import TableFinder, Tables
from prunescope.collectors.observed import TableName
from tests.audit_jobs.jobs.hive_metastore_server import serving_hive
from tests.audit_jobs.jobs.lakes import config_of, write_table
from tests.chaos.rest_catalog import serving

pytestmark = pytest.mark.slow

LIMIT = 4.0
"""Seconds: far more than one of these tables takes, if it is not to hang."""


@pytest.fixture
def lake(tmp_path: Path) -> Iterator[SqlCatalog]:
    """A catalog of 60 tables, `t0` to `t59`, which share a metadata file."""
    location = str(write_table(tmp_path))
    catalog = SqlCatalog("lake", uri=f"sqlite:///{tmp_path}/catalog.db", warehouse=str(tmp_path))
    for number in range(60):
        catalog.register_table(("db", f"t{number}"), location)
    yield catalog
    catalog.close()


def names(numbers: range) -> list[TableName]:
    return [TableName("lake", ("db",), f"t{number}") for number in numbers]


def config(properties: dict[str, str], folder: Path, seconds: float = 20.0) -> AuditConfig:
    return config_of(
        {},
        catalogs={"lake": {"properties": properties}},
        locations={"allow": [str(folder)]},
        table_timeout_seconds=seconds,
    )


def codes(tables: Tables) -> dict[str, str]:
    return {name.table: error.code for name, error in tables.failed.items()}


def test_tables_that_are_never_answered_hold_up_no_other(lake: SqlCatalog, tmp_path: Path) -> None:
    never = {f"t{number}": math.inf for number in range(16)}
    slow = {f"t{number}": 0.2 for number in range(16, 22)}
    with serving(lake) as server:
        server.weather.delays = never | slow
        tables = TableFinder(config(server.properties, tmp_path, LIMIT)).find(names(range(60)))
    assert codes(tables) == dict.fromkeys(never, "table_too_slow")
    assert all("table_timeout_seconds" in str(error) for error in tables.failed.values())
    assert list(tables.opened) == names(range(16, 60))


def test_a_process_ends_though_calls_of_it_never_do(lake: SqlCatalog, tmp_path: Path) -> None:
    program = (
        "import json, sys\n"
        "from prunescope.audit_jobs.config import validate_config\n"
        "from prunescope.audit_jobs.jobs.tables import TableFinder\n"
        "from prunescope.collectors.observed import TableName\n"
        "config = validate_config(json.load(sys.stdin), 'test')\n"
        "names = [TableName('lake', ('db',), f't{number}') for number in range(18)]\n"
        "print(len(TableFinder(config).find(names).failed))\n"
    )
    with serving(lake) as server:
        server.weather.delays = {f"t{number}": math.inf for number in range(18)}
        made = config(server.properties, tmp_path, 1.0).model_dump(mode="json", by_alias=True)
        run = subprocess.run(
            [sys.executable, "-c", program],
            input=json.dumps(made),
            capture_output=True,
            text=True,
            check=False,
            timeout=120,
        )
    assert (run.returncode, run.stdout, run.stderr) == (0, "18\n", "")


def test_asking_many_at_once_says_nothing_of_connections(
    lake: SqlCatalog, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with serving(lake) as server, caplog.at_level(logging.WARNING, "urllib3"):
        server.weather.delay = 0.1
        tables = TableFinder(config(server.properties, tmp_path)).find(names(range(60)))
        assert codes(tables) == {}
        # Those that were left behind fail together when the server ends.
        server.weather.delays = dict.fromkeys((name.table for name in names(range(60))), math.inf)
        TableFinder(config(server.properties, tmp_path, 0.5)).find(names(range(60)))
    assert caplog.records == []


def test_tables_of_a_hive_metastore_are_opened_at_once(lake: SqlCatalog, tmp_path: Path) -> None:
    locations = {
        name.table: lake.load_table(("db", name.table)).metadata_location
        for name in names(range(60))
    }
    with serving_hive(locations) as uri:
        properties = {"type": "hive", "uri": uri}
        tables = TableFinder(config(properties, tmp_path)).find(names(range(60)))
    assert codes(tables) == {}
    assert len(tables.opened) == 60
