"""Trial of publishing before a run is made, without a trace.

Existing audit tables must have our columns, and a file is written beside the data of each and
deleted. If there is no table of runs, a table of another name is created in the namespace, gets a
row, and is dropped, and so is the namespace if it was not there: a run that could not write its
rows would leave empty tables.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa
from pyiceberg.catalog import Catalog
from pyiceberg.exceptions import NoSuchNamespaceError, NoSuchTableError

from prunescope.audit_jobs.errors import PublishFailed
from prunescope.audit_jobs.results.audit_table import AuditTable
from prunescope.audit_jobs.results.schemas import AUDIT_RUNS, RUN_TABLES
from prunescope.audit_jobs.sinks.fit import require_fit
from prunescope.collectors.storage.locations import local_path
from prunescope.collectors.storage.unreadable import why_storage_failed
from prunescope.collectors.tables.catalog_errors import why_catalog_failed

if TYPE_CHECKING:
    from pyiceberg.table import Table

_FILE = "publish_probe"
"""One name for all runs: where it may not be deleted, there is one at most."""
_ROW = pa.table({"probe": pa.array([1], pa.int64())})


def probe_namespace(
    catalog: Catalog, namespace: str, audit_tables: Sequence[AuditTable] = RUN_TABLES
) -> str | None:
    """Raises PublishFailed if some audit tables could not be written in a namespace, with the
    failed step and its reason. An audit needs no right to delete: remains of the trial are
    returned."""
    parts = tuple(namespace.split("."))
    there, stays = set(), []
    for audit_table in audit_tables:
        with _blamed(catalog, f"loading the table {namespace}.{audit_table.name}"):
            table = _existing(catalog, (*parts, audit_table.name))
        if table is not None:
            require_fit(catalog, namespace, audit_table, table)
            with _blamed(catalog, f"writing a file in {table.location()}"):
                stays += _write_and_delete(table, f"{table.location()}/data/{_FILE}")
            there.add(audit_table)
    if AUDIT_RUNS in there:
        return ", ".join(stays) or None
    try:
        return _try_namespace(catalog, parts)
    except PublishFailed as error:
        if not isinstance(error.__cause__, NoSuchNamespaceError):
            raise
    # It was that of another try at the same time, which has dropped it.
    return _try_namespace(catalog, parts)


def _try_namespace(catalog: Catalog, parts: tuple[str, ...]) -> str | None:
    with _blamed(catalog, f"creating the namespace {'.'.join(parts)}"):
        is_new = not catalog.namespace_exists(parts)
        catalog.create_namespace_if_not_exists(parts)
    try:
        return _try_table(catalog, (*parts, f"publish_probe_{uuid.uuid4().hex}"))
    finally:
        if is_new:
            # Of several levels the ones above stay: what else may be in them is not ours.
            with suppress(Exception):
                catalog.drop_namespace(parts)


def _existing(catalog: Catalog, identifier: tuple[str, ...]) -> Table | None:
    try:
        return catalog.load_table(identifier)
    except (NoSuchTableError, NoSuchNamespaceError):
        return None


def _write_and_delete(table: Table, location: str) -> list[str]:
    """Writes an empty file and deletes it; returns the remains."""
    with table.io.new_output(location).create(overwrite=True) as stream:
        stream.write(b"")
    try:
        table.io.delete(location)
    except FileNotFoundError:  # another try at the same time has deleted it
        return []
    except Exception:  # noqa: BLE001  # the next run overwrites it
        return [f"the empty file {location}"]
    return []


def _try_table(catalog: Catalog, identifier: tuple[str, ...]) -> str | None:
    shown = ".".join(identifier)
    with _blamed(catalog, f"creating the table {shown}"):
        table = catalog.create_table(identifier, _ROW.schema)
    try:
        with _blamed(catalog, f"writing a row in {table.location()}"):
            table.append(_ROW)
    finally:
        is_gone = _drop(catalog, identifier)
        _remove_folders(table.location())
    return None if is_gone else f"the table {shown}"


def _drop(catalog: Catalog, identifier: tuple[str, ...]) -> bool:
    """Drops a table, with its files if that is allowed; returns whether the table is gone."""
    for drop in (catalog.purge_table, catalog.drop_table):
        try:
            drop(identifier)
        except NoSuchTableError:  # an attempt before failed at its files
            return True
        except Exception:  # noqa: BLE001, S112  # the right to drop is not needed to publish
            continue
        return True
    return False


def _remove_folders(location: str) -> None:
    """Removes the folders of a table that was dropped, if it was in a file system: only files are
    purged."""
    path = local_path(location)
    for folder in () if path is None else (f"{path}/data", f"{path}/metadata", path):
        with suppress(OSError):  # not empty, or not there
            Path(folder).rmdir()


@contextmanager
def _blamed(catalog: Catalog, doing: str) -> Iterator[None]:
    try:
        yield
    except PublishFailed:
        raise
    except Exception as error:  # each kind of catalog, and of storage, raises its own
        why = why_storage_failed(error)
        raise PublishFailed(
            f"audit tables cannot be written in catalog {catalog.name!r}: {doing} failed: "
            f"{why or why_catalog_failed(error, catalog.name, catalog.properties)}"
        ) from error
