"""What a table has read: regular files of a sane size, where its catalog has it."""

from __future__ import annotations

import gzip
import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from click.testing import CliRunner
from pyiceberg.catalog.sql import SqlCatalog

from prunescope.audit_jobs.cli import main
from prunescope.collectors.errors import PrunescopeError
from prunescope.collectors.observed import TableName
from prunescope.collectors.storage import limits
from prunescope.collectors.storage.files import Storage
from prunescope.collectors.storage.locations import table_folder
from prunescope.collectors.storage.places import Places, normal, of_catalog, of_metadata_file
from prunescope.collectors.storage.ranges import ByteRange, RangeRequest, read_ranges, read_tails
from prunescope.collectors.storage.unreadable import FileUnreadable, Kind
from prunescope.collectors.tables.catalog import Table, load_catalog, open_metadata_file, open_table
from prunescope.collectors.tables.manifest_list import read_manifest_list
from prunescope.collectors.tables.manifests import read_manifest

NAME = TableName("lake", ("db",), "t")


def test_a_local_location_is_normal_with_all_links_followed(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "f").touch()
    (tmp_path / "to folder").symlink_to("folder")
    (tmp_path / "to f").symlink_to(tmp_path / "to folder" / "f")
    (tmp_path / "to nothing").symlink_to("nothing")
    (tmp_path / "to itself").symlink_to("to itself")
    os.mkfifo(tmp_path / "folder" / "pipe")
    reading, writing = os.pipe()
    names = ("folder", "to folder", "folder/f", "to folder/f", "to f", "to nothing", "to itself")
    paths = [str(tmp_path / name) for name in (*names, "to folder/../folder/pipe", "nothing/f", "")]
    for path in (*paths, "/", "/dev/null", f"/proc/self/fd/{reading}", "no/such", "."):
        assert normal(f"file://{path}" if path.startswith("/") else path) == os.path.realpath(path)
    os.close(reading)
    os.close(writing)


@pytest.mark.parametrize(
    ("place", "location", "is_in"),
    [
        ("s3://lake", "s3://lake/a", True),
        ("s3://lake/", "s3a://lake/a", True),
        ("s3://lake", "s3://lake2/a", False),
        ("s3://lake", "s3://other/lake/a", False),
        ("s3://lake/db", "s3://lake/db/t/a", True),
        ("s3://lake/db", "s3://lake/db2/a", False),
        ("s3://lake/db", "s3://lake/db/../other/a", False),
        ("s3://", "s3n://any/a", True),
        ("s3://", "gs://any/a", False),
        ("abfss://c@one.dfs.core.windows.net", "abfs://c@one.dfs.core.windows.net/a", True),
        ("abfss://c@one.dfs.core.windows.net", "abfs://c@two.dfs.core.windows.net/a", False),
        ("hdfs://one:8020", "hdfs://two:8020/a", False),
        ("/data", "/data/a", True),
        ("/data", "file:///data/a", True),
        ("file:/data/", "/data/a", True),
        ("/data", "/database/a", False),
        ("/data", "/data/../etc/passwd", False),
        ("/data", "s3://data/a", False),
        ("s3://lake", "/s3://lake/a", False),
        ("s3://lake", "file:///proc/self/environ", False),
        ("s3://lake", "FILE:///proc/self/environ", False),
        ("s3://lake", " file:///proc/self/environ", False),
        ("s3://lake", "fi\nle:///proc/self/environ", False),
        ("file:", "/data/a", True),
        ("/", "/data/a", True),
    ],
)
def test_places(place: str, location: str, is_in: bool) -> None:
    assert Places.of([place]).has(location) is is_in


@pytest.mark.parametrize("name", ["a\0b", "a\udcffb\ud800"])
def test_a_path_that_no_file_has_is_a_place_as_well(tmp_path: Path, name: str) -> None:
    assert normal(f"{tmp_path}/{name}").startswith(str(tmp_path))
    inside, outside = (Storage(places=Places.of([str(p)])) for p in (tmp_path, tmp_path / "x"))
    assert [found.may_read(f"{tmp_path}/{name}") for found in (inside, outside)] == [True, False]


def test_links_lead_nowhere_else(tmp_path: Path) -> None:
    inside, outside = tmp_path / "in", tmp_path / "out"
    for folder in (inside, outside):
        folder.mkdir()
        (folder / "f").write_text("x")
    (inside / "link").symlink_to(outside)
    (inside / "file").symlink_to(outside / "f")
    (tmp_path / "same").symlink_to(inside)
    places = Places.of([str(inside)])
    assert places.has(f"{inside}/f")
    assert places.has(f"{tmp_path}/same/f")
    assert not places.has(f"{inside}/link/f")
    assert not places.has(f"{inside}/file")


@pytest.mark.parametrize(
    ("warehouse", "answered", "allowed", "inside", "outside"),
    [
        pytest.param(
            "s3://lake/a",
            (),
            (),
            ["s3://lake/a/x", "s3a://lake/a/x", "s3://lake/a/db/t/x"],
            ["s3://lake/b/x", "s3://lake/a-evil/x", "s3://lake/x", "s3://lake/a/../b/x", "/etc/x"],
            id="prefix",
        ),
        pytest.param("name", (), (), [], ["name/x", f"{Path.cwd()}/name/x"], id="name"),
        pytest.param(
            "arn:aws:s3tables:eu:1:x", (), (), [], ["arn:aws:s3tables:eu:1:x/y"], id="ARN"
        ),
        pytest.param("s3://", (), (), [], ["s3://lake/x"], id="no bucket"),
        pytest.param("", (), (), [], ["/x", "s3://lake/x"], id="nothing"),
        pytest.param("/data/w", (), (), ["file:/data/w/db/t/x"], ["/data/x"], id="local warehouse"),
        pytest.param(
            "name",
            ("s3://lake/t", "gs://other/t/"),
            (),
            ["s3://lake/t/x", "gs://other/t/x"],
            ["s3://lake/u/x", "s3://lake/t2/x", "gs://other/u"],
            id="what a catalog answers",
        ),
        pytest.param(
            "name",
            ("/etc", "file:///etc", "s3", "s3://", "/"),
            (),
            [],
            ["/etc/x", "s3://lake/x"],
            id="what a catalog answers that is no place, or local",
        ),
        pytest.param(
            "s3://lake/a",
            (),
            ("s3://lake/b", "/data"),
            ["s3://lake/a/x", "s3://lake/b/x", "/data/x"],
            ["s3://lake/c/x"],
            id="allowed besides",
        ),
    ],
)
def test_places_of_a_catalog(
    warehouse: str,
    answered: tuple[str, ...],
    allowed: tuple[str, ...],
    inside: list[str],
    outside: list[str],
) -> None:
    places = of_catalog({"warehouse": warehouse}, answered, allowed, ())
    assert [one for one in inside if not places.has(one)] == []
    assert [one for one in outside if places.has(one)] == []


def test_what_a_metadata_file_implies(tmp_path: Path) -> None:
    places = of_metadata_file(f"{tmp_path}/t/metadata/1.json", (), (("s3://a", "/moved"),))
    assert places.has(f"{tmp_path}/t/data/x")
    assert places.has("/moved/x")
    assert not places.has(f"{tmp_path}/u/data/x")
    assert of_metadata_file(f"{tmp_path}/1.json", (), ()).has(f"{tmp_path}/x")
    remote = of_metadata_file("s3://lake/t/metadata/1.json", ("s3://more",), ())
    assert remote.has("s3://lake/t/data/x")
    assert remote.has("s3://more/x")
    assert not remote.has("s3://lake/u")


@pytest.mark.parametrize(
    ("file", "folder"),
    [
        ("s3://lake/db/t/metadata/snap.avro", "s3://lake/db/t"),
        ("s3://lake/db/t/data/day=1/f.parquet", "s3://lake/db/t"),
        ("s3://lake/data/t/f.parquet", "s3://lake/data/t"),
        ("s3://lake/data/db/t/data/f.parquet", "s3://lake/data/db/t"),
        ("s3://lake/metadata/v1.json", "s3://lake/metadata"),
        ("s3://lake/f", "s3://lake"),
        ("/data/t/f", "/data/t"),
        ("/f", "/f"),
        ("relative", "relative"),
        ("s3:/x", "s3:/x"),
    ],
)
def test_the_folder_of_a_file(file: str, folder: str) -> None:
    """What a message says to allow: never a root, nor a scheme."""
    assert table_folder(file) == folder


# --- whole tables


def properties(folder: Path) -> dict[str, str]:
    return {
        "type": "sql",
        "uri": f"sqlite:///{folder}/catalog.db",
        "warehouse": f"file://{folder}/warehouse",
    }


def own(folder: Path, change: Callable[[dict[str, Any]], None] = lambda _: None) -> Path:
    """A table of a catalog, whose owner changes its metadata file; the file."""
    catalog = SqlCatalog("lake", **properties(folder))
    catalog.create_namespace("db")
    rows = pa.table({"id": pa.array(range(3), pa.int64())})
    table = catalog.create_table("db.t", rows.schema)
    table.append(rows)
    path = Path(table.metadata_location.removeprefix("file://"))
    document = json.loads(path.read_text())
    change(document)
    path.write_text(json.dumps(document))
    return path


def opened(folder: Path, allowed: tuple[str, ...] = ()) -> Table:
    return open_table(load_catalog("lake", properties(folder)), NAME, (), allowed)


def read(table: Table) -> None:
    """All of a table's metadata."""
    snapshot = table.metadata.current_snapshot()
    assert snapshot is not None
    for manifest in read_manifest_list(snapshot, table.storage):
        entries = read_manifest(manifest.path, table.storage, columns=None)
        assert len(entries)


def code(read_it: Callable[[], Any]) -> str:
    with pytest.raises(PrunescopeError) as caught:
        read_it()
    return caught.value.code


def elsewhere(location: str) -> Callable[[dict[str, Any]], None]:
    def change(document: dict[str, Any]) -> None:
        document["location"] = location.rpartition("/")[0]
        document["snapshots"][0]["manifest-list"] = location

    return change


@pytest.mark.parametrize(
    "location",
    [
        *("/dev/zero", "file:///dev/zero", "/proc/self/environ", "FILE:/proc/self/environ"),
        *("/etc/passwd", "hdfs://127.0.0.1:1/x", "viewfs://x/y", "hf://datasets/x", "http://x/y"),
        *("relative", "../../etc/passwd", "memory://x", " file:/etc/passwd", "s3:/x/y"),
    ],
)
@pytest.mark.slow
def test_nothing_outside_of_the_warehouse_is_read(tmp_path: Path, location: str) -> None:
    own(tmp_path, elsewhere(location))
    assert code(lambda: read(opened(tmp_path))) == "location_not_allowed"


def test_places_are_those_of_the_catalog_and_those_allowed(tmp_path: Path) -> None:
    path = own(tmp_path)
    known = properties(tmp_path)
    read(opened(tmp_path))
    read(opened(tmp_path, ("s3://lake",)))
    read(open_metadata_file(str(path), NAME))
    read(open_metadata_file(str(path), NAME, (), ("/elsewhere",)))
    for warehouse in ("s3://lake", "name"):
        catalog = load_catalog("lake", known | {"warehouse": warehouse})
        assert code(lambda c=catalog: open_table(c, NAME)) == "location_not_allowed"  # type: ignore[misc]
        read(open_table(catalog, NAME, (), (str(tmp_path / "warehouse" / "db"),)))


def huge(path: Path) -> None:
    path.write_text("")
    os.truncate(path, 1 << 40)


DANGEROUS: dict[str, tuple[Callable[[Path], Any], str]] = {
    "fifo": (os.mkfifo, "not_a_file"),
    "folder": (Path.mkdir, "not_a_file"),
    "link-to-device": (lambda path: path.symlink_to("/dev/zero"), "location_not_allowed"),
    "link-to-proc": (lambda path: path.symlink_to("/proc/self/environ"), "location_not_allowed"),
    "link-to-itself": (lambda path: path.symlink_to(path), "unreadable_metadata"),
    "huge": (huge, "file_too_large"),
}


@pytest.mark.parametrize("what", DANGEROUS)
@pytest.mark.parametrize("which", ["metadata", "list", "manifest"])
@pytest.mark.slow
def test_dangerous_files_end_with_an_outcome_of_the_table(
    tmp_path: Path, what: str, which: str
) -> None:
    metadata = own(tmp_path)
    snapshot = opened(tmp_path).metadata.current_snapshot()
    assert snapshot is not None
    assert snapshot.manifest_list is not None
    (manifest,) = read_manifest_list(snapshot, Storage())
    located = {"metadata": str(metadata), "list": snapshot.manifest_list, "manifest": manifest.path}
    path = Path(located[which].removeprefix("file://"))
    path.unlink()
    make, expected = DANGEROUS[what]
    make(path)
    assert code(lambda: read(opened(tmp_path))) == expected


@pytest.mark.parametrize("what", DANGEROUS)
def test_dangerous_data_files_end_with_a_result_of_the_file(tmp_path: Path, what: str) -> None:
    make, expected = DANGEROUS[what]
    path = tmp_path / "in" / "f"
    path.parent.mkdir()
    make(path)
    storage = Storage(places=Places.of([str(path.parent)]))
    (tail,) = read_tails([(storage, str(path), None)])
    (found,) = read_ranges([RangeRequest(storage, str(path), (ByteRange(0, 1 << 40),))])
    for result in (tail, found):
        if isinstance(result, FileUnreadable):
            assert (result.kind is Kind.NOT_ALLOWED) is (expected == "location_not_allowed")
        else:
            assert len(result) <= 1 << 20
    assert isinstance(found, FileUnreadable)


def test_devices_are_no_files_even_where_all_is_allowed() -> None:
    for storage in (Storage(), Storage(places=Places.of(["/"]))):
        with pytest.raises(FileUnreadable) as caught:
            storage.open("/dev/zero")
        assert caught.value.kind is Kind.NOT_A_FILE


def test_a_footer_that_says_it_is_huge_is_not_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "FOOTER", 1 << 20)
    path = tmp_path / "f.parquet"
    length = (2 << 20).to_bytes(4, "little")
    path.write_bytes(bytes(3 << 20) + length + b"PAR1")
    (found,) = read_tails([(Storage(), str(path), None)])
    assert isinstance(found, FileUnreadable)
    assert found.kind is Kind.TOO_LARGE


def test_a_metadata_file_that_unpacks_without_end_is_unreadable(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "METADATA", 1 << 20)
    path = own(tmp_path)
    text = path.read_bytes()
    path.write_bytes(gzip.compress(text))
    read(opened(tmp_path))
    path.write_bytes(gzip.compress(text + b" " * (1 << 24)))
    assert code(lambda: opened(tmp_path)) == "unreadable_metadata"


def test_the_command_tells_what_a_table_may_not_have_read(tmp_path: Path) -> None:
    own(tmp_path, elsewhere("/etc/passwd"))
    config = tmp_path / "audit.yaml"
    document: dict[str, Any] = {
        "catalogs": {"lake": {"properties": properties(tmp_path)}},
        "sources": [{"type": "trino_events", "paths": ["none"]}],
        "audit": {"catalog": "lake"},
    }
    arguments = ["explain", "lake.db.t", "--config", str(config), "--where", "id = 1", "--json"]
    config.write_text(json.dumps(document))
    said = json.loads(CliRunner().invoke(main, arguments).stdout)
    assert said["outcome"] == "location_not_allowed"
    assert said["message"].endswith('add to audit.yaml: locations: {allow: ["/etc"]}')
    config.write_text(json.dumps(document | {"locations": {"allow": [str(tmp_path), "/etc"]}}))
    said = json.loads(CliRunner().invoke(main, arguments).stdout)
    assert said["outcome"] == "unreadable_metadata"
    assert "root:" not in said["message"]
