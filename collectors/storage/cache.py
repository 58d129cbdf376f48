"""A cache of decoded content in a local directory: one file per decoded file, for all processes.

Decoded content never changes, so nothing expires: the least recently used files go when there are
too many bytes. A file is written whole beside its place and moved there, so a process that is
killed, or runs alongside, leaves whole files; a file that is damaged all the same has another
checksum, is thrown away and made again. A cache that cannot be written is none: an audit does not
fail for it.
"""

from __future__ import annotations

import os
import stat
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import mkstemp

import xxhash

from prunescope.collectors.storage.sealed import content_of, seal

_SUFFIX, _PENDING = ".kept", ".pending"
_READ = os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK
"""Only files that were made here are read: no links, and nobody waits for what a pipe brings."""
_LARGEST = 1 << 30
"""Bytes of a file at most: a manifest that is larger when unpacked is not read."""
_ABANDONED = 3_600
"""Seconds after which a file that is not whole was left behind by a process that was killed."""
_BLOCK, _LEAST = 512, 4096
"""Bytes of the blocks that files are counted in (POSIX, `st_blocks`), and what a file takes of a
disk at least, as most are made."""
_SWEEPS = 16
"""The number of times that a process looks at all files while it writes as many bytes as the cache
may have."""
_FRESH = 600
"""Seconds within which one use is as recent as another: to note each takes longer than to look."""
_LEFT = 0.9
"""The share of the bytes that stays where there were too many."""


MAX_BYTES = 10_000_000_000
"""The largest size of a cache by default."""


@dataclass(frozen=True, slots=True)
class Bundles:
    """The place where several machines share what they keep: below a location that PyIceberg's
    FileIO reaches with these properties (credentials, endpoints). `run` tells apart the runs of one
    process, each of which reads the index once."""

    location: str
    properties: tuple[tuple[str, str], ...] = field(default=(), repr=False)
    run: str = ""


@dataclass(frozen=True, slots=True)
class Cache:
    """A directory of decoded files, which take about `max_bytes` of the disk at most. Small, and
    safe to send to executors, each of which has a directory of its own; `bundles` fill it, if there
    are any."""

    path: str
    max_bytes: int
    bundles: Bundles | None = None

    def has(self, key: str) -> bool:
        """True if content was kept under a key, whole or not."""
        return _is_trusted(self.path) and os.access(self._name(key), os.F_OK)

    def get(self, key: str) -> bytes | None:
        """The content that was kept under a key, None if there is none or it is damaged."""
        if not _is_trusted(self.path):
            return None
        try:
            handle = os.open(self._name(key), _READ)
            with os.fdopen(handle, "rb", buffering=0) as file:
                status = os.fstat(handle)
                is_ours = stat.S_ISREG(status.st_mode) and status.st_size <= _LARGEST
                found = content_of(file.readall(), key) if is_ours else None
                if found is not None and status.st_mtime < time.time() - _FRESH:
                    os.utime(handle)  # the least recently used go first
        except OSError:
            return None
        if found is None:
            self.forget(key)
        return found

    def forget(self, key: str) -> None:
        """Throws away the content of a key."""
        with suppress(OSError):
            self._place(key).unlink()

    def put(self, key: str, content: bytes) -> None:
        """Keeps content under a key, as far as there is room for it."""
        if not _is_trusted(self.path):
            return
        place = self._place(key)
        try:
            # Only the owner may read it: bounds are people's data.
            _make(place.parent)
            handle, pending = mkstemp(suffix=_PENDING, dir=place.parent)
            try:
                with os.fdopen(handle, "wb") as file:
                    file.write(seal(key, content))
                Path(pending).replace(place)
            except BaseException:
                Path(pending).unlink(missing_ok=True)
                raise
            _written(self, max(len(content), _LEAST))
        except OSError:
            return

    def sweep(self) -> None:
        """Throws away abandoned files and, if there are too many bytes, the least recently used
        ones."""
        now = time.time()
        found, total = [], 0
        for file in self._files():
            with suppress(OSError):
                status = file.stat()
                if file.suffix == _PENDING and now - status.st_mtime > _ABANDONED:
                    file.unlink()
                else:
                    size = status.st_blocks * _BLOCK
                    found.append((status.st_mtime, size, file))
                    total += size
        if total <= self.max_bytes:
            return
        for _, size, file in sorted(found):
            if total <= self.max_bytes * _LEFT:
                return
            with suppress(OSError):
                file.unlink()
                total -= size

    def _files(self) -> Iterator[Path]:
        for suffix in (_SUFFIX, _PENDING):
            yield from Path(self.path).glob(f"??/*{suffix}")

    def _place(self, key: str) -> Path:
        return Path(self._name(key))

    def _name(self, key: str) -> str:
        """The file of a key, as text: making a Path takes longer than reading the file."""
        name = xxhash.xxh3_128_hexdigest(key.encode())
        return f"{self.path}/{name[:2]}/{name[2:]}{_SUFFIX}"


def why_not_trusted(path: str) -> str | None:
    """The reason why others can write into a directory, and the remedy: anyone who can may have an
    audit report anything. None for a directory that is the user's alone, or does not exist yet."""
    try:
        link, folder = Path(path).lstat(), Path(path).stat()
    except OSError:  # what cannot be looked at cannot be read either
        return None
    own = os.geteuid()
    if folder.st_uid != own or link.st_uid not in (own, 0):  # root may lead it elsewhere
        return "it belongs to another user; name one of your own, which need not be there yet"
    if folder.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        return f"others can write into it: empty it, and chmod go-w {path}"
    return None


_trusted: set[str] = set()


def _is_trusted(path: str) -> bool:
    """True if a directory was found to be the user's alone, or does not exist."""
    if path in _trusted:
        return True
    why = why_not_trusted(path)
    if why is None and os.access(path, os.F_OK):
        _trusted.add(path)
    return why is None


def _make(folder: Path) -> None:
    """Makes a folder and its missing parents, none of them readable by others."""
    if not folder.exists():
        _make(folder.parent)
        folder.mkdir(mode=0o700, exist_ok=True)


_since_sweep: dict[Cache, int] = {}


def _written(cache: Cache, size: int) -> None:
    """Sweeps at the first write of a process, and then each time it has written enough bytes."""
    written = _since_sweep.get(cache, cache.max_bytes) + size
    if written * _SWEEPS > cache.max_bytes:
        cache.sweep()
        written = 0
    _since_sweep[cache] = written
