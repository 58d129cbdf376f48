"""Places in which parts of a file are kept: on this machine, and for others if there are
bundles."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from prunescope.collectors.storage.cache import Cache
from prunescope.collectors.storage.files import Storage
from prunescope.collectors.storage.shared_cache import shared_by


@dataclass(frozen=True, slots=True)
class Place:
    """The place in which a part of a file is kept."""

    cache: Cache
    key: str

    def get(self) -> bytes | None:
        """The kept content, None if there is none."""
        found = self.cache.get(self.key)
        if found is not None and self.cache.bundles is not None:
            shared_by(self.cache.bundles).found(self.key, found)
        return found

    def put(self, content: bytes) -> None:
        """Keeps content."""
        self.cache.put(self.key, content)
        if self.cache.bundles is not None:
            shared_by(self.cache.bundles).made(self.key, content)

    def forget(self) -> None:
        """Throws away the kept content."""
        self.cache.forget(self.key)


def place_of(storage: Storage, path: str, size: int | None, what: str) -> Place | None:
    """The place in which `what` of a file is kept; None if nothing is kept of it. A file of unknown
    size could be another one by now, and nothing is kept of one that may not be read."""
    if storage.cache is None or size is None or size <= 0 or not storage.may_read(path):
        return None
    return Place(storage.cache, _key(storage, path, size, what))


def has_kept(storage: Storage, path: str, size: int, what: str) -> bool:
    """True if this machine has kept `what` of a file, whole or not, whoever may read it."""
    cache = storage.cache
    return cache is not None and size > 0 and cache.has(_key(storage, path, size, what))


def _key(storage: Storage, path: str, size: int, what: str) -> str:
    located = storage.locate(path)
    return "\n".join(filter(None, (what, str(size), storage.store_of(located), located)))


def fetch(places: Iterable[Place | None]) -> None:
    """Brings here what other machines kept of some of the places."""
    by_cache: dict[Cache, list[str]] = {}
    for place in places:
        if place is not None and place.cache.bundles is not None:
            by_cache.setdefault(place.cache, []).append(place.key)
    for cache, keys in by_cache.items():
        assert cache.bundles is not None
        shared_by(cache.bundles).fetch(cache, keys)
