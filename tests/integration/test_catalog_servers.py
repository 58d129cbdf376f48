"""Real REST catalogs, of which one keeps a table's history in its metadata, and the other in its
own: both are audited, published to and maintained alike."""

from __future__ import annotations

import datetime as dt
import json
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
import yaml
from click.testing import CliRunner
from pyiceberg.catalog.rest import RestCatalog
from pyiceberg.table import Table
from pyiceberg.table.update.schema import UpdateSchema
from pyiceberg.types import LongType

from prunescope.audit_jobs.cli import main
from prunescope.audit_jobs.config import AuditConfig
from prunescope.audit_jobs.errors import WindowTaken
from prunescope.audit_jobs.jobs.audit import run_audit
from prunescope.audit_jobs.jobs.maintain import run_maintenance
from prunescope.audit_jobs.jobs.tables import TableFinder
from prunescope.audit_jobs.planning.runner import LocalRunner
from prunescope.audit_jobs.records import Window
from prunescope.audit_jobs.results.schemas import RUN_TABLES
from prunescope.audit_jobs.sinks.audit_tables import publish, publishing
from prunescope.audit_jobs.sinks.probe import probe_namespace
from prunescope.audit_jobs.workload.inputs import Inputs, made_inputs
from prunescope.audit_jobs.workload.queries import name_tables
from prunescope.collectors.errors import SnapshotNotFound
from prunescope.collectors.observed import ObservedQuery, TableName
from prunescope.collectors.tables.catalog import CatalogUnavailable, load_catalog, open_table
from tests.audit_jobs.jobs.lakes import config_of
from tests.audit_jobs.sinks.results import audit_result, replayed
from tests.integration.lakehouse import Serve, Storage, iceberg, nessie, storage
from tests.object_store import ACCESS_KEY, SECRET_KEY

pytestmark = pytest.mark.slow(minutes=0.5)

NAMESPACE = "pruning_audit"
NAME = TableName("lake", ("s",), "t")


@dataclass(frozen=True)
class State:
    """A table as it was at a time: its snapshot, and how many data files it had."""

    moment: dt.datetime
    snapshot_id: int
    files: int


@dataclass(frozen=True)
class Lake:
    """A catalog over a store, and what a table in it went through."""

    storage: Storage
    catalog: RestCatalog
    made: dt.datetime
    states: Sequence[State]

    @property
    def config(self) -> AuditConfig:
        allow = ["s3://lake/"]
        catalogs = {"lake": {"properties": self.properties}}
        retention = {"days": 10_000, "snapshot_days": 1}
        return config_of({}, catalogs=catalogs, locations={"allow": allow}, retention=retention)

    @property
    def properties(self) -> dict[str, str]:
        return _properties(self.storage)


def _properties(found: Storage) -> dict[str, str]:
    keys = {"s3.access-key-id": ACCESS_KEY, "s3.secret-access-key": SECRET_KEY}
    return {**found.properties, **keys}


def rows(*ids: int) -> pa.Table:
    return pa.table({"x": pa.array(ids, pa.int64())})


@pytest.fixture(
    scope="module", params=[pytest.param(iceberg, id="iceberg"), pytest.param(nessie, id="nessie")]
)
def lake(
    request: pytest.FixtureRequest,
    tmp_path_factory: pytest.TempPathFactory,
    require_program: Callable[[str], Path],
) -> Iterator[Lake]:
    serve: Serve = request.param
    with (
        storage(tmp_path_factory.mktemp("lake"), require_program, serve) as found,
        closing(load_catalog("lake", _properties(found))) as catalog,
    ):
        assert isinstance(catalog, RestCatalog)
        made, states = _filled(catalog)
        yield Lake(found, catalog, made, states)


def _filled(catalog: RestCatalog) -> tuple[dt.datetime, Sequence[State]]:
    """Makes a table, which is written, changed, and compacted at last."""
    catalog.create_namespace("s")
    table = catalog.create_table("s.t", rows().schema)
    made = dt.datetime.now(dt.UTC)
    states = []

    def add_column() -> None:
        # As Java does: Nessie 0.99 wants last-column-id, which PyIceberg does not send.
        schema = UpdateSchema(table.transaction()).add_column("y", LongType())._apply()  # noqa: SLF001
        added: dict[str, Any] = {
            "action": "add-schema",
            "last-column-id": 2,
            "schema": schema.model_dump(),
        }
        current: dict[str, Any] = {"action": "set-current-schema", "schema-id": -1}
        catalog._session.post(  # noqa: SLF001
            catalog.url("namespaces/s/tables/t", prefixed=True),
            json={"requirements": [], "updates": [added, current]},
        ).raise_for_status()

    def set_property() -> None:
        with table.transaction() as transaction:
            transaction.set_properties({"a": "b"})

    steps: Sequence[tuple[Callable[[], Any], int]] = [
        (lambda: table.append(rows(1)), 1),
        (lambda: table.append(rows(2)), 2),
        (add_column, 2),
        (lambda: table.append(rows(3).append_column("y", pa.array([3], pa.int64()))), 3),
        (set_property, 3),
        (lambda: table.overwrite(table.scan().to_arrow()), 1),
    ]
    for step, files in steps:
        step()
        snapshot = table.refresh().current_snapshot()
        assert snapshot is not None
        time.sleep(0.02)
        states.append(State(dt.datetime.now(dt.UTC), snapshot.snapshot_id, files))
    return made, states


def queries(moments: Sequence[dt.datetime]) -> Inputs:
    """A query at each time, named by its number."""
    return made_inputs(
        LocalRunner(),
        [
            name_tables(
                ObservedQuery(
                    source="test",
                    query_id=str(number),
                    started_at=moment,
                    sql="SELECT * FROM lake.s.t WHERE x >= 0",
                    dialect="spark",
                    engine="spark",
                )
            )
            for number, moment in enumerate(moments)
        ],
    )


def audited(lake: Lake, moments: Sequence[dt.datetime]) -> list[tuple[str, int | None, int | None]]:
    """Of each query: its outcome, and the snapshot and files of its scan."""
    window = Window(lake.made - dt.timedelta(hours=1), lake.made + dt.timedelta(hours=1))
    runner = LocalRunner()
    result = run_audit(lake.config, window, queries(moments), runner, lambda _: None)
    columns = ("query_id", "outcome", "snapshot_id", "data_files_total")
    found = {int(row["query_id"]): row for row in result.scan_plans(*columns)}
    return [
        (row["outcome"], row["snapshot_id"], row["data_files_total"])
        for _, row in sorted(found.items())
    ]


def test_queries_are_replayed_at_what_they_read(lake: Lake) -> None:
    found = audited(lake, [state.moment for state in lake.states])
    assert found == [("replayed", state.snapshot_id, state.files) for state in lake.states]


def test_a_query_before_the_first_row_is_told(lake: Lake) -> None:
    found = audited(lake, [lake.made, lake.states[0].moment])
    assert [outcome for outcome, *_ in found] == ["snapshot_not_found", "replayed"]


def test_the_past_is_asked_for_as_far_as_queries_go(lake: Lake) -> None:
    now = open_table(lake.catalog, NAME, since=lake.states[-1].moment)
    assert now.metadata.snapshot_as_of(lake.states[-1].moment).snapshot_id == (
        lake.states[-1].snapshot_id
    )
    then = open_table(lake.catalog, NAME, since=lake.states[1].moment)
    for state in lake.states[1:]:
        assert then.metadata.snapshot_as_of(state.moment).snapshot_id == state.snapshot_id
    added = [bool(schema.by_path(("y",))) for schema in then.metadata.schemas.values()]
    assert sorted(added) == [False, True]


def test_explain_asks_for_an_earlier_state(lake: Lake, tmp_path: Path) -> None:
    document = {
        "catalogs": {"lake": {"properties": lake.properties}},
        "locations": {"allow": ["s3://lake/"]},
    }
    config = tmp_path / "audit.yaml"
    config.write_text(yaml.safe_dump(document))
    for state in lake.states[1:3]:
        asked = ("--as-of", state.moment.isoformat(), "--where", "x >= 0", "--json")
        told = CliRunner().invoke(main, ["explain", "lake.s.t", "--config", str(config), *asked])
        assert told.exit_code == 0, told.output
        answer = json.loads(told.stdout)
        assert answer["snapshot_id"] == state.snapshot_id


def test_a_table_that_was_made_anew_has_no_past(lake: Lake) -> None:
    names = []
    for ids in ((1, 2), (3,)):
        table = lake.catalog.create_table("s.anew", rows().schema)
        table.append(rows(*ids))
        names.append(dt.datetime.now(dt.UTC))
        if len(names) == 1:
            lake.catalog.drop_table("s.anew")
    first, second = names
    name = TableName("lake", ("s",), "anew")
    found = open_table(lake.catalog, name, since=first).metadata
    assert [one.summary["total-records"] for one in found.snapshots.values()] == ["1"]
    assert found.snapshot_as_of(second) == found.current_snapshot()
    with pytest.raises(SnapshotNotFound, match="No snapshot at that time"):
        found.snapshot_as_of(first)


def test_tables_are_published_to_and_maintained(lake: Lake) -> None:
    assert probe_namespace(lake.catalog, NAMESPACE) is None
    day = dt.datetime(2024, 1, 1, tzinfo=dt.UTC)
    hour = dt.timedelta(hours=1)
    for number in (0, 1, 2, 3, 0):
        start = day + number * hour
        run = audit_result(replayed("1"), run_id=f"r{number}", start=start, length=hour)
        publish(run, lake.catalog, NAMESPACE)
    assert probe_namespace(lake.catalog, NAMESPACE) is None
    published = {table.name for table in RUN_TABLES}
    before = {name: _runs(lake.catalog.load_table((NAMESPACE, name))) for name in published}
    assert before["audit_runs"] == before["scan_plans"] == [f"r{number}" for number in range(4)]
    done = run_maintenance(lake.config)
    assert [(one.table, str(one.failure)) for one in done if one.failure] == []
    assert {one.table for one in done} <= {table.name for table in RUN_TABLES}
    assert {one.table: one.compacted_days for one in done}["scan_plans"] == 1
    assert [one.compacted_days for one in run_maintenance(lake.config)] == [0] * len(done)
    after = {name: _runs(lake.catalog.load_table((NAMESPACE, name))) for name in published}
    assert after == before


@pytest.mark.parametrize(
    ("hours", "published"),
    [
        pytest.param((1, 2), ["one", "two"], id="other-windows"),
        pytest.param((3, 3), ["two"], id="one-window"),
    ],
)
def test_of_runs_at_once_those_of_other_windows_are_published(
    lake: Lake, hours: tuple[int, int], published: list[str]
) -> None:
    length, namespace = dt.timedelta(hours=1), f"at_once_{hours[1]}"
    running = []
    for run_id, hour in zip(("one", "two"), hours, strict=True):
        start = dt.datetime(2024, 3, 1, hour, tzinfo=dt.UTC)
        run = audit_result(replayed("1"), run_id=run_id, start=start, length=length)
        running.append(publishing(run, lake.catalog, namespace))
    for steps in running:
        next(steps)
        next(steps)  # it has claimed its window
    for steps in running:
        with suppress(WindowTaken):
            deque(steps, maxlen=0)
    assert _runs(lake.catalog.load_table((namespace, "audit_runs"))) == published


def _runs(table: Table) -> list[str]:
    return sorted(table.scan().to_arrow()["run_id"].to_pylist())


def test_what_the_server_says_is_told(lake: Lake) -> None:
    with pytest.raises(CatalogUnavailable) as raised:
        open_table(
            load_catalog("lake", lake.properties | {"uri": f"{lake.storage.catalog}/nowhere"}), NAME
        )
    assert "it said: " in str(raised.value)
    assert SECRET_KEY not in str(raised.value)


def test_other_tables_are_opened_beside_it(lake: Lake) -> None:
    names = [NAME, TableName("lake", ("s",), "none"), TableName("lake", ("none",), "t")]
    since = dict.fromkeys(names, lake.states[0].moment)
    tables = TableFinder(lake.config).find(names, since=since)
    assert list(tables.opened) == [NAME]
    assert {error.code for error in tables.failed.values()} == {"table_not_found"}
