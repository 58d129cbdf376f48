"""The query sources of a configuration, as functions that run on executors."""

from __future__ import annotations

import datetime as dt
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import groupby
from operator import attrgetter

from prunescope.audit_jobs.config import TablesConfig
from prunescope.audit_jobs.errors import WorkerKilled
from prunescope.audit_jobs.isolation import Failed, attempt
from prunescope.audit_jobs.planning.items import Item, ItemGroup
from prunescope.audit_jobs.records import Elsewhere, Window
from prunescope.audit_jobs.sources.registry import BY_TYPE
from prunescope.audit_jobs.sources.source import Log, Logs, PassedOver, Record
from prunescope.audit_jobs.suggestions import path_suggestion
from prunescope.audit_jobs.workload.allowance import Allowance
from prunescope.audit_jobs.workload.inputs import Input, input_items
from prunescope.audit_jobs.workload.queries import NamedTables, name_tables
from prunescope.audit_jobs.workload.replanned import PlannedBy
from prunescope.collectors.errors import PrunescopeError
from prunescope.collectors.observed import ObservedQuery, Rejected, ScanReport
from prunescope.collectors.outcomes import Outcome
from prunescope.collectors.queries.listing import expand_paths
from prunescope.collectors.queries.parts import PART_BYTES, parts_of
from prunescope.collectors.queries.rejections import counted
from prunescope.collectors.safe_text import without_credentials
from prunescope.collectors.storage.clock import Clock, log_too_slow
from prunescope.collectors.storage.credentials import told_credentials
from prunescope.collectors.storage.files import Storage
from prunescope.collectors.storage.unreadable import unreadable
from prunescope.collectors.tables.catalog import storage_of

MOST_BYTES = 1 << 40
"""The largest file of a log that is read, in bytes: reading takes time by a file's length, and a
sparse file of any length takes no room on a disk."""


def storage_of_logs(config: TablesConfig) -> Storage:
    """The storage from which query logs are read."""
    return storage_in(config, config.source_storage)


def storage_in(config: TablesConfig, name: str | None) -> Storage:
    """The storage of a catalog's tables; without a catalog, the storage of the environment."""
    if name is None:
        return Storage(config.path_prefixes)
    return storage_of(name, config.catalogs[name].properties, config.path_prefixes)


def find_logs(
    sources: Sequence[Logs], storage: Storage, part_bytes: int = PART_BYTES
) -> tuple[list[Log], list[Rejected]]:
    """Every log of every source, and a Rejected for each path that matches nothing. Divisible logs
    of more than `part_bytes` come in parts of about that size."""
    logs: list[Log] = []
    missing: list[Rejected] = []
    for source in sources:
        for pattern in source.paths:
            try:
                files = expand_paths([pattern], storage)
                large = [file for file, size in files.items() if size > MOST_BYTES]
                missing += [_too_large(source, file, files.pop(file)) for file in large]
                logs += list(_logs(files, source, part_bytes))
            except FileNotFoundError:
                message = f"the path matches no file{path_suggestion(pattern)}"
                missing.append(_told(Rejected(source.type, pattern, Outcome.NO_SUCH_FILE, message)))
            except Exception as error:  # noqa: BLE001  # clients raise many kinds
                why = unreadable(pattern, error, told_credentials(storage, pattern)).why
                message = f"the storage cannot be listed: {why}"
                missing.append(
                    _told(Rejected(source.type, pattern, Outcome.UNREADABLE_FILE, message))
                )
    return logs, missing


def log_sizes(sources: Sequence[Logs], storage: Storage) -> Mapping[str, int]:
    """The sizes of the files of all sources, by path; without those of a path that cannot be
    listed, which `find_logs` rejects."""
    sizes: dict[str, int] = {}
    for source in sources:
        for pattern in source.paths:
            with suppress(Exception):  # clients raise many kinds
                sizes |= expand_paths([pattern], storage)
    return sizes


def _logs(files: Mapping[str, int], source: Logs, part_bytes: int) -> Iterator[Log]:
    kind = BY_TYPE[source.type]
    for paths in kind.group(list(files)):
        is_cut = kind.is_in_parts and len(paths) == 1
        parts = parts_of(paths[0], files[paths[0]], part_bytes) if is_cut else [None]
        yield from (Log(paths, source, part, len(parts)) for part in parts)


def _too_large(source: Logs, file: str, size: int) -> Rejected:
    message = (
        f"the file has {size:,} bytes, more than {MOST_BYTES:,}; let what writes it begin others"
    )
    return _told(Rejected(source.type, file, Outcome.FILE_TOO_LARGE, message))


class _PassedOver:
    """Counts a log's entries outside of the window."""

    def __init__(self) -> None:
        self._queries = 0
        self._first = dt.datetime.max.replace(tzinfo=dt.UTC)
        self._last = dt.datetime.min.replace(tzinfo=dt.UTC)

    def add(self, moment: dt.datetime) -> None:
        """Adds an entry that started at a moment."""
        self._queries += 1
        self._first, self._last = min(self._first, moment), max(self._last, moment)

    def told(self) -> Iterator[Elsewhere]:
        """The summary of these entries, if there are any."""
        if self._queries:
            yield Elsewhere(self._queries, self._first, self._last)


def read_log(
    log: Log, storage: Storage, window: Window, passed_over: PassedOver
) -> Iterator[Record]:
    """The records of one log, streamed. Records outside of the window may be among them;
    `passed_over` gets the start times of those that are left out."""
    return BY_TYPE[log.source.type].read(log, storage, window, passed_over)


def read_stage(
    groups: Iterable[ItemGroup],
    storage: Storage,
    window: Window,
    seconds: float,
    slots: int,
    planned_by: PlannedBy | None = None,
) -> Iterator[Item]:
    """The window's entries of some logs, as items. Tasks are logs, each of which may take `seconds`
    of the `slots` that work on it at once."""
    logs = (log for group in groups for _, _, log in group.tasks)
    yield from input_items(_read_in_time(logs, storage, window, seconds, slots, planned_by))


def _read_in_time(
    logs: Iterable[Log],
    storage: Storage,
    window: Window,
    seconds: float,
    slots: int,
    planned_by: PlannedBy | None,
) -> Iterator[Input]:
    """Yields the entries of logs. Tasks do not know of each other: of the time of all slots for a
    file, each task has the share of its parts, and no more than one slot has."""
    for _, of_file in groupby(logs, attrgetter("source", "paths")):
        here = tuple(of_file)
        share = min(1.0, slots * len(here) / here[0].parts)
        yield from read_queries(here, storage, window, seconds, share, planned_by)


def unread_stage(groups: Iterable[ItemGroup]) -> Iterator[Item]:
    """Replaces `read_stage` if it kills its worker."""
    why = WorkerKilled()
    logs = (log for group in groups for _, _, log in group.tasks)
    yield from input_items(
        _told(Rejected(log.source.type, log.place, why.code, str(why))) for log in logs
    )


def read_queries(
    logs: Iterable[Log],
    storage: Storage,
    window: Window,
    seconds: float = math.inf,
    share: float = 1.0,
    planned_by: PlannedBy | None = None,
) -> Iterator[Input]:
    """Yields the window's entries of logs, or of parts of one, and a summary of each log's entries
    outside of it; queries are those of another planner if there is one. Inputs of unknown time are
    taken. After `share` of `seconds`, reading stops, and no further log is read."""
    clock = Clock(seconds * share, late=lambda _: log_too_slow(seconds))
    for log in logs:
        passed_over, allowance = _PassedOver(), Allowance()
        records = _to_the_end(log, storage, window, passed_over.add, clock)
        for record in counted(records, log.source.type, log.place):
            match record:
                case Rejected():
                    yield _told(record)
                case ScanReport() if _is_within(record.reported_at, window):
                    yield replace(record, location=without_credentials(record.location))
                case ObservedQuery() if _is_within(record.started_at, window):
                    library = record.iceberg_version or log.source.iceberg_version
                    name = without_credentials(record.query_id)
                    query = replace(record, query_id=name, iceberg_version=library)
                    if planned_by is not None:
                        query = planned_by.replanned(query)
                    yield _named(query, allowance, clock)
                case ScanReport(reported_at=moment) | ObservedQuery(started_at=moment):
                    if moment is not None:
                        passed_over.add(moment)
        yield from passed_over.told()
        if not clock.left:
            return


def _told(rejected: Rejected) -> Rejected:
    """The rejection, without credentials in its place, which may be its id as well."""
    name = rejected.query_id
    return replace(
        rejected,
        location=without_credentials(rejected.location),
        query_id=None if name is None else without_credentials(name),
    )


def _next(records: Iterator[Record]) -> Record | None:
    return next(records, None)


def _to_the_end(
    log: Log, storage: Storage, window: Window, passed_over: PassedOver, clock: Clock
) -> Iterator[Record]:
    """The records of one log, the last of which is the error that stopped reading, if any."""
    doing = f"reading {log.place}"
    records = attempt(doing, read_log, log, storage, window, passed_over)
    while not isinstance(records, PrunescopeError):
        # Readers tell of what stops them, and may go on.
        record = attempt(doing, clock.timed(_next), records)
        if record is None:
            return
        if isinstance(record, PrunescopeError):
            records = record
        else:
            yield record
    yield Rejected(log.source.type, log.place, records.code, str(records))


def _named(query: ObservedQuery, allowance: Allowance, clock: Clock) -> NamedTables:
    """The tables that a query names, or the failure to find them."""
    found = attempt("reading the text of a query", clock.timed(name_tables), query, allowance)
    if isinstance(found, PrunescopeError):
        return NamedTables(query, failure=Failed.of(found))
    return found


def _is_within(moment: dt.datetime | None, window: Window) -> bool:
    return moment is None or window.start <= moment < window.end
