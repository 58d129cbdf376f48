"""Publishing is tried without a trace."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from pyiceberg.catalog.sql import SqlCatalog
from pyiceberg.exceptions import ForbiddenError
from pyiceberg.io.pyarrow import PyArrowFileIO
from pyiceberg.table import Table

from prunescope.audit_jobs.errors import PublishFailed
from prunescope.audit_jobs.results.schemas import RUN_TABLES
from prunescope.audit_jobs.sinks.audit_tables import publish
from prunescope.audit_jobs.sinks.probe import probe_namespace
from tests.audit_jobs.sinks.published import refuse_files_of
from tests.audit_jobs.sinks.results import audit_result, replayed


def catalog_in(folder: Path, warehouse: Path | None = None) -> SqlCatalog:
    return SqlCatalog(
        "lake", uri=f"sqlite:///{folder}/c.db", warehouse=f"file://{warehouse or folder / 'w'}"
    )


def files(folder: Path) -> set[str]:
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize("namespace", ["audit", "ops.audit"])
def test_a_namespace_that_is_not_there_yet_stays_away(tmp_path: Path, namespace: str) -> None:
    catalog = catalog_in(tmp_path)
    probe_namespace(catalog, namespace)
    assert catalog.list_namespaces() == []
    assert not {file for file in files(tmp_path) if file.endswith((".parquet", ".avro"))}


def test_a_namespace_that_is_there_stays_as_it_is(tmp_path: Path) -> None:
    catalog = catalog_in(tmp_path)
    catalog.create_namespace("audit")
    probe_namespace(catalog, "audit")
    assert catalog.list_namespaces() == [("audit",)]
    assert catalog.list_tables("audit") == []


@pytest.mark.slow
def test_tables_that_are_there_get_no_snapshot(tmp_path: Path) -> None:
    catalog = catalog_in(tmp_path)
    publish(audit_result(replayed("a")), catalog, "audit")
    before, stored = catalog.load_table("audit.audit_runs").metadata, files(tmp_path)
    probe_namespace(catalog, "audit")
    assert catalog.load_table("audit.audit_runs").metadata == before
    assert files(tmp_path) == stored


def test_no_folder_of_a_table_stays(tmp_path: Path) -> None:
    catalog = catalog_in(tmp_path)
    catalog.create_namespace("audit")
    probe_namespace(catalog, "audit")
    assert list((tmp_path / "w" / "audit").iterdir()) == []


@pytest.mark.slow
def test_a_file_that_another_try_has_deleted_is_gone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    catalog = catalog_in(tmp_path)
    publish(audit_result(replayed("a")), catalog, "audit")
    delete = PyArrowFileIO.delete

    def twice(file_io: PyArrowFileIO, location: str) -> None:
        delete(file_io, location)
        delete(file_io, location)

    monkeypatch.setattr("pyiceberg.io.pyarrow.PyArrowFileIO.delete", twice)
    assert probe_namespace(catalog, "audit") is None


def test_a_namespace_that_another_try_has_dropped_is_tried_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    catalog, other = catalog_in(tmp_path), catalog_in(tmp_path)
    other.create_namespace("audit")
    create = catalog.create_table

    def create_late(*arguments: Any) -> Table:
        if not dropped:
            other.drop_namespace("audit")
            dropped.append(True)
        return create(*arguments)

    dropped: list[bool] = []
    monkeypatch.setattr(catalog, "create_table", create_late)
    assert probe_namespace(catalog, "audit") is None
    assert (dropped, catalog.list_namespaces()) == ([True], [])


def test_a_storage_that_cannot_be_written_is_told_and_leaves_no_table(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    catalog = catalog_in(tmp_path, tmp_path / "file" / "warehouse")
    with pytest.raises(PublishFailed) as raised:
        probe_namespace(catalog, "audit")
    assert str(raised.value).startswith(
        "audit tables cannot be written in catalog 'lake': creating the table audit.publish_probe_"
    )
    assert "ENOTDIR" in str(raised.value)
    assert catalog.list_namespaces() == []


def test_a_right_that_is_missing_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    catalog = catalog_in(tmp_path)

    def refuse(*_: object, **__: object) -> None:
        raise ForbiddenError("not you: 'Jane Doe'")

    monkeypatch.setattr(catalog, "create_table", refuse)
    with pytest.raises(PublishFailed) as raised:
        probe_namespace(catalog, "audit")
    assert "failed: ForbiddenError: check its type, uri and credentials" in str(raised.value)
    assert "Jane" not in str(raised.value)
    assert catalog.list_namespaces() == []


def test_no_right_to_drop_is_needed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    catalog = catalog_in(tmp_path)

    def refuse(*_: object, **__: object) -> None:
        raise ForbiddenError("no")

    monkeypatch.setattr(catalog, "drop_table", refuse)
    monkeypatch.setattr(catalog, "purge_table", refuse)
    stays = probe_namespace(catalog, "audit")
    ((_, table),) = catalog.list_tables("audit")
    assert stays == f"the table audit.{table}"


@pytest.mark.slow
def test_each_table_that_is_there_must_have_our_columns(tmp_path: Path) -> None:
    catalog = catalog_in(tmp_path)
    publish(audit_result(replayed("a")), catalog, "audit")
    with catalog.load_table("audit.findings").update_schema(True) as update:
        update.delete_column("severity")
    expected = r"Cannot write audit table audit\.findings in catalog 'lake', because it was changed"
    with pytest.raises(PublishFailed, match=rf"{expected}.* add the column severity \(string\)"):
        probe_namespace(catalog, "audit")


@pytest.mark.slow
def test_the_place_of_each_table_must_take_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    catalog = catalog_in(tmp_path)
    publish(audit_result(replayed("a")), catalog, "audit")
    refuse_files_of(monkeypatch, "findings")
    with pytest.raises(PublishFailed, match=r"writing a file in .*/findings failed: EROFS"):
        probe_namespace(catalog, "audit")


@pytest.mark.slow
def test_no_right_to_delete_files_is_needed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    catalog = catalog_in(tmp_path)
    publish(audit_result(replayed("a")), catalog, "audit")
    stored = files(tmp_path)

    def refuse(*_: object, **__: object) -> None:
        raise PermissionError("no")

    monkeypatch.setattr("pyiceberg.io.pyarrow.PyArrowFileIO.delete", refuse)
    for _ in range(3):
        stays = probe_namespace(catalog, "audit")
        assert stays is not None
        assert stays.startswith("the empty file ")
    left = {Path(file).parts[-3:] for file in files(tmp_path) - stored}
    assert left == {(table.name, "data", "publish_probe") for table in RUN_TABLES}


def test_rows_that_cannot_be_written_leave_no_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As where a REST catalog writes metadata itself, and hands out no key for data."""
    catalog = catalog_in(tmp_path)

    def refuse(*_: object, **__: object) -> None:
        raise PermissionError("SECRET")

    monkeypatch.setattr("pyiceberg.table.Table.append", refuse)
    with pytest.raises(PublishFailed, match=r"writing a row in .* failed: access was refused"):
        probe_namespace(catalog, "audit")
    assert catalog.list_namespaces() == []


def test_a_catalog_without_a_warehouse_is_told_as_such(tmp_path: Path) -> None:
    catalog = SqlCatalog("lake", uri=f"sqlite:///{tmp_path}/c.db")
    expected = "it has no property warehouse: add catalogs.lake.properties.warehouse"
    with pytest.raises(PublishFailed, match=expected):
        probe_namespace(catalog, "audit")
    assert catalog.list_namespaces() == []
