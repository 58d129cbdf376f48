"""Tables with files outside of the places that the catalog and the configuration allow."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from math import inf

from prunescope.audit_jobs.doctor.model import Check, State
from prunescope.audit_jobs.isolation import attempt
from prunescope.audit_jobs.jobs.at_once import at_once
from prunescope.audit_jobs.jobs.tables import Tables
from prunescope.audit_jobs.suggestions import listed
from prunescope.collectors.errors import StorageError
from prunescope.collectors.observed import TableName
from prunescope.collectors.storage.locations import (
    is_place,
    local_path,
    shown,
    storage_root,
    table_folder,
)
from prunescope.collectors.storage.places import normal
from prunescope.collectors.storage.unreadable import allowing
from prunescope.collectors.tables.catalog import Table
from prunescope.collectors.tables.catalog_threads import ASKED_AT_ONCE
from prunescope.collectors.tables.manifest_list import read_manifest_list
from prunescope.collectors.tables.manifests import read_manifest

_WRITE_PATHS = ("write.data.path", "write.metadata.path", "write.object-storage.path")

Outlying = dict[str, set[TableName]]
"""Tables by the folders outside of their places."""


def outlying(tables: Tables) -> Outlying:
    """The places of some tables that are not allowed: the locations in their metadata, and the
    folders of files in the first manifest of their current snapshots."""
    found: Outlying = {}
    opened = {table.name: table for table in tables.opened.values()}
    looked = at_once(_tried, opened.values(), most=ASKED_AT_ONCE, seconds=inf)
    refused = ((n, {e.place}) for n, e in tables.failed.items() if isinstance(e, StorageError))
    for name, places in chain(((table.name, places) for table, places in looked), refused):
        for place in places or ():
            if place is not None and is_place(place):
                found.setdefault(place, set()).add(name)
    return found


def check_places(found: Outlying) -> Iterator[Check]:
    """Yields a warning for each place."""
    for place, tables in sorted(_folded(found).items()):
        names = sorted(map(str, tables))
        have = "1 table has" if len(names) == 1 else f"{len(names):,} tables have"
        yield Check(
            f"place {place}",
            State.WARNING,
            f"{have} files here, which neither the catalog nor locations.allow names, so they are "
            f"not read: {listed(names)}",
            f"if they may be read, add to audit.yaml: {allowing(place)}",
            place,
        )


def _folded(found: Outlying) -> Outlying:
    """The places, with one parent folder in place of adjacent folders of several tables. A bucket
    is no parent folder: others may own the rest of it."""
    by_parent: dict[str, list[str]] = {}
    for place in found:
        by_parent.setdefault(place.rpartition("/")[0], []).append(place)
    folded: Outlying = {}
    for parent, places in by_parent.items():
        is_folder = parent not in ("", "/") and parent != storage_root(place := places[0])
        together = is_folder and len(places) > 1
        for place in places:
            folded.setdefault(parent if together else place, set()).update(found[place])
    return folded


def _tried(table: Table) -> set[str]:
    """The places of a table; none if it cannot be read, which other checks report."""
    found: set[str] = set()
    attempt(f"looking for files of {table.name}", lambda: found.update(_places(table)))
    return found


def _places(table: Table) -> Iterator[str]:
    """Folders outside of a table's places, as they are found. Raises PrunescopeError."""
    metadata, storage = table.metadata, table.storage
    said = (metadata.location, *(metadata.properties.get(name, "") for name in _WRITE_PATHS))
    yield from (_shown(table, path) for path in said if path and not storage.may_read(path))
    snapshot = metadata.current_snapshot()
    if snapshot is None:
        return
    try:
        manifests = read_manifest_list(snapshot, storage)
    except StorageError as error:
        if error.place is not None:
            yield error.place
        return
    paths = [manifest.path for manifest in manifests]
    read = next((m for m in manifests if storage.may_read(m.path)), None)
    if read is not None:
        for part in read_manifest(read.path, storage, columns=()).parts:
            paths += part.paths.to_pylist()
    for path in paths:
        if not storage.may_read(path):
            yield table_folder(_shown(table, path))


def _shown(table: Table, path: str) -> str:
    located = table.storage.locate(path)
    return shown(located if local_path(located) is None else normal(located)).rstrip("/")
