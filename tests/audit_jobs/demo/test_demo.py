"""The demo: its tables, its logs and its configuration are what an audit reads."""

import datetime as dt
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from pyiceberg.catalog import Catalog

from prunescope.audit_jobs.config import AuditConfig, load_config
from prunescope.audit_jobs.demo.setup import prepare
from prunescope.audit_jobs.demo.warehouse import CATALOG, DAY
from prunescope.audit_jobs.errors import BadConfiguration
from prunescope.audit_jobs.sources.sql_records import SqlRecords
from prunescope.collectors.observed import ObservedQuery, Rejected, TableName
from prunescope.collectors.queries import sql_records
from prunescope.collectors.queries.trino import events as trino_events
from prunescope.collectors.tables.catalog import load_catalog, open_table
from prunescope.collectors.tables.manifest_list import Manifest, read_manifest_list

pytestmark = pytest.mark.slow

MIDNIGHT = dt.datetime.combine(DAY, dt.time(), dt.UTC)
ORDERS = TableName(CATALOG, ("sales",), "orders")


@pytest.fixture(scope="module")
def config(tmp_path_factory: pytest.TempPathFactory) -> AuditConfig:
    return load_config(prepare(tmp_path_factory.mktemp("with space") / "demo"))


@pytest.fixture(scope="module")
def catalog(config: AuditConfig) -> Iterator[Catalog]:
    opened = load_catalog(CATALOG, config.catalogs[CATALOG].properties)
    yield opened
    opened.close()


@pytest.fixture(scope="module")
def events(config: AuditConfig) -> list[ObservedQuery | Rejected]:
    lines = Path(config.sources[0].paths[0]).read_bytes().splitlines()
    return [trino_events.from_json(line, f":{n}") for n, line in enumerate(lines)]


@pytest.fixture(scope="module")
def records(config: AuditConfig) -> list[ObservedQuery | Rejected]:
    source = config.sources[1]
    assert isinstance(source, SqlRecords)
    defaults = sql_records.RecordDefaults(source.dialect, source.catalog)
    lines = Path(source.paths[0]).read_bytes().splitlines()
    return [
        sql_records.from_json(line, f":{n}", fields=source.fields, defaults=defaults)
        for n, line in enumerate(lines)
    ]


def manifests(catalog: Catalog, name: TableName) -> tuple[Manifest, ...]:
    table = open_table(catalog, name)
    snapshot = table.metadata.current_snapshot()
    assert snapshot is not None
    return read_manifest_list(snapshot, table.storage)


@pytest.mark.parametrize(
    ("namespace", "table", "partitioning", "data_files", "data_manifests"),
    [
        pytest.param("sales", "orders", ["order_ts_day"], 240, 12, id="orders"),
        pytest.param("sales", "customers", ["customer_id_bucket"], 32, 4, id="customers"),
        pytest.param("web", "events", [], 270, 6, id="events"),
        pytest.param("web", "sessions", ["country", "started_at_day"], 180, 10, id="sessions"),
    ],
)
def test_every_table_can_be_read_and_has_the_layout_that_it_shows(
    catalog: Catalog,
    namespace: str,
    table: str,
    partitioning: list[str],
    data_files: int,
    data_manifests: int,
) -> None:
    found = manifests(catalog, TableName(CATALOG, (namespace,), table))
    data = [manifest for manifest in found if not manifest.deletes]
    assert (sum(m.live_files or 0 for m in data), len(data)) == (data_files, data_manifests)
    spec = catalog.load_table((namespace, table)).spec()
    assert [field.name for field in spec.fields] == partitioning


def test_orders_have_position_deletes_that_readers_apply(catalog: Catalog) -> None:
    (deletes,) = [manifest for manifest in manifests(catalog, ORDERS) if manifest.deletes]
    assert (deletes.live_files, deletes.live_records) == (8, 8 * 25)
    table = catalog.load_table("sales.orders")
    snapshot = table.current_snapshot()
    assert snapshot is not None
    assert snapshot.summary is not None
    written = int(snapshot.summary["total-records"] or 0)
    last_week = f"order_ts >= '{MIDNIGHT - dt.timedelta(days=7):%Y-%m-%dT%H:%M:%S+00:00}'"
    read = table.scan(last_week, selected_fields=("order_id",)).to_arrow().num_rows
    assert read == written // 60 * 7 - 8 * 25


def test_snapshots_are_older_than_the_audited_day(catalog: Catalog) -> None:
    metadata = open_table(catalog, ORDERS).metadata
    assert metadata.snapshot_as_of(MIDNIGHT) == metadata.current_snapshot()
    before = metadata.snapshot_as_of(MIDNIGHT - dt.timedelta(days=30))
    assert before != metadata.current_snapshot()


def test_every_query_started_on_the_audited_day(
    events: list[ObservedQuery | Rejected], records: list[ObservedQuery | Rejected]
) -> None:
    queries = [query for query in events + records if isinstance(query, ObservedQuery)]
    assert len(queries) == 128
    for query in queries:
        assert query.started_at is not None
        assert MIDNIGHT <= query.started_at < MIDNIGHT + dt.timedelta(days=1)
    assert len({query.query_id for query in queries}) == len(queries)


def test_only_the_intended_inputs_are_rejected(
    events: list[ObservedQuery | Rejected], records: list[ObservedQuery | Rejected]
) -> None:
    def reasons(inputs: list[ObservedQuery | Rejected]) -> Counter[str]:
        return Counter(found.reason for found in inputs if isinstance(found, Rejected))

    assert reasons(events) == {"query_failed": 1, "malformed_json": 1}
    assert reasons(records) == {"missing_sql": 1, "malformed_json": 1}


def test_events_report_the_current_snapshot_and_what_planning_kept(
    catalog: Catalog, events: list[ObservedQuery | Rejected]
) -> None:
    scans = [scan for event in events if isinstance(event, ObservedQuery) for scan in event.scans]
    by_table = {str(scan.table) for scan in scans}
    assert by_table == {
        "lake.sales.orders",
        "lake.sales.customers",
        "lake.web.events",
        "lake.web.sessions",
        "mysql.crm.tickets",
    }
    orders = [scan for scan in scans if scan.table == ORDERS]
    current = open_table(catalog, ORDERS).metadata.current_snapshot_id
    assert {scan.snapshot_id for scan in orders} == {current}
    kept = {scan.counters["result_data_files"] for scan in orders}
    assert max(kept) == 240
    assert min(kept) == 1


def test_a_prepared_statement_has_its_parameter(events: list[ObservedQuery | Rejected]) -> None:
    found = [event for event in events if isinstance(event, ObservedQuery) and event.parameters]
    assert [(event.sql, event.parameters) for event in found] == [
        ("SELECT * FROM sales.customers WHERE customer_id = ?", ("42",))
    ]


def test_a_directory_with_anything_else_in_it_is_refused_and_left_alone(tmp_path: Path) -> None:
    mine = tmp_path / "catalog.db"
    mine.write_text("mine")
    with pytest.raises(BadConfiguration, match="not empty"):
        prepare(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["catalog.db"]
    assert mine.read_text() == "mine"


def test_a_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "demo"
    path.write_text("mine")
    with pytest.raises(BadConfiguration, match="is a file"):
        prepare(path)
    with pytest.raises(BadConfiguration, match="cannot be written: Not a directory"):
        prepare(path / "beneath")


def test_an_earlier_demo_is_replaced_even_if_it_is_unfinished(
    config: AuditConfig, tmp_path: Path
) -> None:
    assert config.metrics.textfile is not None
    for marker in config.metrics.textfile.parents[1].glob(".*"):
        (tmp_path / marker.name).touch()
    (tmp_path / "catalog.db").write_text("cut short")
    again = load_config(prepare(tmp_path))
    assert again.catalogs[CATALOG].properties["warehouse"] == str(tmp_path / "warehouse")
