"""Of a table's own properties, none reaches what reads files."""

from __future__ import annotations

import ast
import inspect
import json
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import ModuleType
from typing import Any

import pyarrow as pa
import pyiceberg.io
import pyiceberg.io.fsspec
import pyiceberg.io.pyarrow
import pytest
from click.testing import CliRunner
from pyiceberg.catalog.sql import SqlCatalog
from pyiceberg.io.pyarrow import PyArrowFileIO

from prunescope.audit_jobs.cli import main
from prunescope.collectors.errors import TableError
from prunescope.collectors.observed import TableName
from prunescope.collectors.tables.catalog import Table, load_catalog, open_table
from prunescope.collectors.tables.sql_catalogs import MAKES_NO_TABLES
from tests.audit_jobs.jobs.hive_metastore_server import serving_hive

NAME = TableName("lake", ("db",), "t")
SECRET = "theCatalogsSecret"  # noqa: S105  # of no service
SAID_BY_TABLE = "said-by-the-table"
TOKEN = "theCatalogsToken"  # noqa: S105  # of a server that ends with its test


def names_read_by(module: ModuleType) -> set[str]:
    """Every text that a module of FileIOs holds that could be the name of a property, and every
    constant of such a text that it uses."""
    found = set()
    for node in ast.walk(ast.parse(inspect.getsource(module))):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            found.add(node.value)
        elif isinstance(node, ast.Name) and isinstance(getattr(module, node.id, None), str):
            found.add(getattr(module, node.id))
    return {name for name in found if name and len(name) < 80 and not set(name) & set(" \n{}")}


PROPERTIES = sorted(
    names_read_by(pyiceberg.io)
    | names_read_by(pyiceberg.io.pyarrow)
    | names_read_by(pyiceberg.io.fsspec)
    | {"header.Authorization", "adls.sas-token.account.dfs.core.windows.net", "no.such", "ü "}
)


def test_the_properties_that_file_ios_read_are_found() -> None:
    known = {"py-io-impl", "warehouse", "s3.endpoint", "s3.signer", "s3.signer.uri", "token", "uri"}
    known |= {"s3.proxy-uri", "s3.retry-strategy-impl", "gcs.service.host", "auth.manager"}
    known |= {"client.role-arn", "adls.connection-string", "hdfs.host", "DEFAULT_SCHEME"}
    assert known <= set(PROPERTIES)


def catalog_properties(folder: Path) -> dict[str, str]:
    return {
        "type": "sql",
        "uri": f"sqlite:///{folder}/catalog.db",
        "warehouse": f"file://{folder}/warehouse",
        "s3.secret-access-key": SECRET,
    }


def own(properties: Mapping[str, str], folder: Path) -> SqlCatalog:
    """Leaves a table with an owner's properties in a catalog."""
    catalog = SqlCatalog("lake", **catalog_properties(folder))
    catalog.create_namespace("db")
    rows = pa.table({"id": pa.array(range(3), pa.int64())})
    table = catalog.create_table("db.t", rows.schema)
    table.append(rows)
    # As any other engine would write them: PyIceberg may refuse its own.
    path = Path(table.metadata_location.removeprefix("file://"))
    document = json.loads(path.read_text())
    document["properties"] |= properties
    path.write_text(json.dumps(document))
    return catalog


def opened(folder: Path) -> Table:
    return open_table(load_catalog("lake", catalog_properties(folder)), NAME)


def test_no_property_of_a_table_reaches_its_storage(tmp_path: Path) -> None:
    own(dict.fromkeys(PROPERTIES, SAID_BY_TABLE), tmp_path)
    table = opened(tmp_path)
    assert table.metadata.properties["s3.endpoint"] == SAID_BY_TABLE
    assert table.storage.properties == catalog_properties(tmp_path) | MAKES_NO_TABLES


def test_no_property_of_a_table_reaches_what_the_catalog_loads(tmp_path: Path) -> None:
    own(dict.fromkeys(PROPERTIES, SAID_BY_TABLE), tmp_path)
    loaded = load_catalog("lake", catalog_properties(tmp_path)).load_table("db.t")
    assert loaded.properties["s3.endpoint"] == SAID_BY_TABLE
    assert loaded.io.properties == catalog_properties(tmp_path) | MAKES_NO_TABLES
    assert isinstance(loaded.io, PyArrowFileIO)


CODE = ["builtins.print", "sys.exit", "os.abort", "subprocess.Popen"]


@pytest.mark.parametrize("code", CODE)
def test_no_code_of_a_tables_choice_runs(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], code: str
) -> None:
    own({"py-io-impl": code}, tmp_path)
    assert opened(tmp_path).metadata.current_snapshot() is not None
    load_catalog("lake", catalog_properties(tmp_path)).load_table("db.t").scan().to_arrow()
    said = capfd.readouterr()
    assert SECRET not in said.out + said.err


@pytest.mark.parametrize("code", CODE)
def test_the_command_runs_no_code_of_a_tables_choice(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], code: str
) -> None:
    own({"py-io-impl": code}, tmp_path)
    config = tmp_path / "audit.yaml"
    config.write_text(
        json.dumps(
            {
                "catalogs": {"lake": {"properties": catalog_properties(tmp_path)}},
                "sources": [{"type": "trino_events", "paths": ["none"]}],
                "audit": {"catalog": "lake"},
            }
        )
    )
    arguments = ["explain", "lake.db.t", "--config", str(config), "--where", "id = 1", "--json"]
    result = CliRunner().invoke(main, arguments)
    assert result.exit_code == 0, result.output
    assert json.loads(result.stdout)["outcome"] == "replayed"
    said = capfd.readouterr()
    assert SECRET not in result.output + said.out + said.err


@dataclass
class Loopback:
    """A server that answers what it is told, and keeps what it is sent."""

    url: str = ""
    answers: dict[str, Any] = field(default_factory=dict)
    received: list[tuple[str, str | None]] = field(default_factory=list)


@contextmanager
def listening() -> Iterator[Loopback]:
    said = Loopback()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            said.received.append((self.path, self.headers["Authorization"]))
            answer = said.answers.get(self.path.partition("?")[0])
            body = json.dumps(answer or {}).encode()
            self.send_response(404 if answer is None else 200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            if self.command != "HEAD":
                self.wfile.write(body)

        do_POST = do_HEAD = do_PUT = do_GET  # noqa: N815  # names that http.server looks for

        def log_message(self, *_: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    said.url = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield said
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def rest_table(folder: Path, location: str, properties: Mapping[str, str]) -> dict[str, Any]:
    """The metadata of a table whose files are said to be elsewhere."""
    own(properties, folder)
    (path,) = folder.glob("warehouse/db/t/metadata/00001*.json")
    text = path.read_text().replace(f"file://{folder}/warehouse", location)
    document: dict[str, Any] = json.loads(text)
    return document


@contextmanager
def rest_catalog(metadata: Any, **result: Any) -> Iterator[tuple[Loopback, dict[str, str]]]:
    with listening() as server:
        loaded = {"metadata-location": "s3://lake/t/v1.metadata.json", "metadata": metadata}
        server.answers = {
            "/v1/config": {"defaults": {}, "overrides": {}},
            "/v1/namespaces/db/tables/t": loaded | result,
        }
        properties = {
            "type": "rest",
            "uri": server.url,
            "token": TOKEN,
            "s3.region": "us-east-1",
            "s3.connect-timeout": "1",
            "s3.request-timeout": "1",
        }
        yield server, properties


def test_what_a_rest_catalog_vends_is_told_from_what_the_table_says(tmp_path: Path) -> None:
    said_by_table = dict.fromkeys(PROPERTIES, SAID_BY_TABLE)
    metadata = rest_table(tmp_path, "s3://lake", said_by_table)
    # The catalog may say what the table says as well: that counts.
    config = {"s3.endpoint": "http://127.0.0.1:1", "gcs.project-id": SAID_BY_TABLE}
    vended = [
        {"prefix": "s3://", "config": {"s3.access-key-id": "less special"}},
        {"prefix": "s3://lake", "config": {"s3.access-key-id": "vended"}},
    ]
    with rest_catalog(metadata, config=config, **{"storage-credentials": vended}) as (_, known):
        catalog = load_catalog("lake", known)
        table = open_table(catalog, NAME)
        loaded = catalog.load_table("db.t")
    reached: list[dict[str, Any]] = [dict(table.storage.properties), dict(loaded.io.properties)]
    for properties in reached:
        assert properties.pop("auth.manager").auth_header() == f"Bearer {TOKEN}"
        assert properties == {**catalog.properties, **config, "s3.access-key-id": "vended"}
    assert table.metadata.properties == loaded.properties
    assert table.metadata.properties["s3.signer.uri"] == SAID_BY_TABLE


@pytest.mark.parametrize(
    ("answer", "inside", "outside"),
    [
        pytest.param(
            {"metadata-location": "s3://lake/t/metadata/v1.json"},
            ["s3://lake/t/data/x"],
            ["s3://lake/u/x", "s3://own/t/x"],
            id="the metadata file",
        ),
        pytest.param(
            {"metadata-location": None}, [], ["s3://own/t/x"], id="none but what the metadata says"
        ),
        pytest.param(
            {"storage-credentials": [{"prefix": "s3://data/t/", "config": {"a": "b"}}]},
            ["s3://data/t/x", "s3://lake/t/x"],
            ["s3://data/t2/x", "s3://own/t/x"],
            id="credentials of a prefix",
        ),
        pytest.param(
            {"storage-credentials": [{"prefix": "s3", "config": {"a": "b"}}]},
            ["s3://lake/t/x"],
            ["s3://data/x", "s3://own/t/x"],
            id="credentials of a scheme",
        ),
        pytest.param(
            {"config": {"warehouse": "s3://config/w"}},
            ["s3://config/w/x"],
            ["s3://config/x", "s3://own/t/x"],
            id="configuration",
        ),
        pytest.param(
            {"metadata-location": "file:///etc/t/metadata/v1.json"},
            [],
            ["/etc/t/x", "/etc/x"],
            id="local",
        ),
    ],
)
def test_where_a_rest_catalog_says_that_a_table_is(
    tmp_path: Path, answer: dict[str, Any], inside: list[str], outside: list[str]
) -> None:
    paths = ("write.data.path", "write.metadata.path", "write.object-storage.path")
    metadata = rest_table(tmp_path, "s3://own", dict.fromkeys(paths, "s3://own/t"))
    with rest_catalog(metadata, **answer) as (_, known):
        storage = open_table(load_catalog("lake", known), NAME).storage
    assert [one for one in inside if not storage.may_read(one)] == []
    assert [one for one in outside if storage.may_read(one)] == []


@pytest.mark.parametrize(
    ("folder", "is_read"),
    [("s3://lake/db.db", True), ("s3://lake/db", False), ("file:///", False)],
)
def test_where_a_metastore_says_that_a_database_is(folder: str, is_read: bool) -> None:
    pytest.importorskip("hive_metastore")
    location = "s3://lake/db.db/t/metadata/v1.json"
    with serving_hive({"t": location}, folder=folder) as uri:
        catalog = load_catalog(
            "lake", {"type": "hive", "uri": uri, "s3.endpoint": "http://[::1]:1"}
        )
        with pytest.raises(TableError) as caught:
            open_table(catalog, NAME)
    assert (caught.value.code == "location_not_allowed") is not is_read


def read_all(table: Table) -> None:
    """Reads as an audit does; that this fails here is not of interest."""
    from prunescope.collectors.tables.manifest_list import read_manifest_list  # noqa: PLC0415

    snapshot = table.metadata.current_snapshot()
    assert snapshot is not None
    with pytest.raises(TableError):
        read_manifest_list(snapshot, table.storage)


@pytest.mark.slow
@pytest.mark.parametrize(
    "names",
    [
        pytest.param(["s3.endpoint"], id="endpoint"),
        pytest.param(["s3.proxy-uri"], id="proxy"),
        pytest.param(["s3.signer.uri", "s3.endpoint"], id="signer"),
    ],
)
def test_nothing_is_sent_to_an_address_that_a_table_names(tmp_path: Path, names: list[str]) -> None:
    pytest.importorskip("s3fs")
    with listening() as owners, listening() as store:
        properties = dict.fromkeys(names, owners.url) | {"s3.signer": "S3V4RestSigner"}
        properties["py-io-impl"] = "pyiceberg.io.fsspec.FsspecFileIO"
        metadata = rest_table(tmp_path, "s3://lake/t", properties)
        config = {"s3.endpoint": store.url, "s3.access-key-id": "a", "s3.secret-access-key": "b"}
        with rest_catalog(metadata, config=config) as (server, known):
            for file_io in ("pyarrow.PyArrowFileIO", "fsspec.FsspecFileIO"):
                chosen = {**known, "py-io-impl": f"pyiceberg.io.{file_io}"}
                read_all(open_table(load_catalog("lake", chosen), NAME))
        assert owners.received == []
        assert any("snap-" in path for path, _ in store.received)
        assert all(TOKEN in (header or "") for path, header in server.received[1:])
        assert all(TOKEN not in (header or "") for _, header in store.received)
