"""Keeping the audit tables small: old rows, small files and old snapshots go."""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from pyiceberg.catalog import Catalog
from pyiceberg.exceptions import (
    CommitFailedException,
    NoSuchNamespaceError,
    NoSuchTableError,
    ValidationException,
)
from pyiceberg.utils.datetime import datetime_to_millis

from prunescope.audit_jobs.errors import MaintenanceFailed, PublishFailed
from prunescope.audit_jobs.results.audit_table import AuditTable
from prunescope.audit_jobs.results.schemas import AUDIT_RUNS, RUN_TABLES
from prunescope.audit_jobs.sinks.fit import require_fit
from prunescope.audit_jobs.sinks.maintained_at import mark_maintained
from prunescope.collectors.predicates.calendar import EPOCH_UTC
from prunescope.collectors.storage.unreadable import why_storage_failed
from prunescope.collectors.tables.catalog import CatalogUnavailable, in_time
from prunescope.collectors.tables.catalog_errors import why_catalog_failed

if TYPE_CHECKING:
    from pyiceberg.table import Table
    from pyiceberg.table.snapshots import Snapshot

_Done = TypeVar("_Done")

_ATTEMPTS = 20
MIN_FILES = 4
"""Files of one day that are made one: each run of a window writes one, and removes another."""


@dataclass(frozen=True, slots=True)
class Retention:
    """Days for which audit rows are kept, and for which snapshots can be travelled back to."""

    days: int
    snapshot_days: int


@dataclass(frozen=True, slots=True)
class Maintained:
    """Maintenance of one audit table: rows that were dropped, days whose files were compacted into
    one, snapshots that expired, and files that were deleted with them; or the `failure` that
    stopped it."""

    table: str
    dropped_rows: int = 0
    compacted_days: int = 0
    expired_snapshots: int = 0
    deleted_files: int = 0
    failure: MaintenanceFailed | None = None


def maintain(
    catalog: Catalog, namespace: str, retention: Retention, now: dt.datetime
) -> list[Maintained]:
    """Maintains every existing audit table; one that fails stops none of the others. Audits may run
    at the same time: of two that commit, the second repeats its step. Success of all is recorded in
    audit_runs at last. Raises CatalogUnavailable if the catalog does not answer in time.

    Old runs are removed from audit_runs before their rows from other tables, so a reader who finds
    a run there finds all of its rows; if the runs cannot be removed, no rows are.
    """
    before, young = (
        now - dt.timedelta(days=days) for days in (retention.days, retention.snapshot_days)
    )
    of_table = partial(_of_table, catalog, namespace)
    runs = of_table(AUDIT_RUNS, partial(_maintain, before=before, young=young))
    may_list = runs is not None and runs.failure is not None
    each = partial(_maintain, before=None if may_list else before, young=young)
    others = [of_table(table, each) for table in RUN_TABLES if table is not AUDIT_RUNS]
    done = [maintained for maintained in (*others, runs) if maintained is not None]
    if runs is not None and all(maintained.failure is None for maintained in done):
        done[-1] = of_table(AUDIT_RUNS, partial(_mark, runs, now)) or runs
    return done


def _of_table(
    catalog: Catalog,
    namespace: str,
    audit_table: AuditTable,
    maintained: Callable[[Table, str], Maintained],
) -> Maintained | None:
    """The maintenance of an audit table, or its failure; None if there is no such table. Raises
    CatalogUnavailable."""

    name = audit_table.name

    def failed(why: str) -> Maintained:
        failure = MaintenanceFailed(
            f"audit table {namespace}.{name} in catalog {catalog.name!r} could not be maintained "
            f"({why}); what was committed before stays, and the next run goes on from there"
        )
        return Maintained(name, failure=failure)

    try:
        table = in_time(catalog, partial(catalog.load_table, (*namespace.split("."), name)))
        require_fit(catalog, namespace, audit_table, table)
        return maintained(table, name)
    except PublishFailed as error:
        return failed(str(error))
    except (NoSuchTableError, NoSuchNamespaceError):
        return None
    except CatalogUnavailable:  # it would be waited for as long for each of the others
        raise
    except Exception as error:  # noqa: BLE001  # catalogs and storage fail in many ways
        why = why_storage_failed(error)
        return failed(why or why_catalog_failed(error, catalog.name, catalog.properties))


def _maintain(
    table: Table, name: str, *, before: dt.datetime | None, young: dt.datetime
) -> Maintained:
    rows = 0 if before is None else _as_it_is(table, partial(_drop_rows, table, before))
    days = _compact(table)
    snapshots, files = _as_it_is(table, partial(_expire, table, young))
    return Maintained(name, rows, days, snapshots, files)


def _mark(done: Maintained, now: dt.datetime, table: Table, _name: str) -> Maintained:
    _as_it_is(table, partial(mark_maintained, table, now))
    return done


def _as_it_is(table: Table, step: Callable[[], _Done]) -> _Done:
    """The result of a step of one commit on the present table: the step is repeated from its start
    if others commit meanwhile."""
    for _ in range(_ATTEMPTS - 1):
        with suppress(CommitFailedException, ValidationException):
            return step()
        table.refresh()
    return step()


def _drop_rows(table: Table, before: dt.datetime) -> int:
    old = f"window_end <= '{before.astimezone(dt.UTC).isoformat()}'"
    count = table.scan(old).count()
    if count:
        table.delete(old)
    return count


def _compact(table: Table) -> int:
    """Rewrites the days that have many files, one commit a day: rows of one day fit in memory, as
    they did in the run that wrote them."""
    by_day: dict[int, int] = defaultdict(int)
    for task in table.scan().plan_files():
        by_day[task.file.partition[0]] += 1
    crowded = sorted(day for day, files in by_day.items() if files >= MIN_FILES)
    for day in crowded:
        _as_it_is(table, partial(_compact_day, table, day))
    return len(crowded)


def _compact_day(table: Table, day: int) -> None:
    start = EPOCH_UTC + dt.timedelta(days=day)
    end = start + dt.timedelta(days=1)
    of_day = f"window_start >= '{start.isoformat()}' and window_start < '{end.isoformat()}'"
    table.overwrite(table.scan(of_day).to_arrow(), overwrite_filter=of_day)


def _expire(table: Table, before: dt.datetime) -> tuple[int, int]:
    """Expires snapshots, and deletes the files that only they need: PyIceberg leaves them."""
    known = {snapshot.snapshot_id: snapshot for snapshot in table.metadata.snapshots}
    heads = {ref.snapshot_id for ref in table.metadata.refs.values()}
    old = {id_ for id_, each in known.items() if each.timestamp_ms < datetime_to_millis(before)}
    if not old - heads:  # PyIceberg would commit that none goes, which not every catalog takes
        return 0, 0
    table.maintenance.expire_snapshots().older_than(before).commit()
    kept = {snapshot.snapshot_id for snapshot in table.metadata.snapshots}
    expired = [snapshot for snapshot_id, snapshot in known.items() if snapshot_id not in kept]
    needed = _files(table, table.metadata.snapshots, _nothing_missing)
    unneeded = _files(table, expired, _already_gone) - needed
    for path in unneeded:
        with suppress(FileNotFoundError):
            table.io.delete(path)
    return len(expired), len(unneeded)


def _files(
    table: Table, snapshots: Iterable[Snapshot], tolerate: Callable[[FileNotFoundError], None]
) -> set[str]:
    """Every file that some snapshots need: manifest lists, manifests, data and delete files."""
    found: set[str] = set()
    for snapshot in snapshots:
        try:
            found.add(snapshot.manifest_list)
            for manifest in snapshot.manifests(table.io):
                if manifest.manifest_path not in found:
                    found.add(manifest.manifest_path)
                    entries = manifest.fetch_manifest_entry(table.io, discard_deleted=True)
                    found.update(entry.data_file.file_path for entry in entries)
        except FileNotFoundError as error:
            tolerate(error)
    return found


def _nothing_missing(error: FileNotFoundError) -> None:
    """Raises: a file that a live snapshot needs is missing, so nothing may be deleted."""
    raise error


def _already_gone(_: FileNotFoundError) -> None:
    """Ignores files that an earlier run deleted before it was stopped."""
