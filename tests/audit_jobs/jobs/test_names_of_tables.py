"""One table has one name in results, whatever the names are by which engines know it."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from pyiceberg.catalog.sql import SqlCatalog

from prunescope.audit_jobs.catalog_names import CatalogNames
from prunescope.audit_jobs.config import AuditConfig, TablesConfig
from prunescope.audit_jobs.jobs.advise import scans_of
from prunescope.audit_jobs.jobs.audit import run_audit
from prunescope.audit_jobs.jobs.beyond_filters import BeyondOf
from prunescope.audit_jobs.jobs.tables import TableFinder
from prunescope.audit_jobs.planning.runner import LocalRunner
from prunescope.audit_jobs.results.result import AuditResult
from prunescope.audit_jobs.workload.inputs import made_inputs
from prunescope.audit_jobs.workload.queries import NamedTables, name_tables
from prunescope.collectors.observed import ObservedQuery, ObservedScan, ScanReport, TableName
from tests.audit_jobs.jobs.lakes import WINDOW, config_of, write_table

pytestmark = pytest.mark.slow

OWN = TableName("lake", ("db",), "orders")
NAMES = (
    "lake.db.orders",
    "iceberg.db.orders",
    "glue.DB.Orders",
    "LAKE.db.orders",
    "Glue.db.orders",
)


@pytest.fixture(scope="module", params=["catalog", "metadata file"])
def config(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> AuditConfig:
    folder = tmp_path_factory.mktemp("lake")
    metadata = write_table(folder, "orders")
    aliases = {"aliases": ["iceberg", "glue", "LAKE"]}
    if request.param == "metadata file":
        return config_of({"orders": metadata}, catalogs={"lake": aliases})
    uri = f"sqlite:///{folder}/catalog.db"
    properties = {"type": "sql", "uri": uri, "warehouse": f"file://{folder}/warehouse"}
    return config_of({}, catalogs={"lake": {"properties": properties, **aliases}})


def queries(*names: str) -> list[NamedTables]:
    return [
        name_tables(
            ObservedQuery(
                source="test",
                query_id=name,
                sql=f"SELECT * FROM {name} WHERE id = 2",
                dialect="spark",
                engine="spark",
                traceparent=f"00-{number:032x}-{1:016x}-01",
            )
        )
        for number, name in enumerate(names, start=1)
    ]


def audited(config: AuditConfig, *more: ScanReport) -> AuditResult:
    runner = LocalRunner()
    inputs = made_inputs(runner, [*queries(*NAMES), *more])
    return run_audit(config, WINDOW, inputs, runner, lambda _: None)


def test_rows_and_sums_have_one_table(config: AuditConfig) -> None:
    report = ScanReport(
        "test", "log:1", ObservedScan(TableName("iceberg", ("db",), "orders"), None, {}), None
    )
    result = audited(config, report)
    rows = list(result.scan_plans())
    names = Counter((row["catalog"], row["namespace"], row["table"]) for row in rows)
    assert names == {("lake", "db", "orders"): len(NAMES) + 1}
    assert result.run.tables == 1
    assert [health.table for health in result.health] == [OWN]


def test_advice_weighs_what_all_engines_ask(config: AuditConfig) -> None:
    tables = TableFinder(config).find(n for named in queries(*NAMES) for n in named.tables)
    asked, left_out = scans_of(tables, queries(*NAMES), config, BeyondOf(tables.opened))
    assert list(asked) == [OWN]
    assert not left_out


def test_catalogs_are_known_in_any_case_and_by_their_aliases() -> None:
    catalogs = {"lake": {"aliases": ["AwsDataCatalog"]}, "dev": {}, "test": {}}
    names = CatalogNames.of(config_of({}, catalogs=catalogs))
    asked = ("lake", "LAKE", "Dev", "awsdatacatalog", "AWSDATACATALOG", "other", None)
    assert list(map(names.known, asked)) == ["lake", "lake", "dev", "lake", "lake", None, None]


@pytest.mark.parametrize(
    ("catalogs", "audit", "tables", "default"),
    [
        pytest.param(["lake"], None, [], "lake", id="the only one"),
        pytest.param(["lake"], "lake", [], "lake", id="the only one, also of the audit tables"),
        pytest.param(["lake", "own"], "own", [], "lake", id="beside that of the audit tables"),
        pytest.param(["lake", "dev", "own"], "own", [], None, id="two"),
        pytest.param(["own"], "own", ["files.db.t"], "files", id="of metadata files"),
        pytest.param([], None, ["files.db.t", "FILES.db.u"], None, id="two of metadata files"),
        pytest.param(["lake"], None, ["LAKE.db.t"], "lake", id="of both"),
        pytest.param([], None, [], None, id="none"),
    ],
)
def test_one_catalog_is_that_of_queries_that_name_none(
    catalogs: list[str], audit: str | None, tables: list[str], default: str | None
) -> None:
    document = {
        "catalogs": {name: {} for name in catalogs},
        "tables": [{"name": name, "metadata": "/none"} for name in tables],
        **({} if audit is None else {"audit": {"catalog": audit}}),
    }
    assert CatalogNames.of(TablesConfig.model_validate(document)).default == default


def test_queries_that_name_no_catalog_are_audited(config: AuditConfig) -> None:
    runner = LocalRunner()
    result = run_audit(
        config, WINDOW, made_inputs(runner, queries("db.orders")), runner, lambda _: None
    )
    rows = [(row["catalog"], row["table"], row["outcome"]) for row in result.scan_plans()]
    assert rows == [("lake", "orders", "replayed")]


def test_names_that_nobody_reads_are_of_tables_that_are_open(config: AuditConfig) -> None:
    names = [TableName(*_parts(name)) for name in (*NAMES, "nobody.db.orders", "lake.db.none")]
    found = TableFinder(config).find([OWN], names)
    assert {name: table.name for name, table in found.opened.items()} == dict.fromkeys(
        names[: len(NAMES)], OWN
    )
    assert not found.failed
    assert not TableFinder(config).find([], names).opened


def _parts(name: str) -> tuple[str, tuple[str, ...], str]:
    catalog, namespace, table = name.split(".")
    return catalog, (namespace,), table


@pytest.mark.parametrize(
    ("tables", "own"),
    [
        pytest.param(["a", "a"], {"orders": "orders", "ORDERS": "orders"}, id="one table"),
        pytest.param(["a", "b"], {"orders": "orders", "ORDERS": "ORDERS"}, id="two tables"),
    ],
)
def test_names_of_one_table_in_any_case_are_one(
    tmp_path: Path, tables: list[str], own: dict[str, str]
) -> None:
    catalog = SqlCatalog("lake", uri=f"sqlite:///{tmp_path}/c.db", warehouse=str(tmp_path))
    catalog.create_namespace("db")
    locations = {name: str(write_table(tmp_path / name)) for name in dict.fromkeys(tables)}
    for name, table in zip(own, tables, strict=True):
        catalog.register_table(("db", name), locations[table])
    catalog.close()
    properties = {"type": "sql", "uri": f"sqlite:///{tmp_path}/c.db", "warehouse": str(tmp_path)}
    config = config_of(
        {},
        catalogs={"lake": {"properties": properties}},
        locations={"allow": [str(tmp_path)]},
    )
    found = TableFinder(config).find(TableName("lake", ("db",), name) for name in own)
    assert {name.table: table.name.table for name, table in found.opened.items()} == own
