"""Tables whose metadata is held, so that a dry run asks no catalog and reads no storage.

A table is held with its manifest list in memory, and its manifests, decoded, in a cache on the
local disk. It is opened again in the background before it is too old; one that is too old is not
used, whatever the catalog does. Of too many tables, the least recently used one goes.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterable
from concurrent.futures import Future
from dataclasses import dataclass, replace
from functools import partial
from typing import Self

from prunescope.audit_jobs.config import TablesConfig
from prunescope.audit_jobs.errors import NotReplayed
from prunescope.audit_jobs.isolation import attempt
from prunescope.audit_jobs.jobs.tables import TableFinder
from prunescope.audit_jobs.planning.local import replay
from prunescope.collectors.errors import PrunescopeError, TableNotFound
from prunescope.collectors.observed import TableName
from prunescope.collectors.predicates.model import TRUE
from prunescope.collectors.recently_used import Recent
from prunescope.collectors.storage.cache import Cache
from prunescope.collectors.storage.clock import Clock
from prunescope.collectors.tables.catalog import Table
from prunescope.collectors.tables.manifest_list import Manifest, read_manifest_list

_AT_ONCE = 4
"""Tables that are loaded at once."""
_MOST_LOADING = 64
"""Tables that wait to be loaded, after which no more are taken."""
_REFRESHES = 3
"""The number of times that a table is opened again before it is too old, so that a catalog may
fail once."""
_FAILED_SECONDS = 5.0
"""Seconds in which a failure to open a table is the answer, so that no client makes a catalog
busy."""


@dataclass(frozen=True, slots=True)
class Held:
    """A table, the manifest list of its current snapshot, and the time at which the catalog was
    asked for it, by the monotonic clock."""

    table: Table
    listed: tuple[Manifest, ...]
    asked_at: float

    @property
    def age(self) -> float:
        """Seconds since the catalog was asked."""
        return time.monotonic() - self.asked_at

    def within(self, seconds: float) -> Table:
        """The table, for a dry run that may read for so many seconds."""
        return replace(self.table, storage=replace(self.table.storage, clock=Clock(seconds)))


@dataclass(frozen=True, slots=True)
class _Failure:
    error: PrunescopeError
    until: float


class HeldTables:
    """At most `most` tables of a configuration, none older than `max_stale` seconds, by the names
    that queries use. Safe to use from any thread."""

    def __init__(self, config: TablesConfig, cache: Cache, *, most: int, max_stale: float) -> None:
        self._finder = TableFinder(config)
        self._cache = cache
        self._max_stale = max_stale
        self._held: Recent[str, Held] = Recent(most)
        self._failed: Recent[str, _Failure] = Recent(most)
        self._loading: dict[str, Future[Held]] = {}
        self._lock = threading.Lock()
        self._at_once = threading.Semaphore(_AT_ONCE)
        self._ending = threading.Event()
        self.failures = 0
        """Failures to open a table again."""

    def __enter__(self) -> Self:
        threading.Thread(target=self._keep_fresh, daemon=True, name="refresher").start()
        return self

    def __exit__(self, *_: object) -> None:
        """Leaves what is being loaded behind: it changes nothing."""
        self._ending.set()

    def __len__(self) -> int:
        return len(self._held)

    def configured(self, names: Iterable[TableName]) -> list[TableName]:
        """Names that are of a configured catalog, or of a configured table."""
        return [name for name in names if self._finder.is_iceberg(name)]

    def get(self, name: TableName) -> Held | None:
        """The table of a name; None if it is not held, or too old. Raises PrunescopeError if it
        could not be opened a moment ago."""
        key = self._key(name)
        with self._lock:
            failure = self._failed.get(key)
            if failure is not None and time.monotonic() < failure.until:
                raise failure.error
            held = self._held.get(key)
            return None if held is None or held.age > self._max_stale else held

    def load(self, name: TableName) -> Future[Held]:
        """Loads a table, if it is not being loaded, and not too many are; the future raises
        PrunescopeError."""
        key = self._key(name)
        with self._lock:
            known = self._loading.get(key)
            if known is not None:
                return known
            loading: Future[Held] = Future()
            if len(self._loading) < _MOST_LOADING:
                self._loading[key] = loading
                # The end of the process would wait for the threads of an executor.
                load = partial(self._load, name, key, loading)
                threading.Thread(target=load, daemon=True, name="loader").start()
            return loading

    def oldest(self) -> float:
        """Seconds since the catalog was asked for the oldest of the tables; 0 without any."""
        with self._lock:
            return max((held.age for _, held in self._held.items()), default=0.0)

    def refresh(self) -> None:
        """Opens all tables again. One that cannot be opened stays as it is until it is too old."""
        with self._lock:
            before = self._held.items()
        asked_at = time.monotonic()
        found = self._finder.find([held.table.name for _, held in before])
        for key, held in before:
            opened = found.opened.get(held.table.name)
            doing = f"refreshing {held.table.name}"
            new = None if opened is None else attempt(doing, self._read, opened, asked_at, held)
            with self._lock:
                if not isinstance(new, Held):
                    self.failures += 1
                elif key in self._held:
                    self._held.replace(key, new)

    def _keep_fresh(self) -> None:
        while not self._ending.wait(self._max_stale / _REFRESHES):
            attempt("refreshing tables", self.refresh)

    def _load(self, name: TableName, key: str, loading: Future[Held]) -> None:
        with self._at_once:
            asked_at = time.monotonic()
            held = attempt(f"loading {name.shown}", self._opened, name, asked_at)
        with self._lock:
            del self._loading[key]
            if isinstance(held, Held):
                self._held.put(key, held)
            else:
                until = time.monotonic() + min(_FAILED_SECONDS, self._max_stale)
                self._failed.put(key, _Failure(held, until))
        if isinstance(held, Held):
            loading.set_result(held)
        else:
            loading.set_exception(held)

    def _opened(self, name: TableName, asked_at: float) -> Held:
        found = self._finder.find([name])
        if name not in found.opened:
            error = found.failed[name]
            if isinstance(error, TableNotFound):
                raise TableNotFound(f"{error}{self._finder.nearest(name)}") from error
            raise error
        return self._read(found.opened[name], asked_at, None)

    def _read(self, opened: Table, asked_at: float, before: Held | None) -> Held:
        """The table with its metadata, of which only what is new is read."""
        table = replace(opened, storage=replace(opened.storage, cache=self._cache))
        snapshot = table.metadata.current_snapshot()
        if snapshot is None:
            return Held(table, (), asked_at)
        if before is not None and snapshot == before.table.metadata.current_snapshot():
            return Held(table, before.listed, asked_at)
        listed = read_manifest_list(snapshot, table.storage)
        # Decodes each manifest that the cache has not.
        [found] = replay(table, snapshot, [TRUE], max_footers=0, listed=listed)
        if found.failure is not None:
            raise NotReplayed(found.failure.code, found.failure.message or "")
        return Held(table, listed, asked_at)

    def _key(self, name: TableName) -> str:
        return str(self._finder.resolve(name)).casefold()
