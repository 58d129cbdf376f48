"""A cache that several machines share in one place that PyIceberg's FileIO reaches.

An object there costs a request, so many files lie in one, a bundle; and because a FileIO lists
nothing, an index names the bundles. Bundles never change. The index is replaced at the end of a
run: of two at once the last one counts, and what only the other one made is made again. Everything
that is missing, damaged or out of reach is read from the table's own files.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial

from prunescope.collectors.storage import limits
from prunescope.collectors.storage.bundles import (
    INDEX,
    Bundle,
    Holders,
    pack,
    pack_index,
    renewed,
    unpack,
    unpack_index,
    within,
)
from prunescope.collectors.storage.cache import Bundles, Cache
from prunescope.collectors.storage.files import Storage
from prunescope.collectors.storage.in_flight import concurrently
from prunescope.collectors.storage.one_request import read_by_one_request
from prunescope.collectors.storage.random_access import patiently, read_whole
from prunescope.collectors.storage.unreadable import FileUnreadable, Kind

_PROBE = "probe"
"""The name of what is written to find out whether anything can be."""
_LARGEST = 64 << 20
"""The largest entry that goes into a bundle with others."""
_LOST = (Kind.MISSING, Kind.DAMAGED, Kind.SHORT, Kind.TOO_LARGE)
"""Faults of a bundle itself, rather than of its place."""


@dataclass(frozen=True, slots=True)
class Use:
    """A process's use of bundles since the last call: the names of the bundles that it used and of
    those that are lost, and new content that no bundle has, by key."""

    used: frozenset[str]
    lost: frozenset[str]
    news: Mapping[str, bytes]


class SharedCache:
    """The bundles of a run, as one process uses them: it reads the index once, and each bundle once
    at most. Safe to use from any thread."""

    def __init__(self, bundles: Bundles) -> None:
        self._bundles = bundles
        self._holders: Holders | None = None
        self._sizes: Mapping[str, int] = {}
        self._is_off = False
        self._tried: set[str] = set()
        self._used: set[str] = set()
        self._lost: set[str] = set()
        self._news: dict[str, bytes] = {}
        self._lock = threading.Lock()

    def fetch(self, cache: Cache, keys: Collection[str]) -> None:
        """Fills the local cache from the bundles that hold any of the keys that it lacks."""
        missing = [key for key in keys if not cache.has(key)]
        if not missing:
            return
        with self._lock:
            wanted = {name for name in self._index().of(missing) if name is not None}
            names = sorted(wanted - self._tried)
            self._tried.update(names)
            sizes = self._sizes
            read = partial(_read_bundle, self._bundles, sizes)
            found = concurrently(read, names, size=sizes.__getitem__)
            for name, whole in zip(names, found, strict=True):
                if isinstance(whole, FileUnreadable) and whole.kind not in _LOST:
                    self._give_up()  # each of the others would be waited for as long
                    return
                entries = None if isinstance(whole, FileUnreadable) else unpack(name, whole)
                if entries is None:
                    self._lost.add(name)
                    continue
                self._used.add(name)
                for key, holder in zip(entries, self._index().of(list(entries)), strict=True):
                    if holder == name and not cache.has(key):
                        cache.put(key, entries[key])

    def found(self, key: str, content: bytes) -> None:
        """Takes note of content of the local cache, which bundles may lack."""
        with self._lock:
            (holder,) = self._index().of([key])
            if holder is None:
                self._add(key, content)
            else:
                self._used.add(holder)

    def made(self, key: str, content: bytes) -> None:
        """Takes note of content that was read from files."""
        with self._lock:
            self._index()
            self._add(key, content)

    def use(self) -> Use:
        """The use of bundles since the last call, which starts the next count."""
        with self._lock:
            found = Use(frozenset(self._used), frozenset(self._lost), self._news)
            self._used, self._lost, self._news = set(), set(), {}
            return found

    def _index(self) -> Holders:
        if self._holders is None:
            self._holders = Holders(())
            known = read_index(self._bundles)
            if known is None:
                self._give_up()
            else:
                self._holders = Holders(known)
                self._sizes = {one.name: one.size for one in known}
        return self._holders

    def _add(self, key: str, content: bytes) -> None:
        if not self._is_off and len(content) <= _LARGEST:
            self._news[key] = content

    def _give_up(self) -> None:
        self._is_off = True
        self._holders = Holders(())
        self._news = {}


@lru_cache(maxsize=2)
def shared_by(bundles: Bundles) -> SharedCache:
    """The bundles of a run, shared by all threads of this process."""
    return SharedCache(bundles)


def read_index(bundles: Bundles) -> tuple[Bundle, ...] | None:
    """The bundles of the index; None if the storage cannot be read."""
    try:
        return _bundles_at(bundles)
    except FileUnreadable:
        return None


def _bundles_at(bundles: Bundles) -> tuple[Bundle, ...]:
    """The bundles of an index, none if it is missing or damaged. Raises FileUnreadable if the
    storage cannot be read."""
    try:
        return unpack_index(read_whole(_storage(bundles), _place(bundles, INDEX), limits.INDEX))
    except FileUnreadable as error:
        if error.kind in (Kind.MISSING, Kind.DAMAGED):
            return ()
        raise


def _read_bundle(bundles: Bundles, sizes: Mapping[str, int], name: str) -> bytes:
    storage, place = _storage(bundles), _place(bundles, name)
    found = read_by_one_request(storage, place, sizes[name])
    return read_whole(storage, place, limits.BUNDLE) if found is None else found


def write_bundle(bundles: Bundles, entries: Mapping[str, bytes]) -> Bundle | None:
    """A bundle of content by key; None if it cannot be written."""
    bundle, whole = pack(entries, int(time.time()))
    return bundle if _is_written(bundles, bundle.name, whole) else None


def renew_index(
    bundles: Bundles,
    max_bytes: int,
    made: Sequence[Bundle],
    used: Collection[str],
    lost: Collection[str],
) -> None:
    """Adds the bundles of a run to the index, and removes those that are lost and, beyond
    `max_bytes`, the least recently used ones, whose objects are deleted."""
    known = read_index(bundles)
    if known is None or not (made or used or lost):
        return
    whole = [one for one in known if one.name not in lost]
    found = renewed(whole, made, used, int(time.time()))
    stay = within(found, max_bytes)
    if not _is_written(bundles, INDEX, pack_index(stay)):
        return
    names = {one.name for one in stay}
    for name in {one.name for one in (*known, *made)} - names:
        _delete(bundles, name)


def why_unusable(bundles: Bundles) -> str | None:
    """The reason why bundles cannot be read or written there, which no run reports; None if they
    can be. The object that is written to find out is deleted again."""
    try:
        _bundles_at(bundles)
        _write(bundles, _PROBE, b"")
    except FileUnreadable as error:
        return error.why
    _delete(bundles, _PROBE)
    return None


def _is_written(bundles: Bundles, name: str, content: bytes) -> bool:
    try:
        _write(bundles, name, content)
    except FileUnreadable:
        return False
    return True


def _write(bundles: Bundles, name: str, content: bytes) -> None:
    storage, place = _storage(bundles), _place(bundles, name)

    def write() -> None:
        with storage.file_io(place).new_output(place).create(overwrite=True) as stream:
            stream.write(content)

    patiently(storage, place, write)


def _delete(bundles: Bundles, name: str) -> None:
    place = _place(bundles, name)
    try:
        _storage(bundles).file_io(place).delete(place)
    except Exception:  # noqa: BLE001  # clients raise many kinds, and it takes room only
        return


def _storage(bundles: Bundles) -> Storage:
    return Storage(properties=dict(bundles.properties))


def _place(bundles: Bundles, name: str) -> str:
    return f"{bundles.location.rstrip('/')}/{name}"
