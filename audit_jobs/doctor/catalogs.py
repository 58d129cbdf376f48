"""Checks of catalogs: access to them, and to their tables and storage."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from time import monotonic

from prunescope.audit_jobs.config import AuditConfig
from prunescope.audit_jobs.doctor.model import Check, State, failed, ok
from prunescope.audit_jobs.doctor.outlying import Outlying, check_places, outlying
from prunescope.audit_jobs.isolation import attempt
from prunescope.audit_jobs.jobs.catalogs import of_each_catalog
from prunescope.audit_jobs.jobs.tables import TableFinder, is_made_by_audits
from prunescope.collectors.addresses import address_shown
from prunescope.collectors.errors import PrunescopeError
from prunescope.collectors.observed import TableName
from prunescope.collectors.storage import limits
from prunescope.collectors.storage.locations import storage_root
from prunescope.collectors.storage.random_access import read_whole
from prunescope.collectors.storage.unreadable import FileUnreadable, table_error
from prunescope.collectors.tables.catalog import (
    CatalogMissing,
    Table,
    list_tables,
    load_in_time,
    why_lists_nothing,
)
from prunescope.collectors.tables.manifest_list import read_manifest_list

_AT_ONCE = 50
"""Tables that are opened before the next ones are: metadata takes memory."""
_SECONDS = 60.0
"""The seconds within which a catalog lists its tables, and within which they are opened."""


@dataclass(frozen=True, slots=True)
class _Answer:
    """Answer of a catalog that was reached: its address, names of tables, whether these are all, a
    remedy if there are none, and the seconds it took."""

    uri: str
    tables: list[tuple[str, ...]]
    is_whole: bool
    seconds: float
    why_none: str | None


def check_catalogs(config: AuditConfig) -> Iterator[Check]:
    """Checks each catalog, and the storage of one table of each location. All are asked at once."""

    def ask(name: str) -> _Answer:
        started = monotonic()
        catalog = load_in_time(name, config.catalogs[name].properties)
        found, is_whole = [], True
        for table in list_tables(catalog):
            found.append(table)
            if monotonic() - started > _SECONDS:
                is_whole = False
                break
        seconds = monotonic() - started
        why_none = None if found else why_lists_nothing(catalog)
        uri = catalog.properties.get("uri", "")
        return _Answer(uri, found, is_whole, seconds, why_none)

    for name, answer in of_each_catalog("looking into", ask, config.catalogs).items():
        yield from _check_catalog(config, name, answer)


def check_tables(config: AuditConfig) -> Iterator[Check]:
    """Checks the metadata files that the configuration names."""
    names = []
    for table in config.tables:
        catalog, *namespace, last = table.name.split(".")
        names.append(TableName(catalog, tuple(namespace), last))
    tables = TableFinder(config).find(names)
    for name, error in tables.failed.items():
        yield failed(f"table {name}", error)
    yield from check_places(outlying(tables))
    if names and not tables.failed:
        yield ok("tables", "all metadata files can be read")


def _check_catalog(
    config: AuditConfig, name: str, answer: _Answer | PrunescopeError
) -> Iterator[Check]:
    title = f"catalog {name}"
    if isinstance(answer, CatalogMissing) and is_made_by_audits(config, name):
        remedy = "if the path is right, nothing is to be done: the first audit makes the catalog"
        yield Check(title, State.WARNING, str(answer), remedy)
        return
    if isinstance(answer, PrunescopeError):
        yield failed(title, answer)
        return
    found = answer.tables
    shown = address_shown(answer.uri)
    at = "" if shown is None else f" at {shown}"
    count = f"{len(found):,} table{'' if len(found) == 1 else 's'}"
    if not answer.is_whole:
        count += " and more"
    if not found:
        remedy = "check the property warehouse, and what the credentials may list"
        yield Check(
            title, State.WARNING, f"it answers{at}, and lists no table", answer.why_none or remedy
        )
        return
    yield ok(title, f"it answers{at}, and lists {count} in {answer.seconds:.1f} s")
    yield from _check_storage(config, [TableName(name, n[:-1], n[-1]) for n in found])


def _check_storage(config: AuditConfig, names: list[TableName]) -> Iterator[Check]:
    until = monotonic() + _SECONDS
    finder = TableFinder(config)
    by_root: dict[str, Table] = {}
    failures: dict[TableName, PrunescopeError] = {}
    places: Outlying = {}
    for start in range(0, len(names), _AT_ONCE):
        if monotonic() > until:
            detail = f"only {start:,} tables were opened in {_SECONDS:g} s"
            yield Check("places of tables", State.SKIPPED, detail)
            break
        tables = finder.find(names[start : start + _AT_ONCE])
        failures |= tables.failed
        for place, there in outlying(tables).items():
            places.setdefault(place, set()).update(there)
        for table in tables.opened.values():
            if table.metadata.current_snapshot_id is not None:
                root = storage_root(table.storage.locate(table.metadata.location))
                by_root.setdefault(root, table)
    # Those outside of their places are told by these.
    others = (pair for pair in failures.items() if getattr(pair[1], "place", None) is None)
    for name, error in islice(others, 1):
        yield failed(f"table {name}", error)
    for root, table in by_root.items():
        read = attempt(f"reading {table.name}", _read, table)
        title = f"storage {root}" if root not in ("", "file://") else "storage of this machine"
        if isinstance(read, PrunescopeError):
            yield failed(title, read)
        else:
            yield ok(title, f"reads manifests (tried {table.name})")
    yield from check_places(places)


def _read(table: Table) -> None:
    """Reads a manifest list and one of its manifests. Raises PrunescopeError."""
    snapshot = table.metadata.current_snapshot()
    assert snapshot is not None
    for manifest in read_manifest_list(snapshot, table.storage)[:1]:
        try:
            read_whole(table.storage, manifest.path, limits.MANIFEST)
        except FileUnreadable as error:
            raise table_error("a manifest", error) from error
